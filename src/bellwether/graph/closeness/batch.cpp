// SPDX-License-Identifier: MIT
// A node is visited from the first source's arrival to the last one's: sources near each other
// share most of the work. What each source has not reached yet is added up level by level, in
// counters that lie across the registers.
#include "bellwether/graph/closeness/batch.hpp"

#include <algorithm>
#include <utility>

#include "bellwether/core/invariant.hpp"

namespace bellwether::graph {

namespace {

namespace portable {
#include "bellwether/graph/closeness/lanes.inl"
// After it.
#include "bellwether/graph/closeness/batch.inl"
}  // namespace portable

#if defined(BELLWETHER_HAS_AVX2)
BELLWETHER_AVX2_BEGIN
namespace avx2 {
#include "bellwether/graph/closeness/lanes.inl"
// After it.
#include "bellwether/graph/closeness/batch.inl"
}  // namespace avx2
BELLWETHER_AVX2_END
#endif

}  // namespace

std::vector<std::uint64_t> SourceBatch::sums(std::span<const std::uint32_t> sources,
                                             std::uint64_t bar) {
  core::invariant(!sources.empty() && sources.size() <= most, "a bit for each source");
#if defined(BELLWETHER_HAS_AVX2)
  if (processor_ == Processor::avx2) return avx2::sums_of(*this, sources, bar);
#endif
  return portable::sums_of(*this, sources, bar);
}

}  // namespace bellwether::graph
