// SPDX-License-Identifier: MIT
// Included once for each kind of processor, inside a namespace of its own.

/// As wide as a register of AVX2; elsewhere the compiler makes two of it.
using Lanes __attribute__((vector_size(32), may_alias)) = std::uint64_t;

__attribute__((always_inline)) inline bool is_zero(const Lanes& lanes) {
#if defined(__AVX2__)
  const auto all = reinterpret_cast<__m256i>(lanes);
  return _mm256_testz_si256(all, all) != 0;
#else
  return (lanes[0] | lanes[1] | lanes[2] | lanes[3]) == 0;
#endif
}
