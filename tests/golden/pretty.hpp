// SPDX-License-Identifier: MIT
// Messages and states as people write them. An algorithm whose generic text is hard to read gets
// overloads here.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "bellwether/algorithms/height.hpp"
#include "bellwether/core/print.hpp"
#include "golden/stage.hpp"

namespace bellwether::golden {

/// The ports of a node that are up, each with the peer behind it.
using Around = std::vector<std::pair<Port, NodeId>>;

template <class Message>
std::string message_text(const Message& message) {
  return core::text_of(message);
}

inline std::string message_text(const algorithms::Height::Message& message) {
  const auto& [height, stamp, hello] = std::get<algorithms::Height::Update>(message);
  std::string out = "update " + to_text(height);
  if (stamp != 0) out += " at " + std::to_string(stamp);
  if (hello) out += " hello";
  return out;
}

template <class P>
std::string state_text(const P& node, Time, const Around&, bool /*closely*/) {
  if constexpr (core::Described<P>)
    return core::text_of(node);
  else
    return {};
}

inline std::string state_text(const algorithms::Height& node, Time now, const Around& around,
                              bool closely) {
  std::string out = to_text(node.height());
  if (node.options().clock != algorithms::Height::Clock::perfect || closely)
    out += " at " + std::to_string(node.time_at(now));
  if (!closely) return out;
  for (const auto& [port, peer] : around) {
    const algorithms::HeightTuple* view = node.view(port);
    out += "\n  " + text(peer) + (view ? " is " + to_text(*view) : std::string(" is forming"));
  }
  return out;
}

}  // namespace bellwether::golden
