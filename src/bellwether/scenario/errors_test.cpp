// SPDX-License-Identifier: MIT
// Every complaint, word for word: its place, its key, what is wrong and what to write instead.
#include <gtest/gtest.h>

#include "bellwether/core/problem.hpp"
#include "bellwether/scenario/scenario.hpp"

namespace bellwether::scenario {
namespace {

using namespace std::chrono_literals;

Scenario parsed(const std::string& toml) {
  return parse_scenario(toml, "x.toml");
}

std::string complaint(const std::string& toml) {
  try {
    parsed(toml);
  } catch (const core::Problem& bad) {
    return bad.what();
  }
  return "no complaint";
}

std::string set_complaint(const std::string& assignment) {
  Scenario s;
  try {
    set_key(s, assignment);
    validate(s);
  } catch (const core::Problem& bad) {
    EXPECT_EQ(s, Scenario{}) << "a refused assignment changes nothing: " << assignment;
    return bad.what();
  }
  return "no complaint";
}

struct Case {
  std::string toml;
  std::string sentence;
};

void expect_sentences(const std::vector<Case>& cases) {
  for (const auto& [toml, sentence] : cases) EXPECT_EQ(complaint(toml), sentence) << toml;
}

TEST(Errors, SyntaxAndFiles) {
  expect_sentences({
      {"seed = 1\nname = \n",
       "x.toml:2:8: error while parsing key-value pair: expected value, saw '\\n'"},
      {"seed = 1\nseed = 2\n",
       "x.toml:2:8: error while parsing key-value pair: cannot redefine existing integer 'seed'"},
      {"[network]\ntopology = ring\n",
       "x.toml:2:12: error while parsing value: could not determine value type; put text and "
       "durations in quotes"},
      {"[stop]\ntime = 5 s\n",
       "x.toml:2:10: error while parsing key-value pair: expected a comment or whitespace, saw "
       "'s'; put text and durations in quotes"},
  });
  const auto says = [](const std::filesystem::path& path) -> std::string {
    try {
      read_scenario(path);
    } catch (const core::Problem& bad) {
      return bad.what();
    }
    return "no complaint";
  };
  EXPECT_EQ(says("/nowhere/at-all.toml"), "/nowhere/at-all.toml: there is no such file");
  EXPECT_EQ(says("/tmp"), "/tmp: is a folder; name a file in it");
}

TEST(Errors, UnknownKeysAndTables) {
  expect_sentences({
      {"[network]\nnods = 8\n", "x.toml:2: network.nods: unknown key; did you mean \"nodes\"?"},
      {"sede = 8\n", "x.toml:1: sede: unknown key; did you mean \"seed\"?"},
      {"[stop]\nwhatever = 8\n", "x.toml:2: stop.whatever: unknown key; known are time, events"},
      {"nodes = 8\n",
       "x.toml:1: nodes: unknown key; did you mean \"network.nodes\" or \"start.nodes\"?"},
      {"[network]\nseed = 8\n",
       "x.toml:2: network.seed: unknown key; did you mean \"seed\", above the first [table]?"},
      {"[stop]\nmin = \"1 s\"\n",
       "x.toml:2: stop.min: unknown key; did you mean \"channel.min\" or \"radio.min\" or "
       "\"notify.min\"?"},
      {"\n[netwrk]\nnodes = 8\n", "x.toml:2: netwrk: unknown table; did you mean \"network\"?"},
      {"[zzz]\n",
       "x.toml:1: zzz: unknown table; known are network, mobility, channel, radio, neighbours, "
       "metrics, notify, start, clock, rounds, stop, churn, crashes, markov, options, change"},
      {"network = 8\n",
       "x.toml:1: network: must be a table, not 8; write [network] above its keys"},
      {"[[network]]\nnodes = 8\n",
       "x.toml:1: network: must be a table, not a list; write [network] above its keys"},
      {"[seed]\n", "x.toml:1: seed: must be a whole number from 0 to 2^63-1, not a table"},
      {"[options]\nx = [1, \"a\"]\n",
       "x.toml:2: options.x: must be text, a number, true or false, or a list of whole numbers, "
       "not a list"},
      {"[options]\nx = []\n",
       "x.toml:2: options.x: must be text, a number, true or false, or a list of whole numbers, "
       "not an empty list"},
  });
}

TEST(Errors, WrongKindAndOutOfRange) {
  const std::string whole31 = "must be a whole number from 0 to 2^31-1, not ";
  const std::string share = "must be a number from 0 to 1, not ";
  expect_sentences({
      {"network.nodes = \"ten\"\n", "x.toml:1: network.nodes: " + whole31 + "\"ten\""},
      {"network.nodes = -1\n", "x.toml:1: network.nodes: " + whole31 + "-1"},
      {"network.nodes = 2147483648\n", "x.toml:1: network.nodes: " + whole31 + "2147483648"},
      {"network.nodes = 8.0\n", "x.toml:1: network.nodes: " + whole31 + "8.0"},
      {"network.one_way = 1\n", "x.toml:1: network.one_way: must be true or false, not 1"},
      {"network.topology = 1\n", "x.toml:1: network.topology: must be text in quotes, not 1"},
      {"network.degree = -0.5\n", "x.toml:1: network.degree: must be 0 or greater, not -0.5"},
      {"network.degree = inf\n", "x.toml:1: network.degree: must be 0 or greater, not inf"},
      {"network.rewire = 1.5\n", "x.toml:1: network.rewire: " + share + "1.5"},
      {"channel.loss = nan\n", "x.toml:1: channel.loss: " + share + "nan"},
      {"channel.duplicate = -1\n", "x.toml:1: channel.duplicate: " + share + "-1"},
      {"markov.birth = 2\n", "x.toml:1: markov.birth: " + share + "2"},
      {"markov.death = true\n", "x.toml:1: markov.death: " + share + "true"},
      {"churn.rate = -5\n", "x.toml:1: churn.rate: must be 0 or greater, not -5"},
      {"crashes.rate = \"5\"\n", "x.toml:1: crashes.rate: must be 0 or greater, not \"5\""},
      {"seed = -1\n", "x.toml:1: seed: must be a whole number from 0 to 2^63-1, not -1"},
      {"seed = 1979-05-27\n",
       "x.toml:1: seed: must be a whole number from 0 to 2^63-1, not a date"},
      {"properties = 5\n",
       "x.toml:1: properties: must be \"all\", \"none\", or a list of names, not 5"},
      {"properties = [\"A\", \"all\"]\n",
       "x.toml:1: properties: \"all\" does not go into a list; write properties = \"all\""},
  });
}

TEST(Errors, NamesOfChoices) {
  expect_sentences({
      {"channel.order = \"fife\"\n",
       "x.toml:1: channel.order: unknown order \"fife\"; did you mean \"fifo\"?"},
      {"channel.order = true\n",
       "x.toml:1: channel.order: must be one of fifo, unordered, not true"},
      {"channel.delay = \"unifrom\"\n",
       "x.toml:1: channel.delay: unknown delay \"unifrom\"; did you mean \"uniform\"?"},
      {"network.ids = \"shuffled\"\n",
       "x.toml:1: network.ids: unknown order of ids \"shuffled\"; known are ascending, "
       "descending, random, bit-reversed"},
      {"network.ids = 7\n",
       "x.toml:1: network.ids: must be one of ascending, descending, random, bit-reversed, not 7"},
  });
  EXPECT_EQ(parsed("network.topology = \"no-such\"").network.topology, "no-such");
}

TEST(Errors, Durations) {
  expect_sentences({
      {"stop.time = 5\n", "x.toml:1: stop.time: 5 has no unit; write for instance \"5 ms\""},
      {"stop.time = 2.5\n", "x.toml:1: stop.time: 2.5 has no unit; write for instance \"2.5 ms\""},
      {"stop.time = \"5\"\n", "x.toml:1: stop.time: 5 has no unit; write for instance \"5 ms\""},
      {"channel.mean = \"-5 ms\"\n",
       "x.toml:1: channel.mean: \"-5 ms\" is negative; write a duration such as \"250 ms\""},
      {"channel.mean = \"5 sec\"\n",
       "x.toml:1: channel.mean: must be a duration such as \"250 ms\", not \"5 sec\"; units are "
       "ns, us, ms, s, min and h"},
      {"channel.mean = true\n",
       "x.toml:1: channel.mean: must be a duration such as \"250 ms\", not true"},
      {"rounds.duration = 0\n",
       "x.toml:1: rounds.duration: must be a duration above 0, such as \"250 ms\", not 0"},
  });
  EXPECT_EQ(parsed("channel.mean = 0").channel.mean, 0s);
  EXPECT_EQ(parsed("channel.mean = \"0\"").channel.mean, 0s);
}

TEST(Errors, KeysThatContradictEachOther) {
  expect_sentences({
      {"[channel]\ndelay = \"uniform\"\nmin = \"20 ms\"\n",
       "x.toml:3: channel.min: 20 ms is more than channel.max = 10 ms; lower channel.min or "
       "raise channel.max"},
      {"[channel]\ndelay = \"uniform\"\nmax = \"1 us\"\n",
       "x.toml:3: channel.max: 1 us is less than channel.min = 1 ms; lower channel.min or "
       "raise channel.max"},
      {"notify.min = \"1 s\"\n",
       "x.toml:1: notify.min: 1 s is more than notify.max = 0 s; lower notify.min or raise "
       "notify.max"},
      {"[churn]\nrate = 1\nfrom = \"3 s\"\nuntil = \"2 s\"\n",
       "x.toml:3: churn.from: 3 s is more than churn.until = 2 s; lower churn.from or raise "
       "churn.until"},
      {"[crashes]\nfrom = \"3 s\"\nuntil = \"2 s\"\n",
       "x.toml:2: crashes.from: 3 s is more than crashes.until = 2 s; lower crashes.from or "
       "raise crashes.until"},
      {"[start]\ninitiators = \"all\"\nnodes = [1]\n",
       "x.toml:3: start.nodes: does not go with start.initiators; leave one of the two out"},
      {"start.nodes = [1, 2, 1]\n", "x.toml:1: start.nodes: node 1 is named twice; name it once"},
      {"start.nodes = [0]\n",
       "x.toml:1: start.nodes: a node id must be a whole number from 1, not 0"},
      {"start.nodes = 5\n",
       "x.toml:1: start.nodes: must be a list of node ids, such as [1, 2], not 5"},
      {"start.initiators = 0\n",
       "x.toml:1: start.initiators: must be \"all\", or a whole number from 1 to 2^31-1, not 0"},
  });
  EXPECT_EQ(complaint("channel.max = \"1 us\"\n"), "no complaint");  // not drawn uniformly
}

TEST(Errors, Radios) {
  const std::string ideal = "an ideal radio loses nothing; write radio.model = \"lossy\"";
  const std::string no_bursts =
      "there are no bursts; write for instance radio.burst_bad = \"100 ms\"";
  expect_sentences({
      {"radio.model = \"csmo\"\n",
       "x.toml:1: radio.model: unknown radio model \"csmo\"; did you mean \"csma\"?"},
      {"radio.range = -1\n", "x.toml:1: radio.range: must be 0 or greater, not -1"},
      {"radio.cw = 65536\n",
       "x.toml:1: radio.cw: must be a whole number from 0 to 2^16-1, not 65536"},
      {"radio.aifsn = -1\n",
       "x.toml:1: radio.aifsn: must be a whole number from 0 to 2^8-1, not -1"},
      {"radio.slot = 0\n",
       "x.toml:1: radio.slot: must be a duration above 0, such as \"250 ms\", not 0"},
      {"radio.power_tx = -2\n", "x.toml:1: radio.power_tx: must be 0 or greater, not -2"},
      {"radio.rate = 0\n",
       "x.toml:1: radio.rate: must be at least 1 bit a second; write for instance 1e6"},
      {"radio.mtu = 63\n",
       "x.toml:1: radio.mtu: must be at least 64, or parts of messages do not fit; write for "
       "instance 1500"},
      {"[radio]\ndelay = \"uniform\"\nmin = \"50 ms\"\n",
       "x.toml:3: radio.min: 50 ms is more than radio.max = 20 ms; lower radio.min or raise "
       "radio.max"},
      {"radio.loss = 0.1\n", "x.toml:1: radio.loss: " + ideal},
      {"radio.burst_bad = \"10 ms\"\n", "x.toml:1: radio.burst_bad: " + ideal},
      {"radio = { model = \"csma\", loss = 0.1 }\n",
       "x.toml:1: radio.loss: a shared medium loses what overlaps, and nothing else; leave it out, "
       "or write radio.model = \"lossy\""},
      {"radio.burst_good = 0\n",
       "x.toml:1: radio.burst_good: must be a duration above 0, such as \"250 ms\", not 0"},
      {"[radio]\nmodel = \"lossy\"\nburst_good = \"5 s\"\n",
       "x.toml:3: radio.burst_good: " + no_bursts},
      {"radio.burst_loss_good = 0.1\n", "x.toml:1: radio.burst_loss_good: " + no_bursts},
      {"radio.burst_loss_bad = 0.5\n", "x.toml:1: radio.burst_loss_bad: " + no_bursts},
  });
  EXPECT_EQ(complaint("radio.min = \"50 ms\"\n"), "no complaint");  // not drawn uniformly
  EXPECT_EQ(complaint("radio = { model = \"lossy\", loss = 0.1, burst_bad = \"1 s\" }\n"),
            "no complaint");
}

TEST(Errors, Mobility) {
  const auto moving = [](const std::string& model, const std::string& lines) {
    return "[mobility]\nmodel = \"" + model + "\"\n" + lines;
  };
  const std::string area = "width = 900\nheight = 600\n";
  const std::string places =
      "has no radio links before nodes have positions; add [mobility] with a "
      "model, even if it is \"still\"";
  expect_sentences({
      {moving("random-waypint", ""),
       "x.toml:2: mobility.model: unknown model \"random-waypint\"; did you mean "
       "\"random-waypoint\"?"},
      {moving("random-waypoint", ""),
       "x.toml: mobility.width: nodes that move need an area; write for instance width = 900 "
       "(metres)"},
      {moving("still", "width = 900\nheight = 0\n"),
       "x.toml:4: mobility.height: nodes that move need an area; write for instance height = 900 "
       "(metres)"},
      {moving("still", "width = -1\n"), "x.toml:3: mobility.width: must be 0 or greater, not -1"},
      {moving("random-walk", area + "speed_min = 20\n"),
       "x.toml:5: mobility.speed_min: the lowest speed is 20, the highest is 15; lower speed_min "
       "or "
       "raise speed_max"},
      {moving("random-walk", area + "speed_max = 2\n"),
       "x.toml:5: mobility.speed_max: the lowest speed is 5, the highest is 2; lower speed_min or "
       "raise speed_max"},
      {moving("levy-walk", area + "flight_max = 2\n"),
       "x.toml:5: mobility.flight_max: the shortest flight is 5 m, the longest is 2 m; lower "
       "flight_min or raise flight_max"},
      {moving("levy-walk", area + "flight_alpha = 3\n"),
       "x.toml:5: mobility.flight_alpha: the exponent of flight lengths must be from 0.1 to 2, not "
       "3"},
      {moving("group", area + "group_radius = 400\n"),
       "x.toml:5: mobility.group_radius: a group of radius 400 m does not fit into an area of 900 "
       "by 600 m; lower group_radius or enlarge the area"},
      {moving("trace", ""),
       "x.toml: mobility.file: model \"trace\" needs the path of a trace; write for instance file "
       "= "
       "\"my.movements\""},
      {"network.topology = \"radio\"\n", "x.toml:1: network.topology: \"radio\" " + places},
      {"network.topology = \"highway\"\n", "x.toml:1: network.topology: \"highway\" " + places},
  });
  const std::string range = "[radio]\nrange = 9\n";
  EXPECT_EQ(complaint(moving("highway", "width = 5000\n") + range), "no complaint");
  EXPECT_EQ(complaint("network.topology = \"radio\"\n" + moving("still", area) + range),
            "no complaint");
}

TEST(Errors, Moves) {
  const std::string still =
      "[mobility]\nmodel = \"still\"\nwidth = 9\nheight = 9\n[radio]\nrange = 9\n";
  const std::string kind =
      "must be a node and its place in metres, such as [5, 120, 80.5], or a list of these";
  const auto move = [&](const std::string& value) {
    return still + "[[change]]\nat = \"1 s\"\nmove = " + value + "\n";
  };
  expect_sentences({
      {move("[1, 2]"), "x.toml:9: change[1].move: " + kind + ", not a list"},
      {move("5"), "x.toml:9: change[1].move: " + kind + ", not 5"},
      {move("[1, \"a\", 2]"), "x.toml:9: change[1].move: must be a number, not \"a\""},
      {"[[change]]\nat = \"1 s\"\nmove = [1, 2, 3]\n",
       "x.toml:1: change[1]: nodes have no positions in this network; add [mobility] with a model, "
       "even if it is \"still\""},
  });
}

TEST(Errors, Neighbours) {
  const std::string still = "[mobility]\nmodel = \"still\"\nwidth = 9\nheight = 9\n";
  const std::string range = "[radio]\nrange = 9\n";
  const std::string probes = "[neighbours]\ndetect = \"probes\"\n";
  const std::string places =
      "x.toml:2: mobility.model: positions decide which nodes are linked in a network that moves; "
      "remove [markov], and each [[change]] but crash, restart and move";
  expect_sentences({
      {still,
       "x.toml: radio.range: a network that moves needs the radio range in metres; write a number, "
       "such as range = 90"},
      {still + "[radio]\nrange = 0\n",
       "x.toml:6: radio.range: a network that moves needs the radio range in metres; write a "
       "number, such as range = 90"},
      {still + range + "model = \"csma\"\n",
       "x.toml:7: radio.model: a shared medium gives no link notifications; write [neighbours] "
       "detect = \"probes\""},
      {still + range + "[markov]\nbirth = 0.1\n", places},
      {"network.topology = \"radio\"\n" + still + range + "[churn]\nrate = 5\n",
       "x.toml:9: churn.rate: has no effect: it breaks wires, and this network has none; remove "
       "it, "
       "and let nodes move out of range or crash ([crashes])"},
      {still + range + "[[change]]\nat = \"1 s\"\nheal = true\n", places},
      {probes + "timeout = \"100 ms\"\n",
       "x.toml:3: neighbours.timeout: must be more than neighbours.period = 400 ms, or every "
       "neighbour is lost"},
      {probes + "jitter = \"400 ms\"\n",
       "x.toml:3: neighbours.jitter: must be less than neighbours.period = 400 ms"},
      {"[neighbours]\nstack = \"deployed\"\nreliable = true\n",
       "x.toml:3: neighbours.reliable: neighbours.stack = \"deployed\" decides this; remove it"},
      {"[neighbours]\nstack = \"deployed\"\njitter = \"1 ms\"\n",
       "x.toml:3: neighbours.jitter: neighbours.stack = \"deployed\" decides this; remove it"},
      {"[neighbours]\nstack = \"deployd\"\n",
       "x.toml:2: neighbours.stack: unknown stack \"deployd\"; did you mean \"deployed\"?"},
      {"[neighbours]\nstack = \"deployed\"\n[start]\ninitiators = 3\n",
       "x.toml:4: start.initiators: all nodes must start where neighbours are detected by probes; "
       "remove it"},
      {probes + "[start]\ninitiators = 3\n",
       "x.toml:4: start.initiators: all nodes must start where neighbours are detected by probes; "
       "remove it"},
      {"metrics.oracle = \"oldst\"\n",
       "x.toml:1: metrics.oracle: unknown criterion \"oldst\"; did you mean \"oldest\"?"},
  });
}

TEST(Errors, Changes) {
  const auto entry = [](const std::string& lines) {
    return "[[change]]\nat = \"1 s\"\nheal = true\n[[change]]\n" + lines;
  };
  const std::string pairs = "must be a list of pairs of nodes, such as [[3, 4]], not ";
  expect_sentences({
      {"[change]\n", "x.toml:1: change: is a list; write [[change]] above each entry"},
      {"change = [5]\n",
       "x.toml:1: change[1]: must be a table, not 5; write [[change]] above its keys"},
      {entry("crash = 1\n"), "x.toml:4: change[2].at: is missing; write for instance at = \"5 s\""},
      {entry("at = 5\ncrash = 1\n"),
       "x.toml:5: change[2].at: 5 has no unit; write for instance \"5 ms\""},
      {entry("at = \"5 s\"\n"),
       "x.toml:4: change[2]: needs one of cut, join, crash, restart, partition, move, heal"},
      {entry("at = \"5 s\"\ncut = [1, 2]\njoin = [3, 4]\n"),
       "x.toml:4: change[2]: says cut and join; write a [[change]] for each"},
      {entry("at = \"5 s\"\ncrsh = 1\n"),
       "x.toml:6: change[2].crsh: unknown key; did you mean \"crash\"?"},
      {entry("at = \"5 s\"\ncut = [[1, 2, 3]]\n"),
       "x.toml:6: change[2].cut: a pair has two nodes, such as [3, 4], not 3"},
      {entry("at = \"5 s\"\njoin = [1]\n"),
       "x.toml:6: change[2].join: a pair has two nodes, such as [3, 4], not 1"},
      {entry("at = \"5 s\"\ncut = []\n"), "x.toml:6: change[2].cut: " + pairs + "an empty list"},
      {entry("at = \"5 s\"\ncut = 3\n"), "x.toml:6: change[2].cut: " + pairs + "3"},
      {entry("at = \"5 s\"\ncut = [[1, 2], 3]\n"), "x.toml:6: change[2].cut: " + pairs + "3"},
      {entry("at = \"5 s\"\ncut = [4, 4]\n"),
       "x.toml:6: change[2].cut: node 4 is not linked to itself; name two different nodes"},
      {entry("at = \"5 s\"\ncrash = [0]\n"),
       "x.toml:6: change[2].crash: a node id must be a whole number from 1, not 0"},
      {entry("at = \"5 s\"\ncrash = \"5\"\n"),
       "x.toml:6: change[2].crash: must be a node or a list of nodes, such as [5], not \"5\""},
      {entry("at = \"5 s\"\ncrash = 5\nmemory = true\n"),
       "x.toml:7: change[2].memory: goes with restart only, not with crash"},
      {entry("at = \"5 s\"\nrestart = 5\nmemory = 1\n"),
       "x.toml:7: change[2].memory: must be true or false, not 1"},
      {entry("at = \"5 s\"\npartition = [1, 2]\n"),
       "x.toml:6: change[2].partition: must be a list of groups of nodes, such as "
       "[[1, 2, 3], [4, 5]]"},
      {entry("at = \"5 s\"\npartition = [[1, 2], [2]]\n"),
       "x.toml:6: change[2].partition: node 2 is named twice; name it in one group"},
      {entry("at = \"5 s\"\nheal = false\n"),
       "x.toml:6: change[2].heal: must be true, not false; leave the entry out instead"},
  });
}

TEST(SetKey, RefusesWithTheCure) {
  const std::string needs = "--set needs key=value, for instance network.nodes=100";
  const std::string no_change =
      "a [[change]] cannot be set this way; write it into the scenario file";
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", needs},
      {"seed", needs},
      {"=5", needs},
      {" = 5", needs},
      {"seed=", "--set: seed: must be a whole number from 0 to 2^63-1, not \"\""},
      {"seed=9223372036854775808",
       "--set: seed: must be a whole number from 0 to 2^63-1, not \"9223372036854775808\""},
      {"seed=1\nname = 2",
       "--set: seed: must be a whole number from 0 to 2^63-1, not "
       "\"1\\nname = 2\""},
      {"name=\xFF", "--set: the assignment must be UTF-8 text"},
      {"network.nods=5", "--set: network.nods: unknown key; did you mean \"nodes\"?"},
      {"netwrk.nodes=5", "--set: netwrk.nodes: unknown table; did you mean \"network\"?"},
      {"nodes=5", "--set: nodes: unknown key; did you mean \"network.nodes\" or \"start.nodes\"?"},
      {"network=5",
       "--set: network: is a table; set one of its keys, for instance network.nodes=100"},
      {"options=5",
       "--set: options: needs the name of an option, for instance options.clock=logical"},
      {"options.x=[1.5]",
       "--set: options.x: must be text, a number, true or false, or a list of whole numbers, not a "
       "list"},
      {"change=5", "--set: change: " + no_change},
      {"change.at=5", "--set: change.at: " + no_change},
      {"change[1].at=5", "--set: change[1].at: " + no_change},
      {"stop.time=5", "--set: stop.time: 5 has no unit; write for instance \"5 ms\""},
      {"channel.loss=2", "--set: channel.loss: must be a number from 0 to 1, not 2"},
      {"channel.order=lifo",
       "--set: channel.order: unknown order \"lifo\"; did you mean \"fifo\"?"},
  };
  for (const auto& [assignment, sentence] : cases) EXPECT_EQ(set_complaint(assignment), sentence);
}

}  // namespace
}  // namespace bellwether::scenario
