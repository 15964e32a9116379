// SPDX-License-Identifier: MIT
// Where a node is in the tree of its leader, as elections that build one show it (`tree_place()`):
// from it come the way to the leader and the number of members, without a map.
#pragma once

#include <cstdint>

#include "bellwether/core/ids.hpp"

namespace bellwether::core {

struct TreePlace {
  NodeId parent{};            // the next hop to the leader; the leader's own is itself
  std::uint32_t hops = 0;     // to the leader
  std::uint32_t members = 1;  // of the component, as the leader has counted them
  friend bool operator==(const TreePlace&, const TreePlace&) = default;
};

}  // namespace bellwether::core
