// SPDX-License-Identifier: MIT
// Who is in the component, how far away, and by which neighbour one gets there: read off the map
// that an election keeps.
#pragma once

#include <optional>

#include "bellwether/algorithms/knowledge_sync.hpp"

namespace bellwether::node {

using core::NodeId;

struct Route {
  NodeId id{};
  std::uint32_t hops = 0;
  std::optional<NodeId> via;  // a neighbour; nothing for the node itself
  std::uint32_t priority = 0;
  friend bool operator==(const Route&, const Route&) = default;
};

class Routes {
 public:
  /// The map has changed, perhaps: where it is the same object, nothing is done.
  void follow(const algorithms::Known& known, NodeId self);

  const std::vector<Route>& all() const { return routes_; }  // ascending by id; self among them
  const Route* find(NodeId id) const;
  std::optional<NodeId> next_hop(NodeId id) const;
  std::uint64_t version() const { return version_; }  // grows when anything has changed

 private:
  algorithms::Known known_;
  std::vector<Route> routes_;
  std::uint64_t version_ = 0;
};

/// The map that a message carries, if it does; nothing else is looked at.
template <class Message>
const algorithms::Knowledge* map_in(const Message& message) {
  if constexpr (std::same_as<Message, algorithms::Knowledge>) {
    return &message;
  } else if constexpr (core::is_variant<Message>) {
    return std::visit([](const auto& chosen) { return map_in(chosen); }, message);
  } else if constexpr (requires { message.body; }) {
    return map_in(message.body);
  } else {
    return nullptr;
  }
}

/// Whether `known` would hold more than so many members with what the message brings.
bool names_too_many(const algorithms::Knowledge* message, const algorithms::Known& known,
                    std::size_t most);

}  // namespace bellwether::node
