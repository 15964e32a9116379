// SPDX-License-Identifier: MIT
// CPU time of this thread: others on the machine take less of it away than of wall time.
#pragma once

#include <ctime>

namespace bench {

inline double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

/// What one look at the clock costs.
inline double clock_cost() {
  constexpr int looks = 10'000;
  const double begin = cpu_seconds();
  for (int i = 0; i < looks; ++i) cpu_seconds();
  return (cpu_seconds() - begin) / looks;
}

}  // namespace bench
