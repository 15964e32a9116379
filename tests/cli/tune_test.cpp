// SPDX-License-Identifier: MIT
// bellwether tune: what it proposes, prints and refuses. What drumbeat measures is not asserted.
#include <gtest/gtest.h>

#include "bellwether/json/json.hpp"
#include "cli/program.hpp"
#include "cli/refused.hpp"

namespace bellwether::cli_test {
namespace {

using json::Json;

testing::AssertionResult has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << '"' << part << "\" is not in:\n" << text;
}

const std::string tiny =
    "algorithm = \"cel-2\"\n[network]\ntopology = \"radio\"\nnodes = 4\n"
    "[mobility]\nmodel = \"still\"\nwidth = 50\nheight = 50\n"
    "[radio]\nmodel = \"lossy\"\nrange = 100\ndelay = \"uniform\"\nmin = \"1 ms\"\nmax = \"2 ms\"\n"
    "loss = 0.01\n[neighbours]\ndetect = \"probes\"\n[stop]\ntime = \"60 s\"\n";

Folder& folder() {
  static Folder out;
  out.write("tiny.toml", tiny);
  return out;
}

Arguments tune(const Arguments& more) {
  Arguments out{"tune", "tiny.toml", "--quiet", "--runs", "2"};
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

Json tuned(const Arguments& more, int status = 0) {
  Arguments arguments = tune(more);
  arguments.emplace_back("--json");
  const Outcome outcome = run(folder(), arguments);
  EXPECT_EQ(outcome.status, status) << outcome.err;
  return Json::parse(outcome.out);
}

double mean(const Json& row, const char* metric) {
  return row.at(metric).at("mean").get<double>();
}

TEST(Tune, ProposesOptionsThatADaemonAndAScenarioTake) {
  const Outcome outcome = run(folder(), tune({"--traffic", "2 kB/s"}));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "drumbeat in tiny; wish: steady; at most 2 kB/s"));
  EXPECT_TRUE(has(outcome.out, "About 96 runs"));
  EXPECT_TRUE(has(outcome.out, "\n*  "));
  EXPECT_TRUE(has(outcome.out, "[options]\n  period = \""));
  EXPECT_TRUE(has(outcome.out, "Trade-offs"));
  // The block is read by both.
  const std::string block = tuned({}).at("toml").get<std::string>();
  folder().write("proposed.toml", block + "[network]\nnodes = 3\n[stop]\ntime = \"1 s\"\n");
  EXPECT_EQ(run(folder(), {"run", "proposed.toml"}).status, 0);
  folder().write("node.toml", "id = 1\nplain = true\nsocket = \"none\"\n" + block);
  const Outcome node = run(folder(), {"node", "--config", "node.toml", "--check-config"});
  EXPECT_EQ(node.status, 0) << node.err;
}

TEST(Tune, RespectsTheBoundAndTheWish) {
  const Json steady = tuned({});
  const Json fast = tuned({"--wish", "fast"});
  const Json frugal = tuned({"--wish", "frugal"});
  const auto bytes = [](const Json& result) {
    return mean(result.at("chosen"), "bytes_per_node_per_s");
  };
  EXPECT_LT(bytes(frugal), bytes(fast));
  EXPECT_LT(mean(frugal.at("chosen"), "failover_p95_s"), 1);
  EXPECT_LE(mean(fast.at("chosen"), "failover_p95_s"),
            1.1 * mean(steady.at("chosen"), "failover_p95_s"));
  const std::string bound = std::to_string(bytes(fast) / 2) + " B/s";
  EXPECT_LE(bytes(tuned({"--wish", "fast", "--traffic", bound})), bytes(fast) / 2);
}

TEST(Tune, SaysWhatWouldBeNearestWhereNothingFits) {
  const Outcome outcome = run(folder(), tune({"--traffic", "1 B/s"}));
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(has(outcome.out, "Nothing meets the bound (traffic of at most 1 B/s). The nearest:"));
  EXPECT_TRUE(has(outcome.out, "neighbours.period"));
  EXPECT_EQ(outcome.out.find("[options]"), std::string::npos);
  const Json result = tuned({"--traffic", "1 B/s"}, 1);
  EXPECT_FALSE(result.at("fits").get<bool>());
  EXPECT_GT(mean(result.at("nearest"), "bytes_per_node_per_s"), 1);
}

TEST(Tune, IsTheSameOnOneCoreAndOnTwo) {
  const Json one = tuned({"--jobs", "1", "--seed", "3"});
  EXPECT_EQ(one.dump(), tuned({"--jobs", "2", "--seed", "3"}).dump());
  EXPECT_NE(one.dump(), tuned({"--seed", "4"}).dump());
}

TEST(Tune, ExplainsItsWishes) {
  const Outcome outcome = run(folder(), {"tune", "--help"});
  EXPECT_EQ(outcome.status, 0);
  for (const char* part : {"steady", "fast", "frugal", "--traffic", "--recording", "Exit status"})
    EXPECT_TRUE(has(outcome.out, part));
}

TEST(BadInput, Tune) {
  const auto refuse = [](const Arguments& more, const Parts& parts) {
    Arguments arguments{"tune", "tiny.toml"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    refused(folder(), arguments, parts);
  };
  refuse({"--wish", "fats"}, {"--wish", "\"fats\"", "did you mean \"fast\"?"});
  for (const char* text :
       {"400", "fast", "-1 B/s", "0 B/s", "nan B/s", "inf B/s", "400 B", "1 B/s/s"})
    refuse({"--traffic", text}, {"--traffic", "such as \"400 B/s\"", text});
  refuse({"--runs", "0"}, {"--runs"});
  refuse({"--set", "stop.time=10s"}, {"stop.time", "no room for crashes", "at least 40 s"});
  refuse({"--set", "network.nodes=1"}, {"network.nodes", "at least 2"});
  refuse({"--set", "network.nodes=5000"}, {"network.nodes", "at most 2000 nodes"});
  refuse({"--set", "algorithm=drumbeat", "--set", "options.period=often"}, {"period", "often"});
  refuse({"--recording", "tiny.toml"}, {"--recording", "remove tiny.toml"});
  refused(folder(), {"tune", "--recording", "tiny.toml"},
          {"tiny.toml: is not a recording", "--record"});
  refused(folder(), {"tune", "--recording", "none.rec"}, {"none.rec"});
  refused(folder(), {"tune", "flood-max"}, {"algorithm", "flood-max runs in synchronous rounds"});
  refused(folder(), {"tune", "no-such-scenario"}, {"no-such-scenario"});
}

}  // namespace
}  // namespace bellwether::cli_test
