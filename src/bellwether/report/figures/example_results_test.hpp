// SPDX-License-Identifier: MIT
// Results made by hand: two algorithms, three ranges, three seeds. Values follow from the point and
// the seed, so that tests can say what the mean must be.
#pragma once

#include <limits>

#include "bellwether/experiment/results.hpp"

namespace bellwether::report {

inline experiment::Axis axis_with(std::string name, const std::vector<std::string>& labels) {
  experiment::Axis out{std::move(name), {}};
  for (const std::string& label : labels) out.choices.push_back({label, {{out.name, label}}});
  return out;
}

inline void set_value(experiment::Row& row, std::string_view name, double value) {
  row.values.at(experiment::column(name)) = value;
}

/// Instability is 0.1 times the place of the range from one, 0.2 times that for the second
/// algorithm, and seeds 1 to 3 differ from it by -0.01, 0 and 0.01.
inline experiment::Results example_results(std::vector<experiment::Axis> axes = {
                                               axis_with("algorithm", {"flood", "tree"}),
                                               axis_with("radio.range", {"30", "60", "90"})}) {
  experiment::Results out;
  out.version = "1.2.3";
  out.experiment.name = "ranges";
  out.experiment.path = "experiments/ranges.toml";
  out.experiment.repeat.runs = 3;
  out.experiment.axes = std::move(axes);
  out.experiment.series = {"instability", "components_mean"};
  out.points = experiment::points(out.experiment);
  for (std::uint32_t p = 0; p < out.points.size(); ++p)
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      experiment::Row row;
      row.point = p;
      row.seed = seed;
      row.ended = "deadline";
      row.values.assign(experiment::columns().size(), std::numeric_limits<double>::quiet_NaN());
      const auto& point = out.points[p];
      const double algorithm = point.empty() ? 1.0 : static_cast<double>(point[0] + 1);
      const double range = static_cast<double>(point.empty() ? 1 : point.back() + 1);
      const double luck = 0.01 * (static_cast<double>(seed) - 2);
      set_value(row, "instability", 0.1 * algorithm * range + luck);
      set_value(row, "messages", 1000 * algorithm * range);
      for (int i = 1; i <= 4; ++i)
        row.series.push_back({10.0 * i, {0.1 * algorithm + luck, 5.0 - i}});
      out.rows.push_back(std::move(row));
    }
  return out;
}

}  // namespace bellwether::report
