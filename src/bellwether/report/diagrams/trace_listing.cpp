// SPDX-License-Identifier: MIT
#include "bellwether/report/diagrams/trace_listing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "bellwether/observe/trace/text.hpp"
#include "bellwether/report/tables/units.hpp"

namespace bellwether::report {
namespace {

using observe::columns;

constexpr std::size_t page = 100;
constexpr std::size_t gap = 2;

/// What is shown: pointers into the trace, in the order of the file. One of the two is null.
struct ListedEvent {
  const observe::TraceStep* step = nullptr;
  const observe::TraceDrop* drop = nullptr;
  Time at() const { return step != nullptr ? step->at : drop->at; }
};

enum Column : std::size_t { time, node, what, sends, leader, column_count };
using ListingRow = std::array<std::string, column_count>;
using Widths = std::array<std::size_t, column_count>;

std::vector<ListedEvent> chosen(const Trace& trace, const TraceWindow& window) {
  const std::set<NodeId> nodes(window.nodes.begin(), window.nodes.end());
  const auto wanted = [&](NodeId id) { return nodes.empty() || nodes.contains(id); };
  std::vector<ListedEvent> out;
  auto drop = trace.drops.begin();
  for (std::size_t i = 0; i <= trace.steps.size(); ++i) {
    for (; drop != trace.drops.end() && drop->after_steps <= i; ++drop)
      if (window.holds(drop->at) && (wanted(drop->from) || wanted(drop->to)))
        out.push_back({nullptr, &*drop});
    if (i == trace.steps.size()) break;
    const auto& step = trace.steps[i];
    if (window.holds(step.at) && wanted(step.node)) out.push_back({&step, nullptr});
  }
  return out;
}

/// A drop is listed at the node where the message would have arrived.
ListingRow row_of(const ListedEvent& entry, const TimeUnit& unit, int decimals) {
  const std::string at = in_unit(entry.at(), unit, decimals);
  if (const auto* d = entry.drop)
    return {at, std::to_string(core::raw(d->to)),
            fmt::format("dropped from {}: {} ({})", core::raw(d->from),
                        observe::one_line(d->message), observe::one_line(d->why)),
            "", ""};
  const auto& s = *entry.step;
  return {at, std::to_string(core::raw(s.node)), observe::happened(s), observe::sent(s),
          observe::leader_change(s)};
}

/// The two long columns share what the short ones leave of the page.
Widths widths_of(const std::vector<ListingRow>& rows) {
  Widths widths{};
  for (const ListingRow& row : rows)
    for (std::size_t c = 0; c < column_count; ++c) widths[c] = std::max(widths[c], columns(row[c]));
  const std::size_t fixed = widths[time] + widths[node] + widths[leader] + gap * (column_count - 1);
  const std::size_t left = std::max<std::size_t>(page > fixed ? page - fixed : 0, 40);
  if (widths[what] + widths[sends] <= left) return widths;
  const std::size_t half = left / 2;
  if (widths[what] <= half) {
    widths[sends] = left - widths[what];
  } else if (widths[sends] <= half) {
    widths[what] = left - widths[sends];
  } else {
    widths[what] = half;
    widths[sends] = left - half;
  }
  return widths;
}

/// Takes the next line of at most `most` columns off `text`; breaks at spaces where it can.
std::string take_line(std::string_view& text, std::size_t most) {
  std::size_t end = 0, count = 0, space = 0;
  for (; end < text.size(); ++end) {
    const bool begins = columns(text.substr(end, 1)) == 1;
    if (begins && count++ == most) break;
    if (text[end] == ' ') space = end;
  }
  if (end < text.size() && text[end] != ' ' && space > 0) end = space;
  std::string line(text.substr(0, end));
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(' ', end)));
  return line;
}

void add_row(std::string& out, const ListingRow& row, const Widths& widths) {
  std::array<std::string_view, column_count> rest;
  std::copy(row.begin(), row.end(), rest.begin());
  do {
    std::string line;
    std::size_t start = 0;
    for (std::size_t c = 0; c < column_count; ++c) {
      const std::string cell = take_line(rest[c], widths[c]);
      const bool right = c == time || c == node;
      if (!cell.empty()) {
        line.resize(line.size() + (start - columns(line)), ' ');
        if (right) line.append(widths[c] - columns(cell), ' ');
        line += cell;
      }
      start += widths[c] + gap;
    }
    out += line;
    out += '\n';
  } while (std::any_of(rest.begin(), rest.end(), [](auto r) { return !r.empty(); }));
}

std::string title(const Trace& trace) {
  return fmt::format("{} on {}, seed {}: {}, {}, {}\n", observe::one_line(trace.header.algorithm),
                     observe::one_line(trace.header.scenario), trace.header.seed,
                     counted(trace.header.nodes.size(), "node"),
                     counted(trace.steps.size(), "step"),
                     counted(trace.drops.size(), "dropped message"));
}

std::string remainder(const std::vector<ListedEvent>& entries, std::size_t shown) {
  const auto rest = entries.begin() + static_cast<std::ptrdiff_t>(shown);
  const auto steps = static_cast<std::uint64_t>(
      std::count_if(rest, entries.end(), [](const ListedEvent& e) { return e.step != nullptr; }));
  const auto drops = entries.size() - shown - steps;
  return fmt::format("... {} more {}{}; --all shows them\n", grouped(steps != 0 ? steps : drops),
                     steps != 0 ? "step" : "dropped message",
                     (steps != 0 ? steps : drops) == 1 ? "" : "s");
}

}  // namespace

std::string trace_listing(const Trace& trace, const ListingOptions& options) {
  check_window(trace, options.window);
  const std::vector<ListedEvent> entries = chosen(trace, options.window);
  const std::size_t shown = std::min(entries.size(), options.max_lines);

  Time largest{};
  for (std::size_t i = 0; i < shown; ++i) largest = std::max(largest, entries[i].at());
  const TimeUnit unit = unit_for(largest);
  int decimals = 0;
  for (std::size_t i = 0; i < shown; ++i)
    decimals = std::max(decimals, decimals_needed(entries[i].at(), unit, 6));

  std::vector<ListingRow> rows{
      {fmt::format("time {}", unit.name), "node", "happened", "sent", "leader"}};
  for (std::size_t i = 0; i < shown; ++i) rows.push_back(row_of(entries[i], unit, decimals));
  const Widths widths = widths_of(rows);

  std::string out = title(trace);
  if (shown != 0) {
    out += '\n';
    add_row(out, rows[0], widths);
    ListingRow line;
    for (std::size_t c = 0; c < column_count; ++c) line[c] = std::string(widths[c], '-');
    add_row(out, line, widths);
  }
  const std::string indent(widths[time] + widths[node] + 2 * gap, ' ');
  for (std::size_t i = 0; i < shown; ++i) {
    add_row(out, rows[i + 1], widths);
    if (options.states && entries[i].step != nullptr)
      out += fmt::format("{}= {}\n", indent, observe::one_line(entries[i].step->state));
  }
  if (entries.empty()) out += "Nothing happened here.\n";
  if (shown < entries.size()) out += remainder(entries, shown);
  if (!trace.complete) out += "The trace ends early: the run was stopped, or the file was cut.\n";
  return out;
}

}  // namespace bellwether::report
