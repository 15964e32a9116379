// SPDX-License-Identifier: MIT
// The axis of a plot: from where to where, and the round numbers on it.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace bellwether::report {

/// 1,234.50 and 0: with `decimals` digits after the point, except for zero.
std::string with_decimals(double value, int decimals);

struct AxisTick {
  double value;
  std::string label;
};

struct PlotAxis {
  double low = 0;
  double high = 1;
  bool log = false;
  std::vector<AxisTick> ticks;  // ascending, from low to high

  /// Whether the value can be drawn at all: logarithms need more than 0.
  bool shows(double value) const;
  /// 0 at the low end, 1 at the high end; what lies beyond stands at the end.
  double share(double value) const;
};

struct AxisWish {
  bool log = false;
  bool from_zero = false;  // bars: their length is the value
  bool snug = false;       // ends where the values end, not at a round number
};

/// An axis for these values, with 1-2-5 ticks, 2 to `most_ticks` of them. Values that are
/// not numbers, or that the axis cannot show, do not count. No value: from 0 to 1.
PlotAxis plot_axis(std::span<const double> values, const AxisWish& wish, std::size_t most_ticks);

/// Round numbers within the axis.
std::vector<AxisTick> round_ticks(const PlotAxis& axis, std::size_t most);
/// A tick at each of these values, ascending, each once: for axes where little was measured.
std::vector<AxisTick> ticks_at(std::span<const double> values);

}  // namespace bellwether::report
