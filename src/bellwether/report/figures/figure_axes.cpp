// SPDX-License-Identifier: MIT
#include "bellwether/report/figures/figure_axes.hpp"

#include <algorithm>
#include <cmath>

namespace bellwether::report {
namespace {

std::vector<double> all_values(const std::vector<Curve>& curves, const FigureAxis& axis) {
  std::vector<double> out;
  const auto within = [&](double value) { return std::clamp(value, axis.least, axis.most); };
  for (const Curve& curve : curves)
    for (const Sample& sample : curve.samples) {
      if (!std::isfinite(sample.mean)) continue;
      out.insert(out.end(), {sample.mean, within(sample.low), within(sample.high)});
    }
  return out;
}

}  // namespace

std::vector<double> all_x(const Figure& figure) {
  std::vector<double> out;
  for (const auto* curves : {&figure.curves, &figure.right})
    for (const Curve& curve : *curves)
      for (const Sample& sample : curve.samples) out.push_back(sample.x);
  return out;
}

std::string axis_remark(const Figure& figure) {
  const PlotAxis y = figure_axes(figure, 7).y;
  if (figure.y.log && figure.x.log && figure.categories.empty())
    return "Both axes are logarithmic.";
  if (figure.y.log) return "The vertical axis is logarithmic.";
  if (figure.x.log && figure.categories.empty()) return "The horizontal axis is logarithmic.";
  return y.low > 0 || y.high < 0 ? "The vertical axis does not begin at zero." : "";
}

FigureAxes figure_axes(const Figure& figure, std::size_t most_ticks) {
  FigureAxes out;
  const bool bars = figure.kind == Drawing::bars;
  out.y = plot_axis(all_values(figure.curves, figure.y), {figure.y.log, bars, false}, most_ticks);
  // An area begins at zero.
  out.y2 = plot_axis(all_values(figure.right, figure.y2), {figure.y2.log, true, false}, most_ticks);
  std::vector<double> values = all_x(figure);
  // Time begins at zero, and intervals are known by their ends.
  if (figure.kind == Drawing::series && !figure.x.log && !values.empty()) values.push_back(0);
  out.x = plot_axis(values, {figure.x.log, false, true}, 10);
  return out;
}

}  // namespace bellwether::report
