// SPDX-License-Identifier: MIT
#include "bellwether/operate/lease.hpp"

#include <algorithm>
#include <csignal>

#include "bellwether/core/problem.hpp"

namespace bellwether::operate {

std::chrono::nanoseconds boot_time() {
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

DeadMansSwitch::DeadMansSwitch() {
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGKILL;
  if (::timer_create(CLOCK_BOOTTIME, &event, &timer_) != 0)
    throw core::Problem(
        "lock", {},
        "the kernel has no timer left; end other programs that use timers, or raise ulimit -i");
}

DeadMansSwitch::~DeadMansSwitch() {
  ::timer_delete(timer_);
}

void DeadMansSwitch::set(std::chrono::nanoseconds at) {
  const auto time = std::max(at, std::chrono::nanoseconds(1));  // 0 would disarm it
  itimerspec when{};
  when.it_value.tv_sec = time.count() / 1'000'000'000;
  when.it_value.tv_nsec = time.count() % 1'000'000'000;
  arm(when);
}

void DeadMansSwitch::disarm() {
  arm({});
}

void DeadMansSwitch::arm(const itimerspec& when) {
  if (::timer_settime(timer_, TIMER_ABSTIME, &when, nullptr) != 0)
    throw core::Problem("lock", {}, "the kernel does not set its timer; try again");
}

}  // namespace bellwether::operate
