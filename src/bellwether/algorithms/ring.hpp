// SPDX-License-Identifier: MIT
// What the elections on rings share: their options, the ways out of a node, and the news of who
// leads.
#pragma once

#include "bellwether/algorithms/extremum.hpp"
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

/// <leader, p>: it travels once round the ring and is not passed on by p.
template <std::uint8_t Tag>
struct LeaderNews {
  static constexpr std::uint8_t tag = Tag;
  static constexpr std::string_view name = "leader";
  core::NodeId id{};
  static constexpr auto fields = std::tuple{core::field("id", &LeaderNews::id)};
  friend bool operator==(const LeaderNews&, const LeaderNews&) = default;
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
