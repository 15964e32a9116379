// SPDX-License-Identifier: MIT
#include "bellwether/core/time.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace bellwether::core {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t nanoseconds;
};

constexpr std::array<Unit, 6> units{{{"ns", 1},
                                     {"us", 1'000},
                                     {"ms", 1'000'000},
                                     {"s", 1'000'000'000},
                                     {"min", 60'000'000'000},
                                     {"h", 3'600'000'000'000}}};

}  // namespace

std::string to_text(Duration d) {
  const std::int64_t ns = d.count();
  if (ns == 0) return "0 s";
  // Seconds and below only: "90 s" is easier to compare with "100 s" than "1.5 min" is.
  const std::uint64_t size =
      ns < 0 ? 0 - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
  std::size_t unit = 0;
  while (unit < 3 && size >= static_cast<std::uint64_t>(units[unit + 1].nanoseconds)) ++unit;
  const auto per = static_cast<std::uint64_t>(units[unit].nanoseconds);
  std::string out = (ns < 0 ? "-" : "") + std::to_string(size / per);
  if (const std::uint64_t rest = size % per; rest != 0) {
    std::string digits = std::to_string(per + rest).substr(1);
    while (digits.back() == '0') digits.pop_back();
    out += '.' + digits;
  }
  return out + ' ' + std::string(units[unit].name);
}

std::optional<Duration> parse_duration(std::string_view text) {
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !std::isfinite(value)) return std::nullopt;
  std::string_view unit(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
  if (unit.empty() && value == 0) return Duration{0};
  for (const Unit& known : units) {
    if (known.name != unit) continue;
    const double ns = std::round(value * static_cast<double>(known.nanoseconds));
    if (std::abs(ns) > 9.2e18) return std::nullopt;
    return Duration{static_cast<std::int64_t>(ns)};
  }
  return std::nullopt;
}

}  // namespace bellwether::core
