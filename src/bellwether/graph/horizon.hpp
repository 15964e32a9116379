// SPDX-License-Identifier: MIT
// What a node sees that knows the network only up to some hops, and whom it takes for the most
// central one. The view of a node is the graph induced by the nodes within `hops` of it: these
// nodes, and all links between them. Distances are those within the view, which may be longer than
// those in the whole graph. This is what the scenario key `horizon` of the algorithm cel leaves.
#pragma once

#include <cstdint>
#include <vector>

#include "bellwether/graph/closeness/closeness.hpp"
#include "bellwether/graph/graph.hpp"

namespace bellwether::graph {

/// For each node the most central node of its view, by its number in the whole graph; ties: the
/// highest number. In a one-way graph nodes see along the arrows. Nodes that see the same share one
/// computation: twins, and all nodes from which the hops lead to the end of a component.
std::vector<NodeIndex> most_central_within_each(const Graph& graph, std::uint32_t hops);

}  // namespace bellwether::graph
