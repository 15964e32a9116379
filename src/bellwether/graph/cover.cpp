// SPDX-License-Identifier: MIT
#include "bellwether/graph/cover.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <queue>
#include <utility>

#include "bellwether/graph/distances.hpp"

namespace bellwether::graph {
namespace {

/// The points near a node. Nothing is kept: in a dense network it would be all pairs.
class Balls {
 public:
  Balls(const Graph& graph, std::span<const NodeIndex> points, std::uint64_t hops)
      : graph_(graph), hops_(hops), is_point_(graph.size(), 0), stamps_(graph.size(), 0) {
    for (const NodeIndex p : points) is_point_[p] = 1;
  }

  /// `see(point)` for all points within the hops of u, itself among them, the nearest first.
  template <class See>
  void around(NodeIndex u, See&& see) {
    ++stamp_;
    near_.assign(1, u);
    stamps_[u] = stamp_;
    std::size_t next = 0;
    for (std::uint64_t far = 0; next < near_.size(); ++far) {
      const std::size_t end = near_.size();
      for (; next < end; ++next) {
        const NodeIndex v = near_[next];
        if (is_point_[v] != 0) see(v);
        if (far == hops_) continue;
        for (const NodeIndex w : graph_.neighbours(v))
          if (std::exchange(stamps_[w], stamp_) != stamp_) near_.push_back(w);
      }
    }
  }

 private:
  const Graph& graph_;
  std::uint64_t hops_;
  std::vector<unsigned char> is_point_;
  std::vector<std::uint64_t> stamps_;
  std::uint64_t stamp_ = 0;
  std::vector<NodeIndex> near_;
};

using Chosen = std::vector<NodeIndex>;  // the root first

/// How often each point is covered so far.
class Covered {
 public:
  Covered(Balls& balls, NodeIndex nodes) : balls_(balls), times_(nodes, 0) {}
  bool operator()(NodeIndex u) const { return times_[u] > 0; }
  void add(NodeIndex u) {
    balls_.around(u, [&](NodeIndex v) { ++times_[v]; });
  }
  std::uint32_t gain(NodeIndex u) {
    std::uint32_t fresh = 0;
    balls_.around(u, [&](NodeIndex v) { fresh += times_[v] == 0 ? 1 : 0; });
    return fresh;
  }
  /// Removes nodes that are not needed, the latest first.
  void prune(Chosen& chosen) {
    for (std::size_t i = chosen.size(); i-- > 1;) {
      bool needed = false;
      balls_.around(chosen[i], [&](NodeIndex v) { needed = needed || times_[v] == 1; });
      if (needed) continue;
      balls_.around(chosen[i], [&](NodeIndex v) { --times_[v]; });
      chosen.erase(chosen.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

 private:
  Balls& balls_;
  std::vector<std::uint32_t> times_;
};

/// The farthest point that is not covered yet asks for the innermost one that is near enough; of
/// several, the one that covers the most. The paths from these to the points that ask have no
/// node in common: so there are few.
Chosen outside_in(Balls& balls, const Graph& graph, std::span<const NodeIndex> points,
                  NodeIndex root) {
  const std::vector<std::uint32_t> depth = distances(graph, root);
  std::vector<NodeIndex> order(points.begin(), points.end());
  std::stable_sort(order.begin(), order.end(),
                   [&](NodeIndex a, NodeIndex b) { return depth[a] > depth[b]; });
  Chosen chosen{root};
  Covered covered(balls, graph.size());
  covered.add(root);
  std::vector<NodeIndex> innermost;
  for (const NodeIndex u : order) {
    if (covered(u)) continue;
    innermost.clear();
    balls.around(u, [&](NodeIndex v) {
      if (!innermost.empty() && depth[v] > depth[innermost.front()]) return;
      if (!innermost.empty() && depth[v] < depth[innermost.front()]) innermost.clear();
      innermost.push_back(v);
    });
    std::sort(innermost.begin(), innermost.end());
    std::pair<std::uint32_t, NodeIndex> best{0, u};
    for (const NodeIndex v : innermost)
      if (const std::uint32_t gain = covered.gain(v); gain > best.first) best = {gain, v};
    chosen.push_back(best.second);
    covered.add(best.second);
  }
  covered.prune(chosen);
  return chosen;
}

/// Who covers the most that are not covered yet comes next; ties: the lowest number.
Chosen largest_first(Balls& balls, const Graph& graph, std::span<const NodeIndex> points,
                     NodeIndex root) {
  Chosen chosen{root};
  Covered covered(balls, graph.size());
  covered.add(root);
  struct Offer {
    std::uint32_t gain;
    NodeIndex node;
    bool operator<(const Offer& other) const {
      return gain != other.gain ? gain < other.gain : node > other.node;
    }
  };
  std::priority_queue<Offer> offers;
  for (const NodeIndex u : points)
    if (const std::uint32_t gain = covered.gain(u); gain > 0) offers.push({gain, u});
  while (!offers.empty()) {
    Offer best = offers.top();
    offers.pop();
    const std::uint32_t gain = covered.gain(best.node);  // it can only have become less
    if (gain == best.gain) {
      chosen.push_back(best.node);
      covered.add(best.node);
    } else if (gain > 0) {
      offers.push({gain, best.node});
    }
  }
  covered.prune(chosen);
  return chosen;
}

/// All ways to cover up to 64 points, shortest of all, within a number of steps.
class Exact {
 public:
  Exact(Balls& balls, std::span<const NodeIndex> points, NodeIndex root) : points_(points) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      balls_.push_back(0);
      balls.around(points[i], [&](NodeIndex v) { balls_.back() |= bit(place(v)); });
      all_ |= bit(i);
    }
    root_ = place(root);
  }

  /// One that has fewer than `most`, if there is one and it is found.
  std::optional<Chosen> find(std::size_t most) {
    most_ = most;
    choose(root_);
    if (!best_) return std::nullopt;
    Chosen out;
    for (const std::size_t i : *best_) out.push_back(points_[i]);
    return out;
  }

 private:
  static std::uint64_t bit(std::size_t i) { return std::uint64_t{1} << i; }
  std::size_t place(NodeIndex v) const {
    return static_cast<std::size_t>(std::lower_bound(points_.begin(), points_.end(), v) -
                                    points_.begin());
  }
  void choose(std::size_t i) {
    const std::uint64_t before = covered_;
    covered_ |= balls_[i];
    now_.push_back(i);
    go_on();
    now_.pop_back();
    covered_ = before;
  }
  void go_on() {
    const std::uint64_t left = all_ & ~covered_;
    if (left == 0 && now_.size() < most_) {
      best_ = now_;
      most_ = now_.size();
    }
    if (left == 0 || steps_++ >= most_steps) return;
    // Some node must be chosen for the point that the fewest can cover.
    int largest = 1;
    std::size_t hardest = 0;
    int fewest = 65;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      largest = std::max(largest, std::popcount(balls_[i] & left));
      if ((left & bit(i)) == 0 || std::popcount(balls_[i]) >= fewest) continue;
      fewest = std::popcount(balls_[i]);
      hardest = i;
    }
    const auto needed = static_cast<std::size_t>((std::popcount(left) + largest - 1) / largest);
    if (now_.size() + needed >= most_) return;
    for (std::uint64_t rest = balls_[hardest]; rest != 0; rest &= rest - 1)
      choose(static_cast<std::size_t>(std::countr_zero(rest)));
  }

  static constexpr int most_steps = 20'000;
  std::span<const NodeIndex> points_;
  std::vector<std::uint64_t> balls_;
  std::uint64_t all_ = 0;
  std::uint64_t covered_ = 0;
  std::size_t root_ = 0;
  std::vector<std::size_t> now_;
  std::optional<std::vector<std::size_t>> best_;
  std::size_t most_ = 0;
  int steps_ = 0;
};

}  // namespace

std::vector<NodeIndex> cover(const Graph& graph, std::span<const NodeIndex> points, NodeIndex root,
                             std::uint64_t hops) {
  std::vector<NodeIndex> ascending(points.begin(), points.end());
  std::sort(ascending.begin(), ascending.end());
  Balls balls(graph, ascending, hops);
  Chosen best = outside_in(balls, graph, ascending, root);
  if (best.size() > 2) {
    Chosen other = largest_first(balls, graph, ascending, root);
    if (other.size() < best.size()) best = std::move(other);
  }
  if (best.size() > 2 && ascending.size() <= 64)
    if (auto exact = Exact(balls, ascending, root).find(best.size())) best = std::move(*exact);
  std::sort(best.begin(), best.end());
  return best;
}

}  // namespace bellwether::graph
