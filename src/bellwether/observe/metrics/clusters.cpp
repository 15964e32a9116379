// SPDX-License-Identifier: MIT
#include "bellwether/observe/metrics/clusters.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace bellwether::observe {

Clusters::Clusters(NodeIndex nodes)
    : rank_(nodes, 0),
      leader_(nodes, nobody),
      place_(nodes, 0),
      clusters_(nodes),
      stamps_(nodes, 0) {}

void Clusters::place(NodeIndex u, std::uint32_t rank, NodeIndex leader) {
  const auto top = static_cast<std::uint32_t>(std::min<std::size_t>(rank, most_ranks));
  for (std::uint32_t& now = rank_[u]; now != top; changed_ = true) {
    if (now < top)
      ++leaders_[now++];
    else
      --leaders_[--now];
  }
  levels_seen_ = std::max<std::size_t>(levels_seen_, top);
  if (leader_[u] != leader) follow(u, leader);
}

void Clusters::gone(NodeIndex u) {
  place(u, 0, nobody);
  mark(u);
}

void Clusters::follow(NodeIndex u, NodeIndex leader) {
  changed_ = true;
  if (const NodeIndex old = std::exchange(leader_[u], leader); old != nobody) {
    auto& left = cluster(old).followers;
    left[place_[u]] = left.back();
    place_[left.back()] = place_[u];
    left.pop_back();
    mark(old);
  }
  if (leader == nobody) return;
  auto& joined = cluster(leader).followers;
  place_[u] = static_cast<std::uint32_t>(joined.size());
  joined.push_back(u);
  mark(leader);
}

Clusters::Cluster& Clusters::cluster(NodeIndex leader) {
  if (leader >= clusters_.size()) clusters_.resize(leader + std::size_t{1});
  return clusters_[leader];
}

void Clusters::mark(NodeIndex leader) {
  Cluster& its = cluster(leader);
  changed_ = true;
  if (its.dirty) return;
  its.dirty = true;
  dirty_.push_back(leader);
}

bool Clusters::settle(const LiveNetwork& network) {
  if (!touched_.empty()) {
    mark_around_changes(network);
    for (const NodeIndex each : std::exchange(incomplete_, {})) {
      clusters_[each].incomplete = false;
      mark(each);
    }
    touched_.clear();
  }
  for (const NodeIndex each : std::exchange(dirty_, {})) measure(network, each);
  return std::exchange(changed_, false);
}

/// A link that has come or gone was or is on the way from a leader to its followers only if the
/// leader is no farther from it than the farthest follower of all is from its leader. Of several
/// that have gone, this is so for the one that came first on the way.
void Clusters::mark_around_changes(const LiveNetwork& network) {
  const std::uint32_t stamp = next_stamp();
  near_.clear();
  const auto reach = [&](NodeIndex u) {
    if (std::exchange(stamps_[u], stamp) != stamp) near_.push_back(u);
  };
  for (const NodeIndex u : touched_) {
    if (network.is_alive(u))
      reach(u);
    else
      network.for_each_neighbour(u, reach);
    mark(u);
  }
  std::size_t next = 0;
  for (std::uint32_t hops = 0; next < near_.size(); ++hops) {
    const std::size_t end = near_.size();
    for (; next < end; ++next) {
      const NodeIndex u = near_[next];
      if (!clusters_[u].followers.empty()) mark(u);
      if (hops < longest_.largest()) network.for_each_neighbour(u, reach);
    }
  }
}

void Clusters::measure(const LiveNetwork& network, NodeIndex leader) {
  Cluster& its = clusters_[leader];
  its.dirty = false;
  if (its.members > 0) longest_.remove(its.longest);
  hops_ -= its.hops;
  members_ -= its.members;
  its.longest = 0;
  its.hops = its.members = 0;
  if (leader < network.size() && network.has_part(leader)) search(network, leader, its);
  if (its.members < its.followers.size() && !std::exchange(its.incomplete, true))
    incomplete_.push_back(leader);
  if (its.members > 0) longest_.add(its.longest);
  hops_ += its.hops;
  members_ += its.members;
}

void Clusters::search(const LiveNetwork& network, NodeIndex leader, Cluster& found) {
  std::size_t wanted = 0;
  for (const NodeIndex u : found.followers)
    if (network.has_part(u) && network.part(u) == network.part(leader)) ++wanted;
  const std::uint32_t stamp = next_stamp();
  stamps_[leader] = stamp;
  near_.assign(1, leader);
  std::size_t next = 0;
  for (std::uint32_t hops = 0; found.members < wanted; ++hops) {
    const std::size_t end = near_.size();
    for (; next < end; ++next) {
      const NodeIndex u = near_[next];
      if (leader_[u] == leader) {
        ++found.members;
        found.hops += hops;
        found.longest = hops;
      }
      network.for_each_neighbour(u, [&](NodeIndex v) {
        if (std::exchange(stamps_[v], stamp) != stamp) near_.push_back(v);
      });
    }
  }
}

double Clusters::reclustered() {
  std::uint64_t both = 0;
  std::uint64_t moved = 0;
  for (NodeIndex u = 0; u < leader_before_.size(); ++u) {
    if (leader_before_[u] == nobody || leader_[u] == nobody) continue;
    ++both;
    if (leader_before_[u] != leader_[u]) ++moved;
  }
  leader_before_ = leader_;
  if (both == 0) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(moved) / static_cast<double>(both);
}

std::uint32_t Clusters::next_stamp() {
  if (++stamp_ == 0) {
    std::fill(stamps_.begin(), stamps_.end(), 0);
    stamp_ = 1;
  }
  return stamp_;
}

}  // namespace bellwether::observe
