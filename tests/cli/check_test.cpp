// SPDX-License-Identifier: MIT
// bellwether check: what it refuses, its status, and that what it saves can be drawn and replayed.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "bellwether/json/json.hpp"
#include "cli/program.hpp"

namespace bellwether::cli_test {
namespace {

using json::Json;

testing::AssertionResult has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << '"' << part << "\" is not in:\n" << text;
}

Outcome checked(const Folder& folder, Arguments words) {
  words.insert(words.begin(), "check");
  words.emplace_back("--quiet");
  return run(folder, words);
}

void refused(const Arguments& words, const std::vector<std::string>& parts) {
  std::string command;
  for (const std::string& word : words) command += ' ' + word;
  SCOPED_TRACE(command);
  const Folder folder;
  const Outcome outcome = checked(folder, words);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(outcome.err.starts_with("bellwether: ")) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  for (const std::string& part : parts) EXPECT_TRUE(has(outcome.err, part));
  EXPECT_TRUE(folder.files().empty());
}

TEST(Check, RefusesInOneSentence) {
  refused({}, {"algorithm", "bellwether check --help"});
  refused({"cel-3", "--graph", "12"}, {"cel-3", "did you mean \"cel"});
  refused({"flood-max", "--graph", "12", "--losses", "1"},
          {"--losses", "flood-max", "synchronous rounds"});
  refused({"flood-max", "--graph", "12", "--walk", "5"}, {"--walk", "synchronous rounds"});
  refused({"cel"}, {"give either --graph or --all-graphs"});
  refused({"cel", "--graph", "12", "--all-graphs", "3"}, {"give either --graph or --all-graphs"});
}

TEST(Check, RefusesGraphsAndScripts) {
  refused({"cel", "--graph", "1x"}, {"--graph", "\"1x\" is not a link"});
  refused({"cel", "--graph", "11"}, {"--graph", "\"11\" is not a link"});
  refused({"cel", "--graph", "12,,23"}, {"--graph", "is not a link"});
  refused({"cel", "--graph", "lime:3"}, {"--graph", "lime", "line"});
  refused({"cel", "--graph", "line:0"}, {"--graph", "1 to 16"});
  refused({"cel", "--graph", "line:17"}, {"--graph", "1 to 16"});
  refused({"cel", "--graph", "1-17"}, {"--graph", "1 to 16"});
  refused({"cel", "--all-graphs", "7"}, {"--all-graphs", "too many"});
  refused({"cel", "--graph", "12", "--most-links", "1"}, {"--most-links", "is for --all-graphs"});
  refused({"cel", "--all-graphs", "3", "--connected", "--most-links", "1"},
          {"no graph of --all-graphs has at most 1 links", "larger number"});
  refused({"cel", "--graph", "12", "--script", "1"}, {"--script", "\"1\" is not a link"});
  refused({"cel", "--graph", "12", "--script", "13"}, {"--script", "there is no node 3"});
  refused({"cel", "--graph", "12", "--script", "x3"}, {"--script", "there is no node 3"});
  refused({"cel", "--graph", "12", "--script", "x"}, {"--script", "\"x\" does not name a node"});
  refused({"cel", "--graph", "12", "--script", "12", "--changes", "1"}, {"remove --changes"});
}

TEST(Check, RefusesWhatTheModelExcludes) {
  const Arguments ring{"chang-roberts", "--graph", "ring:3"};
  const auto with = [&](Arguments more) {
    more.insert(more.begin(), ring.begin(), ring.end());
    return more;
  };
  refused(with({"--changes", "1"}), {"--changes", "links do not change", "--beyond-model"});
  refused(with({"--script", "12"}), {"--script", "links do not change"});
  refused(with({"--crashes", "1"}), {"--crashes", "nodes do not crash"});
  refused(with({"--losses", "1"}), {"--losses", "nothing is lost"});
  refused({"chang-roberts", "--graph", "line:3"}, {"--graph", "needs a ring"});
  refused({"bully", "--graph", "line:3"}, {"--graph", "complete"});
  refused({"height", "--graph", "12", "--channel", "unordered"}, {"--channel", "in order"});
}

TEST(Check, RefusesOtherValues) {
  refused({"cel", "--graph", "12", "--property", "peace"}, {"--property", "peace", "agreement"});
  refused({"height", "--graph", "12", "-p", "message-bound"}, {"message-bound", "no bound"});
  refused({"bully", "--graph", "12", "-p", "best-leader"}, {"best-leader", "agreement"});
  refused({"cel", "--graph", "12", "--memory", "lots"}, {"--memory", "lots"});
  refused({"cel", "--graph", "12", "--delay", "soon"}, {"--delay", "soon", "250 ms"});
  refused({"cel", "--graph", "12", "--notify", "later"}, {"--notify", "later", "edge"});
  refused({"cel", "--graph", "12", "--channel", "wet"}, {"--channel", "wet"});
  refused({"cel", "--graph", "12", "--set", "rho"}, {"--set", "name=value"});
  refused({"cel", "--graph", "12", "--set", "rhu=1"}, {"--set", "rhu", "rho"});
  refused({"cel", "--graph", "12", "--set", "rho=much"}, {"--set rho", "much"});
  refused({"cel", "--graph", "12", "--changes", "64"}, {"63 changes"});
}

TEST(Check, WithoutAViolationHasStatus0) {
  const Folder folder;
  const Outcome outcome = checked(folder, {"cel-2", "--all-graphs", "2", "--changes", "2"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(folder.files().empty());
  const Outcome json = checked(folder, {"cel-2", "--all-graphs", "2", "--changes", "2", "--json"});
  const Json verdict = Json::parse(json.out);
  EXPECT_EQ(verdict.at("ended"), "complete");
  EXPECT_GT(verdict.at("states").get<int>(), 50);
}

TEST(Check, AtALimitHasStatus3) {
  const Folder folder;
  for (const Arguments& limit : {Arguments{"--max-states", "3000"}, Arguments{"--max-depth", "5"},
                                 Arguments{"--memory", "1M"}}) {
    Arguments words{"cel-2", "--all-graphs", "3", "--changes", "3"};
    words.insert(words.end(), limit.begin(), limit.end());
    const Outcome outcome = checked(folder, words);
    EXPECT_EQ(outcome.status, 3) << limit.front() << outcome.out << outcome.err;
    EXPECT_TRUE(has(outcome.out, "limit"));
  }
  EXPECT_TRUE(folder.files().empty());
}

TEST(Check, SavesAViolationThatCanBeDrawnAndReplayed) {
  const std::vector<Arguments> searches{
      {"cel", "--graph", "13,23", "--script", "x3,12", "--channel", "fifo"},
      {"cel", "--graph", "empty:2", "--changes", "2", "--notify", "level"},
      {"cel", "--graph", "12,13", "--changes", "1", "--losses", "1"},
      {"cel", "--graph", "12,13", "--crashes", "1", "--notify", "level", "--search", "depth"},
      {"topology-aware", "--graph", "empty:2", "--script", "12", "--losses", "1"},
  };
  for (const Arguments& words : searches) {
    const Folder folder;
    const Outcome outcome = checked(folder, words);
    ASSERT_EQ(outcome.status, 1) << outcome.out << outcome.err;
    const std::string file = words.front() + "-violation.jsonl";
    EXPECT_EQ(folder.files(), std::set<std::string>{file});
    EXPECT_TRUE(has(outcome.out, file));
    EXPECT_TRUE(has(outcome.out, "agreement"));
    const Outcome drawn = run(folder, {"trace", file, "--svg", "run.svg"});
    EXPECT_EQ(drawn.status, 0) << drawn.err;
    EXPECT_TRUE(has(folder.read("run.svg"), "<svg"));
    const Outcome replay = run(folder, {"run", "--replay", file, "--quiet", "--json"});
    EXPECT_EQ(replay.status, 1) << replay.out << replay.err;
    const Json report = Json::parse(replay.out);
    EXPECT_EQ(report.at("ended"), "violation") << replay.out;
    EXPECT_TRUE(has(replay.out, "agreement"));
    // Twice the same search, twice the same bytes.
    const std::string before = folder.read(file);
    EXPECT_EQ(checked(folder, words).status, 1);
    EXPECT_EQ(folder.read(file), before);
  }
}

TEST(Check, SaysThatNothingCouldHappen) {
  const Folder folder;
  const Outcome outcome = checked(folder, {"bully", "--all-graphs", "3"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "never seen  any action: a settled election is quiescent"))
      << outcome.out;
  EXPECT_TRUE(has(outcome.out, "--from cold")) << outcome.out;
}

TEST(Check, SavesWhereItIsTold) {
  const Folder folder;
  const Arguments words{"cel", "--graph", "empty:2", "--changes", "2", "--notify", "level"};
  Arguments elsewhere = words;
  elsewhere.insert(elsewhere.end(), {"--trace", "other.jsonl", "--json"});
  EXPECT_EQ(checked(folder, elsewhere).status, 1);
  EXPECT_EQ(folder.files(), std::set<std::string>{"other.jsonl"});
  Arguments nowhere = words;
  nowhere.emplace_back("--no-trace");
  const Folder empty;
  EXPECT_EQ(checked(empty, nowhere).status, 1);
  EXPECT_TRUE(empty.files().empty());
}

const Arguments violated{"cel", "--graph", "empty:2", "--changes", "2", "--notify", "level"};

TEST(Check, NamesTheViewerFirst) {
  const Folder folder;
  const Outcome outcome = checked(folder, violated);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(has(outcome.out,
                  "\nThe counterexample is saved. View, draw or replay it:\n"
                  "  bellwether view --replay cel-violation.jsonl\n"
                  "  bellwether trace cel-violation.jsonl --svg cel-violation.jsonl.svg\n"
                  "  bellwether run --replay cel-violation.jsonl\n"));
  EXPECT_TRUE(has(outcome.out, "notifications: the present state (level)"));
  EXPECT_TRUE(has(outcome.out, "depth "));
  EXPECT_TRUE(has(outcome.out, " quiescent"));
}

/// A search may have taken hours: what it has found is printed whatever becomes of the file.
TEST(Check, TheFindingIsNotLostWhereItCannotBeSaved) {
  const auto expect_told = [](const Outcome& outcome) {
    EXPECT_EQ(outcome.status, 1) << outcome.err;
    EXPECT_TRUE(has(outcome.out, "agreement is violated after 5 steps"));
    EXPECT_FALSE(has(outcome.out, "is saved"));
    EXPECT_TRUE(has(outcome.err, "cel-violation.jsonl: "));
    EXPECT_TRUE(has(outcome.err, "--trace PATH, or add --no-trace"));
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  };
  const Folder occupied;
  std::filesystem::create_directory(occupied.path() / "cel-violation.jsonl");
  expect_told(checked(occupied, violated));
  const Folder full;
  std::filesystem::create_symlink("/dev/full", full.path() / "cel-violation.jsonl");
  expect_told(checked(full, violated));
  EXPECT_TRUE(std::filesystem::is_symlink(full.path() / "cel-violation.jsonl"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full")) << "a device stays one";
  Arguments json = violated;
  json.emplace_back("--json");
  const Outcome object = checked(occupied, json);
  EXPECT_EQ(object.status, 1);
  EXPECT_EQ(Json::parse(object.out).at("verdict"), "violation");
}

/// A file that was asked for and cannot be written is refused before the search.
TEST(Check, RefusesAPlaceThatCannotBeWrittenBeforeTheSearch) {
  for (const char* place : {"no/such/folder.jsonl", "/proc/version/trace.jsonl", "."}) {
    Arguments words = violated;
    words.insert(words.end(), {"--trace", place});
    refused(words, {place});
  }
}

/// A loss that the search made has a step of its own; any other is that of a link that went down.
TEST(Check, SaysWhichMessagesAreLostWithTheirLink) {
  const Folder folder;
  const Outcome crash = checked(folder, {"cel", "--graph", "13,23", "--script", "x3,12",
                                         "--restarts", "0", "--channel", "fifo", "--no-trace"});
  EXPECT_TRUE(has(crash.out, "(lost with its link)"));
  const Outcome loss =
      checked(folder, {"cel", "--graph", "12,13", "--changes", "1", "--losses", "1", "--no-trace"});
  EXPECT_TRUE(has(loss.out, "a message from 1 to 3 is lost\n"));
  EXPECT_FALSE(has(loss.out, "with its link"));
}

}  // namespace
}  // namespace bellwether::cli_test
