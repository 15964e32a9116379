// SPDX-License-Identifier: MIT
// The links of a running network and the ports that name them. A link has two ends; end 2i belongs
// to the first node of link i, end 2i+1 to the second. An end is up while its node has been told
// so; the channel from an end leads to its sister. Knows no protocol.
#pragma once

#include <span>
#include <vector>

#include "bellwether/core/ids.hpp"
#include "bellwether/world/network.hpp"

namespace bellwether::sim {

using core::NodeIndex;
using core::Port;

using End = std::uint32_t;
inline constexpr End no_end = ~End{0};

class Links {
 public:
  /// All links of the network are up, at both ends. A node's ports count first the links that it
  /// begins, then those that it ends: so on a ring the first port leads clockwise at every node.
  explicit Links(const world::Network& network);

  std::span<const Port> ports(NodeIndex u) const {
    return {ports_.data() + rows_[u].offset, rows_[u].count};
  }
  std::span<const End> ends(NodeIndex u) const {
    return {ends_.data() + rows_[u].offset, rows_[u].count};
  }
  /// The end behind a port that is up; no_end when it is not.
  End end_of(NodeIndex u, Port port) const {
    const Row& row = rows_[u];
    const std::uint32_t p = core::raw(port);
    // Without changes a port is its own place in the row.
    if (p < row.count && ports_[row.offset + p] == port) return ends_[row.offset + p];
    return search(u, port);
  }

  NodeIndex owner(End e) const { return halves_[e].owner; }
  bool up(End e) const { return halves_[e].up; }
  Port port(End e) const { return Port{halves_[e].port}; }
  static End sister(End e) { return e ^ 1; }
  std::size_t end_count() const { return halves_.size(); }
  bool one_way() const { return one_way_; }

  // Hints that something will be read soon.
  void fetch_end(End e) const { __builtin_prefetch(&halves_[e]); }
  void fetch_row(NodeIndex u) const { __builtin_prefetch(&rows_[u]); }
  void fetch_ports(NodeIndex u) const {
    __builtin_prefetch(ports_.data() + rows_[u].offset);
    __builtin_prefetch(ends_.data() + rows_[u].offset);
  }

  /// Makes room for link number `link` between two nodes; it is down at both ends.
  void add(std::uint32_t link, graph::Edge ends);
  /// The end comes up under a new port.
  Port raise(End e);
  /// The end goes down; its last port is returned.
  Port lower(End e);
  /// All ends of a node go down at once, as when it crashes. Returns the ports it had.
  std::vector<Port> lower_all(NodeIndex u);

 private:
  struct Half {
    NodeIndex owner;
    std::uint32_t port : 31;
    std::uint32_t up : 1;
  };
  struct Row {
    std::uint32_t offset;
    std::uint32_t count;
    std::uint32_t capacity;
    std::uint32_t next_port;
  };
  End search(NodeIndex u, Port port) const;
  void append(NodeIndex u, Port port, End e);

  std::vector<Half> halves_;
  std::vector<Row> rows_;
  std::vector<Port> ports_;  // rows, each ascending; parallel to ends_
  std::vector<End> ends_;
  bool one_way_;
};

}  // namespace bellwether::sim
