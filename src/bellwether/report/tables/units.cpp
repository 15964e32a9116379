// SPDX-License-Identifier: MIT
#include "bellwether/report/tables/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace bellwether::report {

std::string grouped(std::uint64_t number) {
  std::string out = std::to_string(number);
  for (std::size_t at = out.size(); at > 3; at -= 3) out.insert(at - 3, 1, ',');
  return out;
}

std::string counted(std::uint64_t number, std::string_view one) {
  const bool hisses = one.ends_with("s") || one.ends_with("sh") || one.ends_with("ch");
  return fmt::format("{} {}{}", grouped(number), one, number == 1 ? "" : hisses ? "es" : "s");
}

std::string human_number(double value) {
  if (!std::isfinite(value)) return "-";
  if (value == std::round(value) && std::abs(value) < 1e15) {
    const auto size = static_cast<std::uint64_t>(std::abs(value));
    return (value < 0 ? "-" : "") + grouped(size);
  }
  if (std::abs(value) >= 1000 && std::abs(value) < 1e15) return human_number(std::round(value));
  return fmt::format("{:.4g}", value);
}

TimeUnit unit_for(Time largest) {
  constexpr std::array<TimeUnit, 4> units{
      {{"s", 1'000'000'000, 9}, {"ms", 1'000'000, 6}, {"us", 1'000, 3}, {"ns", 1, 0}}};
  if (largest.count() == 0) return units[0];
  for (const TimeUnit& unit : units)
    if (largest.count() >= unit.nanoseconds) return unit;
  return units[3];
}

int decimals_needed(Time at, const TimeUnit& unit, int most) {
  std::int64_t rest = at.count() % unit.nanoseconds;
  std::int64_t digit = unit.nanoseconds;
  int needed = 0;
  while (rest != 0 && needed < std::min(most, unit.digits)) {
    digit /= 10;
    rest %= digit;
    ++needed;
  }
  return needed;
}

std::string in_unit(Time at, const TimeUnit& unit, int decimals) {
  const double value = static_cast<double>(at.count()) / static_cast<double>(unit.nanoseconds);
  return fmt::format("{:.{}f}", value, decimals);
}

}  // namespace bellwether::report
