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
Key key(std::string path, Kind kind, std::string about, Member... member) {
  return {.path = std::move(path),
          .kind = kind.kind(),
          .about = std::move(about),
          .takes_text = std::same_as<Kind, Text>,
          .read =
              [=](Scenario& s, const Value& value) {
                auto& place = along(s, member...);
                place = static_cast<std::remove_reference_t<decltype(place)>>(kind.read(value));
              },
          .print = [=](const Scenario& s) { return kind.print(along(s, member...)); }};
}

std::vector<Key> general_keys() {
  using S = Scenario;
  return {
      key("name", Text{}, "what reports call the scenario", &S::name),
      key("about", Text{}, "one sentence: what it shows", &S::about),
      key("algorithm", Text{}, "who elects; `bellwether list` names all algorithms", &S::algorithm),
      key("seed", Whole{63}, "where every random draw begins: the same seed, the same run",
          &S::seed),
      key("properties", Names{}, "which properties of the algorithm are checked after each step",
          &S::properties),
      key("beyond_model", Flag{},
          "run it even where the algorithm's model does not hold, to see what happens",
          &S::beyond_model),
  };
}

std::vector<Key> network_keys() {
  using N = NetworkSpec;
  constexpr auto in = &Scenario::network;
  return {
      key("network.topology", Text{}, "the shape; `bellwether list` names all topologies", in,
          &N::topology),
      key("network.nodes", Whole{31}, "how many nodes; 0: not given", in, &N::nodes),
      key("network.one_way", Flag{}, "ring: messages go clockwise only", in, &N::one_way),
      key("network.rows", Whole{31}, "grid, torus; 0: not given", in, &N::rows),
      key("network.columns", Whole{31}, "grid, torus; 0: not given", in, &N::columns),
      key("network.branching", Whole{31}, "tree: children of a node", in, &N::branching),
      key("network.degree", Amount{},
          "erdos-renyi, geometric, edge-markovian: neighbours of a node on average", in,
          &N::degree),
      key("network.attach", Whole{31}, "barabasi-albert: links of a newcomer", in, &N::attach),
      key("network.near", Whole{31}, "watts-strogatz: neighbours in the lattice, an even number",
          in, &N::near),
      key("network.rewire", Share{}, "watts-strogatz: share of the links that are rewired", in,
          &N::rewire),
      key("network.file", Text{},
          "file: an edge list, GraphML, DIMACS or METIS; the path begins at the folder of the "
          "scenario",
          in, &N::file),
      key("network.ids",
          Word{"order of ids", {"ascending", "descending", "random", "bit-reversed"}},
          "how the ids 1, 2, ... are dealt to the nodes", in, &N::ids),
      key("network.names", NodeIds{},
          "the ids of the nodes, in their order, instead of network.ids", in, &N::names),
      key("network.anonymous", Flag{}, "nodes have no ids", in, &N::anonymous),
      key("network.towers", Whole{31}, "highway: how many of the nodes are towers along the road",
          in, &N::towers),
      key("network.spares", Whole{31},
          "nodes beyond these that are not there at the beginning; a restart brings them", in,
          &N::spares),
      key("network.servers", Whole{31}, "highway: how many of the nodes are wired to all towers",
          in, &N::servers),
  };
}

std::vector<Key> mobility_keys() {
  using M = MobilitySpec;
  constexpr auto in = &Scenario::mobility;
  return {
      key("mobility.model", Choice<world::MobilityModel>{"model"}, "how nodes move in the plane",
          in, &M::model),
      key("mobility.width", Amount{}, "of the area or the road, in metres; 0: not given", in,
          &M::width),
      key("mobility.height", Amount{}, "of the area, in metres; 0: not given", in, &M::height),
      key("mobility.speed_min", Amount{}, "the least speed, in metres a second", in, &M::speed_min),
      key("mobility.speed_max", Amount{}, "the most; speeds are evenly spread", in, &M::speed_max),
      key("mobility.pause", Span{}, "how long a node rests when it has arrived", in, &M::pause),
      key("mobility.leg", Choice<world::WalkLeg>{"end of a leg"},
          "random-walk: what ends a leg, leg_time or leg_distance", in, &M::leg),
      key("mobility.leg_time", Span{.positive = true}, "random-walk: how long a leg takes", in,
          &M::leg_time),
      key("mobility.leg_distance", Amount{}, "random-walk: how long a leg is, in metres", in,
          &M::leg_distance),
      key("mobility.flight_alpha", Amount{}, "levy-walk: exponent of the lengths, from 0.1 to 2",
          in, &M::flight_alpha),
      key("mobility.flight_min", Amount{}, "levy-walk: the shortest flight, in metres", in,
          &M::flight_min),
      key("mobility.flight_max", Amount{}, "levy-walk: the longest flight, in metres", in,
          &M::flight_max),
      key("mobility.flight_k", Amount{},
          "levy-walk: a flight of l metres takes k * l^(1-rho) seconds", in, &M::flight_k),
      key("mobility.flight_rho", Share{}, "levy-walk: the rho of that", in, &M::flight_rho),
      key("mobility.pause_beta", Amount{}, "levy-walk: exponent of the pauses, from 0.1 to 2", in,
          &M::pause_beta),
      key("mobility.pause_min", Span{}, "levy-walk: the shortest pause", in, &M::pause_min),
      key("mobility.pause_max", Span{}, "levy-walk: the longest pause", in, &M::pause_max),
      key("mobility.spacing", Amount{}, "point-of-interest: distance of the circles, in metres", in,
          &M::spacing),
      key("mobility.memory", Share{}, "gauss-markov: from 0, all is chance, to 1, no change", in,
          &M::memory),
      key("mobility.mean_speed", Amount{}, "gauss-markov: 0: the middle of speed_min and speed_max",
          in, &M::mean_speed),
      key("mobility.speed_deviation", Amount{}, "gauss-markov: of the speed, in metres a second",
          in, &M::speed_deviation),
      key("mobility.direction_deviation", Amount{}, "gauss-markov: of the direction, in radians",
          in, &M::direction_deviation),
      key("mobility.update", Span{.positive = true}, "gauss-markov: time between two changes", in,
          &M::update),
      key("mobility.margin", Amount{},
          "gauss-markov: this near to the border nodes turn back; 0: a tenth of the shorter side",
          in, &M::margin),
      key("mobility.group_size", Whole{31}, "group: members of a group", in, &M::group_size),
      key("mobility.group_radius", Amount{}, "group: how far from its middle they go, in metres",
          in, &M::group_radius),
      key("mobility.lanes", Whole{31}, "highway: lanes in each direction", in, &M::lanes),
      key("mobility.file", Text{},
          "trace: a BonnMotion or ns-2 file; the path begins at the folder of the scenario", in,
          &M::file),
  };
}

std::vector<Key> channel_keys() {
  using C = ChannelSpec;
  constexpr auto in = &Scenario::channel;
  return {
      key("channel.order", Choice<world::Order>{"order"}, "whether messages overtake each other",
          in, &C::order),
      key("channel.loss", Share{}, "share of the messages that vanish", in, &C::loss),
      key("channel.duplicate", Share{}, "share of the messages that arrive twice", in,
          &C::duplicate),
      key("channel.delay", Choice<world::Delay>{"delay"}, "how the time of a message is drawn", in,
          &C::delay),
      key("channel.mean", Span{}, "delay constant, exponential, poisson: the mean", in, &C::mean),
      key("channel.min", Span{}, "delay uniform: the shortest", in, &C::min),
      key("channel.max", Span{}, "delay uniform, adversarial: the longest", in, &C::max),
      key("channel.unit", Span{.positive = true},
          "delay poisson: every delay is a multiple of this", in, &C::unit),
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
      key("radio.model", Choice<world::RadioModel>{"radio model"},
          "how messages travel; `bellwether list` names all models", in, &R::model),
      key("radio.range", Amount{}, "how far a radio reaches, in metres; 0: not given", in,
          &R::range),
      key("radio.delay", Choice<world::Delay>{"delay"},
          "ideal, lossy: how the time of a message is drawn", in, &R::delay),
      key("radio.mean", Span{}, "delay constant, exponential, poisson: the mean", in, &R::mean),
      key("radio.min", Span{}, "delay uniform: the shortest", in, &R::min),
      key("radio.max", Span{}, "delay uniform, adversarial: the longest", in, &R::max),
      key("radio.unit", Span{.positive = true}, "delay poisson: every delay is a multiple of this",
          in, &R::unit),
      key("radio.loss", Share{}, "lossy: share of the messages that vanish, each on its own", in,
          &R::loss),
      key("radio.burst_good", Span{.positive = true},
          "lossy: how long a link is good on average, between two bursts of losses", in, burst,
          &B::good),
      key("radio.burst_bad", Span{}, "lossy: how long a burst lasts on average; 0: no bursts", in,
          burst, &B::bad),
      key("radio.burst_loss_good", Share{}, "share of the messages that vanish between bursts", in,
          burst, &B::loss_good),
      key("radio.burst_loss_bad", Share{}, "share of the messages that vanish in a burst", in,
          burst, &B::loss_bad),
      key("radio.rate", Amount{}, "csma: bits a second", in, csma, &C::rate),
      key("radio.preamble", Span{}, "csma: preamble and header of a frame", in, csma, &C::preamble),
      key("radio.overhead", Whole{16}, "csma: bytes of a frame around its payload", in, csma,
          &C::overhead),
      key("radio.slot", Span{.positive = true}, "csma: a slot of a backoff", in, csma, &C::slot),
      key("radio.sifs", Span{}, "csma: a node listens for sifs + aifsn * slot before it sends", in,
          csma, &C::sifs),
      key("radio.aifsn", Whole{8}, "csma: see radio.sifs", in, csma, &C::aifsn),
      key("radio.cw", Whole{16}, "csma: a backoff is drawn from 0 to this many slots", in, csma,
          &C::cw),
      key("radio.capture", Share{}, "csma: how often the first one of frames that overlap survives",
          in, csma, &C::capture),
      key("radio.symbol", Span{}, "csma: length of a symbol of OFDM; 0: bits come one by one", in,
          csma, &C::symbol),
      key("radio.aligned", Flag{},
          "csma: whoever finds the medium free waits for the next slot, as with 802.11e", in, csma,
          &C::aligned),
      key("radio.reach", Choice<world::Reach>{"reach"},
          "ns-3: how the strength of a signal falls with the distance", in, &R::reach),
      key("radio.mtu", Whole{16},
          "csma, and wherever neighbours send probes: the largest payload of a frame in bytes; "
          "what is longer is split",
          in, &R::mtu),
      key("radio.power_idle", Amount{}, "watts of a radio that hears nothing", in, power, &P::idle),
      key("radio.power_busy", Amount{}, "watts while it hears what it cannot read", in, power,
          &P::busy),
      key("radio.power_rx", Amount{}, "watts while it receives", in, power, &P::rx),
      key("radio.power_tx", Amount{}, "watts while it sends", in, power, &P::tx),
      key("radio.power_sleep", Amount{}, "watts while it is off", in, power, &P::sleep),
  };
}

std::vector<Key> run_keys() {
  using S = Scenario;
  return {
      key("notify.min", Span{}, "shortest time until an end of a link learns of its change",
          &S::notify, &NotifySpec::min),
      key("notify.max", Span{}, "longest such time; drawn for each end on its own", &S::notify,
          &NotifySpec::max),
      key("start.initiators", Count{}, "how many nodes begin an election, drawn by lot", &S::start,
          &StartSpec::initiators),
      key("start.nodes", NodeIds{}, "exactly these begin, instead of start.initiators", &S::start,
          &StartSpec::nodes),
      key("start.window", Span{}, "each initiator begins within this time, evenly spread",
          &S::start, &StartSpec::window),
      key("clock.skew", Span{}, "how far the clock of a node may be off", &S::clock_skew),
      key("rounds.duration", Span{.positive = true},
          "synchronous algorithms: how long a round takes", &S::rounds, &RoundsSpec::duration),
      key("rounds.synchronizer", Choice<core::Synchronizer>{"synchronizer"},
          "plays the rounds with messages that take the time of the channel; none: with a common "
          "clock",
          &S::rounds, &RoundsSpec::synchronizer),
      key("rounds.pulses", Whole{32},
          "synchronizers: how many rounds are played; 0: as many as without a synchronizer",
          &S::rounds, &RoundsSpec::pulses),
      key("rounds.growth", Whole{16},
          "gamma: a cluster grows while each layer makes it so many times as large", &S::rounds,
          &RoundsSpec::growth),
      key("stop.time", Span{.positive = true}, "the run ends here at the latest", &S::stop,
          &StopSpec::time),
      key("stop.events", Whole{63}, "the run ends after so many events; 0: no limit", &S::stop,
          &StopSpec::events),
  };
}

std::vector<Key> neighbour_keys() {
  using N = NeighbourSpec;
  using M = MetricsSpec;
  constexpr auto in = &Scenario::neighbours;
  constexpr auto metrics = &Scenario::metrics;
  return {
      key("neighbours.detect", Choice<Detect>{"way to detect neighbours"},
          "`told`: nodes are told of links; `probes`: they conclude from what they hear", in,
          &N::detect),
      key("neighbours.period", Span{.positive = true}, "probes: time between two of a node", in,
          &N::period),
      key("neighbours.timeout", Span{.positive = true},
          "probes: silence after which a neighbour is lost", in, &N::timeout),
      key("neighbours.jitter", Span{}, "probes: how far one may be early or late", in, &N::jitter),
      key("neighbours.reliable", Flag{},
          "a layer that numbers, acknowledges and repeats makes links ordered and reliable", in,
          &N::reliable),
      key("neighbours.retry", Span{.positive = true},
          "reliable: time without acknowledgement before a message is repeated", in, &N::retry),
      key("neighbours.stack", Choice<LayerStack>{"stack"},
          "layers around the election; `chosen`: those of detect and reliable; `deployed`: those "
          "of `bellwether node`, with the options that it sets",
          in, &N::stack),
      key("metrics.on", Choice<Measure>{"choice"},
          "what is measured over time; `auto`: in networks that move, up to 2000 nodes", metrics,
          &M::on),
      key("metrics.interval", Span{}, "one row of the time series; 0: a hundredth of stop.time",
          metrics, &M::interval),
      key("metrics.warm_up", Span{}, "totals count from here", metrics, &M::warm_up),
      key("metrics.until", Span{},
          "measure at least until then: a run that is quiescent before keeps its last state; "
          "0: the end of the run",
          metrics, &M::until),
      key("metrics.oracle", MaybeChoice<core::Criterion>{"criterion"},
          "whom the oracle names; `own`: whom the algorithm means to elect", metrics, &M::oracle),
  };
}

std::vector<Key> churn_keys() {
  constexpr auto in = &Scenario::changes;
  constexpr auto links = &ChangeSpec::links;
  constexpr auto crashes = &ChangeSpec::crashes;
  constexpr auto markov = &ChangeSpec::markov;
  return {
      key("churn.rate", Amount{}, "random link failures a second in the whole network", in, links,
          &LinkChurnSpec::rate),
      key("churn.down", Span{}, "how long a link is down on average", in, links,
          &LinkChurnSpec::down),
      key("churn.from", Span{}, "no failure before", in, links, &LinkChurnSpec::from),
      key("churn.until", Span{}, "all links are up again by then; 0: stop.time", in, links,
          &LinkChurnSpec::until),
      key("crashes.rate", Amount{}, "random crashes a second in the whole network", in, crashes,
          &CrashChurnSpec::rate),
      key("crashes.leader_every", Span{}, "time between two crashes of whoever leads; 0: none", in,
          crashes, &CrashChurnSpec::leader_every),
      key("crashes.down", Span{}, "how long a node is away on average", in, crashes,
          &CrashChurnSpec::down),
      key("crashes.memory", Flag{}, "nodes come back with what they knew, not as newborns", in,
          crashes, &CrashChurnSpec::memory),
      key("crashes.from", Span{}, "no crash before", in, crashes, &CrashChurnSpec::from),
      key("crashes.until", Span{}, "all nodes are back by then; 0: stop.time", in, crashes,
          &CrashChurnSpec::until),
      key("markov.birth", Share{}, "probability per period that an absent link appears", in, markov,
          &MarkovSpec::birth),
      key("markov.death", Share{}, "probability per period that a present link disappears", in,
          markov, &MarkovSpec::death),
      key("markov.period", Span{.positive = true}, "time between two rounds of such draws", in,
          markov, &MarkovSpec::period),
      key("markov.until", Span{}, "no draw after; 0: stop.time", in, markov, &MarkovSpec::until),
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
