// SPDX-License-Identifier: MIT
// The line that shows how far a run has come, and what Ctrl-C does.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "bellwether/sim/run_spec.hpp"

namespace bellwether::cli {

/// While it lives, the first Ctrl-C (or SIGTERM) asks the run to stop; the second ends the program,
/// and so does the first while no run asks for it yet.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  static bool interrupted();
};

/// Writes to standard error: one line that changes on a terminal, a new line now and then
/// elsewhere.
class ProgressLine {
 public:
  enum class When { on_a_terminal, always, never };
  ProgressLine(When when, core::Time until);
  /// True: go on.
  bool operator()(const sim::Progress& progress);
  /// The same for any work: `line` is asked, with the seconds spent, when it is time to show it.
  bool show(const std::function<std::string(double spent)>& line);
  /// Wipes the line.
  void finish();

 private:
  bool terminal_;
  bool shown_;
  core::Time until_;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point next_;
  std::size_t width_ = 0;
};

}  // namespace bellwether::cli
