// SPDX-License-Identifier: MIT
// Figures as SVG, pgfplots and CSV, and the axes that they stand on.
#include "bellwether/report/figures/figure.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <pugixml.hpp>
#include <set>

#include "bellwether/report/figures/figure_axes.hpp"
#include "bellwether/report/figures/figure_frame.hpp"
#include "bellwether/report/figures/plot_axis.hpp"

namespace bellwether::report {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

pugi::xml_document parsed(const std::string& svg) {
  pugi::xml_document out;
  const auto result = out.load_string(svg.c_str());
  EXPECT_TRUE(result) << result.description() << '\n' << svg;
  return out;
}

bool has_class(const pugi::xml_node& node, const std::string& name) {
  const std::string all = ' ' + std::string(node.attribute("class").value()) + ' ';
  return all.find(' ' + name + ' ') != std::string::npos;
}

std::vector<pugi::xml_node> of_class(const pugi::xml_node& root, const std::string& name) {
  std::vector<pugi::xml_node> out;
  for (const auto& each : root.select_nodes("//*[@class]"))
    if (has_class(each.node(), name)) out.push_back(each.node());
  return out;
}

std::vector<std::string> texts(const pugi::xml_node& root, const std::string& name) {
  std::vector<std::string> out;
  for (const auto& node : of_class(root, name)) out.emplace_back(node.text().get());
  return out;
}

std::size_t count_of(const std::string& text, char c) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), c));
}

Curve line(std::string label, const std::vector<double>& values) {
  Curve out{std::move(label), {}};
  for (std::size_t i = 0; i < values.size(); ++i)
    out.samples.push_back(
        {30.0 * static_cast<double>(i + 1), values[i], values[i] - 1, values[i] + 1});
  return out;
}

Figure three_lines() {
  Figure out;
  out.title = "Wrong & <wronger>";
  out.x.label = "range (m)";
  out.y.label = "wrong (%)";
  out.curves = {line("flood", {10, 40, 20}), line("tree", {5, 20, 9}), line("central", {6, 25, 8})};
  return out;
}

Figure bars() {
  Figure out = three_lines();
  out.kind = Drawing::bars;
  out.categories = {"walk", "waypoint", "levy"};
  for (Curve& curve : out.curves)
    for (std::size_t i = 0; i < 3; ++i) curve.samples[i].x = static_cast<double>(i);
  return out;
}

TEST(PlotAxis, TicksAreRoundAndWithinTheAxis) {
  for (const double top : {0.00031, 0.7, 1.0, 9.99, 47.0, 1234.0, 8.7e6, 3e13})
    for (const bool log : {false, true})
      for (const std::size_t most : {2u, 4u, 7u, 10u}) {
        const PlotAxis axis = plot_axis(std::vector{top / 300, top}, {log, false, false}, most);
        ASSERT_GE(axis.ticks.size(), 2u) << top << ' ' << log << ' ' << most;
        EXPECT_LE(axis.ticks.size(), most + 1) << top << ' ' << log;
        std::set<std::string> labels;
        for (const AxisTick& tick : axis.ticks) {
          EXPECT_GE(tick.value, axis.low * (1 - 1e-6));
          EXPECT_LE(tick.value, axis.high * (1 + 1e-6));
          EXPECT_TRUE(labels.insert(tick.label).second) << tick.label;
        }
      }
}

TEST(PlotAxis, LabelsSuitTheSizeOfTheNumbers) {
  const auto labels = [](double top, bool log) {
    std::string out;
    for (const AxisTick& tick :
         plot_axis(std::vector{top / 100, top}, {log, false, false}, 4).ticks)
      out += (out.empty() ? "" : " | ") + tick.label;
    return out;
  };
  EXPECT_EQ(labels(60, false), "0 | 20 | 40 | 60");
  EXPECT_EQ(labels(0.6, false), "0 | 0.2 | 0.4 | 0.6");
  EXPECT_EQ(labels(6000, false), "0 | 2,000 | 4,000 | 6,000");
  EXPECT_EQ(labels(6e6, false), "0 | 2 M | 4 M | 6 M");
  EXPECT_EQ(labels(6e-6, false), "0 | 2×10⁻⁶ | 4×10⁻⁶ | 6×10⁻⁶");
  EXPECT_EQ(labels(1000, true), "10 | 100 | 1,000");
  EXPECT_EQ(labels(1e8, true), "10⁶ | 10⁷ | 10⁸");
}

TEST(PlotAxis, NothingZeroAndOneValueStillMakeAnAxis) {
  for (const bool log : {false, true})
    for (const bool snug : {false, true})
      for (const std::vector<double>& values : {std::vector<double>{},
                                                {0},
                                                {none},
                                                {5},
                                                {5, 5},
                                                {-3},
                                                {1e-9},
                                                {0, 0},
                                                {1e20, 1e20 + 16384}}) {
        const PlotAxis axis = plot_axis(values, {log, false, snug}, 6);
        EXPECT_LT(axis.low, axis.high);
        EXPECT_FALSE(axis.ticks.empty());
        for (const double value : values)
          if (axis.shows(value)) {
            EXPECT_GE(value, axis.low - 1e-12);
            EXPECT_LE(value, axis.high + 1e-9 * std::abs(axis.high));
          }
      }
}

TEST(PlotAxis, ZeroBelongsToItWhereTheValuesComeNear) {
  EXPECT_EQ(plot_axis(std::vector{30.0, 90.0}, {}, 6).low, 0);
  EXPECT_GT(plot_axis(std::vector{80.0, 90.0}, {}, 6).low, 0);
  EXPECT_EQ(plot_axis(std::vector{80.0, 90.0}, {false, true, false}, 6).low, 0);
  EXPECT_LT(plot_axis(std::vector{-5.0, 90.0}, {}, 6).low, 0);
}

TEST(FigureFrame, LabelsAreMovedApartAndStayInOrder) {
  const std::vector<double> out = spread({10, 11, 12, 100, 299}, 18, 0, 300);
  for (std::size_t i = 1; i < out.size(); ++i) EXPECT_GE(out[i] - out[i - 1], 18 - 1e-9);
  EXPECT_GE(out.front(), 0);
  EXPECT_LE(out.back(), 300);
  EXPECT_NEAR(out[3], 100, 1e-9) << "what has room stays";
}

TEST(FigureFrame, TextIsWrappedAtWords) {
  EXPECT_EQ(wrapped("one two  three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrapped("incomprehensible", 4), (std::vector<std::string>{"incomprehensible"}));
  EXPECT_TRUE(wrapped("", 4).empty());
}

TEST(FigureSvg, LinesHaveACurveABandAndMarkersOfTheirOwnShape) {
  const auto svg = parsed(figure_svg(three_lines()));
  EXPECT_STREQ(svg.child("svg").child("title").text().get(), "Wrong & <wronger>");
  EXPECT_EQ(of_class(svg, "curve").size(), 3u);
  EXPECT_EQ(of_class(svg, "band").size(), 3u);
  EXPECT_EQ(of_class(svg, "marker").size(), 9u + 3u) << "and one at each name";
  std::set<std::string> shapes, looks;
  for (const auto& node : of_class(svg, "marker")) {
    shapes.insert(node.attribute("d").value());
    looks.insert(node.attribute("class").value());
  }
  EXPECT_EQ(shapes.size(), 3u);
  EXPECT_EQ(looks.size(), 3u);
  EXPECT_EQ(texts(svg, "name"), (std::vector<std::string>{"flood", "tree", "central"}));
  const auto ticks = texts(svg, "tick");
  for (const char* tick : {"30", "60", "90", "0", "50"})
    EXPECT_NE(std::find(ticks.begin(), ticks.end(), tick), ticks.end()) << tick;
}

TEST(FigureSvg, TwelveCurvesCanAllBeToldApart) {
  Figure figure = three_lines();
  figure.curves.clear();
  for (int i = 0; i < 12; ++i) figure.curves.push_back(line("curve " + std::to_string(i), {1, 2}));
  for (const double width : {358.0, 720.0}) {
    const auto svg = parsed(figure_svg(figure, {width, false}));
    std::set<std::string> kinds;
    for (const auto& node : of_class(svg, "marker"))
      kinds.insert(std::string(node.attribute("class").value()) + node.attribute("d").value());
    EXPECT_EQ(kinds.size(), 12u);
    EXPECT_EQ(texts(svg, "name").size(), 12u);
    for (const auto& node : of_class(svg, "name")) {
      const double end = node.attribute("x").as_double() + 7.2 * 8;
      EXPECT_LE(end, width) << "the legend is wrapped";
    }
  }
}

TEST(FigureSvg, GapsAreLeftWhereThereIsNoNumber) {
  Figure figure = three_lines();
  figure.curves = {line("a", {1, 2, none, 4, 5, none, 7})};
  const auto svg = parsed(figure_svg(figure));
  ASSERT_EQ(of_class(svg, "curve").size(), 2u) << "the curve, and its sample in the legend";
  for (const auto& node : of_class(svg, "curve"))
    if (std::string(node.name()) == "path") {
      EXPECT_EQ(count_of(node.attribute("d").value(), 'M'), 2u);
    }
  EXPECT_EQ(of_class(svg, "band").size(), 2u);
  EXPECT_EQ(of_class(svg, "whisker").size(), 1u) << "a value between gaps";
  EXPECT_EQ(of_class(svg, "marker").size(), 5u + 1u);
  EXPECT_EQ(figure_svg(figure).find("nan"), std::string::npos);
}

TEST(FigureSvg, LogarithmsLeaveOutWhatTheyCannotShow) {
  Figure figure = three_lines();
  figure.y.log = true;
  figure.curves = {line("a", {0, 0.5, 10, 1000})};
  const std::string text = figure_svg(figure);
  EXPECT_EQ(of_class(parsed(text), "marker").size(), 3u + 1u);
  EXPECT_EQ(text.find("inf"), std::string::npos);
  EXPECT_EQ(text.find("nan"), std::string::npos);
  EXPECT_NE(text.find("vertical axis is logarithmic"), std::string::npos);
}

TEST(FigureSvg, BarsHaveWhiskersSignsAndNames) {
  const auto svg = parsed(figure_svg(bars()));
  EXPECT_EQ(of_class(svg, "bar").size(), 9u);
  EXPECT_EQ(of_class(svg, "onbar").size(), 9u);
  const auto ticks = texts(svg, "tick");
  for (const char* name : {"walk", "waypoint", "levy", "0"})
    EXPECT_NE(std::find(ticks.begin(), ticks.end(), name), ticks.end()) << name;
  EXPECT_TRUE(has_class(of_class(svg, "bar")[0].child("rect"), "b0"));
  EXPECT_TRUE(has_class(of_class(svg, "bar")[8].child("rect"), "b2"));
  EXPECT_EQ(of_class(svg, "sign").size(), 9u + 3u) << "and one at each name";
}

TEST(FigureSvg, BarsAreAsLongAsTheirValues) {
  Figure figure = bars();
  figure.curves.resize(1);
  const auto svg = parsed(figure_svg(figure));
  std::vector<double> heights;
  for (const auto& node : of_class(svg, "bar"))
    heights.push_back(node.child("rect").attribute("height").as_double());
  ASSERT_EQ(heights.size(), 3u);
  EXPECT_NEAR(heights[1] / heights[0], 4, 0.01);
  EXPECT_NEAR(heights[2] / heights[0], 2, 0.01);
}

TEST(FigureSvg, LinesOverCategoriesAreDots) {
  Figure figure = bars();
  figure.kind = Drawing::lines;
  const auto svg = parsed(figure_svg(figure));
  EXPECT_EQ(of_class(svg, "whisker").size(), 9u);
  for (const auto& node : of_class(svg, "curve"))
    EXPECT_STREQ(node.name(), "line") << "legend only";
}

TEST(FigureSvg, ASeriesHasTheRightAxisAsAnAreaBehind) {
  Figure figure;
  figure.kind = Drawing::series;
  figure.y2.label = "components";
  Curve left{"wrong", {}}, right{"components (right)", {}};
  for (int i = 1; i <= 200; ++i) {
    left.samples.push_back({5.0 * i, 20.0 + i % 7, 18, 28});
    right.samples.push_back({5.0 * i, 3.0 + i % 3, none, none});
  }
  figure.curves = {left, left, left};
  figure.right = {right};
  auto svg = parsed(figure_svg(figure));
  EXPECT_EQ(of_class(svg, "shade").size(), 2u) << "the area, and its sample in the legend";
  EXPECT_LT(of_class(svg, "marker").size(), 40u) << "not one for each of 600 samples";
  EXPECT_GE(of_class(svg, "marker").size(), 12u);
  const auto ticks = texts(svg, "tick");
  EXPECT_NE(std::find(ticks.begin(), ticks.end(), "1,000"), ticks.end());
  figure.right = {right, right};
  svg = parsed(figure_svg(figure));
  EXPECT_EQ(of_class(svg, "shade").size(), 0u);
  EXPECT_EQ(of_class(svg, "step").size(), 2u);
}

TEST(FigureSvg, OddDataStillMakeAPicture) {
  Figure empty = three_lines();
  empty.curves.clear();
  EXPECT_NE(figure_svg(empty).find("no data"), std::string::npos);
  Figure blank = three_lines();
  blank.curves = {line("a", {none, none}), line("b", {none, none})};
  EXPECT_NE(figure_svg(blank).find("no data"), std::string::npos);
  Figure one = three_lines();
  for (Curve& curve : one.curves) curve.samples.resize(1);
  EXPECT_EQ(of_class(parsed(figure_svg(one)), "whisker").size(), 3u);
  Figure zero = three_lines();
  for (Curve& curve : zero.curves)
    for (Sample& sample : curve.samples) sample = {sample.x, 0, 0, 0};
  EXPECT_EQ(of_class(parsed(figure_svg(zero)), "curve").size(), 3u);
  Figure huge = bars();
  for (Sample& sample : huge.curves[0].samples) sample = {sample.x, 3e21, 2e21, 4e21};
  huge.curves[1].samples[0].x = none;
  EXPECT_EQ(of_class(parsed(figure_svg(huge)), "bar").size(), 8u);
  EXPECT_NE(figure_csv(huge).find("flood,walk,3e+21"), std::string::npos);
}

TEST(FigureSvg, NumbersOnTheHorizontalAxisNeverOverlap) {
  for (const double width : {300.0, 358.0, 720.0})
    for (const double step : {0.001, 1.0, 1234567.0}) {
      Figure figure = three_lines();
      figure.curves = {{"", {}}};
      for (int i = 0; i < 200; ++i) figure.curves[0].samples.push_back({step * i, 1, 0, 2});
      double end = -1e9;
      const auto svg = parsed(figure_svg(figure, {width, false}));
      for (const auto& node : of_class(svg, "m")) {
        if (!has_class(node, "tick")) continue;
        const std::string text = node.text().get();
        const double half = 0.3 * 12 * static_cast<double>(text.size());
        EXPECT_GT(node.attribute("x").as_double() - half, end) << text;
        end = node.attribute("x").as_double() + half;
      }
    }
}

TEST(FigureSvg, APicturePageTakesItsColoursFromThePage) {
  const std::string within = figure_svg(three_lines(), {720, false});
  EXPECT_EQ(within.find('#'), std::string::npos) << "no colour of its own";
  EXPECT_EQ(within.find("<style"), std::string::npos);
  EXPECT_STREQ(parsed(within).child("svg").attribute("aria-label").value(), "Wrong & <wronger>");
  EXPECT_EQ(figure_svg(three_lines()).find("var("), std::string::npos);
  EXPECT_NE(figure_style().find("prefers-color-scheme:dark"), std::string::npos);
}

TEST(FigureAxes, IntervalsAreCutWhereNoValueCanLie) {
  Figure figure = three_lines();
  figure.curves = {line("a", {0.2, 99.8})};
  EXPECT_LT(figure_axes(figure, 7).y.low, 0);
  figure.y.least = 0;
  figure.y.most = 100;
  EXPECT_EQ(figure_axes(figure, 7).y.low, 0);
  EXPECT_EQ(figure_axes(figure, 7).y.high, 100);
  EXPECT_EQ(axis_remark(figure), "");
  figure.curves = {line("a", {80, 90})};
  EXPECT_EQ(axis_remark(figure), "The vertical axis does not begin at zero.");
}

TEST(FigureTikz, TextIsEscapedAndNothingIsLeftOpen) {
  Figure figure = three_lines();
  figure.title = "50 % of {a_b} & ~ \\ #1 $";
  const std::string tex = figure_tikz(figure);
  EXPECT_NE(tex.find(R"(title={50 \% of \{a\_b\} \& \textasciitilde{} \textbackslash{} \#1 \$})"),
            std::string::npos)
      << tex;
  for (const char* name : {"document", "tikzpicture", "axis"}) {
    EXPECT_NE(tex.find(std::string("\\begin{") + name + '}'), std::string::npos);
    EXPECT_NE(tex.find(std::string("\\end{") + name + '}'), std::string::npos);
  }
  EXPECT_NE(tex.find("\\addlegendentry{flood}"), std::string::npos);
  EXPECT_NE(tex.find("-- cycle"), std::string::npos) << "a band";
  EXPECT_NE(figure_tikz(bars()).find("+= (0,1) -= (0,1)"), std::string::npos) << "whiskers";
}

TEST(FigureCsv, IsTidy) {
  Figure figure = bars();
  figure.curves.resize(1);
  figure.curves[0].label = "flood, \"fast\"";
  figure.curves[0].samples[1] = {1, none, none, none};
  EXPECT_EQ(figure_csv(figure),
            "curve,x,mean,low,high\n"
            "\"flood, \"\"fast\"\"\",walk,10,9,11\n"
            "\"flood, \"\"fast\"\"\",waypoint,,,\n"
            "\"flood, \"\"fast\"\"\",levy,20,19,21\n");
}

}  // namespace
}  // namespace bellwether::report
