// SPDX-License-Identifier: MIT
#include "bellwether/experiment/results.hpp"

namespace bellwether::experiment {

Results side_by_side(const std::vector<Results>& engines) {
  Results out = engines.at(0);
  if (engines.size() == 1) return out;
  Axis axis{engine_axis, {}};
  for (const Results& each : engines) axis.choices.push_back({each.engine, {}});
  out.experiment.axes.push_back(std::move(axis));
  // The axis that is new is the last, and goes fastest.
  std::vector<GridPoint> points;
  for (const GridPoint& point : out.points)
    for (std::size_t i = 0; i < engines.size(); ++i) {
      points.push_back(point);
      points.back().push_back(i);
    }
  out.points = std::move(points);
  std::vector<std::vector<Row>> rows(out.points.size());
  for (std::size_t i = 0; i < engines.size(); ++i)
    for (Row row : engines[i].rows) {
      row.point = static_cast<std::uint32_t>(row.point * engines.size() + i);
      rows.at(row.point).push_back(std::move(row));
    }
  out.rows.clear();
  for (auto& of_point : rows)
    out.rows.insert(out.rows.end(), std::make_move_iterator(of_point.begin()),
                    std::make_move_iterator(of_point.end()));
  out.engine.clear();
  return out;
}

std::vector<std::string> engines_of(const Results& results) {
  if (!results.engine.empty()) return {results.engine};
  std::vector<std::string> out;
  for (const Variation& each : results.experiment.axes.back().choices) out.push_back(each.label);
  return out;
}

}  // namespace bellwether::experiment
