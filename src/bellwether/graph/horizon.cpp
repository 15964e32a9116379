// SPDX-License-Identifier: MIT
#include "bellwether/graph/horizon.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "bellwether/core/prng.hpp"

namespace bellwether::graph {

namespace {

constexpr NodeIndex nobody = std::numeric_limits<NodeIndex>::max();

/// Views, one after the other in the same memory; a view costs what it holds.
class Views {
 public:
  explicit Views(const Graph& graph) : graph_(graph), place_(graph.size(), nobody) {}

  /// The nodes within `hops` of `self`, in the order of their distances.
  void look(NodeIndex self, std::uint32_t hops) {
    for (const NodeIndex u : nodes_) place_[u] = nobody;
    nodes_.assign(1, self);
    ends_.assign(1, 0);
    place_[self] = 0;
    std::size_t next = 0;
    while (next < nodes_.size() && ends_.size() <= hops) {
      const std::size_t end = nodes_.size();
      ends_.push_back(end);
      for (; next < end; ++next)
        for (const NodeIndex v : graph_.neighbours(nodes_[next])) {
          if (place_[v] != nobody) continue;
          place_[v] = 0;  // settled when the view is solved
          nodes_.push_back(v);
        }
    }
    // Without a next level the newest one is the last.
    if (ends_.back() < nodes_.size()) ends_.push_back(nodes_.size());
  }

  const std::vector<NodeIndex>& nodes() const { return nodes_; }
  bool holds(NodeIndex u) const { return place_[u] != nobody; }
  /// The distance of the farthest node in view.
  std::uint32_t depth() const { return static_cast<std::uint32_t>(ends_.size() - 2); }
  /// How many nodes are within `hops`, which may be less than what was looked for.
  std::size_t count(std::uint32_t hops) const { return ends_[std::min(hops, depth()) + 1]; }

  /// The same for all orders of the nodes.
  std::uint64_t digest() const {
    std::uint64_t sum = 0;
    for (const NodeIndex u : nodes_) sum += core::splitmix(u);
    return sum;
  }

  Central most_central() {
    sorted_ = nodes_;
    std::sort(sorted_.begin(), sorted_.end());  // so that ties come out as in the whole graph
    for (NodeIndex i = 0; i < sorted_.size(); ++i) place_[sorted_[i]] = i;
    Central best = sorted_.size() <= most_bit_rows ? in_bits() : in_graph();
    best.node = sorted_[best.node];
    return best;
  }

 private:
  template <class See>
  void for_each_arc(See&& see) const {
    for (NodeIndex i = 0; i < sorted_.size(); ++i)
      for (const NodeIndex v : graph_.neighbours(sorted_[i]))
        if (holds(v)) see(i, place_[v]);
  }

  Central in_bits() const {
    std::array<std::uint64_t, most_bit_rows> rows{};
    for_each_arc([&](NodeIndex i, NodeIndex j) { rows[i] |= std::uint64_t{1} << j; });
    return graph::most_central(std::span(rows).first(sorted_.size()));
  }

  Central in_graph() {
    arcs_.clear();
    const bool both = graph_.two_way();
    for_each_arc([&](NodeIndex i, NodeIndex j) {
      if (both ? i < j : i != j) arcs_.push_back({i, j});
    });
    return graph::most_central(Graph(static_cast<NodeIndex>(sorted_.size()), arcs_,
                                     both ? Direction::both_ways : Direction::one_way));
  }

  const Graph& graph_;
  std::vector<NodeIndex> place_;   // of the nodes in view, among them in ascending order
  std::vector<NodeIndex> nodes_;   // in view, in the order of their distances
  std::vector<std::size_t> ends_;  // [d]: how many of them are nearer than d
  std::vector<NodeIndex> sorted_;
  std::vector<Edge> arcs_;
};

/// A view that may be that of others, too.
struct HorizonDigest {
  std::uint64_t digest;
  NodeIndex by;
  auto operator<=>(const HorizonDigest&) const = default;
};

}  // namespace

std::vector<NodeIndex> most_central_within_each(const Graph& graph, std::uint32_t hops) {
  Views views(graph);
  std::vector<NodeIndex> like(graph.size(), nobody);  // who is known to see the same
  std::vector<HorizonDigest> seen;
  for (NodeIndex u = 0; u < graph.size(); ++u) {
    if (like[u] != nobody) continue;
    like[u] = u;
    views.look(u, hops);
    seen.push_back({views.digest(), u});
    // A node so near u that it sees across u to every other sees all of the component, as u does.
    if (!graph.two_way() || views.depth() >= hops) continue;
    for (std::size_t i = 0; i < views.count(hops - views.depth()); ++i) like[views.nodes()[i]] = u;
  }

  // Equal views have equal digests and stand side by side; that they are equal is seen again.
  std::sort(seen.begin(), seen.end());
  std::vector<NodeIndex> out(graph.size(), nobody);
  std::vector<NodeIndex> solved;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const NodeIndex u = seen[i].by;
    views.look(u, hops);
    const bool again =
        i > 0 && seen[i - 1].digest == seen[i].digest && solved.size() == views.nodes().size() &&
        std::all_of(solved.begin(), solved.end(), [&](NodeIndex v) { return views.holds(v); });
    if (again) {
      out[u] = out[seen[i - 1].by];
    } else {
      solved = views.nodes();
      out[u] = views.most_central().node;
    }
  }
  for (NodeIndex u = 0; u < graph.size(); ++u) out[u] = out[like[u]];
  return out;
}

}  // namespace bellwether::graph
