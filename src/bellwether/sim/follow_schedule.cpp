// SPDX-License-Identifier: MIT
// What a schedule decides in a run, in place of the channel, the notices and the draws.
#include "bellwether/sim/simulation.hpp"

namespace bellwether::sim {

/// Takes the place of post(): each copy of the message arrives when the schedule says.
void Simulation::post_as_scheduled(End e, Port port, const void* message, Ticket ticket) {
  const auto copies = replay_->flight(e);
  auto fate = observe::Fate::lost;
  Time arrives{};
  for (const auto& moment : copies) {
    if (!moment) {
      replay_->linger(e);
      if (audience_.watching()) mail_.leaves(e, message);
      continue;
    }
    const Time when = std::max(*moment, now());
    schedule_delivery(e, port, message, ticket, when);
    const bool first = fate == observe::Fate::lost;
    arrives = first ? when : std::min(arrives, when);
    fate = first ? observe::Fate::sent : observe::Fate::duplicated;
  }
  if (copies.empty()) ++counts_.lost;
  if (copies.size() > 1) ++counts_.duplicated;
  if (audience_.observed()) record_send(e, message, fate, arrives);
}

void Simulation::tell_as_scheduled(End e, EventKind kind) {
  if (const auto when = replay_->notice(e)) agenda_.push(std::max(*when, now()), kind, e, 0);
}

/// Where a message comes in during a replay, whatever has become of the sender's end.
std::optional<Port> Simulation::way_in(End to) const {
  if (!alive(wiring_.links.owner(to))) return std::nullopt;
  if (wiring_.links.up(to)) return wiring_.links.port(to);
  if (nodes().facts().model.hears_strangers) return core::stranger;
  return std::nullopt;
}

/// What the queue does not show: messages and alarms that never come, ends that do not know yet.
bool Simulation::replay_rests() const {
  if (replay_->lingering()) return false;
  if (can().timers)
    for (NodeIndex u = 0; u < size(); ++u)
      if (alive(u) && !timers_.of(u).empty()) return false;
  const Links& links = wiring_.links;
  for (End e = 0; e < links.end_count(); ++e) {
    const bool there = wiring_.wanted(e / 2) && alive(links.owner(e)) && alive(wiring_.far(e));
    if (links.up(e) != there && (!links.one_way() || e % 2 == 0)) return false;
  }
  return true;
}

}  // namespace bellwether::sim
