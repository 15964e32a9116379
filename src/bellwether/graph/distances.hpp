// SPDX-License-Identifier: MIT
// Distances in hops, by breadth-first search. In a one-way graph they follow the arrows.
#pragma once

#include <cstdint>
#include <vector>

#include "bellwether/graph/graph.hpp"

namespace bellwether::graph {

/// The distance of what cannot be reached.
inline constexpr std::uint32_t unreachable = 0xFFFF'FFFF;

std::vector<std::uint32_t> distances(const Graph& graph, NodeIndex from);

/// The distance of the farthest node that can be reached.
std::uint32_t eccentricity(const Graph& graph, NodeIndex from);

/// The largest eccentricity, exact: few searches in most two-way graphs, one from each node in
/// others. It is that of the widest component where the graph falls into several.
std::uint32_t diameter(const Graph& graph);

/// The diameter up to this many nodes; beyond, an upper bound in linear time: for one node of each
/// component, the way of the farthest node to it and on to the farthest node (in a two-way graph
/// twice its eccentricity), or one less than the size of the component if that is less.
inline constexpr NodeIndex exact_diameter_nodes = 4096;
std::uint32_t diameter_bound(const Graph& graph);

}  // namespace bellwether::graph
