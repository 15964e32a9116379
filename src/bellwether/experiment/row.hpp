// SPDX-License-Identifier: MIT
// One run of an experiment, as a row: numbers under fixed names, so that rows can be
// appended one by one, and compared byte by byte.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bellwether/observe/metrics/run_report.hpp"

namespace bellwether::experiment {

/// What was measured over time, in one interval.
struct SeriesPoint {
  double time_s = 0;
  std::vector<double> values;  // of the metrics that the experiment keeps, in its order
  friend bool operator==(const SeriesPoint&, const SeriesPoint&) = default;
};

struct Row {
  std::uint32_t point = 0;  // its index among the experiment's points
  std::uint64_t seed = 0;
  std::string ended;
  std::string fingerprint;
  std::vector<double> values;  // in the order of columns(); not a number: there is none
  std::vector<SeriesPoint> series;
};

/// nodes, links, events, messages, bytes, time_s, agreed, and then every metric of a whole run.
std::span<const std::string> columns();
/// The place of a column; throws std::out_of_range.
std::size_t column(std::string_view name);
bool has_column(std::string_view name);

Row make_row(std::uint32_t point, const observe::RunReport& report,
             std::span<const std::string> kept_series);

/// The same bytes for the same row, for the way between processes.
std::string pack(const Row& row);
Row unpack(std::string_view bytes);

}  // namespace bellwether::experiment
