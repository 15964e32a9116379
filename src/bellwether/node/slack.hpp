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
  /// Lateness below `tolerance` is normal. However late, the slack is at most `most`.
  Slack(core::Duration tolerance, core::Duration most) : tolerance_(tolerance), most_(most) {}

  /// A timer that was due then rings now.
  void rang(core::Time now, core::Time due) {
    const core::Duration late = now - due;
    turn(now);
    worst_[0] = std::max(worst_[0], late);
  }
  /// Twice the worst lateness of the last while.
  core::Duration now(core::Time time) {
    turn(time);
    const core::Duration worst = *std::max_element(worst_.begin(), worst_.end());
    return worst < tolerance_ ? core::Duration{0} : std::min(2 * worst, most_);
  }

 private:
  static constexpr core::Duration slot = std::chrono::seconds(2);

  /// The worst of each of the last slots; the oldest falls away.
  void turn(core::Time time) {
    if (!begun_) {
      begun_ = true;
      until_ = time + slot;
    }
    for (std::size_t i = 0; time >= until_ && i < worst_.size(); ++i) {
      std::rotate(worst_.begin(), worst_.end() - 1, worst_.end());
      worst_[0] = core::Duration{0};
      until_ += slot;
    }
    if (time >= until_) until_ = time + slot;
  }

  core::Duration tolerance_;
  core::Duration most_;
  bool begun_ = false;
  core::Time until_{};
  std::array<core::Duration, 8> worst_{};
};

}  // namespace bellwether::node
