// SPDX-License-Identifier: MIT
// Large graphs in which all nodes are near: random graphs, social networks. Landmarks say nothing
// there, but how fast a search can grow does: no more nodes are k hops away than there are ways of
// k hops that never turn round at once. Candidates are searched in the order of that bound, many at
// a time; a batch ends early when none of its sources can win any more.
#include <algorithm>

#include "bellwether/graph/closeness/batch.hpp"

namespace bellwether::graph {

namespace {

/// Lower bounds of all sums. Numbers of ways are whole and exact below 2^53; no more levels are
/// counted than keep them so.
std::vector<double> walk_bounds(const LocalGraph& graph) {
  constexpr double most_ways = 9e15;
  const std::uint32_t n = graph.size();
  const double others = n - 1.0;
  std::vector<double> before(n, 0), ways(n), next(n), reached(n), bounds(n);
  const auto degree = [&](std::uint32_t u) {
    return static_cast<double>(graph.neighbours(u).size());
  };
  for (std::uint32_t u = 0; u < n; ++u) {
    ways[u] = reached[u] = degree(u);
    bounds[u] = others + std::max(0.0, others - reached[u]);
  }
  for (int level = 2; level < 64; ++level) {
    bool open = false;
    bool exact = true;
    for (std::uint32_t u = 0; u < n; ++u) {
      double sum = 0;
      for (const std::uint32_t v : graph.neighbours(u)) sum += ways[v];
      exact &= sum < most_ways;
      // Each way of one hop turns round at its end in one way, each longer one in degree - 1 ways.
      next[u] = sum - (level == 2 ? degree(u) : (degree(u) - 1) * before[u]);
    }
    if (!exact) break;
    for (std::uint32_t u = 0; u < n; ++u) {
      reached[u] += next[u];
      bounds[u] += std::max(0.0, others - reached[u]);
      open |= reached[u] < others;
    }
    if (!open) break;
    before.swap(ways);
    ways.swap(next);
  }
  return bounds;
}

}  // namespace

void walk_central(const LocalGraph& graph, const std::vector<std::uint8_t>& allowed,
                  Processor processor, Podium& podium) {
  const std::vector<double> bounds = walk_bounds(graph);
  const std::vector<std::uint8_t> all(graph.size(), 1);
  const Pulls pulls(graph, all);
  SourceBatch batch(graph, pulls, processor);
  std::vector<std::uint32_t> order;
  for (std::uint32_t u = 0; u < graph.size(); ++u)
    if (allowed[u] != 0) order.push_back(u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return bounds[a] != bounds[b] ? bounds[a] < bounds[b] : a < b;
  });
  // A small batch first: it sets the bar.
  std::size_t size = std::max<std::size_t>(64, podium.places());
  for (std::size_t first = 0; first < order.size(); size = SourceBatch::most) {
    std::size_t last = first;
    while (last < order.size() && last - first < std::min<std::size_t>(size, SourceBatch::most) &&
           bounds[order[last]] <= static_cast<double>(podium.bar()))
      ++last;
    if (last == first) return;
    const auto sources = std::span(order).subspan(first, last - first);
    const std::vector<std::uint64_t> sums = batch.sums(sources, podium.bar());
    for (std::size_t i = 0; i < sums.size(); ++i)
      if (sums[i] != SourceBatch::beaten)
        podium.offer({graph.names[sources[i]], graph.size(), sums[i]});
    first = last;
  }
}

}  // namespace bellwether::graph
