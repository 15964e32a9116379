// SPDX-License-Identifier: MIT
#include "bellwether/check/local_state.hpp"

namespace bellwether::check {
namespace {

std::uint64_t digest_of(const core::TimerName& timer) {
  core::DigestSink sink;
  timer.walk_into(sink);
  return sink.state;
}

}  // namespace

std::uint64_t LocalState::digest(std::uint64_t node) const {
  std::uint64_t state = core::mix(node, std::uint64_t{index} << 40 | std::uint64_t{lives} << 8 |
                                            (alive ? 2u : 0u) | (started ? 1u : 0u));
  state = core::mix(state, ports);
  for (const ArmedTimer& alarm : alarms)
    state = core::mix(state, digest_of(alarm.timer) + static_cast<std::uint64_t>(
                                                          alarm.left.count() + alarm.min.count()));
  return state;
}

void LocalState::set(const core::Effects::Alarm& alarm, Duration delay, bool longest) {
  std::erase_if(alarms, [&](const ArmedTimer& each) { return each.timer == alarm.timer; });
  if (!alarm.armed) return;
  const bool late = alarm.min > delay;
  const Duration left = !late ? Duration{0} : longest ? alarm.max : alarm.min;
  alarms.push_back(
      {alarm.timer, late ? Duration{0} : alarm.min, late ? Duration{0} : alarm.max, left, late});
}

LocalFacts LocalState::facts(std::optional<NodeId> leader) const {
  LocalFacts out;
  out.alive = alive;
  out.started = started;
  out.ports = ports;
  if (alive) out.leader = leader;
  for (const ArmedTimer& a : alarms)
    out.alarms.push_back({a.min, a.max, a.left, a.late, digest_of(a.timer)});
  return out;
}

}  // namespace bellwether::check
