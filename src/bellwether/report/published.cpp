// SPDX-License-Identifier: MIT
#include "bellwether/report/published.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace bellwether::report {
namespace {

using results::Estimate;
using results::Results;
using scenario::Published;
using scenario::Setting;

/// The metric at the points that match: the mean of them for each seed.
std::map<std::uint64_t, double> by_seed(const Results& results, const std::string& metric,
                                        const std::vector<Setting>& where) {
  std::map<std::uint64_t, double> sums;
  std::map<std::uint64_t, double> counts;
  const std::size_t column = results::column(metric);
  for (const results::Row& row : results.rows) {
    const double value = row.values.at(column);
    if (!std::isfinite(value)) continue;
    if (!scenario::matches(results.experiment, results.points.at(row.point), where)) continue;
    sums[row.seed] += value;
    counts[row.seed] += 1;
  }
  for (auto& [seed, sum] : sums) sum /= counts[seed];
  return sums;
}

std::vector<Setting> replaced(std::vector<Setting> where, const std::vector<Setting>& over) {
  for (const Setting& setting : over) {
    const auto same = [&](const Setting& each) { return each.key == setting.key; };
    const auto found = std::find_if(where.begin(), where.end(), same);
    found == where.end() ? where.push_back(setting) : void(*found = setting);
  }
  return where;
}

Estimate measured(const Results& results, const Published& published) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  if (!results::has_column(published.metric)) return {0, none, none, none, none};
  const scenario::Repeat& repeat = results.experiment.repeat;
  std::vector<double> values, others;
  const auto here = by_seed(results, published.metric, published.where);
  if (published.over.empty()) {
    for (const auto& [seed, value] : here) values.push_back(value * published.scale);
    return results::estimate(values, repeat.interval, repeat.confidence);
  }
  const auto there = by_seed(results, published.metric, replaced(published.where, published.over));
  for (const auto& [seed, value] : here)
    if (const auto other = there.find(seed); other != there.end() && other->second != 0) {
      values.push_back(value * published.scale);
      others.push_back(other->second);
    }
  return results::ratio(values, others, repeat.interval, repeat.confidence);
}

}  // namespace

Verdict judge(const Published& published, const Estimate& measured) {
  if (measured.runs == 0 || !std::isfinite(measured.mean)) return Verdict::no_data;
  const double value = published.value;
  const bool near = std::abs(measured.mean - value) <= published.tolerance * std::abs(value);
  if (near || (measured.low <= value && value <= measured.high)) return Verdict::reproduced;
  if (!published.over.empty()) {
    const bool same = (measured.mean > 1 && value > 1) || (measured.mean < 1 && value < 1);
    return same ? Verdict::same_direction : Verdict::not_reproduced;
  }
  const double part = value == 0 ? 0 : measured.mean / value;
  return part >= 0.5 && part <= 2 ? Verdict::same_direction : Verdict::not_reproduced;
}

std::vector<Finding> findings(const Results& results) {
  std::vector<Finding> out;
  for (const Published& published : results.experiment.published) {
    const Estimate estimate = measured(results, published);
    out.push_back(
        {published.what, published.value, estimate, judge(published, estimate), published.note});
  }
  return out;
}

}  // namespace bellwether::report
