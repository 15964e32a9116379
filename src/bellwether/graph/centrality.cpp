// SPDX-License-Identifier: MIT
#include "bellwether/graph/centrality.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <type_traits>

#include "bellwether/core/invariant.hpp"
#include "bellwether/graph/distances.hpp"

namespace bellwether::graph {
namespace {

/// The part of one source in Brandes' method: shortest ways are counted on the way out, and what
/// they lay upon each node is summed up on the way back.
class Brandes {
 public:
  explicit Brandes(const Graph& graph)
      : graph_(graph), distance_(graph.size()), ways_(graph.size()), load_(graph.size()) {}

  void add_source(NodeIndex source, std::vector<double>& sum) {
    count_ways(source);
    std::fill(load_.begin(), load_.end(), 0.0);
    for (std::size_t i = found_.size(); i-- > 0;) {
      const NodeIndex u = found_[i];
      for (const NodeIndex v : graph_.neighbours(u))
        if (distance_[v] == distance_[u] + 1) load_[u] += ways_[u] / ways_[v] * (1 + load_[v]);
      if (u != source) sum[u] += load_[u];
    }
  }

 private:
  void count_ways(NodeIndex source) {
    std::fill(distance_.begin(), distance_.end(), unreachable);
    std::fill(ways_.begin(), ways_.end(), 0.0);
    found_.assign(1, source);
    distance_[source] = 0;
    ways_[source] = 1;
    for (std::size_t i = 0; i < found_.size(); ++i) {
      const NodeIndex u = found_[i];
      for (const NodeIndex v : graph_.neighbours(u)) {
        if (distance_[v] == unreachable) {
          distance_[v] = distance_[u] + 1;
          found_.push_back(v);
        }
        if (distance_[v] == distance_[u] + 1) ways_[v] += ways_[u];
      }
    }
  }

  const Graph& graph_;
  std::vector<std::uint32_t> distance_;
  std::vector<double> ways_;
  std::vector<double> load_;
  std::vector<NodeIndex> found_;  // in the order of their distances
};

/// A spanning tree of each component, by the rule in the header.
struct SpanningForest {
  std::vector<NodeIndex> order;   // roots before their children
  std::vector<NodeIndex> parent;  // a root is its own
  std::vector<std::uint64_t> depth;
};

SpanningForest spanning_forest(const Graph& graph) {
  const NodeIndex n = graph.size();
  constexpr std::uint64_t unknown = ~std::uint64_t{0};
  SpanningForest forest{{}, std::vector<NodeIndex>(n), std::vector<std::uint64_t>(n, unknown)};
  for (NodeIndex root = 0; root < n; ++root) {
    if (forest.depth[root] != unknown) continue;
    forest.depth[root] = 0;
    forest.parent[root] = root;
    forest.order.push_back(root);
    for (std::size_t i = forest.order.size() - 1; i < forest.order.size(); ++i) {
      const NodeIndex u = forest.order[i];
      for (const NodeIndex v : graph.neighbours(u)) {
        if (forest.depth[v] == unknown) {
          forest.depth[v] = forest.depth[u] + 1;
          forest.parent[v] = u;
          forest.order.push_back(v);
        } else if (forest.depth[v] == forest.depth[u] + 1) {
          forest.parent[v] = std::min(forest.parent[v], u);
        }
      }
    }
  }
  return forest;
}

}  // namespace

std::vector<std::uint32_t> degrees(const Graph& graph) {
  std::vector<std::uint32_t> out(graph.size());
  for (NodeIndex u = 0; u < graph.size(); ++u)
    out[u] = static_cast<std::uint32_t>(graph.neighbours(u).size());
  return out;
}

std::vector<std::uint32_t> eccentricities(const Graph& graph) {
  std::vector<std::uint32_t> out(graph.size());
  for (NodeIndex u = 0; u < graph.size(); ++u) out[u] = eccentricity(graph, u);
  return out;
}

std::vector<double> betweenness(const Graph& graph) {
  std::vector<double> sum(graph.size(), 0.0);
  Brandes brandes(graph);
  for (NodeIndex source = 0; source < graph.size(); ++source) brandes.add_source(source, sum);
  return sum;
}

std::vector<std::uint64_t> tree_depth_sums(const Graph& graph) {
  const Components parts = components(graph);
  const std::vector<NodeIndex> nodes = sizes(parts);
  const SpanningForest forest = spanning_forest(graph);
  std::vector<std::uint64_t> sum(graph.size(), 0);
  std::vector<std::uint64_t> below(graph.size(), 1);  // nodes of the tree at and below each
  std::uint32_t roots = 0;
  for (std::size_t i = forest.order.size(); i-- > 0;) {
    const NodeIndex u = forest.order[i];
    const NodeIndex p = forest.parent[u];
    if (p == u) {
      ++roots;
      continue;
    }
    below[p] += below[u];
    sum[p] += sum[u] + below[u];
  }
  core::invariant(roots == parts.count, "tree centrality needs links that go both ways");
  // From a parent to its child, those below come one nearer, and all others one farther.
  for (const NodeIndex u : forest.order)
    if (const NodeIndex p = forest.parent[u]; p != u)
      sum[u] = sum[p] + nodes[parts.of[u]] - 2 * below[u];
  return sum;
}

std::vector<double> page_rank(const Graph& graph, const PageRankOptions& options) {
  if (graph.size() == 0) return {};
  const auto n = static_cast<double>(graph.size());
  std::vector<double> rank(graph.size(), 1 / n);
  std::vector<double> next(graph.size());
  for (std::uint32_t step = 0; step < options.steps; ++step) {
    double stuck = 0;  // of nodes without links
    for (NodeIndex u = 0; u < graph.size(); ++u)
      if (graph.neighbours(u).empty()) stuck += rank[u];
    std::fill(next.begin(), next.end(), (1 - options.damping + options.damping * stuck) / n);
    for (NodeIndex u = 0; u < graph.size(); ++u) {
      const auto links = graph.neighbours(u);
      for (const NodeIndex v : links)
        next[v] += options.damping * rank[u] / static_cast<double>(links.size());
    }
    double change = 0;
    for (NodeIndex u = 0; u < graph.size(); ++u) change += std::abs(next[u] - rank[u]);
    rank.swap(next);
    if (change < options.tolerance) break;
  }
  return rank;
}

constexpr double rounding = 1e-12;  // relative

template <class Value>
std::vector<std::vector<NodeIndex>> ranked_of_each(const Components& parts,
                                                   const std::vector<Value>& values,
                                                   Preferred preferred, NodeIndex count) {
  std::vector<std::vector<NodeIndex>> out(parts.count);
  for (NodeIndex u = 0; u < values.size(); ++u) out[parts.of[u]].push_back(u);
  const auto before = [&](NodeIndex u, NodeIndex v) {
    if (values[u] == values[v]) return u > v;
    return preferred == Preferred::largest ? values[u] > values[v] : values[u] < values[v];
  };
  for (std::vector<NodeIndex>& nodes : out) {
    std::sort(nodes.begin(), nodes.end(), before);
    if constexpr (std::is_floating_point_v<Value>) {
      // Equal is who is as good as the first of a row of them.
      for (auto first = nodes.begin(); first != nodes.end();) {
        const auto last = std::find_if(first, nodes.end(), [&](NodeIndex u) {
          return std::abs(values[*first] - values[u]) > rounding * std::abs(values[*first]);
        });
        std::sort(first, last, std::greater<>());
        first = last;
      }
    }
    nodes.resize(std::min<std::size_t>(nodes.size(), count));
  }
  return out;
}

template std::vector<std::vector<NodeIndex>> ranked_of_each(const Components&,
                                                            const std::vector<std::uint32_t>&,
                                                            Preferred, NodeIndex);
template std::vector<std::vector<NodeIndex>> ranked_of_each(const Components&,
                                                            const std::vector<std::uint64_t>&,
                                                            Preferred, NodeIndex);
template std::vector<std::vector<NodeIndex>> ranked_of_each(const Components&,
                                                            const std::vector<double>&, Preferred,
                                                            NodeIndex);

}  // namespace bellwether::graph
