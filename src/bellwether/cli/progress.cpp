// SPDX-License-Identifier: MIT
#include "bellwether/cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>

#include "bellwether/cli/load.hpp"
#include "bellwether/report/tables/units.hpp"

namespace bellwether::cli {
namespace {

std::atomic<bool> stop_requested{false};
std::atomic<bool> asked{false};  // a run asks now and then whether it is to stop
static_assert(std::atomic<bool>::is_always_lock_free);  // safe in a signal handler

/// While a network is being built nothing asks, and there is nothing to report yet.
void on_signal(int) {
  stop_requested = true;
  if (asked) return;
  OutputFile::remove_unfinished();
  _exit(130);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

InterruptGuard::~InterruptGuard() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool InterruptGuard::interrupted() {
  asked = true;
  return stop_requested;
}

ProgressLine::ProgressLine(When when, core::Time until)
    : terminal_(isatty(STDERR_FILENO) == 1),
      shown_(when == When::always || (when == When::on_a_terminal && terminal_)),
      until_(until),
      next_(begun_ + std::chrono::milliseconds(when == When::always ? 0 : 200)) {}

bool ProgressLine::operator()(const sim::Progress& progress) {
  return show([&](double spent) {
    return fmt::format(
        "  {:.3f} s of at most {:g} s simulated, {} events, {} messages, {:.1f} s elapsed",
        core::seconds(progress.at), core::seconds(until_), report::grouped(progress.events),
        report::grouped(progress.messages), spent);
  });
}

bool ProgressLine::show(const std::function<std::string(double spent)>& text) {
  if (InterruptGuard::interrupted()) return false;
  const auto now = std::chrono::steady_clock::now();
  if (!shown_ || now < next_) return true;
  next_ = now + std::chrono::milliseconds(terminal_ ? 100 : 500);
  const double spent = std::chrono::duration<double>(now - begun_).count();
  const std::string line = text(spent);
  if (terminal_)
    fmt::print(stderr, "\r{:<{}}", line, width_);
  else
    fmt::print(stderr, "{}\n", line);
  std::fflush(stderr);
  width_ = std::max(width_, line.size());
  return true;
}

void ProgressLine::finish() {
  if (terminal_ && width_ > 0) fmt::print(stderr, "\r{:<{}}\r", "", width_);
}

}  // namespace bellwether::cli
