// SPDX-License-Identifier: MIT
#include "bellwether/core/human_bytes.hpp"

#include <array>
#include <cstdio>

namespace bellwether::core {

std::string human_bytes(std::uint64_t bytes) {
  if (bytes < 1000) return std::to_string(bytes) + " B";
  constexpr std::array<const char*, 6> names{"kB", "MB", "GB", "TB", "PB", "EB"};
  double value = static_cast<double>(bytes) / 1000;
  std::size_t unit = 0;
  while (value >= 999.5 && unit + 1 < names.size()) {
    value /= 1000;
    ++unit;
  }
  // The limits are where rounding to fewer digits begins: 9.995 is 10.0, not 10.00.
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  char text[32];
  std::snprintf(text, sizeof text, "%.*f %s", decimals, value, names[unit]);
  return text;
}

}  // namespace bellwether::core
