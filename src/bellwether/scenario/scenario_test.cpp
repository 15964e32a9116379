// SPDX-License-Identifier: MIT
#include "bellwether/scenario/scenario.hpp"

#include <gtest/gtest.h>

#include <set>

#include "bellwether/core/prng.hpp"
#include "bellwether/core/problem.hpp"

namespace bellwether::scenario {
namespace {

using core::Prng;
using namespace std::chrono_literals;

Scenario parsed(const std::string& toml) {
  return parse_scenario(toml, "x.toml");
}

TEST(Parse, AnEmptyFileIsAllDefaults) {
  Scenario expected;
  EXPECT_EQ(parsed(""), expected);
  EXPECT_EQ(expected.algorithm, "height");
  EXPECT_EQ(expected.stop.time, 1h);
  EXPECT_TRUE(parsed("").where.empty());
}

TEST(Parse, EveryTableReachesItsPlace) {
  const Scenario s = parsed(R"(
name = "all"
about = "a \"quoted\" sentence"
algorithm = "bully"
seed = 9223372036854775807
properties = ["A", "theorem-1"]
network = { topology = "grid", rows = 2, columns = 3, degree = 5, rewire = 1, ids = "random" }
mobility = { model = "levy-walk", width = 900, height = 600.5, pause_min = "5s", flight_rho = 0.89 }
channel = { order = "unordered", loss = 0.5, duplicate = 1, delay = "uniform", min = "2 ms" }
radio = { model = "lossy", range = 60, delay = "uniform", max = "9 ms", rate = 6e6, cw = 31 }
neighbours = { period = "1 s", timeout = "3 s", jitter = "2 ms", reliable = true }
metrics = { on = "off", interval = "5 s", warm_up = "9 s", until = "10 s", oracle = "degree" }
notify.max = "20 ms"
start = { initiators = 4, window = "50ms" }
clock = { skew = "1 us", jumps = true }
rounds.duration = "2 ms"
stop = { time = "1 min", events = 1_000 }
churn = { rate = 5, down = "500 ms", from = "1 s", until = "20 s" }
crashes = { rate = 0.5, memory = true }
)");
  // Links that appear by lot do not go with places.
  const Scenario by_lot = parsed("markov = { birth = 0.25, death = 1, period = \"1 s\" }");
  EXPECT_EQ(s.about, "a \"quoted\" sentence");
  EXPECT_EQ(s.seed, 9223372036854775807u);
  EXPECT_EQ(s.properties, (std::vector<std::string>{"A", "theorem-1"}));
  EXPECT_EQ(s.network.rows, 2u);
  EXPECT_EQ(s.network.degree, 5.0);
  EXPECT_EQ(s.network.ids, "random");
  EXPECT_EQ(s.mobility.model, world::MobilityModel::levy_walk);
  EXPECT_EQ(s.mobility.width, 900.0);
  EXPECT_EQ(s.mobility.height, 600.5);
  EXPECT_EQ(s.mobility.pause_min, 5s);
  EXPECT_EQ(s.mobility.flight_rho, 0.89);
  EXPECT_EQ(s.channel.order, world::Order::unordered);
  EXPECT_EQ(s.channel.min, 2ms);
  world::RadioSpec radio;
  radio.model = world::RadioModel::lossy;
  radio.range = 60;
  radio.delay = world::Delay::uniform;
  radio.max = 9ms;
  radio.csma.rate = 6e6;
  radio.csma.cw = 31;
  EXPECT_EQ(s.radio, radio);
  EXPECT_EQ(s.neighbours, (NeighbourSpec{Detect::told, 1s, 3s, 2ms, true, 100ms}));
  EXPECT_EQ(s.metrics, (MetricsSpec{MetricsMode::off, 5s, 9s, 10s, core::Criterion::degree}));
  EXPECT_EQ(s.notify.max, 20ms);
  EXPECT_EQ(s.start.initiators, 4u);
  EXPECT_EQ(s.clock_skew, 1us);
  EXPECT_TRUE(s.clock_jumps);
  EXPECT_EQ(s.rounds.duration, 2ms);
  EXPECT_EQ(s.stop.time, 60s);
  EXPECT_EQ(s.stop.events, 1000u);
  EXPECT_EQ(s.changes.links, (world::LinkChurnSpec{5, 500ms, 1s, 20s}));
  EXPECT_EQ(s.changes.crashes, (world::CrashChurnSpec{0.5, 1s, true, 0s, 0s}));
  EXPECT_EQ(by_lot.changes.markov, (world::MarkovSpec{0.25, 1, 1s, 0s}));
}

TEST(Parse, PropertiesAreAllNoneOrNamed) {
  const auto properties = [](const std::string& value) {
    return parsed("properties = " + value).properties;
  };
  EXPECT_EQ(properties("\"all\""), std::vector<std::string>{"all"});
  EXPECT_EQ(properties("\"none\""), std::vector<std::string>{});
  EXPECT_EQ(properties("[]"), std::vector<std::string>{});
  EXPECT_EQ(properties("\"A\""), std::vector<std::string>{"A"});
}

TEST(Parse, WhoStarts) {
  EXPECT_EQ(parsed("start.initiators = \"all\"").start.initiators, 0u);
  EXPECT_EQ(parsed("start.nodes = [3, 1]").start.nodes, (std::vector{NodeId{3}, NodeId{1}}));
}

TEST(Parse, OptionsAreKeptAsTextWithTheirPlace) {
  const Scenario s = parsed(
      "[options]\nclock = \"logical\"\nwait = \"5 ms\"\nn = 0x10\n"
      "share = 5.0\nfast = true\n");
  EXPECT_EQ(s.options.at("clock").text, "logical");
  EXPECT_EQ(s.options.at("clock").where.text(), "x.toml:2");
  EXPECT_EQ(s.options.at("wait").text, "5 ms");
  EXPECT_EQ(s.options.at("n").text, "16");
  EXPECT_EQ(s.options.at("share").text, "5.0");
  EXPECT_EQ(s.options.at("fast").text, "true");
  EXPECT_EQ(s.where.at("options.fast").text(), "x.toml:6");
}

TEST(Parse, ChangesAreAScript) {
  using enum world::ChangeKind;
  const Scenario s = parsed(R"([[change]]
at = "5 s"
cut = [[3, 4], [5, 6]]
[[change]]
at = "6 s"
join = [3, 4]
[[change]]
at = "7 s"
crash = 5
[[change]]
at = "8 s"
restart = [5, 6]
memory = true
[[change]]
at = "9 s"
partition = [[1, 2, 3], [4, 5]]
[[change]]
at = 0
heal = true
)");
  const auto id = [](std::uint64_t n) { return NodeId{n}; };
  const std::vector<world::ScriptedChange> script{
      {5s, link_down, id(3), id(4), false}, {5s, link_down, id(5), id(6), false},
      {6s, link_up, id(3), id(4), false},   {7s, crash, id(5), id(0), false},
      {8s, restart, id(5), id(0), true},    {8s, restart, id(6), id(0), true}};
  EXPECT_EQ(s.changes.script, script);
  const std::vector<world::ScriptedPartition> partitions{
      {9s, false, {{id(1), id(2), id(3)}, {id(4), id(5)}}}, {0s, true, {}}};
  EXPECT_EQ(s.changes.partitions, partitions);
  EXPECT_EQ(s.where.at("change").text(), "x.toml:1");
  EXPECT_EQ(s.where.at("change[2]").text(), "x.toml:4");
  EXPECT_EQ(s.where.at("change[6]").text(), "x.toml:17");
}

TEST(ProblemAt, NamesThePlaceOfTheKey) {
  Scenario s = parse_scenario("seed = 1\n\n[network]\nnodes = 8\n", "a/ring.toml");
  EXPECT_EQ(s.folder, "a");
  EXPECT_STREQ(problem_at(s, "seed", "no").what(), "a/ring.toml:1: seed: no");
  EXPECT_STREQ(problem_at(s, "network.nodes", "no").what(), "a/ring.toml:4: network.nodes: no");
  EXPECT_STREQ(problem_at(s, "network.rows", "no").what(), "a/ring.toml: network.rows: no");
  set_key(s, "network.nodes=9");
  EXPECT_STREQ(problem_at(s, "network.nodes", "no").what(), "--set: network.nodes: no");
}

TEST(SetKey, ReadsTomlOrBareText) {
  Scenario s;
  for (const char* each :
       {"network.nodes=100", "seed = 7", "options.clock=perfect", "options.n=0x10",
        "options.wait=5 ms", "options.far=[3,2]", "properties=all", "network.topology=grid",
        "name=7", "about=\"in quotes\"", "channel.delay=uniform", "channel.min= 2 ms",
        "stop.time=1 min", "channel.loss=1", "start.nodes=[1, 2]", "network.one_way=true"})
    set_key(s, each);
  validate(s);
  EXPECT_EQ(s.network.nodes, 100u);
  EXPECT_EQ(s.seed, 7u);
  EXPECT_EQ(s.options.at("clock").text, "perfect");
  EXPECT_EQ(s.options.at("clock").where.text(), "--set");
  EXPECT_EQ(s.options.at("far").text, "[3, 2]");
  EXPECT_EQ(s.options.at("n").text, "16");
  EXPECT_EQ(s.options.at("wait").text, "5 ms");
  EXPECT_EQ(s.properties, std::vector<std::string>{"all"});
  EXPECT_EQ(s.network.topology, "grid");
  EXPECT_EQ(s.name, "7");
  EXPECT_EQ(s.about, "in quotes");
  EXPECT_EQ(s.channel.delay, world::Delay::uniform);
  EXPECT_EQ(s.channel.min, 2ms);
  EXPECT_EQ(s.stop.time, 60s);
  EXPECT_EQ(s.channel.loss, 1);
  EXPECT_EQ(s.start.nodes.size(), 2u);
  EXPECT_TRUE(s.network.one_way);
  EXPECT_EQ(s.where.at("network.nodes").text(), "--set");
  EXPECT_EQ(s.where.at("options.clock").text(), "--set");
}

TEST(SetKey, TheCommandLineReplacesWhoStartsInTheFile) {
  Scenario s = parsed("start.initiators = 5");
  set_key(s, "start.nodes=[]");
  EXPECT_EQ(s.start.initiators, 5u);
  set_key(s, "start.nodes=[1]");
  validate(s);
  EXPECT_EQ(s.start.initiators, 0u);
  set_key(s, "start.initiators=all");  // twice on the command line is a contradiction
  EXPECT_THROW(validate(s), core::Problem);
  s = parsed("start.nodes = [1]");
  set_key(s, "start.initiators=all");
  validate(s);
  EXPECT_TRUE(s.start.nodes.empty());
}

TEST(Effective, UntilNeverLiesAfterTheEnd) {
  Scenario s = parsed("stop.time = \"10 s\"\nchurn.until = \"4 s\"\ncrashes.until = \"20 s\"\n");
  EXPECT_EQ(s.changes.markov.until, 0s);
  const world::ChangeSpec changes = effective_changes(s);
  EXPECT_EQ(changes.links.until, 4s);
  EXPECT_EQ(changes.crashes.until, 10s);
  EXPECT_EQ(changes.markov.until, 10s);
}

TEST(Effective, TheFileOfTheNetworkBeginsAtTheFolder) {
  const std::string toml = "network.file = \"g.edges\"";
  EXPECT_EQ(effective_network(parse_scenario(toml, "a/b/x.toml")).file, "a/b/g.edges");
  EXPECT_EQ(effective_network(parse_scenario(toml, "x.toml")).file, "g.edges");
  EXPECT_EQ(effective_network(parse_scenario("network.file = \"/g\"", "a/x.toml")).file, "/g");
  EXPECT_EQ(effective_network(parse_scenario("", "a/x.toml")).file, "");
}

TEST(Effective, TheTraceBeginsAtTheFolder) {
  const std::string toml =
      "radio.range = 9\nmobility = { model = \"trace\", file = \"walk.movements\" }";
  EXPECT_EQ(effective_mobility(parse_scenario(toml, "a/b/x.toml")).file, "a/b/walk.movements");
  EXPECT_EQ(effective_mobility(parse_scenario(toml, "x.toml")).file, "walk.movements");
  EXPECT_EQ(effective_mobility(parse_scenario("", "a/x.toml")).file, "");
}

// Random scenarios.

Duration some_duration(Prng& prng) {
  return Duration{static_cast<std::int64_t>(prng.below(std::uint64_t{1} << prng.below(50)))};
}

std::string some_text(Prng& prng) {
  static const std::vector<std::string> pieces{"a",  "Z",    "\"", "\\", "\n", "\t", "\x7F", "\x01",
                                               "\r", "true", "5",  ".0", " ",  "#",  "=",    "é"};
  std::string out;
  for (auto n = prng.below(5); n > 0; --n) out += pieces[prng.below(pieces.size())];
  return out;
}

std::vector<NodeId> some_nodes(Prng& prng, std::uint64_t least) {
  std::set<NodeId> out;
  for (auto n = prng.below(4) + least; n > 0; --n) out.insert(NodeId{1 + (prng.next() >> 2)});
  return {out.begin(), out.end()};
}

world::ChangeSpec some_changes(Prng& prng) {
  world::ChangeSpec out;
  for (auto n = prng.below(6); n > 0; --n) {
    world::ScriptedChange c{prng.below(3) * 1s, static_cast<world::ChangeKind>(prng.below(4)),
                            NodeId{1 + prng.below(9)}, NodeId{}, false};
    if (c.kind <= world::ChangeKind::link_down) c.b = NodeId{10 + prng.below(9)};
    if (c.kind == world::ChangeKind::restart) c.memory = prng.below(2) == 1;
    out.script.push_back(c);
  }
  for (auto n = prng.below(4); n > 0; --n) {
    world::ScriptedPartition p{prng.below(3) * 1s, prng.below(2) == 1, {}};
    if (!p.heal) p.groups.push_back(some_nodes(prng, 1));
    out.partitions.push_back(p);
  }
  out.links = {prng.unit() * 100, some_duration(prng), 0s, some_duration(prng)};
  out.crashes = {prng.unit(), some_duration(prng), prng.below(2) == 1, 0s, some_duration(prng)};
  out.markov = {prng.unit(), prng.unit(), 1ns + some_duration(prng), some_duration(prng)};
  return out;
}

world::RadioSpec some_radio(Prng& prng) {
  const auto small = [&] { return static_cast<std::uint32_t>(prng.below(256)); };
  world::RadioSpec out;
  out.model = static_cast<world::RadioModel>(1 + prng.below(2));  // an ideal one loses nothing
  out.range = prng.unit() * 100;
  out.delay = static_cast<world::Delay>(prng.below(5));
  out.mean = some_duration(prng);
  out.min = 0s;
  out.max = some_duration(prng);
  out.unit = 1ns + some_duration(prng);
  out.loss = prng.unit();
  out.burst = {1ns + some_duration(prng), 1ns + some_duration(prng), prng.unit(), prng.unit()};
  out.csma = {1 + prng.unit() * 1e9,
              some_duration(prng),
              small(),
              1ns + some_duration(prng),
              some_duration(prng),
              small(),
              small(),
              some_duration(prng),
              prng.unit(),
              prng.below(2) == 1};
  out.reach = static_cast<world::Reach>(prng.below(3));
  out.mtu = 64 + small();
  out.power = {prng.unit(), prng.unit(), prng.unit(), prng.unit(), prng.unit()};
  return out;
}

world::MobilitySpec some_mobility(Prng& prng) {
  world::MobilitySpec out;
  out.model = static_cast<world::MobilityModel>(prng.below(10));
  out.width = 200 + 1000 * prng.unit();
  out.height = 200 + 1000 * prng.unit();
  out.speed_min = 3 * prng.unit();
  out.speed_max = 3 + 9 * prng.unit();
  out.pause = some_duration(prng);
  out.leg = static_cast<world::WalkLeg>(prng.below(2));
  out.leg_time = 1ns + some_duration(prng);
  out.leg_distance = 1 + 90 * prng.unit();
  out.flight_alpha = 0.1 + prng.unit();
  out.flight_min = 1 + prng.unit();
  out.flight_max = 2 + 90 * prng.unit();
  out.flight_k = 1 + prng.unit();
  out.flight_rho = prng.unit();
  out.pause_beta = 0.1 + prng.unit();
  out.pause_min = some_duration(prng);
  out.pause_max = out.pause_min + some_duration(prng);
  out.spacing = 9 * prng.unit();
  out.memory = prng.unit();
  out.mean_speed = prng.unit();
  out.speed_deviation = prng.unit();
  out.direction_deviation = prng.unit();
  out.update = 1ns + some_duration(prng);
  out.margin = 9 * prng.unit();
  out.group_size = static_cast<core::NodeIndex>(1 + prng.below(9));
  out.group_radius = 90 * prng.unit();
  out.lanes = static_cast<core::NodeIndex>(1 + prng.below(9));
  out.file = "f" + some_text(prng);
  return out;
}

/// Where nodes move, their positions decide the links, and a shared medium notifies no node.
void settle_contradictions(Scenario& s) {
  const auto& [script, partitions, moves, links, crashes, markov] = s.changes;
  if (!script.empty() || !partitions.empty() || markov.birth > 0 || markov.death > 0)
    s.mobility.model = world::MobilityModel::none;
  if (links.rate > 0 && s.network.topology == "radio") s.network.topology = "ring";
  s.radio.range += 1;
  if (s.radio.model == world::RadioModel::csma) {
    s.radio.loss = 0;
    s.radio.burst = {};
  }
  if (s.start.nodes.empty() && s.start.initiators == 0) s.neighbours.detect = Detect::probes;
  s.neighbours.timeout += s.neighbours.period;
  if (s.neighbours.deployed() && s.neighbours.detect == Detect::told)
    s.neighbours.stack = LayerStack::chosen;
  if (s.neighbours.deployed()) s.neighbours.reliable = false;
  if (s.neighbours.deployed()) s.neighbours.jitter = {};
  if (s.neighbours.detect == Detect::told && s.mobility.model != world::MobilityModel::none)
    s.radio.model = world::RadioModel::lossy;
}

Scenario some_scenario(Prng& prng) {
  const auto index = [&] { return static_cast<core::NodeIndex>(prng.next() >> 33); };
  const auto flag = [&] { return prng.below(2) == 1; };
  Scenario s;
  s.name = some_text(prng);
  s.about = some_text(prng);
  s.algorithm = some_text(prng);
  s.seed = prng.next() >> 1;
  if (flag()) s.properties = flag() ? std::vector<std::string>{"all"} : std::vector{s.name, s.name};
  s.network = {some_text(prng),
               index(),
               flag(),
               index(),
               index(),
               index(),
               prng.unit() * 9,
               index(),
               index(),
               prng.unit(),
               some_text(prng),
               flag() ? "random" : "descending",
               {},
               flag(),
               index(),
               index(),
               index()};
  s.mobility = some_mobility(prng);
  s.channel = {static_cast<world::Order>(prng.below(2)),
               prng.unit(),
               prng.unit(),
               static_cast<world::Delay>(prng.below(5)),
               some_duration(prng),
               0s,
               some_duration(prng),
               1ns + some_duration(prng)};
  s.radio = some_radio(prng);
  s.changes = some_changes(prng);
  flag() ? void(s.start.nodes = some_nodes(prng, 0)) : void(s.start.initiators = prng.below(9));
  // A script, and start.nodes, name nodes: those of an anonymous network have no names.
  if (!s.changes.script.empty() || !s.changes.partitions.empty() || !s.start.nodes.empty())
    s.network.anonymous = false;
  s.start.window = some_duration(prng);
  s.notify.max = some_duration(prng);
  s.stop = {1ns + some_duration(prng), prng.next() >> 1};
  s.clock_skew = some_duration(prng);
  s.clock_jumps = flag();
  s.rounds = {1ns + some_duration(prng), static_cast<core::Synchronizer>(prng.below(6)),
              static_cast<std::uint32_t>(prng.below(99)),
              static_cast<std::uint32_t>(prng.below(9))};
  s.beyond_model = flag();
  s.neighbours = {Detect::told,
                  1s + some_duration(prng),
                  1ns + some_duration(prng),
                  prng.below(9) * 1ms,
                  flag(),
                  1ns + some_duration(prng),
                  static_cast<LayerStack>(prng.below(2))};
  const Duration until = std::min(s.stop.time, some_duration(prng));
  s.metrics = {static_cast<MetricsMode>(prng.below(3)), some_duration(prng), until, until, {}};
  if (flag()) s.metrics.oracle = static_cast<core::Criterion>(prng.below(5));
  settle_contradictions(s);
  if (moves(s))
    for (auto n = prng.below(3); n > 0; --n) {
      s.network.anonymous = false;
      s.changes.moves.push_back(
          {some_duration(prng), NodeId{prng.below(99)}, {9 * prng.unit() - 4, prng.unit()}, {}});
    }
  for (auto n = prng.below(4); n > 0; --n) s.options[some_text(prng)] = {some_text(prng), ""};
  return s;
}

TEST(Print, ReadsBackAsTheSameScenario) {
  Prng prng(1);
  for (int i = 0; i < 400; ++i) {
    const Scenario s = some_scenario(prng);
    const std::string printed = print_scenario(s);
    ASSERT_NO_THROW(ASSERT_EQ(parsed(printed), s) << printed) << printed;
    ASSERT_EQ(print_scenario(parsed(printed)), printed);
  }
}

TEST(Print, OptionsKeepTheirText) {
  Scenario s;
  for (const char* text : {"5", "5.0", "05", "1e3", "true", "True", "logical", "inf", "-1", "[1]",
                           "1979-05-27", "\"", "", "250 ms", "0x10", "1e+300"})
    s.options[text] = {text, ""};
  EXPECT_EQ(parsed(print_scenario(s)), s);
  s.options = {{"a", {"5", ""}}, {"b", {"logical", ""}}};
  EXPECT_TRUE(print_scenario(s).ends_with("\n[options]\na = 5\nb = \"logical\"\n"));
}

TEST(Print, NamesEveryKey) {
  const std::string printed = '\n' + print_scenario(Scenario{});
  for (const KeyFact& fact : keys()) {
    if (fact.key.starts_with("change.")) continue;
    const std::string leaf = fact.key.substr(fact.key.find('.') + 1);
    EXPECT_NE(printed.find('\n' + leaf + " = " + fact.default_text), std::string::npos) << fact.key;
  }
}

}  // namespace
}  // namespace bellwether::scenario
