// SPDX-License-Identifier: MIT
// Distances to a few nodes far apart bound the distances of all others: two nodes are at least as
// far from each other as their distances to any third node differ.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "bellwether/graph/graph.hpp"

namespace bellwether::graph {

template <class Distance>
class Landmarks {
 public:
  static constexpr std::size_t count = 8;

  /// For one component. `search(u)` gives the distances of all nodes from u. Each landmark is the
  /// node farthest from all before it.
  template <class Search>
  Landmarks(NodeIndex nodes, Search&& search) : to_(nodes) {
    constexpr Distance most = std::numeric_limits<Distance>::max();
    const auto farthest = [](const std::vector<Distance>& from) {
      return static_cast<NodeIndex>(std::max_element(from.begin(), from.end()) - from.begin());
    };
    NodeIndex next = farthest(search(NodeIndex{0}));
    std::vector<Distance> nearest(nodes, most);
    for (std::size_t i = 0; i < count; ++i) {
      const std::vector<Distance>& from = search(next);
      for (NodeIndex v = 0; v < nodes; ++v) {
        to_[v][i] = from[v];
        nearest[v] = std::min(nearest[v], from[v]);
      }
      next = farthest(nearest);
    }
  }

  NodeIndex nodes() const { return static_cast<NodeIndex>(to_.size()); }

  /// A lower bound of the distance between u and v.
  Distance apart(NodeIndex u, NodeIndex v) const {
    Distance most = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const Distance a = to_[u][i];
      const Distance b = to_[v][i];
      most = std::max(most, a > b ? a - b : b - a);
    }
    return most;
  }

  /// Of the distances to all landmarks; who is in the middle has a small one. A guess to begin
  /// with: it may wrap where distances are close to 2^64.
  std::uint64_t sum(NodeIndex u) const {
    std::uint64_t out = 0;
    for (const Distance d : to_[u]) out += d;
    return out;
  }

 private:
  std::vector<std::array<Distance, count>> to_;
};

}  // namespace bellwether::graph
