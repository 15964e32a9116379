// SPDX-License-Identifier: MIT
// One turn of a synchronizer: what it sees of its node, and what it wants to be done.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "bellwether/core/time.hpp"
#include "bellwether/layers/signals.hpp"

namespace bellwether::layers {

struct Turn {
  core::NodeId self{};
  std::span<const core::Port> ports;
  std::function<core::NodeId(core::Port)> peer;
  std::vector<std::pair<core::Port, Signal>> signals{};  // to be sent, in this order
  std::optional<core::Duration> tick{};                  // to be woken after this time

  void send(core::Port port, Signal signal) { signals.emplace_back(port, std::move(signal)); }
  void send_all(const Signal& signal) {
    for (const core::Port port : ports) send(port, signal);
  }
};

}  // namespace bellwether::layers
