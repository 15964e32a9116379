// SPDX-License-Identifier: MIT
#include "bellwether/core/plugin.hpp"

namespace bellwether::core {

constinit thread_local RunningHandler running_handler;

const char* handler_name(Call::Handler handler) {
  constexpr const char* names[] = {"none",    "start",   "link_up", "link_down",   "farewell",
                                   "receive", "timeout", "round",   "set_priority"};
  return names[static_cast<std::size_t>(handler)];
}

}  // namespace bellwether::core
