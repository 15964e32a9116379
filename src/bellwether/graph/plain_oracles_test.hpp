// SPDX-License-Identifier: MIT
// For tests: what the methods of this module must find, by the literal definition.
#pragma once

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <map>
#include <utility>
#include <vector>

#include "bellwether/graph/closeness/closeness.hpp"
#include "bellwether/graph/components.hpp"
#include "bellwether/graph/weighted.hpp"

namespace bellwether::graph::plain {

using Ranks = std::vector<std::vector<Central>>;

/// A breadth-first search from `from`: how near it is to the nodes that it reaches.
inline Central search(const Graph& graph, NodeIndex from, std::vector<std::uint32_t>& distance,
                      std::vector<NodeIndex>& queue) {
  constexpr std::uint32_t unseen = 0xFFFF'FFFF;
  distance.assign(graph.size(), unseen);
  queue.assign(1, from);
  distance[from] = 0;
  Central out{from, 0, 0};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const NodeIndex u = queue[i];
    out.sum += distance[u];
    if (queue.size() == graph.size()) continue;
    for (const NodeIndex v : graph.neighbours(u)) {
      if (distance[v] != unseen) continue;
      distance[v] = distance[u] + 1;
      queue.push_back(v);
    }
  }
  out.reached = static_cast<NodeIndex>(queue.size());
  return out;
}

/// Of each node, by a search from each.
inline std::vector<Central> all_centrals(const Graph& graph) {
  std::vector<std::uint32_t> distance;
  std::vector<NodeIndex> queue;
  std::vector<Central> out;
  for (NodeIndex u = 0; u < graph.size(); ++u) out.push_back(search(graph, u, distance, queue));
  return out;
}

/// Of each node, to all that it reaches.
inline std::vector<std::uint64_t> distance_sums(const Graph& graph) {
  std::vector<std::uint64_t> out;
  for (const Central& each : all_centrals(graph)) out.push_back(each.sum);
  return out;
}

inline bool beats(const Central& a, const Central& b) {
  if (a.reached != b.reached) return a.reached > b.reached;
  if (a.sum != b.sum) return a.sum < b.sum;
  return a.node > b.node;
}

/// The `count` best of each component, the best first.
inline Ranks ranked(const Components& parts, const std::vector<Central>& all, NodeIndex count) {
  Ranks out(parts.count);
  for (const Central& each : all) out[parts.of[each.node]].push_back(each);
  for (auto& each : out) {
    std::sort(each.begin(), each.end(), beats);
    each.resize(std::min<std::size_t>(each.size(), count));
  }
  return out;
}

inline constexpr std::uint64_t far = std::uint64_t{1} << 60;
using Distances = std::vector<std::vector<std::uint64_t>>;

/// Floyd and Warshall: turns the lengths of links into those of ways.
inline void lengthen(Distances& way) {
  const std::size_t n = way.size();
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t u = 0; u < n; ++u)
      for (std::size_t v = 0; v < n; ++v) way[u][v] = std::min(way[u][v], way[u][k] + way[k][v]);
}

inline std::vector<Central> all_centrals(const Distances& way) {
  std::vector<Central> out;
  for (NodeIndex u = 0; u < way.size(); ++u) {
    Central each{u, 0, 0};
    for (const std::uint64_t d : way[u])
      if (d < far) ++each.reached, each.sum += d;
    out.push_back(each);
  }
  return out;
}

/// In hops, among those that are `in` only.
inline Distances all_distances(const std::vector<Edge>& links, Direction direction,
                               const std::vector<bool>& in) {
  const std::size_t n = in.size();
  Distances way(n, std::vector<std::uint64_t>(n, far));
  for (std::size_t u = 0; u < n; ++u)
    if (in[u]) way[u][u] = 0;
  for (const auto& [a, b] : links) {
    if (a == b || !in[a] || !in[b]) continue;
    way[a][b] = 1;
    if (direction == Direction::both_ways) way[b][a] = 1;
  }
  lengthen(way);
  return way;
}

/// The node that `self` takes for the most central one if it sees `hops` hops.
inline Central within(const Distances& whole, const std::vector<Edge>& links, Direction direction,
                      NodeIndex self, std::uint32_t hops) {
  std::vector<bool> in(whole.size());
  for (NodeIndex v = 0; v < whole.size(); ++v) in[v] = whole[self][v] <= hops;
  Central best{0, 0, 0};
  for (const Central& each : all_centrals(all_distances(links, direction, in)))
    if (in[each.node] && beats(each, best)) best = each;
  return best;
}

/// By lengths, two-way.
inline Ranks weighted(NodeIndex n, const std::vector<WeightedEdge>& links, NodeIndex count) {
  Distances way(n, std::vector<std::uint64_t>(n, far));
  for (NodeIndex u = 0; u < n; ++u) way[u][u] = 0;
  std::vector<Edge> hops;
  for (const auto& [a, b, weight] : links) {
    hops.push_back({a, b});
    if (a != b) way[a][b] = way[b][a] = std::min<std::uint64_t>(way[a][b], weight);
  }
  lengthen(way);
  return ranked(components(n, hops), all_centrals(way), count);
}

using Fraction = boost::multiprecision::cpp_rational;

/// A node and its sum of 1 / distance.
struct Harmonic {
  NodeIndex node;
  Fraction sum;
  bool operator<(const Harmonic& other) const {  // the best first
    return sum != other.sum ? sum > other.sum : node > other.node;
  }
};

template <class Number>
Fraction harmonic_sum(const std::vector<Number>& distances, Number unreached) {
  std::map<Number, int> count;
  for (const Number d : distances)
    if (d > 0 && d < unreached) ++count[d];
  Fraction sum = 0;
  for (const auto& [d, nodes] : count) sum += Fraction(nodes, d);
  return sum;
}

/// The whole order of each component.
inline std::vector<std::vector<Harmonic>> harmonic(const Components& parts, const Distances& way) {
  std::vector<std::vector<Harmonic>> out(parts.count);
  for (NodeIndex u = 0; u < way.size(); ++u)
    out[parts.of[u]].push_back({u, harmonic_sum(way[u], far)});
  for (auto& each : out) std::sort(each.begin(), each.end());
  return out;
}

}  // namespace bellwether::graph::plain
