// SPDX-License-Identifier: MIT
// Networks whose links fail and return all the time, for two seconds; then they have time to agree.
#pragma once

#include "claims/height_story.hpp"

namespace bellwether::claims {

/// From 4 to 12 nodes; a failure every 50 ms on average, over after 100 ms on average.
inline Scenario restless(std::uint64_t seed) {
  constexpr const char* topologies[] = {"geometric", "grid", "erdos-renyi"};
  Scenario s = on(topologies[seed % 3], static_cast<NodeIndex>(4 + seed % 9), seed);
  s.network.degree = 2 + static_cast<double>(seed % 2);
  s.network.ids = "random";
  random_delays(s);
  s.notify = {Duration{0}, milliseconds(20)};
  s.changes.links = {20, milliseconds(100), Time{0}, seconds(2)};
  return s;
}

}  // namespace bellwether::claims
