// SPDX-License-Identifier: MIT
#include "bellwether/graph/closeness.hpp"

#include <array>
#include <bit>

#include "bellwether/core/invariant.hpp"
#include "bellwether/graph/distances.hpp"

namespace bellwether::graph {

namespace {

/// How near a node is to the others.
struct Nearness {
  std::uint32_t reached = 0;
  std::uint64_t sum = 0;
  void count(std::uint32_t nodes, std::uint32_t distance) {
    reached += nodes;
    sum += std::uint64_t{nodes} * distance;
  }
  /// Equal is enough: nodes come by in ascending order, and the highest index wins ties.
  bool wins(const Nearness& earlier) const {
    return reached != earlier.reached ? reached > earlier.reached : sum <= earlier.sum;
  }
};

/// All nodes of one distance at a time.
Nearness nearness(std::span<const std::uint64_t> rows, NodeIndex from) {
  Nearness near;
  std::uint64_t seen = std::uint64_t{1} << from;
  std::uint64_t newest = seen;
  for (std::uint32_t distance = 1; newest != 0; ++distance) {
    std::uint64_t next = 0;
    for (; newest != 0; newest &= newest - 1)
      next |= rows[static_cast<std::size_t>(std::countr_zero(newest))];
    newest = next & ~seen;
    seen |= newest;
    near.count(static_cast<std::uint32_t>(std::popcount(newest)), distance);
  }
  return near;
}

Nearness nearness(const Graph& graph, NodeIndex from) {
  Nearness near;
  for (const std::uint32_t distance : distances(graph, from))
    if (distance != unreachable) near.count(1, distance);
  return near;
}

template <class Rows>
NodeIndex nearest(const Rows& rows) {
  NodeIndex best = 0;
  Nearness best_so_far = nearness(rows, 0);
  for (NodeIndex u = 1; u < rows.size(); ++u) {
    const Nearness near = nearness(rows, u);
    if (!near.wins(best_so_far)) continue;
    best = u;
    best_so_far = near;
  }
  return best;
}

}  // namespace

NodeIndex most_central(std::span<const std::uint64_t> rows) {
  core::invariant(!rows.empty(), "nobody is central where nobody is");
  core::invariant(rows.size() <= most_bit_rows, "a row of bits is for at most 64 nodes");
  return nearest(rows);
}

NodeIndex most_central(const Graph& graph) {
  core::invariant(graph.size() > 0, "nobody is central where nobody is");
  if (graph.size() > most_bit_rows) return nearest(graph);
  std::array<std::uint64_t, most_bit_rows> rows{};
  for (NodeIndex u = 0; u < graph.size(); ++u)
    for (const NodeIndex v : graph.neighbours(u)) rows[u] |= std::uint64_t{1} << v;
  return most_central(std::span(rows).first(graph.size()));
}

}  // namespace bellwether::graph
