// SPDX-License-Identifier: MIT
// The members of a component as a list, without the links between them: what is shown
// (`member_list()`) where no map is kept.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "bellwether/core/ids.hpp"

namespace bellwether::core {

struct ListedMember {
  NodeId id{};
  std::uint32_t hops = 0;        // 0: the node itself
  std::optional<NodeId> via;     // the neighbour on the way there, while one is known
  std::optional<NodeId> parent;  // in the tree of its leader; a leader's own is itself
  std::uint32_t priority = 0;
  friend bool operator==(const ListedMember&, const ListedMember&) = default;
};

struct MemberList {
  std::vector<ListedMember> all;  // ascending by id; the node itself among them
  std::uint64_t version = 0;      // grows when anything has changed
  std::uint64_t refused = 0;      // records beyond the limit
};

}  // namespace bellwether::core
