// SPDX-License-Identifier: MIT
#include "bellwether/cli/memory.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>

#include "bellwether/cli/commands.hpp"
#include "bellwether/core/problem.hpp"

namespace bellwether::cli {
namespace {

std::optional<std::uint64_t> number_in(const char* path) {
  std::ifstream in(path);
  std::uint64_t value = 0;
  if (in >> value) return value;
  return std::nullopt;
}

}  // namespace

std::uint64_t available_memory() {
  std::uint64_t free = std::uint64_t{1} << 30;
  std::ifstream in("/proc/meminfo");
  for (std::string word; in >> word;)
    if (word == "MemAvailable:" && in >> free) {
      free *= 1024;
      break;
    }
  const auto limit = number_in("/sys/fs/cgroup/memory.max");
  const auto used = number_in("/sys/fs/cgroup/memory.current");
  if (limit && used) free = std::min(free, *limit > *used ? *limit - *used : 0);
  return free;
}

std::uint64_t parse_memory(const std::string& text, const char* flag) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  std::string unit(end, text.data() + text.size());
  std::erase(unit, ' ');
  std::erase(unit, 'B');
  const std::string units = "kMGT";
  const std::size_t place = unit.size() == 1 ? units.find(unit == "K" ? "k" : unit) : units.npos;
  if (error != std::errc() || !(value > 0) || (!unit.empty() && place == units.npos))
    throw core::Problem(std::string(flag), {},
                        "\"" + text + "\" is no amount of memory; write 500M or 4G");
  for (std::size_t i = 0; !unit.empty() && i <= place; ++i) value *= 1000;
  return static_cast<std::uint64_t>(std::min(value, 1e15));
}

}  // namespace bellwether::cli
