// SPDX-License-Identifier: MIT
// The numbers of the page.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "bellwether/observe/metrics/metric_facts.hpp"
#include "bellwether/report/figures/make_figures.hpp"
#include "bellwether/report/page/page_parts.hpp"
#include "bellwether/report/tables/metric_words.hpp"
#include "bellwether/report/tables/published.hpp"
#include "bellwether/report/tables/units.hpp"

namespace bellwether::report {
namespace {

using experiment::Results;
using observe::MetricGroup;

constexpr std::size_t most_open_rows = 40;

template <class... Args>
void add(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

/// The values of a column at each point, in the order of the points.
std::vector<std::vector<double>> by_point(const Results& results, std::size_t column) {
  std::vector<std::vector<double>> out(results.points.size());
  for (const experiment::Row& row : results.rows)
    out.at(row.point).push_back(row.values.at(column));
  return out;
}

void add_head(std::string& out, const Results& results, const std::vector<std::string>& metrics) {
  out += "<thead><tr>";
  for (const experiment::Axis& axis : results.experiment.axes)
    add(out, "<th>{}</th>", html_text(axis.name));
  for (const std::string& metric : metrics) {
    const MetricWords words = metric_words(metric);
    add(out, "<th class=\"n\">{}", html_text(words.title));
    if (!words.unit.empty()) add(out, " <span class=\"unit\">({})</span>", html_text(words.unit));
    out += "</th>";
  }
  out += "<th class=\"n count\">runs</th></tr></thead>\n";
}

/// A point whose first label differs from that of the row above begins a new block.
bool begins_block(const Results& results, std::size_t point) {
  if (point == 0 || results.experiment.axes.size() < 2) return false;
  return results.points[point][0] != results.points[point - 1][0];
}

std::string metrics_table(const Results& results, const std::vector<std::string>& metrics) {
  const experiment::Experiment& experiment = results.experiment;
  std::vector<std::vector<std::vector<double>>> values;
  for (const std::string& metric : metrics)
    values.push_back(by_point(results, experiment::column(metric)));
  std::vector<std::size_t> runs(results.points.size());
  for (const experiment::Row& row : results.rows) ++runs.at(row.point);
  std::string out = "<div class=\"box\" tabindex=\"0\"><table>\n";
  add_head(out, results, metrics);
  out += "<tbody>\n";
  for (std::size_t p = 0; p < results.points.size(); ++p) {
    out += begins_block(results, p) ? "<tr class=\"new\">" : "<tr>";
    for (std::size_t axis = 0; axis < experiment.axes.size(); ++axis)
      add(out, "<td class=\"label\">{}</td>",
          html_text(experiment::label(experiment, results.points[p], axis)));
    for (std::size_t m = 0; m < metrics.size(); ++m) {
      const experiment::Estimate estimate = experiment::estimate(
          values[m][p], experiment.repeat.interval, experiment.repeat.confidence);
      add(out, "<td class=\"n\">{}", mean_text(estimate, metric_words(metrics[m]).factor));
      // Some runs may have no value: no leader crashed, for instance.
      if (estimate.runs != runs[p] && estimate.runs > 0)
        add(out, " <span class=\"quiet\">({})</span>", counted(estimate.runs, "run"));
      out += "</td>";
    }
    add(out, "<td class=\"n\">{}</td></tr>\n", grouped(runs[p]));
  }
  return out + "</tbody></table></div>\n";
}

MetricGroup group_of(const std::string& metric) {
  const observe::MetricFact* fact = metric == "time_s" ? nullptr : observe::metric_fact(metric);
  return fact == nullptr ? MetricGroup::run : fact->group;
}

/// What differs from zero somewhere; the rest is not worth a column.
bool worth_showing(const Results& results, const std::string& metric) {
  const std::size_t column = experiment::column(metric);
  return std::any_of(results.rows.begin(), results.rows.end(), [&](const experiment::Row& row) {
    return std::isfinite(row.values.at(column)) && row.values.at(column) != 0;
  });
}

/// The value that all engines were asked for, and what each of them says.
std::string finding_row(const std::vector<EngineFindings>& engines, std::size_t i) {
  constexpr std::array<std::string_view, 4> signs{"✓", "≈", "✗", "–"};
  const Finding& first = engines[0].findings[i];
  std::string out = "<tr><td class=\"what\">" + html_text(first.what);
  if (!first.note.empty()) add(out, "<br/><span class=\"quiet\">{}</span>", html_text(first.note));
  add(out, "</td><td class=\"n\">{}</td>", first.said);
  for (const EngineFindings& engine : engines) {
    const Finding& finding = engine.findings[i];
    const auto verdict = static_cast<std::size_t>(finding.verdict);
    // Several engines have no room for more than the mean and half of its interval.
    if (engines.size() > 1)
      add(out, "<td class=\"n\">{}</td>", mean_text(finding.measured));
    else
      for (const std::string& cell :
           {bare_mean_text(finding.measured), interval_text(finding.measured),
            grouped(finding.measured.runs)})
        add(out, "<td class=\"n\">{}</td>", cell);
    const std::string name(core::name_of(finding.verdict));
    add(out, "<td class=\"verdict v{}\" title=\"{}\">{}{}</td>", verdict, name, signs[verdict],
        engines.size() > 1 ? "" : " " + name);
  }
  return out + "</tr>\n";
}

/// "3 of 7 values reproduced, 2 in the same direction, 2 not reproduced"
std::string verdicts_text(const std::vector<Finding>& all) {
  const auto count = [&](ReproductionVerdict verdict) {
    return std::count_if(all.begin(), all.end(),
                         [&](const Finding& finding) { return finding.verdict == verdict; });
  };
  std::string out;
  add(out, "{} of {} reproduced", count(ReproductionVerdict::reproduced),
      counted(all.size(), "value"));
  if (count(ReproductionVerdict::same_direction) > 0)
    add(out, ", {} in the same direction", count(ReproductionVerdict::same_direction));
  if (count(ReproductionVerdict::not_reproduced) > 0)
    add(out, ", {} not reproduced", count(ReproductionVerdict::not_reproduced));
  if (count(ReproductionVerdict::no_data) > 0)
    add(out, ", {} without data", count(ReproductionVerdict::no_data));
  return out;
}

}  // namespace

std::string findings_section(const Results& results) {
  const std::vector<EngineFindings> engines = findings_by_engine(results);
  if (engines[0].findings.empty()) return "";
  const bool alone = engines.size() == 1;
  std::string out = "<h2 id=\"published\">Measured beside published</h2>\n";
  for (const EngineFindings& each : engines)
    add(out, "<p>{}{}.</p>\n", alone ? "" : html_text(each.engine) + ": ",
        verdicts_text(each.findings));
  out +=
      "<div class=\"box\" tabindex=\"0\"><table class=\"findings\">\n<thead><tr><th>what</th>"
      "<th class=\"n\">published</th>";
  for (const EngineFindings& each : engines)
    add(out, "<th class=\"n\">{}</th><th>{}</th>",
        alone ? fmt::format("measured</th><th class=\"n\">{} interval</th><th class=\"n\">runs",
                            percent(results.experiment.repeat.confidence))
              : html_text(each.engine),
        alone ? "verdict" : "");
  out += "</tr></thead>\n<tbody>\n";
  for (std::size_t i = 0; i < engines[0].findings.size(); ++i) out += finding_row(engines, i);
  out +=
      "</tbody></table></div>\n<p class=\"quiet\">✓ Reproduced: within the tolerance that the "
      "experiment names, or the published value lies in an interval that is no wider than the "
      "mean. ≈ Same direction: a ratio on the same side of 1, which says nothing about its size, "
      "or a value within a factor of two.</p>\n";
  return out;
}

std::string tables_section(const Results& results) {
  const std::vector<std::string> first = chosen_metrics(results);
  std::string out = "<h2 id=\"numbers\">Numbers</h2>\n<p class=\"quiet\">";
  add(out, "The mean over the runs of a point, ± half of its {} confidence interval.</p>\n",
      percent(results.experiment.repeat.confidence));
  const std::string table = metrics_table(results, first);
  out += results.points.size() <= most_open_rows
             ? table
             : folded(counted(results.points.size(), "point"), table);
  for (std::size_t i = 0; i < observe::names_of(MetricGroup{}).size(); ++i) {
    const auto group = static_cast<MetricGroup>(i);
    std::vector<std::string> rest;
    for (const std::string& metric : experiment::columns())
      if (group_of(metric) == group &&
          std::find(first.begin(), first.end(), metric) == first.end() &&
          worth_showing(results, metric))
        rest.push_back(metric);
    if (!rest.empty())
      out += folded("More: " + std::string(core::name_of(group)), metrics_table(results, rest));
  }
  return out;
}

}  // namespace bellwether::report
