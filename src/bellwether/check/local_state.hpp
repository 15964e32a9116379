// SPDX-License-Identifier: MIT
// One node in a state of the search: the protocol's own value and what its driver knows of it.
#pragma once

#include "bellwether/check/machine.hpp"
#include "bellwether/core/digest.hpp"

namespace bellwether::check {

template <core::Protocol P>
struct LocalState {
  using Timer = typename P::Timer;
  struct Alarm {
    Timer timer{};
    Duration min{};
    Duration max{};
    Duration left{};  // late ones
    bool late = false;
    friend bool operator==(const Alarm&, const Alarm&) = default;
  };

  P node;
  NodeIndex index = 0;
  bool alive = true;
  bool started = false;
  Number ports = 0;  // up, as bits
  Number lives = 1;  // what a clock that is read at the start would say, in seconds
  std::vector<Alarm> alarms;
  friend bool operator==(const LocalState&, const LocalState&) = default;

  std::uint64_t digest() const {
    std::uint64_t state = core::digest(node);
    state = core::mix(state, std::uint64_t{index} << 40 | std::uint64_t{lives} << 8 |
                                 (alive ? 2u : 0u) | (started ? 1u : 0u));
    state = core::mix(state, ports);
    for (const Alarm& alarm : alarms)
      state =
          core::mix(state, core::digest(alarm.timer) +
                               static_cast<std::uint64_t>(alarm.left.count() + alarm.min.count()));
    return state;
  }

  /// An alarm that is armed anew is the last in the order.
  void set(const typename core::StepOf<P>::Alarm& alarm, Duration delay, bool longest) {
    std::erase_if(alarms, [&](const Alarm& each) { return each.timer == alarm.timer; });
    if (!alarm.armed) return;
    const bool late = alarm.min > delay;
    const Duration left = !late ? Duration{0} : longest ? alarm.max : alarm.min;
    alarms.push_back(
        {alarm.timer, late ? Duration{0} : alarm.min, late ? Duration{0} : alarm.max, left, late});
  }

  LocalFacts facts() const {
    LocalFacts out;
    out.alive = alive;
    out.started = started;
    out.ports = ports;
    if (alive) out.leader = node.leader();
    for (const Alarm& a : alarms)
      out.alarms.push_back({a.min, a.max, a.left, a.late, core::digest(a.timer)});
    return out;
  }
};

}  // namespace bellwether::check
