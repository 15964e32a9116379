// SPDX-License-Identifier: MIT
// The ports of all nodes that are up, and where they lead.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "bellwether/core/aligned.hpp"
#include "bellwether/core/ids.hpp"

namespace bellwether::core {

/// Where a port leads: to whom, and what the link is called there.
struct FarEnd {
  NodeIndex to;
  Port port;
};

class PortTable {
 public:
  /// The ports of a node that are up, ascending.
  std::span<const Port> ports(NodeIndex u) const {
    const NodePorts& row = rows_[u];
    return {row.count <= few ? row.ports : ports_.data() + row.offset, row.count};
  }
  /// Where they lead, in the same order. The far port is that of the far end's last incarnation.
  std::span<const FarEnd> routes(NodeIndex u) const {
    const NodePorts& row = rows_[u];
    return {row.count <= few ? row.routes : routes_.data() + row.offset, row.count};
  }
  /// The place of a port among those that are up; its number when it is not among them.
  std::size_t place_of(NodeIndex u, Port port) const {
    const auto up_now = ports(u);
    const std::size_t p = raw(port);
    // Without changes a port is its own place.
    if (p < up_now.size() && up_now[p] == port) [[likely]]
      return p;
    const auto at = std::lower_bound(up_now.begin(), up_now.end(), port);
    return at != up_now.end() && *at == port ? static_cast<std::size_t>(at - up_now.begin())
                                             : up_now.size();
  }
  /// A hint that this node's ports will be read soon. Inlined by force: g++ 12 takes a function
  /// that only asks for memory ahead for one without effect, and leaves its calls out.
  [[gnu::always_inline]] void fetch(NodeIndex u) const { __builtin_prefetch(&rows_[u]); }

 protected:
  static constexpr std::uint32_t few = 2;

  /// What a message touches, in half a cache line: the ports of a node on a ring are right here.
  struct NodePorts {
    std::uint32_t count;
    std::uint32_t offset;  // into the arrays below
    Port ports[few];       // while there are few; always in ports_, too
    FarEnd routes[few];    // likewise
  };

  LineVector<NodePorts> rows_;
  std::vector<Port> ports_;
  std::vector<FarEnd> routes_;
};

}  // namespace bellwether::core
