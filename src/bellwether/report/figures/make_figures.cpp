// SPDX-License-Identifier: MIT
#include "bellwether/report/figures/make_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "bellwether/experiment/statistics.hpp"
#include "bellwether/report/figures/figure_style.hpp"
#include "bellwether/report/figures/quantities.hpp"
#include "bellwether/report/tables/metric_words.hpp"
#include "bellwether/report/tables/units.hpp"

namespace bellwether::report {
namespace {

using experiment::Experiment;
using experiment::FigureKind;
using experiment::FigureSpec;
using experiment::Results;
using experiment::Row;

constexpr std::size_t no_axis = static_cast<std::size_t>(-1);

std::size_t axis_named(const Experiment& experiment, const std::string& name) {
  return name.empty() ? no_axis : experiment::axis_of(experiment, name);
}

std::vector<std::string> labels_of(const experiment::Axis& axis) {
  std::vector<std::string> out;
  for (const auto& choice : axis.choices) out.push_back(choice.label);
  return out;
}

/// "radio.range" is in metres: its key says so.
std::string unit_of_key(const std::string& name) {
  for (const scenario::KeyFact& fact : scenario::keys()) {
    if (fact.key != name) continue;
    if (fact.description.find("in metres a second") != std::string::npos) return "m/s";
    if (fact.description.find("in metres") != std::string::npos) return "m";
  }
  return "";
}

/// The rows that a figure shows, by curve and then by place on the x axis.
class Groups {
 public:
  Groups(const Results& results, const FigureSpec& spec) : results_(results) {
    const Experiment& experiment = results.experiment;
    by_ = axis_named(experiment, spec.by);
    x_ = spec.kind == FigureKind::series ? no_axis : axis_named(experiment, spec.x);
    // Bars without an x stand beside each other, each under its name.
    if (spec.kind != FigureKind::series && x_ == no_axis) std::swap(x_, by_);
    find_open_axes(spec);
    for (const Row& row : results.rows) {
      const experiment::GridPoint& point = results.points.at(row.point);
      if (!experiment::matches(experiment, point, spec.where)) continue;
      rows_[curve_of(point)][x_ == no_axis ? 0 : point[x_]].push_back(&row);
    }
  }

  using Curves = std::map<std::vector<std::size_t>, std::map<std::size_t, std::vector<const Row*>>>;
  const Curves& rows() const { return rows_; }
  std::size_t x() const { return x_; }

  /// Where two curves differ in a second axis alone, such as the engine, they share a colour.
  std::optional<std::size_t> look(const std::vector<std::size_t>& curve) const {
    const auto fits = [](const auto& each) {
      return each.first[0] < palette_size && each.first[1] <= 1;
    };
    if (by_ == no_axis || curve_axes_.size() != 2 || !std::all_of(rows_.begin(), rows_.end(), fits))
      return std::nullopt;
    return curve[0] + palette_size * curve[1];
  }

  std::string name(const std::vector<std::size_t>& curve) const {
    std::string out;
    for (std::size_t i = 0; i < curve.size(); ++i) {
      const experiment::Axis& axis = results_.experiment.axes[curve_axes_[i]];
      if (!out.empty()) out += ", ";
      const std::string& label = axis.choices[curve[i]].label;
      // A bare number says nothing without the name of what it counts.
      const bool bare = !label.empty() && label.find_first_not_of("0123456789.") == label.npos;
      out += bare ? axis.name + ' ' + label : label;
    }
    return out;
  }

 private:
  /// First `by`, then every other axis on which the shown points differ.
  void find_open_axes(const FigureSpec& spec) {
    const Experiment& experiment = results_.experiment;
    if (by_ != no_axis) curve_axes_.push_back(by_);
    for (std::size_t axis = 0; axis < experiment.axes.size(); ++axis) {
      if (axis == by_ || axis == x_) continue;
      std::set<std::size_t> seen;
      for (const experiment::GridPoint& point : results_.points)
        if (experiment::matches(experiment, point, spec.where)) seen.insert(point[axis]);
      if (seen.size() > 1) curve_axes_.push_back(axis);
    }
  }
  std::vector<std::size_t> curve_of(const experiment::GridPoint& point) const {
    std::vector<std::size_t> out;
    for (const std::size_t axis : curve_axes_) out.push_back(point[axis]);
    return out;
  }

  const Results& results_;
  std::size_t by_ = no_axis;
  std::size_t x_ = no_axis;
  std::vector<std::size_t> curve_axes_;
  Curves rows_;
};

experiment::Estimate estimate_of(const Results& results, std::span<const double> values) {
  const experiment::Repeat& repeat = results.experiment.repeat;
  return experiment::estimate(values, repeat.interval, repeat.confidence);
}

/// How many runs stand behind the samples of a figure. Samples without any do not count.
struct RunsSeen {
  std::size_t least = no_axis;
  std::size_t most = 0;
  void see(const experiment::Estimate& estimate) {
    if (estimate.runs == 0) return;
    least = std::min(least, estimate.runs);
    most = std::max(most, estimate.runs);
  }
  /// "10 runs", "5 to 40 runs"
  std::string text() const {
    if (most == 0 || least == most) return counted(most, "run");
    return fmt::format("{} to {}", grouped(least), counted(most, "run"));
  }
};

Sample sample_at(double x, const experiment::Estimate& estimate, double factor, RunsSeen& seen) {
  seen.see(estimate);
  return {x, estimate.mean * factor, std::min(estimate.low * factor, estimate.high * factor),
          std::max(estimate.low * factor, estimate.high * factor)};
}

bool any_value(const Curve& curve) {
  return std::any_of(curve.samples.begin(), curve.samples.end(),
                     [](const Sample& sample) { return std::isfinite(sample.mean); });
}

/// The mean over the seeds, moment by moment.
Curve over_time(const Results& results, const std::vector<const Row*>& rows, std::size_t metric,
                double factor, RunsSeen& seen) {
  std::map<double, std::vector<double>> moments;
  for (const Row* row : rows)
    for (const experiment::SeriesPoint& moment : row->series)
      if (metric < moment.values.size()) moments[moment.time_s].push_back(moment.values[metric]);
  Curve out;
  for (const auto& [time, values] : moments)
    out.samples.push_back(sample_at(time, estimate_of(results, values), factor, seen));
  return out;
}

std::size_t series_place(const Experiment& experiment, const std::string& metric) {
  const auto& kept = experiment.series;
  return static_cast<std::size_t>(std::find(kept.begin(), kept.end(), metric) - kept.begin());
}

bool same_samples(const Curve& a, const Curve& b) {
  return std::equal(a.samples.begin(), a.samples.end(), b.samples.begin(), b.samples.end(),
                    [](const Sample& x, const Sample& y) {
                      return x.x == y.x &&
                             std::abs(x.mean - y.mean) <= 1e-9 * (1 + std::abs(x.mean));
                    });
}

void fill_series(Figure& figure, const Results& results, const FigureSpec& spec,
                 const Groups& groups, double factor, RunsSeen& seen) {
  figure.x.label = "time (s)";
  const std::size_t left = series_place(results.experiment, spec.y);
  const std::size_t right = series_place(results.experiment, spec.y2);
  const MetricWords words = metric_words(spec.y2);
  for (const auto& [key, places] : groups.rows()) {
    const std::vector<const Row*>& rows = places.begin()->second;
    Curve curve = over_time(results, rows, left, factor, seen);
    curve.label = groups.name(key);
    curve.look = groups.look(key);
    if (any_value(curve)) figure.curves.push_back(std::move(curve));
    if (spec.y2.empty()) continue;
    RunsSeen unshown;
    Curve other = over_time(results, rows, right, words.factor, unshown);
    other.label = groups.name(key);
    other.look = groups.look(key);
    if (any_value(other)) figure.right.push_back(std::move(other));
  }
  if (figure.right.empty()) return;
  figure.y2.label = with_unit(words.title, words.unit) + ", right";
  // All algorithms see the same network: then one curve says it for all.
  const bool same = std::all_of(figure.right.begin(), figure.right.end(), [&](const Curve& curve) {
    return same_samples(curve, figure.right.front());
  });
  if (same) figure.right.resize(1);
  if (same) figure.right[0].label = words.title + " (right axis)";
}

void fill_points(Figure& figure, const Results& results, const FigureSpec& spec,
                 const Groups& groups, double factor, RunsSeen& seen) {
  const Experiment& experiment = results.experiment;
  std::vector<std::string> labels{""};
  if (groups.x() != no_axis) labels = labels_of(experiment.axes[groups.x()]);
  std::optional<Quantities> numbers;
  if (spec.kind == FigureKind::lines && groups.x() != no_axis) numbers = quantities(labels);
  if (groups.x() != no_axis) {
    const std::string& name = experiment.axes[groups.x()].name;
    std::string unit = numbers ? numbers->unit : "";
    const bool bare = numbers || quantities(labels);
    if (unit.empty() && bare) unit = unit_of_key(name);
    figure.x.label = with_unit(name, unit);
  }
  if (!experiment::has_column(spec.y)) return;
  const std::size_t column = experiment::column(spec.y);
  std::set<std::size_t> used;
  for (const auto& [key, places] : groups.rows()) {
    Curve curve{groups.name(key), {}, groups.look(key)};
    for (const auto& [place, rows] : places) {
      std::vector<double> values;
      for (const Row* row : rows) values.push_back(row->values.at(column));
      const double x = numbers ? numbers->values[place] : static_cast<double>(place);
      curve.samples.push_back(sample_at(x, estimate_of(results, values), factor, seen));
      used.insert(place);
    }
    std::stable_sort(curve.samples.begin(), curve.samples.end(),
                     [](const Sample& a, const Sample& b) { return a.x < b.x; });
    if (any_value(curve)) figure.curves.push_back(std::move(curve));
  }
  if (numbers) return;
  // Only those categories that occur, closed up.
  std::map<double, double> moved;
  for (const std::size_t place : used) {
    moved[static_cast<double>(place)] = static_cast<double>(figure.categories.size());
    figure.categories.push_back(labels[place]);
  }
  for (Curve& curve : figure.curves)
    for (Sample& sample : curve.samples) sample.x = moved.at(sample.x);
}

/// Metrics are never negative, and shares at most one: an interval beyond is cut. `whole` is one,
/// as it is shown; 0: no share. Some shares, such as those of a diameter, can be more than one.
void limit(FigureAxis& axis, const std::vector<Curve>& curves, double whole) {
  double low = 0, high = 0;
  for (const Curve& curve : curves)
    for (const Sample& sample : curve.samples) {
      if (!std::isfinite(sample.mean)) continue;
      low = std::min(low, sample.mean);
      high = std::max(high, sample.mean);
    }
  if (low == 0) axis.least = 0;
  if (whole > 0 && high <= whole) axis.most = whole;
}

}  // namespace

Figure make_figure(const Results& results, const FigureSpec& spec) {
  const Experiment& experiment = results.experiment;
  Figure out;
  out.kind = spec.kind == FigureKind::lines  ? Drawing::lines
             : spec.kind == FigureKind::bars ? Drawing::bars
                                             : Drawing::series;
  const MetricWords words = metric_words(spec.y);
  const bool own_unit = !spec.unit.empty();
  const double factor = spec.scale * (own_unit ? 1 : words.factor);
  out.title = spec.title.empty() ? words.title : spec.title;
  out.note = spec.note;
  out.x.log = spec.log_x;
  out.y = {with_unit(words.title, own_unit ? spec.unit : words.unit), spec.log_y};
  const Groups groups(results, spec);
  RunsSeen seen;
  spec.kind == FigureKind::series ? fill_series(out, results, spec, groups, factor, seen)
                                  : fill_points(out, results, spec, groups, factor, seen);
  limit(out.y, out.curves, words.factor == 100 ? spec.scale * (own_unit ? 1 : 100) : 0);
  limit(out.y2, out.right, 0);
  const bool whiskers = out.kind == Drawing::bars || !out.categories.empty();
  out.band = fmt::format(
      "{}: {} confidence interval ({}) of the mean, {} per {}.", whiskers ? "Whiskers" : "Bands",
      percent(experiment.repeat.confidence),
      experiment.repeat.interval == experiment::Interval::student ? "Student" : "bootstrap",
      seen.text(), out.kind == Drawing::series ? "moment" : "mark");
  return out;
}

}  // namespace bellwether::report
