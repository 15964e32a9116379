// SPDX-License-Identifier: MIT
// The announcement of the leader, which most elections send at their end.
#pragma once

#include "bellwether/core/fields.hpp"
#include "bellwether/core/ids.hpp"

namespace bellwether::algorithms {

/// <leader, p>.
template <std::uint8_t Tag>
struct LeaderNews {
  static constexpr std::uint8_t tag = Tag;
  static constexpr std::string_view name = "leader";
  core::NodeId id{};
  static constexpr auto fields = std::tuple{core::field("id", &LeaderNews::id)};
  friend bool operator==(const LeaderNews&, const LeaderNews&) = default;
};

}  // namespace bellwether::algorithms
