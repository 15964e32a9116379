// SPDX-License-Identifier: MIT
// One search after the other in a large graph.
#pragma once

#include "bellwether/graph/closeness/local_graph.hpp"

namespace bellwether::graph {

/// From whom each node pulls: its neighbours that do not fold, an even number of them, so that few
/// loops of fixed length serve all. An entry is the node itself and then these.
struct Pulls {
  static constexpr std::uint32_t kinds = 9;  // 2, 4, ..., 16 neighbours, and more
  std::vector<std::uint32_t> begins;         // of the entry of each node, and the end of the last
  std::vector<std::uint32_t> entries;
  std::vector<std::uint8_t> kind;
  std::vector<std::uint32_t> folded;  // nodes

  Pulls(const LocalGraph& graph, const std::vector<std::uint8_t>& kept);
  std::span<const std::uint32_t> of(std::uint32_t u) const {
    return {entries.data() + begins[u] + 1, entries.data() + begins[u + 1]};
  }
};

/// Distances from one node after the other, in the same memory.
template <class Distance>
class Searcher {
 public:
  explicit Searcher(const Pulls& pulls) : pulls_(pulls), queue_(pulls.kind.size() + 1) {}
  /// Returns the sum of all distances and leaves each of them in `distances`. From a node that
  /// folds, 2 is said of those neighbours that fold, too. Bounds by such distances still hold for
  /// nodes that do not fold: they are at least one hop away from these neighbours.
  std::uint64_t run(std::uint32_t from, std::vector<Distance>& distances);

 private:
  const Pulls& pulls_;
  std::vector<std::uint32_t> queue_;
};

/// At least `enough` nodes that are `allowed`, or all of them, nearest first.
std::vector<std::uint32_t> around(const LocalGraph& graph, std::uint32_t from,
                                  const std::vector<std::uint8_t>& allowed, std::size_t enough);

}  // namespace bellwether::graph
