// SPDX-License-Identifier: MIT
// What several runs say together: a mean, and how sure it is.
#pragma once

#include <cstdint>
#include <span>

#include "bellwether/experiment/experiment.hpp"

namespace bellwether::experiment {

struct Estimate {
  std::size_t runs = 0;  // that have a value
  double mean = 0;       // not a number without any
  double low = 0;        // of the confidence interval; both are the mean where it is one run
  double high = 0;
  double deviation = 0;  // of one run

  double half_width() const { return (high - low) / 2; }
};

/// Values that are not a number do not count.
Estimate estimate(std::span<const double> values, Interval interval, double confidence);

/// The mean of a / b, pair by pair, for runs with the same seeds: what both had in common cancels.
Estimate ratio(std::span<const double> a, std::span<const double> b, Interval interval,
               double confidence);

}  // namespace bellwether::experiment
