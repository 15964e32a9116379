// SPDX-License-Identifier: MIT
// A node is visited from the first source's arrival to the last one's: sources near each other
// share most of the work. What each source has not reached yet is added up level by level, in
// counters that lie across the registers.
#include "bellwether/graph/closeness_batch.hpp"

#include <algorithm>
#include <utility>

#include "bellwether/core/invariant.hpp"
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace bellwether::graph {

namespace {

namespace portable {
using Lanes __attribute__((vector_size(32), may_alias)) = std::uint64_t;
inline bool is_zero(const Lanes& lanes) {
  return (lanes[0] | lanes[1] | lanes[2] | lanes[3]) == 0;
}
#include "bellwether/graph/closeness_batch.inl"
}  // namespace portable

#if defined(__x86_64__)
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,popcnt,lzcnt")
namespace avx2 {
using Lanes __attribute__((vector_size(32), may_alias)) = std::uint64_t;
__attribute__((always_inline)) inline bool is_zero(const Lanes& lanes) {
  const auto all = reinterpret_cast<__m256i>(lanes);
  return _mm256_testz_si256(all, all) != 0;
}
#include "bellwether/graph/closeness_batch.inl"
}  // namespace avx2
#pragma GCC pop_options
#endif

}  // namespace

std::vector<std::uint64_t> Batch::sums(std::span<const std::uint32_t> sources, std::uint64_t bar) {
  core::invariant(!sources.empty() && sources.size() <= most, "a bit for each source");
#if defined(__x86_64__)
  if (processor_ == Processor::avx2) return avx2::sums_of(*this, sources, bar);
#endif
  return portable::sums_of(*this, sources, bar);
}

}  // namespace bellwether::graph
