// SPDX-License-Identifier: MIT
#include "bellwether/experiment/statistics.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "bellwether/core/prng.hpp"

namespace bellwether::experiment {
namespace {

constexpr int resamples = 2000;

std::vector<double> numbers_among(std::span<const double> values) {
  std::vector<double> out;
  for (const double each : values)
    if (!std::isnan(each)) out.push_back(each);
  return out;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double each : values) sum += each;
  return sum / static_cast<double>(values.size());
}

void student(Estimate& out, double confidence) {
  const auto n = static_cast<double>(out.runs);
  const boost::math::students_t spread(n - 1);
  const double t = boost::math::quantile(spread, 0.5 + confidence / 2);
  const double half = t * out.deviation / std::sqrt(n);
  out.low = out.mean - half;
  out.high = out.mean + half;
}

/// Percentiles of the means of samples drawn anew from the sample; always the same draws.
void bootstrap(Estimate& out, const std::vector<double>& values, double confidence) {
  core::Prng prng = core::stream(1, "bootstrap");
  std::vector<double> means;
  means.reserve(resamples);
  for (int i = 0; i < resamples; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < values.size(); ++j) sum += values[prng.below(values.size())];
    means.push_back(sum / static_cast<double>(values.size()));
  }
  std::sort(means.begin(), means.end());
  const auto at = [&](double share) {
    return means[static_cast<std::size_t>(std::lround(share * (resamples - 1)))];
  };
  out.low = at(0.5 - confidence / 2);
  out.high = at(0.5 + confidence / 2);
}

}  // namespace

Estimate estimate(std::span<const double> values, Interval interval, double confidence) {
  const std::vector<double> numbers = numbers_among(values);
  Estimate out;
  out.runs = numbers.size();
  if (numbers.empty()) {
    out.mean = out.low = out.high = std::numeric_limits<double>::quiet_NaN();
    return out;
  }
  out.mean = out.low = out.high = mean_of(numbers);
  if (numbers.size() < 2) return out;
  double squares = 0;
  for (const double each : numbers) squares += (each - out.mean) * (each - out.mean);
  out.deviation = std::sqrt(squares / static_cast<double>(numbers.size() - 1));
  if (interval == Interval::student)
    student(out, confidence);
  else
    bootstrap(out, numbers, confidence);
  return out;
}

Estimate ratio(std::span<const double> a, std::span<const double> b, Interval interval,
               double confidence) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (b[i] != 0) ratios.push_back(a[i] / b[i]);
  return estimate(ratios, interval, confidence);
}

}  // namespace bellwether::experiment
