// SPDX-License-Identifier: MIT
#include "node/undertaker.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <mutex>

#include "node/namespace.hpp"

namespace bellwether::bed {
namespace {

/// The undertaker, a process that reads numbers until no writer is left: a group to remember, or
/// with a minus one to forget. After fork in a program with threads, system calls only.
[[noreturn]] void remember_and_bury(int orders) {
  setsid();  // Ctrl-C is not for us
  static std::array<pid_t, 4096> groups;
  std::size_t count = 0;
  pid_t order = 0;
  for (;;) {
    const ssize_t got = read(orders, &order, sizeof order);
    if (got < 0) continue;
    if (got != sizeof order) break;
    const auto end = groups.begin() + static_cast<std::ptrdiff_t>(count);
    if (order < 0) {
      const auto known = std::find(groups.begin(), end, -order);
      if (known != end) *known = groups[--count];
    } else if (count < groups.size()) {
      groups[count++] = order;
    }
  }
  for (std::size_t i = 0; i < count; ++i) kill(-groups[i], SIGKILL);
  _exit(0);
}

/// The way to the undertaker. When the program ends in order, it waits until all are buried.
struct Service {
  pid_t owner = -1;
  pid_t undertaker = -1;
  Descriptor orders;

  Service() = default;
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;
  ~Service() {
    orders.close();
    if (owner == getpid()) waitpid(undertaker, nullptr, 0);
  }
};

/// Where orders go. A program that was forked needs an undertaker of its own.
int orders() {
  static std::mutex one_at_a_time;
  static Service service;
  const std::lock_guard lock(one_at_a_time);
  if (service.owner == getpid()) return service.orders.get();
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("no pipe can be had");
  const pid_t child = fork();
  if (child < 0) fail("no process can be started");
  if (child == 0) {
    // Whatever else it held, a namespace or a pipe with a reader, would live on.
    dup2(ends[0], 0);
    close_range(1, ~0U, 0);
    remember_and_bury(0);
  }
  close(ends[0]);
  service.orders = Descriptor(ends[1]);
  service.undertaker = child;
  service.owner = getpid();
  return service.orders.get();
}

void tell(pid_t order) {
  if (write(orders(), &order, sizeof order) != sizeof order) fail("the undertaker is gone");
}

}  // namespace

void bury_with_us(pid_t group) {
  tell(group);
}

void already_buried(pid_t group) {
  tell(-group);
}

}  // namespace bellwether::bed
