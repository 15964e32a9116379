// SPDX-License-Identifier: MIT
// Results as tables in plain text.
#pragma once

#include "bellwether/experiment/results.hpp"
#include "bellwether/report/tables/published.hpp"

namespace bellwether::report {

/// What the rows of a point say of a metric.
experiment::Estimate estimate_at(const experiment::Results& results, std::uint32_t point,
                                 const std::string& metric);

/// Columns under each other, two blanks between them; the first `left` are set to the left.
std::string aligned(const std::vector<std::vector<std::string>>& cells, std::size_t left);

/// The means, one line for each point.
std::string summary_table(const experiment::Results& results);

/// Measured beside published; with several engines, their values and verdicts beside each other.
std::string findings_table(const std::vector<EngineFindings>& engines);
/// The same for a page in Markdown, with the reasons.
std::string findings_markdown(const std::vector<EngineFindings>& engines);

}  // namespace bellwether::report
