// SPDX-License-Identifier: MIT
// Who is nearest to all others: closeness, exact, by sums of distances in hops.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bellwether/graph/graph.hpp"

namespace bellwether::graph {

/// A node and how near it is to the others.
struct Central {
  NodeIndex node = 0;
  NodeIndex reached = 0;  // how many nodes it reaches, itself among them
  std::uint64_t sum = 0;  // of its distances to them
  friend bool operator==(const Central&, const Central&) = default;

  /// Who reaches more comes first, then who is nearer, then the higher index.
  bool beats(const Central& other) const {
    if (reached != other.reached) return reached > other.reached;
    return sum != other.sum ? sum < other.sum : node > other.node;
  }
};

/// The node with the smallest sum of distances to all others; ties: the highest index. In a
/// one-way graph distances follow the arrows. Where not every node reaches all, who reaches more
/// comes first. The graph has at least one node. Loops and parallel links change nothing.
Central most_central(const Graph& graph);

/// The same for at most this many nodes, given as bits: bit v of rows[u] says that a link leads
/// from u to v. A node's own bit says nothing.
inline constexpr std::size_t most_bit_rows = 64;
Central most_central(std::span<const std::uint64_t> rows);

/// The same for any number of nodes: a row takes as many words as it needs, and the next one begins
/// with a new word.
Central most_central(NodeIndex nodes, std::span<const std::uint64_t> rows);

/// The `count` most central nodes of each component, the best first; a smaller component gives all
/// that it has. Components come in the order of their smallest nodes. Links count as two-way.
std::vector<std::vector<Central>> most_central_of_each(const Graph& graph, NodeIndex count = 1);

}  // namespace bellwether::graph
