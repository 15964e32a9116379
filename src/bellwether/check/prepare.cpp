// SPDX-License-Identifier: MIT
#include "bellwether/check/prepare.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <set>

#include "bellwether/core/nearest.hpp"
#include "bellwether/core/problem.hpp"

namespace bellwether::check {
namespace {

constexpr NodeIndex most_nodes = 16;

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts(1);
  for (const char c : text)
    if (c == at)
      parts.emplace_back();
    else if (c != ' ')
      parts.back() += c;
  return parts;
}

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

/// "12" or "3-14": the two ends of a link.
std::pair<std::uint64_t, std::uint64_t> ends_of(const std::string& text, const char* flag) {
  const auto bad = [&]() -> core::Problem {
    return core::Problem(
        std::string(flag), {},
        "\"" + text + "\" is not a link; write 12 for nodes 1 and 2, or 3-14 for larger numbers");
  };
  const auto parts = split(text, '-');
  std::optional<std::uint64_t> a;
  std::optional<std::uint64_t> b;
  if (parts.size() == 2) {
    a = number(parts[0]);
    b = number(parts[1]);
  } else if (text.size() == 2) {
    a = number(std::string_view(text).substr(0, 1));
    b = number(std::string_view(text).substr(1));
  }
  if (!a || !b || *a == 0 || *b == 0 || *a == *b) throw bad();
  return {*a, *b};
}

void number_nodes(Spec& spec, NodeIndex nodes, const char* flag) {
  if (nodes < 1 || nodes > most_nodes)
    throw core::Problem(std::string(flag), {},
                        "between 1 and " + std::to_string(most_nodes) + " nodes can be searched");
  spec.nodes = nodes;
  spec.ids.clear();
  for (NodeIndex u = 0; u < nodes; ++u) spec.ids.push_back(NodeId{u + 1});
}

std::vector<graph::Edge> regular(const std::string& kind, NodeIndex n) {
  std::vector<graph::Edge> links;
  if (kind == "line" || kind == "ring")
    for (NodeIndex u = 0; u + 1 < n; ++u) links.push_back({u, u + 1});
  if (kind == "ring" && n > 2) links.push_back({n - 1, 0});
  if (kind == "star")
    for (NodeIndex u = 1; u < n; ++u) links.push_back({0, u});
  if (kind == "complete")
    for (NodeIndex v = 1; v < n; ++v)
      for (NodeIndex u = 0; u < v; ++u) links.push_back({u, v});
  return links;
}

bool is_connected(NodeIndex n, const std::vector<graph::Edge>& links) {
  std::set<NodeIndex> reached{0};
  for (bool again = true; again;) {
    again = false;
    for (const graph::Edge& e : links)
      if (reached.contains(e.a) != reached.contains(e.b)) {
        reached.insert({e.a, e.b});
        again = true;
      }
  }
  return reached.size() == n;
}

NodeIndex place_of(const Spec& spec, std::uint64_t id, const char* flag) {
  for (NodeIndex u = 0; u < spec.nodes; ++u)
    if (core::raw(spec.ids[u]) == id) return u;
  throw core::Problem(std::string(flag), {}, "there is no node " + std::to_string(id));
}

}  // namespace

void set_graph(Spec& spec, const std::string& text) {
  const auto parts = split(text, ':');
  const std::vector<std::string> kinds{"line", "ring", "star", "complete", "empty"};
  spec.graphs.clear();
  if (parts.size() == 2) {
    const auto n = number(parts[1]);
    if (std::find(kinds.begin(), kinds.end(), parts[0]) == kinds.end())
      throw core::Problem("--graph", {}, core::unknown_name("kind of graph", parts[0], kinds));
    if (!n || *n < 1 || *n > most_nodes)
      throw core::Problem("--graph", {},
                          "the number of nodes must be 1 to " + std::to_string(most_nodes) +
                              ", not \"" + parts[1] + "\"");
    number_nodes(spec, static_cast<NodeIndex>(*n), "--graph");
    spec.graphs.push_back(regular(parts[0], spec.nodes));
    return;
  }
  std::vector<std::pair<std::uint64_t, std::uint64_t>> links;
  std::uint64_t most = spec.nodes;  // --nodes may have asked for more
  for (const std::string& each : split(text, ',')) {
    links.push_back(ends_of(each, "--graph"));
    most = std::max({most, links.back().first, links.back().second});
  }
  if (most > most_nodes)
    throw core::Problem("--graph", {}, "nodes have the numbers 1 to " + std::to_string(most_nodes));
  number_nodes(spec, static_cast<NodeIndex>(most), "--graph");
  std::vector<graph::Edge> edges;
  for (const auto& [a, b] : links)
    edges.push_back({static_cast<NodeIndex>(a - 1), static_cast<NodeIndex>(b - 1)});
  spec.graphs.push_back(edges);
}

void set_all_graphs(Spec& spec, NodeIndex nodes, const core::Model& model, bool connected) {
  if (nodes > 6 && model.shape == core::Shape::any)
    throw core::Problem("--all-graphs", {},
                        "there are too many graphs of more than 6 nodes; name one with --graph");
  number_nodes(spec, nodes, "--all-graphs");
  spec.graphs.clear();
  if (model.shape == core::Shape::complete) {
    spec.graphs.push_back(regular("complete", nodes));
    return;
  }
  if (model.shape == core::Shape::ring) {
    std::vector<NodeIndex> order(nodes);
    std::iota(order.begin(), order.end(), NodeIndex{0});
    do {  // the first stays first: turning a ring changes nothing
      std::vector<graph::Edge> links;
      for (NodeIndex i = 0; nodes > 1 && i < nodes; ++i)
        links.push_back({order[i], order[(i + 1) % nodes]});
      if (nodes == 2 && !spec.one_way) links.pop_back();
      spec.graphs.push_back(links);
    } while (std::next_permutation(order.begin() + 1, order.end()));
    return;
  }
  const std::vector<graph::Edge> all = regular("complete", nodes);
  for (std::uint64_t bits = 0; bits < std::uint64_t{1} << all.size(); ++bits) {
    std::vector<graph::Edge> links;
    for (std::size_t i = 0; i < all.size(); ++i)
      if ((bits >> i & 1) != 0) links.push_back(all[i]);
    if (!connected || is_connected(nodes, links)) spec.graphs.push_back(links);
  }
}

void keep_sparse_graphs(Spec& spec, std::size_t most_links) {
  std::erase_if(spec.graphs, [=](const auto& links) { return links.size() > most_links; });
  if (spec.graphs.empty())
    throw core::Problem("--most-links", {},
                        "no graph of --all-graphs has at most " + std::to_string(most_links) +
                            " links; write a larger number");
}

void set_script(Spec& spec, const std::string& text) {
  for (const std::string& each : split(text, ',')) {
    ScriptStep step;
    if (!each.empty() && (each[0] == 'x' || each[0] == 'r')) {
      const auto id = number(std::string_view(each).substr(1));
      if (!id)
        throw core::Problem(
            "--script", {},
            "\"" + each + "\" does not name a node; write x3 for a crash of node 3");
      step.kind = each[0] == 'x' ? ScriptStep::Kind::crash : ScriptStep::Kind::restart;
      step.a = place_of(spec, *id, "--script");
    } else {
      const auto [a, b] = ends_of(each, "--script");
      step.a = place_of(spec, a, "--script");
      step.b = place_of(spec, b, "--script");
    }
    spec.script.push_back(step);
  }
}

void check_model(const Spec& spec, std::string_view algorithm, const core::Model& model) {
  const auto no = [&](const char* flag, const std::string& sentence) {
    throw core::Problem(
        std::string(flag), {},
        std::string(algorithm) + " " + sentence + "; or add --beyond-model to see what happens");
  };
  using Kind = ScriptStep::Kind;
  const auto scripted = [&](Kind kind) {
    return std::any_of(spec.script.begin(), spec.script.end(),
                       [&](const ScriptStep& s) { return s.kind == kind; });
  };
  if ((spec.changes > 0 || scripted(Kind::flip)) && !model.tolerates_changes)
    no(spec.changes > 0 ? "--changes" : "--script",
       "assumes that links do not change; leave this out");
  if ((spec.crashes > 0 || scripted(Kind::crash)) && !model.tolerates_crashes)
    no(spec.crashes > 0 ? "--crashes" : "--script",
       "assumes that nodes do not crash; leave this out");
  if (spec.losses > 0 && !model.tolerates_loss)
    no("--losses", "assumes that nothing is lost on a link that is up; leave this out");
  if (spec.duplicates > 0 && !model.tolerates_duplicates)
    no("--duplicates", "assumes that nothing arrives twice; leave this out");
  if (spec.order == ChannelOrder::unordered && !model.tolerates_reordering)
    no("--channel", "needs messages in order on each link; write --channel fifo");
  if (spec.one_way && !model.tolerates_one_way)
    no("--one-way", "needs links that go both ways; leave this out");
  for (const auto& graph : spec.graphs) {
    std::vector<unsigned> degree(spec.nodes, 0);
    for (const graph::Edge& e : graph) {
      ++degree[e.a];
      ++degree[e.b];
    }
    const bool ring =
        spec.nodes == 1 ||
        (is_connected(spec.nodes, graph) && graph.size() == spec.nodes &&
         std::all_of(degree.begin(), degree.end(), [](unsigned d) { return d == 2; }));
    const bool pair =
        spec.nodes == 2 && graph.size() <= 2 && !graph.empty() && model.tolerates_one_way;
    if (model.shape == core::Shape::ring && !ring && !pair)
      no("--graph", "needs a ring; write --graph ring:4");
    if (model.shape == core::Shape::complete &&
        2 * graph.size() != std::size_t{spec.nodes} * (spec.nodes - 1))
      no("--graph", "needs a complete network; write --graph complete:4");
  }
}

std::uint64_t message_bound_of(const core::Nodes& nodes, const Spec& spec) {
  std::uint64_t links = 0;
  for (const auto& graph : spec.graphs) links = std::max<std::uint64_t>(links, graph.size());
  const auto bound = nodes.message_bound(spec.nodes, links);
  if (!bound)
    throw core::Problem("message-bound", {},
                        "no bound on the messages of " + std::string(nodes.name()) +
                            " is known; check another property");
  return *bound;
}

bool watches(const Spec& spec) {
  static const std::set<std::string> at_rest{"agreement", "el", "el-ni", "best-leader",
                                             "message-bound"};
  return std::any_of(spec.properties.begin(), spec.properties.end(),
                     [&](const std::string& name) { return !at_rest.contains(name); });
}

void refuse_unknown_property(const std::string& name, const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), name) == known.end())
    throw core::Problem("--property", {}, core::unknown_name("property", name, known));
}

std::vector<std::vector<NodeIndex>> symmetries_of(const Plan& plan) {
  std::vector<std::vector<NodeIndex>> all;
  std::vector<NodeIndex> to(plan.nodes());
  std::iota(to.begin(), to.end(), NodeIndex{0});
  if (!plan.spec.script.empty() || plan.nodes() > 6) return {to};  // a script names nodes
  do {
    const bool same = std::all_of(plan.links.begin(), plan.links.end(), [&](const Wire& w) {
      const Number image = plan.link_between(to[w.a], to[w.b]);
      return image != none && (!plan.spec.one_way || plan.links[image].a == to[w.a]);
    });
    if (same) all.push_back(to);
  } while (std::next_permutation(to.begin(), to.end()));
  return all;
}

}  // namespace bellwether::check
