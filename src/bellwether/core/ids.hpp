// SPDX-License-Identifier: MIT
// Names of things: nodes, links, places in arrays. Strong types, so that they cannot be mixed up.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace bellwether::core {

/// The identity of a node: ordered and hashable, no arithmetic. Ids of real nodes are positive.
enum class NodeId : std::uint64_t {};

/// The local name of one incarnation of one link. A link that comes back is a new port.
enum class Port : std::uint32_t {};

/// Where a driver keeps a node; protocols never see it.
using NodeIndex = std::uint32_t;

constexpr std::uint64_t raw(NodeId id) {
  return static_cast<std::uint64_t>(id);
}
constexpr std::uint32_t raw(Port port) {
  return static_cast<std::uint32_t>(port);
}

/// What `broadcast` writes in place of a port; never the name of a link.
inline constexpr Port every_port{0xFFFF'FFFF};

/// Where a message comes in on a link that the receiver was not notified of, for protocols whose
/// model says that they hear strangers. Nothing can be sent there.
inline constexpr Port stranger{0xFFFF'FFFE};

}  // namespace bellwether::core
