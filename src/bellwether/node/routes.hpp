// SPDX-License-Identifier: MIT
// Who is in the component, how far away, and by which neighbour one gets there: read off the map
// that an election keeps.
#pragma once

#include <optional>

#include "bellwether/algorithms/knowledge_sync.hpp"
#include "bellwether/algorithms/knowledge_updates.hpp"

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
  /// Of the component, both ends from `all()`; the smaller end first, ascending.
  std::vector<std::pair<NodeId, NodeId>> links() const;
  std::uint64_t version() const { return version_; }  // grows when anything has changed

 private:
  algorithms::Known known_;
  NodeId self_{};
  std::vector<Route> routes_;
  std::uint64_t version_ = 0;
};

/// Counts those whom a message names as members and whom a map does not know yet, wherever in the
/// message that is.
class NewMembers {
 public:
  explicit NewMembers(const algorithms::Known& known) : known_(known) {}

  template <class T>
  void look(const T& value) {
    if constexpr (std::same_as<T, algorithms::Known>) {
      for (const algorithms::View& view : *value) add(view.id, view.neighbours->size());
    } else if constexpr (std::same_as<T, algorithms::Updt>) {
      add(value.src, value.add.size());
    } else if constexpr (std::same_as<T, std::vector<algorithms::Updt>>) {
      for (const algorithms::Updt& each : value) look(each);
    } else if constexpr (core::is_variant<T>) {
      std::visit([this](const auto& chosen) { this->look(chosen); }, value);
    } else if constexpr (core::Described<T>) {
      core::for_each_field_of(value, [&](const auto& f) { look(value.*f.member); });
    }
  }
  std::size_t count();
  /// How many one of those that are named has for neighbours, at most.
  std::size_t most_neighbours() const { return most_neighbours_; }

 private:
  void add(NodeId id, std::size_t neighbours);

  const algorithms::Known& known_;
  std::vector<NodeId> ids_;
  std::size_t most_neighbours_ = 0;
};

/// Whether `known` would hold more than so many members with what the message brings.
template <class Message>
bool names_too_many(const Message& message, const algorithms::Known& known, std::size_t most) {
  NewMembers found(known);
  found.look(message);
  const std::size_t fresh = found.count();
  return found.most_neighbours() > most || (fresh > 0 && known->size() + fresh > most);
}

}  // namespace bellwether::node
