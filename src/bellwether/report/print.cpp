// SPDX-License-Identifier: MIT
#include "bellwether/report/print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "bellwether/observe/record.hpp"
#include "bellwether/observe/text.hpp"
#include "bellwether/report/units.hpp"

namespace bellwether::report {
namespace {

using observe::ComponentLeader;
using observe::Ended;
using observe::Report;

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
      return "interrupted: somebody stopped the run";
  }
  return "?";
}

template <class... Args>
void add(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

std::string agreement(const Report& report) {
  const std::size_t all = report.leaders.size();
  if (all == 0) return "no node is alive";
  const auto yes = static_cast<std::size_t>(std::count_if(
      report.leaders.begin(), report.leaders.end(), [](const auto& row) { return row.agreed; }));
  if (report.agreed)
    return all == 1 ? "yes: all nodes name one leader" : "yes: one leader in each component";
  return fmt::format("no: one leader in {} of {}", grouped(yes), counted(all, "component"));
}

void add_facts(std::string& out, const Report& report) {
  std::string bytes = human_bytes(report.bytes);
  if (report.bytes >= 1000) bytes += " (" + grouped(report.bytes) + ')';
  std::vector<std::pair<std::string, std::string>> facts{
      {"ended", std::string(meaning(report.ended))},
      {"simulated time", core::to_text(report.time)},
      {"nodes", grouped(report.nodes)},
      {"links", grouped(report.links)},
      {"events", grouped(report.events)},
      {"messages", grouped(report.messages)},
      {"bytes", bytes}};
  for (const auto& metric : report.metrics)
    facts.emplace_back(observe::one_line(metric.name), human_number(metric.value));
  facts.emplace_back("fingerprint", report.fingerprint);
  facts.emplace_back("agreement", agreement(report));
  std::size_t width = 0;
  for (const auto& [name, value] : facts) width = std::max(width, observe::columns(name));
  for (const auto& [name, value] : facts)
    add(out, "{}{}  {}\n", name, std::string(width - observe::columns(name), ' '), value);
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

void add_leaders(std::string& out, const Report& report) {
  const auto rows = largest(report.leaders);
  if (rows.empty()) return;
  std::vector<std::array<std::string, 4>> cells{{"component", "nodes", "leader", "agreed"}};
  for (const ComponentLeader* row : rows)
    cells.push_back({grouped(row->component), grouped(row->size),
                     row->leader ? std::to_string(core::raw(*row->leader)) : "none",
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

void add_violation(std::string& out, const Report& report) {
  if (report.violation.empty()) return;
  add(out, "\nVIOLATION: {}\n", observe::one_line(report.violation));
  if (!report.last_steps.empty()) out += "The last steps:\n";
  for (const std::string& step : report.last_steps) add(out, "  {}\n", observe::one_line(step));
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
  core::append_json_string(out, observe::valid_utf8(text));
}

void add_json_leader(std::string& out, const ComponentLeader& row) {
  add(out, "{{\"component\":{},\"size\":{},\"leader\":", row.component, row.size);
  row.leader ? add(out, "{}", core::raw(*row.leader)) : void(out += "null");
  add(out, ",\"agreed\":{}}}", row.agreed);
}

void add_json_violation(std::string& out, const Report& report) {
  if (report.violation.empty()) return;
  out += ",\"violation\":";
  add_string(out, report.violation);
  out += ",\"last_steps\":[";
  add_list(out, report.last_steps, [&](const std::string& step) { add_string(out, step); });
  out += ']';
}

}  // namespace

std::string report_table(const Report& report) {
  std::string out = fmt::format("{} on {}, seed {}", observe::one_line(report.algorithm),
                                observe::one_line(report.scenario), report.seed);
  add(out, "\n{:-<{}}\n", "", std::min(observe::columns(out), page));
  if (report.ended == Ended::interrupted)
    out += "PARTIAL: the run was interrupted; these are the numbers up to that moment.\n";
  add_facts(out, report);
  add_leaders(out, report);
  add_violation(out, report);
  return out;
}

std::string report_json(const Report& report) {
  std::string out = "{\"algorithm\":";
  add_string(out, report.algorithm);
  out += ",\"scenario\":";
  add_string(out, report.scenario);
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
  out += "},\"fingerprint\":";
  add_string(out, report.fingerprint);
  add_json_violation(out, report);
  out += '}';
  return out;
}

}  // namespace bellwether::report
