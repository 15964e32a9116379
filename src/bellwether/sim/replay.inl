// SPDX-License-Identifier: MIT
// What a schedule decides in Simulation<P>, in place of the channel, the notices and the draws.
// Included by simulation.hpp only.
#pragma once

namespace bellwether::sim {

/// Takes the place of post(): each copy of the message arrives when the schedule says.
template <core::Protocol P, bool observable>
void Simulation<P, observable>::post_as_scheduled(End e, Port port, const Message& message,
                                                  Ticket ticket) {
  const auto copies = replay_->flight(e);
  auto fate = observe::Fate::lost;
  Time arrives{};
  for (const auto& moment : copies) {
    if (!moment) {
      replay_->linger(e);
      if (watching()) transit_[e].push_back(message);
      continue;
    }
    const Time when = std::max(*moment, now());
    schedule_delivery(e, port, message, ticket, when);
    const bool first = fate == observe::Fate::lost;
    arrives = first ? when : std::min(arrives, when);
    fate = first ? observe::Fate::sent : observe::Fate::doubled;
  }
  if (copies.empty()) ++lost_;
  if (copies.size() > 1) ++doubled_;
  if (observed())
    sent_.push_back({ids_[links_.owner(Links::sister(e))], observe::View::of(message), fate,
                     arrives, links_.owner(Links::sister(e))});
}

template <core::Protocol P, bool observable>
void Simulation<P, observable>::tell_as_scheduled(End e, Kind kind) {
  if (const auto when = replay_->notice(e)) push(std::max(*when, now()), kind, e, 0);
}

/// Where a message comes in during a replay, whatever has become of the sender's end.
template <core::Protocol P, bool observable>
std::optional<Port> Simulation<P, observable>::way_in(End to) const {
  if (!alive(links_.owner(to))) return std::nullopt;
  if (links_.up(to)) return links_.port(to);
  if constexpr (requires { P::facts; })
    if (P::facts.model.hears_strangers) return core::stranger;
  return std::nullopt;
}

/// What the queue does not show: messages and alarms that never come, ends that do not know yet.
template <core::Protocol P, bool observable>
bool Simulation<P, observable>::replay_rests() const {
  if (replay_->lingering()) return false;
  if constexpr (timed)
    for (NodeIndex u = 0; u < nodes_.size(); ++u)
      if (alive(u) && !timers_[u].empty()) return false;
  for (End e = 0; e < links_.end_count(); ++e) {
    const bool there =
        wanted_[e / 2] && alive(links_.owner(e)) && alive(links_.owner(Links::sister(e)));
    if (links_.up(e) != there && (!links_.one_way() || e % 2 == 0)) return false;
  }
  return true;
}

}  // namespace bellwether::sim
