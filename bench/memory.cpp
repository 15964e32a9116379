// SPDX-License-Identifier: MIT
#include "memory.hpp"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace bench {
namespace {

std::atomic<std::size_t> live{0};
std::atomic<std::size_t> peak{0};

void* count(void* p) {
  if (p == nullptr) throw std::bad_alloc();
  const std::size_t now = live += malloc_usable_size(p);
  if (now > peak.load(std::memory_order_relaxed)) peak = now;
  return p;
}

void uncount(void* p) {
  if (p == nullptr) return;
  live -= malloc_usable_size(p);
  std::free(p);
}

}  // namespace

std::size_t live_bytes() {
  return live;
}
std::size_t peak_bytes() {
  return peak;
}
void reset_peak() {
  peak = live.load();
}

}  // namespace bench

void* operator new(std::size_t n) {
  return bench::count(std::malloc(n));
}
void* operator new(std::size_t n, std::align_val_t align) {
  const auto a = static_cast<std::size_t>(align);
  return bench::count(std::aligned_alloc(a, (n + a - 1) / a * a));
}
void operator delete(void* p) noexcept {
  bench::uncount(p);
}
void operator delete(void* p, std::size_t) noexcept {
  bench::uncount(p);
}
void operator delete(void* p, std::align_val_t) noexcept {
  bench::uncount(p);
}
void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
  bench::uncount(p);
}
