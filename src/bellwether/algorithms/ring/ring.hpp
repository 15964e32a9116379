// SPDX-License-Identifier: MIT
// What the elections on rings share: their options and the outgoing ports of a node.
#pragma once

#include "bellwether/algorithms/extremum.hpp"
#include "bellwether/algorithms/leader_news.hpp"
#include "bellwether/core/facts.hpp"

namespace bellwether::algorithms {

struct RingOptions {
  Extremum extremum = Extremum::max;
  bool announce = true;
  static constexpr auto fields = std::tuple{
      core::field("extremum", &RingOptions::extremum,
                  "Initiator that wins: the one with the largest (max) or smallest (min) id."),
      core::field("announce", &RingOptions::announce,
                  "Announce the leader to the whole ring; false: only the winner knows.")};
  friend bool operator==(const RingOptions&, const RingOptions&) = default;
};

/// The clockwise port: the only one where links are one-way, the first where they are two-way.
template <class Step>
core::Port clockwise(const Step& step) {
  core::invariant(!step.ports().empty(), "a node of a ring has a successor");
  return step.ports().front();
}

/// The port over which a message from `port` continues, where links are two-way; `port` itself
/// where there is no other.
template <class Step>
core::Port onward(const Step& step, core::Port port) {
  for (const core::Port each : step.ports())
    if (each != port) return each;
  return port;
}

}  // namespace bellwether::algorithms
