// SPDX-License-Identifier: MIT
// A two-way graph whose links come and go, and searches in it that are cheap to repeat.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bellwether/graph/closeness/closeness.hpp"
#include "bellwether/graph/distances.hpp"

namespace bellwether::graph {

class ChangingGraph {
 public:
  /// Up to this many nodes there is also a row of bits for each node. A search that joins rows
  /// takes a third of the time of one that follows lists; beyond, the rows cost more than they
  /// save.
  static constexpr NodeIndex most_rows = 2048;

  /// Loops and parallel links are left out. `rows_up_to` is at most `most_rows`.
  ChangingGraph(NodeIndex nodes, std::span<const Edge> links, NodeIndex rows_up_to = most_rows);

  NodeIndex size() const { return static_cast<NodeIndex>(neighbours_.size()); }
  std::span<const NodeIndex> neighbours(NodeIndex u) const { return neighbours_[u]; }
  /// For each node `words()` words of 64 bits; 0 words where the graph is too large for rows.
  std::span<const std::uint64_t> rows() const { return rows_; }
  std::size_t words() const { return words_; }
  bool linked(NodeIndex a, NodeIndex b) const;
  Graph snapshot() const;

  /// Whether that changed anything: a loop, a link that is there already, or one that is not there
  /// to be taken away, changes nothing.
  bool link(NodeIndex a, NodeIndex b);
  bool unlink(NodeIndex a, NodeIndex b);

  /// How near `from` is to the others; `distance` gets one entry for each node.
  Central search(NodeIndex from, std::vector<std::uint32_t>& distance);

  /// The sums of distances of at most 64 nodes to all that they reach, in one search for all. It
  /// pays where the nodes are near each other, and many.
  static constexpr std::size_t most_at_once = 64;
  void sums(std::span<const NodeIndex> nodes, std::span<std::uint64_t> sums);

 private:
  void flip(NodeIndex a, NodeIndex b);

  std::vector<std::vector<NodeIndex>> neighbours_;  // in no order
  std::size_t words_ = 0;
  std::vector<std::uint64_t> rows_;
  std::vector<NodeIndex> queue_;

  // For `sums`, one bit for each of its nodes: who has been here, who came in the last step, who
  // comes in this one.
  std::vector<std::uint64_t> seen_;
  std::vector<std::uint64_t> here_;
  std::vector<std::uint64_t> next_;
  std::vector<NodeIndex> busy_;
};

}  // namespace bellwether::graph
