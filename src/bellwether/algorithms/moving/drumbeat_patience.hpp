// SPDX-License-Identifier: MIT
// How long a node waits for the next beat of its leader. Beats that arrive late make it wait
// longer; beats in time make it impatient again, much more slowly. No clock is read: a beat
// is late if it arrives after this node has called for it.
#pragma once

#include <algorithm>

#include "bellwether/core/fields.hpp"
#include "bellwether/core/time.hpp"

namespace bellwether::algorithms {

struct PatienceTimes {
  core::Duration period{};
  core::Duration slack{};
  core::Duration jitter{};
  core::Duration longest{};
};

class BeatPatience {
 public:
  /// The next beat is late, and is called for, after this time.
  core::Duration call(const PatienceTimes& t) const {
    return t.period + t.slack / 2 + t.jitter / 2 * steps_;
  }
  /// The leader is lost after this time. With each hop the times between beats vary more: on a
  /// line, by the square root of the number of hops.
  core::Duration silence(const PatienceTimes& t, std::uint32_t hops) const {
    return std::max(call(t) + t.slack / 2, std::min(t.longest, without_hops(t))) +
           2 * t.jitter * (root(hops) - 1);
  }

  void on_late_beat(const PatienceTimes& t) { grow(t, 1); }
  /// The leader that this node had given up is there; `gap` beats have passed.
  void on_return(const PatienceTimes& t, std::uint64_t gap) {
    grow(t, 4);
    const auto beats = static_cast<std::int64_t>(std::min<std::uint64_t>(gap, 100));
    while (without_hops(t) < std::min<core::Duration>(t.longest, t.period * beats)) ++steps_;
  }
  void shrink() { steps_ -= std::min(steps_, 1U); }
  bool is_least() const { return steps_ == 0; }

  friend bool operator==(const BeatPatience&, const BeatPatience&) = default;

 private:
  core::Duration without_hops(const PatienceTimes& t) const {
    return t.period + t.slack + t.jitter * 3 / 2 * steps_;
  }
  void grow(const PatienceTimes& t, std::uint32_t steps) {
    while (steps-- > 0 && without_hops(t) < t.longest) ++steps_;
  }
  /// Rounded up, at least 1.
  static std::uint32_t root(std::uint32_t hops) {
    constexpr std::uint32_t most = 100;
    std::uint32_t out = 1;
    while (out < most && out * out < hops) ++out;
    return out;
  }

  std::uint32_t steps_ = 0;

 public:
  static constexpr auto fields = std::tuple{core::field("steps", &BeatPatience::steps_)};
};

}  // namespace bellwether::algorithms
