// SPDX-License-Identifier: MIT
#include "bellwether/operate/lease.hpp"

#include <algorithm>
#include <csignal>

#include "bellwether/core/problem.hpp"

namespace bellwether::operate {

DeadMansSwitch::DeadMansSwitch() {
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGKILL;
  // Counts also while the machine sleeps.
  if (::timer_create(CLOCK_BOOTTIME, &event, &timer_) != 0)
    throw core::Problem("lock", {}, "the kernel gives no timer; are too many in use?");
}

DeadMansSwitch::~DeadMansSwitch() {
  ::timer_delete(timer_);
}

void DeadMansSwitch::set(std::chrono::nanoseconds left) {
  const auto time = std::max(left, std::chrono::nanoseconds(1));  // 0 would disarm it
  itimerspec when{};
  when.it_value.tv_sec = time.count() / 1'000'000'000;
  when.it_value.tv_nsec = time.count() % 1'000'000'000;
  arm(when);
}

void DeadMansSwitch::disarm() {
  arm({});
}

void DeadMansSwitch::arm(const itimerspec& when) {
  if (::timer_settime(timer_, 0, &when, nullptr) != 0)
    throw core::Problem("lock", {}, "the kernel does not set its timer");
}

}  // namespace bellwether::operate
