// SPDX-License-Identifier: MIT
#include "bellwether/cli/memory.hpp"

#include <algorithm>
#include <charconv>

#include "bellwether/core/problem.hpp"

namespace bellwether::cli {

std::uint64_t parse_memory(const std::string& text, const char* flag) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  std::string unit(end, text.data() + text.size());
  std::erase(unit, ' ');
  std::erase(unit, 'B');
  const std::string units = "kMGT";
  const std::size_t power = unit.size() == 1 ? units.find(unit == "K" ? "k" : unit) : units.npos;
  if (error != std::errc() || !(value > 0) || (!unit.empty() && power == units.npos))
    throw core::Problem(std::string(flag), {},
                        "\"" + text + "\" is not an amount of memory; write 500M or 4G");
  for (std::size_t i = 0; !unit.empty() && i <= power; ++i) value *= 1000;
  return static_cast<std::uint64_t>(std::min(value, 1e15));
}

}  // namespace bellwether::cli
