// SPDX-License-Identifier: MIT
// The report of a run, for people and for programs.
#pragma once

#include <string>

#include "bellwether/observe/metrics/run_report.hpp"

namespace bellwether::report {

/// A table in plain text; ends in a newline. `engine`: what carried the run, where that was not our
/// own simulator.
std::string report_table(const observe::RunReport& report, const std::string& engine = "");

/// One JSON object on one line, without a newline.
std::string report_json(const observe::RunReport& report, const std::string& engine = "");

/// The time series, a header line and one line per interval; a cell without a value is empty.
/// Nothing if there is no series.
std::string series_csv(const observe::RunReport& report);

}  // namespace bellwether::report
