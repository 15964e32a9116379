// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/moving/hierarchy_places.hpp"

#include <algorithm>

namespace bellwether::algorithms {

void HierarchyPlaces::crown(bool root) {
  rank_ = root ? std::max(1u, place_) : place_;
}

std::vector<std::uint32_t> HierarchyPlaces::settle(bool root, std::vector<std::uint32_t> below,
                                                   const LeadersAbove& above) {
  const auto reach = [&](std::uint32_t k) {
    return k <= below.size() ? std::min(below[k - 1], remoteness_.of(k)) : 0;
  };
  std::uint32_t place = 0;
  while (place + 1 < most_levels && leads(place + 1, root, reach(place + 1), above)) ++place;
  place_ = place;
  if (root) {
    rank_ = 1;
    for (std::uint32_t k = 2; k <= below.size(); ++k)
      if (below[k - 1] > 0) rank_ = k;
    return {};
  }
  rank_ = place_;
  if (below.size() <= rank_) below.resize(rank_ + 1);
  std::fill_n(below.begin(), rank_, 0u);
  below[rank_] = reach(rank_ + 1) + 1;
  return below;
}

bool HierarchyPlaces::leads(std::uint32_t level, bool root, std::uint32_t reach,
                            const LeadersAbove& above) const {
  const std::uint32_t r = remoteness_.of(level);
  // The root notes where it would lead, in order to keep its place when another is the root.
  if (root) return reach >= least(r);
  const LeaderAbove* up = level <= above->size() ? &(*above)[level - 1] : nullptr;
  if (up && up->depth + 1 + reach <= r) return false;
  // While the tree is new those below may be missing for a moment only. Not worth it above level 1,
  // where each change is told to many, nor where R is 1 and every place is exact.
  const bool patient = above->empty() && level == 1 && r > 1;
  if (level <= place_) return reach >= least(r) || patient;
  if (reach == r) return true;
  if (!up || reach < least(r)) return false;
  const std::uint32_t steps = up->steps + 1;
  return steps <= r && steps + reach > r && (reach == least(r) || steps == r);
}

std::vector<LeaderAbove> HierarchyPlaces::tell(core::NodeId self, bool root,
                                               const LeadersAbove& above) const {
  std::vector<LeaderAbove> all;
  if (!root && above->empty()) return all;
  all.reserve(std::max<std::size_t>(above->size(), rank_));
  for (std::uint32_t k = 1; k <= rank_; ++k) {
    const std::uint32_t up = k <= above->size() ? (*above)[k - 1].depth : remoteness_.of(k);
    all.push_back({self, 0, root ? 0 : std::min(up, remoteness_.of(k)) + 1});
  }
  if (root) return all;
  for (std::uint32_t k = rank_ + 1; k <= above->size(); ++k) {
    LeaderAbove leader = (*above)[k - 1];
    if (k == rank_ + 1) {
      leader.steps = std::min(leader.steps, remoteness_.of(k)) + 1;
      leader.depth = std::min(leader.depth, remoteness_.of(k)) + 1;
    }
    all.push_back(leader);
  }
  return all;
}

LeadersAbove HierarchyPlaces::for_child(const LeadersAbove& told, const Reaches& child) {
  const std::size_t levels = child->size();
  if (levels >= told->size()) return told;
  auto all = *told;
  for (std::size_t i = levels; i < all.size(); ++i) all[i].steps = all[i].depth = 0;
  return LeadersAbove(std::move(all));
}

bool HierarchyPlaces::same_for_child(const std::vector<LeaderAbove>& a,
                                     const std::vector<LeaderAbove>& b, const Reaches& child) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (i < child->size() ? a[i] != b[i] : a[i].id != b[i].id) return false;
  return true;
}

}  // namespace bellwether::algorithms
