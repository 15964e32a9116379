// SPDX-License-Identifier: MIT
#include "bellwether/scenario/keys.hpp"

#include <algorithm>
#include <iterator>

#include "bellwether/core/nearest.hpp"
#include "bellwether/scenario/kinds.hpp"

namespace bellwether::scenario {
namespace {

using world::ChangeSpec;
using world::ChannelSpec;
using world::CrashChurnSpec;
using world::LinkChurnSpec;
using world::MarkovSpec;
using world::MobilitySpec;
using world::NetworkSpec;

/// s.*first.*second and so on: a fold over `.*`, however it looks.
template <class S, class... Member>
auto& along(S& s, Member... member) {
  return (s.*....*member);
}

/// One key; the members lead from the scenario to its value.
template <class Kind, class... Member>
Key key(std::string path, Kind kind, std::string description, Member... member) {
  auto conditions = conditions_of(path);
  return {.path = std::move(path),
          .kind = kind.kind(),
          .description = std::move(description),
          .takes_text = std::same_as<Kind, TextKind>,
          .read =
              [=](Scenario& s, const Value& value) {
                auto& place = along(s, member...);
                place = static_cast<std::remove_reference_t<decltype(place)>>(kind.read(value));
              },
          .print = [=](const Scenario& s) { return kind.print(along(s, member...)); },
          .copy = [=](const Scenario& from,
                      Scenario& to) { along(to, member...) = along(from, member...); },
          .conditions = std::move(conditions)};
}

std::vector<Key> general_keys() {
  using S = Scenario;
  return {
      key("name", TextKind{}, "name of the scenario in reports", &S::name),
      key("about", TextKind{}, "one sentence: what the scenario shows", &S::about),
      key("algorithm", TextKind{}, "the election to run; `bellwether list` names all algorithms",
          &S::algorithm),
      key("seed", WholeKind{63}, "seed of all random draws: the same seed gives the same run",
          &S::seed),
      key("properties", NamesKind{}, "properties of the algorithm to check after each step",
          &S::properties),
      key("beyond_model", FlagKind{}, "run the algorithm even where its model does not hold",
          &S::beyond_model),
  };
}

std::vector<Key> network_keys() {
  using N = NetworkSpec;
  constexpr auto in = &Scenario::network;
  return {
      key("network.topology", TextKind{},
          "topology of the network; `bellwether list` names all topologies", in, &N::topology),
      key("network.nodes", WholeKind{31},
          "number of nodes (required, except where rows and columns or a file give it)", in,
          &N::nodes),
      key("network.one_way", FlagKind{}, "messages travel clockwise only", in, &N::one_way),
      key("network.rows", WholeKind{31}, "number of rows; 0: as square as possible", in, &N::rows),
      key("network.columns", WholeKind{31}, "number of columns; 0: as square as possible", in,
          &N::columns),
      key("network.branching", WholeKind{31}, "number of children of a node", in, &N::branching),
      key("network.degree", AmountKind{}, "mean number of neighbours of a node", in, &N::degree),
      key("network.attach", WholeKind{31}, "number of links that a new node brings", in,
          &N::attach),
      key("network.near", WholeKind{31}, "number of neighbours in the ring lattice, an even number",
          in, &N::near),
      key("network.rewire", ShareKind{}, "share of the links that are rewired", in, &N::rewire),
      key("network.file", TextKind{},
          "an edge list, GraphML, DIMACS or METIS file; a relative path begins at the scenario's "
          "folder (required)",
          in, &N::file),
      key("network.ids",
          WordKind{"order of ids", {"ascending", "descending", "random", "bit-reversed"}},
          "order in which the nodes get the ids 1, 2, ...", in, &N::ids),
      key("network.names", NodeIdsKind{}, "the ids of the nodes, in order, instead of network.ids",
          in, &N::names),
      key("network.anonymous", FlagKind{}, "nodes have no ids", in, &N::anonymous),
      key("network.towers", WholeKind{31}, "number of nodes that are towers along the road", in,
          &N::towers),
      key("network.spares", WholeKind{31},
          "number of further nodes that are absent until a restart adds them", in, &N::spares),
      key("network.servers", WholeKind{31}, "number of nodes that are wired to all towers", in,
          &N::servers),
  };
}

std::vector<Key> mobility_keys() {
  using M = MobilitySpec;
  constexpr auto in = &Scenario::mobility;
  return {
      key("mobility.model", ChoiceKind<world::MobilityModel>{"model"},
          "how nodes move in the plane; `bellwether list mobility` explains the models", in,
          &M::model),
      key("mobility.width", AmountKind{},
          "width of the area or length of the road, in metres (required, except with a trace)", in,
          &M::width),
      key("mobility.height", AmountKind{},
          "height of the area, in metres (required, except with a trace or a highway)", in,
          &M::height),
      key("mobility.speed_min", AmountKind{}, "lowest speed, in metres a second", in,
          &M::speed_min),
      key("mobility.speed_max", AmountKind{},
          "highest speed, in metres a second; speeds are uniform between the two", in,
          &M::speed_max),
      key("mobility.pause", DurationKind{}, "time that a node stays where it has arrived", in,
          &M::pause),
      key("mobility.leg", ChoiceKind<world::WalkLeg>{"end of a leg"},
          "what ends a leg of the walk: leg_time or leg_distance", in, &M::leg),
      key("mobility.leg_time", DurationKind{.positive = true}, "duration of a leg", in,
          &M::leg_time),
      key("mobility.leg_distance", AmountKind{}, "length of a leg, in metres", in,
          &M::leg_distance),
      key("mobility.flight_alpha", AmountKind{}, "exponent of the flight lengths, from 0.1 to 2",
          in, &M::flight_alpha),
      key("mobility.flight_min", AmountKind{}, "shortest flight, in metres", in, &M::flight_min),
      key("mobility.flight_max", AmountKind{}, "longest flight, in metres", in, &M::flight_max),
      key("mobility.flight_k", AmountKind{},
          "factor k of a flight's duration: l metres take k * l^(1-rho) seconds", in, &M::flight_k),
      key("mobility.flight_rho", ShareKind{},
          "rho in the exponent of a flight's duration (see flight_k)", in, &M::flight_rho),
      key("mobility.pause_beta", AmountKind{}, "exponent of the pauses, from 0.1 to 2", in,
          &M::pause_beta),
      key("mobility.pause_min", DurationKind{}, "shortest pause", in, &M::pause_min),
      key("mobility.pause_max", DurationKind{}, "longest pause", in, &M::pause_max),
      key("mobility.spacing", AmountKind{}, "distance between the circles of nodes, in metres", in,
          &M::spacing),
      key("mobility.memory", ShareKind{},
          "memory of speed and direction, from 0 (all random) to 1 (constant)", in, &M::memory),
      key("mobility.mean_speed", AmountKind{},
          "mean speed, in metres a second; 0: the middle of speed_min and speed_max", in,
          &M::mean_speed),
      key("mobility.speed_deviation", AmountKind{},
          "standard deviation of the speed, in metres a second", in, &M::speed_deviation),
      key("mobility.direction_deviation", AmountKind{},
          "standard deviation of the direction, in radians", in, &M::direction_deviation),
      key("mobility.update", DurationKind{.positive = true},
          "time between two changes of speed and direction", in, &M::update),
      key("mobility.margin", AmountKind{},
          "distance from the border at which nodes turn back, in metres; 0: a tenth of the shorter "
          "side",
          in, &M::margin),
      key("mobility.group_size", WholeKind{31}, "number of nodes in a group", in, &M::group_size),
      key("mobility.group_radius", AmountKind{},
          "greatest distance of a node from its group's centre, in metres", in, &M::group_radius),
      key("mobility.lanes", WholeKind{31}, "number of lanes in each direction, from 1 to 1000", in,
          &M::lanes),
      key("mobility.file", TextKind{},
          "a BonnMotion or ns-2 trace; a relative path begins at the scenario's folder (required)",
          in, &M::file),
  };
}

std::vector<Key> channel_keys() {
  using C = ChannelSpec;
  constexpr auto in = &Scenario::channel;
  return {
      key("channel.order", ChoiceKind<world::Order>{"order"},
          "whether messages on a link arrive in the order in which they were sent", in, &C::order),
      key("channel.loss", ShareKind{}, "share of the messages that are lost", in, &C::loss),
      key("channel.duplicate", ShareKind{}, "share of the messages that arrive twice", in,
          &C::duplicate),
      key("channel.delay", ChoiceKind<world::Delay>{"delay"}, "distribution of a message's delay",
          in, &C::delay),
      key("channel.mean", DurationKind{}, "mean delay", in, &C::mean),
      key("channel.min", DurationKind{}, "shortest delay", in, &C::min),
      key("channel.max", DurationKind{}, "longest delay", in, &C::max),
      key("channel.unit", DurationKind{.positive = true}, "every delay is a multiple of this", in,
          &C::unit),
  };
}

std::vector<Key> radio_keys() {
  using R = world::RadioSpec;
  using B = world::BurstSpec;
  using C = world::CsmaSpec;
  using P = world::PowerSpec;
  constexpr auto in = &Scenario::radio;
  constexpr auto burst = &R::burst;
  constexpr auto csma = &R::csma;
  constexpr auto power = &R::power;
  return {
      key("radio.model", ChoiceKind<world::RadioModel>{"radio model"},
          "how messages travel by radio; `bellwether list radios` explains the models", in,
          &R::model),
      key("radio.range", AmountKind{}, "radio range in metres (required)", in, &R::range),
      key("radio.delay", ChoiceKind<world::Delay>{"delay"}, "distribution of a message's delay", in,
          &R::delay),
      key("radio.mean", DurationKind{}, "mean delay", in, &R::mean),
      key("radio.min", DurationKind{}, "shortest delay", in, &R::min),
      key("radio.max", DurationKind{}, "longest delay", in, &R::max),
      key("radio.unit", DurationKind{.positive = true}, "every delay is a multiple of this", in,
          &R::unit),
      key("radio.loss", ShareKind{},
          "share of the messages that are lost, independently of each other", in, &R::loss),
      key("radio.burst_good", DurationKind{.positive = true},
          "mean time between two bursts of losses on a link", in, burst, &B::good),
      key("radio.burst_bad", DurationKind{}, "mean duration of a burst; 0: no bursts", in, burst,
          &B::bad),
      key("radio.burst_loss_good", ShareKind{},
          "share of the messages that are lost between bursts", in, burst, &B::loss_good),
      key("radio.burst_loss_bad", ShareKind{}, "share of the messages that are lost in a burst", in,
          burst, &B::loss_bad),
      key("radio.rate", AmountKind{}, "bits a second", in, csma, &C::rate),
      key("radio.preamble", DurationKind{}, "duration of a frame's preamble and header", in, csma,
          &C::preamble),
      key("radio.overhead", WholeKind{16}, "bytes of a frame around its payload", in, csma,
          &C::overhead),
      key("radio.slot", DurationKind{.positive = true}, "duration of a backoff slot", in, csma,
          &C::slot),
      key("radio.sifs", DurationKind{}, "a node listens for sifs + aifsn * slot before it sends",
          in, csma, &C::sifs),
      key("radio.aifsn", WholeKind{8}, "number of slots in that time (see sifs)", in, csma,
          &C::aifsn),
      key("radio.cw", WholeKind{16},
          "contention window: a backoff lasts from 0 to this number of slots", in, csma, &C::cw),
      key("radio.capture", ShareKind{},
          "probability that the first of several overlapping frames survives", in, csma,
          &C::capture),
      key("radio.symbol", DurationKind{}, "duration of an OFDM symbol; 0: frames have no symbols",
          in, csma, &C::symbol),
      key("radio.aligned", FlagKind{},
          "a node that finds the medium free waits for the next slot, as in 802.11e", in, csma,
          &C::aligned),
      key("radio.reach", ChoiceKind<world::Reach>{"reach"},
          "how a signal's strength falls with the distance; only --engine ns3 has signals", in,
          &R::reach),
      key("radio.mtu", WholeKind{16},
          "largest payload of a frame in bytes; longer messages are split", in, &R::mtu),
      key("radio.power_idle", AmountKind{}, "watts of a radio that hears nothing", in, power,
          &P::idle),
      key("radio.power_busy", AmountKind{}, "watts while it hears a frame that it cannot read", in,
          power, &P::busy),
      key("radio.power_rx", AmountKind{}, "watts while it receives", in, power, &P::rx),
      key("radio.power_tx", AmountKind{}, "watts while it sends", in, power, &P::tx),
      key("radio.power_sleep", AmountKind{}, "watts while it is off", in, power, &P::sleep),
  };
}

std::vector<Key> run_keys() {
  using S = Scenario;
  return {
      key("notify.min", DurationKind{},
          "shortest time until an end of a link is notified of a change", &S::notify,
          &NotifySpec::min),
      key("notify.max", DurationKind{},
          "longest such time; each end has its own, uniform between the two", &S::notify,
          &NotifySpec::max),
      key("start.initiators", CountKind{},
          "number of nodes that start an election, drawn at random", &S::start,
          &StartSpec::initiators),
      key("start.nodes", NodeIdsKind{}, "the nodes that start, instead of start.initiators",
          &S::start, &StartSpec::nodes),
      key("start.window", DurationKind{}, "initiators start within this time, uniformly", &S::start,
          &StartSpec::window),
      key("clock.skew", DurationKind{}, "greatest error of a node's clock", &S::clock_skew),
      key("clock.jumps", FlagKind{}, "the clock of a node that restarts has another error",
          &S::clock_jumps),
      key("rounds.duration", DurationKind{.positive = true}, "duration of a round", &S::rounds,
          &RoundsSpec::duration),
      key("rounds.synchronizer", ChoiceKind<core::Synchronizer>{"synchronizer"},
          "runs the rounds with messages over the channel; none: with a common clock", &S::rounds,
          &RoundsSpec::synchronizer),
      key("rounds.pulses", WholeKind{32}, "number of rounds; 0: as many as without a synchronizer",
          &S::rounds, &RoundsSpec::pulses),
      key("rounds.growth", WholeKind{16},
          "a cluster grows while each layer multiplies its size by this", &S::rounds,
          &RoundsSpec::growth),
      key("stop.time", DurationKind{.positive = true}, "the run ends at this time at the latest",
          &S::stop, &StopSpec::time),
      key("stop.events", WholeKind{63}, "the run ends after this number of events; 0: no limit",
          &S::stop, &StopSpec::events),
  };
}

std::vector<Key> neighbour_keys() {
  using N = NeighbourSpec;
  using M = MetricsSpec;
  constexpr auto in = &Scenario::neighbours;
  constexpr auto metrics = &Scenario::metrics;
  return {
      key("neighbours.detect", ChoiceKind<Detect>{"way to detect neighbours"},
          "`told`: nodes are notified of links; `probes`: they infer links from what they receive",
          in, &N::detect),
      key("neighbours.period", DurationKind{.positive = true}, "time between two probes of a node",
          in, &N::period),
      key("neighbours.timeout", DurationKind{.positive = true},
          "silence after which a neighbour is dropped", in, &N::timeout),
      key("neighbours.jitter", DurationKind{}, "greatest random deviation of a probe from its time",
          in, &N::jitter),
      key("neighbours.reliable", FlagKind{},
          "add a layer that numbers, acknowledges and retransmits: links become ordered and "
          "reliable",
          in, &N::reliable),
      key("neighbours.retry", DurationKind{.positive = true},
          "time without acknowledgement before a message is retransmitted", in, &N::retry),
      key("neighbours.stack", ChoiceKind<LayerStack>{"stack"},
          "layers around the election; `chosen`: those of detect and reliable; `deployed`: those "
          "of `bellwether node`, with the options that it sets",
          in, &N::stack),
      key("metrics.on", ChoiceKind<MetricsMode>{"choice"},
          "whether to measure over time; `auto`: in networks that move, up to 2000 nodes", metrics,
          &M::on),
      key("metrics.interval", DurationKind{},
          "time between two rows of the time series; 0: a hundredth of stop.time", metrics,
          &M::interval),
      key("metrics.warm_up", DurationKind{}, "totals begin at this time", metrics, &M::warm_up),
      key("metrics.until", DurationKind{},
          "measure at least until this time: a run that is quiescent earlier keeps its last state; "
          "0: the end of the run",
          metrics, &M::until),
      key("metrics.oracle", MaybeChoiceKind<core::Criterion>{"criterion"},
          "the leader that the oracle expects; `own`: by the algorithm's own criterion", metrics,
          &M::oracle),
  };
}

std::vector<Key> churn_keys() {
  constexpr auto in = &Scenario::changes;
  constexpr auto links = &ChangeSpec::links;
  constexpr auto crashes = &ChangeSpec::crashes;
  constexpr auto markov = &ChangeSpec::markov;
  return {
      key("churn.rate", AmountKind{}, "random link failures a second in the whole network", in,
          links, &LinkChurnSpec::rate),
      key("churn.down", DurationKind{}, "mean time that a link is down", in, links,
          &LinkChurnSpec::down),
      key("churn.from", DurationKind{}, "time of the first failure at the earliest", in, links,
          &LinkChurnSpec::from),
      key("churn.until", DurationKind{}, "time at which all links are up again; 0: stop.time", in,
          links, &LinkChurnSpec::until),
      key("crashes.rate", AmountKind{}, "random crashes a second in the whole network", in, crashes,
          &CrashChurnSpec::rate),
      key("crashes.leader_every", DurationKind{},
          "time between two crashes of the current leader; 0: none", in, crashes,
          &CrashChurnSpec::leader_every),
      key("crashes.down", DurationKind{}, "mean time that a node is down", in, crashes,
          &CrashChurnSpec::down),
      key("crashes.memory", FlagKind{}, "nodes restart with what they knew, not without memory", in,
          crashes, &CrashChurnSpec::memory),
      key("crashes.from", DurationKind{}, "time of the first crash at the earliest", in, crashes,
          &CrashChurnSpec::from),
      key("crashes.until", DurationKind{}, "time at which all nodes are up again; 0: stop.time", in,
          crashes, &CrashChurnSpec::until),
      key("markov.birth", ShareKind{}, "probability per period that an absent link appears", in,
          markov, &MarkovSpec::birth),
      key("markov.death", ShareKind{}, "probability per period that a present link disappears", in,
          markov, &MarkovSpec::death),
      key("markov.period", DurationKind{.positive = true}, "time between two rounds of such draws",
          in, markov, &MarkovSpec::period),
      key("markov.until", DurationKind{}, "time of the last draw at the latest; 0: stop.time", in,
          markov, &MarkovSpec::until),
  };
}

std::vector<Key> all_keys() {
  std::vector<Key> out;
  for (auto part : {general_keys(), network_keys(), mobility_keys(), channel_keys(), radio_keys(),
                    neighbour_keys(), run_keys(), churn_keys()})
    std::ranges::move(part, std::back_inserter(out));
  return out;
}

/// The keys of one table, without its name.
std::vector<std::string> leaves(std::string_view table) {
  std::vector<std::string> out;
  for (const Key& each : key_table())
    if (table_of(each.path) == table) out.emplace_back(leaf_of(each.path));
  return out;
}

std::vector<std::string> tables() {
  std::vector<std::string> out;
  for (const Key& each : key_table()) {
    const std::string table(table_of(each.path));
    if (!table.empty() && (out.empty() || out.back() != table)) out.push_back(table);
  }
  out.insert(out.end(), {"options", "change"});
  return out;
}

}  // namespace

const std::vector<Key>& key_table() {
  static const std::vector<Key> table = all_keys();
  return table;
}

const Key* find_key(std::string_view path) {
  const auto found = std::ranges::find(key_table(), path, &Key::path);
  return found == key_table().end() ? nullptr : &*found;
}

std::string_view table_of(std::string_view path) {
  const std::size_t dot = path.find('.');
  return dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
}

std::string_view leaf_of(std::string_view path) {
  const std::size_t dot = path.find('.');
  return dot == std::string_view::npos ? path : path.substr(dot + 1);
}

bool is_table(std::string_view name) {
  return !name.empty() && std::ranges::any_of(key_table(), [&](const Key& each) {
    return table_of(each.path) == name;
  });
}

std::string unknown_among(std::string_view what, std::string_view word,
                          const std::vector<std::string>& known) {
  std::string out = "unknown " + std::string(what) + "; ";
  if (const auto near = core::nearest(word, known)) return out + "did you mean \"" + *near + "\"?";
  out += "known are ";
  for (std::size_t i = 0; i < known.size(); ++i) out += (i ? ", " : "") + known[i];
  return out;
}

bool resembles_key(std::string_view path) {
  const auto& all = key_table();
  return std::any_of(all.begin(), all.end(),
                     [&](const Key& each) { return leaf_of(each.path) == leaf_of(path); }) ||
         core::nearest(leaf_of(path), leaves(table_of(path)));
}

std::string unknown_key(std::string_view path) {
  // The right word in the wrong table is the likeliest slip: all lines below a [table] are its.
  std::string elsewhere;
  for (const Key& each : key_table()) {
    if (leaf_of(each.path) != leaf_of(path)) continue;
    elsewhere += (elsewhere.empty() ? "\"" : " or \"") + each.path + '"';
    if (table_of(each.path).empty()) elsewhere += ", above the first [table]";
  }
  if (!elsewhere.empty()) return "unknown key; did you mean " + elsewhere + '?';
  return unknown_among("key", leaf_of(path), leaves(table_of(path)));
}

std::string unknown_table(std::string_view name) {
  return unknown_among("table", name, tables());
}

}  // namespace bellwether::scenario
