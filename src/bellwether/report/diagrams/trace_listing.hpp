// SPDX-License-Identifier: MIT
// A trace as a listing for people: one row per step, in 100 columns where names are not too long.
#pragma once

#include <limits>
#include <string>

#include "bellwether/report/diagrams/trace_window.hpp"

namespace bellwether::report {

struct ListingOptions {
  TraceWindow window;
  bool states = false;  // the state after each step, on a line of its own
  /// Of steps and drops; a long one may wrap.
  std::size_t max_lines = std::numeric_limits<std::size_t>::max();
};

/// Throws Problem when the window does not fit the trace. Ends in a newline.
std::string trace_listing(const Trace& trace, const ListingOptions& options = {});

}  // namespace bellwether::report
