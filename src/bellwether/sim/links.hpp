// SPDX-License-Identifier: MIT
// The links of a running network and the ports that name them. A link has two ends; end 2i belongs
// to the first node of link i, end 2i+1 to the second. An end is up while the last notification of
// its node says so; the channel from an end leads to its sister. Knows no protocol.
#pragma once

#include <span>
#include <vector>

#include "bellwether/core/ids.hpp"
#include "bellwether/core/port_table.hpp"
#include "bellwether/world/network.hpp"

namespace bellwether::sim {

using core::FarEnd;
using core::NodeIndex;
using core::Port;

using End = std::uint32_t;
inline constexpr End no_end = ~End{0};

class Links : public core::PortTable {
 public:
  /// All links of the network are up, at both ends, or those that `up` says. A node's ports count
  /// first the links that it begins, then those that it ends: so on a ring the first port leads
  /// clockwise at every node.
  explicit Links(const world::Network& network, const std::vector<bool>& up = {});

  /// The ends behind them, in the same order.
  std::span<const End> ends(NodeIndex u) const {
    return {ends_.data() + rows_[u].offset, rows_[u].count};
  }
  /// The end behind a port that is up; no_end when it is not.
  End end_of(NodeIndex u, Port port) const {
    const std::size_t place = place_of(u, port);
    return place < rows_[u].count ? ends(u)[place] : no_end;
  }

  NodeIndex owner(End e) const { return halves_[e].owner; }
  bool up(End e) const { return halves_[e].up; }
  Port port(End e) const { return Port{halves_[e].port}; }
  static End sister(End e) { return e ^ 1; }
  std::size_t end_count() const { return halves_.size(); }
  bool one_way() const { return one_way_; }

  /// From now on no two ends of the whole network have the same port, so that a slot can be given
  /// to another link and a message of the former one still knows that it is late.
  void share_ports();
  /// routes() must not be called from now on: code that needs them has links that stay.
  void drop_routes();
  /// The next port to be given, where they are shared.
  std::uint32_t next_port() const { return next_shared_; }

  /// Makes room for link number `link` between two nodes; it is down at both ends.
  void add(std::uint32_t link, graph::Edge ends);
  /// The end comes up under a new port.
  Port raise(End e);
  /// The end goes down; its last port is returned.
  Port lower(End e);

 private:
  struct Half {
    NodeIndex owner;
    std::uint32_t port : 31;
    std::uint32_t up : 1;
  };
  struct PortSpace {
    std::uint32_t capacity;
    std::uint32_t next_port;
  };
  Port fresh_port(NodeIndex u);
  void append(NodeIndex u, Port port, End e);
  void make_room(NodeIndex u);
  void refresh(NodeIndex u);

  std::vector<Half> halves_;
  std::vector<PortSpace> rooms_;
  std::vector<End> ends_;
  std::uint32_t next_shared_ = 0;  // 0: each node counts its own ports
  bool routed_ = true;
  bool one_way_;
};

}  // namespace bellwether::sim
