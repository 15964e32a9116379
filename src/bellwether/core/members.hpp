// SPDX-License-Identifier: MIT
// A map of a component, as elections that keep one show it (`known()`): one entry for each member,
// with the neighbours that it had at a reading of its logical clock. From it come the list of
// members and the routes to them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "bellwether/core/fields.hpp"
#include "bellwether/core/ids.hpp"

namespace bellwether::core {

using Ids = std::vector<NodeId>;  // ascending, each once

/// Whoever has more leads before whoever is more central; whoever has 0 is not eligible.
inline constexpr std::uint32_t usual_priority = 100;

/// The thesis's `view`, with the node that it is about, and its priority. In the thesis a node is
/// among its own neighbours; here that says that its priority is the usual one. A flag would be
/// plainer, and one more byte for each entry of each map. Who writes its own entry with another
/// priority leaves itself out; an entry without its node that says the usual one does no harm.
struct MemberView {
  NodeId id{};
  std::uint64_t clock = 0;
  Shared<Ids> neighbours;  // the node itself among them, if its priority is the usual one
  std::uint32_t priority = usual_priority;  // says nothing where the node is among its neighbours

  bool unusual() const { return !std::binary_search(neighbours->begin(), neighbours->end(), id); }
  /// The priority that counts.
  std::uint32_t standing() const {
    return priority == usual_priority || !unusual() ? usual_priority : priority;
  }
  static constexpr auto fields =
      std::tuple{field("id", &MemberView::id), field("clock", &MemberView::clock),
                 field("neigh", &MemberView::neighbours),
                 field_when("priority", &MemberView::priority, &MemberView::unusual)};
  friend bool operator==(const MemberView& a, const MemberView& b) {
    return a.id == b.id && a.clock == b.clock && a.neighbours == b.neighbours &&
           (a.priority == b.priority || !a.unusual());
  }
};

/// The thesis's map `known`: by ascending id, each once.
using Known = Shared<std::vector<MemberView>>;

/// Counts those whom a message names as members and whom a map does not know yet, wherever in the
/// message that is. A struct that names some says so: `void name_members(visit) const`, which calls
/// visit(id, number of its neighbours).
class NewMembers {
 public:
  explicit NewMembers(const Known& known) : known_(known) {}

  template <class T>
  void look(const T& value) {
    if constexpr (std::same_as<T, Known>) {
      for (const MemberView& view : *value) add(view.id, view.neighbours->size());
    } else if constexpr (requires { value.name_members(*this); }) {
      value.name_members(*this);
    } else if constexpr (is_variant<T>) {
      std::visit([this](const auto& chosen) { this->look(chosen); }, value);
    } else if constexpr (is_sequence<T>) {
      for (const auto& each : value) look(each);
    } else if constexpr (Described<T>) {
      for_each_field_of(value, [&](const auto& f) { look(value.*f.member); });
    }
  }
  void add(NodeId id, std::size_t neighbours);
  /// Whether the map would hold more than so many members with them, or one of them would have more
  /// neighbours than that.
  bool exceed(std::size_t most);

 private:
  const Known& known_;
  Ids ids_;
  std::size_t most_neighbours_ = 0;
};

}  // namespace bellwether::core
