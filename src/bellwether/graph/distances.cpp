// SPDX-License-Identifier: MIT
#include "bellwether/graph/distances.hpp"

#include <algorithm>
#include <utility>

#include "bellwether/core/invariant.hpp"
#include "bellwether/graph/components.hpp"

namespace bellwether::graph {

namespace {

/// Searches again and again with the same memory; a search costs what it visits.
class Search {
 public:
  explicit Search(const Graph& graph) : graph_(graph), distance_(graph.size(), unreachable) {}

  /// The eccentricity of `from`. Stops when `all` nodes are found: in a dense graph that is long
  /// before all arcs are seen.
  std::uint32_t run(NodeIndex from, NodeIndex all) {
    for (const NodeIndex u : found_) distance_[u] = unreachable;
    found_.assign(1, from);
    distance_[from] = 0;
    for (std::size_t i = 0; i < found_.size() && found_.size() < all; ++i) {
      const NodeIndex u = found_[i];
      for (const NodeIndex v : graph_.neighbours(u)) {
        if (distance_[v] != unreachable) continue;
        distance_[v] = distance_[u] + 1;
        found_.push_back(v);
      }
    }
    return distance_[found_.back()];
  }

  NodeIndex found() const { return static_cast<NodeIndex>(found_.size()); }
  std::vector<std::uint32_t> take() { return std::move(distance_); }

 private:
  const Graph& graph_;
  std::vector<std::uint32_t> distance_;
  std::vector<NodeIndex> found_;  // in the order of their distances
};

Graph reversed(const Graph& graph) {
  std::vector<Edge> arcs;
  arcs.reserve(graph.arcs());
  for (NodeIndex u = 0; u < graph.size(); ++u)
    for (const NodeIndex v : graph.neighbours(u)) arcs.push_back({v, u});
  return Graph(graph.size(), arcs, Direction::one_way);
}

}  // namespace

std::vector<std::uint32_t> distances(const Graph& graph, NodeIndex from) {
  core::invariant(from < graph.size(), "a search begins at a node of its graph");
  Search search(graph);
  search.run(from, graph.size());
  return search.take();
}

std::uint32_t eccentricity(const Graph& graph, NodeIndex from) {
  core::invariant(from < graph.size(), "a search begins at a node of its graph");
  return Search(graph).run(from, graph.size());
}

std::uint32_t diameter(const Graph& graph) {
  const Components parts = components(graph);
  const std::vector<NodeIndex> size = sizes(parts);
  Search search(graph);
  std::uint32_t longest = 0;
  for (NodeIndex u = 0; u < graph.size(); ++u)
    longest = std::max(longest, search.run(u, size[parts.of[u]]));
  return longest;
}

std::uint32_t diameter_bound(const Graph& graph) {
  if (graph.size() <= exact_diameter_nodes) return diameter(graph);
  const Components parts = components(graph);
  const std::vector<NodeIndex> size = sizes(parts);
  const Graph against = reversed(graph);
  Search from(graph);
  Search to(against);
  std::uint32_t longest = 0;
  std::uint32_t part = 0;
  for (NodeIndex u = 0; u < graph.size(); ++u) {
    if (parts.of[u] != part) continue;  // not the first node of its component
    const NodeIndex all = size[part++];
    const std::uint32_t out = from.run(u, all);
    const std::uint32_t in = to.run(u, all);
    // Where the arrows do not lead everywhere, a way through u says nothing about the others.
    const bool everywhere = from.found() == all && to.found() == all;
    longest = std::max(longest, everywhere ? std::min(out + in, all - 1) : all - 1);
  }
  return longest;
}

}  // namespace bellwether::graph
