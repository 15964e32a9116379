// SPDX-License-Identifier: MIT
#include "bellwether/graph/placement.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "bellwether/graph/cover.hpp"

namespace bellwether::graph {
namespace {

constexpr std::uint64_t far = std::numeric_limits<std::uint32_t>::max();

}  // namespace

Allowance allowance(std::span<const std::uint32_t> remoteness, std::size_t level) {
  Allowance out;
  for (std::size_t k = 1; k <= level; ++k) {
    const std::uint64_t r = remoteness[std::min(k, remoteness.size()) - 1];
    const std::uint64_t below = out.hops;
    out.step = k == 1 ? r : std::min(far, std::max(r * (below + 1), 2 * below + 1));
    out.hops = std::min(far, below + out.step);
  }
  return out;
}

Placement::Placement(const Graph& graph, NodeIndex root, std::span<const std::uint32_t> remoteness)
    : rank_(graph.size(), 0) {
  std::vector<NodeIndex> leaders(graph.size());
  std::iota(leaders.begin(), leaders.end(), NodeIndex{0});
  do {
    leaders = cover(graph, leaders, root, allowance(remoteness, levels() + 1).step);
    for (const NodeIndex u : leaders) ++rank_[u];
    assign(graph, leaders);
  } while (leaders.size() > 1);
}

/// Every node to the nearest leader; ties: the lowest.
void Placement::assign(const Graph& graph, std::span<const NodeIndex> leaders) {
  constexpr NodeIndex nobody = ~NodeIndex{0};
  std::vector<NodeIndex> of(graph.size(), nobody);
  std::vector<NodeIndex> newest(leaders.begin(), leaders.end());
  for (const NodeIndex u : leaders) of[u] = u;
  std::vector<NodeIndex> next;
  while (!newest.empty()) {
    next.clear();
    for (const NodeIndex u : newest)
      for (const NodeIndex v : graph.neighbours(u))
        if (of[v] == nobody) {
          of[v] = of[u];
          next.push_back(v);
        }
    // In the order of their leaders: so the lowest comes first in the next round, too.
    std::stable_sort(next.begin(), next.end(),
                     [&](NodeIndex a, NodeIndex b) { return of[a] < of[b]; });
    newest.swap(next);
  }
  leader_.push_back(std::move(of));
}

NodeIndex Placement::leader(NodeIndex u, std::size_t level) const {
  for (std::size_t k = 0; k < level; ++k) u = leader_[k][u];
  return u;
}

std::vector<NodeIndex> Placement::children(NodeIndex u, std::size_t level) const {
  std::vector<NodeIndex> out;
  if (level == 0 || level > rank_[u]) return out;
  for (NodeIndex v = 0; v < rank_.size(); ++v)
    if (v != u && rank_[v] + 1 >= level && leader_[level - 1][v] == u) out.push_back(v);
  return out;
}

}  // namespace bellwether::graph
