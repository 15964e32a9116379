// SPDX-License-Identifier: MIT
// Graphs whose links have lengths, and who is nearest to all others in them, exact.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bellwether/graph/closeness/closeness.hpp"
#include "bellwether/graph/graph.hpp"

namespace bellwether::graph {

/// A two-way link and its length, at least 1.
struct WeightedEdge {
  NodeIndex a;
  NodeIndex b;
  std::uint32_t weight;
  friend auto operator<=>(const WeightedEdge&, const WeightedEdge&) = default;
};

/// What a node knows of one of its links.
struct WeightedArc {
  NodeIndex node;  // at the other end
  std::uint32_t weight;
  friend auto operator<=>(const WeightedArc&, const WeightedArc&) = default;
};

/// Where an arc leads.
inline NodeIndex target(const WeightedArc& arc) {
  return arc.node;
}

/// A compact graph. Loops are left out, and of parallel links only the shortest is kept: neither
/// changes a distance.
class WeightedGraph {
 public:
  WeightedGraph() = default;
  WeightedGraph(NodeIndex nodes, std::span<const WeightedEdge> edges);

  NodeIndex size() const { return static_cast<NodeIndex>(offsets_.size() - 1); }
  /// Each link counts twice.
  std::size_t arcs() const { return arcs_.size(); }
  /// In ascending order.
  std::span<const WeightedArc> neighbours(NodeIndex u) const {
    return {arcs_.data() + offsets_[u], arcs_.data() + offsets_[u + 1]};
  }

 private:
  std::vector<std::size_t> offsets_{0};
  std::vector<WeightedArc> arcs_;
};

/// The `count` nodes of each component with the smallest sums of distances to all others of it, the
/// best first; ties: the highest index first. A smaller component gives all that it has. Components
/// come in the order of their smallest nodes; `reached` is the size of the component.
///
/// Sums are computed with 128 bits, and those given back must fit in 64: a larger one is refused by
/// an invariant. Sums are at most w * n * (n-1) / 2 for weights up to w in a component of n nodes,
/// so this cannot happen up to 92,682 nodes, nor below 2^32 nodes where all weights are 1 or 2.
std::vector<std::vector<Central>> most_central_of_each(const WeightedGraph& graph,
                                                       NodeIndex count = 1);

}  // namespace bellwether::graph
