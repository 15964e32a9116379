// SPDX-License-Identifier: MIT
// Where a frame came from, for warnings that say who is meant.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace bellwether::node {

struct FrameSource {
  std::array<std::uint8_t, 16> address{};  // of IPv4: the first four bytes
  std::uint16_t port = 0;                  // 0: not known
  bool ipv6 = false;
  std::string interface;  // empty: named peers

  /// "fe80::1 on wlan0"; "192.0.2.1:7745" of a peer.
  std::string text() const;
  friend bool operator==(const FrameSource&, const FrameSource&) = default;
};

}  // namespace bellwether::node
