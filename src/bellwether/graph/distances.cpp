// SPDX-License-Identifier: MIT
#include "bellwether/graph/distances.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "bellwether/core/invariant.hpp"
#include "bellwether/graph/components.hpp"

namespace bellwether::graph {

namespace {

/// Searches again and again with the same memory; a search costs what it visits.
class BreadthFirstSearch {
 public:
  explicit BreadthFirstSearch(const Graph& graph)
      : graph_(graph), distance_(graph.size(), unreachable) {}

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
  /// Of the last search.
  const std::vector<NodeIndex>& order() const { return found_; }
  std::uint32_t distance(NodeIndex u) const { return distance_[u]; }
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
  BreadthFirstSearch search(graph);
  search.run(from, graph.size());
  return search.take();
}

std::uint32_t eccentricity(const Graph& graph, NodeIndex from) {
  core::invariant(from < graph.size(), "a search begins at a node of its graph");
  return BreadthFirstSearch(graph).run(from, graph.size());
}

namespace {

/// The diameters of the components of a two-way graph.
class Diameters {
 public:
  explicit Diameters(const Graph& graph)
      : graph_(graph), search_(graph), within_(graph.size(), 0), next_(graph.size(), 0) {}

  std::uint32_t widest() {
    std::uint32_t width = 0;
    std::vector<unsigned char> seen(graph_.size(), 0);
    for (NodeIndex first = 0; first < graph_.size(); ++first) {
      if (seen[first] != 0) continue;
      search_.run(first, graph_.size());
      for (const NodeIndex u : search_.order()) seen[u] = 1;
      width = std::max(width, width_around(search_.order().back()));
    }
    return width;
  }

 private:
  /// Of the component of a node that is far from some other. From a node in the middle, the nodes
  /// far from it are examined, the farthest first: nodes within k hops of the middle are within
  /// 2 k hops of each other, so soon no two of the remaining nodes can be farther apart than the
  /// farthest found (Crescenzi et al. 2013, "On computing the diameter of real-world undirected
  /// graphs").
  std::uint32_t width_around(NodeIndex end) {
    std::uint32_t width = search_.run(end, graph_.size());
    search_.run(middle(), graph_.size());
    const std::vector<NodeIndex> nodes = search_.order();
    std::vector<std::uint32_t> far;
    for (const NodeIndex u : nodes) far.push_back(search_.distance(u));
    for (std::size_t left = nodes.size(); left > 0 && width < 2 * far[left - 1];) {
      const std::size_t some = std::min<std::size_t>(left, 64);
      left -= some;
      width = std::max(width, farthest(std::span(nodes).subspan(left, some), nodes));
    }
    return width;
  }

  /// Half way back from the farthest node of the last search.
  NodeIndex middle() const {
    NodeIndex u = search_.order().back();
    const std::uint32_t half = search_.distance(u) / 2;
    while (search_.distance(u) > half) {
      const auto around = graph_.neighbours(u);
      u = *std::find_if(around.begin(), around.end(), [&](NodeIndex v) {
        return search_.distance(v) + 1 == search_.distance(u);
      });
    }
    return u;
  }

  /// The largest eccentricity of at most 64 nodes of a component.
  std::uint32_t farthest(std::span<const NodeIndex> sources, const std::vector<NodeIndex>& nodes) {
    if (graph_.arcs() / 64 < graph_.size()) return farthest_at_once(sources, nodes);
    // With that many links, each search is over long before it has seen them.
    std::uint32_t most = 0;
    for (const NodeIndex u : sources)
      most = std::max(most, search_.run(u, static_cast<NodeIndex>(nodes.size())));
    return most;
  }

  /// Bit i of a node's word says that source i is within the present number of hops.
  std::uint32_t farthest_at_once(std::span<const NodeIndex> sources,
                                 const std::vector<NodeIndex>& nodes) {
    std::uint64_t all = 0;
    for (const NodeIndex u : nodes) within_[u] = 0;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      within_[sources[i]] = std::uint64_t{1} << i;
      all |= within_[sources[i]];
    }
    for (std::uint32_t hops = 0;; ++hops) {
      std::uint64_t everywhere = all;
      for (const NodeIndex u : nodes) {
        std::uint64_t here = within_[u];
        everywhere &= here;
        for (const NodeIndex v : graph_.neighbours(u)) here |= within_[v];
        next_[u] = here;
      }
      if (everywhere == all) return hops;
      std::swap(within_, next_);
    }
  }

  const Graph& graph_;
  BreadthFirstSearch search_;
  std::vector<std::uint64_t> within_;
  std::vector<std::uint64_t> next_;
};

}  // namespace

std::uint32_t diameter(const Graph& graph) {
  if (graph.two_way()) return Diameters(graph).widest();
  const Components parts = components(graph);
  const std::vector<NodeIndex> size = sizes(parts);
  BreadthFirstSearch search(graph);
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
  BreadthFirstSearch from(graph);
  BreadthFirstSearch to(against);
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
