// SPDX-License-Identifier: MIT
#include "bellwether/check/state_view.hpp"

namespace bellwether::check {

core::Time StateView::clock(NodeIndex i) const {
  return machine_.clock_of(machine_.locals_[slots_[i]].state, machine_.now(slots_));
}

bool StateView::up(NodeIndex u, std::uint8_t port) const {
  const LocalFacts& local = machine_.facts(slots_[u]);
  return local.alive && (local.ports >> port & 1) != 0;
}

std::vector<core::ChannelState> StateView::channels(NodeIndex i) const {
  const Plan& plan = machine_.plan_;
  std::vector<core::ChannelState> out;
  if (!alive(i)) return out;
  for (std::uint8_t p = 0; p < plan.sockets[i].size(); ++p) {
    const PortWiring& socket = plan.sockets[i][p];
    if (socket.out == none || !up(i, p)) continue;
    const Channel& channel = plan.channels[socket.out];
    const auto far = up(channel.to, channel.in) ? std::optional(Port{channel.in}) : std::nullopt;
    out.push_back({channel.to, Port{p}, far, {}});
    for (const MessageId m : (*machine_.contents_)[slots_[plan.channel_slot(socket.out)]])
      out.back().transit.push_back(machine_.messages_[m]);
  }
  return out;
}

}  // namespace bellwether::check
