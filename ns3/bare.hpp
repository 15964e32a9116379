// SPDX-License-Identifier: GPL-2.0-only
// The same traffic on nothing but ns-3, its own clock and its own queue: what the adapter is
// measured against.
#pragma once

#include "stations.hpp"
#include "traffic.hpp"

namespace bellwether::ns3side {

struct Reception {
  Time at{};
  NodeIndex by = 0;
  std::uint32_t bytes = 0;
  friend bool operator==(const Reception&, const Reception&) = default;
};

/// In the order in which they happen.
std::vector<Reception> by_bare_ns3(const TrafficSpec& spec, const world::RadioSpec& radio,
                                   Reaches reaches);

}  // namespace bellwether::ns3side
