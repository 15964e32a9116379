// SPDX-License-Identifier: MIT
// Who is in the component, how far away, and by which neighbour one gets there: read off the map
// that an election keeps, or off a list of members.
#pragma once

#include <optional>

#include "bellwether/core/member_list.hpp"
#include "bellwether/core/members.hpp"

namespace bellwether::node {

using core::NodeId;

struct Route {
  NodeId id{};
  std::uint32_t hops = 0;
  std::optional<NodeId> via;  // a neighbour; nothing for the node itself, or where none is known
  std::uint32_t priority = 0;
  friend bool operator==(const Route&, const Route&) = default;
};

class Routes {
 public:
  /// The map has changed, perhaps: where it is the same object, nothing is done.
  void follow(const core::Known& known, NodeId self);
  /// The same with a list; its links are those of the leader's tree.
  void follow(const core::MemberList& list);

  const std::vector<Route>& all() const { return routes_; }  // ascending by id; self among them
  const Route* find(NodeId id) const;
  std::optional<NodeId> next_hop(NodeId id) const;
  /// Of the component as far as they are known, both ends from `all()`; the smaller end first,
  /// ascending.
  std::vector<std::pair<NodeId, NodeId>> links() const;
  std::uint64_t version() const { return version_; }  // grows when anything has changed

 private:
  core::Known known_;
  NodeId self_{};
  std::vector<Route> routes_;
  std::uint64_t list_version_ = 0;  // 0: no list is followed
  std::vector<std::pair<NodeId, NodeId>> tree_;
  std::uint64_t version_ = 0;
};

}  // namespace bellwether::node
