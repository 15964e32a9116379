// SPDX-License-Identifier: MIT
#include "bellwether/report/tables/central.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "bellwether/core/print.hpp"
#include "bellwether/core/utf8.hpp"
#include "bellwether/observe/trace/text.hpp"
#include "bellwether/report/tables/units.hpp"

namespace bellwether::report {
namespace {

template <class... Args>
void add(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

/// How the values of a measure are shown. The second column is the first one divided by the number
/// of other nodes, or of pairs of them.
struct MeasureForm {
  std::string_view text;
  std::string_view title;
  std::string_view key;
  bool whole = true;
  std::string_view mean_title{};  // empty: there is none
  std::string_view mean_key{};
};

MeasureForm form_of(const CentralReport& report) {
  switch (report.measure) {
    case CentralMeasure::closeness:
      break;
    case CentralMeasure::harmonic:
      return {"harmonic: the largest sum of 1/distance, in hops",
              "sum of 1/distance",
              "inverse_distance_sum",
              false,
              "mean of 1/distance",
              "mean_inverse_distance"};
    case CentralMeasure::betweenness:
      return {
          "betweenness: the most pairs of others with a shortest path through it; of several "
          "such paths, their share",
          "pairs",
          "betweenness",
          false,
          "share of pairs",
          "share_of_pairs"};
    case CentralMeasure::pagerank:
      return {"pagerank: the largest PageRank, damping 0.85", "pagerank", "pagerank", false};
    case CentralMeasure::eccentricity:
      return {"eccentricity: the smallest distance to the farthest node, in hops", "eccentricity",
              "eccentricity"};
    case CentralMeasure::tree:
      return {"tree: the smallest sum of distances in a spanning tree, in hops",
              "depth sum",
              "depth_sum",
              true,
              "mean depth",
              "mean_depth"};
    case CentralMeasure::degree:
      return {"degree: the most links", "degree", "degree"};
  }
  if (report.horizon) return {"", "elected by", "elected_by"};
  return {report.directed   ? "closeness along the arrows: who reaches most, then the smallest sum "
                              "of distances, in hops"
          : report.weighted ? "closeness: the smallest sum of distances, in weights"
                            : "closeness: the smallest sum of distances, in hops",
          "distance sum",
          "distance_sum",
          true,
          "mean distance",
          "mean_distance"};
}

std::string measure_text(const CentralReport& report) {
  if (!report.horizon) return std::string(form_of(report).text);
  return fmt::format("closeness within {}: elected by the most nodes, of which none knows more",
                     counted(*report.horizon, "hop"));
}

/// What the second column says; nothing of a node without others.
std::optional<double> mean(const CentralReport& report, const MeasureForm& form,
                           const CentralRow& node) {
  auto among = static_cast<double>(node.others);
  if (report.measure == CentralMeasure::betweenness)
    among *= (among - 1) / (report.directed ? 1 : 2);
  if (among <= 0) return std::nullopt;
  return (form.whole ? static_cast<double>(node.whole) : node.value) / among;
}

/// Undirected: a node reaches all others. Directed: only closeness counts the nodes it reaches.
bool says_who_is_reached(const CentralReport& report) {
  return !report.directed || (report.measure == CentralMeasure::closeness && !report.horizon);
}

std::string number_text(const CentralReport& report, const MeasureForm& form,
                        const CentralRow& node) {
  if (form.whole) return grouped(node.whole);
  return report.measure == CentralMeasure::pagerank ? fmt::format("{:#.4g}", node.value)
                                                    : fmt::format("{:.4f}", node.value);
}

std::string left_out(const CentralReport& report) {
  std::string out;
  if (report.loops > 0) out += counted(report.loops, "loop");
  if (report.repeated > 0)
    out += (out.empty() ? "" : " and ") + counted(report.repeated, "repeated link");
  if (report.weighted && report.repeated > 0) out += " (the smallest weight counts)";
  return out;
}

/// Three digits: "1.23 s", "45.6 ms", "7 us".
std::string human_time(std::chrono::duration<double> time) {
  const double s = time.count();
  if (s < 0.999'5e-3) return fmt::format("{:.0f} us", s * 1e6);
  const auto [value, unit] = s < 0.999'5 ? std::pair(s * 1e3, "ms") : std::pair(s, "s");
  // The limits are where rounding to fewer digits begins: 9.995 is 10.0, not 10.00.
  return fmt::format("{:.{}f} {}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0, unit);
}

enum class Align : unsigned char { left, right };

struct Column {
  std::string title;
  Align align = Align::right;
  std::vector<std::string> cells{};
};

void add_columns(std::string& out, const std::vector<Column>& columns) {
  std::vector<std::size_t> width;
  for (const Column& column : columns) {
    width.push_back(observe::columns(column.title));
    for (const std::string& cell : column.cells)
      width.back() = std::max(width.back(), observe::columns(cell));
  }
  const auto line = [&](auto&& cell) {
    std::string text;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::string& word = cell(c);
      const std::string room(width[c] - observe::columns(word), ' ');
      text += c == 0 ? "" : "  ";
      text += columns[c].align == Align::left ? word + room : room + word;
    }
    out += text.substr(0, text.find_last_not_of(' ') + 1) + '\n';
  };
  line([&](std::size_t c) { return columns[c].title; });
  line([&](std::size_t c) { return std::string(width[c], '-'); });
  for (std::size_t i = 0; i < columns[0].cells.size(); ++i)
    line([&](std::size_t c) { return columns[c].cells[i]; });
}

/// A row for each node; what is said of its component stands in the first of them.
void add_parts(std::string& out, const CentralReport& report) {
  Column number{"component"};
  Column nodes{"nodes"};
  Column links{"links"};
  Column rank{"rank"};
  Column name{report.ranks ? "node" : "most central", Align::left};
  Column reaches{"reaches"};
  const MeasureForm form = form_of(report);
  Column value{std::string(form.title)};
  Column average{std::string(form.mean_title)};
  for (std::size_t p = 0; p < report.parts.size(); ++p) {
    const CentralPart& part = report.parts[p];
    for (std::size_t i = 0; i < part.best.size(); ++i) {
      const CentralRow& node = part.best[i];
      number.cells.push_back(i == 0 ? grouped(p + 1) : "");
      nodes.cells.push_back(i == 0 ? grouped(part.nodes) : "");
      links.cells.push_back(i == 0 ? grouped(part.links) : "");
      rank.cells.push_back(grouped(i + 1));
      name.cells.push_back(observe::one_line(node.name));
      reaches.cells.push_back(grouped(node.others));
      value.cells.push_back(number_text(report, form, node));
      const std::optional<double> each = mean(report, form, node);
      average.cells.push_back(each ? fmt::format("{:.4f}", *each) : "-");
    }
  }
  std::vector<Column> columns;
  if (!report.directed) columns = {std::move(number), std::move(nodes), std::move(links)};
  if (report.ranks) columns.push_back(std::move(rank));
  columns.push_back(std::move(name));
  if (report.directed && says_who_is_reached(report)) columns.push_back(std::move(reaches));
  columns.push_back(std::move(value));
  if (!form.mean_title.empty()) columns.push_back(std::move(average));
  add_columns(out, columns);
}

void add_json_string(std::string& out, std::string_view text) {
  core::append_json_string(out, core::valid_utf8(text));
}

void add_json_node(std::string& out, const CentralReport& report, const CentralRow& node) {
  out += "{\"node\":";
  add_json_string(out, node.name);
  if (says_who_is_reached(report)) add(out, ",\"reaches\":{}", node.others);
  const MeasureForm form = form_of(report);
  add(out, ",\"{}\":", form.key);
  form.whole ? add(out, "{}", node.whole) : core::append_number(out, node.value);
  if (!form.mean_key.empty()) {
    add(out, ",\"{}\":", form.mean_key);
    const std::optional<double> each = mean(report, form, node);
    each ? core::append_number(out, *each) : void(out += "null");
  }
  out += '}';
}

void add_json_part(std::string& out, const CentralReport& report, const CentralPart& part) {
  out += '{';
  if (!report.directed) add(out, "\"component\":{},", &part - report.parts.data() + 1);
  add(out, "\"nodes\":{},\"links\":{},\"ranked\":[", part.nodes, part.links);
  for (const CentralRow& node : part.best) {
    if (&node != part.best.data()) out += ',';
    add_json_node(out, report, node);
  }
  out += "]}";
}

}  // namespace

std::string central_table(const CentralReport& report) {
  std::string out = "most central in " + observe::one_line(report.graph);
  add(out, "\n{:-<{}}\n", "", std::min<std::size_t>(observe::columns(out), 100));
  add(out, "measure     {}\n", measure_text(report));
  add(out, "nodes       {}\n", grouped(report.nodes));
  add(out, "links       {}\n", grouped(report.links));
  if (!report.directed) add(out, "components  {}\n", grouped(report.components));
  if (const std::string text = left_out(report); !text.empty()) add(out, "left out    {}\n", text);
  out += '\n';
  add_parts(out, report);
  if (report.more_parts > 0)
    add(out, "... and {} with {} in all (--all shows them)\n",
        counted(report.more_parts, "more component"), counted(report.more_nodes, "node"));
  add(out, "\ntime        {} to read, {} to compute ({} of CPU time)\n", human_time(report.reading),
      human_time(report.computing), human_time(report.computing_cpu));
  return out;
}

std::string central_json(const CentralReport& report) {
  std::string out = "{\"graph\":";
  add_json_string(out, report.graph);
  add(out, ",\"measure\":\"{}\"", core::name_of(report.measure));
  if (report.horizon) add(out, ",\"horizon\":{}", *report.horizon);
  add(out, ",\"weighted\":{},\"directed\":{},\"nodes\":{},\"links\":{}", report.weighted,
      report.directed, report.nodes, report.links);
  add(out, ",\"left_out\":{{\"loops\":{},\"repeated_links\":{}}}", report.loops, report.repeated);
  if (!report.directed) add(out, ",\"components\":{}", report.components);
  out += ",\"most_central\":[";
  for (const CentralPart& part : report.parts) {
    if (&part != report.parts.data()) out += ',';
    add_json_part(out, report, part);
  }
  add(out, "],\"not_shown\":{{\"components\":{},\"nodes\":{}}}", report.more_parts,
      report.more_nodes);
  out += ",\"time\":{\"reading_s\":";
  core::append_number(out, report.reading.count());
  out += ",\"computing_s\":";
  core::append_number(out, report.computing.count());
  out += ",\"computing_cpu_s\":";
  core::append_number(out, report.computing_cpu.count());
  out += "}}";
  return out;
}

}  // namespace bellwether::report
