// SPDX-License-Identifier: MIT
// How long a command may run on one proof that its node leads, and how long another node waits
// before it starts its own. All nodes of a group use the same lease. The times of one lease,
// counted from the moment at which the lock asked a question that its daemon answered "I lead":
//
//   1/6   the lock asks again (after 1 s if that is earlier)
//   1/2   without another proof, the lock sends SIGTERM to the command
//   5/6   the lock sends SIGKILL to it, whatever grace was asked for
//   11/12 the kernel kills the lock, and the group with it, in case the lock is frozen
//   1     a node that has led since that moment may start its command, after `settle` more
#pragma once

#include <algorithm>
#include <ctime>

#include "bellwether/client/client.hpp"

namespace bellwether::operate {

/// Time since the machine was started. It counts also while the machine is suspended.
std::chrono::nanoseconds boot_time();

struct LeaseTimes {
  client::Milliseconds length{};
  client::Milliseconds settle{};

  client::Milliseconds ask_every() const {
    return std::min<client::Milliseconds>(length / 6, std::chrono::seconds(1));
  }
  client::Milliseconds stop_after() const { return length / 2; }
  client::Milliseconds kill_after() const { return length * 5 / 6; }
  client::Milliseconds die_after() const { return length * 11 / 12; }
  /// How long a node must have led before it starts anything.
  client::Milliseconds start_after() const { return length + settle; }
};

/// The kernel kills this process at a given time, even if the process is stopped or starved or the
/// machine was suspended.
class DeadMansSwitch {
 public:
  DeadMansSwitch();
  ~DeadMansSwitch();
  DeadMansSwitch(const DeadMansSwitch&) = delete;
  DeadMansSwitch& operator=(const DeadMansSwitch&) = delete;

  /// Kill at this boot_time(); at once if it has passed.
  void set(std::chrono::nanoseconds at);
  void disarm();

 private:
  void arm(const itimerspec& when);
  timer_t timer_{};
};

}  // namespace bellwether::operate
