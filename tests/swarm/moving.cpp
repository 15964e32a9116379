// SPDX-License-Identifier: MIT
// The families of elections for networks that move. Nodes that move never stop, so here faults are
// links that fail, nodes that crash and messages that vanish; the first two end at 4 s, and a long
// calm follows. Only height's family has nodes in motion, of which nothing is demanded in the end.
#include <algorithm>

#include "bellwether/sim/run_spec.hpp"
#include "draws.hpp"
#include "families.hpp"

namespace bellwether::swarm {
namespace {

using namespace std::chrono_literals;
using core::Duration;
using core::Prng;

constexpr Duration faults_end = 4s;

void option(Scenario& s, const char* name, const std::string& text) {
  s.options[name] = {text, "swarm"};
}

bool repaired(const Scenario& s) {
  return s.algorithm.ends_with("-2");
}

Scenario election(const char* algorithm, std::uint64_t seed) {
  Scenario s;
  s.algorithm = algorithm;
  s.seed = seed;
  s.properties = {"all"};
  s.stop.time = 60s;
  s.stop.events = 3'000'000;
  if (s.algorithm == "vasudevan") option(s, "heartbeat", "1 s");  // two minutes are long
  return s;
}

void draw_wires(Scenario& s, Prng& draw) {
  s.network.topology =
      one_of<const char*>(draw, {"line", "ring", "star", "tree", "grid", "torus", "complete",
                                 "erdos-renyi", "geometric", "barabasi-albert", "watts-strogatz"});
  s.network.nodes = static_cast<core::NodeIndex>(6 + draw.below(24));
  s.network.degree = 3 + draw.unit() * 2;
  s.network.ids = one_of<const char*>(draw, {"ascending", "descending", "random"});
  s.start.window = one_of<Duration>(draw, {0ms, 20ms, 1s});
}

/// Nodes that stay where they are: the range decides into how many components they fall.
void draw_radio(Scenario& s, Prng& draw) {
  s.network.topology = "radio";
  s.network.nodes = static_cast<core::NodeIndex>(6 + draw.below(15));
  s.network.ids = one_of<const char*>(draw, {"ascending", "random"});
  s.mobility.model = world::MobilityModel::still;
  s.mobility.width = s.mobility.height = 300;
  s.radio.range = 60 + draw.unit() * 70;
  s.radio.delay =
      one_of(draw, {world::Delay::constant, world::Delay::uniform, world::Delay::poisson});
  s.radio.mean = one_of<Duration>(draw, {1ms, 10ms});
  s.radio.max = one_of<Duration>(draw, {2ms, 20ms});
  s.start.window = one_of<Duration>(draw, {0ms, 1s});
  if (!one_in(draw, 4)) s.metrics.on = scenario::MetricsMode::off;
}

/// Several probes fit into the timeout, so that a few lost ones cost no neighbour.
void draw_probes(Scenario& s, Prng& draw, int probes) {
  s.neighbours.detect = scenario::Detect::probes;
  s.neighbours.period = one_of<Duration>(draw, {100ms, 400ms});
  s.neighbours.jitter = s.neighbours.period / 20;
  s.neighbours.timeout = probes * s.neighbours.period + s.neighbours.period / 2;
}

void draw_delays(Scenario& s, Prng& draw) {
  s.channel.delay =
      one_of(draw, {world::Delay::constant, world::Delay::uniform, world::Delay::poisson});
  s.channel.mean = one_of<Duration>(draw, {100us, 1ms, 10ms});
  s.channel.min = 0ms;
  s.channel.max = one_of<Duration>(draw, {1ms, 10ms, 20ms});
  s.channel.unit = s.channel.mean / 4;
  s.channel.order = one_of(draw, {world::Order::fifo, world::Order::unordered});
  s.channel.duplicate = one_in(draw, 3) ? 0.05 : 0;
}

void draw_churn(Scenario& s, Prng& draw) {
  s.changes.links.rate = 1 + draw.unit() * 20;
  s.changes.links.down = one_of<Duration>(draw, {10ms, 200ms, 2s});
  s.changes.links.until = faults_end;
  s.notify.max = one_of<Duration>(draw, {0ms, 1ms, 50ms, 500ms});
}

void draw_crashes(Scenario& s, Prng& draw) {
  s.changes.crashes.rate = 0.5 + draw.unit() * 3;
  s.changes.crashes.down = one_of<Duration>(draw, {5ms, 300ms, 2s});
  s.changes.crashes.memory = one_in(draw, 2);
  s.changes.crashes.until = faults_end;
  s.notify.max = std::max(s.notify.max, one_of<Duration>(draw, {0ms, 1ms, 50ms}));
}

/// Cut in two at 20 s, whole again at 40 s.
void draw_partition(Scenario& s, Prng& draw) {
  std::vector<std::vector<core::NodeId>> groups(2);
  for (const core::NodeId id : sim::make_setup(s).ids) groups[draw.below(2)].push_back(id);
  if (groups[0].empty() || groups[1].empty()) return;
  s.changes.partitions = {{.at = 20s, .heal = false, .groups = groups},
                          {.at = 40s, .heal = true, .groups = {}}};
}

/// Topology Aware and CEL name the most central node, of the network as it is in the end. Links are
/// there from the start, or both ends are notified of each change at once; nothing is lost.
Trial draw_map_keeper(const char* algorithm, std::uint64_t seed) {
  Prng draw = core::stream(seed, "swarm");
  Scenario s = election(algorithm, seed);
  if (one_in(draw, 4)) {
    draw_radio(s, draw);
  } else {
    draw_wires(s, draw);
    draw_delays(s, draw);
    if (one_in(draw, 3)) draw_partition(s, draw);
  }
  const char* edges = one_of<const char*>(draw, {"mutual", "directed"});
  if (!repaired(s)) option(s, "edges", edges);
  if (s.algorithm.starts_with("topology-aware"))
    option(s, "criterion", one_of<const char*>(draw, {"closeness", "degree"}));
  return {s, Demand::right};
}

/// The others tolerate links and nodes that come and go, by notification or found by probes.
Trial draw_calmed(const char* algorithm, std::uint64_t seed, Demand demand) {
  Prng draw = core::stream(seed, "swarm");
  Scenario s = election(algorithm, seed);
  if (one_in(draw, 3)) {
    draw_radio(s, draw);
    draw_probes(s, draw, 2);
  } else {
    draw_wires(s, draw);
    draw_delays(s, draw);
    if (!one_in(draw, 4)) draw_churn(s, draw);
  }
  if (one_in(draw, 2)) draw_crashes(s, draw);
  return {s, demand};
}

/// All but agreement, which is checked whenever quiescent: here only the end counts.
std::vector<std::string> own_properties(const std::string& algorithm) {
  if (algorithm == "flooding") return {"leader-not-weaker"};
  if (algorithm == "vasudevan") return {"index-grows", "leader-not-smaller"};
  if (algorithm == "gomez-calzado") return {"knows-its-own"};
  if (algorithm == "drumbeat")
    return {"beats-ascend", "weight-holds", "heir-is-nearer", "one-heir", "eligible"};
  if (algorithm.ends_with("-2") || algorithm == "central-hierarchy") return {"all"};
  return {"clocks-rise"};
}

/// What a harsh seed injects: its remainder by 4.
enum class Fault : unsigned char { churn, crashes, loss, radio };

Trial draw_harsh(const char* algorithm, std::uint64_t seed, Demand demand) {
  Prng draw = core::stream(seed, "swarm");
  Scenario s = election(algorithm, seed);
  const auto fault = static_cast<Fault>(seed % 4);
  if (fault == Fault::radio) {
    draw_radio(s, draw);
    draw_probes(s, draw, 3);
    s.radio.model = world::RadioModel::lossy;
    s.radio.loss = one_of(draw, {0.001, 0.01, 0.05});
    if (one_in(draw, 2)) s.radio.burst.bad = 100ms;
    if (one_in(draw, 2)) draw_crashes(s, draw);
    return {s, demand};
  }
  s.properties = own_properties(s.algorithm);
  draw_wires(s, draw);
  draw_delays(s, draw);
  if (fault == Fault::churn) draw_churn(s, draw);
  if (fault == Fault::crashes) draw_crashes(s, draw);
  if (fault == Fault::loss) s.channel.loss = one_of(draw, {0.001, 0.01, 0.05});
  return {s, demand};
}

/// The repaired ones must tolerate whatever the originals do not, and all of it at once.
Trial draw_repaired_harsh(const char* algorithm, std::uint64_t seed) {
  Trial trial = draw_harsh(algorithm, seed, Demand::right);
  Scenario& s = trial.scenario;
  Prng draw = core::stream(seed, "swarm-repaired");
  // Losses never end: a node that takes a burst for a lost neighbour never settles.
  if (s.network.topology == "radio") draw_probes(s, draw, 9);
  if (seed / 4 % 2 == 1) {
    if (s.network.topology != "radio") {
      draw_churn(s, draw);
      s.channel.loss = one_of(draw, {0.01, 0.05, 0.2});
      s.channel.duplicate = 0.05;
    }
    draw_crashes(s, draw);
  }
  option(s, "digest", one_of<const char*>(draw, {"200 ms", "1 s"}));
  if (s.algorithm != "topology-aware-2")
    option(s, "rho", one_of<const char*>(draw, {"1", "0.7", "0.2"}));
  else
    option(s, "criterion", one_of<const char*>(draw, {"closeness", "degree"}));
  return trial;
}

void draw_motion(Scenario& s, Prng& draw) {
  s.mobility.model =
      one_of(draw, {world::MobilityModel::random_waypoint, world::MobilityModel::group,
                    world::MobilityModel::gauss_markov});
  s.mobility.pause = one_of<Duration>(draw, {0ms, 2s});
}

/// Half of them are put far away at 20 s, and back at 40 s.
void draw_parting(Scenario& s, Prng& draw) {
  const double side = s.mobility.width;
  s.mobility.width = 3 * side;
  for (const core::NodeId id : sim::make_setup(s).ids) {
    const world::Point home{draw.unit() * side, draw.unit() * side};
    s.changes.moves.push_back({0ms, id, home, {}});
    if (one_in(draw, 2)) continue;
    s.changes.moves.push_back({20s, id, {home.x + 2 * side, home.y}, {}});
    s.changes.moves.push_back({40s, id, home, {}});
  }
}

enum class Air : unsigned char { ideal, lossy, bursts, csma };

void draw_air(Scenario& s, Prng& draw, Air air) {
  if (air == Air::ideal) return;
  s.radio.model = air == Air::csma ? world::RadioModel::csma : world::RadioModel::lossy;
  if (air == Air::csma) {
    s.radio.csma.rate = one_of(draw, {1e6, 6e6});
    return;
  }
  s.radio.loss = one_of(draw, {0.01, 0.05, 0.2});
  if (air == Air::bursts) s.radio.burst = {5s, one_of<Duration>(draw, {30ms, 100ms, 500ms})};
}

/// Where losses never end: all that follows 45 s, not the last moment, which may fall into a loss.
/// Nodes with one link that is silent for a tenth of the time cannot agree in that tenth; in a
/// quarter of a minute half a second of silence may come by chance much more often.
void judge_what_follows(Trial& trial, double may_be_wrong, bool bursts) {
  Scenario& s = trial.scenario;
  s.metrics.on = scenario::MetricsMode::on;
  s.metrics.oracle = core::Criterion::majority;
  s.metrics.warm_up = 45s;
  if (bursts) s.stop.time += 60s;
  trial.demand = Demand::steady;
  trial.may_be_wrong = may_be_wrong;
}

/// Nodes by radio that crash, wake with other clocks, and part: of drumbeat, as it is by default.
/// In one of four nodes move.
Trial draw_on_air(Air air, std::uint64_t seed) {
  Prng draw = core::stream(seed, "swarm-air");
  Scenario s = election("drumbeat", seed);
  draw_radio(s, draw);
  draw_air(s, draw, air);
  // Behind a layer that probes, properties of the election are not seen.
  if (air == Air::csma || one_in(draw, 2))
    draw_probes(s, draw, 3);
  else
    s.properties = own_properties(s.algorithm);
  if (!one_in(draw, 4)) {
    draw_crashes(s, draw);
    s.notify.max = 0ms;
    s.clock_skew = one_of<Duration>(draw, {0ms, 1s, 1h});
    s.clock_jumps = s.clock_skew > 0ms;
  }
  if (one_in(draw, 4)) {
    draw_motion(s, draw);
    return {s, Demand::nothing};
  }
  if (one_in(draw, 2)) draw_parting(s, draw);
  Trial trial{s};
  judge_what_follows(trial, air == Air::bursts ? 0.15 : 0.05, air == Air::bursts);
  return trial;
}

}  // namespace

Trial draw_topology_aware(std::uint64_t seed) {
  return draw_map_keeper("topology-aware", seed);
}
Trial draw_cel(std::uint64_t seed) {
  return draw_map_keeper("cel", seed);
}
Trial draw_topology_aware_2(std::uint64_t seed) {
  return draw_map_keeper("topology-aware-2", seed);
}
Trial draw_cel_2(std::uint64_t seed) {
  return draw_map_keeper("cel-2", seed);
}

/// A live leader is suspected, and a dead one haunts a cycle, where a beat needs longer than the
/// timeout allows: here it has the time to go round.
Trial draw_flooding(std::uint64_t seed) {
  Trial trial = draw_calmed("flooding", seed, Demand::right);
  option(trial.scenario, "timeout", "1500 ms");
  return trial;
}
Trial draw_vasudevan(std::uint64_t seed) {
  return draw_calmed("vasudevan", seed, Demand::right);
}
Trial draw_gomez_calzado(std::uint64_t seed) {
  return draw_calmed("gomez-calzado", seed, Demand::agreed);
}

/// Wires with churn, or still radio with probes; crashes with and without memory: agreement at the
/// end.
Trial draw_drumbeat(std::uint64_t seed) {
  return draw_calmed("drumbeat", seed, Demand::agreed);
}
Trial draw_drumbeat_harsh(std::uint64_t seed) {
  Trial trial = draw_harsh("drumbeat", seed, Demand::agreed);
  const bool radio = trial.scenario.network.topology == "radio";
  if (radio) {  // a burst must not outlast the patience
    option(trial.scenario, "slack", "150 ms");
    option(trial.scenario, "taps", "0");
  }
  const bool bursts = radio && trial.scenario.radio.burst.bad > 0ms;
  if (radio || trial.scenario.channel.loss > 0)
    judge_what_follows(trial, bursts ? 0.15 : radio ? 0.05 : 0.01, bursts);
  return trial;
}

Trial draw_drumbeat_ideal(std::uint64_t seed) {
  return draw_on_air(Air::ideal, seed);
}
Trial draw_drumbeat_lossy(std::uint64_t seed) {
  return draw_on_air(Air::lossy, seed);
}
Trial draw_drumbeat_bursts(std::uint64_t seed) {
  return draw_on_air(Air::bursts, seed);
}
Trial draw_drumbeat_csma(std::uint64_t seed) {
  return draw_on_air(Air::csma, seed);
}

Trial draw_topology_aware_harsh(std::uint64_t seed) {
  return draw_harsh("topology-aware", seed, Demand::right);
}
Trial draw_cel_harsh(std::uint64_t seed) {
  return draw_harsh("cel", seed, Demand::right);
}
Trial draw_topology_aware_2_harsh(std::uint64_t seed) {
  return draw_repaired_harsh("topology-aware-2", seed);
}
Trial draw_cel_2_harsh(std::uint64_t seed) {
  return draw_repaired_harsh("cel-2", seed);
}
Trial draw_central_hierarchy(std::uint64_t seed) {
  Trial trial = draw_repaired_harsh("central-hierarchy", seed);
  Prng draw = core::stream(seed, "central-hierarchy");
  option(trial.scenario, "remoteness", one_of<const char*>(draw, {"1", "2", "3", "[2, 1]"}));
  return trial;
}
Trial draw_flooding_harsh(std::uint64_t seed) {
  return draw_harsh("flooding", seed, Demand::right);
}
Trial draw_vasudevan_harsh(std::uint64_t seed) {
  return draw_harsh("vasudevan", seed, Demand::right);
}
Trial draw_gomez_calzado_harsh(std::uint64_t seed) {
  return draw_harsh("gomez-calzado", seed, Demand::agreed);
}

Trial draw_height_radio(std::uint64_t seed) {
  Prng draw = core::stream(seed, "swarm");
  Scenario s = election("height", seed);
  draw_radio(s, draw);
  draw_probes(s, draw, 9);
  s.neighbours.reliable = true;
  s.neighbours.retry = one_of<Duration>(draw, {40ms, 100ms});
  if (one_in(draw, 3)) {
    s.radio.model = world::RadioModel::csma;
  } else {
    s.radio.model = world::RadioModel::lossy;
    s.radio.loss = one_of(draw, {0.0, 0.02, 0.2});
    if (one_in(draw, 2)) s.radio.burst.bad = one_of<Duration>(draw, {30ms, 100ms});
  }
  if (one_in(draw, 2)) draw_crashes(s, draw);
  option(s, "clock", one_of<const char*>(draw, {"logical", "perfect", "hybrid"}));
  option(s, "rejoin", one_of<const char*>(draw, {"take-over", "yield"}));
  const bool still = seed % 2 == 0;
  if (!still) draw_motion(s, draw);
  return {s, still ? Demand::agreed : Demand::nothing};
}

Trial draw_hierarchy_radio(std::uint64_t seed) {
  Trial trial = draw_height_radio(seed);
  trial.scenario.algorithm = "hierarchy";
  Prng draw = core::stream(seed, "hierarchy");
  option(trial.scenario, "remoteness", one_of<const char*>(draw, {"1", "2", "3", "[2, 1]"}));
  return trial;
}

}  // namespace bellwether::swarm
