// SPDX-License-Identifier: MIT
#include "bellwether/terminal/crash.hpp"

#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "bellwether/core/plugin.hpp"

namespace bellwether::terminal {
namespace {

struct Suspect {
  std::string_view election;
  std::string_view file;
};
std::array<Suspect, 16> suspects;
std::size_t suspect_count = 0;
alignas(16) std::array<char, 64 * 1024> crash_stack;  // where a recursion has used up the other one

std::string_view words_of(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "segmentation fault (SIGSEGV), such as a null pointer or an endless recursion";
    case SIGBUS:
      return "bus error (SIGBUS)";
    case SIGFPE:
      return "arithmetic error (SIGFPE), such as a division by zero";
    case SIGILL:
      return "illegal instruction (SIGILL), such as the end of a function without its return";
    default:
      return "it was aborted (SIGABRT), by an assertion or an uncaught exception";
  }
}

/// A sentence made of parts in a place of fixed size: a crash may come in the middle of malloc.
class Sentence {
 public:
  Sentence& operator<<(std::string_view part) {
    const std::size_t n = std::min(part.size(), text_.size() - size_);
    std::memcpy(text_.data() + size_, part.data(), n);
    size_ += n;
    return *this;
  }
  void print() const {
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text_.data(), size_);
  }

 private:
  std::array<char, 2048> text_{};
  std::size_t size_ = 0;
};

void report_crash(int signal) {
  const core::RunningHandler running = core::running_handler;
  Suspect suspect = suspects[suspect_count - 1];
  for (std::size_t i = 0; i < suspect_count; ++i)
    if (running.handler && suspects[i].election == running.election) suspect = suspects[i];
  Sentence sentence;
  sentence << "bellwether: " << suspect.file << ": ";
  if (running.handler)
    sentence << suspect.election << " crashed in its handler " << running.handler;
  else
    sentence << "the program crashed outside of the handlers of " << suspect.election;
  (sentence << ": " << words_of(signal) << "\n").print();
  _exit(1);
}

}  // namespace

void report_crashes_of(std::string_view election, std::string_view file) {
  if (suspect_count == suspects.size()) return;
  suspects[suspect_count++] = {election, file};
  stack_t stack{};
  stack.ss_sp = crash_stack.data();
  stack.ss_size = crash_stack.size();
  sigaltstack(&stack, nullptr);
  std::set_terminate([] { std::abort(); });  // the sentence below is enough
  struct sigaction action {};
  action.sa_handler = report_crash;
  action.sa_flags = SA_ONSTACK | static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    sigaction(signal, &action, nullptr);
}

}  // namespace bellwether::terminal
