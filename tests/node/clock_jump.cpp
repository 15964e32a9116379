// SPDX-License-Identifier: MIT
// Loaded before a program, this sets its clocks ahead by the numbers of seconds in a file, at every
// look at them: first the wall clock, as a user who sets it does; then the one that counts
// suspensions, as a suspended machine does. The clock that never jumps is left alone.
#include <dlfcn.h>
#include <time.h>

#include <cstdio>
#include <cstdlib>

extern "C" int clock_gettime(clockid_t clock, timespec* time) noexcept {
  using Real = int (*)(clockid_t, timespec*);
  static const Real real = reinterpret_cast<Real>(dlsym(RTLD_NEXT, "clock_gettime"));
  const int status = real(clock, time);
  if (status != 0 || (clock != CLOCK_REALTIME && clock != CLOCK_BOOTTIME)) return status;
  const char* path = std::getenv("CLOCK_JUMP_FILE");
  std::FILE* file = path ? std::fopen(path, "r") : nullptr;
  if (!file) return status;
  long ahead = 0, asleep = 0;
  const int numbers = std::fscanf(file, "%ld %ld", &ahead, &asleep);
  if (numbers >= 1 && clock == CLOCK_REALTIME) time->tv_sec += ahead;
  if (numbers == 2) time->tv_sec += asleep;
  std::fclose(file);
  return status;
}
