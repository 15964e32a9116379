// SPDX-License-Identifier: MIT
// The families of elections for networks in which links and nodes change by plan.
#include "families.hpp"

#include <cstring>

#include "draws.hpp"

namespace bellwether::swarm {
namespace {

using namespace std::chrono_literals;

void draw_network(Scenario& s, core::Prng& draw) {
  s.network.topology = one_of<const char*>(
      draw, {"line", "ring", "star", "tree", "grid", "torus", "complete", "erdos-renyi",
             "geometric", "barabasi-albert", "watts-strogatz", "edge-markovian"});
  s.network.nodes = static_cast<core::NodeIndex>(8 + draw.below(40));
  s.network.degree = 3 + draw.unit() * 4;
  s.network.ids = one_of<const char*>(draw, {"ascending", "descending", "random"});
  if (s.network.topology == "edge-markovian") {
    const double pairs = static_cast<double>(s.network.nodes - 1);
    s.changes.markov = {0.2 * s.network.degree / pairs, 0.2, 200ms, 4s};
  }
}

void draw_delays(Scenario& s, core::Prng& draw) {
  s.channel.delay =
      one_of(draw, {world::Delay::constant, world::Delay::uniform, world::Delay::exponential,
                    world::Delay::poisson, world::Delay::adversarial});
  s.channel.mean = one_of<core::Duration>(draw, {100us, 1ms, 20ms});
  s.channel.min = 0ms;
  s.channel.max = one_of<core::Duration>(draw, {1ms, 10ms, 300ms});
  s.channel.unit = s.channel.mean / 4;
  s.notify.max = one_of<core::Duration>(draw, {0ms, 1ms, 50ms, 500ms});
  s.start.window = one_of<core::Duration>(draw, {0ms, 20ms, 1s});
}

void draw_churn(Scenario& s, core::Prng& draw) {
  if (draw.below(4) != 0) {
    s.changes.links.rate = 1 + draw.unit() * 40;
    s.changes.links.down = one_of<core::Duration>(draw, {10ms, 200ms, 2s});
    s.changes.links.until = 4s;
  }
  if (draw.below(2) == 0) {
    s.changes.crashes.rate = draw.unit() * 4;
    s.changes.crashes.down = one_of<core::Duration>(draw, {5ms, 300ms, 2s});
    s.changes.crashes.memory = draw.below(2) == 0;
    s.changes.crashes.until = 4s;
  }
}

Scenario draw_height_scenario(std::uint64_t seed) {
  core::Prng draw = core::stream(seed, "swarm");
  Scenario s;
  s.algorithm = "height";
  s.seed = seed;
  draw_network(s, draw);
  draw_delays(s, draw);
  draw_churn(s, draw);
  s.clock_skew = one_of<core::Duration>(draw, {0ms, 5ms, 500ms});
  const char* clock = one_of<const char*>(draw, {"logical", "perfect", "hybrid"});
  // The perfect clock is the global time, or the proof does not hold.
  if (std::strcmp(clock, "perfect") == 0) s.clock_skew = 0ms;
  s.options["clock"] = {clock, "swarm"};
  s.options["hello"] = {draw.below(3) ? "true" : "false", "swarm"};
  s.options["rejoin"] = {draw.below(3) ? "take-over" : "yield", "swarm"};
  // Without hello a link may be known at one end only, and G and H are false: see draw_one_sided.
  s.properties = {"all"};
  if (s.options["hello"].text == "false")
    s.properties = {"A", "B", "C", "D", "E", "F", "I", "J", "theorem-1", "agreement"};
  s.stop.time = 1h;
  s.stop.events = 5'000'000;
  return s;
}

Scenario draw_bully_scenario(std::uint64_t seed) {
  core::Prng draw = core::stream(seed, "swarm");
  Scenario s;
  s.algorithm = "bully";
  s.seed = seed;
  s.network.topology = "complete";
  s.network.nodes = static_cast<core::NodeIndex>(2 + draw.below(20));
  s.network.ids = one_of<const char*>(draw, {"ascending", "random"});
  s.channel.delay =
      one_of(draw, {world::Delay::constant, world::Delay::uniform, world::Delay::adversarial});
  s.channel.max = one_of<core::Duration>(draw, {5ms, 50ms, 90ms});
  s.channel.order = one_of(draw, {world::Order::fifo, world::Order::unordered});
  s.notify.max = one_of<core::Duration>(draw, {0ms, 20ms, 400ms});
  s.start.window = one_of<core::Duration>(draw, {0ms, 300ms});
  s.changes.crashes.rate = 0.2 + draw.unit() * 3;
  s.changes.crashes.down = one_of<core::Duration>(draw, {50ms, 1s});
  s.changes.crashes.until = 6s;
  s.properties = {"all"};
  s.stop.time = 1h;
  s.stop.events = 5'000'000;
  return s;
}

}  // namespace

Trial draw_height(std::uint64_t seed) {
  return {draw_height_scenario(seed), Demand::rest};
}
Scenario draw_one_sided(std::uint64_t seed) {
  Scenario s = draw_height_scenario(seed);
  s.options["hello"].text = "false";
  s.properties = {"G", "H"};
  return s;
}

/// The same networks, clocks and faults as for the heights below it, and one in ten is large.
Trial draw_hierarchy(std::uint64_t seed) {
  Scenario s = draw_height_scenario(seed);
  core::Prng draw = core::stream(seed, "hierarchy");
  s.algorithm = "hierarchy";
  s.options.erase("hello");
  s.options["remoteness"] = {one_of<const char*>(draw, {"1", "2", "3", "[3, 1]", "[1, 4]"}),
                             "swarm"};
  s.properties = {"all"};
  if (seed % 10 == 0) {
    s.network.topology = one_of<const char*>(draw, {"geometric", "grid", "erdos-renyi", "tree"});
    s.network.nodes = static_cast<core::NodeIndex>(200 + draw.below(1801));
    s.changes.markov = {};
    s.stop.events = 50'000'000;
  }
  return {s, Demand::rest};
}

Trial draw_bully(std::uint64_t seed) {
  return {draw_bully_scenario(seed), Demand::rest};
}

}  // namespace bellwether::swarm
