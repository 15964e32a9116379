// SPDX-License-Identifier: MIT
// Which part of a trace to show.
#pragma once

#include <optional>
#include <vector>

#include "bellwether/observe/trace/trace.hpp"

namespace bellwether::report {

using observe::NodeId;
using observe::Time;
using observe::Trace;

struct TraceWindow {
  std::vector<NodeId> nodes;  // empty: all
  std::optional<Time> from;   // both ends belong to the window
  std::optional<Time> to;

  bool holds(Time at) const { return (!from || at >= *from) && (!to || at <= *to); }
};

/// Every node of the trace: those of the header, then any that came later.
std::vector<NodeId> nodes_of(const Trace& trace);

/// Throws Problem when the window asks for a node that is not in the trace, or ends
/// before it begins.
void check_window(const Trace& trace, const TraceWindow& window);

}  // namespace bellwether::report
