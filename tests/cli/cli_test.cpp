// SPDX-License-Identifier: MIT
// What the program promises to a user who types a valid command.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <pugixml.hpp>
#include <sstream>

#include "bellwether/json/json.hpp"
#include "cli/program.hpp"

namespace bellwether::cli_test {
namespace {

namespace fs = std::filesystem;
using json::Json;

const Arguments commands{"run", "list", "describe", "trace", "motion", "central"};
const std::string first_election = project("scenarios/first-election.toml");
const std::string partition_heals = project("scenarios/partition-heals.toml");
const std::string dynamic_network = project("scenarios/dynamic-network.toml");
const std::string random_waypoint = project("scenarios/thesis-random-waypoint.toml");

testing::AssertionResult has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << '"' << part << "\" is not in:\n" << text;
}

/// Nothing on standard error, status 0; returns what was printed.
std::string printed(const Folder& folder, const Arguments& arguments) {
  const Outcome outcome = run(folder, arguments);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  return outcome.out;
}

Json parsed(const std::string& text) {
  const Json json = Json::read(text).value_or(Json());
  EXPECT_FALSE(json.is_null()) << text;
  return json;
}

/// The report of `bellwether run ... --json`.
Json report(const Folder& folder, Arguments arguments) {
  arguments.insert(arguments.begin(), "run");
  arguments.emplace_back("--json");
  return parsed(printed(folder, arguments));
}

TEST(Help, VersionIsOneLine) {
  EXPECT_TRUE(printed({}, {"--version"}).starts_with("bellwether "));
}

TEST(Help, NamesEveryCommandAndEveryStatus) {
  const std::string help = printed({}, {"--help"});
  for (const std::string& command : commands) EXPECT_TRUE(has(help, "\n  " + command + " "));
  EXPECT_TRUE(has(help, "Exit status: 0 done, 1 a property was broken, 2 bad input"));
  EXPECT_EQ(printed({}, {"-h"}), help);
  EXPECT_EQ(printed({}, {}), help) << "the program alone explains itself";
}

TEST(Help, EveryCommandExplainsItself) {
  for (const std::string& command : commands) {
    const std::string help = printed({}, {command, "--help"});
    EXPECT_TRUE(has(help, "Usage: bellwether " + command));
    EXPECT_TRUE(has(help, "--help"));
  }
  const std::string run_help = printed({}, {"run", "--help"});
  for (const char* flag : {"--algorithm", "--set", "--seed", "--json", "--trace", "--series",
                           "--replay", "--progress", "--quiet", "--print"})
    EXPECT_TRUE(has(run_help, flag));
  const std::string trace_help = printed({}, {"trace", "--help"});
  for (const char* flag : {"--svg", "--nodes", "--from", "--to", "--lines", "--all", "--states"})
    EXPECT_TRUE(has(trace_help, flag));
}

constexpr const char* every_algorithm[] = {"afek-gafni",
                                           "afek-gafni-sync",
                                           "alternate",
                                           "bfs-tree",
                                           "bfs-tree-async",
                                           "bully",
                                           "cel",
                                           "cel-2",
                                           "central-hierarchy",
                                           "chang-roberts",
                                           "clockwise",
                                           "clockwise-sync",
                                           "dolev-klawe-rodeh",
                                           "drumbeat",
                                           "echo-extinction",
                                           "flood-max",
                                           "flooding",
                                           "franklin",
                                           "frederickson-lynch",
                                           "ghs",
                                           "gomez-calzado",
                                           "height",
                                           "hierarchy",
                                           "higham-przytycka",
                                           "hirschberg-sinclair",
                                           "humblet",
                                           "itai-rodeh",
                                           "korach-moran-zaks",
                                           "lelann",
                                           "opt-flood-max",
                                           "peleg",
                                           "peterson",
                                           "time-slice",
                                           "topology-aware",
                                           "topology-aware-2",
                                           "vasudevan",
                                           "vector-hierarchy"};

TEST(List, ShowsWhatThereIs) {
  const std::string all = printed({}, {"list"});
  const auto is_listed = [&](const char* name) {
    return has(all, "\n  " + std::string(name) + " ");
  };
  for (const char* name : every_algorithm) EXPECT_TRUE(is_listed(name)) << name;
  for (const char* name : {"ring", "edge-markovian", "unordered", "adversarial", "levy-walk",
                           "csma", "probes", "reliable"})
    EXPECT_TRUE(is_listed(name)) << name;
  EXPECT_FALSE(has(printed({}, {"list", "algorithms"}), "edge-markovian"));
  for (const char* topic :
       {"algorithms", "topologies", "channels", "delays", "mobility", "radios", "neighbours"})
    EXPECT_TRUE(has(all, printed({}, {"list", topic})));
  EXPECT_TRUE(has(printed({}, {"list", "mobility"}), "\n  random-waypoint "));
  EXPECT_FALSE(has(printed({}, {"list", "radios"}), "random-waypoint"));
  const std::string models = printed({}, {"list", "models"});
  for (const char* name : every_algorithm)
    EXPECT_TRUE(has(models, "\n  " + std::string(name) + " ")) << name;
  EXPECT_TRUE(has(models, "nodes may be anonymous"));
  const std::string keys = printed({}, {"list", "keys"});
  for (const char* key :
       {"seed", "network.nodes", "channel.loss", "churn.rate", "change.partition"})
    EXPECT_TRUE(has(keys, "\n  " + std::string(key) + " "));
}

TEST(Describe, TellsTheFactsOfEveryAlgorithm) {
  for (const char* name : every_algorithm) {
    const std::string text = printed({}, {"describe", name});
    EXPECT_TRUE(text.starts_with(std::string(name) + ": "));
    for (const char* part : {"source", "idea", "model", "messages", "time", "guarantee"})
      EXPECT_TRUE(has(text, "\n  " + std::string(part) + " ")) << name;
    EXPECT_TRUE(has(text, "\nOptions")) << name;
  }
  const std::string height = printed({}, {"describe", "height"});
  EXPECT_TRUE(has(height, "one of logical, perfect, hybrid;"));
  EXPECT_TRUE(has(height, "\n  theorem-1 "));
  EXPECT_TRUE(has(height, "over any radio with [neighbours] reliable = true;"));
  EXPECT_FALSE(has(printed({}, {"describe", "bully"}), "radio"));
}

TEST(Run, PrintsATable) {
  const std::string table = printed({}, {"run", first_election});
  EXPECT_TRUE(table.starts_with("chang-roberts on first-election, seed 1\n"));
  for (const char* part : {"quiescent", "messages ", "fingerprint ", "all nodes name one leader",
                           "component  nodes  leader  agreed"})
    EXPECT_TRUE(has(table, part));
}

TEST(Run, PrintsJsonWithAllItsKeys) {
  const std::string out = printed({}, {"run", first_election, "--json"});
  EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), 1) << "one object on one line";
  const Json json = parsed(out);
  EXPECT_EQ(json.at("algorithm"), "chang-roberts");
  EXPECT_EQ(json.at("scenario"), "first-election");
  EXPECT_EQ(json.at("seed"), 1);
  EXPECT_EQ(json.at("nodes"), 8);
  for (const char* count : {"links", "events", "messages", "bytes"})
    EXPECT_TRUE(json.at(count).is_unsigned()) << count;
  EXPECT_TRUE(json.at("time_s").is_number());
  EXPECT_EQ(json.at("ended"), "quiescent");
  EXPECT_EQ(json.at("partial"), false);
  EXPECT_EQ(json.at("agreed"), true);
  ASSERT_EQ(json.at("leaders").size(), 1u);
  const Json leader = {{"component", 0}, {"size", 8}, {"leader", 8}, {"agreed", true}};
  EXPECT_EQ(json.at("leaders").at(0), leader);
  ASSERT_TRUE(json.at("metrics").is_object());
  EXPECT_EQ(json.at("metrics").at("leader_changes"), 8);
  EXPECT_EQ(json.at("fingerprint").get<std::string>().size(), 16u);
  EXPECT_FALSE(json.contains("violation"));
}

TEST(Run, TheSameSeedGivesTheSameBytesAndAnotherSeedAnotherRun) {
  const std::string one = printed({}, {"run", dynamic_network, "--json", "--seed", "5"});
  EXPECT_EQ(printed({}, {"run", dynamic_network, "--json", "--seed", "5"}), one);
  EXPECT_EQ(printed({}, {"run", dynamic_network, "--json", "--set", "seed=5"}), one);
  EXPECT_NE(report({}, {dynamic_network, "--seed", "6"}).at("fingerprint"),
            parsed(one).at("fingerprint"));
}

TEST(Run, OverridesWhatTheFileSays) {
  const Json json = report({}, {first_election, "-a", "lelann", "--seed", "9", "-s",
                                "network.nodes=12", "--set", "options.extremum=min"});
  EXPECT_EQ(json.at("algorithm"), "lelann");
  EXPECT_EQ(json.at("seed"), 9);
  EXPECT_EQ(json.at("nodes"), 12);
  EXPECT_EQ(json.at("leaders").at(0).at("leader"), 1);
  const Json last = report({}, {first_election, "--set", "network.nodes=5", "--set",
                                "network.nodes=6", "--algorithm", "chang-roberts"});
  EXPECT_EQ(last.at("nodes"), 6) << "the last one counts";
}

TEST(Run, PrintIsACompleteScenario) {
  for (const std::string& file : {dynamic_network, partition_heals}) {
    const Folder folder;
    const Arguments changes{"--seed", "3", "--set", "options.rejoin=yield"};
    Arguments words{"run", file, "--print"};
    words.insert(words.end(), changes.begin(), changes.end());
    folder.write("printed.toml", printed(folder, words));
    Arguments again{file};
    again.insert(again.end(), changes.begin(), changes.end());
    EXPECT_EQ(report(folder, {"printed.toml"}), report(folder, again));
    const std::string text = folder.read("printed.toml");
    EXPECT_EQ(printed(folder, {"run", "printed.toml", "--print"}), text);
  }
}

TEST(Run, ShowsProgressOnlyWhenAsked) {
  const Outcome shown = run({}, {"run", dynamic_network, "--json", "--progress"});
  EXPECT_EQ(shown.status, 0);
  EXPECT_TRUE(has(shown.err, "simulated"));
  EXPECT_EQ(shown.out, printed({}, {"run", dynamic_network, "--json"}));
  EXPECT_EQ(printed({}, {"run", dynamic_network, "--json", "--progress", "--quiet"}), shown.out);
}

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// What a network that moves is measured by; the others become quiescent.
void sound(const Json& json) {
  const auto& metrics = json.at("metrics");
  if (!metrics.contains("instability")) return;
  EXPECT_LT(metrics.at("instability").get<double>(), 0.5);
  EXPECT_EQ(json.at("series").at("rows").size(), 100u);
}

TEST(Run, EveryScenarioEndsInAgreementOrMoves) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(project("scenarios"))) {
    if (entry.path().extension() != ".toml") continue;
    SCOPED_TRACE(entry.path().filename());
    Arguments words{entry.path().string()};
    const std::string name = entry.path().stem();
    if (name.ends_with("-million")) words.insert(words.end(), {"--set", "network.nodes=20000"});
    const bool moves = bool(has(text_of(entry.path()), "\n[mobility]\n"));
    if (moves) words.insert(words.end(), {"--set", "stop.time=20s"});
    if (name == "festival")  // the same crowd on a smaller ground
      words.insert(words.end(), {"--set", "network.nodes=400", "--set", "mobility.width=600",
                                 "--set", "mobility.height=600", "--set", "stop.time=2s"});
    if (name == "thesis-fault-injection") words.insert(words.end(), {"--set", "crashes.until=20s"});
    const Json json = report({}, words);
    if (moves)
      sound(json);
    else
      EXPECT_EQ(json.at("agreed"), name != "angluin");  // which shows the impossibility
    ++count;
  }
  EXPECT_GE(count, 17);
}

TEST(Run, SaysThatNobodyCanLeadWhereAllAreAlike) {
  const std::string table = printed({}, {"run", project("scenarios/angluin.toml")});
  EXPECT_TRUE(has(table, "no: all nodes were alike after every round"));
  EXPECT_TRUE(has(table, "Angluin"));
}

TEST(Run, TellsInWordsWhatItMeasures) {
  const std::string table = printed({}, {"run", random_waypoint, "--set", "stop.time=30s"});
  for (const char* part : {"\nelection\n  measured time ", "  instability ",
                           "\npaths to the leader\n", "\ntraffic\n", "\nnetwork\n"})
    EXPECT_TRUE(has(table, part));
  EXPECT_EQ(table.find('_'), std::string::npos) << table;
  EXPECT_EQ(table.find("leader changes "), table.rfind("leader changes  ")) << table;
  EXPECT_FALSE(has(table, "crashes of leaders"));
  EXPECT_FALSE(has(table, "energy"));
  const std::string shared =
      printed({}, {"run", project("scenarios/thesis-random-walk.toml"), "--set", "stop.time=10s"});
  EXPECT_TRUE(has(shared, "\nreceptions that succeeded "));
  EXPECT_TRUE(has(shared, "\nenergy and radio\n"));
  EXPECT_EQ(shared.find('_'), std::string::npos) << shared;
  const std::string crashes = printed({}, {"run", project("scenarios/thesis-fault-injection.toml"),
                                           "--set", "stop.time=30s", "--set", "crashes.until=30s"});
  EXPECT_TRUE(has(crashes, "\ncrashes of leaders\n  crashes of leaders "));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> out;
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

TEST(Run, WritesTheSeries) {
  const Folder folder;
  const Json json = report(folder, {random_waypoint, "--series", "run.csv", "--set",
                                    "stop.time=30s", "--set", "metrics.interval=5s"});
  EXPECT_EQ(folder.files(), std::set<std::string>{"run.csv"});
  const auto lines = lines_of(folder.read("run.csv"));
  ASSERT_EQ(lines.size(), 7u);
  EXPECT_TRUE(lines[0].starts_with("time_s,instability,"));
  const auto& rows = json.at("series").at("rows");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_TRUE(lines[i + 1].starts_with(rows[i][0].dump() + ",")) << lines[i + 1];
    EXPECT_EQ(std::count(lines[i + 1].begin(), lines[i + 1].end(), ','),
              std::count(lines[0].begin(), lines[0].end(), ','));
  }
  printed(folder, {"run", first_election, "--set", "metrics.on=on", "--series", "ring.csv"});
  EXPECT_TRUE(has(folder.read("ring.csv"), "\n"));
}

/// The same network, its nodes led by a file.
std::string led_by(const std::string& file) {
  return "algorithm = \"topology-aware\"\n[network]\ntopology = \"radio\"\nnodes = 60\n"
         "[mobility]\nmodel = \"trace\"\nwidth = 900\nheight = 900\nfile = \"" +
         file +
         "\"\n[radio]\nrange = 90\n[neighbours]\ndetect = \"probes\"\n[stop]\ntime = \"300 s\"\n";
}

TEST(Motion, IsWrittenAndFollowed) {
  const Folder folder;
  const Arguments short_run{random_waypoint, "--set", "stop.time=300s"};
  const Json origin = report(folder, short_run);
  EXPECT_GT(origin.at("metrics").at("link_changes").get<double>(), 1000);
  for (const std::string file : {"paths.movements", "paths.ns_movements", "paths.tcl"}) {
    SCOPED_TRACE(file);
    EXPECT_EQ(printed(folder, {"motion", random_waypoint, "--out", file, "--for", "300 s"}), "");
    folder.write("led.toml", led_by(file));
    const Json led = report(folder, {"led.toml"});
    EXPECT_EQ(led.at("metrics"), origin.at("metrics"));
    EXPECT_EQ(led.at("fingerprint"), origin.at("fingerprint")) << "the same network, the same run";
  }
  EXPECT_EQ(lines_of(folder.read("paths.movements")).size(), 60u);
  EXPECT_EQ(folder.read("paths.tcl"), folder.read("paths.ns_movements"));
}

TEST(Motion, OfOneFormatBecomesTheOther) {
  const Folder folder;
  printed(folder, {"motion", random_waypoint, "--out", "paths.movements", "--for", "300 s"});
  folder.write("led.toml", led_by("paths.movements"));
  printed(folder, {"motion", "led.toml", "--out", "again.movements"});
  EXPECT_EQ(folder.read("again.movements"), folder.read("paths.movements"));
  printed(folder, {"motion", "led.toml", "--out", "paths.tcl"});
  EXPECT_TRUE(has(folder.read("paths.tcl"), "$node_(59) set X_ "));
}

TEST(Motion, LeavesOutWhatDoesNotMove) {
  const Folder folder;
  printed(folder, {"motion", project("scenarios/highway.toml"), "--out", "road.movements"});
  EXPECT_EQ(lines_of(folder.read("road.movements")).size(), 50u) << "57 less 5 towers, 2 servers";
}

/// A clock that is off breaks what holds of perfect clocks.
const Arguments broken{"run",   dynamic_network, "--set", "options.clock=perfect",
                       "--set", "clock.skew=2s", "--set", "properties=all",
                       "--set", "crashes.rate=0"};

TEST(Run, ABrokenPropertyIsToldWithTheStepsBeforeIt) {
  const Outcome table = run({}, broken);
  EXPECT_EQ(table.status, 1);
  EXPECT_EQ(table.err, "");
  EXPECT_TRUE(has(table.out, "violation: a property was broken"));
  EXPECT_TRUE(has(table.out, "\nVIOLATION: A: the height ("));
  EXPECT_TRUE(has(table.out, "\nThe last steps:\n  #"));

  Arguments words = broken;
  words.emplace_back("--json");
  const Outcome told = run({}, words);
  EXPECT_EQ(told.status, 1);
  const Json json = parsed(told.out);
  EXPECT_EQ(json.at("ended"), "violation");
  EXPECT_TRUE(json.at("violation").get<std::string>().starts_with("A: "));
  EXPECT_EQ(json.at("last_steps").size(), 20u);
  EXPECT_EQ(run({}, words).out, told.out);
}

TEST(Trace, IsListed) {
  const Folder folder;
  const std::string report = printed(folder, {"run", first_election, "--trace", "run.jsonl"});
  EXPECT_EQ(report, printed(folder, {"run", first_election})) << "a trace changes nothing";
  EXPECT_EQ(folder.files(), std::set<std::string>{"run.jsonl"});
  const std::string listing = printed(folder, {"trace", "run.jsonl"});
  EXPECT_TRUE(listing.starts_with("chang-roberts on first-election, seed 1: 8 nodes, 38 steps"));
  EXPECT_TRUE(has(listing, "token(id=8)"));
  EXPECT_TRUE(has(listing, "none -> 8"));
  EXPECT_FALSE(has(listing, "ends early"));

  EXPECT_TRUE(has(printed(folder, {"trace", "run.jsonl", "--lines", "3"}), "35 more steps"));
  EXPECT_EQ(printed(folder, {"trace", "run.jsonl", "--all"}), listing);
  EXPECT_TRUE(has(printed(folder, {"trace", "run.jsonl", "--states"}), "state=cand"));
  const std::string part =
      printed(folder, {"trace", "run.jsonl", "--nodes", "8", "--from", "20 ms", "--to", "50ms"});
  EXPECT_TRUE(has(part, "none -> 8"));
  EXPECT_FALSE(has(part, "start"));
}

TEST(Trace, IsDrawn) {
  const Folder folder;
  printed(folder, {"run", first_election, "--trace", "run.jsonl"});
  EXPECT_EQ(printed(folder, {"trace", "run.jsonl", "--svg", "run.svg"}), "");
  EXPECT_EQ(folder.files(), (std::set<std::string>{"run.jsonl", "run.svg"}));
  pugi::xml_document picture;
  const auto result = picture.load_string(folder.read("run.svg").c_str());
  EXPECT_TRUE(result) << result.description();
  EXPECT_STREQ(picture.document_element().name(), "svg");
  EXPECT_STREQ(picture.document_element().child_value("title"),
               "chang-roberts on first-election, seed 1");
}

TEST(Trace, ThatWasCutShortIsReadAsFarAsItGoes) {
  const Folder folder;
  printed(folder, {"run", first_election, "--trace", "run.jsonl"});
  const std::string whole = folder.read("run.jsonl");
  folder.write("cut.jsonl", whole.substr(0, whole.size() / 2));
  EXPECT_TRUE(has(printed(folder, {"trace", "cut.jsonl"}), "The trace ends early"));
  EXPECT_EQ(printed(folder, {"trace", "cut.jsonl", "--svg", "cut.svg"}), "");
  EXPECT_TRUE(has(folder.read("cut.svg"), "ends early"));
}

/// A run that would take hours, stopped as soon as it has shown that it runs.
Outcome stopped(const Folder& folder, int signal, const Arguments& more) {
  Arguments words{"run",   dynamic_network,       "--progress", "--set", "stop.time=100000 h",
                  "--set", "churn.until=100000 h"};
  words.insert(words.end(), more.begin(), more.end());
  Program program(folder, words);
  EXPECT_TRUE(program.says("simulated"));
  program.signal(signal);
  return program.wait();
}

TEST(Interrupt, EndsARunWithWhatItHas) {
  const Outcome outcome = stopped({}, SIGINT, {"--json"});
  EXPECT_EQ(outcome.status, 130);
  const Json json = parsed(outcome.out);
  EXPECT_EQ(json.at("partial"), true);
  EXPECT_EQ(json.at("ended"), "interrupted");
  EXPECT_GT(json.at("events").get<double>(), 0);
}

TEST(Interrupt, KeepsTheTrace) {
  const Folder folder;
  const Outcome outcome = stopped(folder, SIGTERM, {"--trace", "run.jsonl"});
  EXPECT_EQ(outcome.status, 130);
  EXPECT_TRUE(has(outcome.out, "PARTIAL: "));
  EXPECT_EQ(folder.files(), std::set<std::string>{"run.jsonl"});
  EXPECT_TRUE(has(printed(folder, {"trace", "run.jsonl", "--lines", "5"}), "more steps"));
}

}  // namespace
}  // namespace bellwether::cli_test
