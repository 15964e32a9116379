// SPDX-License-Identifier: MIT
#include "bellwether/graph/graph.hpp"

#include "bellwether/core/invariant.hpp"

namespace bellwether::graph {

Graph::Graph(NodeIndex nodes, std::span<const Edge> edges, Direction direction)
    : offsets_(std::size_t{nodes} + 1, 0), two_way_(direction == Direction::both_ways) {
  const bool back = two_way_;
  for (const Edge& e : edges) {
    core::invariant(e.a < nodes && e.b < nodes, "both ends of an edge are nodes of its graph");
    ++offsets_[std::size_t{e.a} + 1];
    if (back) ++offsets_[std::size_t{e.b} + 1];
  }
  for (std::size_t u = 0; u < nodes; ++u) offsets_[u + 1] += offsets_[u];

  targets_.resize(offsets_.back());
  std::vector<std::size_t> next(offsets_.begin(), offsets_.end() - 1);
  for (const Edge& e : edges) {
    targets_[next[e.a]++] = e.b;
    if (back) targets_[next[e.b]++] = e.a;
  }
}

}  // namespace bellwether::graph
