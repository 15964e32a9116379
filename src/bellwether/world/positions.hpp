// SPDX-License-Identifier: MIT
// Where nodes are while they move: the same paths, to the last bit, that Proximity makes links of.
#pragma once

#include <memory>
#include <vector>

#include "bellwether/world/proximity.hpp"

namespace bellwether::world {

class Positions {
 public:
  /// `nodes` are in motion; a node behind them has no position until the plan gives it one.
  Positions(std::unique_ptr<Motion> motion, NodeIndex nodes, NodeIndex all,
            const std::vector<Proximity::Move>& plan);

  /// For each node, times must not go back.
  Point at(NodeIndex u, Time t);

  /// Far from everything.
  static constexpr Point nowhere{1e9, 1e9};

 private:
  struct Itinerary {
    Leg leg;
    std::vector<Proximity::Move> plan;  // ascending
    std::size_t planned = 0;            // how many of them have been made
  };
  std::unique_ptr<Motion> motion_;
  std::vector<Itinerary> paths_;
};

}  // namespace bellwether::world
