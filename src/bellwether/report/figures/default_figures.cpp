// SPDX-License-Identifier: MIT
// What to draw when an experiment does not say it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "bellwether/report/figures/make_figures.hpp"
#include "bellwether/report/figures/quantities.hpp"
#include "bellwether/report/tables/metric_words.hpp"

namespace bellwether::report {
namespace {

using experiment::Axis;
using experiment::Experiment;
using experiment::FigureKind;
using experiment::FigureSpec;
using experiment::Results;
using experiment::Setting;

constexpr std::size_t most_figures = 24;
constexpr double wide = 50;  // axes that span as much are logarithmic

std::optional<Quantities> numbers_on(const Axis& axis) {
  std::vector<std::string> labels;
  for (const auto& choice : axis.choices) labels.push_back(choice.label);
  return quantities(labels);
}

bool varies(const Axis& axis) {
  return axis.choices.size() > 1;
}

bool names_algorithms(const Axis& axis) {
  return axis.name == "algorithm" || axis.name == "variant";
}

/// Some run has a value, and not all are zero.
bool tells_something(const Results& results, const std::string& metric) {
  if (!experiment::has_column(metric)) return false;
  const std::size_t column = experiment::column(metric);
  return std::any_of(results.rows.begin(), results.rows.end(), [&](const experiment::Row& row) {
    const double value = row.values.at(column);
    return std::isfinite(value) && value != 0;
  });
}

const Axis* find_axis(const Experiment& experiment, const auto& fits) {
  for (const Axis& axis : experiment.axes)
    if (varies(axis) && fits(axis)) return &axis;
  return nullptr;
}

struct FigurePlan {
  const Axis* x = nullptr;
  const Axis* by = nullptr;
  FigureKind kind = FigureKind::bars;
  bool log_x = false;
};

FigurePlan plan_for(const Experiment& experiment) {
  FigurePlan out;
  out.x = find_axis(experiment, [](const Axis& axis) {
    return !names_algorithms(axis) && numbers_on(axis).has_value();
  });
  if (out.x != nullptr) {
    out.kind = FigureKind::lines;
    const std::vector<double> values = numbers_on(*out.x)->values;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    out.log_x = *low > 0 && *high / *low >= wide;
  } else {
    out.x = find_axis(experiment, [](const Axis& axis) { return !names_algorithms(axis); });
    if (out.x == nullptr) out.x = find_axis(experiment, [](const Axis&) { return true; });
  }
  out.by = find_axis(experiment,
                     [&](const Axis& axis) { return &axis != out.x && names_algorithms(axis); });
  if (out.by == nullptr)
    out.by = find_axis(experiment, [&](const Axis& axis) { return &axis != out.x; });
  return out;
}

/// Every combination of the axes that the plan leaves open: a figure each.
std::vector<std::vector<Setting>> rooms_of(const Experiment& experiment, const FigurePlan& plan) {
  std::vector<std::vector<Setting>> out{{}};
  for (const Axis& axis : experiment.axes) {
    if (&axis == plan.x || &axis == plan.by || !varies(axis)) continue;
    std::vector<std::vector<Setting>> longer;
    for (const auto& before : out)
      for (const auto& choice : axis.choices) {
        longer.push_back(before);
        longer.back().push_back({axis.name, choice.label});
      }
    out = std::move(longer);
  }
  return out;
}

bool occurs(const Results& results, const std::vector<Setting>& where) {
  return std::any_of(results.points.begin(), results.points.end(), [&](const auto& point) {
    return experiment::matches(results.experiment, point, where);
  });
}

std::string title_for(const std::string& metric, const std::vector<Setting>& where) {
  std::string out = metric_words(metric).title;
  if (!out.empty() && out[0] >= 'a' && out[0] <= 'z')
    out[0] = static_cast<char>(out[0] - 'a' + 'A');
  for (const Setting& setting : where) out += fmt::format(", {} {}", setting.key, setting.text);
  return out;
}

/// The first metric that was kept over time, in the middle of all axes that make no curves.
std::optional<FigureSpec> over_time(const Results& results, const FigurePlan& plan) {
  const Experiment& experiment = results.experiment;
  if (experiment.series.empty()) return {};
  FigureSpec out;
  out.kind = FigureKind::series;
  out.y = experiment.series.front();
  const Axis* curves = plan.by != nullptr ? plan.by : nullptr;
  for (const Axis& axis : experiment.axes)
    if (names_algorithms(axis) && varies(axis)) curves = &axis;
  if (curves != nullptr) out.by = curves->name;
  for (const Axis& axis : experiment.axes)
    if (&axis != curves && varies(axis))
      out.where.push_back({axis.name, axis.choices[axis.choices.size() / 2].label});
  for (const char* metric : {"components_mean", "components_at_end"})
    if (out.y2.empty() && out.y != metric &&
        std::find(experiment.series.begin(), experiment.series.end(), metric) !=
            experiment.series.end())
      out.y2 = metric;
  out.title = title_for(out.y, out.where) + ", over time";
  if (!occurs(results, out.where)) return {};
  return out;
}

}  // namespace

std::vector<std::string> chosen_metrics(const Results& results) {
  std::vector<std::string> out;
  const auto add = [&](const std::string& metric) {
    if (std::find(out.begin(), out.end(), metric) == out.end()) out.push_back(metric);
  };
  const Experiment& experiment = results.experiment;
  for (const std::string& metric : experiment.metrics)
    if (experiment::has_column(metric)) add(metric);
  if (!out.empty()) return out;
  for (const FigureSpec& figure : experiment.figures)
    if (figure.kind != FigureKind::series && experiment::has_column(figure.y)) add(figure.y);
  if (!out.empty()) return out;
  for (const char* metric : {"instability", "election_time_mean_s", "leader_path_median_hops",
                             "power_mean_w", "leader_changes"})
    if (tells_something(results, metric)) add(metric);
  add(tells_something(results, "messages_per_s") ? "messages_per_s" : "messages");
  return out;
}

std::vector<FigureSpec> default_figures(const Results& results) {
  const Experiment& experiment = results.experiment;
  const FigurePlan plan = plan_for(experiment);
  std::vector<FigureSpec> out;
  // A single point is a table, not a figure.
  if (plan.x != nullptr)
    for (const std::string& metric : chosen_metrics(results))
      for (const std::vector<Setting>& where : rooms_of(experiment, plan)) {
        if (out.size() == most_figures || !occurs(results, where)) continue;
        FigureSpec spec;
        spec.kind = plan.kind;
        spec.title = title_for(metric, where);
        spec.x = plan.x->name;
        spec.y = metric;
        spec.by = plan.by == nullptr ? "" : plan.by->name;
        spec.where = where;
        spec.log_x = plan.log_x;
        out.push_back(std::move(spec));
      }
  if (auto spec = over_time(results, plan)) out.push_back(std::move(*spec));
  return out;
}

std::vector<FigureSpec> figures_of(const Results& results) {
  return results.experiment.figures.empty() ? default_figures(results) : results.experiment.figures;
}

}  // namespace bellwether::report
