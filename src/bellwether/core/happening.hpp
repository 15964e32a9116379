// SPDX-License-Identifier: MIT
// What has just happened in a run.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "bellwether/core/ids.hpp"

namespace bellwether::core {

enum class Cause : unsigned char { start, link_up, link_down, receive, timeout, crash, restart };
constexpr auto names_of(Cause) {
  return std::array<std::string_view, 7>{"start",   "link-up", "link-down", "receive",
                                         "timeout", "crash",   "restart"};
}

struct Happening {
  Cause cause;
  NodeIndex node;
  std::optional<NodeIndex> peer;  // receive: the sender; link events: the other end
};

}  // namespace bellwether::core
