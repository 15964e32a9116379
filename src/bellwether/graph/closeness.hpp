// SPDX-License-Identifier: MIT
// Who is nearest to all others: closeness, exact, by sums of distances in hops.
#pragma once

#include <cstdint>
#include <span>

#include "bellwether/graph/graph.hpp"

namespace bellwether::graph {

/// The node with the smallest sum of distances to all others; ties: the highest index. In a
/// one-way graph distances follow the arrows. Where not every node reaches all, who reaches more
/// comes first. The graph has at least one node.
NodeIndex most_central(const Graph& graph);

/// The same for at most this many nodes, given as bits: bit v of rows[u] says that a link leads
/// from u to v. A node's own bit says nothing.
inline constexpr std::size_t most_bit_rows = 64;
NodeIndex most_central(std::span<const std::uint64_t> rows);

}  // namespace bellwether::graph
