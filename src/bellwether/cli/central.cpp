// SPDX-License-Identifier: MIT
// bellwether central: the node nearest to all others in a graph from a file.
#include <algorithm>
#include <chrono>
#include <ctime>
#include <iostream>
#include <iterator>
#include <numeric>
#include <type_traits>

#include "bellwether/cli/commands.hpp"
#include "bellwether/cli/flag_value.hpp"
#include "bellwether/core/invariant.hpp"
#include "bellwether/core/nearest.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/graph/centrality.hpp"
#include "bellwether/graph/closeness/closeness.hpp"
#include "bellwether/graph/components.hpp"
#include "bellwether/graph/harmonic.hpp"
#include "bellwether/graph/horizon.hpp"
#include "bellwether/graph/weighted.hpp"
#include "bellwether/report/tables/central.hpp"
#include "bellwether/world/graph_file.hpp"

namespace bellwether::cli {
namespace {

using core::NodeIndex;
using report::CentralMeasure;
using report::CentralReport;
using report::CentralRow;

constexpr std::size_t most_parts = 10;  // components that are shown unasked

struct CentralOptions {
  std::string file;
  NodeIndex top = 1;
  std::string format;
  std::string measure = "closeness";
  std::uint32_t horizon = 0;
  bool weighted = false;
  bool two_way = false;
  bool all = false;
  bool json = false;
};

constexpr const char* footer =
    R"(For each component, the node with the smallest sum of distances to all others in it. Ties go
to the last node: numbers in ascending order, other names in order of first appearance.
Measures that rank the nodes of a component (--measure):
  closeness     least sum of distances to the others
  harmonic      largest sum of 1/distance
  betweenness   most shortest paths of others through it       a search from every node
  pagerank      largest share of a random walk, damping 0.85
  eccentricity  least distance to the farthest node            a search from every node
  tree          least sum of distances in a spanning tree
  degree        most links
Formats, recognized by the file's ending, or else by its contents (--format):
  edges     "a b" or "a b WEIGHT" a line        any other ending
  graphml   GraphML                             .graphml .xml
  dimacs    "p edge" or "p sp", e and a lines   .col .clq .dimacs .gr
  metis     "NODES LINKS", then neighbours      .graph .metis
Loops and repeated links change no distance; they are left out and counted.
The last line is the time; all other output is the same on every run. See docs/central.md.
Examples:
  bellwether central roads.gr                    the most central node of each component
  bellwether central roads.gr --weighted         the same by the lengths of the links
  bellwether central web.edges --top 10 --json   the ten best of each
  cut -d, -f1,2 links.csv | bellwether central - --measure harmonic)";

/// A node and what it is ranked by: see report::CentralRow.
struct NodeAnswer {
  NodeIndex node = 0;
  std::uint64_t others = 0;
  std::uint64_t whole = 0;
  double value = 0;
};

/// Time that passes, and the time of all threads of this program.
class Stopwatch {
 public:
  std::chrono::duration<double> wall() const { return std::chrono::steady_clock::now() - began_; }
  std::chrono::duration<double> cpu() const { return cpu_now() - cpu_began_; }

 private:
  static std::chrono::nanoseconds cpu_now() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
  }
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::chrono::nanoseconds cpu_began_ = cpu_now();
};

world::MeasuredGraph read(const CentralOptions& options) {
  world::GraphReading reading;
  if (!options.format.empty())
    reading.format = value_of_flag<world::GraphFormat>("--format", "format", options.format);
  reading.weights = options.weighted;
  reading.two_way = options.two_way;
  if (options.file != "-")
    return parse_measured_graph(world::file_text(options.file), options.file, reading);
  return parse_measured_graph(world::stream_text(std::cin, "standard input"), "standard input",
                              reading);
}

/// What was computed: for each component, in the order of components(), its best nodes.
using Answers = std::vector<std::vector<NodeAnswer>>;

std::vector<std::vector<graph::Central>> most_central_by_weight(const world::MeasuredGraph& graph,
                                                                NodeIndex top) {
  std::vector<graph::WeightedEdge> edges;
  edges.reserve(graph.links.size());
  for (std::size_t i = 0; i < graph.links.size(); ++i)
    edges.push_back({graph.links[i].a, graph.links[i].b, graph.weights[i]});
  const graph::WeightedGraph weighted(graph.nodes, edges);
  try {
    return graph::most_central_of_each(weighted, top);
  } catch (const core::Violation&) {
    throw core::Problem(
        "--weighted", {},
        "a sum of distances needs more than 64 bits; divide all weights by a number "
        "that makes them smaller");
  }
}

/// Which nodes and links hang together; of a directed graph, all.
struct Parts {
  graph::Components of;
  std::vector<NodeIndex> nodes;
  std::vector<std::uint64_t> links;
};

Parts parts_of(const world::MeasuredGraph& graph) {
  if (graph.direction == graph::Direction::one_way)
    return {{std::vector<std::uint32_t>(graph.nodes, 0), 1}, {graph.nodes}, {graph.links.size()}};
  Parts parts{graph::components(graph.nodes, graph.links), {}, {}};
  parts.nodes = graph::sizes(parts.of);
  parts.links.assign(parts.of.count, 0);
  for (const graph::Edge& e : graph.links) ++parts.links[parts.of.of[e.a]];
  return parts;
}

Answers answers_of(const std::vector<std::vector<graph::Central>>& found) {
  Answers out;
  for (const auto& part : found) {
    out.emplace_back();
    for (const graph::Central& each : part)
      out.back().push_back({each.node, each.reached - 1, each.sum, 0});
  }
  return out;
}

Answers answers_of(const std::vector<std::vector<graph::HarmonicCentral>>& found,
                   const Parts& parts) {
  Answers out;
  for (const auto& part : found) {
    const std::uint64_t others = parts.nodes[out.size()] - 1;
    out.emplace_back();
    for (const graph::HarmonicCentral& each : part)
      out.back().push_back({each.node, others, 0, each.value});
  }
  return out;
}

/// Ranks all nodes by their values.
template <class Value>
Answers answers_of(const Parts& parts, const std::vector<Value>& values, graph::Preferred preferred,
                   NodeIndex top) {
  Answers out;
  for (const auto& nodes : graph::ranked_of_each(parts.of, values, preferred, top)) {
    const std::uint64_t others = parts.nodes[out.size()] - 1;
    out.emplace_back();
    for (const NodeIndex u : nodes) {
      if constexpr (std::is_floating_point_v<Value>)
        out.back().push_back({u, others, 0, values[u]});
      else
        out.back().push_back({u, others, values[u], 0});
    }
  }
  return out;
}

/// In a graph whose links go both ways, each pair of nodes is counted once.
std::vector<double> pairs_between(const graph::Graph& graph) {
  std::vector<double> values = graph::betweenness(graph);
  if (graph.two_way())
    for (double& each : values) each /= 2;
  return values;
}

/// By how many nodes each is elected, if they know the nodes within some hops.
std::vector<std::uint32_t> votes(const graph::Graph& graph, std::uint32_t hops) {
  std::vector<std::uint32_t> out(graph.size(), 0);
  for (const NodeIndex named : graph::most_central_within_each(graph, hops)) ++out[named];
  return out;
}

Answers compute(const world::MeasuredGraph& read, const Parts& parts, CentralMeasure measure,
                const CentralOptions& options) {
  using graph::Preferred;
  if (!read.weights.empty()) return answers_of(most_central_by_weight(read, options.top));
  const graph::Graph graph(read.nodes, read.links, read.direction);
  const NodeIndex top = options.top;
  switch (measure) {
    case CentralMeasure::closeness:
      break;
    case CentralMeasure::harmonic:
      return answers_of(graph::most_harmonic_of_each(graph, top), parts);
    case CentralMeasure::betweenness:
      return answers_of(parts, pairs_between(graph), Preferred::largest, top);
    case CentralMeasure::pagerank:
      return answers_of(parts, graph::page_rank(graph), Preferred::largest, top);
    case CentralMeasure::eccentricity:
      return answers_of(parts, graph::eccentricities(graph), Preferred::least, top);
    case CentralMeasure::tree:
      return answers_of(parts, graph::tree_depth_sums(graph), Preferred::least, top);
    case CentralMeasure::degree:
      return answers_of(parts, graph::degrees(graph), Preferred::largest, top);
  }
  if (options.horizon > 0)
    return answers_of(parts, votes(graph, options.horizon), Preferred::largest, top);
  if (graph.two_way()) return answers_of(graph::most_central_of_each(graph, top));
  return answers_of({{graph::most_central(graph)}});
}

std::vector<CentralRow> named(const std::vector<NodeAnswer>& answers,
                              const world::NodeNames& names) {
  std::vector<CentralRow> best;
  for (const NodeAnswer& each : answers)
    best.push_back({names[each.node], each.others, each.whole, each.value});
  return best;
}

/// The largest components, or all; ties in the order of their first nodes.
void add_parts(CentralReport& report, const Parts& parts, const Answers& answers,
               const world::NodeNames& names, bool all) {
  std::vector<std::uint32_t> order(parts.nodes.size());
  std::iota(order.begin(), order.end(), 0u);
  const std::size_t shown = all ? order.size() : std::min(order.size(), most_parts);
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end(),
                    [&](std::uint32_t x, std::uint32_t y) {
                      if (parts.nodes[x] != parts.nodes[y]) return parts.nodes[x] > parts.nodes[y];
                      return x < y;
                    });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint32_t part = order[i];
    const NodeIndex nodes = parts.nodes[part];
    if (i < shown)
      report.parts.push_back({nodes, parts.links[part], named(answers[part], names)});
    else
      report.more_nodes += nodes;
  }
  report.components = order.size();
  report.more_parts = order.size() - shown;
}

/// What cannot be had together.
void check(const CentralOptions& options, CentralMeasure measure) {
  if (options.top == 0) throw core::Problem("--top", {}, "must be 1 or greater, not 0");
  if (options.horizon > 0 && (options.weighted || measure != CentralMeasure::closeness))
    throw core::Problem("--horizon", {},
                        "applies to closeness in hops only; remove " +
                            std::string(options.weighted ? "--weighted" : "--measure"));
  if (options.weighted && measure != CentralMeasure::closeness) {
    const bool links = measure == CentralMeasure::pagerank || measure == CentralMeasure::degree;
    throw core::Problem("--weighted", {},
                        "the " + options.measure + " measure counts " + (links ? "links" : "hops") +
                            "; remove one of the two");
  }
}

void check_directed(const CentralOptions& options, CentralMeasure measure) {
  if (measure == CentralMeasure::betweenness || measure == CentralMeasure::pagerank) return;
  const std::string flag = options.weighted                       ? "--weighted"
                           : measure != CentralMeasure::closeness ? "--measure " + options.measure
                           : options.horizon > 0                  ? "--horizon"
                           : options.top > 1                      ? "--top"
                                                                  : "";
  if (!flag.empty())
    throw core::Problem(flag, {},
                        "applies to undirected graphs only, and this graph is directed; add "
                        "--two-way to treat its edges as undirected, or remove it");
}

int central(const CentralOptions& options) {
  CentralReport report;
  report.measure = value_of_flag<CentralMeasure>("--measure", "measure", options.measure);
  check(options, report.measure);
  const Stopwatch reading;
  const world::MeasuredGraph graph = read(options);
  report.reading = reading.wall();
  report.directed = graph.direction == graph::Direction::one_way;
  if (report.directed) check_directed(options, report.measure);

  const Stopwatch computing;
  const Parts parts = parts_of(graph);
  const Answers answers = compute(graph, parts, report.measure, options);
  report.computing = computing.wall();
  report.computing_cpu = computing.cpu();

  report.graph = options.file == "-" ? "standard input" : options.file;
  if (options.horizon > 0) report.horizon = options.horizon;
  report.weighted = options.weighted;
  report.ranks = options.top > 1;
  report.nodes = graph.nodes;
  report.links = graph.links.size();
  report.loops = graph.loops;
  report.repeated = graph.repeated;
  add_parts(report, parts, answers, graph.names, options.all);
  const std::string out =
      options.json ? report::central_json(report) + "\n" : report::central_table(report);
  std::fputs(out.c_str(), stdout);
  return 0;
}

}  // namespace

void add_central(terminal::Command& app, int& status) {
  const auto options = std::make_shared<CentralOptions>();
  terminal::Command* sub =
      app.add_subcommand("central", "Find the most central nodes of a graph in a file");
  sub->add_option("file", options->file, "Read the graph from this file; - is standard input")
      ->required();
  sub->add_option("--top", options->top, "Print the N best nodes of each component; 1 or more")
      ->capture_default_str();
  sub->add_option(
      "--format", options->format,
      "Read this format: edges, graphml, dimacs or metis; default: by the file's ending");
  sub->add_option(
         "--measure", options->measure,
         "Rank by closeness, harmonic, betweenness, pagerank, eccentricity, tree or degree")
      ->capture_default_str();
  sub->add_option("--horizon", options->horizon,
                  "Let each node know only the nodes within N hops, and rank by the number of "
                  "nodes that elect a node; 0: no limit")
      ->capture_default_str();
  sub->add_flag("--weighted", options->weighted,
                "Sum the weights in the file instead of counting hops");
  sub->add_flag("--two-way", options->two_way, "Treat directed edges as undirected");
  sub->add_flag("--all", options->all, "Print all components, not only the ten largest");
  sub->add_flag("--json", options->json, "Print one JSON object instead of a table");
  sub->footer(footer);
  sub->callback([options, &status] { status = central(*options); });
}

}  // namespace bellwether::cli
