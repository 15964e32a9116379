// SPDX-License-Identifier: MIT
#include "bellwether/report/figures/make_figures.hpp"
#include "bellwether/core/problem.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bellwether/report/figures/example_results_test.hpp"
#include "bellwether/report/figures/quantities.hpp"
#include "bellwether/report/tables/metric_words.hpp"

namespace bellwether::report {
namespace {

using experiment::FigureKind;
using experiment::FigureSpec;
using experiment::Results;

FigureSpec by_range() {
  FigureSpec out;
  out.title = "by range";
  out.x = "radio.range";
  out.y = "instability";
  out.by = "algorithm";
  return out;
}

TEST(Quantities, AreNumbersOfOneUnit) {
  const auto read = [](std::vector<std::string> labels) { return quantities(labels); };
  EXPECT_EQ(read({"30", "0.5", "1e3"})->values, (std::vector<double>{30, 0.5, 1000}));
  EXPECT_EQ(read({"90 m", "120m"})->unit, "m");
  EXPECT_EQ(read({"400 ms", "2s"})->values, (std::vector<double>{0.4, 2}));
  EXPECT_EQ(read({"400 ms", "2s"})->unit, "s");
  EXPECT_EQ(read({"400 ms", "2 ms"})->unit, "ms");
  for (const auto& labels : std::vector<std::vector<std::string>>{
           {}, {"flood"}, {"30", "flood"}, {"90 m", "2 s"}, {"2-level"}, {""}, {"3 of 4"}})
    EXPECT_FALSE(quantities(labels).has_value());
}

TEST(MetricWords, SharesAreInPercentAndTheUnknownKeepItsName) {
  EXPECT_EQ(metric_words("instability").unit, "%");
  EXPECT_EQ(metric_words("instability").factor, 100);
  EXPECT_EQ(metric_words("time_s").title, "simulated time");
  EXPECT_EQ(metric_words("messages_per_s").unit, "1/s");
  EXPECT_EQ(metric_words("luck").title, "luck");
}

TEST(MetricWords, MeansShowWhatTheirIntervalLetsOneBelieve) {
  EXPECT_EQ(mean_text({9, 12.3456, 12.2222, 12.469, 0.2}), "12.35 ± 0.12");
  EXPECT_EQ(mean_text({9, 12345.6, 12100, 12591.2, 300}), "12,346 ± 246");
  EXPECT_EQ(mean_text({9, 0.5, 0.49, 0.51, 0.2}, 100), "50.0 ± 1.0");
  EXPECT_EQ(mean_text({1, 12.3456, 12.3456, 12.3456, 0}), "12.35") << "no interval";
  EXPECT_EQ(mean_text({}), "-");
  EXPECT_EQ(interval_text({9, 0.5, 0.49, 0.51, 0.2}, 100), "49.0 to 51.0");
}

TEST(MakeFigure, ACurveForEachAlgorithmOverTheNumbersOfTheAxis) {
  const Figure figure = make_figure(example_results(), by_range());
  EXPECT_EQ(figure.kind, Drawing::lines);
  EXPECT_EQ(figure.x.label, "radio.range (m)");
  EXPECT_EQ(figure.y.label, "instability (%)");
  EXPECT_TRUE(figure.categories.empty());
  ASSERT_EQ(figure.curves.size(), 2u);
  EXPECT_EQ(figure.curves[1].label, "tree");
  ASSERT_EQ(figure.curves[1].samples.size(), 3u);
  const Sample& sample = figure.curves[1].samples[2];
  EXPECT_EQ(sample.x, 90);
  EXPECT_NEAR(sample.mean, 60, 1e-9);
  // Student's t of two degrees at 95 %: 4.3027; three values one apart.
  EXPECT_NEAR(sample.high - sample.mean, 4.30265 / std::sqrt(3.0), 1e-3);
  EXPECT_NE(figure.band.find("95 % confidence interval (Student)"), std::string::npos);
  EXPECT_NE(figure.band.find("3 runs"), std::string::npos);
  EXPECT_EQ(figure.y.least, 0);
  EXPECT_EQ(figure.y.most, 100);
}

TEST(MakeFigure, WhereScaleAndUnitAreObeyed) {
  FigureSpec spec = by_range();
  spec.where = {{"algorithm", "tree"}};
  spec.y = "messages";
  spec.scale = 0.001;
  spec.unit = "thousands";
  const Figure figure = make_figure(example_results(), spec);
  ASSERT_EQ(figure.curves.size(), 1u);
  EXPECT_EQ(figure.curves[0].label, "tree");
  EXPECT_EQ(figure.y.label, "messages (thousands)");
  EXPECT_NEAR(figure.curves[0].samples[0].mean, 2, 1e-12);
}

TEST(MakeFigure, NamesMakeCategories) {
  const Results results = example_results({axis_with("algorithm", {"flood", "tree"}),
                                           axis_with("mobility.model", {"walk", "levy", "group"})});
  FigureSpec spec = by_range();
  spec.kind = FigureKind::bars;
  spec.x = "mobility.model";
  const Figure figure = make_figure(results, spec);
  EXPECT_EQ(figure.categories, (std::vector<std::string>{"walk", "levy", "group"}));
  ASSERT_EQ(figure.curves.size(), 2u);
  EXPECT_EQ(figure.curves[0].samples[2].x, 2);
  EXPECT_NE(figure.band.find("Whiskers"), std::string::npos);
  spec.where = {{"mobility.model", "group"}};
  const Figure less = make_figure(results, spec);
  EXPECT_EQ(less.categories, (std::vector<std::string>{"group"}));
  EXPECT_EQ(less.curves[0].samples[0].x, 0);
}

TEST(MakeFigure, RunsOfDifferentPointsAreNeverMixed) {
  const Results results = example_results({axis_with("algorithm", {"flood", "tree"}),
                                           axis_with("network.nodes", {"20", "50"}),
                                           axis_with("radio.range", {"30", "60"})});
  const Figure figure = make_figure(results, by_range());
  ASSERT_EQ(figure.curves.size(), 4u);
  EXPECT_EQ(figure.curves[1].label, "flood, network.nodes 50");
}

TEST(MakeFigure, ASeriesIsTheMeanOverTheSeeds) {
  FigureSpec spec;
  spec.kind = FigureKind::series;
  spec.y = "instability";
  spec.y2 = "components_mean";
  spec.by = "algorithm";
  spec.where = {{"radio.range", "60"}};
  const Figure figure = make_figure(example_results(), spec);
  ASSERT_EQ(figure.curves.size(), 2u);
  ASSERT_EQ(figure.curves[1].samples.size(), 4u);
  EXPECT_EQ(figure.curves[1].samples[3].x, 40);
  EXPECT_NEAR(figure.curves[1].samples[3].mean, 20, 1e-9);
  EXPECT_LT(figure.curves[1].samples[3].low, 20);
  ASSERT_EQ(figure.right.size(), 1u) << "the same network for all";
  EXPECT_NEAR(figure.right[0].samples[0].mean, 4, 1e-12);
  EXPECT_EQ(figure.x.label, "time (s)");
}

TEST(MakeFigure, WhereTheNetworksDifferEachHasItsOwnCurveOnTheRight) {
  Results results = example_results();
  for (experiment::Row& row : results.rows)
    if (results.points[row.point][0] == 1)
      for (experiment::SeriesPoint& moment : row.series) moment.values[1] += 1;
  FigureSpec spec;
  spec.kind = FigureKind::series;
  spec.y = "instability";
  spec.y2 = "components_mean";
  spec.by = "algorithm";
  spec.where = {{"radio.range", "60"}};
  EXPECT_EQ(make_figure(results, spec).right.size(), 2u);
}

TEST(MakeFigure, WithoutValuesThereAreNoCurves) {
  for (const char* metric : {"energy_mean_j", "luck"}) {
    FigureSpec spec = by_range();
    spec.y = metric;
    EXPECT_TRUE(make_figure(example_results(), spec).curves.empty()) << metric;
  }
  FigureSpec spec = by_range();
  spec.x = "no.axis";
  EXPECT_THROW(make_figure(example_results(), spec), core::Problem);
}

TEST(MakeFigure, CountsOnlyRunsWithAValue) {
  Results results = example_results();
  for (experiment::Row& row : results.rows)
    if (row.seed == 3 && results.points[row.point][1] == 0)
      set_value(row, "instability", std::numeric_limits<double>::quiet_NaN());
  EXPECT_NE(make_figure(results, by_range()).band.find("2 to 3 runs"), std::string::npos);
}

TEST(DefaultFigures, GoOverTheFirstAxisOfNumbers) {
  const auto specs = default_figures(example_results());
  ASSERT_EQ(specs.size(), 3u);
  EXPECT_EQ(specs[0].y, "instability");
  EXPECT_EQ(specs[0].kind, FigureKind::lines);
  EXPECT_EQ(specs[0].x, "radio.range");
  EXPECT_EQ(specs[0].by, "algorithm");
  EXPECT_EQ(specs[1].y, "messages");
  EXPECT_EQ(specs[2].kind, FigureKind::series);
  EXPECT_EQ(specs[2].y2, "components_mean");
  EXPECT_EQ(specs[2].where, (std::vector<experiment::Setting>{{"radio.range", "60"}}));
}

TEST(DefaultFigures, AreBarsWithoutNumbersAndOneForEachRoom) {
  Results results = example_results({axis_with("algorithm", {"flood", "tree"}),
                                     axis_with("network.kind", {"ring", "grid"}),
                                     axis_with("mobility.model", {"walk", "levy"})});
  results.experiment.series.clear();
  results.experiment.metrics = {"messages"};
  const auto specs = default_figures(results);
  ASSERT_EQ(specs.size(), 2u) << "one for each mobility model";
  EXPECT_EQ(specs[0].kind, FigureKind::bars);
  EXPECT_EQ(specs[0].x, "network.kind");
  EXPECT_EQ(specs[0].by, "algorithm");
  EXPECT_EQ(specs[1].title, "Messages, mobility.model levy");
  for (const FigureSpec& spec : specs) EXPECT_EQ(make_figure(results, spec).curves.size(), 2u);
}

TEST(DefaultFigures, AreNoneForASinglePoint) {
  Results results = example_results({});
  results.experiment.series.clear();
  EXPECT_TRUE(default_figures(results).empty());
}

TEST(DefaultFigures, WideRangesAreLogarithmic) {
  const auto specs =
      default_figures(example_results({axis_with("network.nodes", {"10", "10000"})}));
  ASSERT_FALSE(specs.empty());
  EXPECT_TRUE(specs[0].log_x);
}

}  // namespace
}  // namespace bellwether::report
