// SPDX-License-Identifier: MIT
// One node in a state of the search, but for what its protocol holds: what its driver knows of it.
#pragma once

#include <optional>
#include <vector>

#include "bellwether/check/plan.hpp"
#include "bellwether/core/host.hpp"

namespace bellwether::check {

struct AlarmFacts {
  Duration min;
  Duration max;
  Duration left;        // late ones
  bool late;            // longer than anything under way
  std::uint64_t timer;  // a digest of its name
};

/// What the search asks of a state of a node again and again.
struct LocalFacts {
  bool alive = false;
  bool started = false;
  Number ports = 0;  // those that are up, as bits
  std::optional<NodeId> leader;
  std::vector<AlarmFacts> alarms;     // in the order of arming
  std::vector<std::uint64_t> stamps;  // readings of clocks, each after its group
  std::vector<std::uint64_t> bounds;  // numbers that readings are compared with, in the same way
};

struct LocalState {
  struct ArmedTimer {
    core::TimerName timer;
    Duration min{};
    Duration max{};
    Duration left{};  // late ones
    bool late = false;
    friend bool operator==(const ArmedTimer&, const ArmedTimer&) = default;
  };

  NodeIndex index = 0;
  bool alive = true;
  bool started = false;
  Number ports = 0;  // up, as bits
  Number lives = 1;  // what a clock that is read at the start would say, in seconds
  std::vector<ArmedTimer> alarms;
  friend bool operator==(const LocalState&, const LocalState&) = default;

  /// Of the whole: `node` is the digest of what the protocol holds.
  std::uint64_t digest(std::uint64_t node) const;
  /// An alarm that is armed anew is the last in the order.
  void set(const core::Effects::Alarm& alarm, Duration delay, bool longest);
  LocalFacts facts(std::optional<NodeId> leader) const;
};

}  // namespace bellwether::check
