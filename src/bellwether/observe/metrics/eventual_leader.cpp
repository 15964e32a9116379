// SPDX-License-Identifier: MIT
#include "bellwether/observe/metrics/eventual_leader.hpp"

#include <set>

#include "bellwether/observe/metrics/agreement.hpp"

namespace bellwether::observe {

void EventualLeaderNonDecreasing::after(const core::Configuration&, const core::Happening& what) {
  if (what.cause == core::Cause::crash || what.cause == core::Cause::link_down) elected_.clear();
}

void EventualLeaderNonDecreasing::at_rest(const core::Configuration& all) {
  std::map<core::NodeId, core::NodeId> now;
  for (const ComponentLeader& part : leaders_in(all)) {
    if (!part.agreed || part.size < 2) continue;
    // Who led when these nodes, or some of them, were last quiescent together.
    std::set<core::NodeId> before;
    for (core::NodeIndex u = 0; u < all.size(); ++u) {
      if (!all.alive(u) || all.leader(u) != part.leader) continue;
      now[all.id(u)] = *part.leader;
      if (const auto known = elected_.find(all.id(u)); known != elected_.end())
        before.insert(known->second);
    }
    core::invariant(before.size() != 1 || *before.begin() == *part.leader, says());
  }
  elected_ = std::move(now);
}

}  // namespace bellwether::observe
