// SPDX-License-Identifier: MIT
// What the program promises to whoever types a command that is right.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <sstream>

#include "cli/program.hpp"

namespace bellwether::cli_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const Arguments commands{"run", "list", "describe", "trace"};
const std::string first_election = project("scenarios/first-election.toml");
const std::string partition_heals = project("scenarios/partition-heals.toml");
const std::string dynamic_network = project("scenarios/dynamic-network.toml");

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
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  EXPECT_FALSE(json.is_discarded()) << text;
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
  for (const char* flag :
       {"--algorithm", "--set", "--seed", "--json", "--trace", "--progress", "--quiet", "--print"})
    EXPECT_TRUE(has(run_help, flag));
  const std::string trace_help = printed({}, {"trace", "--help"});
  for (const char* flag : {"--svg", "--nodes", "--from", "--to", "--lines", "--all", "--states"})
    EXPECT_TRUE(has(trace_help, flag));
}

TEST(List, ShowsWhatThereIs) {
  const std::string all = printed({}, {"list"});
  for (const char* name : {"bully", "chang-roberts", "flood-max", "height", "lelann", "ring",
                           "edge-markovian", "unordered", "adversarial"})
    EXPECT_TRUE(has(all, "\n  " + std::string(name) + " "));
  EXPECT_FALSE(has(printed({}, {"list", "algorithms"}), "edge-markovian"));
  for (const char* topic : {"topologies", "channels", "delays"})
    EXPECT_TRUE(has(all, printed({}, {"list", topic})));
  const std::string keys = printed({}, {"list", "keys"});
  for (const char* key :
       {"seed", "network.nodes", "channel.loss", "churn.rate", "change.partition"})
    EXPECT_TRUE(has(keys, "\n  " + std::string(key) + " "));
}

TEST(Describe, TellsTheFactsOfEveryAlgorithm) {
  for (const char* name : {"bully", "chang-roberts", "flood-max", "height", "lelann"}) {
    const std::string text = printed({}, {"describe", name});
    EXPECT_TRUE(text.starts_with(std::string(name) + ": "));
    for (const char* part : {"source", "idea", "model", "messages", "time", "guarantee"})
      EXPECT_TRUE(has(text, "\n  " + std::string(part) + " ")) << name;
    EXPECT_TRUE(has(text, "\nOptions")) << name;
  }
  const std::string height = printed({}, {"describe", "height"});
  EXPECT_TRUE(has(height, "one of logical, perfect, hybrid; default logical"));
  EXPECT_TRUE(has(height, "\n  theorem-1 "));
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
    EXPECT_TRUE(json.at(count).is_number_unsigned()) << count;
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

TEST(Run, EveryScenarioEndsInAgreement) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(project("scenarios"))) {
    if (entry.path().extension() != ".toml") continue;
    SCOPED_TRACE(entry.path().filename());
    Arguments words{entry.path().string()};
    if (entry.path().stem() == "ring-million")
      words.insert(words.end(), {"--set", "network.nodes=20000"});
    EXPECT_EQ(report({}, words).at("agreed"), true);
    ++count;
  }
  EXPECT_GE(count, 9);
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
  EXPECT_GT(json.at("events"), 0);
}

TEST(Interrupt, KeepsTheTrace) {
  const Folder folder;
  const Outcome outcome = stopped(folder, SIGTERM, {"--trace", "run.jsonl"});
  EXPECT_EQ(outcome.status, 130);
  EXPECT_TRUE(has(outcome.out, "PARTIAL: "));
  EXPECT_EQ(folder.files(), std::set<std::string>{"run.jsonl"});
  EXPECT_TRUE(has(printed(folder, {"trace", "run.jsonl", "--lines", "5"}), "more steps"));
}

/// The blocks of README.md that begin with "$ build/bellwether": each command, and the lines below
/// it, of which "..." stands for any number.
struct Quote {
  Arguments arguments;
  std::vector<std::string> lines;
};
std::vector<Quote> quotes() {
  std::vector<Quote> all;
  std::ifstream page(project("README.md"));
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("```")) {
      inside = line == "```console";
    } else if (inside && line.starts_with("$ ")) {
      all.emplace_back();
      std::istringstream words(line.substr(2));
      for (std::string word; words >> word;) all.back().arguments.push_back(word);
    } else if (inside && line != "..." && !line.empty() && !all.empty()) {
      all.back().lines.push_back(line);
    }
  }
  return all;
}

/// Tables may grow wider without a change of the page.
std::string single_spaced(const std::string& text) {
  std::string out = "\n";
  for (const char c : text)
    if (c != ' ' || (out.back() != ' ' && out.back() != '\n')) out += c;
  return out;
}

TEST(Readme, ShowsWhatTheProgramPrints) {
  const Folder folder;
  fs::create_directory_symlink(project("scenarios"), folder.path() / "scenarios");
  const std::vector<Quote> all = quotes();
  EXPECT_GE(all.size(), 3u);
  for (const Quote& quote : all) {
    ASSERT_EQ(quote.arguments.front(), "build/bellwether");
    const std::string out =
        single_spaced(printed(folder, {quote.arguments.begin() + 1, quote.arguments.end()}));
    std::size_t from = 0;
    for (const std::string& line : quote.lines) {
      if (line.starts_with("---")) continue;
      const std::size_t at = out.find(single_spaced(line) + '\n', from);
      EXPECT_NE(at, std::string::npos) << "README.md quotes what is not printed: " << line;
      if (at != std::string::npos) from = at;
    }
  }
}

}  // namespace
}  // namespace bellwether::cli_test
