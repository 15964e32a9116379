// SPDX-License-Identifier: MIT
#include "golden/pretty.hpp"

#include "bellwether/algorithms/moving/height.hpp"
#include "bellwether/core/typed.hpp"

namespace bellwether::golden {
namespace {

using algorithms::Height;

std::string height_message(const Height::Message& message) {
  const auto& [height, stamp, hello] = std::get<Height::Update>(message);
  std::string out = "update " + to_text(height);
  if (stamp != 0) out += " at " + std::to_string(stamp);
  if (hello) out += " hello";
  return out;
}

std::string height_state(const Height& node, Time now, const Around& around, bool closely) {
  std::string out = to_text(node.height());
  if (node.options().clock != Height::ClockKind::perfect || closely)
    out += " at " + std::to_string(node.time_at(now));
  if (!closely) return out;
  for (const auto& [port, peer] : around) {
    const algorithms::HeightTuple* view = node.view(port);
    out += "\n  " + text(peer) + (view ? " is " + to_text(*view) : std::string(" is forming"));
  }
  return out;
}

}  // namespace

std::string message_text(const core::Nodes& nodes, const AnyMessage& message) {
  if (nodes.name() == Height::name) return height_message(message.as<Height::Message>());
  std::string out;
  message.print_into(out);
  return out;
}

std::string state_text(const core::Nodes& nodes, NodeIndex u, Time now, const Around& around,
                       bool closely) {
  if (nodes.name() == Height::name)
    return height_state(static_cast<const core::Typed<Height>&>(nodes).node(u), now, around,
                        closely);
  return nodes.text(u);
}

}  // namespace bellwether::golden
