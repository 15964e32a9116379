// SPDX-License-Identifier: MIT
// Vectors that begin on a cache line, so that what is half a line long never lies across two.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace bellwether::core {

template <class T>
struct LineAligned {
  using value_type = T;
  static constexpr std::align_val_t line{64};

  LineAligned() = default;
  template <class U>
  explicit(false) LineAligned(const LineAligned<U>&) {}

  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), line)); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, line); }
  friend bool operator==(const LineAligned&, const LineAligned&) { return true; }
};

template <class T>
using LineVector = std::vector<T, LineAligned<T>>;

}  // namespace bellwether::core
