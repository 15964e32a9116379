// SPDX-License-Identifier: MIT
#include "bellwether/world/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <optional>

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

std::string memory_text(double bytes) {
  const bool large = bytes >= 1e9;
  const double value = bytes / (large ? 1e9 : 1e6);
  char text[64];
  std::snprintf(text, sizeof text, large && value < 100 ? "%.1f" : "%.0f", value);
  return std::string(text) + (large ? " GB" : " MB");
}

void require_memory(double bytes, const std::string& key, const std::string& what) {
  if (bytes < never_refused) return;
  const auto available = static_cast<double>(available_memory());
  if (bytes <= available) return;
  throw core::Problem(key, what + " need about " + memory_text(bytes) + " of memory, and " +
                               memory_text(available) + " are available; choose a smaller network");
}

}  // namespace bellwether::world
