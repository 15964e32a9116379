// SPDX-License-Identifier: MIT
#include "bellwether/graph/components.hpp"

#include <algorithm>
#include <numeric>

#include "bellwether/core/invariant.hpp"

namespace bellwether::graph {

namespace {

/// Disjoint sets (Tarjan) with halved paths. The smallest node of a set is its root, so that the
/// numbering is one pass in the order of the nodes.
class Sets {
 public:
  explicit Sets(NodeIndex nodes) : parent_(nodes) {
    std::iota(parent_.begin(), parent_.end(), NodeIndex{0});
  }

  void join(NodeIndex u, NodeIndex v) {
    u = root(u);
    v = root(v);
    parent_[std::max(u, v)] = std::min(u, v);
  }

  Components number() {
    Components parts;
    parts.of.resize(parent_.size());
    for (NodeIndex u = 0; u < parent_.size(); ++u) {
      const NodeIndex r = root(u);
      parts.of[u] = r == u ? parts.count++ : parts.of[r];
    }
    return parts;
  }

 private:
  NodeIndex root(NodeIndex u) {
    while (parent_[u] != u) u = parent_[u] = parent_[parent_[u]];
    return u;
  }

  std::vector<NodeIndex> parent_;
};

}  // namespace

Components components(NodeIndex nodes, std::span<const Edge> links) {
  Sets sets(nodes);
  for (const Edge& e : links) {
    core::invariant(e.a < nodes && e.b < nodes, "both ends of a link are nodes");
    sets.join(e.a, e.b);
  }
  return sets.number();
}

Components components(const Graph& graph) {
  Sets sets(graph.size());
  for (NodeIndex u = 0; u < graph.size(); ++u)
    for (const NodeIndex v : graph.neighbours(u)) sets.join(u, v);
  return sets.number();
}

std::vector<NodeIndex> sizes(const Components& parts) {
  std::vector<NodeIndex> size(parts.count, 0);
  for (const std::uint32_t part : parts.of) ++size[part];
  return size;
}

}  // namespace bellwether::graph
