// SPDX-License-Identifier: MIT
#include "bellwether/world/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <optional>

#include "bellwether/core/human_bytes.hpp"
#include "bellwether/core/problem.hpp"

namespace bellwether::world {
namespace {

/// Less than this is never refused, and /proc is not read.
constexpr double never_refused = 64e6;

std::optional<std::uint64_t> number_in(const char* path) {
  std::ifstream in(path);
  std::uint64_t value = 0;
  if (in >> value) return value;
  return std::nullopt;
}

std::uint64_t left_of(std::uint64_t limit, std::uint64_t used) {
  return limit > used ? limit - used : 0;
}

std::uint64_t left_of_machine() {
  std::uint64_t free = std::uint64_t{1} << 30;
  std::ifstream in("/proc/meminfo");
  for (std::string word; in >> word;)
    if (word == "MemAvailable:" && in >> free) return free * 1024;
  return free;
}

}  // namespace

std::uint64_t available_memory() {
  std::uint64_t left = left_of_machine();
  const auto group_limit = number_in("/sys/fs/cgroup/memory.max");
  const auto group_used = number_in("/sys/fs/cgroup/memory.current");
  if (group_limit && group_used) left = std::min(left, left_of(*group_limit, *group_used));
  rlimit own{};
  if (getrlimit(RLIMIT_AS, &own) == 0 && own.rlim_cur != RLIM_INFINITY) {
    const std::uint64_t pages = number_in("/proc/self/statm").value_or(0);
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    left = std::min(left, left_of(own.rlim_cur, pages * page));
  }
  return left;
}

void require_memory(double bytes, const std::string& key, const std::string& what) {
  if (bytes < never_refused) return;
  const std::uint64_t available = available_memory();
  if (bytes <= static_cast<double>(available)) return;
  const auto needed = static_cast<std::uint64_t>(std::min(bytes, 1e19));
  throw core::Problem(key, what + " need about " + core::human_bytes(needed) + " of memory, and " +
                               core::human_bytes(available) +
                               " are available; choose a smaller network");
}

}  // namespace bellwether::world
