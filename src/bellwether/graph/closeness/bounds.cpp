// SPDX-License-Identifier: MIT
#include "bellwether/graph/closeness/bounds.hpp"

#include <algorithm>
#include <type_traits>

namespace bellwether::graph {

namespace {

namespace portable {
template <class Four>
std::uint64_t add_up(const Four& best) {
  std::uint64_t sum = 0;
  for (const auto& each : best)
    for (std::size_t i = 0; i < sizeof(each) / sizeof(each[0]); ++i)
      sum += static_cast<std::uint64_t>(each[i]);
  return sum;
}
#include "bellwether/graph/closeness/bounds.inl"
}  // namespace portable

#if defined(BELLWETHER_HAS_AVX2)
BELLWETHER_AVX2_BEGIN
namespace avx2 {
/// Four registers of numbers that are not negative.
template <class Four>
__attribute__((always_inline)) inline std::uint64_t add_up(const Four& best) {
  __m256i sum = _mm256_setzero_si256();  // of 32 bits: nothing overflows that can stand for hops
  for (const auto& each : best) {
    const auto lanes = reinterpret_cast<__m256i>(each);
    if constexpr (sizeof(each[0]) == 2)
      sum = _mm256_add_epi32(sum, _mm256_madd_epi16(lanes, _mm256_set1_epi16(1)));
    else
      sum = _mm256_add_epi64(
          sum, _mm256_add_epi64(_mm256_srli_epi64(lanes, 32),
                                _mm256_and_si256(lanes, _mm256_set1_epi64x(0xFFFF'FFFF))));
  }
  if constexpr (sizeof(best[0][0]) == 2)
    sum = _mm256_add_epi64(_mm256_srli_epi64(sum, 32),
                           _mm256_and_si256(sum, _mm256_set1_epi64x(0xFFFF'FFFF)));
  const __m128i half = _mm_add_epi64(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
  return static_cast<std::uint64_t>(_mm_extract_epi64(half, 0)) +
         static_cast<std::uint64_t>(_mm_extract_epi64(half, 1));
}
#include "bellwether/graph/closeness/bounds.inl"
}  // namespace avx2
BELLWETHER_AVX2_END
#endif

template <class Number>
void put(Block& block, std::size_t lane, Number number) {
  reinterpret_cast<Number*>(block.words)[lane] = number;
}

}  // namespace

template <class Distance>
void Bounds<Distance>::pack() {
  const std::size_t nodes = landmarks[0].size();
  const std::size_t cells = std::max<std::size_t>(1, nodes / cell);  // the rest counts as nothing
  const std::size_t groups = (cells + lanes - 1) / lanes;
  sums.assign(groups * landmarks.size(), {});
  reach.resize(2 * landmarks.size());
  for (std::size_t i = 0; i < landmarks.size(); ++i) {
    const Distance* from = landmarks[i].data();
    for (std::size_t c = 0; c < nodes / cell; ++c, from += cell) {
      Distance sum = 0;
      for (std::uint32_t j = 0; j < cell; ++j) sum = static_cast<Distance>(sum + from[j]);
      put(sums[c / lanes * landmarks.size() + i], c % lanes, sum);
    }
  }
  last = {};
  for (std::size_t c = (groups - 1) * lanes; c < nodes / cell; ++c)
    put(last, c % lanes, static_cast<Distance>(~Distance{0}));
}

template <class Distance>
std::uint64_t Bounds<Distance>::of(std::uint32_t first, std::uint32_t end) {
  for (std::size_t i = 0; i < landmarks.size(); ++i) {
    const Distance* at = landmarks[i].data();
    Distance low = at[first];
    Distance high = at[first];
    for (std::uint32_t v = first + 1; v < end; ++v) {
      low = std::min(low, at[v]);
      high = std::max(high, at[v]);
    }
    reach[2 * i] = static_cast<Distance>(low * cell);
    reach[2 * i + 1] = static_cast<Distance>(high * cell);
  }
  using Number = std::make_signed_t<Distance>;
#if defined(BELLWETHER_HAS_AVX2)
  if (processor_ == Processor::avx2) return avx2::bound<Number>(*this);
#endif
  return portable::bound<Number>(*this);
}

template class Bounds<std::uint16_t>;
template class Bounds<std::uint32_t>;

}  // namespace bellwether::graph
