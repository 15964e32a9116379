// SPDX-License-Identifier: MIT
#include "bellwether/graph/central_node.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "bellwether/core/invariant.hpp"

namespace bellwether::graph {

namespace {

/// The bound of a node that is not in the component: it cannot lead.
constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

/// A weak bound may be less than what is taken away from it.
void lower(std::uint64_t& bound, std::uint64_t by) {
  bound -= std::min(bound, by);
}

/// One search for many nodes pays off for `many` nodes or more, up to `around` hops from
/// one of them; where there are rows of bits, searches one by one are as fast.
constexpr std::size_t many = 16;
constexpr std::uint32_t around = 8;

/// A node `level` hops from the leader is at least |level - k| hops from any node k hops from the
/// leader, and at least one hop from any node but itself. Gives the sum of these for each level.
std::vector<std::uint64_t> least_sums(std::span<const std::uint32_t> distance) {
  std::vector<std::uint64_t> count;
  for (const std::uint32_t d : distance) {
    if (d == unreachable) continue;
    if (d >= count.size()) count.resize(d + 1, 0);
    ++count[d];
  }
  std::uint64_t above = 0;
  std::uint64_t sum = 0;  // of |level - k|, first for level 0
  for (std::uint64_t k = 1; k < count.size(); ++k) {
    above += count[k];
    sum += k * count[k];
  }
  std::vector<std::uint64_t> least;
  std::uint64_t below = 0;
  for (std::size_t level = 0; level < count.size(); ++level) {
    least.push_back(sum + count[level] - 1);
    below += count[level];
    sum += below;
    sum -= above;
    if (level + 1 < count.size()) above -= count[level + 1];
  }
  return least;
}

}  // namespace

Central CentralNode::search(NodeIndex from, Distances& distance) {
  ++work_.searches;
  return graph_.search(from, distance);
}

std::pair<Central, Central> CentralNode::search_from(NodeIndex a, NodeIndex b) {
  a_.node = a;
  b_.node = b;
  return {search(a, a_.from), search(b, b_.from)};
}

Central CentralNode::best() {
  if (unsettled_) followed_ ? settle() : compute_anew();
  unsettled_ = false;
  return best_;
}

void CentralNode::compute_anew() {
  ++work_.computed_anew;
  best_ = graph_.words() == 1 ? most_central(graph_.rows()) : most_central(graph_.snapshot());
  if (!followed_) bound_.assign(graph_.size(), 0);
  followed_ = best_.reached > graph_.size() / 2;
  if (!followed_) return;
  search(best_.node, distance_);
  const std::vector<std::uint64_t> least = least_sums(distance_);
  for (NodeIndex u = 0; u < graph_.size(); ++u) {
    // No node has a smaller sum than the leader, and no node of higher index has the same.
    const std::uint64_t behind = best_.sum + (u > best_.node ? 1 : 0);
    bound_[u] = inside(u) ? std::max({bound_[u], behind, least[distance_[u]]}) : never;
  }
}

// --- A link comes -------------------------------------------------------------------------------

void CentralNode::link(NodeIndex a, NodeIndex b) {
  core::invariant(a < graph_.size() && b < graph_.size(), "both ends of a link are nodes");
  if (a == b || graph_.linked(a, b)) return;
  if (!followed_) {
    unsettled_ = true;
  } else {
    if (inside(a) || inside(b)) ++work_.came;
    // Two components without a majority do not become one with more nodes than the leader's.
    if (inside(a) && inside(b)) {
      shorten(a, b);
    } else if (inside(a) || inside(b)) {
      inside(a) ? join(a, b) : join(b, a);
    }
  }
  graph_.link(a, b);
}

void CentralNode::shorten(NodeIndex a, NodeIndex b) {
  search_from(a, b);
  take_sides();
  lower_bounds(a_, b_);
  lower_bounds(b_, a_);
  // The leader's own sum is exact: a new shortest way takes the new link, and takes it once.
  const bool a_is_near = distance_[a] < distance_[b];
  const std::uint32_t to_far = (a_is_near ? distance_[a] : distance_[b]) + 1;
  if (to_far < (a_is_near ? distance_[b] : distance_[a])) {
    const Distances& from_far = a_is_near ? b_.from : a_.from;
    std::uint64_t saved = 0;
    for (NodeIndex t = 0; t < graph_.size(); ++t) {
      // In 64 bits what is unreachable stays far.
      const auto now = static_cast<std::uint32_t>(
          std::min<std::uint64_t>(distance_[t], std::uint64_t{to_far} + from_far[t]));
      saved += distance_[t] - now;
      distance_[t] = now;
    }
    best_.sum -= saved;
  }
  bound_[best_.node] = best_.sum;
  unsettled_ = true;
}

/// Only nodes on a side may save a hop.
void CentralNode::take_sides() {
  const std::size_t n = graph_.size();
  a_.memory.resize(n + 1);
  b_.memory.resize(n + 1);
  std::size_t with_a = 0;
  std::size_t with_b = 0;
  for (NodeIndex u = 0; u < n; ++u) {
    // Not foretold, as in ChangingGraph::search.
    const std::int64_t nearer = std::int64_t{b_.from[u]} - a_.from[u];
    a_.memory[with_a] = b_.memory[with_b] = u;
    with_a += nearer >= 2;
    with_b += nearer <= -2;
  }
  a_.side = std::span(a_.memory).first(with_a);
  b_.side = std::span(b_.memory).first(with_b);
}

/// Let s be on a's side and t on b's. The new way from s to t leads from s to a, over the link, and
/// from b to t. There were other ways before: by b, by a, and by the leader L. So it saves at most
///   e(s) = d(s,b) - d(s,a) - 1,  e(t) = d(t,a) - d(t,b) - 1,  and
///   y(s) + x(t) = (d(s,L) - d(s,a) - 1) + (d(t,L) - d(t,b)).
/// The sum over all t of min(e(s), e(t)) depends on e(s) alone; that of min(e(s), y(s) + x(t)), or
/// 0 where this is negative, depends on e(s) and y(s) alone. So two tables serve all s.
void CentralNode::lower_bounds(const LinkEnd& a, const LinkEnd& b) {
  const std::uint32_t apart = a.from[b.node];
  std::vector<std::uint64_t>& by_ends = by_ends_;  // e(s)
  by_ends.assign(std::size_t{apart} + 1, 0);
  for (const NodeIndex t : b.side) ++by_ends[a.from[t] - b.from[t] - 1];
  for (std::uint32_t e = apart - 1; e > 0; --e) by_ends[e] += by_ends[e + 1];
  for (std::uint32_t e = 1; e < apart; ++e) by_ends[e] += by_ends[e - 1];

  // Entry i: by how much x(t) + zero is above i, plus one, summed over all t for which it is not
  // below. Nothing is negative, for |x(t)| <= d(b,L) and |y(s) + 1| <= d(a,L).
  const std::uint32_t zero = distance_[a.node] + distance_[b.node];
  std::vector<std::uint64_t>& by_leader = by_leader_;
  by_leader.assign(std::size_t{2} * zero + apart + 3, 0);
  for (const NodeIndex t : b.side) ++by_leader[distance_[t] + zero - b.from[t]];
  for (int twice = 0; twice < 2; ++twice)
    for (std::size_t i = by_leader.size() - 1; i > 0; --i) by_leader[i - 1] += by_leader[i];

  for (const NodeIndex s : a.side) {
    const std::uint32_t e = b.from[s] - a.from[s] - 1;
    const std::uint32_t first = zero + 2 + a.from[s] - distance_[s];  // x(t) + y(s) = 1
    lower(bound_[s], std::min(by_ends[e], by_leader[first] - by_leader[first + e]));
  }
}

/// Every way between the two parts takes the new link, so that all is exact, but for the ways
/// within the new part: they have at least one hop each.
void CentralNode::join(NodeIndex in, NodeIndex out) {
  const auto [old_part, new_part] = search_from(in, out);
  for (NodeIndex u = 0; u < graph_.size(); ++u) {
    if (inside(u)) {
      bound_[u] += std::uint64_t{new_part.reached} * (a_.from[u] + 1) + new_part.sum;
    } else if (b_.from[u] != unreachable) {
      bound_[u] = std::uint64_t{old_part.reached} * (b_.from[u] + 1) + old_part.sum +
                  (new_part.reached - 1);
    }
  }
  for (NodeIndex u = 0; u < graph_.size(); ++u)
    if (b_.from[u] != unreachable) distance_[u] = distance_[in] + 1 + b_.from[u];
  best_.reached += new_part.reached;
  best_.sum = bound_[best_.node];
  unsettled_ = true;
}

// --- A link goes --------------------------------------------------------------------------------

void CentralNode::unlink(NodeIndex a, NodeIndex b) {
  core::invariant(a < graph_.size() && b < graph_.size(), "both ends of a link are nodes");
  if (!graph_.unlink(a, b)) return;
  if (!followed_) {
    unsettled_ = true;
    return;
  }
  if (!inside(a)) return;
  ++work_.gone;
  if (distance_[a] == distance_[b] || keeps_distances(distance_[a] < distance_[b] ? b : a)) {
    ++work_.gone_at_once;
    return;
  }
  const Central now = search(best_.node, other_);
  if (now.reached < best_.reached) return distance_[a] < distance_[b] ? lose(a, b) : lose(b, a);
  std::swap(distance_, other_);
  best_ = now;
  bound_[best_.node] = best_.sum;
  unsettled_ = true;
}

/// The leader keeps all its distances if the far end of a link that went still has a neighbour that
/// is one hop nearer to the leader, or if both ends are equally far from it. For then each node but
/// the leader still has such a neighbour (a node has lost none but the far end its near end), and
/// steps from neighbour to neighbour are a shortest path to the leader. So the component is still
/// connected and the leader's sum is what it was. No other sum is smaller than it was, for there
/// are fewer paths. So the leader stays the same.
bool CentralNode::keeps_distances(NodeIndex far) const {
  return std::any_of(graph_.neighbours(far).begin(), graph_.neighbours(far).end(),
                     [&](NodeIndex v) { return distance_[v] < distance_[far]; });
}

/// The component is split; `other_` has the leader's distances as they are now. Every path between
/// the parts took the link, so that all is exact. A leader is in the larger part: from a node of
/// the smaller, each step towards the link would bring it nearer to more nodes than it takes it
/// away from. Only if another node should lead by now, but the leader has not been asked for since,
/// may it be in the smaller part, and then everything is computed anew, too.
void CentralNode::lose(NodeIndex near, NodeIndex far) {
  const auto [left, part] = search_from(near, far);
  if (left.reached <= graph_.size() / 2) {
    followed_ = false;
    unsettled_ = true;
    return;
  }
  for (NodeIndex u = 0; u < graph_.size(); ++u) {
    if (b_.from[u] != unreachable)
      bound_[u] = never;
    else if (inside(u))
      lower(bound_[u], std::uint64_t{part.reached} * (a_.from[u] + 1) + part.sum);
  }
  std::swap(distance_, other_);
  best_.reached = left.reached;
  best_.sum = bound_[best_.node];
  unsettled_ = true;
}

// --- Who may lead -------------------------------------------------------------------------------

/// Looks at all who may lead, first at those whose bounds promise most. Where all are nearly equal,
/// as in a ring, that would be nearly all, again and again. So there is an end to our patience, and
/// whenever it is reached in vain we have less of it.
void CentralNode::settle() {
  due_.clear();
  for (NodeIndex u = 0; u < graph_.size(); ++u)
    if (may_lead(u)) due_.push_back(u);
  if (due_.empty()) return;
  // The most promising last. Who may not lead does not come after who may.
  std::sort(due_.begin(), due_.end(), [&](NodeIndex u, NodeIndex v) {
    return bound_[u] != bound_[v] ? bound_[u] > bound_[v] : u < v;
  });
  const std::uint64_t enough = work_.looked_at + patience_;
  while (!due_.empty() && may_lead(due_.back())) {
    if (work_.looked_at > enough) {
      patience_ /= 2;
      return compute_anew();
    }
    const NodeIndex first = due_.back();
    due_.pop_back();
    look_at_one(first);
    if (due_.size() >= many && graph_.words() == 0) look_around(first);
  }
  patience_ = std::min(2 * patience_ + 1, graph_.size() / 2);
}

/// Examines the nodes that are due around a node that has just been examined, if they are many.
void CentralNode::look_around(NodeIndex center) {
  const Distances& from_center = best_.node == center ? distance_ : other_;
  together_.clear();
  for (std::size_t i = due_.size(); i > 0 && together_.size() < ChangingGraph::most_at_once; --i)
    if (from_center[due_[i - 1]] <= around && may_lead(due_[i - 1]))
      together_.push_back(due_[i - 1]);
  if (together_.size() < many) return;
  look_at_many(together_);
  std::erase_if(due_, [&](NodeIndex u) { return !may_lead(u); });
}

void CentralNode::look_at_one(NodeIndex u) {
  ++work_.looked_at;
  const Central exact = graph_.search(u, other_);
  bound_[u] = exact.sum;
  if (!exact.beats(best_)) return;
  best_ = exact;
  std::swap(distance_, other_);
}

void CentralNode::look_at_many(std::span<const NodeIndex> nodes) {
  std::array<std::uint64_t, ChangingGraph::most_at_once> sums{};
  graph_.sums(nodes, std::span(sums).first(nodes.size()));
  ++work_.looked_at_many;
  work_.looked_at += nodes.size();
  const NodeIndex before = best_.node;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    bound_[nodes[i]] = sums[i];
    const Central exact{nodes[i], best_.reached, sums[i]};
    if (exact.beats(best_)) best_ = exact;
  }
  if (best_.node != before) search(best_.node, distance_);
}

}  // namespace bellwether::graph
