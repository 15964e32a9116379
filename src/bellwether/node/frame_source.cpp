// SPDX-License-Identifier: MIT
#include "bellwether/node/frame_source.hpp"

#include <arpa/inet.h>

namespace bellwether::node {

std::string FrameSource::text() const {
  if (port == 0) return "an unknown address";
  std::array<char, INET6_ADDRSTRLEN> buffer{};
  inet_ntop(ipv6 ? AF_INET6 : AF_INET, address.data(), buffer.data(), buffer.size());
  const std::string host = buffer.data();
  if (!interface.empty()) return host + " on " + interface;
  return (ipv6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

}  // namespace bellwether::node
