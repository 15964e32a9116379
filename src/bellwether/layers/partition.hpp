// SPDX-License-Identifier: MIT
// Awerbuch's partition of a network into clusters ("Complexity of network synchronization", JACM
// 32(4), 1985): grow a cluster around a node, layer by layer, as long as each layer makes it at
// least `growth` times as large; begin the next one among the nodes that are left.
//
// Every cluster has a tree of depth at most log_growth(n), and there are at most (growth - 1) n
// preferred links, one between each two clusters that touch.
#pragma once

#include "bellwether/layers/signals.hpp"

namespace bellwether::layers {

/// `links`: every link of a connected network, once. `growth` is at least 2.
Partition make_partition(const std::vector<Link>& links, std::uint32_t growth);

}  // namespace bellwether::layers
