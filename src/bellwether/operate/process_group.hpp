// SPDX-License-Identifier: MIT
// A command in a process group of its own, which is stopped as a whole.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace bellwether::operate {

using Variables = std::vector<std::pair<std::string, std::string>>;

/// Whether a program of that name can be run: a path, or a name in $PATH.
bool program_exists(const std::string& name);

/// One at a time. Orphans of the group become children of this process, so that all of them can be
/// waited for. If this process dies first, however that happens, a guard kills the group: a process
/// that does nothing but wait for that.
class ProcessGroup {
 public:
  ProcessGroup();
  ~ProcessGroup() {
    if (!alive()) dismiss_guard();  // else it has work to do
  }
  ProcessGroup(const ProcessGroup&) = delete;
  ProcessGroup& operator=(const ProcessGroup&) = delete;

  /// Runs `command` with these variables in its environment and this signal mask. Throws Problem
  /// when it cannot be run.
  void start(const std::vector<std::string>& command, const Variables& variables,
             const sigset_t& mask);
  /// To be called after SIGCHLD.
  void reap();
  /// To all of the group, and to no other process, even if they are gone.
  void signal(int number) const;

  /// A process of the group is left.
  bool alive() const { return group_ > 0; }
  /// Of the command itself, once it has ended: 128 + signal if a signal ended it, as in a shell.
  std::optional<int> status() const { return status_; }

 private:
  void post_guard();
  void dismiss_guard();

  pid_t group_ = -1;
  int guard_ = -1;  // closed without a word, it means: kill the group
  std::optional<int> status_;
};

}  // namespace bellwether::operate
