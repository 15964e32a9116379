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
/// waited for.
class ProcessGroup {
 public:
  ProcessGroup();

  /// Runs `command` with these variables in its environment and this signal mask. It is killed if
  /// this process dies before it. Throws Problem when it cannot be run.
  void start(const std::vector<std::string>& command, const Variables& variables,
             const sigset_t& mask);
  /// To be called after SIGCHLD.
  void reap();
  /// To all of the group; nobody else, even if they are gone.
  void signal(int number) const;

  /// Somebody of the group is left.
  bool alive() const { return group_ > 0; }
  /// Of the command itself, once it has ended: 128 + signal if a signal ended it, as in a shell.
  std::optional<int> status() const { return status_; }

 private:
  pid_t group_ = -1;
  std::optional<int> status_;
};

}  // namespace bellwether::operate
