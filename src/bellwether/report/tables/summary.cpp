// SPDX-License-Identifier: MIT
#include "bellwether/report/tables/summary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bellwether/core/fields.hpp"
#include "bellwether/observe/trace/text.hpp"
#include "bellwether/report/figures/make_figures.hpp"
#include "bellwether/report/tables/metric_words.hpp"
#include "bellwether/report/tables/units.hpp"

namespace bellwether::report {
namespace {

constexpr std::size_t most_columns = 5;

std::string cell(const experiment::Estimate& estimate, const MetricWords& words) {
  if (estimate.runs == 0) return "-";
  const std::string text = mean_text(estimate, words.factor);
  if (words.unit.empty()) return text;
  return text + ' ' + (words.unit == "1/s" ? "/s" : words.unit);
}

}  // namespace

experiment::Estimate estimate_at(const experiment::Results& results, std::uint32_t point,
                                 const std::string& metric) {
  const std::size_t at = experiment::column(metric);
  std::vector<double> values;
  for (const experiment::Row& row : results.rows)
    if (row.point == point) values.push_back(row.values[at]);
  const experiment::Repeat& repeat = results.experiment.repeat;
  return experiment::estimate(values, repeat.interval, repeat.confidence);
}

std::string aligned(const std::vector<std::vector<std::string>>& cells, std::size_t left) {
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

std::string summary_table(const experiment::Results& results) {
  std::vector<std::string> metrics = chosen_metrics(results);
  if (metrics.size() > most_columns) metrics.resize(most_columns);
  std::vector<std::vector<std::string>> cells(1);
  for (const auto& axis : results.experiment.axes) cells[0].push_back(axis.name);
  const std::size_t left = cells[0].size();
  cells[0].push_back("runs");
  for (const std::string& metric : metrics) cells[0].push_back(metric_words(metric).title);
  for (std::uint32_t point = 0; point < results.points.size(); ++point) {
    auto& line = cells.emplace_back();
    for (std::size_t axis = 0; axis < left; ++axis)
      line.push_back(
          observe::one_line(experiment::label(results.experiment, results.points[point], axis)));
    const auto runs = std::count_if(results.rows.begin(), results.rows.end(),
                                    [&](const experiment::Row& row) { return row.point == point; });
    line.push_back(grouped(static_cast<std::uint64_t>(runs)));
    for (const std::string& metric : metrics)
      line.push_back(cell(estimate_at(results, point, metric), metric_words(metric)));
  }
  return aligned(cells, left);
}

namespace {

/// what, published, and then for each engine what was measured and the verdict.
std::vector<std::vector<std::string>> findings_cells(const std::vector<EngineFindings>& engines) {
  std::vector<std::vector<std::string>> cells{{"what", "published"}};
  for (const EngineFindings& each : engines)
    cells[0].insert(cells[0].end(), {engines.size() == 1 ? "measured" : each.engine, "verdict"});
  for (std::size_t i = 0; i < engines.at(0).findings.size(); ++i) {
    const Finding& first = engines[0].findings[i];
    auto& line = cells.emplace_back(std::vector{observe::one_line(first.what), first.said});
    for (const EngineFindings& each : engines) {
      line.push_back(mean_text(each.findings[i].measured));
      line.emplace_back(core::name_of(each.findings[i].verdict));
    }
  }
  return cells;
}

}  // namespace

std::string findings_table(const std::vector<EngineFindings>& engines) {
  return aligned(findings_cells(engines), 1);
}

std::string findings_markdown(const std::vector<EngineFindings>& engines) {
  auto cells = findings_cells(engines);
  cells[0].emplace_back("why");
  for (std::size_t i = 1; i < cells.size(); ++i)
    cells[i].push_back(engines[0].findings[i - 1].note);
  cells.insert(cells.begin() + 1, std::vector<std::string>(cells[0].size(), "---"));
  std::string out;
  for (std::size_t i = 0; i < cells.size(); ++i)
    out += i == 1 ? fmt::format("|{}|\n", fmt::join(cells[i], "|"))
                  : fmt::format("| {} |\n", fmt::join(cells[i], " | "));
  return out;
}

}  // namespace bellwether::report
