// SPDX-License-Identifier: MIT
// Which nodes hang together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bellwether/graph/graph.hpp"

namespace bellwether::graph {

struct Components {
  std::vector<std::uint32_t> of;  // for each node the number of its component
  std::uint32_t count = 0;
};

/// Links count as two-way. Components are numbered in the order of their smallest nodes.
Components components(NodeIndex nodes, std::span<const Edge> links);
Components components(const Graph& graph);

/// How many nodes each component has.
std::vector<NodeIndex> sizes(const Components& parts);

}  // namespace bellwether::graph
