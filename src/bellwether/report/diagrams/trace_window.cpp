// SPDX-License-Identifier: MIT
#include "bellwether/report/diagrams/trace_window.hpp"

#include <fmt/format.h>

#include <set>

#include "bellwether/core/problem.hpp"

namespace bellwether::report {

std::vector<NodeId> nodes_of(const Trace& trace) {
  std::vector<NodeId> nodes;
  std::set<NodeId> seen;
  const auto add = [&](NodeId id) {
    if (seen.insert(id).second) nodes.push_back(id);
  };
  for (const NodeId id : trace.header.nodes) add(id);
  for (const auto& step : trace.steps) add(step.node);
  return nodes;
}

void check_window(const Trace& trace, const TraceWindow& window) {
  if (window.from && window.to && *window.from > *window.to)
    throw core::Problem(fmt::format("the window ends ({}) before it begins ({})",
                                    core::to_text(*window.to), core::to_text(*window.from)));
  if (window.nodes.empty()) return;
  const auto nodes = nodes_of(trace);
  const std::set<NodeId> known(nodes.begin(), nodes.end());
  for (const NodeId id : window.nodes)
    if (!known.contains(id))
      throw core::Problem(fmt::format("node {} is not in the trace, which has {} nodes",
                                      core::raw(id), known.size()));
}

}  // namespace bellwether::report
