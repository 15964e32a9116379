// SPDX-License-Identifier: MIT
#include "bellwether/graph/weighted.hpp"

#include <algorithm>

#include "bellwether/core/invariant.hpp"

namespace bellwether::graph {

WeightedGraph::WeightedGraph(NodeIndex nodes, std::span<const WeightedEdge> edges)
    : offsets_(std::size_t{nodes} + 1, 0) {
  for (const WeightedEdge& e : edges) {
    core::invariant(e.a < nodes && e.b < nodes, "both ends of an edge are nodes of its graph");
    core::invariant(e.weight >= 1, "a link is at least 1 long");
    if (e.a == e.b) continue;
    ++offsets_[std::size_t{e.a} + 1];
    ++offsets_[std::size_t{e.b} + 1];
  }
  for (std::size_t u = 0; u < nodes; ++u) offsets_[u + 1] += offsets_[u];

  arcs_.resize(offsets_.back());
  std::vector<std::size_t> next(offsets_.begin(), offsets_.end() - 1);
  for (const WeightedEdge& e : edges) {
    if (e.a == e.b) continue;
    arcs_[next[e.a]++] = {e.b, e.weight};
    arcs_[next[e.b]++] = {e.a, e.weight};
  }

  // Of parallel links the shortest comes first, and stays; the gaps are closed on the way.
  std::size_t kept = 0;
  std::size_t begin = 0;
  for (std::size_t u = 0; u < nodes; ++u) {
    const std::size_t end = offsets_[u + 1];
    std::sort(arcs_.begin() + static_cast<std::ptrdiff_t>(begin),
              arcs_.begin() + static_cast<std::ptrdiff_t>(end));
    const std::size_t first = kept;
    for (; begin < end; ++begin)
      if (kept == first || arcs_[kept - 1].node != arcs_[begin].node) arcs_[kept++] = arcs_[begin];
    offsets_[u + 1] = kept;
  }
  arcs_.resize(kept);
}

}  // namespace bellwether::graph
