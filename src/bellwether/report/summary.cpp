// SPDX-License-Identifier: MIT
#include "bellwether/report/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bellwether/observe/metric_facts.hpp"
#include "bellwether/observe/text.hpp"
#include "bellwether/report/units.hpp"

namespace bellwether::report {
namespace {

constexpr std::size_t most_columns = 5;

void add_once(std::vector<std::string>& out, const std::string& metric) {
  const bool there = std::find(out.begin(), out.end(), metric) != out.end();
  if (!metric.empty() && !there && results::has_column(metric)) out.push_back(metric);
}

std::string title_of(const std::string& metric) {
  const observe::MetricFact* fact = observe::metric_fact(metric);
  return fact ? std::string(fact->title) : metric;
}

/// As many digits as the interval leaves sense in.
int digits(double half, double mean) {
  const double scale = half > 0 ? half : std::abs(mean) / 100;
  if (!(scale > 0)) return 0;
  return std::clamp(static_cast<int>(std::ceil(1 - std::log10(scale))), 0, 6);
}

using Cells = std::vector<std::vector<std::string>>;

std::string aligned(const Cells& cells, std::size_t left) {
  std::vector<std::size_t> widths(cells.front().size(), 0);
  for (const auto& line : cells)
    for (std::size_t i = 0; i < line.size(); ++i)
      widths[i] = std::max(widths[i], observe::columns(line[i]));
  std::string out;
  for (const auto& line : cells) {
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string gap(widths[i] - observe::columns(line[i]), ' ');
      text += (i == 0 ? "" : "  ") + (i < left ? line[i] + gap : gap + line[i]);
    }
    out += text.substr(0, text.find_last_not_of(' ') + 1) + '\n';
  }
  return out;
}

}  // namespace

std::vector<std::string> shown_metrics(const results::Results& results) {
  std::vector<std::string> out;
  for (const std::string& metric : results.experiment.metrics) add_once(out, metric);
  if (!out.empty()) return out;
  for (const auto& figure : results.experiment.figures)
    if (figure.kind != scenario::FigureKind::series) add_once(out, figure.y);
  if (!out.empty()) return out;
  for (const char* metric : {"instability", "leader_path_median_hops", "messages_per_s", "messages",
                             "last_leader_change_s", "agreed"}) {
    const std::size_t at = results::column(metric);
    const auto has = [&](const results::Row& row) { return !std::isnan(row.values[at]); };
    if (std::any_of(results.rows.begin(), results.rows.end(), has)) add_once(out, metric);
  }
  return out;
}

results::Estimate estimate_at(const results::Results& results, std::uint32_t point,
                              const std::string& metric) {
  const std::size_t at = results::column(metric);
  std::vector<double> values;
  for (const results::Row& row : results.rows)
    if (row.point == point) values.push_back(row.values[at]);
  const scenario::Repeat& repeat = results.experiment.repeat;
  return results::estimate(values, repeat.interval, repeat.confidence);
}

std::string with_interval(const results::Estimate& estimate, const std::string& metric) {
  if (estimate.runs == 0) return "-";
  const observe::MetricFact* fact = observe::metric_fact(metric);
  const bool share = (fact && fact->unit == "share") || metric == "agreed";
  const double by = share ? 100 : 1;
  const double half = estimate.half_width() * by;
  const double mean = estimate.mean * by;
  const int places = digits(half, mean);
  std::string out = fmt::format("{:.{}f}", mean, places);
  if (estimate.runs > 1) out += fmt::format(" ± {:.{}f}", half, places);
  if (share) return out + " %";
  return fact && !fact->unit.empty()
             ? out + ' ' + (fact->unit == "1/s" ? "/s" : std::string(fact->unit))
             : out;
}

std::string summary_table(const results::Results& results) {
  std::vector<std::string> metrics = shown_metrics(results);
  if (metrics.size() > most_columns) metrics.resize(most_columns);
  Cells cells(1);
  for (const auto& axis : results.experiment.axes) cells[0].push_back(axis.name);
  const std::size_t left = cells[0].size();
  cells[0].push_back("runs");
  for (const std::string& metric : metrics) cells[0].push_back(title_of(metric));
  for (std::uint32_t point = 0; point < results.points.size(); ++point) {
    auto& line = cells.emplace_back();
    for (std::size_t axis = 0; axis < left; ++axis)
      line.push_back(
          observe::one_line(scenario::label(results.experiment, results.points[point], axis)));
    const auto runs = std::count_if(results.rows.begin(), results.rows.end(),
                                    [&](const results::Row& row) { return row.point == point; });
    line.push_back(grouped(static_cast<std::uint64_t>(runs)));
    for (const std::string& metric : metrics)
      line.push_back(with_interval(estimate_at(results, point, metric), metric));
  }
  return aligned(cells, left);
}

}  // namespace bellwether::report
