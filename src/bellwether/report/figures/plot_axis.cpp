// SPDX-License-Identifier: MIT
#include "bellwether/report/figures/plot_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bellwether/report/tables/units.hpp"

namespace bellwether::report {
namespace {

// Sums of steps miss round numbers by a little.
constexpr double slack = 1e-9;

/// The smallest of 1, 2 and 5 times a power of ten that is at least `least`.
double nice_step(double least) {
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least * (1 - slack)) return factor * power;
  return 10 * power;
}

/// The largest of 1, 2 and 5 times a power of ten that is at most `most`.
double nice_below(double most) {
  const double power = std::pow(10, std::floor(std::log10(most) + slack));
  for (const double factor : {5.0, 2.0})
    if (factor * power <= most * (1 + slack)) return factor * power;
  return power;
}

std::string superscript(int power) {
  constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string out = power < 0 ? "⁻" : "";
  for (const char c : std::to_string(std::abs(power))) out += digits[c - '0'];
  return out;
}

/// 10⁶, 5×10⁻⁷
std::string as_power(double value) {
  if (!std::isfinite(value)) return "-";
  if (value == 0) return "0";
  const int power = static_cast<int>(std::floor(std::log10(std::abs(value)) + slack));
  const std::string factor = fmt::format("{:.4g}", value / std::pow(10, power));
  return (factor == "1" ? "" : factor + "×") + "10" + superscript(power);
}

int decimals_for(double step) {
  return std::max(0, -static_cast<int>(std::floor(std::log10(step) + slack)));
}

/// All ticks of an axis in one manner: as many decimals as the step needs, millions as M.
std::string step_label(double value, double step, double largest) {
  if (largest >= 1e12 || largest < 1e-4) return as_power(value);
  if (value != 0 && largest >= 1e9)
    return with_decimals(value / 1e9, decimals_for(step / 1e9)) + " G";
  if (value != 0 && largest >= 1e6)
    return with_decimals(value / 1e6, decimals_for(step / 1e6)) + " M";
  return with_decimals(value, decimals_for(step));
}

std::string log_label(double value) {
  if (value >= 1e6 * (1 - slack) || value < 1e-4 * (1 - slack)) return as_power(value);
  return with_decimals(value, decimals_for(value));
}

std::vector<AxisTick> linear_ticks(double low, double high, std::size_t most) {
  const double largest = std::max(std::abs(low), std::abs(high));
  std::vector<AxisTick> out;
  // One number does not make a scale: then the steps are smaller than was asked for.
  for (std::size_t intervals = std::max<std::size_t>(most, 2) - 1; out.size() < 2; ++intervals) {
    const double step = nice_step((high - low) / static_cast<double>(intervals));
    out.clear();
    for (double k = std::ceil(low / step - slack); k <= std::floor(high / step + slack); ++k)
      out.push_back({k * step, step_label(k * step, step, largest)});
  }
  return out;
}

/// The factors 1, 2 and 5 of every decade, or 1 alone, or 1 of every N-th decade.
std::vector<AxisTick> log_ticks(double low, double high, std::size_t most) {
  const int first = static_cast<int>(std::floor(std::log10(low) + slack));
  const int last = static_cast<int>(std::ceil(std::log10(high) - slack));
  const auto collect = [&](int every, std::span<const double> factors) {
    std::vector<AxisTick> out;
    for (int power = first; power <= last; ++power)
      for (const double factor : factors) {
        const double value = factor * std::pow(10, power);
        if (power % every == 0 && value >= low * (1 - slack) && value <= high * (1 + slack))
          out.push_back({value, log_label(value)});
      }
    return out;
  };
  constexpr double all[] = {1, 2, 5};
  std::vector<AxisTick> out = collect(1, all);
  // Within one decade there may be no round factor; evenly spread numbers serve there.
  if (out.size() < 2) return linear_ticks(low, high, most);
  for (int every = 1; out.size() > most; ++every) {
    std::vector<AxisTick> fewer = collect(every, std::span(all, 1));
    if (fewer.size() < 2) break;
    out = std::move(fewer);
  }
  return out;
}

struct Range {
  double low;
  double high;
  bool any;
};

Range range_of(std::span<const double> values, bool log) {
  Range out{std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest(), false};
  for (const double value : values) {
    if (!std::isfinite(value) || (log && value <= 0)) continue;
    out = {std::min(out.low, value), std::max(out.high, value), true};
  }
  return out;
}

PlotAxis log_axis(Range range, const AxisWish& wish) {
  PlotAxis out{1, 10, true, {}};
  if (!range.any) return out;
  out.low = wish.snug ? range.low : nice_below(range.low);
  out.high = wish.snug ? range.high : nice_step(range.high);
  // A bar as low as the axis would not be seen.
  if (wish.from_zero) out.low = nice_below(out.low * 0.6);
  if (out.high / out.low < 1.5) {
    out.low = nice_below(out.low / 2);
    out.high = nice_step(out.high * 2);
  }
  return out;
}

/// Zero belongs to the axis where the values come near it: then heights can be compared.
Range with_zero(Range range, const AxisWish& wish) {
  const double largest = std::max(std::abs(range.low), std::abs(range.high));
  // What differs by rounding alone is the same; ticks between would not be different numbers.
  const bool same = range.high - range.low <= 1e-9 * largest;
  const bool near = range.low > 0 ? range.low <= 0.6 * range.high : range.high >= 0.6 * range.low;
  if (wish.from_zero || (!wish.snug && (same || near))) {
    range.low = std::min(range.low, 0.0);
    range.high = std::max(range.high, 0.0);
  }
  if (range.high - range.low > 1e-9 * largest) return range;
  const double half = largest == 0 ? 1 : largest / 2;
  return {wish.snug ? range.low - half : 0, range.high + half, true};
}

PlotAxis linear_axis(Range range, const AxisWish& wish, std::size_t most_ticks) {
  PlotAxis out;
  if (!range.any) return out;
  range = with_zero(range, wish);
  out.low = range.low;
  out.high = range.high;
  if (wish.snug) return out;
  const double intervals = static_cast<double>(std::max<std::size_t>(most_ticks, 3) - 1);
  const double step = nice_step((range.high - range.low) / intervals);
  out.low = std::floor(range.low / step + slack) * step;
  out.high = std::ceil(range.high / step - slack) * step;
  return out;
}

}  // namespace

std::string with_decimals(double value, int decimals) {
  if (!std::isfinite(value) || std::abs(value) >= 1e15) return as_power(value);
  const std::string text = fmt::format("{:.{}f}", std::abs(value), decimals);
  const std::size_t point = std::min(text.find('.'), text.size());
  if (text.find_first_not_of("0.") == std::string::npos) return "0";
  return (value < 0 ? "-" : "") + grouped(std::stoull(text.substr(0, point))) + text.substr(point);
}

bool PlotAxis::shows(double value) const {
  return std::isfinite(value) && (!log || value > 0);
}

double PlotAxis::share(double value) const {
  const double part = log ? std::log(std::max(value, low) / low) / std::log(high / low)
                          : (value - low) / (high - low);
  return std::clamp(part, 0.0, 1.0);
}

PlotAxis plot_axis(std::span<const double> values, const AxisWish& wish, std::size_t most_ticks) {
  const Range range = range_of(values, wish.log);
  PlotAxis out = wish.log ? log_axis(range, wish) : linear_axis(range, wish, most_ticks);
  out.ticks = round_ticks(out, most_ticks);
  return out;
}

std::vector<AxisTick> round_ticks(const PlotAxis& axis, std::size_t most) {
  const std::size_t count = std::max<std::size_t>(most, 2);
  return axis.log ? log_ticks(axis.low, axis.high, count)
                  : linear_ticks(axis.low, axis.high, count);
}

std::vector<AxisTick> ticks_at(std::span<const double> values) {
  std::vector<double> sorted;
  for (const double value : values)
    if (std::isfinite(value)) sorted.push_back(value);
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  std::vector<AxisTick> out;
  for (const double value : sorted) out.push_back({value, human_number(value)});
  return out;
}

}  // namespace bellwether::report
