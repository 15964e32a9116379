// SPDX-License-Identifier: MIT
#include "bellwether/report/tables/central.hpp"
#include "bellwether/json/json.hpp"

#include <gtest/gtest.h>

namespace bellwether::report {
namespace {

CentralReport large() {
  CentralReport report;
  report.graph = "roads\n.gr";
  report.weighted = true;
  report.nodes = 1'002'000;
  report.links = 2'500'000;
  report.components = 1001;
  report.parts = {{1'000'000, 2'499'000, {{"17", 999'999, 123'456'789'012, 0}}}};
  report.more_parts = 1000;
  report.more_nodes = 2000;
  report.reading = std::chrono::duration<double>(1.2345);
  report.computing = std::chrono::duration<double>(0.0123);
  report.computing_cpu = std::chrono::duration<double>(0.000'045'6);
  return report;
}

TEST(CentralReport, LargeNumbersAreGroupedAndColumnsStandBelowTheirTitles) {
  EXPECT_EQ(central_table(large()),
            "most central in roads?.gr\n"
            "-------------------------\n"
            "measure     closeness: the smallest sum of distances, in weights\n"
            "nodes       1,002,000\n"
            "links       2,500,000\n"
            "components  1,001\n"
            "\n"
            "component      nodes      links  most central     distance sum  mean distance\n"
            "---------  ---------  ---------  ------------  ---------------  -------------\n"
            "        1  1,000,000  2,499,000  17            123,456,789,012    123456.9125\n"
            "... and 1,000 more components with 2,000 nodes in all (--all shows them)\n"
            "\n"
            "time        1.23 s to read, 12.3 ms to compute (46 us of CPU time)\n");
}

TEST(CentralReport, TimesHaveThreeDigits) {
  const auto last = [](double seconds) {
    CentralReport report = large();
    report.reading = std::chrono::duration<double>(seconds);
    const std::string out = central_table(report);
    const std::size_t at = out.rfind("time        ") + 12;
    return out.substr(at, out.find(" to read") - at);
  };
  EXPECT_EQ(last(0), "0 us");
  EXPECT_EQ(last(0.000'999'4), "999 us");
  EXPECT_EQ(last(0.000'999'6), "1.00 ms");
  EXPECT_EQ(last(0.009'996), "10.0 ms");
  EXPECT_EQ(last(0.099'96), "100 ms");
  EXPECT_EQ(last(0.999'6), "1.00 s");
  EXPECT_EQ(last(1234.5), "1234 s");
}

TEST(CentralReport, TheHarmonicMeasureHasItsOwnColumns) {
  CentralReport report = large();
  report.weighted = false;
  report.measure = CentralMeasure::harmonic;
  report.ranks = true;
  report.parts = {{3, 2, {{"b", 2, 0, 2}, {"k\xC3\xB6ln", 2, 0, 1.5}}}};
  const std::string out = central_table(report);
  EXPECT_NE(out.find("component  nodes  links  rank  node  sum of 1/distance  mean of 1/distance\n"
                     "---------  -----  -----  ----  ----  -----------------  ------------------\n"
                     "        1      3      2     1  b                2.0000              1.0000\n"
                     "                            2  k\xC3\xB6ln             1.5000              "
                     "0.7500\n"),
            std::string::npos)
      << out;
  const auto json = json::Json::parse(central_json(report));
  EXPECT_EQ(json["measure"], "harmonic");
  EXPECT_EQ(json["most_central"][0]["ranked"][1]["inverse_distance_sum"], 1.5);
  EXPECT_EQ(json["most_central"][0]["ranked"][1]["mean_inverse_distance"], 0.75);
  EXPECT_FALSE(json["most_central"][0]["ranked"][1].contains("distance_sum"));
  EXPECT_EQ(json["not_shown"]["components"], 1000);
}

}  // namespace
}  // namespace bellwether::report
