// SPDX-License-Identifier: MIT
// Who is nearest to all others where links have lengths.
#include <algorithm>
#include <limits>
#include <numeric>

#include "bellwether/core/invariant.hpp"
#include "bellwether/graph/best.hpp"
#include "bellwether/graph/parts.hpp"
#include "bellwether/graph/weighted.hpp"

namespace bellwether::graph {

namespace {

/// Sums of up to 2^32 distances of less than 2^64 each.
__extension__ using Sum = unsigned __int128;

/// A node and its sum; like Central, but wide.
struct Ranked {
  NodeIndex node = 0;
  Sum sum = 0;
  bool beats(const Ranked& other) const {
    return sum != other.sum ? sum < other.sum : node > other.node;
  }
};

constexpr std::uint64_t unknown = std::numeric_limits<std::uint64_t>::max();

/// Dijkstra's searches from nodes of one component, which give up on those that cannot be among the
/// best.
class Search {
 public:
  Search(const WeightedGraph& graph, const std::vector<NodeIndex>& names)
      : graph_(graph), names_(names), distance_(graph.size()) {}

  void run(NodeIndex from, Best<Ranked>& best) {
    std::fill(distance_.begin(), distance_.end(), unknown);
    heap_.assign(1, {0, from});
    distance_[from] = 0;
    Sum sum = 0;
    for (std::size_t left = names_.size(); left > 0;) {
      const auto [distance, u] = pop();
      if (distance != distance_[u]) continue;
      // All that are left are at least as far as this one.
      if (hopeless(names_[from], sum + Sum{left} * distance, best)) return;
      --left;
      sum += distance;
      for (const auto& [v, weight] : graph_.neighbours(u)) {
        const std::uint64_t way = distance + weight;
        if (way >= distance_[v]) continue;
        distance_[v] = way;
        heap_.push_back({way, v});
        std::push_heap(heap_.begin(), heap_.end(), std::greater<>{});
      }
    }
    best.offer({names_[from], sum});
  }

 private:
  struct Found {
    std::uint64_t distance;
    NodeIndex node;
    auto operator<=>(const Found&) const = default;
  };

  Found pop() {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>{});
    const Found nearest = heap_.back();
    heap_.pop_back();
    return nearest;
  }

  static bool hopeless(NodeIndex node, Sum bound, const Best<Ranked>& best) {
    if (!best.full()) return false;
    return bound > best.last().sum || (bound == best.last().sum && node < best.last().node);
  }

  const WeightedGraph& graph_;
  const std::vector<NodeIndex>& names_;
  std::vector<std::uint64_t> distance_;
  std::vector<Found> heap_;
};

WeightedGraph extract(const WeightedGraph& graph, const std::vector<NodeIndex>& members,
                      const std::vector<NodeIndex>& place) {
  std::vector<WeightedEdge> edges;
  for (NodeIndex i = 0; i < members.size(); ++i)
    for (const auto& [v, weight] : graph.neighbours(members[i]))
      if (place[v] > i) edges.push_back({i, place[v], weight});
  return WeightedGraph(static_cast<NodeIndex>(members.size()), edges);
}

void add_best(const WeightedGraph& part, const std::vector<NodeIndex>& names, Best<Ranked>& best) {
  std::vector<NodeIndex> order(part.size());
  std::iota(order.begin(), order.end(), NodeIndex{0});
  std::sort(order.begin(), order.end(), [&](NodeIndex a, NodeIndex b) {
    const auto links = [&](NodeIndex u) { return part.neighbours(u).size(); };
    return links(a) != links(b) ? links(a) > links(b) : names[a] > names[b];
  });
  Search search(part, names);
  for (const NodeIndex u : order) search.run(u, best);
}

}  // namespace

std::vector<std::vector<Central>> most_central_of_each(const WeightedGraph& graph,
                                                       NodeIndex count) {
  std::vector<std::vector<Central>> out;
  for_each_part(graph, [&](const auto& members, const auto& place) {
    Best<Ranked> best(count);
    if (count > 0) add_best(extract(graph, members, place), members, best);
    std::vector<Central>& each = out.emplace_back();
    for (const auto& [node, sum] : best.take()) {
      core::invariant(sum <= unknown, "the sum of the distances of a central node fits in 64 bits");
      each.push_back(
          {node, static_cast<NodeIndex>(members.size()), static_cast<std::uint64_t>(sum)});
    }
  });
  return out;
}

}  // namespace bellwether::graph
