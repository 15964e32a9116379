// SPDX-License-Identifier: MIT
#include "bellwether/report/tables/published.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "bellwether/core/fields.hpp"
#include "bellwether/report/tables/units.hpp"

namespace bellwether::report {
namespace {

using experiment::Estimate;
using experiment::Published;
using experiment::Results;
using experiment::Setting;

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// The total, or what was measured in the interval that ends then or next.
double value_of(const Results& results, const experiment::Row& row, const std::string& metric,
                double at_s) {
  if (at_s <= 0) return row.values.at(experiment::column(metric));
  const auto& kept = results.experiment.series;
  const auto place = std::find(kept.begin(), kept.end(), metric);
  const auto moment =
      std::find_if(row.series.begin(), row.series.end(),
                   [&](const experiment::SeriesPoint& m) { return m.time_s >= at_s; });
  if (place == kept.end() || moment == row.series.end()) return none;
  return moment->values.at(static_cast<std::size_t>(place - kept.begin()));
}

/// The metric at the points that match: the mean of them for each seed.
std::map<std::uint64_t, double> by_seed(const Results& results, const std::string& metric,
                                        const std::vector<Setting>& where, double at_s) {
  std::map<std::uint64_t, double> sums;
  std::map<std::uint64_t, double> counts;
  for (const experiment::Row& row : results.rows) {
    const double value = value_of(results, row, metric, at_s);
    if (!std::isfinite(value)) continue;
    if (!experiment::matches(results.experiment, results.points.at(row.point), where)) continue;
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
  if (published.at_s <= 0 && !experiment::has_column(published.metric))
    return {0, none, none, none, none};
  const experiment::Repeat& repeat = results.experiment.repeat;
  std::vector<double> values, others;
  const auto here = by_seed(results, published.metric, published.where, published.at_s);
  if (published.over.empty()) {
    for (const auto& [seed, value] : here) values.push_back(value * published.scale);
    return experiment::estimate(values, repeat.interval, repeat.confidence);
  }
  const auto there =
      by_seed(results, published.metric, replaced(published.where, published.over), published.at_s);
  for (const auto& [seed, value] : here)
    if (const auto other = there.find(seed); other != there.end() && other->second != 0) {
      values.push_back(value * published.scale);
      others.push_back(other->second);
    }
  return experiment::ratio(values, others, repeat.interval, repeat.confidence);
}

}  // namespace

ReproductionVerdict judge(const Published& published, const Estimate& measured) {
  if (measured.runs == 0 || !std::isfinite(measured.mean)) return ReproductionVerdict::no_data;
  if (published.direction != experiment::Comparison::none) {
    const bool more = published.direction == experiment::Comparison::more;
    if (more ? measured.low > 1 : measured.high < 1) return ReproductionVerdict::reproduced;
    return (more ? measured.mean > 1 : measured.mean < 1) ? ReproductionVerdict::same_direction
                                                          : ReproductionVerdict::not_reproduced;
  }
  const double value = published.value;
  const bool near = std::abs(measured.mean - value) <= published.tolerance * std::abs(value);
  // An interval in which nearly everything lies says nothing.
  const bool sharp = measured.half_width() <= 0.5 * std::abs(measured.mean);
  if (near || (sharp && measured.low <= value && value <= measured.high))
    return ReproductionVerdict::reproduced;
  if (!published.over.empty()) {
    const bool same = (measured.mean > 1 && value > 1) || (measured.mean < 1 && value < 1);
    return same ? ReproductionVerdict::same_direction : ReproductionVerdict::not_reproduced;
  }
  const double part = value == 0 ? 0 : measured.mean / value;
  return part >= 0.5 && part <= 2 ? ReproductionVerdict::same_direction
                                  : ReproductionVerdict::not_reproduced;
}

std::vector<Finding> findings(const Results& results, const std::vector<Setting>& at) {
  std::vector<Finding> out;
  for (Published published : results.experiment.published) {
    published.where = replaced(std::move(published.where), at);
    const Estimate estimate = measured(results, published);
    const bool number = published.direction == experiment::Comparison::none;
    out.push_back(
        {published.what, number ? published.value : none,
         number ? human_number(published.value) : std::string(core::name_of(published.direction)),
         estimate, judge(published, estimate), published.note});
  }
  return out;
}

std::vector<EngineFindings> findings_by_engine(const Results& results) {
  std::vector<EngineFindings> out;
  for (const std::string& engine : experiment::engines_of(results)) {
    const bool alone = engine == results.engine;
    out.push_back({engine, alone ? findings(results)
                                 : findings(results, {{experiment::engine_axis, engine}})});
  }
  return out;
}

}  // namespace bellwether::report
