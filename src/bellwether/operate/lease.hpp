// SPDX-License-Identifier: MIT
// How long a command may run on one proof that its node leads, and how long another node waits
// before it starts its own. All nodes of a group use the same lease. The times of one lease, from
// the moment at which a question was asked that was answered "I lead":
//
//   1/6   the next question, or a second later
//   1/2   without another proof, the command is asked to stop
//   5/6   it is killed, whatever grace it was to have
//   11/12 the kernel kills this process, and the group with it: for when this process is stopped
//   1     whoever leads since that moment may start; it also waits until all have heard of it
#pragma once

#include <algorithm>
#include <ctime>

#include "bellwether/client/client.hpp"

namespace bellwether::operate {

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

/// The kernel kills this process when the time is over, be it stopped, starved or asleep with the
/// machine.
class DeadMansSwitch {
 public:
  DeadMansSwitch();
  ~DeadMansSwitch();
  DeadMansSwitch(const DeadMansSwitch&) = delete;
  DeadMansSwitch& operator=(const DeadMansSwitch&) = delete;

  void set(std::chrono::nanoseconds left);
  void disarm();

 private:
  void arm(const itimerspec& when);
  timer_t timer_{};
};

}  // namespace bellwether::operate
