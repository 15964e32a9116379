// SPDX-License-Identifier: MIT
// The means of an experiment as a table in plain text.
#pragma once

#include "bellwether/results/results.hpp"
#include "bellwether/results/statistics.hpp"

namespace bellwether::report {

/// The metrics worth showing: those that the experiment names, else those of its figures, else a
/// few that every run has.
std::vector<std::string> shown_metrics(const results::Results& results);

/// What the rows of a point say of a metric.
results::Estimate estimate_at(const results::Results& results, std::uint32_t point,
                              const std::string& metric);

/// "0.123 ± 0.004", "12.3 ± 0.4 %"
std::string with_interval(const results::Estimate& estimate, const std::string& metric);

/// One line for each point.
std::string summary_table(const results::Results& results);

}  // namespace bellwether::report
