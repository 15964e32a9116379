// SPDX-License-Identifier: MIT
// What every metric of a report is called, and in which unit it is: the one list that the printers
// use, and that docs/metrics.md is tested against.
#pragma once

#include <array>
#include <span>
#include <string_view>

namespace bellwether::observe {

/// Where a metric stands in a table.
enum class MetricGroup : unsigned char {
  run,
  election,
  crashes,
  paths,
  hierarchy,
  traffic,
  network,
  energy
};
constexpr auto names_of(MetricGroup) {
  return std::array<std::string_view, 8>{
      "run",     "election", "crashes of leaders", "paths to the leader", "hierarchy",
      "traffic", "network",  "energy and radio"};
}

struct MetricFact {
  std::string_view name;   // in JSON and CSV
  std::string_view title;  // in tables
  std::string_view unit;   // "": a number; "share": between 0 and 1, shown in percent
  MetricGroup group;
  bool total = true;    // of a whole run
  bool series = false;  // of each interval, too
};

std::span<const MetricFact> metric_facts();
/// Null for a metric without a description.
const MetricFact* metric_fact(std::string_view name);

}  // namespace bellwether::observe
