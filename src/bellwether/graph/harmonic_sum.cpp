// SPDX-License-Identifier: MIT
#include "bellwether/graph/harmonic_sum.hpp"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <span>

namespace bellwether::graph {

namespace {

using Integer = boost::multiprecision::cpp_int;

constexpr Units common_multiple(std::uint32_t last) {
  Units multiple = 1;
  for (std::uint32_t d = 2; d <= last; ++d) {
    Units a = multiple;
    Units b = d;
    while (b != 0) {
      const Units rest = a % b;
      a = b;
      b = rest;
    }
    multiple *= d / a;
  }
  return multiple;
}

struct Term {
  std::int64_t count;
  std::uint32_t distance;
};
struct Fraction {
  Integer above;
  Integer below;  // positive
};

/// In halves, so that large numbers meet large numbers.
Fraction sum(std::span<const Term> terms) {
  if (terms.size() == 1) return {terms[0].count, terms[0].distance};
  const Fraction a = sum(terms.first(terms.size() / 2));
  const Fraction b = sum(terms.subspan(terms.size() / 2));
  return {a.above * b.below + b.above * a.below, a.below * b.below};
}

/// Of the sum of (a - b) / distance.
int sign_of_difference(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  std::vector<Term> terms;
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const std::int64_t difference =
        std::int64_t{i < a.size() ? a[i] : 0} - std::int64_t{i < b.size() ? b[i] : 0};
    if (difference != 0) terms.push_back({difference, static_cast<std::uint32_t>(i + 1)});
  }
  return terms.empty() ? 0 : sum(terms).above.sign();
}

}  // namespace

constexpr Units HarmonicSum::one = common_multiple(last_whole);
static_assert(HarmonicSum::one < Units{1} << 90);

void HarmonicSum::add_level(std::uint32_t count, Units share) {
  counts_.push_back(count);
  units_ += share * count;
  if (levels() > last_whole) rounded_ += count;
}

double HarmonicSum::value() const {
  // A fixed point number with 64 bits after the point; the quotient comes 32 bits at a time.
  Units fixed = units_ / one;
  Units rest = units_ % one;
  for (int half = 0; half < 2; ++half) {
    rest <<= 32;
    fixed = fixed << 32 | rest / one;
    rest %= one;
  }
  return static_cast<double>(fixed) * 0x1p-64;
}

std::strong_ordering operator<=>(const HarmonicSum& a, const HarmonicSum& b) {
  if (a.units_ > b.at_most()) return std::strong_ordering::greater;
  if (b.units_ > a.at_most()) return std::strong_ordering::less;
  if (a.rounded_ == 0 && b.rounded_ == 0) return std::strong_ordering::equal;
  return sign_of_difference(a.counts_, b.counts_) <=> 0;
}

}  // namespace bellwether::graph
