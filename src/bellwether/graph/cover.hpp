// SPDX-License-Identifier: MIT
// As few nodes as possible such that every node is near one of them. To find the fewest is hard in
// general; this finds them where there are few nodes, and comes close elsewhere.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bellwether/graph/graph.hpp"

namespace bellwether::graph {

/// Some of `points`, ascending, so that each of the points is within `hops` of one of them, and
/// `root`, which is one of the points and reaches them all, is among them. The graph is two-way.
///
/// Three methods are tried, and the best result is kept: from the outside inwards (at most
/// n / (hops + 1) + 1 of n points, where all nodes are points), the largest number of new ones
/// first and, for up to 64 points, an exact search that gives up after some time. No node is chosen
/// that could be left out.
std::vector<NodeIndex> cover(const Graph& graph, std::span<const NodeIndex> points, NodeIndex root,
                             std::uint64_t hops);

}  // namespace bellwether::graph
