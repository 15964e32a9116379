// SPDX-License-Identifier: MIT
// Integer time: nanoseconds everywhere. Floats appear only in plots and tables.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace bellwether::core {

using Duration = std::chrono::nanoseconds;

/// Time since the beginning of a run.
using Time = Duration;

inline constexpr Time end_of_time = Time::max();

constexpr double seconds(Duration d) {
  return static_cast<double>(d.count()) / 1e9;
}

/// The shortest exact text: "250 ms", "1.5 s", "10 ns".
std::string to_text(Duration d);

/// Reads "250 ms", "1.5s", "2 min", "100us", "0". A bare number other than 0 has no unit: refused.
std::optional<Duration> parse_duration(std::string_view text);

}  // namespace bellwether::core
