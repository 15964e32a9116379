// SPDX-License-Identifier: MIT
#include "bellwether/graph/closeness.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "bellwether/core/invariant.hpp"
#include "bellwether/graph/components.hpp"
#include "bellwether/graph/distances.hpp"

namespace bellwether::graph {

namespace {

/// All nodes of one distance at a time.
Central nearness(std::span<const std::uint64_t> rows, NodeIndex from) {
  Central near{from, 1, 0};
  std::uint64_t seen = std::uint64_t{1} << from;
  std::uint64_t newest = seen;
  for (std::uint32_t distance = 1; newest != 0; ++distance) {
    std::uint64_t next = 0;
    for (; newest != 0; newest &= newest - 1)
      next |= rows[static_cast<std::size_t>(std::countr_zero(newest))];
    newest = next & ~seen;
    seen |= newest;
    const auto found = static_cast<NodeIndex>(std::popcount(newest));
    near.reached += found;
    near.sum += std::uint64_t{found} * distance;
  }
  return near;
}

Central nearness(const Graph& graph, NodeIndex from) {
  Central near{from, 0, 0};
  for (const std::uint32_t distance : distances(graph, from)) {
    if (distance == unreachable) continue;
    ++near.reached;
    near.sum += distance;
  }
  return near;
}

template <class Rows>
Central nearest(const Rows& rows) {
  Central best;
  for (NodeIndex u = 0; u < rows.size(); ++u) {
    const Central near = nearness(rows, u);
    if (near.beats(best)) best = near;
  }
  return best;
}

}  // namespace

Central most_central(std::span<const std::uint64_t> rows) {
  core::invariant(!rows.empty(), "nobody is central where nobody is");
  core::invariant(rows.size() <= most_bit_rows, "a row of bits is for at most 64 nodes");
  return nearest(rows);
}

Central most_central(const Graph& graph) {
  core::invariant(graph.size() > 0, "nobody is central where nobody is");
  if (graph.size() > most_bit_rows) return nearest(graph);
  std::array<std::uint64_t, most_bit_rows> rows{};
  for (NodeIndex u = 0; u < graph.size(); ++u)
    for (const NodeIndex v : graph.neighbours(u)) rows[u] |= std::uint64_t{1} << v;
  return most_central(std::span(rows).first(graph.size()));
}

std::vector<std::vector<Central>> most_central_of_each(const Graph& graph, NodeIndex count) {
  const Components parts = components(graph);
  std::vector<std::vector<Central>> best(parts.count);
  for (NodeIndex u = 0; u < graph.size(); ++u) best[parts.of[u]].push_back(nearness(graph, u));
  for (std::vector<Central>& each : best) {
    std::sort(each.begin(), each.end(), [](const auto& a, const auto& b) { return a.beats(b); });
    each.resize(std::min<std::size_t>(each.size(), count));
  }
  return best;
}

}  // namespace bellwether::graph
