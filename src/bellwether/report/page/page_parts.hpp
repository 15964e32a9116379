// SPDX-License-Identifier: MIT
// Pieces of the page, each as HTML.
#pragma once

#include "bellwether/experiment/results.hpp"

namespace bellwether::report {

/// Escaped; lines stay lines.
std::string html_text(std::string_view text);
/// What most people do not read, behind its heading. `inside` is HTML.
std::string folded(std::string_view summary, std::string_view inside);

std::string page_style();
/// Measured beside published; empty where nothing is published.
std::string findings_section(const experiment::Results& results);
/// A row for each point: the metrics to be shown first, and then all others, folded.
std::string tables_section(const experiment::Results& results);

/// "seeds 1 to 10", "seeds 1, 2 and 5"
std::string seeds_text(const experiment::Results& results);

}  // namespace bellwether::report
