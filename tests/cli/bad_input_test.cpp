// SPDX-License-Identifier: MIT
// Everything that can be typed wrong: status 2, one sentence on standard error that says where,
// what, and what to do instead; nothing on standard output, and no file left behind.
#include <gtest/gtest.h>

#include "cli/refused.hpp"

namespace bellwether::cli_test {
namespace {

const std::string first_election = project("scenarios/first-election.toml");
const std::string partition_heals = project("scenarios/partition-heals.toml");
const std::string dynamic_network = project("scenarios/dynamic-network.toml");

/// A scenario of these lines, called bad.toml.
void refused_scenario(const std::string& lines, const Parts& parts) {
  const Folder folder;
  folder.write("bad.toml", lines);
  refused(folder, {"run", "bad.toml"}, parts);
}

/// A scenario of the project with these settings.
void refused_setting(const std::string& scenario, const Arguments& settings, const Parts& parts) {
  Arguments words{"run", scenario};
  for (const std::string& setting : settings) words.insert(words.end(), {"--set", setting});
  refused({}, words, parts);
}

TEST(BadInput, Commands) {
  refused({}, {"rum"}, {"unknown command \"rum\"", "did you mean \"run\"?"});
  refused({}, {"frobnicate"}, {"unknown command", "run, list, describe, trace, motion, central"});
  refused({}, {"--no-such-flag"}, {"--help"});
  refused({}, {"run"}, {"scenario", "bellwether run --help"});
  refused({}, {"describe"}, {"algorithm", "bellwether describe --help"});
  refused({}, {"trace"}, {"file", "bellwether trace --help"});
  refused({}, {"run", first_election, "--no-such-flag"}, {"--no-such-flag"});
  refused({}, {"run", first_election, "too-much"}, {"too-much"});
  refused({}, {"run", first_election, "--seed", "many"}, {"--seed", "many"});
  refused({}, {"run", first_election, "--set"}, {"--set"});
  refused({}, {"list", "planets"},
          {"\"planets\"",
           "algorithms, models, topologies, channels, delays, mobility, radios, neighbours, node, "
           "scenarios, keys"});
  refused({}, {"list", "nodes"}, {"did you mean \"node\"?"});
  refused({}, {"list", "topology"}, {"\"topology\""});
  refused({}, {"list", "algorithm"}, {"did you mean \"algorithms\"?"});
}

TEST(BadInput, NewProjectsAndPages) {
  refused({}, {"new"}, {"name", "bellwether new --help"});
  refused({}, {"new", "Ring"}, {"\"Ring\"", "such as ring-of-trust"});
  refused({}, {"new", "height"}, {"there is an algorithm height already"});
  const Folder folder;
  folder.write("ring-of-trust", "a file");
  refused(folder, {"new", "ring-of-trust"}, {"ring-of-trust: exists already"});
  refused({}, {"document", "pdf"}, {"\"pdf\"", "man, markdown"});
  refused({}, {"completion", "csh"}, {"\"csh\""});
  refused({}, {"run", "first-elections"}, {"did you mean \"first-election\"?"});
}

TEST(BadInput, WhatTheLibraryFindsIsSaidInOurWords) {
  refused({}, {"run", first_election, "--sed", "3"},
          {"--sed: run has no such flag; did you mean --seed?"});
  refused({}, {"run", first_election, "--sed=3"}, {"--sed: run", "--seed?"});
  refused({}, {"run", first_election, "too-much"}, {"\"too-much\" is more than run takes"});
  refused({}, {"check", "cel", "--changes", "two"}, {"--changes: \"two\" is not a number"});
  refused({}, {"run", first_election, "--seed"}, {"--seed: its value is missing"});
  refused({}, {"--verison"}, {"--verison: did you mean --version?"});
  refused({}, {"describe", "cel2"}, {"did you mean \"cel-2\"?"});
  for (const Arguments& words : {Arguments{"help"}, {"help", "run"}}) {
    const Outcome help = run({}, words);
    EXPECT_EQ(help.status, 0);
    EXPECT_NE(help.out.find("Usage: bellwether"), std::string::npos) << help.out;
  }
}

TEST(BadInput, OptionsBeyondTheirRange) {
  const std::string must = "rho: must be a number from 0 to 1, not";
  for (const char* rho : {"7", "-1", "1e+308"}) {
    const std::string set = std::string("options.rho=") + rho;
    refused({}, {"run", "partition-heals", "-a", "cel", "--set", set}, {must, rho});
    refused({}, {"check", "cel", "--graph", "line:2", "--set", set}, {must, rho});
  }
  const Folder folder;
  folder.write("node.toml", "id = 1\nplain = true\nalgorithm = \"cel-2\"\n[options]\nrho = 7\n");
  refused(folder, {"node", "--config", "node.toml", "--check-config"}, {must, "7"});
}

TEST(BadInput, AnotherKindOfFile) {
  const Folder folder;
  refused(folder, {"run", project("experiments/hierarchy.toml")},
          {"is an experiment, not a scenario", "bellwether sweep"});
  refused(folder, {"sweep", first_election},
          {"is a scenario, not an experiment", "bellwether run"});
  refused(folder, {"trace", first_election}, {"this line is not JSON", "bellwether run --trace"});
}

TEST(BadInput, WhatSomebodyWroteIsNotWrittenOver) {
  const Folder folder;
  const std::string mine = "algorithm = \"lelann\"\n[network]\ntopology = \"ring\"\nnodes = 5\n";
  folder.write("mine.toml", mine);
  refused(folder, {"run", "mine.toml", "--trace", "mine.toml"},
          {"mine.toml: exists and would be overwritten"});
  refused(folder, {"run", project("scenarios/split-and-merge.toml"), "--series", "mine.toml"},
          {"mine.toml: exists and would be overwritten"});
  EXPECT_EQ(folder.read("mine.toml"), mine);
  EXPECT_EQ(run(folder, {"run", "mine.toml", "--trace", "run.jsonl"}).status, 0);
  refused(folder, {"trace", "run.jsonl", "--svg", "run.jsonl"}, {"is the trace itself"});
  EXPECT_EQ(run(folder, {"trace", "run.jsonl", "--svg", "run.svg"}).status, 0);
}

TEST(BadInput, OptionsAreFoundUnderBothNames) {
  refused({}, {"run", project("scenarios/split-and-merge.toml"), "--set", "rho=0.5"},
          {"options.rho", "bellwether list keys"});
  for (const char* set : {"rho=0.5", "options.rho=0.5"}) {
    const Outcome outcome =
        run({}, {"check", "cel", "--graph", "line:2", "--set", set, "--no-trace"});
    EXPECT_NE(outcome.status, 2) << outcome.err;
  }
}

TEST(BadInput, ProjectsThatCouldNotBeBuilt) {
  for (const char* name : {"best", "all", "install", "test"})
    refused({}, {"new", name}, {"could not be built", "choose another"});
}

TEST(BadInput, View) {
  refused({}, {"view", "none.toml"}, {"none.toml: there is no such file"});
  refused({}, {"view", "--replay", "none.jsonl"}, {"none.jsonl: there is no such file"});
  refused({}, {"view", first_election, "--replay", "x.jsonl"}, {"a recording takes no scenario"});
  refused({}, {"view", "--live", "none.sock"}, {"none.sock", "bellwether node"});
  refused({}, {"view", first_election, "--live", "none.sock"}, {"a live group takes no scenario"});
  refused({}, {"view", "--live", "a.sock", "--replay", "x.jsonl"}, {"--live", "--replay"});
  refused({}, {"view", "--algorithm", "hieght"}, {"did you mean \"height\"?"});
  refused({}, {"view", "--set", "network.nodes=many"}, {"network.nodes"});
  refused({}, {"view", "--port", "99999"}, {"--port"});
  refused({}, {"view", "--address", "nowhere"}, {"not an IP address", "127.0.0.1"});
  refused({}, {"view", "--address", "0.0.0.0"}, {"--address: 0.0.0.0 stands for all addresses"});
  Folder folder;
  folder.write("bad.jsonl", "nonsense\n");
  refused(folder, {"view", "--replay", "bad.jsonl"}, {"bad.jsonl:1"});
}

TEST(BadInput, Engines) {
  const std::string radio = project("scenarios/thesis-random-walk.toml");
  refused({}, {"run", radio, "--engine", "ns4"}, {"unknown engine \"ns4\"", "\"ns3\""});
  refused({}, {"sweep", project("experiments/hierarchy.toml"), "--engine", "ns2"}, {"\"ns3\""});
  refused({}, {"reproduce", "--engine", "slow"}, {"unknown engine \"slow\"", "fast, ns3, both"});
}

TEST(BadInput, ScenarioFiles) {
  refused({}, {"run", "none.toml"}, {"none.toml: there is no such file"});
  refused({}, {"run", "."}, {"folder"});
  refused_scenario("name = \"x\"\nnodes = = 3\n", {"bad.toml:2"});
  refused_scenario("[network\n", {"bad.toml:1"});
  refused_scenario("[network]\nnods = 3\n",
                   {"bad.toml:2: network.nods: unknown key", "did you mean \"nodes\"?"});
  refused_scenario("[network]\nnodes = 3\n\n[chanel]\nloss = 0.1\n",
                   {"bad.toml:4: chanel: unknown", "\"channel\""});
  refused_scenario("nodes = 3\n", {"bad.toml:1: nodes: unknown key", "network.nodes"});
  refused_scenario("[network]\nnodes = \"three\"\n",
                   {"bad.toml:2: network.nodes: must be a whole number", "not \"three\""});
  refused_scenario("[network]\nnodes = -1\n", {"bad.toml:2: network.nodes: ", "not -1"});
  refused_scenario("[channel]\nloss = 2\n",
                   {"bad.toml:2: channel.loss: must be a number from 0 to 1, not 2"});
  refused_scenario("[stop]\ntime = 60\n", {"bad.toml:2: stop.time: 60 has no unit"});
  refused_scenario("[channel]\ndelay = \"unifrom\"\n",
                   {"bad.toml:2: channel.delay: ", "\"uniform\""});
  refused_scenario("", {"network.nodes: "});
}

TEST(BadInput, Settings) {
  refused_setting(first_election, {"network.nodes"}, {"--set needs key=value"});
  refused_setting(first_election, {"network.nods=3"}, {"--set: network.nods: unknown key"});
  refused_setting(first_election, {"network=3"}, {"network: is a table"});
  refused_setting(first_election, {"network.nodes=many"}, {"--set: network.nodes: must be"});
  refused_setting(first_election, {"channel.min=20ms"}, {"--set: channel.min: ", "channel.max"});
  refused_setting(first_election, {"change.at=1s"}, {"[[change]]"});
  refused_setting(first_election, {"start.nodes=[99]"}, {"start.nodes: there is no node 99"});
  refused_setting(first_election, {"start.initiators=99"}, {"start.initiators: ", "8 nodes"});
}

TEST(BadInput, Algorithms) {
  refused_scenario(
      "algorithm = \"hieght\"\n\n[network]\nnodes = 3\n",
      {"bad.toml:1: algorithm: unknown algorithm \"hieght\"", "did you mean \"height\"?"});
  refused({}, {"run", first_election, "--algorithm", "chang"},
          {"--algorithm: ", "unknown algorithm \"chang\"", "did you mean \"chang-roberts\"?"});
  refused_setting(first_election, {"algorithm=xyz"},
                  {"--set: algorithm: ", "known are afek-gafni, "});
  refused({}, {"describe", "buly"}, {"unknown algorithm \"buly\"", "did you mean \"bully\"?"});
}

TEST(BadInput, NetworksThatDoNotFitTheElectionAreRefusedByName) {
  const std::string field = project("scenarios/ring-field.toml");
  refused_setting(field, {"network.topology=grid"}, {"network.topology", "franklin needs a ring"});
  refused_setting(field, {"network.one_way=true"}, {"franklin needs links that go both ways"});
  refused_setting(field, {"network.anonymous=true"}, {"franklin needs nodes with ids"});
  refused_setting(field, {"channel.order=unordered"}, {"franklin needs messages in order"});
  refused_setting(field, {"rounds.synchronizer=alpha"},
                  {"rounds.synchronizer", "has no effect with algorithm = \"franklin\""});
  refused_setting(field, {"algorithm=humblet"}, {"humblet needs a complete network"});
  refused_setting(field, {"algorithm=peleg", "start.initiators=1"},
                  {"start.initiators: has no effect with algorithm = \"peleg\""});
  refused_setting(field,
                  {"algorithm=peleg", "rounds.synchronizer=abd", "channel.delay=exponential"},
                  {"channel.delay", "delays with a bound", "abd"});
  refused_setting(field, {"algorithm=peleg", "rounds.synchronizer=epsilon"},
                  {"rounds.synchronizer", "epsilon"});
}

TEST(BadInput, IdsAreGivenOnce) {
  const std::string field = project("scenarios/ring-field.toml");
  refused_setting(field, {"network.nodes=3", "network.names=[7, 9, 7]"},
                  {"network.names", "node 7 is named twice"});
  refused_setting(field, {"network.nodes=3", "network.names=[7, 9, 8]"},
                  {"network.names", "network.ids"});
  refused_setting(field, {"network.names=[7, 9, 8]", "network.nodes=3", "network.anonymous=true"},
                  {"network.names", "network.anonymous"});
}

TEST(BadInput, OptionsAndProperties) {
  refused_setting(
      first_election, {"options.anounce=true"},
      {"--set: options.anounce: unknown option of chang-roberts", "did you mean \"announce\"?"});
  refused_setting(first_election, {"options.clock=perfect"}, {"known are extremum, announce"});
  refused_setting(first_election, {"options.announce=maybe"},
                  {"options.announce: ", "\"maybe\"", "true or false"});
  refused_setting(first_election, {"options.extremum=3"}, {"one of max, min"});
  refused_scenario(
      "algorithm = \"bully\"\n\n[network]\ntopology = \"complete\"\nnodes = 3\n\n"
      "[options]\nreply_timeout = 5\n",
      {"bad.toml:8: options.reply_timeout: ", "a duration"});
  refused_setting(partition_heals, {"properties=agrement"},
                  {"properties: unknown property \"agrement\"", "did you mean \"agreement\"?"});
  refused_setting(first_election, {"properties=[\"one-leader\", \"zzz\"]"},
                  {"unknown property \"zzz\"", "one-leader, extremum, known, agreement"});
  refused_setting(project("scenarios/flood-max.toml"), {"properties=agreement"},
                  {"properties: ", "synchronous"});
  refused_setting(project("scenarios/flood-max.toml"), {"metrics.on=on"},
                  {"metrics.on: nothing is measured over rounds"});
}

/// A network that breaks the model of the algorithm is refused, with the key that breaks it.
TEST(BadInput, Models) {
  refused_setting(partition_heals, {"algorithm=chang-roberts"},
                  {"partition-heals.toml:9: network.topology: chang-roberts needs a ring"});
  refused_setting(first_election, {"algorithm=bully"},
                  {"network.topology: bully needs a complete network"});
  refused_setting(first_election, {"algorithm=lelann", "churn.rate=1"},
                  {"--set: churn.rate: lelann assumes that links do not change"});
  refused_setting(first_election, {"crashes.rate=1"},
                  {"--set: crashes.rate: chang-roberts assumes that nodes do not crash"});
  refused_setting(project("scenarios/bully-crash.toml"),
                  {"algorithm=chang-roberts", "network.topology=ring"},
                  {"bully-crash.toml:19: change: chang-roberts", "do not crash"});
  refused_setting(project("scenarios/edge-markovian.toml"),
                  {"algorithm=flood-max", "network.topology=ring"},
                  {"markov.birth: flood-max assumes that links do not change"});
  refused_setting(partition_heals, {"channel.loss=0.1"},
                  {"--set: channel.loss: height assumes that nothing is lost"});
  refused_setting(partition_heals, {"channel.duplicate=0.1"},
                  {"--set: channel.duplicate: height assumes that nothing arrives twice"});
  refused_setting(partition_heals, {"channel.order=unordered"},
                  {"--set: channel.order: height needs messages in order"});
  refused_setting(first_election, {"algorithm=height"},
                  {"first-election.toml:10: network.one_way: height needs links"});
  refused_setting(first_election, {"network.anonymous=true"},
                  {"--set: network.anonymous: chang-roberts needs nodes with ids"});
}

/// Such rates used to run without end, deaf to SIGTERM.
TEST(BadInput, RatesBeyondTheClock) {
  for (const char* key : {"churn.rate", "crashes.rate"})
    refused_setting(partition_heals, {std::string(key) + "=1e308"},
                    {std::string(key) + ": must be at most 1e6 a second"});
}

TEST(BadInput, Networks) {
  refused_setting(first_election, {"network.topology=rnig"},
                  {"network.topology: unknown topology \"rnig\"", "did you mean \"ring\"?"});
  refused_setting(first_election, {"network.nodes=0"}, {"--set: network.nodes: ", "needs nodes"});
  refused_setting(partition_heals, {"network.one_way=true"},
                  {"network.one_way: has no effect with network.topology = \"grid\""});
  refused_setting(dynamic_network, {"network.topology=complete", "network.nodes=200000"},
                  {"network.nodes: ", "links"});
}

TEST(BadInput, Changes) {
  const std::string network = "[network]\nnodes = 3\n\n[[change]]\nat = \"1 s\"\n";
  refused_scenario(network + "crash = 9\n", {"bad.toml:", "change", "there is no node 9"});
  refused_scenario(network + "cut = [[1, 9]]\n", {"bad.toml:", "there is no node 9"});
  refused_scenario(network + "cut = [[1, 1]]\n", {"bad.toml:6: change[1].cut: "});
  refused_scenario(network + "partition = [[1, 7]]\n", {"bad.toml:", "there is no node 7"});
  refused_scenario(network, {"bad.toml:4: change[1]: needs one of cut, join, crash"});
  refused_scenario(network + "heal = true\ncrash = 1\n", {"bad.toml:4: change[1]: "});
}

TEST(BadInput, GraphFiles) {
  const Folder folder;
  folder.write("empty.toml", "");
  refused(folder, {"view", "empty.toml"}, {"empty.toml: network.nodes: a network needs nodes"});
  const auto graph = [&](const std::string& name) {
    folder.write("bad.toml", "[network]\ntopology = \"file\"\nfile = \"" + name + "\"\n");
  };
  graph("none.edges");
  refused(folder, {"run", "bad.toml"}, {"bad.toml:3: network.file: there is no file"});
  folder.write("half.edges", "1 2\n2\n");
  graph("half.edges");
  refused(folder, {"run", "bad.toml"}, {"half.edges:2: a line names two nodes"});
  folder.write("twice.edges", "1 2\n2 1\n");
  graph("twice.edges");
  refused(folder, {"run", "bad.toml"}, {"twice.edges:2: this link is on line 1 already"});
  folder.write("empty.edges", "");
  graph("empty.edges");
  refused(folder, {"run", "bad.toml"}, {"empty.edges: the graph has no nodes: there is no link"});
  folder.write("cut.graphml", "<graphml><graph><node id=\"a\"/>");
  graph("cut.graphml");
  refused(folder, {"run", "bad.toml"}, {"cut.graphml:1: this is not XML"});
  refused_scenario("[network]\ntopology = \"file\"\n", {"network.file: "});
}

TEST(BadInput, Traces) {
  const Folder folder;
  run(folder, {"run", first_election, "--trace", "run.jsonl"});
  const std::string whole = folder.read("run.jsonl");
  refused(folder, {"trace", "none.jsonl"}, {"none.jsonl: there is no such file"});
  refused(folder, {"trace", "."}, {"is a folder; name a file in it"});
  folder.write("empty.jsonl", "");
  refused(folder, {"trace", "empty.jsonl"}, {"empty.jsonl:1: the file is empty"});
  folder.write("garbage.jsonl", "garbage\n");
  refused(folder, {"trace", "garbage.jsonl"}, {"garbage.jsonl:1: "});
  folder.write("other.jsonl", "{\"format\":\"something else\"}\n");
  refused(folder, {"trace", "other.jsonl"}, {"other.jsonl:1: this is not a trace"});
  folder.write("header.jsonl", whole.substr(0, 30));
  refused(folder, {"trace", "header.jsonl"}, {"header.jsonl:1: "});
  const std::size_t second = whole.find('\n') + 1;
  const std::size_t third = whole.find('\n', second) + 1;
  folder.write("hole.jsonl", whole.substr(0, second) + whole.substr(third));
  refused(folder, {"trace", "hole.jsonl"}, {"hole.jsonl:39: ", "38 steps"});
  folder.write("torn.jsonl", whole.substr(0, second) + "{\"step\":\n" + whole.substr(third));
  refused(folder, {"trace", "torn.jsonl"}, {"torn.jsonl:2: this line is not JSON"});

  refused(folder, {"trace", "run.jsonl", "--nodes", "99"}, {"node 99 is not in the trace"});
  refused(folder, {"trace", "run.jsonl", "--nodes", "one"}, {"--nodes"});
  refused(folder, {"trace", "run.jsonl", "--from", "noon"}, {"--from: \"noon\" is not a time"});
  refused(folder, {"trace", "run.jsonl", "--from", "2 s", "--to", "1 s"}, {"window"});
}

/// A scenario with nodes that move; `mobility` and `radio` are the lines of these tables.
std::string moving(const std::string& mobility, const std::string& radio = "range = 90\n") {
  return "algorithm = \"cel\"\n[network]\ntopology = \"radio\"\nnodes = 2\n[radio]\n" + radio +
         "[mobility]\n" + mobility;
}

TEST(BadInput, Mobility) {
  const std::string area = "width = 100\nheight = 100\n";
  refused_scenario(moving("model = \"random-walk\"\n" + area + "speed_min = -1\n"),
                   {"bad.toml:11: mobility.speed_min: must be 0 or greater, not -1"});
  refused_scenario(moving("model = \"random-walk\"\n" + area + "speed_min = 20\n"),
                   {"bad.toml:11: mobility.speed_min: the lowest speed is 20", "raise speed_max"});
  refused_scenario(moving("model = \"random-walk\"\n" + area + "speed_max = 0\nspeed_min = 0\n"),
                   {"bad.toml:11: mobility.speed_max: must be above 0, or no node moves"});
  refused_scenario(moving("model = \"random-walk\"\nheight = 100\n"), {"mobility.width: "});
  refused_scenario(moving("model = \"random-wak\"\n" + area),
                   {"bad.toml:8: mobility.model: ", "\"random-walk\""});
  refused_scenario(moving("model = \"none\"\n"), {"bad.toml:3: network.topology: ", "[mobility]"});
  refused_setting(project("scenarios/thesis-point-of-interest.toml"), {"mobility.spacing=400"},
                  {"--set: mobility.spacing: circles for all nodes do not fit"});
}

TEST(BadInput, Radio) {
  const std::string still = "model = \"still\"\nwidth = 100\nheight = 100\n";
  refused_scenario(moving(still, "range = 0\n"),
                   {"bad.toml:6: radio.range: ", "such as range = 90"});
  refused_scenario(moving(still, "range = -5\n"), {"bad.toml:6: radio.range: ", "not -5"});
  refused_scenario(moving(still, ""), {"radio.range: ", "such as range = 90"});
  refused_scenario(moving(still, "range = 1e12\n"), {"bad.toml:6: radio.range: ", "1e9 metres"});
  refused_scenario(moving(still, "range = 90\nloss = 0.1\n"),
                   {"bad.toml:7: radio.loss: an ideal radio loses nothing"});
  refused_scenario(moving(still, "range = 90\nmodel = \"csma\"\n"),
                   {"bad.toml:7: radio.model: ", "detect = \"probes\""});
  refused_setting(
      project("scenarios/swarm.toml"), {"neighbours.reliable=false"},
      {"swarm.toml:", "radio.loss: height assumes that nothing is lost", "reliable = true"});
  refused_setting(project("scenarios/thesis-levy-walk.toml"), {"algorithm=bully"},
                  {"network.topology: bully needs a complete network"});
}

TEST(BadInput, MobilityTraces) {
  const Folder folder;
  const auto trace = [&](const std::string& name, const std::string& content) {
    folder.write("bad.toml",
                 moving("model = \"trace\"\nfile = \"" + name + "\"\nwidth = 100\nheight = 100\n"));
    if (!content.empty()) folder.write(name, content);
  };
  const Arguments run_it{"run", "bad.toml"};
  const std::string first = "0 10 10 5 20 20\n";
  trace("none.movements", "");
  refused(folder, run_it, {"bad.toml:9: mobility.file: none.movements: there is no such file"});
  trace("word.movements", first + "0 10 ten\n");
  refused(folder, run_it, {"word.movements:2: \"ten\" is not a number"});
  trace("outside.movements", first + "0 10 10 5 20 120\n");
  refused(folder, run_it, {"outside.movements:2: 120 lies outside the area, from 0 to 100 m"});
  trace("early.movements", first + "0 10 10 5 20");
  refused(folder, run_it, {"early.movements:2: the line has 5 values", "cut off"});
  trace("one.movements", first);
  refused(folder, run_it, {"bad.toml:9: mobility.file: one.movements: the file has 1 nodes"});
  trace("back.movements", first + "5 10 10 0 20 20\n");
  refused(folder, run_it, {"back.movements:2: ", "in order of time"});

  const std::string places =
      "$node_(0) set X_ 1\n$node_(0) set Y_ 1\n$node_(1) set X_ 2\n$node_(1) set Y_ 2\n";
  trace("fast.tcl", places + "$ns_ at 1 \"$node_(0) setdest 30 40 -5\"\n");
  refused(folder, run_it, {"fast.tcl:5: speed -5 is negative"});
  trace("early.tcl", places + "$ns_ at 1 \"$node_(0) setdest 30");
  refused(folder, run_it, {"early.tcl:5: ", "cut off"});
  trace("third.tcl", places + "$node_(2) set X_ 3\n");
  refused(folder, run_it, {"third.tcl:5: there is no node 2"});
}

TEST(BadInput, Motion) {
  const Folder folder;
  const std::string waypoints = project("scenarios/thesis-random-waypoint.toml");
  refused(folder, {"motion"}, {"bellwether motion --help"});
  refused(folder, {"motion", waypoints}, {"--out", "bellwether motion --help"});
  refused(folder, {"motion", waypoints, "--out", "paths.tcl", "--for", "9000000000 s"},
          {"--for: must be 744 h or less"});
  refused(folder, {"motion", waypoints, "--out", "paths.csv"},
          {"--out: \"paths.csv\"", ".movements (BonnMotion)", ".tcl (ns-2)"});
  refused(folder, {"motion", first_election, "--out", "paths.tcl"},
          {"mobility.model: nodes do not move in this scenario", "[mobility]"});
  refused(folder, {"motion", waypoints, "--out", "none/paths.tcl"},
          {"none/paths.tcl: cannot be written", "folder"});
  refused(folder, {"motion", waypoints, "--out", "p.tcl", "--for", "soon"},
          {"--for: \"soon\" is not a time"});
  refused(folder, {"motion", waypoints, "--out", "p.tcl", "--set", "mobility.width=0"},
          {"--set: mobility.width: "});
  refused(folder,
          {"motion", project("scenarios/thesis-point-of-interest.toml"), "--out", "p.tcl", "--set",
           "mobility.spacing=400"},
          {"--set: mobility.spacing: "});
}

TEST(BadInput, SeriesOfWhatIsNotMeasured) {
  const Folder folder;
  refused(folder, {"run", first_election, "--series", "run.csv"},
          {"--series: this run measures nothing over time", "[metrics] on = \"on\""});
  refused(folder, {"run", project("scenarios/festival.toml"), "--series", "run.csv"},
          {"measures nothing"});
  refused(
      folder,
      {"run", project("scenarios/flood-max.toml"), "--set", "metrics.on=on", "--series", "a.csv"},
      {"--series: flood-max runs in synchronous rounds"});
  refused(folder, {"run", first_election, "--set", "metrics.on=on", "--series", "none/run.csv"},
          {"none/run.csv: cannot be written", "folder"});
}

TEST(BadInput, PlacesThatCannotBeWritten) {
  const Folder folder;
  refused(folder, {"run", first_election, "--trace", "none/run.jsonl"},
          {"none/run.jsonl: cannot be written", "folder"});
  refused(folder, {"run", first_election, "--trace", "."}, {"is a folder; name a file in it"});
  refused(folder, {"run", partition_heals, "--trace", "run.jsonl", "--set", "channel.loss=0.1"},
          {"channel.loss"});
  run(folder, {"run", first_election, "--trace", "run.jsonl"});
  refused(folder, {"trace", "run.jsonl", "--svg", "none/run.svg"},
          {"none/run.svg: cannot be written", "folder"});
  refused(folder, {"trace", "run.jsonl", "--svg", "."}, {"is a folder; name a file in it"});
}

}  // namespace
}  // namespace bellwether::cli_test
