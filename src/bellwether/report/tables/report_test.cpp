// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include "bellwether/json/json.hpp"
#include "bellwether/report/tables/print.hpp"
#include "bellwether/report/tables/units.hpp"

namespace bellwether::report {
namespace {

using observe::Ended;
using observe::RunReport;

RunReport small_report() {
  RunReport report;
  report.algorithm = "height";
  report.scenario = "storm";
  report.seed = 7;
  report.nodes = 1'000'000;
  report.links = 2'999;
  report.events = 12'345'678;
  report.messages = 9'876;
  report.bytes = 1'234'567;
  report.time = std::chrono::milliseconds(1250);
  report.leaders = {{0, 3, NodeId{5}, true}, {1, 999'990, NodeId{77}, false}, {2, 7, {}, false}};
  report.metrics = {{"messages per node", 2.5}, {"longest silence", 0}};
  report.fingerprint = "0123456789abcdef";
  return report;
}

TEST(ReportTable, TellsEverythingInAlignedColumns) {
  EXPECT_EQ(report_table(small_report()),
            R"(height on storm, seed 7
-----------------------
leader             5, not agreed, not agreed (one for each component)
agreement          no: one leader in 1 of 3 components
ended              quiescent: nothing was left to do
simulated time     1.25 s
nodes              1,000,000
links              2,999
events             12,345,678
messages           9,876
bytes              1.23 MB (1,234,567)
messages per node  2.5
longest silence    0
fingerprint        0123456789abcdef

component    nodes  leader  agreed
---------  -------  ------  ------
        1  999,990      77  no
        2        7    none  no
        0        3       5  yes
)");
}

TEST(ReportTable, ShowsTheTenLargestComponents) {
  RunReport report = small_report();
  report.leaders.clear();
  for (std::uint32_t i = 0; i < 1'012; ++i)
    report.leaders.push_back({i, i % 50 + 1, NodeId{i}, true});
  report.agreed = true;
  const std::string table = report_table(report);
  EXPECT_NE(table.find("agreement          yes: one leader in each component\n"),
            std::string::npos);
  EXPECT_NE(table.find("\n       49     50      49  yes\n       99     50      99  yes\n"),
            std::string::npos);
  EXPECT_EQ(table.substr(table.rfind("...")), "... and 1,002 more\n");
}

TEST(ReportTable, SaysWhatIsPartialAndWhatIsBroken) {
  RunReport report = small_report();
  EXPECT_EQ(report_table(report).find("PARTIAL"), std::string::npos);
  report.ended = Ended::interrupted;
  EXPECT_NE(report_table(report).find("\nPARTIAL: the run was interrupted"), std::string::npos);
  report.ended = Ended::violation;
  report.violation = "one-leader: two nodes lead";
  report.last_steps = {"#1 start", "#2 two\nlines"};
  const std::string table = report_table(report);
  EXPECT_EQ(table.substr(table.find("\nVIOLATION")),
            "\nVIOLATION: one-leader: two nodes lead\nThe last steps:\n"
            "  #1 start\n  #2 two?lines\n");
}

TEST(ReportPrinters, TellHowAReplayWent) {
  RunReport report = small_report();
  const auto ends_in = [&](const std::string& end, const std::string& json) {
    EXPECT_TRUE(report_table(report).ends_with("\nREPLAY: " + end)) << report_table(report);
    EXPECT_TRUE(report_json(report).ends_with(",\"replay\":" + json + "}")) << report_json(report);
  };
  report.replay = observe::ReplayComparison{.steps = 1234, .same = 1234};
  ends_in("all 1,234 steps are as recorded\n", R"({"steps":1234,"as_recorded":true})");
  report.replay = observe::ReplayComparison{};
  ends_in("no steps are recorded to compare with\n", R"({"steps":0,"as_recorded":true})");
  report.replay =
      observe::ReplayComparison{.steps = 9, .same = 3, .recorded = "#4 \"a\"", .taken = "#4\nb"};
  ends_in("step 4 is not as recorded\n  recorded  #4 \"a\"\n  replayed  #4?b\n",
          R"({"steps":9,"as_recorded":false,"first_difference":4,)"
          R"("recorded":"#4 \"a\"","replayed":"#4\nb"})");
  report.replay = observe::ReplayComparison{.steps = 9, .same = 9, .taken = "#10"};
  ends_in(
      "step 10 is not as recorded\n  recorded  nothing: the recorded run had ended\n"
      "  replayed  #10\n",
      R"({"steps":9,"as_recorded":false,"first_difference":10,"recorded":null,"replayed":"#10"})");
}

TEST(ReportTable, ManagesWithoutNodes) {
  const std::string table = report_table({});
  EXPECT_NE(table.find("no node is alive"), std::string::npos);
  EXPECT_EQ(table.find("component"), std::string::npos);
}

TEST(ReportJson, IsOneLineWithKeysInOrder) {
  EXPECT_EQ(report_json(small_report()),
            R"({"algorithm":"height","scenario":"storm","seed":7,"nodes":1000000,"links":2999,)"
            R"("events":12345678,"messages":9876,"bytes":1234567,"time_s":1.25,)"
            R"("ended":"quiescent",)"
            R"("partial":false,"agreed":false,"leaders":[)"
            R"({"component":0,"size":3,"leader":5,"agreed":true},)"
            R"({"component":1,"size":999990,"leader":77,"agreed":false},)"
            R"({"component":2,"size":7,"leader":null,"agreed":false}],)"
            R"("metrics":{"messages per node":2.5,"longest silence":0},)"
            R"("fingerprint":"0123456789abcdef"})");
}

TEST(ReportJson, IsJsonWhateverTheTextIs) {
  RunReport report = small_report();
  report.scenario = "a \"b\" \\ \n \xFF";
  report.ended = Ended::interrupted;
  report.metrics = {{"odd\t", INFINITY}};
  report.violation = "p: says \x01";
  report.last_steps = {"one", "two"};
  report.time = core::Time{3};
  const auto json = json::Json::parse(report_json(report));
  EXPECT_EQ(json["scenario"], "a \"b\" \\ \n \uFFFD");
  EXPECT_EQ(json["partial"], true);
  EXPECT_EQ(json["ended"], "interrupted");
  EXPECT_TRUE(json["metrics"]["odd\t"].is_null());
  EXPECT_EQ(json["violation"], "p: says \x01");
  EXPECT_EQ(json["last_steps"], (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(json["time_s"].get<double>(), 3e-9);
}

RunReport measured_report() {
  RunReport report = small_report();
  report.leaders.clear();
  report.metrics = {{"leader_changes", 12},    {"odd one", 1},
                    {"power_mean_w", 0.5},     {"instability", 0.0625},
                    {"messages_per_s", 1250},  {"leader_path_median_hops", NAN},
                    {"components_mean", 2.25}, {"leader_path_longest_hops", 3}};
  report.series = {std::chrono::milliseconds(500),
                   {"time_s", "instability", "leader_path_longest_hops"},
                   {{0.5, 0.25, NAN}, {1, 0, 2}}};
  return report;
}

TEST(ReportTable, ShowsMetricsInWordsAndGroups) {
  const std::string table = report_table(measured_report());
  EXPECT_EQ(table.substr(table.find("bytes ")), R"(bytes           1.23 MB (1,234,567)
leader changes  12
odd one         1
fingerprint     0123456789abcdef

election
  instability  6.25 %
  (instability: mean share of live nodes that do not name the node that should lead their component)

paths to the leader
  median path   -
  longest path  3 hops

traffic
  messages  1,250 /s

network
  components, mean  2.25

energy and radio
  power per node, mean  0.5 W
)");
}

TEST(ReportTable, SaysNothingTwiceAndNothingOfWhatDidNotHappen) {
  RunReport report = small_report();
  report.metrics = {{"leader_changes", 12},   {"messages_per_node", 7},
                    {"measured_time_s", 10},  {"leader_changes_measured", 11},
                    {"leader_crashes", 0},    {"election_time_mean_s", NAN},
                    {"radio_sleep_mean_s", 0}};
  const std::string calm = report_table(report);
  for (const char* part : {"  12\n", "messages per node", "crashes of leaders", "radio asleep"})
    EXPECT_EQ(calm.find(part), std::string::npos) << part << calm;
  EXPECT_NE(calm.find("\n  leader changes  11\n"), std::string::npos) << calm;
  report.metrics[4].value = 1;
  EXPECT_NE(report_table(report).find("\ncrashes of leaders\n  crashes of leaders   1\n"),
            std::string::npos)
      << report_table(report);
  EXPECT_NE(report_json(report).find("\"leader_changes\":12"), std::string::npos);
}

TEST(ReportJson, HasTheSeries) {
  const std::string text = report_json(measured_report());
  EXPECT_NE(text.find(R"(,"series":{"interval_s":0.5,"columns":["time_s","instability",)"
                      R"("leader_path_longest_hops"],"rows":[[0.5,0.25,null],[1,0,2]]},)"),
            std::string::npos);
  const auto json = json::Json::parse(text);
  EXPECT_TRUE(json["metrics"]["leader_path_median_hops"].is_null());
  EXPECT_EQ(json["metrics"]["instability"], 0.0625);
  EXPECT_EQ(report_json(small_report()).find("series"), std::string::npos);
}

TEST(SeriesCsv, HasOneLinePerInterval) {
  EXPECT_EQ(series_csv(measured_report()),
            "time_s,instability,leader_path_longest_hops\n0.5,0.25,\n1,0,2\n");
  EXPECT_EQ(series_csv(small_report()), "");
}

/// A quadratic printer would take hours, and this test would not end.
TEST(ReportPrinters, DoNotMindAMillionComponents) {
  RunReport report = small_report();
  report.leaders.assign(1'000'000, {0, 1, NodeId{1}, true});
  EXPECT_LT(report_table(report).size(), 3'000u);
  EXPECT_GT(report_json(report).size(), 50'000'000u);
}

TEST(Units, AreForPeople) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1'000), "1,000");
  EXPECT_EQ(grouped(18'446'744'073'709'551'615u), "18,446,744,073,709,551,615");
  EXPECT_EQ(counted(1, "node"), "1 node");
  EXPECT_EQ(counted(2'000, "node"), "2,000 nodes");
  EXPECT_EQ(counted(2, "loss") + counted(3, "crash"), "2 losses3 crashes");
  EXPECT_EQ(human_number(1e6), "1,000,000");
  EXPECT_EQ(human_number(-1234), "-1,234");
  EXPECT_EQ(human_number(0.1234567), "0.1235");
  EXPECT_EQ(human_number(999.96), "1000");
  EXPECT_EQ(human_number(1'145'766.4), "1,145,766");
  EXPECT_EQ(human_number(-1234.5), "-1,235");
  EXPECT_EQ(human_number(NAN), "-");
}

TEST(Units, OneForAWholeColumn) {
  const TimeUnit ms = unit_for(std::chrono::milliseconds(999));
  EXPECT_EQ(ms.name, "ms");
  EXPECT_EQ(unit_for(Time{}).name, "s");
  EXPECT_EQ(unit_for(Time{999}).name, "ns");
  EXPECT_EQ(decimals_needed(std::chrono::milliseconds(5), ms, 6), 0);
  EXPECT_EQ(decimals_needed(std::chrono::microseconds(1'250), ms, 6), 2);
  EXPECT_EQ(decimals_needed(Time{1}, ms, 6), 6);
  EXPECT_EQ(decimals_needed(Time{1}, ms, 3), 3);
  EXPECT_EQ(in_unit(std::chrono::microseconds(1'250), ms, 3), "1.250");
}

}  // namespace
}  // namespace bellwether::report
