// SPDX-License-Identifier: MIT
#pragma once

#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>

#include "bellwether/core/problem.hpp"

namespace bellwether::operate {

/// Signals that come through a descriptor while this lives.
class SignalQueue {
 public:
  SignalQueue() {
    sigset_t ours;
    sigemptyset(&ours);
    // SIGTSTP is ignored: a lock that sleeps guards nothing.
    for (const int each : {SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGTSTP}) sigaddset(&ours, each);
    sigprocmask(SIG_BLOCK, &ours, &before_);
    descriptor_ = ::signalfd(-1, &ours, SFD_NONBLOCK | SFD_CLOEXEC);
    if (descriptor_ < 0)
      throw core::Problem("lock", {}, "too many files are open to wait for signals");
  }
  ~SignalQueue() {
    ::close(descriptor_);
    sigprocmask(SIG_SETMASK, &before_, nullptr);
  }
  SignalQueue(const SignalQueue&) = delete;
  SignalQueue& operator=(const SignalQueue&) = delete;

  int descriptor() const { return descriptor_; }
  const sigset_t& before() const { return before_; }
  /// The next one that has come; 0 if none has.
  int next() const {
    signalfd_siginfo info{};
    return ::read(descriptor_, &info, sizeof info) == sizeof info ? static_cast<int>(info.ssi_signo)
                                                                  : 0;
  }

 private:
  sigset_t before_{};
  int descriptor_ = -1;
};

}  // namespace bellwether::operate
