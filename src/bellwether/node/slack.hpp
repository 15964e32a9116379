// SPDX-License-Identifier: MIT
// A node that is late itself (a busy machine, a process that was stopped) must not blame others for
// their silence: it may be its own. It measures how late its own timers ring and gives all others
// that much more time, for a while; and it tells them, for they may miss its probes, too.
#pragma once

#include <algorithm>
#include <array>

#include "bellwether/core/time.hpp"

namespace bellwether::node {

class Slack {
 public:
  /// Lateness below `tolerance` is normal. From `freeze` on the others have lost this node already:
  /// once is an accident that needs no slack afterwards, and more often counts as `freeze`.
  Slack(core::Duration tolerance, core::Duration freeze) : tolerance_(tolerance), freeze_(freeze) {}

  /// A timer that was due then rings now.
  void rang(core::Time now, core::Time due) {
    turn(now);
    add(slots_[0], now - due);
  }
  /// Twice the worst lateness of the last while.
  core::Duration now(core::Time time) {
    turn(time);
    Worst all;
    for (const Worst& slot : slots_) {
      add(all, slot.first);
      add(all, slot.second);
    }
    const core::Duration late = std::min(all.first < freeze_ ? all.first : all.second, freeze_);
    return late < tolerance_ ? core::Duration{0} : 2 * late;
  }

 private:
  static constexpr core::Duration slot_length = std::chrono::seconds(2);
  struct Worst {
    core::Duration first{}, second{};
  };
  static void add(Worst& worst, core::Duration late) {
    if (late > worst.first)
      worst = {late, worst.first};
    else if (late > worst.second)
      worst.second = late;
  }

  /// The oldest slots fall away.
  void turn(core::Time time) {
    if (!begun_) {
      begun_ = true;
      until_ = time + slot_length;
    }
    for (std::size_t i = 0; time >= until_ && i < slots_.size(); ++i) {
      std::rotate(slots_.begin(), slots_.end() - 1, slots_.end());
      slots_[0] = {};
      until_ += slot_length;
    }
    if (time >= until_) until_ = time + slot_length;
  }

  core::Duration tolerance_;
  core::Duration freeze_;
  bool begun_ = false;
  core::Time until_{};
  std::array<Worst, 5> slots_{};
};

}  // namespace bellwether::node
