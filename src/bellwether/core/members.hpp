// SPDX-License-Identifier: MIT
// A map of a component, as elections that keep one show it (`known()`): one entry for each member,
// with the neighbours that it had at a reading of its logical clock. From it come the list of
// members and the routes to them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "bellwether/core/field_kinds.hpp"
#include "bellwether/core/ids.hpp"

namespace bellwether::core {

using Ids = std::vector<NodeId>;  // ascending, each once

/// A higher priority leads before a more central node; 0: not eligible.
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
  std::uint32_t effective_priority() const {
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
    look(FieldKind<T>{}, value);
  }
  void add(NodeId id, std::size_t neighbours);
  /// Whether the map would hold more than that many members with them, or one of them would have
  /// more neighbours than that.
  bool exceed(std::size_t most);

 private:
  void look(NumberField, const auto&) {}
  void look(EnumField, const auto&) {}
  void look(DurationField, const auto&) {}
  void look(TextField, const auto&) {}
  void look(SharedField, const auto& value) { look(*value); }
  void look(SharedField, const Known& value) {
    for (const MemberView& view : *value) add(view.id, view.neighbours->size());
  }
  void look(OptionalField, const auto& value) {
    if (value) look(*value);
  }
  void look(PairField, const auto& value) {
    look(value.first);
    look(value.second);
  }
  void look(ListField, const auto& value) {
    for (const auto& each : value) look(each);
  }
  void look(SortedField, const auto& value) {
    for (const auto& each : value) look(each);
  }
  void look(VariantField, const auto& value) {
    std::visit([this](const auto& chosen) { this->look(chosen); }, value);
  }
  void look(StructField, const auto& value) {
    if constexpr (requires { value.name_members(*this); })
      value.name_members(*this);
    else
      for_each_field_of(value, [&](const auto& f) { look(value.*f.member); });
  }
  void look(OpaqueField, const auto& value) { value.name_members(*this); }

  const Known& known_;
  Ids ids_;
  std::size_t most_neighbours_ = 0;
};

}  // namespace bellwether::core
