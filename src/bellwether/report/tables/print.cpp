// SPDX-License-Identifier: MIT
#include "bellwether/report/tables/print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "bellwether/core/human_bytes.hpp"
#include "bellwether/core/utf8.hpp"
#include "bellwether/observe/metrics/metric_facts.hpp"
#include "bellwether/observe/trace/record.hpp"
#include "bellwether/observe/trace/text.hpp"
#include "bellwether/report/tables/units.hpp"

namespace bellwether::report {
namespace {

using observe::ComponentLeader;
using observe::Ended;
using observe::MetricGroup;
using observe::RunReport;

constexpr std::size_t most_rows = 10;
constexpr std::size_t page = 100;

std::string_view meaning(Ended ended) {
  switch (ended) {
    case Ended::quiescent:
      return "quiescent: nothing was left to do";
    case Ended::deadline:
      return "deadline: the time was up";
    case Ended::event_limit:
      return "event-limit: the number of events was reached";
    case Ended::violation:
      return "violation: a property was broken";
    case Ended::interrupted:
      return "interrupted: the run was stopped";
  }
  return "?";
}

template <class... Args>
void add(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

double value_of(const RunReport& report, std::string_view name) {
  for (const auto& metric : report.metrics)
    if (metric.name == name) return metric.value;
  return 0;
}

std::string agreement(const RunReport& report) {
  const std::size_t all = report.leaders.size();
  if (all == 0) return "no node is alive";
  const auto yes = static_cast<std::size_t>(std::count_if(
      report.leaders.begin(), report.leaders.end(), [](const auto& row) { return row.agreed; }));
  if (report.agreed)
    return all == 1 ? "yes: all nodes name one leader" : "yes: one leader in each component";
  // A run of N rounds ends with one more, in which nothing is left to do.
  if (value_of(report, "rounds_alike") == value_of(report, "rounds") + 1)
    return "no: all nodes were alike after every round, so none could lead alone (Angluin)";
  return fmt::format("no: one leader in {} of {}", grouped(yes), counted(all, "component"));
}

using Rows = std::vector<std::pair<std::string, std::string>>;

/// Two columns; `indent` before the first.
void add_rows(std::string& out, const Rows& rows, std::string_view indent) {
  std::size_t width = 0;
  for (const auto& [name, value] : rows) width = std::max(width, observe::columns(name));
  for (const auto& [name, value] : rows)
    add(out, "{}{}{}  {}\n", indent, name, std::string(width - observe::columns(name), ' '), value);
}

bool rows_name(const Rows& rows, std::string_view name) {
  return std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row.first == name; });
}

/// "12.5 %", "3 hops", "0.25 /s"
std::string with_unit(double value, std::string_view unit) {
  if (unit.empty() || !std::isfinite(value)) return human_number(value);
  if (unit == "share") return fmt::format("{:.4g} %", value * 100);
  return fmt::format("{} {}", human_number(value), unit == "1/s" ? "/s" : unit);
}

/// A table leaves out what a measured run says more exactly below, radio states that do not occur,
/// and elections after crashes where no leader has crashed.
bool left_out(const RunReport& report, const observe::Metric& metric, MetricGroup group) {
  switch (group) {
    case MetricGroup::run:
      return value_of(report, "measured_time_s") > 0 &&
             (metric.name == "leader_changes" || metric.name == "messages_per_node");
    case MetricGroup::crashes:
      return value_of(report, "leader_crashes") == 0;
    case MetricGroup::energy:
      return metric.value == 0;
    default:
      return false;
  }
}

constexpr std::string_view instability_note =
    "  (instability: mean share of live nodes that do not name the node that should lead their "
    "component)\n";

/// The metrics of one group in words. Those without a description belong to the run.
void add_metrics(Rows& rows, const RunReport& report, MetricGroup group) {
  for (const auto& metric : report.metrics) {
    const observe::MetricFact* fact = observe::metric_fact(metric.name);
    if ((fact == nullptr ? MetricGroup::run : fact->group) != group) continue;
    if (left_out(report, metric, group)) continue;
    rows.emplace_back(fact == nullptr ? observe::one_line(metric.name) : std::string(fact->title),
                      with_unit(metric.value, fact == nullptr ? "" : fact->unit));
  }
}

void add_groups(std::string& out, const RunReport& report) {
  for (std::size_t i = 1; i < observe::names_of(MetricGroup{}).size(); ++i) {
    const auto group = static_cast<MetricGroup>(i);
    Rows rows;
    add_metrics(rows, report, group);
    if (rows.empty()) continue;
    add(out, "\n{}\n", core::name_of(group));
    add_rows(out, rows, "  ");
    if (rows_name(rows, "instability")) out += instability_note;
  }
}

/// Ids begin at 1: 0 is the leader of an anonymous network.
std::string leader_text(const std::optional<observe::NodeId>& leader) {
  if (!leader) return "none";
  return core::raw(*leader) == 0 ? "nameless" : std::to_string(core::raw(*leader));
}

/// Few leaders by their ids; where there are many, the table below lists them.
std::string leader_summary(const RunReport& report) {
  constexpr std::size_t few = 4;
  if (report.leaders.empty()) return "none";
  if (report.leaders.size() > few) return "see the table of components below";
  std::string out;
  for (const ComponentLeader& each : report.leaders)
    out += (out.empty() ? "" : ", ") + (each.agreed ? leader_text(each.leader) : "not agreed");
  return report.leaders.size() == 1 ? out : out + " (one for each component)";
}

void add_facts(std::string& out, const RunReport& report) {
  std::string bytes = core::human_bytes(report.bytes);
  if (report.bytes >= 1000) bytes += " (" + grouped(report.bytes) + ')';
  Rows facts{{"leader", leader_summary(report)},
             {"agreement", agreement(report)},
             {"ended", std::string(meaning(report.ended))},
             {"simulated time", with_unit(core::seconds(report.time), "s")},
             {"nodes", grouped(report.nodes)},
             {"links", grouped(report.links)},
             {"events", grouped(report.events)},
             {"messages", grouped(report.messages)},
             {"bytes", bytes}};
  add_metrics(facts, report, MetricGroup::run);
  facts.emplace_back("fingerprint", report.fingerprint);
  add_rows(out, facts, "");
}

/// The largest components first; ties in the order of their numbers.
std::vector<const ComponentLeader*> largest(const std::vector<ComponentLeader>& leaders) {
  std::vector<const ComponentLeader*> rows;
  rows.reserve(leaders.size());
  for (const ComponentLeader& row : leaders) rows.push_back(&row);
  const auto shown = static_cast<std::ptrdiff_t>(std::min(rows.size(), most_rows));
  std::partial_sort(rows.begin(), rows.begin() + shown, rows.end(), [](auto* x, auto* y) {
    return x->size != y->size ? x->size > y->size : x->component < y->component;
  });
  rows.resize(static_cast<std::size_t>(shown));
  return rows;
}

void add_leaders(std::string& out, const RunReport& report) {
  const auto rows = largest(report.leaders);
  if (rows.empty()) return;
  std::vector<std::array<std::string, 4>> cells{{"component", "nodes", "leader", "agreed"}};
  for (const ComponentLeader* row : rows)
    cells.push_back({grouped(row->component), grouped(row->size), leader_text(row->leader),
                     row->agreed ? "yes" : "no"});
  std::array<std::size_t, 4> width{};
  for (const auto& row : cells)
    for (std::size_t c = 0; c < 4; ++c) width[c] = std::max(width[c], row[c].size());
  out += '\n';
  for (const auto& row : cells) {
    add(out, "{:>{}}  {:>{}}  {:>{}}  {}\n", row[0], width[0], row[1], width[1], row[2], width[2],
        row[3]);
    if (&row == &cells.front())
      add(out, "{:-<{}}  {:-<{}}  {:-<{}}  {:-<{}}\n", "", width[0], "", width[1], "", width[2], "",
          width[3]);
  }
  if (report.leaders.size() > rows.size())
    add(out, "... and {} more\n", grouped(report.leaders.size() - rows.size()));
}

void add_violation(std::string& out, const RunReport& report) {
  if (report.violation.empty()) return;
  add(out, "\nVIOLATION: {}\n", observe::one_line(report.violation));
  if (!report.last_steps.empty()) out += "The last steps:\n";
  for (const std::string& step : report.last_steps) add(out, "  {}\n", observe::one_line(step));
}

/// Whether the recorded steps were taken again, and which was the first to differ.
void add_replay(std::string& out, const RunReport& report) {
  if (!report.replay) return;
  const observe::ReplayComparison& replay = *report.replay;
  if (replay.as_recorded() && replay.steps == 0)
    return add(out, "\nREPLAY: no steps are recorded to compare with\n");
  if (replay.as_recorded())
    return add(out, "\nREPLAY: all {} {} as recorded\n", counted(replay.steps, "step"),
               replay.steps == 1 ? "is" : "are");
  add(out, "\nREPLAY: step {} is not as recorded\n", grouped(replay.same + 1));
  const auto line = [&](const char* name, const std::string& text, const char* none) {
    add(out, "  {}  {}\n", name, text.empty() ? none : observe::one_line(text));
  };
  line("recorded", replay.recorded, "nothing: the recorded run had ended");
  line("replayed", replay.taken, "nothing: the replay had ended");
}

/// Leaves `out` without a comma behind the last element.
template <class Range, class Each>
void add_list(std::string& out, const Range& range, Each&& each) {
  bool first = true;
  for (const auto& element : range) {
    if (!first) out += ',';
    first = false;
    each(element);
  }
}

void add_string(std::string& out, std::string_view text) {
  core::append_json_string(out, core::valid_utf8(text));
}

void add_json_leader(std::string& out, const ComponentLeader& row) {
  add(out, "{{\"component\":{},\"size\":{},\"leader\":", row.component, row.size);
  row.leader ? add(out, "{}", core::raw(*row.leader)) : void(out += "null");
  add(out, ",\"agreed\":{}}}", row.agreed);
}

void add_json_series(std::string& out, const RunReport& report) {
  if (!report.series) return;
  out += ",\"series\":{\"interval_s\":";
  core::append_number(out, core::seconds(report.series->interval));
  out += ",\"columns\":[";
  add_list(out, report.series->columns, [&](const std::string& name) { add_string(out, name); });
  out += "],\"rows\":[";
  add_list(out, report.series->rows, [&](const std::vector<double>& row) {
    out += '[';
    add_list(out, row, [&](double value) { core::append_number(out, value); });
    out += ']';
  });
  out += "]}";
}

void add_json_violation(std::string& out, const RunReport& report) {
  if (report.violation.empty()) return;
  out += ",\"violation\":";
  add_string(out, report.violation);
  out += ",\"last_steps\":[";
  add_list(out, report.last_steps, [&](const std::string& step) { add_string(out, step); });
  out += ']';
}

void add_json_replay(std::string& out, const RunReport& report) {
  if (!report.replay) return;
  const observe::ReplayComparison& replay = *report.replay;
  add(out, ",\"replay\":{{\"steps\":{},\"as_recorded\":{}", replay.steps, replay.as_recorded());
  const auto line = [&](const char* key, const std::string& text) {
    add(out, ",\"{}\":", key);
    text.empty() ? void(out += "null") : add_string(out, text);
  };
  if (!replay.as_recorded()) {
    add(out, ",\"first_difference\":{}", replay.same + 1);
    line("recorded", replay.recorded);
    line("replayed", replay.taken);
  }
  out += '}';
}

}  // namespace

std::string report_table(const RunReport& report, const std::string& engine) {
  std::string out = fmt::format("{} on {}, seed {}", observe::one_line(report.algorithm),
                                observe::one_line(report.scenario), report.seed);
  if (!engine.empty()) add(out, ", carried by {}", engine);
  add(out, "\n{:-<{}}\n", "", std::min(observe::columns(out), page));
  if (report.ended == Ended::interrupted)
    out += "PARTIAL: the run was interrupted; these are the numbers up to that moment.\n";
  add_facts(out, report);
  add_groups(out, report);
  add_leaders(out, report);
  add_violation(out, report);
  add_replay(out, report);
  return out;
}

std::string report_json(const RunReport& report, const std::string& engine) {
  std::string out = "{\"algorithm\":";
  add_string(out, report.algorithm);
  out += ",\"scenario\":";
  add_string(out, report.scenario);
  if (!engine.empty()) add(out, ",\"engine\":\"{}\"", engine);
  add(out, ",\"seed\":{},\"nodes\":{},\"links\":{},\"events\":{},\"messages\":{},\"bytes\":{}",
      report.seed, report.nodes, report.links, report.events, report.messages, report.bytes);
  out += ",\"time_s\":";
  // A quotient, since a product with 1e-9 is off in the last digit.
  core::append_number(out, static_cast<double>(report.time.count()) / 1e9);
  add(out, ",\"ended\":\"{}\",\"partial\":{},\"agreed\":{},\"leaders\":[",
      core::name_of(report.ended), report.ended == Ended::interrupted, report.agreed);
  add_list(out, report.leaders, [&](const ComponentLeader& row) { add_json_leader(out, row); });
  out += "],\"metrics\":{";
  add_list(out, report.metrics, [&](const observe::Metric& metric) {
    add_string(out, metric.name);
    out += ':';
    core::append_number(out, metric.value);
  });
  out += '}';
  add_json_series(out, report);
  out += ",\"fingerprint\":";
  add_string(out, report.fingerprint);
  add_json_violation(out, report);
  add_json_replay(out, report);
  out += '}';
  return out;
}

std::string series_csv(const RunReport& report) {
  std::string out;
  if (!report.series) return out;
  add_list(out, report.series->columns, [&](const std::string& name) { out += name; });
  out += '\n';
  for (const std::vector<double>& row : report.series->rows) {
    add_list(out, row, [&](double value) {
      if (std::isfinite(value)) core::append_number(out, value);
    });
    out += '\n';
  }
  return out;
}

}  // namespace bellwether::report
