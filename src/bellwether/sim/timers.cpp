// SPDX-License-Identifier: MIT
#include "bellwether/sim/timers.hpp"

#include <algorithm>

namespace bellwether::sim {

std::vector<Timers::Armed>::iterator Timers::find(NodeIndex u, const core::TimerName& timer) {
  return std::find_if(armed_[u].begin(), armed_[u].end(),
                      [&](const Armed& a) { return a.timer == timer; });
}

void Timers::disarm(NodeIndex u, const core::TimerName& timer) {
  const auto found = find(u, timer);
  if (found == armed_[u].end()) return;
  if (found->in_queue()) ++stale_;
  armed_[u].erase(found);
}

void Timers::arm(NodeIndex u, const core::TimerName& timer, Time due) {
  const auto found = find(u, timer);
  if (found != armed_[u].end()) {
    if (found->in_queue() && due >= found->queued) {
      found->due = due;
      return;
    }
    if (found->in_queue()) ++stale_;
    armed_[u].erase(found);
  }
  const std::uint32_t serial = serials_[u]++ & low_bits;
  armed_[u].push_back({timer, serial, due, due});
  if (armed_[u].back().in_queue()) agenda_.push(due, EventKind::timer, u, serial);
}

std::optional<core::TimerName> Timers::expire(NodeIndex u, std::uint32_t serial, bool alive) {
  auto& armed = armed_[u];
  const auto found =
      std::find_if(armed.begin(), armed.end(), [&](const Armed& a) { return a.serial == serial; });
  if (found == armed.end()) {
    --stale_;
    return std::nullopt;
  }
  if (found->due > agenda_.now()) {
    found->queued = found->due;
    if (found->in_queue()) agenda_.push(found->due, EventKind::timer, u, serial);
    return std::nullopt;
  }
  if (!alive) {  // a node that comes back with its memory finds it overdue
    found->serial = overdue;
    return std::nullopt;
  }
  const core::TimerName timer = found->timer;
  armed.erase(found);
  return timer;
}

void Timers::wake(NodeIndex u) {
  for (Armed& a : armed_[u])
    if (a.serial == overdue) {
      a.serial = serials_[u]++ & low_bits;
      agenda_.push(agenda_.now(), EventKind::timer, u, a.serial);
    }
}

void Timers::forget(NodeIndex u) {
  for (const Armed& a : armed_[u])
    if (a.in_queue()) ++stale_;
  armed_[u].clear();
}

}  // namespace bellwether::sim
