// SPDX-License-Identifier: MIT
// Programs in network namespaces. None outlives the test program, however that ends.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "node/namespace.hpp"

namespace bellwether::bed {

struct SpawnOptions {
  std::string input = {};                               // what it reads as standard input
  std::string folder = {};                              // where it works; empty: where we do
  std::map<std::string, std::string> environment = {};  // besides ours
  std::string log_file = {};  // standard error goes to the end of this file; empty: kept in memory
  bool split = false;         // standard output is kept apart from the log
  bool own_sys = true;        // /sys shows the interfaces of the namespace, as `ip netns exec` does
};

/// A running program, leader of a process group of its own. The group is killed with its owner.
class Process {
 public:
  using Options = SpawnOptions;
  /// Throws a sentence if the program cannot be started. The name is looked up in PATH.
  Process(const Namespace& where, const std::vector<std::string>& words,
          const Options& options = {});
  Process(Process&& other) noexcept;
  Process& operator=(Process&& other) noexcept;
  ~Process();

  pid_t pid() const { return pid_; }
  /// To the program alone; nothing happens if it has ended.
  void kill(int signal);
  /// To it and to all that it started.
  void kill_group(int signal);
  /// The whole group freezes, and goes on.
  void stop();
  void cont();
  /// The status once it has ended, 128 + signal if a signal ended it; nothing if it has not by
  /// then.
  std::optional<int> wait(std::chrono::milliseconds timeout);
  bool exited() { return wait(std::chrono::milliseconds(0)).has_value(); }

  /// Resident memory; 0 once it has ended.
  long rss_kib() const;
  /// In user space and in the kernel, also after its end.
  std::chrono::microseconds cpu_time() const;
  /// What it wrote so far: standard error, and standard output unless they are split.
  std::string log() const;
  std::string out() const;
  std::vector<std::string> lines() const;

 private:
  void reap(bool block);
  void end() noexcept;

  pid_t pid_ = -1;
  Descriptor watch_, log_, out_;
  std::optional<int> status_;
  std::chrono::microseconds used_{0};
  bool has_heirs_ = false;  // it has ended, others of its group have not
};

struct Outcome {
  int status = -1;
  std::string out;
  std::string err;
};

/// Runs a program to its end; throws if that takes longer.
Outcome run(const Namespace& where, const std::vector<std::string>& words,
            std::chrono::milliseconds timeout, SpawnOptions options = {});

/// That many processes that do nothing but burn time, until the owner goes.
class BusyLoops {
 public:
  explicit BusyLoops(int count);
  BusyLoops(BusyLoops&& other) noexcept : pids_(std::exchange(other.pids_, {})) {}
  BusyLoops& operator=(BusyLoops&&) = delete;
  ~BusyLoops();

  const std::vector<pid_t>& pids() const { return pids_; }

 private:
  std::vector<pid_t> pids_;
};

inline BusyLoops busy_loops(int count) {
  return BusyLoops(count);
}

}  // namespace bellwether::bed
