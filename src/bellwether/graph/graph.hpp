// SPDX-License-Identifier: MIT
// A compact graph: for each node its neighbours, one after the other in one array.
#pragma once

#include <span>
#include <vector>

#include "bellwether/core/ids.hpp"

namespace bellwether::graph {

using core::NodeIndex;

/// A link between two nodes; in a one-way network it leads from a to b.
struct Edge {
  NodeIndex a;
  NodeIndex b;
  friend auto operator<=>(const Edge&, const Edge&) = default;
};

enum class Direction : unsigned char { both_ways, one_way };

class Graph {
 public:
  Graph() = default;
  /// Neighbours keep the order of the edges that made them.
  Graph(NodeIndex nodes, std::span<const Edge> edges, Direction direction = Direction::both_ways);

  NodeIndex size() const { return static_cast<NodeIndex>(offsets_.size() - 1); }
  /// Each link counts twice where it goes both ways.
  std::size_t arcs() const { return targets_.size(); }
  /// Each link leads back, too.
  bool two_way() const { return two_way_; }
  std::span<const NodeIndex> neighbours(NodeIndex u) const {
    return {targets_.data() + offsets_[u], targets_.data() + offsets_[u + 1]};
  }

 private:
  std::vector<std::size_t> offsets_{0};
  std::vector<NodeIndex> targets_;
  bool two_way_ = true;
};

}  // namespace bellwether::graph
