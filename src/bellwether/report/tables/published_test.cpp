// SPDX-License-Identifier: MIT
#include "bellwether/report/tables/published.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bellwether/report/figures/example_results_test.hpp"

namespace bellwether::report {
namespace {

using experiment::Published;

experiment::Estimate measured(double mean, double half) {
  return {5, mean, mean - half, mean + half, half};
}

Published says(double value, bool of_ratio = false) {
  Published out;
  out.value = value;
  out.tolerance = 0.1;
  if (of_ratio) out.over = {{"algorithm", "tree"}};
  return out;
}

TEST(Published, IsReproducedWithinTheToleranceOrTheInterval) {
  EXPECT_EQ(judge(says(10), measured(10.9, 0.1)), ReproductionVerdict::reproduced);
  EXPECT_EQ(judge(says(10), measured(12, 2.5)), ReproductionVerdict::reproduced);
  EXPECT_EQ(judge(says(-10), measured(-9.5, 0.1)), ReproductionVerdict::reproduced);
  EXPECT_NE(judge(says(0), measured(0.1, 0.2)), ReproductionVerdict::reproduced)
      << "anything lies there";
}

TEST(Published, ADirectionIsReproducedWhereTheWholeIntervalSaysSo) {
  Published more = says(0, true);
  more.direction = experiment::Comparison::more;
  EXPECT_EQ(judge(more, measured(1.5, 0.2)), ReproductionVerdict::reproduced);
  EXPECT_EQ(judge(more, measured(1.5, 0.8)), ReproductionVerdict::same_direction);
  EXPECT_EQ(judge(more, measured(0.9, 0.2)), ReproductionVerdict::not_reproduced);
  more.direction = experiment::Comparison::less;
  EXPECT_EQ(judge(more, measured(0.5, 0.2)), ReproductionVerdict::reproduced);
  EXPECT_EQ(judge(more, measured(1.1, 0.2)), ReproductionVerdict::not_reproduced);
}

TEST(Published, AValueIsInTheSameDirectionWithinAFactorOfTwo) {
  EXPECT_EQ(judge(says(10), measured(19.9, 1)), ReproductionVerdict::same_direction);
  EXPECT_EQ(judge(says(10), measured(5.1, 0.1)), ReproductionVerdict::same_direction);
  EXPECT_EQ(judge(says(10), measured(20.1, 1)), ReproductionVerdict::not_reproduced);
  EXPECT_EQ(judge(says(10), measured(4.9, 1)), ReproductionVerdict::not_reproduced);
  EXPECT_EQ(judge(says(10), measured(-10, 1)), ReproductionVerdict::not_reproduced);
  EXPECT_EQ(judge(says(0), measured(3, 1)), ReproductionVerdict::not_reproduced);
}

TEST(Published, ARatioIsInTheSameDirectionOnTheSameSideOfOne) {
  EXPECT_EQ(judge(says(8, true), measured(1.2, 0.1)), ReproductionVerdict::same_direction);
  EXPECT_EQ(judge(says(0.1, true), measured(0.9, 0.05)), ReproductionVerdict::same_direction);
  EXPECT_EQ(judge(says(8, true), measured(0.9, 0.1)), ReproductionVerdict::not_reproduced);
  EXPECT_EQ(judge(says(0.8, true), measured(1.5, 0.1)), ReproductionVerdict::not_reproduced);
}

TEST(Published, WithoutRunsThereIsNoData) {
  EXPECT_EQ(judge(says(10), {}), ReproductionVerdict::no_data);
}

TEST(Findings, ComeFromThePointThatIsNamed) {
  experiment::Results results = example_results();
  Published value{"wrong at 60 m",
                  "instability",
                  {{"algorithm", "tree"}, {"radio.range", "60"}},
                  {},
                  41,
                  100,
                  0.1,
                  "why",
                  0};
  Published missing = value;
  missing.metric = "energy_mean_j";
  Published unknown = value;
  unknown.metric = "luck";
  results.experiment.published = {value, missing, unknown};
  const auto all = findings(results);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].what, "wrong at 60 m");
  EXPECT_EQ(all[0].published, 41);
  EXPECT_NEAR(all[0].measured.mean, 40, 1e-9) << "scaled to percent";
  EXPECT_EQ(all[0].measured.runs, 3u);
  EXPECT_LT(all[0].measured.low, 40);
  EXPECT_EQ(all[0].verdict, ReproductionVerdict::reproduced);
  EXPECT_EQ(all[0].note, "why");
  EXPECT_EQ(all[1].verdict, ReproductionVerdict::no_data);
  EXPECT_EQ(all[2].verdict, ReproductionVerdict::no_data);
}

TEST(Findings, ARatioIsTakenSeedBySeed) {
  experiment::Results results = example_results();
  // Twice as much for every seed: the ratio is exact, though the values differ.
  for (experiment::Row& row : results.rows)
    set_value(row, "messages",
              (results.points[row.point][0] == 0 ? 200.0 : 100.0) * static_cast<double>(row.seed));
  Published ratio{"flood over tree",
                  "messages",
                  {{"algorithm", "flood"}, {"radio.range", "90"}},
                  {{"algorithm", "tree"}},
                  2,
                  1,
                  0.01,
                  "",
                  0};
  results.experiment.published = {ratio};
  // A run that only one side has does not count.
  std::erase_if(results.rows, [&](const experiment::Row& row) {
    return row.seed == 3 && results.points[row.point][0] == 1;
  });
  const auto all = findings(results);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].measured.runs, 2u);
  EXPECT_NEAR(all[0].measured.mean, 2, 1e-12);
  EXPECT_NEAR(all[0].measured.half_width(), 0, 1e-12);
  EXPECT_EQ(all[0].verdict, ReproductionVerdict::reproduced);
}

/// Side by side, no value is a mean over engines.
TEST(Findings, EachEngineHasItsOwn) {
  experiment::Results fast = example_results();
  fast.experiment.published = {
      {"wrong", "instability", {{"algorithm", "tree"}}, {}, 40, 100, 0.1, "", 0},
      {"tree over flood",
       "instability",
       {{"algorithm", "tree"}},
       {{"algorithm", "flood"}},
       2,
       1,
       0.1,
       "",
       0}};
  experiment::Results other = fast;
  other.engine = "ns3";
  for (experiment::Row& row : other.rows)
    if (other.points[row.point][0] == 1)
      set_value(row, "instability", 1.5 * row.values[experiment::column("instability")]);
  const auto all = findings_by_engine(experiment::side_by_side({fast, other}));
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].engine, "fast");
  EXPECT_EQ(all[1].engine, "ns3");
  EXPECT_NEAR(all[0].findings[0].measured.mean, 40, 1e-9) << "over all ranges, as published";
  EXPECT_NEAR(all[1].findings[0].measured.mean, 60, 1e-9);
  EXPECT_NEAR(all[0].findings[1].measured.mean, 2, 1e-2);
  EXPECT_NEAR(all[1].findings[1].measured.mean, 3, 2e-2);
  EXPECT_EQ(all[0].findings[0].verdict, ReproductionVerdict::reproduced);
  EXPECT_EQ(all[1].findings[0].verdict, ReproductionVerdict::same_direction);
  EXPECT_EQ(findings_by_engine(fast).size(), 1u);
}

}  // namespace
}  // namespace bellwether::report
