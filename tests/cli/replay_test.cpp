// SPDX-License-Identifier: MIT
// bellwether run --replay: a recorded run, step by step once more.
#include <gtest/gtest.h>

#include <algorithm>

#include "bellwether/json/json.hpp"
#include "cli/program.hpp"

namespace bellwether::cli_test {
namespace {

using json::Json;

const std::string first_election = project("scenarios/first-election.toml");

testing::AssertionResult has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << '"' << part << "\" is not in:\n" << text;
}

/// Chang and Roberts in a ring of three, started by node 3: its token goes round, then the news.
Json ring_of_three() {
  const auto flights = [](int from, int to, int first) {
    return Json{{"from", from}, {"to", to}, {"arrivals_ns", {{first}, {first + 3000}}}};
  };
  Json schedule{{"options", Json::array()},
                {"ids", {1, 2, 3}},
                {"one_way", false},
                {"links", Json::array({{1, 2}, {2, 3}, {3, 1}})},
                {"up", {true, true, true}},
                {"starts", Json::array({{{"node", 3}, {"at_ns", 500}}})},
                {"changes", Json::array()},
                {"flights", {flights(3, 1, 1000), flights(1, 2, 2000), flights(2, 3, 3000)}},
                {"notices", Json::array()},
                {"alarms", Json::array()},
                {"choices", Json::array()}};
  return {{"format", "bellwether-trace"}, {"version", 1}, {"algorithm", "chang-roberts"},
          {"scenario", "three"},          {"seed", 7},    {"nodes", {1, 2, 3}},
          {"schedule", schedule}};
}

/// A folder with the trace of that run, run.jsonl.
class ReplayTest : public testing::Test {
 protected:
  ReplayTest() {
    folder.write("header.jsonl", ring_of_three().dump() + "\n");
    const Outcome outcome =
        run(folder, {"run", "--replay", "header.jsonl", "--trace", "run.jsonl"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_TRUE(has(outcome.out, "\nREPLAY: no steps are recorded to compare with\n"));
    whole = folder.read("run.jsonl");
  }
  /// The trace with `part` written as `instead`, replayed.
  Outcome replay_with(const std::string& part, const std::string& instead,
                      const Arguments& more = {}) {
    std::string text = whole;
    const std::size_t at = text.find(part);
    EXPECT_NE(at, std::string::npos) << part;
    folder.write("other.jsonl", text.replace(at, part.size(), instead));
    Arguments words{"run", "--replay", "other.jsonl"};
    words.insert(words.end(), more.begin(), more.end());
    return run(folder, words);
  }
  /// Status 2, one sentence, nothing left behind.
  void refused(const Arguments& words, const std::string& part) {
    SCOPED_TRACE(part);
    const auto before = folder.files();
    const Outcome outcome = run(folder, words);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_TRUE(has(outcome.err, "bellwether: "));
    EXPECT_TRUE(has(outcome.err, part));
    EXPECT_EQ(folder.files(), before);
  }
  void refused_header(const Json& header, const std::string& part) {
    folder.write("bad.jsonl", header.dump() + "\n");
    refused({"run", "--replay", "bad.jsonl"}, part);
  }

  Folder folder;
  std::string whole;
};

TEST_F(ReplayTest, TakesEveryStepAsRecorded) {
  const Outcome table = run(folder, {"run", "--replay", "run.jsonl", "--trace", "again.jsonl"});
  EXPECT_EQ(table.status, 0);
  EXPECT_EQ(table.err, "");
  EXPECT_TRUE(table.out.starts_with("chang-roberts on three, seed 7\n"));
  EXPECT_TRUE(has(table.out, "all nodes name one leader"));
  EXPECT_TRUE(has(table.out, "\nREPLAY: all 7 steps are as recorded\n"));
  EXPECT_EQ(folder.read("again.jsonl"), whole) << "a replay is a recording of its own";
  const Outcome told = run(folder, {"run", "--replay", "run.jsonl", "--json"});
  EXPECT_EQ(told.status, 0);
  const Json json = Json::parse(told.out);
  EXPECT_EQ(json.at("replay"), (Json{{"steps", 7}, {"as_recorded", true}}));
  EXPECT_EQ(json.at("leaders").at(0).at("leader"), 3);
  const Outcome listing = run(folder, {"trace", "run.jsonl"});
  EXPECT_TRUE(has(listing.out, "3 nodes, 7 steps"));
}

TEST_F(ReplayTest, TellsTheFirstStepThatDiffers) {
  // The second step of the recording is said to have sent something else.
  const std::string sent = R"j("sends":[{"to":2,"message":"token(id=3)")j";
  const Outcome table = replay_with(sent, R"j("sends":[{"to":2,"message":"token(id=4)")j");
  EXPECT_EQ(table.status, 1);
  EXPECT_EQ(table.err, "");
  EXPECT_TRUE(has(table.out,
                  "\nREPLAY: step 2 is not as recorded\n"
                  "  recorded  #2 1 us node 1, from 3: token(id=3); sends token(id=4) -> 2"));
  EXPECT_TRUE(
      has(table.out, "\n  replayed  #2 1 us node 1, from 3: token(id=3); sends token(id=3) -> 2"));
  const std::string elsewhere = R"j("sends":[{"to":3,"message":"token(id=3)")j";
  const Outcome told = replay_with(sent, elsewhere, {"--json"});
  EXPECT_EQ(told.status, 1);
  const Json replay = Json::parse(told.out).at("replay");
  EXPECT_EQ(replay.at("steps"), 7);
  EXPECT_EQ(replay.at("as_recorded"), false);
  EXPECT_EQ(replay.at("first_difference"), 2);
  EXPECT_TRUE(has(replay.at("recorded").get<std::string>(), "token(id=3) -> 3"));
  EXPECT_TRUE(has(replay.at("replayed").get<std::string>(), "token(id=3) -> 2"));
}

TEST_F(ReplayTest, TellsWhichOfTheTwoEndsFirst) {
  // The last message is lost.
  const Outcome shorter = replay_with("[[3000],[6000]]", "[[3000],[]]");
  EXPECT_EQ(shorter.status, 1);
  EXPECT_TRUE(has(shorter.out, "\nREPLAY: step 7 is not as recorded\n  recorded  #7 6 us node 3"));
  EXPECT_TRUE(has(shorter.out, "\n  replayed  nothing: the replay had ended\n"));
  const std::size_t last = whole.find("{\"step\":7,");
  folder.write("longer.jsonl", whole.substr(0, last) + "{\"end\":true,\"steps\":6}\n");
  const Outcome longer = run(folder, {"run", "--replay", "longer.jsonl"});
  EXPECT_EQ(longer.status, 1);
  EXPECT_TRUE(has(longer.out, "\n  recorded  nothing: the recorded run had ended\n"));
  folder.write("cut.jsonl", whole.substr(0, last));
  const Outcome cut = run(folder, {"run", "--replay", "cut.jsonl"});
  EXPECT_EQ(cut.status, 0) << "a recording that was cut short says nothing of the rest";
  EXPECT_TRUE(has(cut.out, "\nREPLAY: all 6 steps are as recorded\n"));
}

TEST_F(ReplayTest, WatchesAllPropertiesUnlessToldOtherwise) {
  // The news is lost on its first hop: node 3 leads, and no other node knows.
  Json header = ring_of_three();
  header["schedule"]["flights"][0]["arrivals_ns"] = {{1000}, Json::array()};
  folder.write("lost.jsonl", header.dump() + "\n");
  const Outcome all = run(folder, {"run", "--replay", "lost.jsonl"});
  EXPECT_EQ(all.status, 1);
  EXPECT_TRUE(has(all.out, "\nVIOLATION: known: when quiescent, the best initiator knows"));
  EXPECT_TRUE(has(all.out, "\nThe last steps:\n  #1 500 ns node 3, start"));
  EXPECT_TRUE(has(all.out, "\nREPLAY: no steps are recorded to compare with\n"));
  const Outcome chosen =
      run(folder, {"run", "--replay", "lost.jsonl", "--set", "properties=agreement"});
  EXPECT_EQ(chosen.status, 1);
  EXPECT_TRUE(has(chosen.out, "\nVIOLATION: agreement: a component of 3 nodes does not agree"));
  const Outcome other =
      run(folder, {"run", "--replay", "lost.jsonl", "--set", "properties=[]", "--json"});
  EXPECT_EQ(other.status, 0) << other.err;
  EXPECT_EQ(Json::parse(other.out).at("agreed"), false);
  header["schedule"]["flights"][0]["arrivals_ns"] = {{1000}};
  folder.write("open.jsonl", header.dump() + "\n");
  const Outcome open = run(folder, {"run", "--replay", "open.jsonl"});
  EXPECT_EQ(open.status, 0) << "the news is still under way";
  EXPECT_TRUE(has(open.out, "deadline"));
}

TEST_F(ReplayTest, RefusesWhatHasNoPlaceBesideIt) {
  refused({"run"}, "run needs a scenario, or --replay and a trace (see bellwether run --help)");
  refused({"run", first_election, "--replay", "run.jsonl"},
          "run takes a scenario or --replay, not both");
  refused({"run", "--replay", "run.jsonl", "--seed", "3"}, "--seed does not apply to --replay");
  refused({"run", "--replay", "run.jsonl", "-a", "lelann"},
          "--algorithm does not apply to --replay");
  refused({"run", "--replay", "run.jsonl", "--set", "network.nodes=4"},
          "--set network.nodes=4 does not apply to --replay, where only properties can be set");
  refused({"run", "--replay", "run.jsonl", "--set", "properties=harmony"}, "\"harmony\"");
  refused({"run", "--replay", "run.jsonl", "--series", "x.csv"}, "--series");
  refused({"run", "--replay", "run.jsonl", "--print"}, "--print");
  refused({"run", "--replay"}, "--replay");
  refused({"run", "--replay", "none.jsonl"}, "none.jsonl: there is no such file");
  refused({"run", "--replay", "."}, "is a folder; name a file in it");
  refused({"run", "--replay", "run.jsonl", "--trace", "none/x.jsonl"}, "cannot be written");
}

TEST_F(ReplayTest, RefusesTracesThatCannotBeReplayed) {
  run(folder, {"run", first_election, "--trace", "plain.jsonl"});
  refused({"run", "--replay", "plain.jsonl"}, "plain.jsonl:1: this trace has no schedule");
  folder.write("bad.jsonl", "{}\n");
  refused({"run", "--replay", "bad.jsonl"}, "bad.jsonl:1: this is not a trace");
  Json header = ring_of_three();
  header["algorithm"] = "chang-robert";
  refused_header(header, "bad.jsonl:1: algorithm: unknown algorithm \"chang-robert\"");
  header["algorithm"] = "flood-max";
  refused_header(header, "bad.jsonl:1: algorithm: flood-max runs in synchronous rounds");
  header = ring_of_three();
  header["schedule"]["options"] = Json::array({{"speed", "9"}});
  refused_header(header, "bad.jsonl:1: options.speed: unknown option");
  header = ring_of_three();
  header["schedule"]["starts"][0]["node"] = 4;
  refused_header(header, "bad.jsonl:1: schedule.starts: there is no node 4 in this schedule");
  header = ring_of_three();
  header["schedule"].erase("alarms");
  refused_header(header, "bad.jsonl:1: \"schedule.alarms\" is missing");
}

}  // namespace
}  // namespace bellwether::cli_test
