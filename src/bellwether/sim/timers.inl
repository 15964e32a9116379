// SPDX-License-Identifier: MIT
// Timers of Simulation<P>: armed, moved, disarmed, expired. Included by simulation.hpp only.
#pragma once

namespace bellwether::sim {

/// When an alarm expires; end_of_time: never.
template <core::Protocol P, bool observable>
Time Simulation<P, observable>::due_of(NodeIndex u, const Alarm& alarm) {
  if (replay_) return std::max(replay_->alarm(u).value_or(core::end_of_time), now());
  // The draw is a node's own: one more timer at one node does not shift another's.
  const auto spread = static_cast<std::uint64_t>((alarm.max - alarm.min).count()) + 1;
  const Duration wait =
      alarm.max <= alarm.min
          ? alarm.min
          : alarm.min + Duration{static_cast<std::int64_t>(choose_for(this, spread))};
  return now() + std::max(wait, Duration{0});
}

template <core::Protocol P, bool observable>
void Simulation<P, observable>::arm(NodeIndex u, const Alarm& alarm) {
  if constexpr (timed) {
    auto& armed = timers_[u];
    const auto found = std::find_if(armed.begin(), armed.end(),
                                    [&](const Armed& a) { return a.timer == alarm.timer; });
    const bool waits = found != armed.end() && found->in_queue();
    if (!alarm.armed) {
      if (waits) ++stale_timers_;
      if (found != armed.end()) armed.erase(found);
      return;
    }
    const Time due = due_of(u, alarm);
    if (waits && due >= found->queued) {
      found->due = due;
      return;
    }
    if (waits) ++stale_timers_;
    if (found != armed.end()) armed.erase(found);
    const std::uint32_t serial = serials_[u]++ & low_bits;
    armed.push_back({alarm.timer, serial, due, due});
    if (armed.back().in_queue()) push(due, Kind::timer, u, serial);
  }
}

template <core::Protocol P, bool observable>
void Simulation<P, observable>::fire(NodeIndex u, std::uint32_t serial) {
  if constexpr (timed) {
    auto& armed = timers_[u];
    const auto found = std::find_if(armed.begin(), armed.end(),
                                    [&](const Armed& a) { return a.serial == serial; });
    if (found == armed.end()) {
      --stale_timers_;
      return;
    }
    if (found->due > now()) {
      found->queued = found->due;
      if (found->in_queue()) push(found->due, Kind::timer, u, serial);
      return;
    }
    if (!alive(u)) {  // a node that comes back with its memory finds it overdue
      found->serial = overdue;
      return;
    }
    const Timer timer = found->timer;
    armed.erase(found);
    fingerprint_.fold(queue_.now(), (std::uint64_t{u} << 32) + core::digest(timer));
    step(u, core::Cause::timeout, {}, nullptr, &timer, [&](P& p, auto& s) { p.timeout(s, timer); });
  }
}

}  // namespace bellwether::sim
