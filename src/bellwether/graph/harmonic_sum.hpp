// SPDX-License-Identifier: MIT
// Sums of 1 / distance that compare exactly.
//
// A sum is kept as how many nodes lie at each distance, and as a whole number of units that are so
// small that 1/d is a whole number of them for each d up to 66: lcm(1..66) units make 1. Distances
// beyond are rounded down, by less than a unit for each node. So units decide all comparisons of
// short distances, and nearly all others; what they leave open is settled by exact fractions.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

namespace bellwether::graph {

/// With less than 2^32 nodes a sum is below 2^122 units.
__extension__ using Units = unsigned __int128;

class HarmonicSum {
 public:
  /// 1/d is a whole number of units up to this d.
  static constexpr std::uint32_t last_whole = 66;
  /// 1, in units.
  static const Units one;

  /// 1/d in units, rounded down.
  static Units share(std::uint32_t d) { return one / d; }

  /// `count` nodes at the next distance, beginning with distance 1; its share, if it is at hand.
  void add_level(std::uint32_t count) { add_level(count, share(levels() + 1)); }
  void add_level(std::uint32_t count, Units share);

  void clear() { counts_.clear(), units_ = 0, rounded_ = 0; }

  /// [d - 1]: how many nodes at distance d.
  const std::vector<std::uint32_t>& counts() const { return counts_; }
  std::uint32_t levels() const { return static_cast<std::uint32_t>(counts_.size()); }
  /// The sum lies from `at_least()` to `at_most()` units, both included.
  Units at_least() const { return units_; }
  Units at_most() const { return units_ + rounded_; }
  /// Right to about the last bit.
  double value() const;

  /// By the sums, as exact fractions.
  friend std::strong_ordering operator<=>(const HarmonicSum& a, const HarmonicSum& b);
  friend bool operator==(const HarmonicSum& a, const HarmonicSum& b) { return (a <=> b) == 0; }

 private:
  std::vector<std::uint32_t> counts_;
  Units units_ = 0;
  std::uint64_t rounded_ = 0;  // how many nodes beyond last_whole
};

}  // namespace bellwether::graph
