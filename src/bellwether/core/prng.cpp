// SPDX-License-Identifier: MIT
#include "bellwether/core/prng.hpp"

#include <cmath>
#include <limits>

#include "bellwether/core/poisson.hpp"

namespace bellwether::core {

double Prng::exponential(double mean) {
  return -mean * std::log(1.0 - unit());  // 1 - unit() is never 0
}

std::uint64_t Prng::poisson(double mean) {
  return Poisson(mean).draw(*this);
}

std::uint64_t Prng::geometric(double p) {
  if (p >= 1) return 0;
  if (p <= 0) return std::numeric_limits<std::uint64_t>::max();
  const double failures = std::floor(std::log(1.0 - unit()) / std::log1p(-p));
  return failures < 1.8e19 ? static_cast<std::uint64_t>(failures)
                           : std::numeric_limits<std::uint64_t>::max();
}

}  // namespace bellwether::core
