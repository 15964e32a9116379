// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "bellwether/core/prng.hpp"

namespace bellwether::core {

/// Numbers of a Poisson law, drawn many times with one mean.
class Poisson {
 public:
  explicit Poisson(double mean) {
    // Large means are cut into pieces, whose sum has the same law, before exp(-mean) underflows.
    const double kept = std::clamp(mean, 0.0, 1e15);
    if (kept > piece) pieces_ = static_cast<std::uint64_t>(std::ceil(kept / piece)) - 1;
    last_limit_ = std::exp(-(kept - piece * static_cast<double>(pieces_)));
  }

  std::uint64_t draw(Prng& prng) const {
    static const double limit = std::exp(-piece);
    std::uint64_t count = 0;
    for (std::uint64_t i = 0; i < pieces_; ++i) count += factors(prng, limit);
    return last_limit_ < 1 ? count + factors(prng, last_limit_) : count;
  }

 private:
  static constexpr double piece = 32;

  /// Products of uniforms reach exp(-mean) after the wanted number of factors (Knuth).
  static std::uint64_t factors(Prng& prng, double limit) {
    std::uint64_t count = 0;
    for (double product = prng.unit(); product > limit; product *= prng.unit()) ++count;
    return count;
  }

  std::uint64_t pieces_ = 0;
  double last_limit_ = 1;
};

}  // namespace bellwether::core
