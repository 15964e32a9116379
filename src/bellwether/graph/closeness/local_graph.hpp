// SPDX-License-Identifier: MIT
// What the methods for large graphs share: the graph in an order that keeps neighbours together,
// searches in it, and who need not be looked at.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bellwether/graph/closeness/closeness.hpp"
#include "bellwether/graph/closeness/top_k.hpp"

namespace bellwether::graph {

/// What hangs together with node 0 of a two-way graph, its nodes numbered in the order in which a
/// search finds them. Neighbours are ascending, each once.
struct LocalGraph {
  std::vector<std::uint32_t> offsets;
  std::vector<std::uint32_t> targets;
  std::vector<NodeIndex> names;  // by number
  std::uint64_t first_sum = 0;   // of the distances from node 0
  std::uint32_t first_eccentricity = 0;

  explicit LocalGraph(const Graph& graph);

  std::uint32_t size() const { return static_cast<std::uint32_t>(names.size()); }
  std::span<const std::uint32_t> neighbours(std::uint32_t u) const {
    return {targets.data() + offsets[u], targets.data() + offsets[u + 1]};
  }

 private:
  void drop_repeated();
};

/// Marks with 0 each node that folds (see closeness_dense.cpp), all others with 1.
std::vector<std::uint8_t> unfolded(const LocalGraph& graph);

/// The best few, and what it takes to be one of them.
class Podium {
 public:
  explicit Podium(std::size_t places) : best_(places) {}
  void offer(const Central& each) { best_.offer(each); }
  /// A node with a larger sum has no place any more.
  std::uint64_t bar() const { return best_.full() ? best_.last().sum : ~std::uint64_t{0}; }
  std::size_t places() const { return best_.count(); }
  /// The best first.
  std::vector<Central> take() { return best_.take(); }

 private:
  TopK<Central> best_;
};

}  // namespace bellwether::graph
