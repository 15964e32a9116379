// SPDX-License-Identifier: MIT
// What the elections in networks of any shape share: the news of who leads, and whether a port is
// up.
#pragma once

#include <algorithm>

#include "bellwether/core/step.hpp"

namespace bellwether::algorithms {

/// <leader, p>, to be spread over the network.
template <std::uint8_t Tag>
struct Announcement {
  static constexpr std::uint8_t tag = Tag;
  static constexpr std::string_view name = "leader";
  core::NodeId id{};
  static constexpr auto fields = std::tuple{core::field("id", &Announcement::id)};
  friend bool operator==(const Announcement&, const Announcement&) = default;
};

/// Always so where links do not change; asked of ports that a node has remembered.
template <class Step>
bool is_up(const Step& step, core::Port port) {
  return std::binary_search(step.ports().begin(), step.ports().end(), port);
}

}  // namespace bellwether::algorithms
