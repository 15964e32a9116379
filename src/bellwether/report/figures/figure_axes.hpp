// SPDX-License-Identifier: MIT
// The axes of a figure: the same for the screen and for the paper.
#pragma once

#include "bellwether/report/figures/figure.hpp"
#include "bellwether/report/figures/plot_axis.hpp"

namespace bellwether::report {

struct FigureAxes {
  PlotAxis x;  // of no use where there are categories
  PlotAxis y;
  PlotAxis y2;
};

FigureAxes figure_axes(const Figure& figure, std::size_t most_ticks);

/// What a reader could overlook: "The vertical axis does not begin at zero." Empty: nothing.
std::string axis_remark(const Figure& figure);

/// Every x of the figure, as often as it occurs.
std::vector<double> all_x(const Figure& figure);

}  // namespace bellwether::report
