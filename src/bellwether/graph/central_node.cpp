// SPDX-License-Identifier: MIT
#include "bellwether/graph/central_node.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "bellwether/core/invariant.hpp"

namespace bellwether::graph {

namespace {

/// The bound of who is not in the component: it never leads.
constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

/// A weak bound may be less than what is taken away from it.
void lower(std::uint64_t& bound, std::uint64_t by) {
  bound -= std::min(bound, by);
}

/// One search for many nodes costs as much as this many searches for one.
constexpr std::size_t many = 12;

/// Who is `level` hops from the leader is at least |level - k| hops from whoever is k hops from it,
/// and at least one hop from whoever is not itself. Gives the sum of these for each level.
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

CentralNode::CentralNode(NodeIndex nodes, std::span<const Edge> links, Limits limits)
    : graph_(nodes, links, limits.rows_up_to), limits_(limits) {}

Central CentralNode::search(NodeIndex from, std::vector<std::uint32_t>& distance) {
  ++work_.searches;
  return graph_.search(from, distance);
}

Central CentralNode::best() {
  if (!unsettled_) return best_;
  if (followed_) {
    settle();
  } else {
    ++work_.computed_anew;
    best_ = graph_.words() == 1 ? most_central(graph_.rows()) : most_central(graph_.snapshot());
    if (graph_.size() > limits_.compute_anew_up_to && best_.reached > graph_.size() / 2) follow();
  }
  unsettled_ = false;
  return best_;
}

/// Begins with what is known of the leader: nobody has a smaller sum, and nobody of higher index
/// has the same.
void CentralNode::follow() {
  followed_ = true;
  search(best_.node, distance_);
  const std::vector<std::uint64_t> least = least_sums(distance_);
  bound_.assign(graph_.size(), never);
  for (NodeIndex u = 0; u < graph_.size(); ++u)
    if (inside(u)) bound_[u] = std::max(least[distance_[u]], best_.sum + (u > best_.node ? 1 : 0));
}

// --- A link comes -------------------------------------------------------------------------------

void CentralNode::link(NodeIndex a, NodeIndex b) {
  core::invariant(a < graph_.size() && b < graph_.size(), "both ends of a link are nodes");
  if (a == b || graph_.linked(a, b)) return;
  if (!followed_) {
    unsettled_ = true;
  } else {
    ++work_.came;
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
  search(a, from_a_);
  search(b, from_b_);
  lower_bounds(from_a_[b]);
  // The leader's own sum is exact: a new shortest way takes the new link, and takes it once.
  const bool a_is_near = distance_[a] < distance_[b];
  const std::uint32_t to_far = (a_is_near ? distance_[a] : distance_[b]) + 1;
  if (to_far < (a_is_near ? distance_[b] : distance_[a])) {
    const std::vector<std::uint32_t>& from_far = a_is_near ? from_b_ : from_a_;
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

/// Let x be nearer to a than to b, by e(x) hops more than one. A new shortest way from s to t leads
/// from s to a, over the link, and from b to t. Before there was a way from s to b and on to t, and
/// one from s to a and on to t: so nothing is saved unless e(s) > 0 and t is nearer to b by e(t) >
/// 0 more than one, and then at most min(e(s), e(t)). The sum of these over t depends on e(s)
/// alone. `apart` is the distance of a and b before: e is below it.
void CentralNode::lower_bounds(std::uint32_t apart) {
  const NodeIndex n = graph_.size();
  std::vector<std::uint64_t>& lowered = lowered_;  // by d(x,a) - d(x,b) + apart
  lowered.assign(std::size_t{2} * apart + 1, 0);
  for (NodeIndex t = 0; t < n; ++t) ++lowered[from_a_[t] + apart - from_b_[t]];
  lowered[apart - 1] = lowered[apart] = lowered[apart + 1] = 0;
  std::vector<std::uint64_t> counts = lowered;
  std::uint64_t left = 0;
  std::uint64_t right = 0;
  for (std::uint32_t e = apart - 1; e > 0; --e) {
    counts[apart - 1 - e] = left += counts[apart - 1 - e];
    counts[apart + 1 + e] = right += counts[apart + 1 + e];
  }
  left = right = 0;
  for (std::uint32_t e = 1; e < apart; ++e) {
    lowered[apart - 1 - e] = right += counts[apart + 1 + e];
    lowered[apart + 1 + e] = left += counts[apart - 1 - e];
  }
  for (NodeIndex s = 0; s < n; ++s) lower(bound_[s], lowered[from_a_[s] + apart - from_b_[s]]);
}

/// Every way between the two parts takes the new link, so that all is exact, but for the ways
/// within the new part: they have at least one hop each.
void CentralNode::join(NodeIndex in, NodeIndex out) {
  const Central old_part = search(in, from_a_);
  const Central new_part = search(out, from_b_);
  for (NodeIndex u = 0; u < graph_.size(); ++u) {
    if (inside(u)) {
      bound_[u] += std::uint64_t{new_part.reached} * (from_a_[u] + 1) + new_part.sum;
    } else if (from_b_[u] != unreachable) {
      bound_[u] = std::uint64_t{old_part.reached} * (from_b_[u] + 1) + old_part.sum +
                  (new_part.reached - 1);
    }
  }
  for (NodeIndex u = 0; u < graph_.size(); ++u)
    if (from_b_[u] != unreachable) distance_[u] = distance_[in] + 1 + from_b_[u];
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
  ++work_.gone;
  if (!inside(a)) return;
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
/// steps from neighbour to neighbour are a shortest way to the leader. So the component still hangs
/// together and the leader's sum is what it was. No other sum is smaller than it was, for there are
/// fewer ways. So who was the leader is the leader.
bool CentralNode::keeps_distances(NodeIndex far) const {
  return std::any_of(graph_.neighbours(far).begin(), graph_.neighbours(far).end(),
                     [&](NodeIndex v) { return distance_[v] < distance_[far]; });
}

/// The component has fallen apart; `other_` has the leader's distances as they are now. The leader
/// is in the larger part: from a node of the smaller, each step towards the link would bring it
/// nearer to more nodes than it takes it away from. Every way between the parts took the link, so
/// that all is exact.
void CentralNode::lose(NodeIndex near, NodeIndex far) {
  const Central left = search(near, from_a_);
  if (left.reached <= graph_.size() / 2) {
    followed_ = false;
    unsettled_ = true;
    return;
  }
  const Central part = search(far, from_b_);
  for (NodeIndex u = 0; u < graph_.size(); ++u) {
    if (from_b_[u] != unreachable)
      bound_[u] = never;
    else if (inside(u))
      lower(bound_[u], std::uint64_t{part.reached} * (from_a_[u] + 1) + part.sum);
  }
  std::swap(distance_, other_);
  best_.reached = left.reached;
  best_.sum = bound_[best_.node];
  unsettled_ = true;
}

// --- Who may lead -------------------------------------------------------------------------------

/// Looks at all who may lead, first at those whose bounds promise most.
void CentralNode::settle() {
  due_.clear();
  for (NodeIndex u = 0; u < graph_.size(); ++u)
    if (may_lead(u)) due_.push_back(u);
  std::sort(due_.begin(), due_.end(), [&](NodeIndex u, NodeIndex v) {
    return bound_[u] != bound_[v] ? bound_[u] < bound_[v] : u > v;
  });
  std::size_t done = 0;
  for (;;) {
    while (due_.size() > done && !may_lead(due_.back())) due_.pop_back();
    const auto left = std::span<const NodeIndex>(due_).subspan(done);
    if (left.empty()) return;
    // The first few are the likeliest to lead, and then the others need no look.
    const bool one = done < 2 || left.size() < many;
    const auto now = left.first(one ? 1 : std::min(left.size(), ChangingGraph::most_at_once));
    one ? look_at_one(now.front()) : look_at_many(now);
    work_.looked_at += now.size();
    done += now.size();
  }
}

void CentralNode::look_at_one(NodeIndex u) {
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
  const NodeIndex before = best_.node;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    bound_[nodes[i]] = sums[i];
    const Central exact{nodes[i], best_.reached, sums[i]};
    if (exact.beats(best_)) best_ = exact;
  }
  if (best_.node != before) search(best_.node, distance_);
}

}  // namespace bellwether::graph
