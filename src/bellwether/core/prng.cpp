// SPDX-License-Identifier: MIT
#include "bellwether/core/prng.hpp"

#include <cmath>
#include <limits>

namespace bellwether::core {

double Prng::exponential(double mean) {
  return -mean * std::log(1.0 - unit());  // 1 - unit() is never 0
}

std::uint64_t Prng::poisson(double mean) {
  // Products of uniforms reach exp(-mean) after the wanted number of factors (Knuth). Large means
  // are cut into pieces, whose sum has the same law, before exp(-mean) underflows.
  std::uint64_t count = 0;
  for (; mean > 0; mean -= 32) {
    const double limit = std::exp(-std::min(mean, 32.0));
    for (double product = unit(); product > limit; product *= unit()) ++count;
  }
  return count;
}

std::uint64_t Prng::geometric(double p) {
  if (p >= 1) return 0;
  if (p <= 0) return std::numeric_limits<std::uint64_t>::max();
  const double failures = std::floor(std::log(1.0 - unit()) / std::log1p(-p));
  return failures < 1.8e19 ? static_cast<std::uint64_t>(failures)
                           : std::numeric_limits<std::uint64_t>::max();
}

}  // namespace bellwether::core
