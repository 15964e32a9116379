// SPDX-License-Identifier: MIT
#include "bellwether/report/figures/quantities.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

namespace bellwether::report {
namespace {

struct Quantity {
  double value;
  std::string unit;
};

std::optional<Quantity> quantity(std::string_view label) {
  while (label.starts_with(' ')) label.remove_prefix(1);
  while (label.ends_with(' ')) label.remove_suffix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(label.data(), label.data() + label.size(), value);
  if (error != std::errc{} || !std::isfinite(value)) return {};
  label.remove_prefix(static_cast<std::size_t>(end - label.data()));
  while (label.starts_with(' ')) label.remove_prefix(1);
  // "2-level" and "3 leaders, fast" begin with a number and are none.
  const auto of_unit = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '/' || c == '%';
  };
  if (!std::all_of(label.begin(), label.end(), of_unit)) return {};
  return Quantity{value, std::string(label)};
}

/// Nothing for what is no time.
std::optional<double> seconds_in(std::string_view unit) {
  constexpr std::pair<std::string_view, double> units[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3},
                                                           {"s", 1},     {"min", 60},  {"h", 3600}};
  for (const auto& [name, seconds] : units)
    if (name == unit) return seconds;
  return {};
}

}  // namespace

std::optional<Quantities> quantities(std::span<const std::string> labels) {
  std::vector<Quantity> read;
  for (const std::string& label : labels) {
    auto one = quantity(label);
    if (!one) return {};
    read.push_back(std::move(*one));
  }
  if (read.empty()) return {};
  Quantities out{{}, read.front().unit};
  const bool same = std::all_of(read.begin(), read.end(),
                                [&](const Quantity& each) { return each.unit == out.unit; });
  if (!same) out.unit = "s";
  for (const Quantity& each : read) {
    const std::optional<double> seconds = same ? 1.0 : seconds_in(each.unit);
    if (!seconds) return {};
    out.values.push_back(each.value * *seconds);
  }
  return out;
}

}  // namespace bellwether::report
