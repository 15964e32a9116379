// SPDX-License-Identifier: MIT
// What a protocol may offer beyond leader(): not one leader but a hierarchy of them.
#pragma once

#include "bellwether/core/protocol.hpp"

namespace bellwether::core {

/// Every node has a leader of each level, L1 to Lh, where Lh is the component's leader. A leader of
/// level k leads at every level below, too; every node is a leader of level 0.
template <class P>
concept Ranked = Elector<P> && requires(const P& seen) {
  { seen.leaders() } -> std::convertible_to<std::vector<NodeId>>;  // L1, L2, ..., Lh
  { seen.rank() } -> std::same_as<std::uint32_t>;                  // the highest level it leads at
};

/// Leaders and flocks reach each other, too.
template <class P>
concept Hierarchical = Ranked<P> && requires(const P& seen, std::uint32_t level, NodeId id) {
  // The leaders of the level below whose leader of this level it is, without itself, ascending.
  { seen.children(level) } -> std::same_as<std::vector<NodeId>>;
  // The port towards one of its leaders or, at a leader or on the way, one of its children.
  { seen.next_hop(id) } -> std::same_as<std::optional<Port>>;
};

}  // namespace bellwether::core
