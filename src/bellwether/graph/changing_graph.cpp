// SPDX-License-Identifier: MIT
#include "bellwether/graph/changing_graph.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "bellwether/core/invariant.hpp"

namespace bellwether::graph {

namespace {

/// All nodes of one distance at a time; the number of words is known to the compiler, so that the
/// rows are joined in registers.
template <std::size_t words>
Central search_rows(const std::uint64_t* rows, NodeIndex from, std::uint32_t* distance) {
  std::array<std::uint64_t, words> seen{};
  std::array<std::uint64_t, words> newest{};
  newest[from / 64] = seen[from / 64] = std::uint64_t{1} << (from % 64);
  Central near{from, 0, 0};
  for (std::uint32_t level = 0;; ++level) {
    std::array<std::uint64_t, words> next{};
    NodeIndex found = 0;
    for (std::size_t w = 0; w < words; ++w)
      for (std::uint64_t bits = newest[w]; bits != 0; bits &= bits - 1) {
        const std::size_t u = w * 64 + static_cast<std::size_t>(std::countr_zero(bits));
        const std::uint64_t* row = rows + u * words;
        for (std::size_t i = 0; i < words; ++i) next[i] |= row[i];
        distance[u] = level;
        ++found;
      }
    if (found == 0) return near;
    near.reached += found;
    near.sum += std::uint64_t{found} * level;
    for (std::size_t w = 0; w < words; ++w) {
      newest[w] = next[w] & ~seen[w];
      seen[w] |= newest[w];
    }
  }
}

/// 64 counters side by side: bit i of plane p is bit p of counter i.
class Tally {
 public:
  void add(std::uint64_t ones) {
    for (std::size_t p = 0; ones != 0; ++p) {
      const std::uint64_t carry = planes_[p] & ones;
      planes_[p] ^= ones;
      ones = carry;
    }
  }
  /// Adds each counter, times `weight`, to its sum, and begins anew.
  void empty_into(std::span<std::uint64_t> sums, std::uint64_t weight) {
    for (std::size_t p = 0; p < planes_.size(); ++p) {
      if (planes_[p] == 0) continue;
      for (std::size_t i = 0; i < sums.size(); ++i)
        sums[i] += ((planes_[p] >> i) & 1) * (weight << p);
      planes_[p] = 0;
    }
  }

 private:
  std::array<std::uint64_t, 33> planes_{};
};

}  // namespace

ChangingGraph::ChangingGraph(NodeIndex nodes, std::span<const Edge> links, NodeIndex rows_up_to)
    : neighbours_(nodes), queue_(std::size_t{nodes} + 1) {
  core::invariant(rows_up_to <= most_rows, "rows are for graphs that are not too large");
  if (nodes > 0 && nodes <= rows_up_to) words_ = std::bit_ceil((std::size_t{nodes} + 63) / 64);
  rows_.resize(words_ * nodes);
  for (const Edge& e : links) link(e.a, e.b);
}

Graph ChangingGraph::snapshot() const {
  std::vector<Edge> links;
  for (NodeIndex u = 0; u < size(); ++u)
    for (const NodeIndex v : neighbours_[u])
      if (u < v) links.push_back({u, v});
  return Graph(size(), links);
}

bool ChangingGraph::linked(NodeIndex a, NodeIndex b) const {
  if (words_ > 0) return ((rows_[a * words_ + b / 64] >> (b % 64)) & 1) != 0;
  if (neighbours_[a].size() > neighbours_[b].size()) std::swap(a, b);
  return std::find(neighbours_[a].begin(), neighbours_[a].end(), b) != neighbours_[a].end();
}

void ChangingGraph::flip(NodeIndex a, NodeIndex b) {
  if (words_ == 0) return;
  rows_[a * words_ + b / 64] ^= std::uint64_t{1} << (b % 64);
  rows_[b * words_ + a / 64] ^= std::uint64_t{1} << (a % 64);
}

bool ChangingGraph::link(NodeIndex a, NodeIndex b) {
  core::invariant(a < size() && b < size(), "both ends of an edge are nodes of its graph");
  if (a == b || linked(a, b)) return false;
  neighbours_[a].push_back(b);
  neighbours_[b].push_back(a);
  flip(a, b);
  return true;
}

bool ChangingGraph::unlink(NodeIndex a, NodeIndex b) {
  core::invariant(a < size() && b < size(), "both ends of an edge are nodes of its graph");
  if (a == b || !linked(a, b)) return false;
  const auto take = [&](NodeIndex from, NodeIndex to) {
    std::vector<NodeIndex>& list = neighbours_[from];
    *std::find(list.begin(), list.end(), to) = list.back();
    list.pop_back();
  };
  take(a, b);
  take(b, a);
  flip(a, b);
  return true;
}

Central ChangingGraph::search(NodeIndex from, std::vector<std::uint32_t>& distance) {
  distance.assign(size(), unreachable);
  switch (words_) {
    case 0:
      break;
    case 1:
      return search_rows<1>(rows_.data(), from, distance.data());
    case 2:
      return search_rows<2>(rows_.data(), from, distance.data());
    case 4:
      return search_rows<4>(rows_.data(), from, distance.data());
    case 8:
      return search_rows<8>(rows_.data(), from, distance.data());
    case 16:
      return search_rows<16>(rows_.data(), from, distance.data());
    default:
      return search_rows<32>(rows_.data(), from, distance.data());
  }
  // Whether a neighbour is new cannot be foretold, so it is always put at the end of the queue, and
  // the end moves if it is new.
  Central near{from, 0, 0};
  std::uint32_t* const hops = distance.data();
  NodeIndex* const queue = queue_.data();
  std::size_t end = 1;
  queue[0] = from;
  hops[from] = 0;
  for (std::size_t i = 0; i < end; ++i) {
    const std::uint32_t here = hops[queue[i]];
    near.sum += here;
    for (const NodeIndex v : neighbours_[queue[i]]) {
      const std::uint32_t before = hops[v];
      queue[end] = v;
      end += before == unreachable;
      hops[v] = std::min(before, here + 1);
    }
  }
  near.reached = static_cast<NodeIndex>(end);
  return near;
}

void ChangingGraph::sums(std::span<const NodeIndex> nodes, std::span<std::uint64_t> sums) {
  core::invariant(nodes.size() <= most_at_once, "one search is for at most 64 nodes");
  core::invariant(nodes.size() == sums.size(), "each node has its sum");
  seen_.assign(size(), 0);
  here_.assign(size(), 0);
  next_.assign(size(), 0);
  std::fill(sums.begin(), sums.end(), 0);
  busy_.assign(nodes.begin(), nodes.end());
  for (std::size_t i = 0; i < nodes.size(); ++i)
    seen_[nodes[i]] = here_[nodes[i]] |= std::uint64_t{1} << i;
  Tally arrived;
  for (std::uint64_t level = 1; !busy_.empty(); ++level) {
    std::size_t touched = 0;
    for (const NodeIndex u : busy_) {
      const std::uint64_t going = std::exchange(here_[u], 0);
      for (const NodeIndex v : neighbours_[u]) {
        const std::uint64_t before = next_[v];
        queue_[touched] = v;
        touched += before == 0;
        next_[v] = before | going;
      }
    }
    busy_.clear();
    for (const NodeIndex v : std::span(queue_).first(touched)) {
      const std::uint64_t fresh = std::exchange(next_[v], 0) & ~seen_[v];
      if (fresh == 0) continue;
      here_[v] = fresh;
      seen_[v] |= fresh;
      arrived.add(fresh);
      busy_.push_back(v);
    }
    arrived.empty_into(sums, level);
  }
}

}  // namespace bellwether::graph
