// SPDX-License-Identifier: MIT
#include "bellwether/world/positions.hpp"

#include <algorithm>

namespace bellwether::world {

Positions::Positions(std::unique_ptr<Motion> motion, NodeIndex nodes, NodeIndex all,
                     const std::vector<Proximity::Move>& plan)
    : motion_(std::move(motion)), paths_(all) {
  for (NodeIndex u = 0; u < all; ++u)
    paths_[u].leg = u < nodes ? motion_->next(u) : Leg{{}, core::end_of_time, nowhere, 0, 0};
  for (const Proximity::Move& move : plan) paths_[move.node].plan.push_back(move);
  for (Itinerary& path : paths_)
    std::ranges::stable_sort(path.plan, {}, [](const Proximity::Move& move) { return move.at; });
}

Point Positions::at(NodeIndex u, Time t) {
  Itinerary& path = paths_[u];
  for (; path.planned < path.plan.size() && path.plan[path.planned].at <= t; ++path.planned) {
    const Proximity::Move& move = path.plan[path.planned];
    path.leg = {move.at, core::end_of_time, move.to, 0, 0};  // it stays there
  }
  while (path.leg.end <= t) path.leg = motion_->next(u);
  return path.leg.at(t);
}

}  // namespace bellwether::world
