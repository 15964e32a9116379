// SPDX-License-Identifier: MIT
// A figure as a value: what is drawn, and how it is called. It knows nothing of runs or
// experiments; the same value becomes SVG for people, pgfplots for a paper, and CSV for other
// programs.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace bellwether::report {

/// lines: curves over a number, or dots over categories. bars: groups of bars over categories.
/// series: curves over time.
enum class Drawing : unsigned char { lines, bars, series };

/// A mean and its confidence interval. A mean that is not a number is a gap in the curve; bounds
/// that are not numbers are not drawn.
struct Sample {
  double x = 0;  // where there are categories: the place of one of them
  double mean = 0;
  double low = 0;
  double high = 0;
};

struct Curve {
  std::string label;  // empty: it needs no name
  std::vector<Sample> samples;
  // figure_style.hpp; without it, its place among the curves
  std::optional<std::size_t> look = std::nullopt;
};

struct FigureAxis {
  std::string label;  // with its unit
  bool log = false;
  // No value can lie beyond, whatever an interval says: bands are cut here.
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
};

struct Figure {
  Drawing kind = Drawing::lines;
  std::string title;
  std::string note;  // what to see in it
  std::string band;  // what the bands or whiskers are; empty: there are none
  FigureAxis x;
  FigureAxis y;
  FigureAxis y2;                        // on the right, for `right`
  std::vector<std::string> categories;  // empty: x is a number
  std::vector<Curve> curves;
  std::vector<Curve> right;
};

/// A picture of its own is dark on white and has title and note. One within a page takes its
/// colours from the page, which must have figure_style(), and leaves the words to the page.
struct SvgLook {
  double width = 720;
  bool standalone = true;
};

/// The category or the number, for people.
std::string x_text(const Figure& figure, double x);

std::string figure_svg(const Figure& figure, const SvgLook& look = {});
/// CSS for figures within a page: its rules, and the colours as variables, light and dark.
std::string figure_style();

/// A document that LaTeX compiles by itself; the package `standalone` lets others include it.
std::string figure_tikz(const Figure& figure);

/// curve,x,mean,low,high: what is drawn, in the units of the axes. Cells without a number are
/// empty.
std::string figure_csv(const Figure& figure);

}  // namespace bellwether::report
