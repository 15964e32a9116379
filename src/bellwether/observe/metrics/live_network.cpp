// SPDX-License-Identifier: MIT
#include "bellwether/observe/metrics/live_network.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "bellwether/core/invariant.hpp"

namespace bellwether::observe {

using core::Criterion;

LiveNetwork::LiveNetwork(Criterion criterion, bool paths, std::vector<NodeId> ids,
                         std::span<const graph::Edge> links)
    : criterion_(!paths && criterion == Criterion::closeness ? Criterion::majority : criterion),
      paths_(paths),
      ids_(std::move(ids)),
      around_(ids_.size()),
      alive_(ids_.size(), 1),
      since_(ids_.size(), Time{}),
      said_(ids_.size(), nobody),
      votes_(ids_.size(), 0),
      part_of_(ids_.size(), nobody),
      place_(ids_.size(), 0),
      stamps_(ids_.size(), 0) {
  for (const graph::Edge& e : links) {
    core::invariant(e.a < size() && e.b < size(), "both ends of a link are nodes");
    if (e.a == e.b) continue;
    around_[e.a].push_back({e.b, 1});
    around_[e.b].push_back({e.a, 1});
  }
  for (auto& list : around_) {
    std::sort(list.begin(), list.end(), [](auto& x, auto& y) { return x.node < y.node; });
    std::size_t kept = 0;
    for (const Adjacency& each : list) {
      if (kept > 0 && list[kept - 1].node == each.node)
        ++list[kept - 1].links;
      else
        list[kept++] = each;
    }
    list.resize(kept);
  }
  overview_.live = overview_.without_leader = size();
  for (NodeIndex u = 0; u < size(); ++u) loose_.push_back(u);
}

bool LiveNetwork::linked(NodeIndex a, NodeIndex b) const {
  const auto& list = around_[a];
  const auto at = std::lower_bound(list.begin(), list.end(), b,
                                   [](const Adjacency& x, NodeIndex v) { return x.node < v; });
  return at != list.end() && at->node == b;
}

void LiveNetwork::count_link(NodeIndex from, NodeIndex to, bool up) {
  auto& list = around_[from];
  const auto at = std::lower_bound(list.begin(), list.end(), to,
                                   [](const Adjacency& x, NodeIndex v) { return x.node < v; });
  const bool there = at != list.end() && at->node == to;
  core::invariant(up || there, "only a link that is up goes down");
  if (!there)
    list.insert(at, {to, 1});
  else if (up)
    ++at->links;
  else if (--at->links == 0)
    list.erase(at);
}

void LiveNetwork::link(NodeIndex a, NodeIndex b, bool up) {
  core::invariant(a < size() && b < size(), "both ends of a link are nodes");
  if (a == b) return;
  count_link(a, b, up);
  count_link(b, a, up);
  // Whether it matters shows at the end of the instant: its ends may come and go until then.
  links_changed_.push_back({a, b});
  changed_ = true;
}

void LiveNetwork::alive(Time at, NodeIndex u, bool up) {
  core::invariant(u < size(), "only nodes live and die");
  if (is_alive(u) == up) return;
  changed_ = true;
  alive_[u] = up ? 1 : 0;
  if (up) {
    since_[u] = at;
    ++overview_.live;
    if (said_[u] == nobody) ++overview_.without_leader;
    if (part_of_[u] == nobody) loose_.push_back(u);
    return;
  }
  --overview_.live;
  if (said_[u] == nobody) --overview_.without_leader;
  said_[u] = nobody;
  if (part_of_[u] != nobody) mark_dirty(part_of_[u]);
}

void LiveNetwork::name(NodeIndex u, NodeIndex leader) {
  core::invariant(u < size(), "only nodes name leaders");
  const NodeIndex before = said_[u];
  if (before == leader) return;
  said_[u] = leader;
  if (!is_alive(u)) return;
  changed_ = true;
  if (before == nobody) --overview_.without_leader;
  if (leader == nobody) ++overview_.without_leader;
  const std::uint32_t number = part_of_[u];
  if (number == nobody || parts_[number].dirty) return;  // will be counted afresh
  LiveComponent& part = parts_[number];
  const bool now_inside = inside(leader, number);
  if (inside(before, number)) vote(part, before, false);
  if (now_inside) vote(part, leader, true);
  if (!paths_ || part.members.size() < 2) return;
  leader_paths_[number].name(place_[u], now_inside ? place_[leader] : LeaderPaths::no_leader);
  mark_renamed(number);
}

/// One vote more or less for a member of the component.
void LiveNetwork::vote(LiveComponent& part, NodeIndex leader, bool more) {
  NodeIndex& votes = votes_[leader];
  const NodeIndex right = part.right;
  if (criterion_ == Criterion::majority) {
    --part.with_votes[votes];
    ++part.with_votes[more ? votes + 1 : votes - 1];
    if (more)
      part.right = std::max(part.right, votes + 1);
    else if (part.with_votes[right] == 0)
      --part.right;  // the one that had the most votes has one less
  } else if (leader == part.favourite) {
    part.right = more ? part.right + 1 : part.right - 1;
  }
  if (votes == part.members.size()) set_agreed(part, false);
  votes = more ? votes + 1 : votes - 1;
  if (votes == part.members.size()) set_agreed(part, true);
  overview_.right += part.right - right;  // may wrap round, and back
}

void LiveNetwork::set_agreed(LiveComponent& part, bool agreed) {
  if (part.agreed == agreed) return;
  part.agreed = agreed;
  agreed ? ++overview_.agreed : --overview_.agreed;
}

void LiveNetwork::mark_dirty(std::uint32_t part) {
  if (parts_[part].dirty) return;
  parts_[part].dirty = true;
  dirty_.push_back(part);
}

void LiveNetwork::mark_renamed(std::uint32_t part) {
  if (parts_[part].renamed) return;
  parts_[part].renamed = true;
  renamed_.push_back(part);
}

bool LiveNetwork::unanimous(NodeIndex u) const {
  const std::uint32_t part = part_of_[u];
  return part != nobody && inside(said_[u], part) &&
         votes_[said_[u]] == parts_[part].members.size();
}

bool LiveNetwork::settle() {
  if (!changed_) return false;
  changed_ = false;
  gather_changes();
  for (const std::uint32_t part : moved_) move(part);
  moved_.clear();
  if (!dirty_.empty() || !loose_.empty()) find_again();
  for (const std::uint32_t part : renamed_)
    if (parts_[part].renamed) sum_up(part);
  renamed_.clear();
  overview_.largest = sizes_.largest();
  overview_.largest_diameter = diameters_.largest();
  return true;
}

void LiveNetwork::gather_changes() {
  for (const NodeIndex u : loose_) {
    if (!is_alive(u)) continue;
    for (const Adjacency& each : around_[u])
      if (is_alive(each.node) && part_of_[each.node] != nobody) mark_dirty(part_of_[each.node]);
  }
  for (const graph::Edge& e : links_changed_) look_at_link(e.a, e.b);
  links_changed_.clear();
}

void LiveNetwork::look_at_link(NodeIndex a, NodeIndex b) {
  const std::uint32_t part = part_of_[a];
  if (!is_alive(a) || !is_alive(b) || part == nobody || part_of_[b] == nobody) return;
  const bool up = linked(a, b);
  if (part != part_of_[b]) {
    if (!up) return;
    mark_dirty(part);
    mark_dirty(part_of_[b]);
    return;
  }
  if (parts_[part].dirty) return;
  if (!paths_) {
    look_without_paths(part, a, b);
  } else if (!leader_paths_[part].hops.small()) {
    if (auto& central = leader_paths_[part].central; central && up)
      central->link(place_[a], place_[b]);
    else if (central)
      central->unlink(place_[a], place_[b]);
    mark_moved(part, a, b);
  } else {
    auto& around = leader_paths_[part].around;
    const std::uint64_t bit_a = std::uint64_t{1} << place_[a];
    const std::uint64_t bit_b = std::uint64_t{1} << place_[b];
    if (((around[place_[a]] & bit_b) != 0) == up) return;
    around[place_[a]] ^= bit_b;
    around[place_[b]] ^= bit_a;
    mark_moved(part, a, b);
  }
}

/// Links change only the components and the node of highest degree. Most broken links do not
/// split a component, and most are not those of the favourite.
void LiveNetwork::look_without_paths(std::uint32_t number, NodeIndex a, NodeIndex b) {
  LiveComponent& part = parts_[number];
  const bool up = linked(a, b);
  if (!up && !still_connected(a, b)) {
    mark_dirty(number);
  } else if (criterion_ == Criterion::degree) {
    if (!up && (part.favourite == a || part.favourite == b)) mark_moved(number, a, b);
    for (const NodeIndex u : {a, b}) {
      const std::int64_t more = degree(u) - degree(part.favourite);
      if (more > 0 || (more == 0 && ids_[u] > ids_[part.favourite])) favour(part, u);
    }
  }
}

void LiveNetwork::mark_moved(std::uint32_t number, NodeIndex a, NodeIndex b) {
  LiveComponent& part = parts_[number];
  if (part.moves++ > 0) return;
  part.moved = {a, b};
  moved_.push_back(number);
}

void LiveNetwork::favour(LiveComponent& part, NodeIndex favourite) {
  part.favourite = favourite;
  overview_.right += votes_[favourite] - part.right;  // may wrap round, and back
  part.right = votes_[favourite];
}

/// Searches from both ends in turn until they meet. Gives up early: then the whole component is
/// looked at, which is right in any case.
bool LiveNetwork::still_connected(NodeIndex a, NodeIndex b) {
  constexpr std::size_t most = 512;
  if (stamp_ >= ~std::uint32_t{0} - 2) {
    std::fill(stamps_.begin(), stamps_.end(), 0);
    stamp_ = 0;
  }
  stamp_ += 2;
  near_[0].assign(1, a);
  near_[1].assign(1, b);
  stamps_[a] = stamp_ - 1;
  stamps_[b] = stamp_;
  for (std::size_t i = 0; i < most; ++i) {
    for (const std::uint32_t side : {0u, 1u}) {
      auto& near = near_[side];
      if (i >= near.size()) return false;
      for (const Adjacency& each : around_[near[i]]) {
        if (!is_alive(each.node)) continue;
        if (stamps_[each.node] == stamp_ - side) return true;  // the other side's mark
        if (stamps_[each.node] == stamp_ - 1 + side) continue;
        stamps_[each.node] = stamp_ - 1 + side;
        near.push_back(each.node);
      }
    }
  }
  return false;
}

/// Only links among its own nodes have changed.
void LiveNetwork::move(std::uint32_t number) {
  LiveComponent& part = parts_[number];
  const bool once = std::exchange(part.moves, 0) == 1;
  if (part.dirty) return;
  if (!paths_) {
    favour(part, best(number));
    return;
  }
  LeaderPaths& paths = leader_paths_[number];
  if (!paths.hops.small()) {
    move_many(number);
    return;
  }
  std::optional<std::uint64_t> changed = 0;
  if (once)
    changed = paths.hops.few().update(paths.around, place_[part.moved.a], place_[part.moved.b],
                                      linked(part.moved.a, part.moved.b));
  else if (!paths.hops.few().build(paths.around, criterion_ == Criterion::closeness))
    changed = std::nullopt;
  if (!changed) {
    mark_dirty(number);
    return;
  }
  if (criterion_ == Criterion::closeness || criterion_ == Criterion::degree)
    favour(part, best(number));
  if (!once) {
    take_stock(number);
    return;
  }
  count_diameter(number);
  paths.stretch();
  for (std::uint64_t rest = *changed; rest != 0; rest &= rest - 1) {
    const NodeIndex u = part.members[static_cast<std::size_t>(std::countr_zero(rest))];
    if (inside(said_[u], number)) paths.name(place_[u], place_[said_[u]]);
  }
  mark_renamed(number);
}

/// The same in a large component.
void LiveNetwork::move_many(std::uint32_t number) {
  draw_links(number);
  const auto nodes = static_cast<NodeIndex>(parts_[number].members.size());
  if (!leader_paths_[number].hops.many().build(graph::Graph(nodes, local_))) {
    mark_dirty(number);
    return;
  }
  if (criterion_ == Criterion::closeness || criterion_ == Criterion::degree)
    favour(parts_[number], best(number));
  take_stock(number);
}

void LiveNetwork::find_again() {
  pool_.clear();
  for (const std::uint32_t part : dirty_) retire(part);
  dirty_.clear();
  for (const NodeIndex u : loose_)
    if (is_alive(u) && part_of_[u] == nobody) pool_.push_back(u);
  loose_.clear();
  for (const NodeIndex u : pool_)
    if (part_of_[u] == nobody) find(u, new_part());
}

void LiveNetwork::retire(std::uint32_t number) {
  LiveComponent& part = parts_[number];
  for (const NodeIndex u : part.members) {
    part_of_[u] = nobody;
    if (is_alive(u)) pool_.push_back(u);
  }
  forget_paths(part);
  const auto nodes = static_cast<std::uint32_t>(part.members.size());
  sizes_.remove(nodes);
  --overview_.components;
  overview_.right -= part.right;
  set_agreed(part, false);
  if (nodes >= 2) {
    --overview_.wide;
    overview_.diameters -= part.diameter;
    if (paths_) diameters_.remove(part.diameter);
  }
  part.dirty = part.renamed = false;
  part.diameter = 0;
  part.members.clear();
  free_.push_back(number);
}

std::uint32_t LiveNetwork::new_part() {
  if (!free_.empty()) {
    const std::uint32_t number = free_.back();
    free_.pop_back();
    return number;
  }
  parts_.emplace_back();
  if (paths_) leader_paths_.emplace_back();
  return static_cast<std::uint32_t>(parts_.size() - 1);
}

void LiveNetwork::find(NodeIndex first, std::uint32_t number) {
  LiveComponent& part = parts_[number];
  part.members.assign(1, first);
  part_of_[first] = number;
  for (std::size_t i = 0; i < part.members.size(); ++i) {
    const NodeIndex u = part.members[i];
    place_[u] = static_cast<std::uint32_t>(i);
    for (const Adjacency& each : around_[u]) {
      if (!is_alive(each.node) || part_of_[each.node] != nobody) continue;
      part_of_[each.node] = number;
      part.members.push_back(each.node);
    }
  }
  const auto nodes = static_cast<std::uint32_t>(part.members.size());
  if (paths_ && nodes > small_size) put_in_order(part);
  sizes_.add(nodes);
  ++overview_.components;
  if (nodes >= 2) ++overview_.wide;
  count_votes(number);
  if (paths_ && nodes >= 2) measure(number);
  if (criterion_ != Criterion::majority) {
    part.favourite = best(number);
    part.right = votes_[part.favourite];
  }
  overview_.right += part.right;
  if (paths_ && nodes >= 2) take_stock(number);
}

/// By ids: among equals the last is the best.
void LiveNetwork::put_in_order(LiveComponent& part) {
  std::sort(part.members.begin(), part.members.end(),
            [&](NodeIndex a, NodeIndex b) { return ids_[a] < ids_[b]; });
  for (std::uint32_t i = 0; i < part.members.size(); ++i) place_[part.members[i]] = i;
}

void LiveNetwork::count_votes(std::uint32_t number) {
  LiveComponent& part = parts_[number];
  for (const NodeIndex u : part.members) votes_[u] = 0;
  for (const NodeIndex u : part.members)
    if (inside(said_[u], number)) ++votes_[said_[u]];
  set_agreed(part, unanimous(part.members.front()));
  if (criterion_ != Criterion::majority) return;
  part.right = 0;
  part.with_votes.assign(part.members.size() + 1, 0);
  for (const NodeIndex u : part.members) {
    ++part.with_votes[votes_[u]];
    part.right = std::max(part.right, votes_[u]);
  }
}

/// The distances within a component that is new. What the overview holds of its diameter is none.
void LiveNetwork::measure(std::uint32_t number) {
  LiveComponent& part = parts_[number];
  LeaderPaths& paths = leader_paths_[number];
  const bool farness = criterion_ == Criterion::closeness;
  if (part.members.size() > small_size) {
    draw_links(number);
    paths.central = nullptr;
    const auto nodes = static_cast<NodeIndex>(part.members.size());
    if (farness) paths.central = std::make_unique<graph::CentralNode>(nodes, local_);
    paths.hops.many().build(graph::Graph(nodes, local_));
  } else {
    paths.central = nullptr;
    paths.around.clear();
    for (const NodeIndex u : part.members) {
      std::uint64_t bits = std::uint64_t{1} << place_[u];
      for (const Adjacency& each : around_[u])
        if (is_alive(each.node)) bits |= std::uint64_t{1} << place_[each.node];
      paths.around.push_back(bits);
    }
    paths.hops.few().build(paths.around, farness);
  }
  part.diameter = 0;
  diameters_.add(0);
}

void LiveNetwork::draw_links(std::uint32_t number) {
  local_.clear();
  for (const NodeIndex u : parts_[number].members)
    for (const Adjacency& each : around_[u])
      if (is_alive(each.node) && place_[u] < place_[each.node])
        local_.push_back({place_[u], place_[each.node]});
}

void LiveNetwork::count_diameter(std::uint32_t number) {
  LiveComponent& part = parts_[number];
  const std::uint32_t diameter = leader_paths_[number].hops.diameter();
  if (diameter == part.diameter) return;
  overview_.diameters += diameter;
  overview_.diameters -= part.diameter;
  diameters_.add(diameter);
  diameters_.remove(part.diameter);
  part.diameter = diameter;
}

/// Distances are new: the diameter, and every node's path to its leader.
void LiveNetwork::take_stock(std::uint32_t number) {
  const LiveComponent& part = parts_[number];
  LeaderPaths& paths = leader_paths_[number];
  count_diameter(number);
  paths.clear(static_cast<std::uint32_t>(part.members.size()));
  for (const NodeIndex u : part.members)
    if (inside(said_[u], number)) paths.name(place_[u], place_[said_[u]]);
  mark_renamed(number);
}

/// Live neighbours; all of them are in the same component.
std::int64_t LiveNetwork::degree(NodeIndex u) const {
  return std::count_if(around_[u].begin(), around_[u].end(),
                       [&](const Adjacency& each) { return is_alive(each.node); });
}

/// The leader that the oracle names; ties: the highest id.
NodeIndex LiveNetwork::best(std::uint32_t number) const {
  const LiveComponent& part = parts_[number];
  if (criterion_ == Criterion::closeness && part.members.size() > small_size)
    return part.members[leader_paths_[number].central->best().node];
  // The less, the better.
  const auto cost = [&](NodeIndex u) -> std::int64_t {
    switch (criterion_) {
      case Criterion::oldest:
        return since_[u].count();
      case Criterion::degree:
        if (paths_ && part.members.size() > 1 && leader_paths_[number].hops.small())
          return -std::popcount(leader_paths_[number].around[place_[u]]);
        return -degree(u);
      case Criterion::closeness:
        if (part.members.size() < 2) return 0;
        return static_cast<std::int64_t>(leader_paths_[number].hops.farness()[place_[u]]);
      case Criterion::highest_id:
      case Criterion::majority:
        break;
    }
    return 0;
  };
  NodeIndex chosen = part.members.front();
  std::int64_t least = cost(chosen);
  for (const NodeIndex u : part.members) {
    const std::int64_t its = cost(u);
    if (its > least || (its == least && ids_[u] <= ids_[chosen])) continue;
    least = its;
    chosen = u;
  }
  return chosen;
}

void LiveNetwork::forget_paths(LiveComponent& part) {
  if (!part.counted) return;
  part.counted = false;
  --overview_.with_paths;
  overview_.longest_paths -= part.longest;
  overview_.median_paths -= part.median;
  overview_.relative_paths -= part.relative;
}

void LiveNetwork::sum_up(std::uint32_t number) {
  LiveComponent& part = parts_[number];
  const LeaderPaths& paths = leader_paths_[number];
  part.renamed = false;
  forget_paths(part);
  if (paths.named() == 0) return;
  part.counted = true;
  part.longest = paths.longest();
  part.median = paths.median();
  part.relative = part.longest * whole / part.diameter;
  ++overview_.with_paths;
  overview_.longest_paths += part.longest;
  overview_.median_paths += part.median;
  overview_.relative_paths += part.relative;
}

}  // namespace bellwether::observe
