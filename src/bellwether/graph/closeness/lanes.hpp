// SPDX-License-Identifier: MIT
// What kernels for wide registers need. Their code stands in .inl files, which a source file
// includes twice: in the namespace `portable`, and in the namespace `avx2` between
// BELLWETHER_AVX2_BEGIN and BELLWETHER_AVX2_END, where the compiler may use those instructions.
// Which of the two runs is decided at run time. What such code calls must be defined there, too, or
// be inlined: a function from elsewhere that was compiled for AVX2 could be picked by the linker
// for all callers.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#define BELLWETHER_HAS_AVX2
#define BELLWETHER_AVX2_BEGIN \
  _Pragma("GCC push_options") _Pragma("GCC target(\"avx2,bmi,bmi2,popcnt,lzcnt\")")
#define BELLWETHER_AVX2_END _Pragma("GCC pop_options")
#endif

namespace bellwether::graph {

/// Memory for 256 bits, where registers of that width may be loaded from.
struct alignas(32) Block {
  std::uint64_t words[4]{};
};

}  // namespace bellwether::graph
