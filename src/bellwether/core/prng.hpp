// SPDX-License-Identifier: MIT
// Our own randomness: the same numbers with every compiler and library. One stream per purpose
// ("delay", "loss", "faults", ...), so that one more draw in one does not shift the others.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include "bellwether/core/digest.hpp"
#include "bellwether/core/invariant.hpp"
#include "bellwether/core/time.hpp"

namespace bellwether::core {

/// SplitMix64: turns any 64-bit word into a well spread one.
constexpr std::uint64_t splitmix(std::uint64_t x) {
  x += 0x9E37'79B9'7F4A'7C15u;
  x = (x ^ (x >> 30)) * 0xBF58'476D'1CE4'E5B9u;
  x = (x ^ (x >> 27)) * 0x94D0'49BB'1331'11EBu;
  return x ^ (x >> 31);
}

/// An evenly spread number below n out of 64 random bits (Lemire 2019, without the rejection:
/// the bias is below n / 2^64).
constexpr std::uint64_t scale(std::uint64_t bits, std::uint64_t n) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(bits) * n) >> 64);
}

/// xoshiro256** 1.0 (Blackman and Vigna 2018), seeded by SplitMix64.
class Prng {
 public:
  Prng() : Prng(0) {}
  explicit Prng(std::uint64_t seed) {
    for (auto& word : state_) word = seed = splitmix(seed);
  }

  std::uint64_t next() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  /// Even over 0..n-1; n must be positive.
  std::uint64_t below(std::uint64_t n) {
    invariant(n > 0, "a draw needs at least one outcome");
    return scale(next(), n);
  }
  /// Even over min..max, both included.
  Duration between(Duration min, Duration max) {
    if (max <= min) return min;
    return min + Duration{static_cast<std::int64_t>(
                     below(static_cast<std::uint64_t>((max - min).count()) + 1))};
  }
  /// Even over [0, 1), 53 bits.
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
  bool chance(double p) { return p > 0 && unit() < p; }
  double exponential(double mean);
  std::uint64_t poisson(double mean);
  /// The number of failures before the first success of probability p.
  std::uint64_t geometric(double p);

  friend bool operator==(const Prng&, const Prng&) = default;

 private:
  std::uint64_t state_[4]{};
};

/// The seed of a named stream, and of its i-th sister.
constexpr std::uint64_t stream_seed(std::uint64_t seed, std::string_view name,
                                    std::uint64_t index = 0) {
  std::uint64_t state = splitmix(seed);
  for (const char c : name) state = mix(state, static_cast<unsigned char>(c));
  return splitmix(state ^ splitmix(index));
}

inline Prng stream(std::uint64_t seed, std::string_view name, std::uint64_t index = 0) {
  return Prng(stream_seed(seed, name, index));
}

/// Shuffles in place (Fisher and Yates).
template <class Range>
void shuffle(Range& range, Prng& prng) {
  for (std::size_t i = range.size(); i > 1; --i) std::swap(range[i - 1], range[prng.below(i)]);
}

}  // namespace bellwether::core
