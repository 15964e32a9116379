// SPDX-License-Identifier: MIT
// Where the leaders of a hierarchy are placed, given the whole network: the root above all,
// and on each level as few as possible for the remoteness that is allowed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bellwether/graph/graph.hpp"

namespace bellwether::graph {

/// How many hops may lie between a leader of level k - 1 (level 0: a node) and its leader of level
/// k, and between any node and its leader of level k. R(k) steps of the way that the level below
/// allows plus one; and never less than what leads from one leader to the next, lest a level be as
/// large as the one below. With R > 1 everywhere: (R1 + 1) ... (Rk + 1) - 1 hops for a node.
struct Allowance {
  std::uint64_t step = 0;
  std::uint64_t hops = 0;
};
/// `remoteness`: R1, R2, ...; the last holds for all levels above.
Allowance allowance(std::span<const std::uint32_t> remoteness, std::size_t level);

class Placement {
 public:
  /// The graph is connected and two-way.
  Placement(const Graph& graph, NodeIndex root, std::span<const std::uint32_t> remoteness);

  std::size_t levels() const { return leader_.size(); }
  /// The highest level that u leads at; 0: none.
  std::uint32_t rank(NodeIndex u) const { return rank_[u]; }
  /// Its leader of level 1, 2, ...: the nearest to its leader of the level below; ties: the lowest.
  NodeIndex leader(NodeIndex u, std::size_t level) const;
  /// The leaders of the level below whose leader of this level u is, without itself, ascending.
  std::vector<NodeIndex> children(NodeIndex u, std::size_t level) const;

 private:
  void assign(const Graph& graph, std::span<const NodeIndex> leaders);

  std::vector<std::uint32_t> rank_;
  std::vector<std::vector<NodeIndex>> leader_;  // by level from 1: the nearest leader of each node
};

}  // namespace bellwether::graph
