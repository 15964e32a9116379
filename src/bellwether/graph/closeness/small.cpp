// SPDX-License-Identifier: MIT
// Up to 64 nodes: all searches at once as products of bit matrices.
//
// Row u of R_k holds what u reaches in k hops, so R_k+1 = R_k A, where A has the links and the
// diagonal. The sum of the distances from u is the sum over all k of how many u has not reached in
// k hops. Four rows of A at a time make a table of the 16 ways to unite them (the Four Russians'
// method); a byte shuffle looks up 32 sources in it at once.
#include <algorithm>
#include <bit>

#include "bellwether/graph/closeness/kernels.hpp"
#include "bellwether/graph/closeness/lanes.hpp"

namespace bellwether::graph {

namespace {

constexpr std::uint64_t bit(NodeIndex u) {
  return std::uint64_t{1} << u;
}

bool small_central_portable(std::span<const std::uint64_t> rows, Central& best) {
  const auto n = static_cast<NodeIndex>(rows.size());
  bool found = false;
  for (NodeIndex u = n; u-- > 0;) {
    Central each{u, n, 0};
    std::uint64_t seen = bit(u);
    std::uint64_t newest = seen;
    while (newest != 0 && !(found && each.sum >= best.sum)) {
      each.sum += n - static_cast<NodeIndex>(std::popcount(seen));
      std::uint64_t next = 0;
      for (; newest != 0; newest &= newest - 1)
        next |= rows[static_cast<std::size_t>(std::countr_zero(newest))];
      newest = next & ~seen;
      seen |= newest;
    }
    if (std::popcount(seen) != static_cast<int>(n) || (found && each.sum >= best.sum)) continue;
    best = each;
    found = true;
  }
  return found;
}

}  // namespace

#if defined(BELLWETHER_HAS_AVX2)
BELLWETHER_AVX2_BEGIN

namespace {
namespace avx2 {

constexpr unsigned width = 32;               // sources side by side
constexpr std::uint32_t nobody = 0x7FFF'00;  // a sum above all others

/// Byte b of 32 rows side by side, for each b.
struct Planes {
  __m256i of[8];
};

/// For a byte b and four rows, which byte b has the union of some of them: 16 bytes. Those of rows
/// 4 i to 4 i + 3 and of rows 16 + 4 i to 16 + 4 i + 3 stand side by side.
struct Tables {
  alignas(32) std::uint8_t of[2][8][4][2][16];  // by half of the rows, byte, i, quarter
};

/// 32 rows of 8 bytes become 8 planes of 32 bytes.
void transpose(const std::uint64_t* rows, Planes& planes) {
  const __m256i pairs = _mm256_setr_epi8(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15,  //
                                         0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
  __m256i a[8];
  // Rows 2 i and 2 i + 1 in one half of a register, rows 16 + 2 i and 17 + 2 i in the other.
  for (int i = 0; i < 8; ++i) {
    const auto* at = reinterpret_cast<const __m128i*>(rows + 2 * i);
    a[i] = _mm256_shuffle_epi8(_mm256_set_m128i(_mm_load_si128(at + 8), _mm_load_si128(at)), pairs);
  }
  __m256i b[8];
  for (int i = 0; i < 4; ++i) {
    b[2 * i] = _mm256_unpacklo_epi16(a[2 * i], a[2 * i + 1]);      // bytes 0 to 3 of four rows
    b[2 * i + 1] = _mm256_unpackhi_epi16(a[2 * i], a[2 * i + 1]);  // bytes 4 to 7
  }
  for (int i = 0; i < 2; ++i) {
    a[4 * i] = _mm256_unpacklo_epi32(b[4 * i], b[4 * i + 2]);  // bytes 0 and 1 of eight rows
    a[4 * i + 1] = _mm256_unpackhi_epi32(b[4 * i], b[4 * i + 2]);
    a[4 * i + 2] = _mm256_unpacklo_epi32(b[4 * i + 1], b[4 * i + 3]);
    a[4 * i + 3] = _mm256_unpackhi_epi32(b[4 * i + 1], b[4 * i + 3]);
  }
  for (int i = 0; i < 4; ++i) {
    planes.of[2 * i] = _mm256_unpacklo_epi64(a[i], a[i + 4]);
    planes.of[2 * i + 1] = _mm256_unpackhi_epi64(a[i], a[i + 4]);
  }
}

__attribute__((always_inline)) inline __m256i unite(__m256i from, __m256i x, __m256i y) {
  return _mm256_or_si256(_mm256_shuffle_epi8(from, x), _mm256_shuffle_epi8(from, y));
}

__attribute__((always_inline)) inline __m256i twice(const std::uint8_t* table) {
  return _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(table)));
}

/// Of each table, entry x unites those of its four rows whose bits x has.
template <int bytes>
void tabulate(const Planes& planes, std::uint8_t (*tables)[4][2][16]) {
  // Behind unpacking, row r and the union of r and r + 1 stand at 2 r and 2 r + 1.
  constexpr char no = -128;
  const __m256i first = _mm256_setr_epi8(no, 0, 2, 1, no, 0, 2, 1, no, 0, 2, 1, no, 0, 2, 1,  //
                                         no, 0, 2, 1, no, 0, 2, 1, no, 0, 2, 1, no, 0, 2, 1);
  const __m256i second = _mm256_setr_epi8(no, no, no, no, 4, 4, 4, 4, 6, 6, 6, 6, 5, 5, 5, 5,  //
                                          no, no, no, no, 4, 4, 4, 4, 6, 6, 6, 6, 5, 5, 5, 5);
  const __m256i eight = _mm256_set1_epi8(8);  // leaves what is negative negative
  const __m256i third = _mm256_add_epi8(first, eight);
  const __m256i fourth = _mm256_add_epi8(second, eight);
  for (int b = 0; b < bytes; ++b) {
    const __m256i rows = planes.of[b];
    const __m256i unions = _mm256_or_si256(rows, _mm256_srli_epi16(rows, 8));
    const __m256i low = _mm256_unpacklo_epi8(rows, unions);
    const __m256i high = _mm256_unpackhi_epi8(rows, unions);
    auto* to = reinterpret_cast<__m256i*>(tables[b]);
    _mm256_store_si256(to, unite(low, first, second));
    _mm256_store_si256(to + 1, unite(low, third, fourth));
    _mm256_store_si256(to + 2, unite(high, first, second));
    _mm256_store_si256(to + 3, unite(high, third, fourth));
  }
}

/// The next power.
template <int bytes>
__attribute__((always_inline)) inline void multiply(__m256i* reach, const Tables& tables) {
  const __m256i nibble = _mm256_set1_epi8(15);
  __m256i next[bytes];
  for (int b = 0; b < bytes; ++b) next[b] = _mm256_setzero_si256();
  const __m256i from[8] = {reach[0], reach[1], reach[2], reach[3],
                           reach[4], reach[5], reach[6], reach[7]};
#pragma GCC unroll 1
  for (int p = 0; p < bytes; ++p) {
    const __m256i low = _mm256_and_si256(from[p], nibble);
    const __m256i high = _mm256_and_si256(_mm256_srli_epi16(from[p], 4), nibble);
    // Byte p has rows 8 p to 8 p + 7.
    const int i = 2 * p % 4;
    const auto* of = &tables.of[p / 4][0][i][p / 2 % 2];
    for (int b = 0; b < bytes; ++b, of += 8) {
      next[b] = _mm256_or_si256(next[b], _mm256_or_si256(_mm256_shuffle_epi8(twice(of[0]), low),
                                                         _mm256_shuffle_epi8(twice(of[2]), high)));
    }
  }
  for (int b = 0; b < bytes; ++b) reach[b] = next[b];
}

/// How many bits each source has.
template <int bytes>
__attribute__((always_inline)) inline __m256i count(const __m256i* reach) {
  const __m256i nibble = _mm256_set1_epi8(15);
  const __m256i ones = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,  //
                                        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
  __m256i sum = _mm256_setzero_si256();
  for (int b = 0; b < bytes; ++b) {
    const __m256i low = _mm256_and_si256(reach[b], nibble);
    const __m256i high = _mm256_and_si256(_mm256_srli_epi16(reach[b], 4), nibble);
    sum = _mm256_add_epi8(
        sum, _mm256_add_epi8(_mm256_shuffle_epi8(ones, low), _mm256_shuffle_epi8(ones, high)));
  }
  return sum;
}

template <int bytes>
__attribute__((always_inline)) inline bool same(const Planes& a, const Planes& b) {
  __m256i different = _mm256_setzero_si256();
  for (int i = 0; i < bytes; ++i)
    different = _mm256_or_si256(different, _mm256_xor_si256(a.of[i], b.of[i]));
  return _mm256_testz_si256(different, different) != 0;
}

/// The best of 32 sources and of what was found before: the sum, then the index from above, so that
/// the least is the best. Ends as soon as no source that is still under way can win.
template <int bytes>
std::uint32_t search(Planes reach, const Tables& tables, unsigned n, unsigned first,
                     std::uint32_t best) {
  const unsigned sources = std::min(width, n - first);
  const std::uint32_t lanes = sources == width ? ~0u : (1u << sources) - 1;
  const __m256i all = _mm256_set1_epi8(static_cast<char>(n));
  const __m256i zero = _mm256_setzero_si256();
  __m256i sums[2] = {_mm256_set1_epi16(static_cast<short>(n - 1)),
                     _mm256_set1_epi16(static_cast<short>(n - 1))};
  for (unsigned level = 1;; ++level) {
    const __m256i rest = _mm256_sub_epi8(all, count<bytes>(reach.of));
    sums[0] = _mm256_add_epi16(sums[0], _mm256_cvtepu8_epi16(_mm256_castsi256_si128(rest)));
    sums[1] = _mm256_add_epi16(sums[1], _mm256_cvtepu8_epi16(_mm256_extracti128_si256(rest, 1)));
    const auto done =
        static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(rest, zero))) & lanes;
    if (done != 0) {
      alignas(32) std::uint16_t sum[width];
      _mm256_store_si256(reinterpret_cast<__m256i*>(sum), sums[0]);
      _mm256_store_si256(reinterpret_cast<__m256i*>(sum) + 1, sums[1]);
      for (std::uint32_t left = done; left != 0; left &= left - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(left));
        best = std::min(best, std::uint32_t{sum[i]} << 8 | (63 - first - i));
      }
    }
    const __m256i bound = _mm256_set1_epi16(static_cast<short>(best >> 8));
    const __m256i over = _mm256_permute4x64_epi64(
        _mm256_packs_epi16(_mm256_cmpgt_epi16(sums[0], bound), _mm256_cmpgt_epi16(sums[1], bound)),
        0b11'01'10'00);
    const auto beaten = static_cast<std::uint32_t>(_mm256_movemask_epi8(over));
    if ((lanes & ~done & ~beaten) == 0) return best;
    const Planes before = reach;
    multiply<bytes>(reach.of, tables);
    // Most graphs are done by then; in others it may be that no node reaches any more.
    if (level >= 8 && same<bytes>(before, reach)) return best;
  }
}

template <int bytes>
std::uint32_t solve(const std::uint64_t* rows, unsigned n) {
  Planes planes[2];
  Tables tables;
  constexpr int halves = bytes > 4 ? 2 : 1;
  for (int half = 0; half < halves; ++half) {
    transpose(rows + width * half, planes[half]);
    tabulate<bytes>(planes[half], tables.of[half]);
  }
  std::uint32_t best = nobody;
  for (int half = 0; half < halves; ++half)
    best = search<bytes>(planes[half], tables, n, width * static_cast<unsigned>(half), best);
  return best;
}

bool small_central(std::span<const std::uint64_t> given, Central& best) {
  const auto n = static_cast<unsigned>(given.size());
  alignas(32) std::uint64_t rows[64];
  for (NodeIndex u = 0; u < n; ++u) rows[u] = given[u] | bit(u);
  for (NodeIndex u = n; u < 64; ++u) rows[u] = 0;
  using Solve = std::uint32_t (*)(const std::uint64_t*, unsigned);
  constexpr Solve by_bytes[] = {solve<1>, solve<2>, solve<3>, solve<4>,
                                solve<5>, solve<6>, solve<7>, solve<8>};
  const std::uint32_t found = by_bytes[(n - 1) / 8](rows, n);
  if (found == nobody) return false;
  best = {63 - (found & 0xFF), n, found >> 8};
  return true;
}

/// Where 8 - many lanes of 32 bits are left out.
__m256i first_lanes(std::int64_t many) {
  static constexpr std::int32_t window[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
  return _mm256_loadu_si256(
      reinterpret_cast<const __m256i*>(window + 8 - std::clamp<std::int64_t>(many, 0, 8)));
}

/// The bits of eight neighbours; those that are left out are no bits.
__m256i bits_of(const NodeIndex* neighbours, std::int64_t many) {
  const __m256i mask = first_lanes(many);
  const __m256i each =
      _mm256_or_si256(_mm256_maskload_epi32(reinterpret_cast<const int*>(neighbours), mask),
                      _mm256_andnot_si256(mask, _mm256_set1_epi32(64)));
  const __m256i one = _mm256_set1_epi64x(1);
  return _mm256_or_si256(
      _mm256_sllv_epi64(one, _mm256_cvtepu32_epi64(_mm256_castsi256_si128(each))),
      _mm256_sllv_epi64(one, _mm256_cvtepu32_epi64(_mm256_extracti128_si256(each, 1))));
}

/// Always sixteen neighbours at a time: few nodes need more than one round of the loop.
void draw(const Graph& graph, std::uint64_t* rows) {
  for (NodeIndex u = 0; u < graph.size(); ++u) {
    const auto around = graph.neighbours(u);
    const auto many = static_cast<std::int64_t>(around.size());
    __m256i bits = _mm256_setzero_si256();
    for (std::int64_t i = 0; i < many; i += 16) {
      bits = _mm256_or_si256(bits, bits_of(around.data() + i, many - i));
      bits = _mm256_or_si256(bits, bits_of(around.data() + i + 8, many - i - 8));
    }
    const __m128i half =
        _mm_or_si128(_mm256_castsi256_si128(bits), _mm256_extracti128_si256(bits, 1));
    rows[u] = static_cast<std::uint64_t>(_mm_extract_epi64(half, 0) | _mm_extract_epi64(half, 1));
  }
}

}  // namespace avx2
}  // namespace

BELLWETHER_AVX2_END
#endif

Processor this_processor() {
#if defined(BELLWETHER_HAS_AVX2)
  static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
  if (has) return Processor::avx2;
#endif
  return Processor::portable;
}

bool small_central(const Graph& graph, Processor processor, Central& best) {
  std::uint64_t rows[most_bit_rows];
  const std::span given(rows, graph.size());
#if defined(BELLWETHER_HAS_AVX2)
  if (processor == Processor::avx2) {
    avx2::draw(graph, rows);
    return avx2::small_central(given, best);
  }
#endif
  for (NodeIndex u = 0; u < graph.size(); ++u) {
    rows[u] = 0;
    for (const NodeIndex v : graph.neighbours(u)) rows[u] |= bit(v);
  }
  return small_central_portable(given, best);
}

bool small_central(std::span<const std::uint64_t> rows, Processor processor, Central& best) {
#if defined(BELLWETHER_HAS_AVX2)
  if (processor == Processor::avx2) return avx2::small_central(rows, best);
#endif
  return small_central_portable(rows, best);
}

}  // namespace bellwether::graph
