// SPDX-License-Identifier: MIT
// Who is nearest to all others where links have lengths.
#include <algorithm>
#include <limits>
#include <numeric>

#include "bellwether/core/invariant.hpp"
#include "bellwether/core/prng.hpp"
#include "bellwether/graph/closeness/landmarks.hpp"
#include "bellwether/graph/closeness/parts.hpp"
#include "bellwether/graph/closeness/radix_heap.hpp"
#include "bellwether/graph/closeness/top_k.hpp"
#include "bellwether/graph/weighted.hpp"

namespace bellwether::graph {

namespace {

/// Sums of up to 2^32 distances of less than 2^64 each.
__extension__ using Sum = unsigned __int128;

/// A node and its sum; like Central, but wide.
struct RankedNode {
  NodeIndex node = 0;
  Sum sum = 0;
  bool beats(const RankedNode& other) const {
    return sum != other.sum ? sum < other.sum : node > other.node;
  }
};

constexpr std::uint64_t unknown = std::numeric_limits<std::uint64_t>::max();

/// Finds the best of one component. Three bounds keep searches from being made or finished, where
/// S is the sum of a node, n the number of nodes, and d a distance:
///  - Who is not yet found is at least as far away as who was found last; where no way leads to it
///    yet, it comes after another one that is not yet found, and its shortest link is added.
///  - S(u) is at least the sum over all v of |d(l, u) - d(l, v)|, and of the largest such
///  difference
///    over several landmarks l.
///  - S(v) >= S(u) - (n - 2) d(u, v): both u and v count the way between them, and to any of the
///    others v is at most d(u, v) nearer. So one bad node speaks for all around it.
class Finder {
 public:
  Finder(const WeightedGraph& graph, const std::vector<NodeIndex>& names, TopK<RankedNode>& best)
      : graph_(graph),
        names_(names),
        best_(best),
        distance_(graph.size()),
        least_(graph.size(), 0),
        ruled_out_(graph.size(), 0),
        patience_(best.count() + 4 * few) {
    for (NodeIndex u = 0; u < graph.size(); ++u) {
      std::uint64_t shortest = graph.size() == 1 ? 0 : unknown;
      for (const WeightedArc& arc : graph.neighbours(u))
        shortest = std::min<std::uint64_t>(shortest, arc.weight);
      shortest_.push_back(static_cast<std::uint32_t>(shortest));
      all_shortest_ += shortest;
    }
  }

  void run() {
    if (graph_.size() < few) {
      for (NodeIndex u = 0; u < graph_.size(); ++u) search(u, 0);
      return;
    }
    const Landmarks<std::uint64_t> landmarks(graph_.size(),
                                             [&](NodeIndex u) -> const std::vector<std::uint64_t>& {
                                               measure(u);
                                               return distance_;
                                             });
    for (const NodeIndex u : order(landmarks)) {
      if (ruled_out_[u] > 0) continue;
      const Sum bound = bound_by(landmarks, u);
      if (hopeless(u, bound)) {
        rule_out_around(u, bound);
        patience_ += 4;
      } else {
        search(u, bound);
        if (patience_ > 0 && --patience_ == 0) std::fill(least_.begin(), least_.end(), 0);
      }
    }
  }

 private:
  /// Below, landmarks cost more than they save.
  static constexpr NodeIndex few = 32;

  /// First those that seem to be in the middle, so that the best known is soon a good one. Then all
  /// others in any order: neighbours of who has been ruled out would learn little from each other.
  std::vector<NodeIndex> order(const Landmarks<std::uint64_t>& landmarks) const {
    std::vector<NodeIndex> nodes(graph_.size());
    std::iota(nodes.begin(), nodes.end(), NodeIndex{0});
    core::Prng prng(0);
    core::shuffle(nodes, prng);
    const std::size_t first = std::min(nodes.size(), best_.count() + few);
    std::partial_sort(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(first),
                      nodes.end(), [&](NodeIndex a, NodeIndex b) {
                        const std::uint64_t far_a = landmarks.sum(a);
                        const std::uint64_t far_b = landmarks.sum(b);
                        return far_a != far_b ? far_a < far_b : names_[a] > names_[b];
                      });
    return nodes;
  }

  /// All distances from a node.
  void measure(NodeIndex from) {
    start(from);
    while (!heap_.empty()) {
      const auto [distance, u] = heap_.pop();
      if (distance == distance_[u]) relax(u);
    }
  }

  /// `rest` is the sum of `least_`.
  void search(NodeIndex from, Sum rest) {
    start(from);
    Sum sum = 0;
    for (std::size_t left = graph_.size(); left > 0;) {
      const auto [distance, u] = heap_.pop();
      if (distance != distance_[u]) continue;
      if (hopeless(from, sum + std::max(Sum{left} * distance + unreached_, rest))) return;
      --left;
      sum += distance;
      rest -= least_[u];
      relax(u);
    }
    best_.offer({names_[from], sum});
    rule_out_around(from, sum);
  }

  void start(NodeIndex from) {
    std::fill(distance_.begin(), distance_.end(), unknown);
    distance_[from] = 0;
    unreached_ = all_shortest_ - shortest_[from];
    heap_.clear();
    heap_.push({0, from});
  }

  void relax(NodeIndex u) {
    for (const auto& [v, weight] : graph_.neighbours(u)) {
      const std::uint64_t way = distance_[u] + weight;
      if (way >= distance_[v]) continue;
      if (distance_[v] == unknown) unreached_ -= shortest_[v];
      distance_[v] = way;
      heap_.push({way, v});
    }
  }

  Sum bound_by(const Landmarks<std::uint64_t>& landmarks, NodeIndex u) {
    if (patience_ == 0) return 0;
    Sum sum = 0;
    for (NodeIndex v = 0; v < graph_.size(); ++v) sum += least_[v] = landmarks.apart(u, v);
    return sum;
  }

  /// Whether who has at least this sum cannot be among the best.
  bool hopeless(NodeIndex u, Sum least) const {
    if (!best_.full()) return false;
    const RankedNode& last = best_.last();
    return least > last.sum || (least == last.sum && names_[u] < last.node);
  }

  /// All whose sums must be larger than the last of the best, given that of u.
  void rule_out_around(NodeIndex u, Sum least) {
    ruled_out_[u] = std::max<std::uint64_t>(ruled_out_[u], 1);
    if (graph_.size() <= 2 || !best_.full() || least <= best_.last().sum) return;
    const Sum wide = (least - best_.last().sum - 1) / (graph_.size() - 2);
    const auto radius = static_cast<std::uint64_t>(std::min<Sum>(wide, unknown / 2));
    heap_.clear();
    heap_.push({0, u});
    while (!heap_.empty()) {
      const auto [distance, v] = heap_.pop();
      // Where as much was left over before, this was done before.
      if (ruled_out_[v] > radius - distance && v != u) continue;
      ruled_out_[v] = radius - distance + 1;
      for (const auto& [next, weight] : graph_.neighbours(v))
        if (weight <= radius - distance && ruled_out_[next] <= radius - distance - weight)
          heap_.push({distance + weight, next});
    }
  }

  const WeightedGraph& graph_;
  const std::vector<NodeIndex>& names_;
  TopK<RankedNode>& best_;
  std::vector<std::uint64_t> distance_;
  std::vector<std::uint64_t> least_;      // lower bounds of the distances from a node
  std::vector<std::uint64_t> ruled_out_;  // 0: not yet; else 1 + how far around it, too
  std::vector<std::uint32_t> shortest_;   // of the links of each node
  Sum all_shortest_ = 0;
  Sum unreached_ = 0;     // the sum of the shortest links of those that no way leads to yet
  std::size_t patience_;  // with landmarks that help too seldom; at 0 they are given up
  RadixHeap heap_;
};

WeightedGraph extract(const WeightedGraph& graph, const std::vector<NodeIndex>& members,
                      const std::vector<NodeIndex>& place) {
  std::vector<WeightedEdge> edges;
  for (NodeIndex i = 0; i < members.size(); ++i)
    for (const auto& [v, weight] : graph.neighbours(members[i]))
      if (place[v] > i) edges.push_back({i, place[v], weight});
  return WeightedGraph(static_cast<NodeIndex>(members.size()), edges);
}

}  // namespace

std::vector<std::vector<Central>> most_central_of_each(const WeightedGraph& graph,
                                                       NodeIndex count) {
  std::vector<std::vector<Central>> out;
  for_each_part(graph, [&](const auto& members, const auto& place) {
    TopK<RankedNode> best(count);
    if (count > 0) Finder(extract(graph, members, place), members, best).run();
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
