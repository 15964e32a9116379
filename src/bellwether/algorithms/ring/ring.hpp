// SPDX-License-Identifier: MIT
// What the elections on rings share: their options and the ways out of a node.
#pragma once

#include "bellwether/algorithms/extremum.hpp"
#include "bellwether/algorithms/leader_news.hpp"
#include "bellwether/core/facts.hpp"

namespace bellwether::algorithms {

struct RingOptions {
  Extremum extremum = Extremum::max;
  bool announce = true;
  static constexpr auto fields =
      std::tuple{core::field("extremum", &RingOptions::extremum,
                             "Which initiator wins: the one with the largest or smallest id."),
                 core::field("announce", &RingOptions::announce,
                             "Whether the winner tells the ring; otherwise it alone knows.")};
  friend bool operator==(const RingOptions&, const RingOptions&) = default;
};

/// The way clockwise: the only way out where links go one way, the first where they go both ways.
template <class Step>
core::Port clockwise(const Step& step) {
  core::invariant(!step.ports().empty(), "a node of a ring has a successor");
  return step.ports().front();
}

/// The way on for what came in by `port`, where links go both ways; back where there is no other.
template <class Step>
core::Port onward(const Step& step, core::Port port) {
  for (const core::Port each : step.ports())
    if (each != port) return each;
  return port;
}

}  // namespace bellwether::algorithms
