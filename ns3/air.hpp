// SPDX-License-Identifier: GPL-2.0-only
// The 802.11n of ns-3 as a medium of the simulator: physical layer, carrier sense, collisions and
// the states of the radio are ns-3's; nodes, their paths, faults and clocks are ours. This header
// is free of ns-3.
#pragma once

#include "bellwether/world/medium.hpp"

namespace bellwether::ns3side {

/// One at a time in a process: ns-3 has one simulation. Throws Problem where 802.11n cannot do what
/// the radio asks for.
std::unique_ptr<world::Medium> make_air(const world::MediumSite& site);

}  // namespace bellwether::ns3side
