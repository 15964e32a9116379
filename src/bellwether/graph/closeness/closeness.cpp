// SPDX-License-Identifier: MIT
// Picks the method.
#include "bellwether/graph/closeness/closeness.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "bellwether/core/invariant.hpp"
#include "bellwether/graph/closeness/blocks.hpp"
#include "bellwether/graph/closeness/kernels.hpp"
#include "bellwether/graph/closeness/search.hpp"
#include "bellwether/graph/components.hpp"
#include "bellwether/graph/distances.hpp"

namespace bellwether::graph {

namespace {

using Ranking = std::optional<std::vector<Central>>;

/// By one search from each node. For one-way graphs that are large or where no node reaches all.
Central by_definition(const Graph& graph) {
  Central best;
  for (NodeIndex u = 0; u < graph.size(); ++u) {
    Central each{u, 0, 0};
    for (const std::uint32_t distance : distances(graph, u)) {
      if (distance == unreachable) continue;
      ++each.reached;
      each.sum += distance;
    }
    if (each.beats(best)) best = each;
  }
  return best;
}

/// Few links: trees, rings, and combinations of them.
bool is_sparse(const Graph& graph) {
  return graph.arcs() < 3 * std::size_t{graph.size()};
}

/// Where distances are about as long as in a random graph of that degree, a search reaches
/// every node in a few hops, from wherever it begins.
bool everybody_is_near(const LocalGraph& local) {
  const double n = local.size();
  const double degree = static_cast<double>(local.targets.size()) / n;
  const double mean = static_cast<double>(local.first_sum) / n;
  return degree > 2.5 && mean < 2 * std::log(n) / std::log(degree - 1);
}

constexpr std::ptrdiff_t few = 8;  // searched one by one

/// One search from each allowed node.
void search_each(const LocalGraph& local, const std::vector<std::uint8_t>& allowed,
                 Podium& podium) {
  const Pulls pulls(local, std::vector<std::uint8_t>(local.size(), 1));
  Searcher<std::uint32_t> searcher(pulls);
  std::vector<std::uint32_t> unused;
  for (std::uint32_t u = 0; u < local.size(); ++u)
    if (allowed[u] != 0) podium.offer({local.names[u], local.size(), searcher.run(u, unused)});
}

/// Two-way, of any size. Nothing where the graph is not connected.
Ranking large_answer(const Graph& graph, std::size_t places, Processor processor) {
  const LocalGraph local(graph);
  if (local.size() < graph.size()) return std::nullopt;
  std::vector<std::uint8_t> allowed(local.size(), 1);
  Podium podium(places);
  if (places == 1 && is_sparse(graph)) {
    allowed = centroid_block(local);
    if (const auto central = central_of_cycle(local, allowed)) return std::vector{*central};
    if (std::count(allowed.begin(), allowed.end(), 1) <= few) {
      search_each(local, allowed, podium);
      return podium.take();
    }
  }
  if (everybody_is_near(local)) {
    walk_central(local, allowed, processor, podium);
    return podium.take();
  }
  std::vector<std::uint8_t> kept(local.size(), 1);
  if (places == 1) {
    kept = unfolded(local);
    for (std::size_t u = 0; u < kept.size(); ++u) allowed[u] &= kept[u];
  }
  plane_central(local, kept, allowed, processor, podium);
  return podium.take();
}

/// The best of a graph in which every node reaches every other. False where that is not so, and for
/// large one-way graphs.
bool answer(const Graph& graph, Processor processor, Central& best) {
  if (graph.size() <= most_bit_rows) return small_central(graph, processor, best);
  const bool rules = graph.two_way() && is_sparse(graph);
  if (graph.size() <= most_dense && !rules) return dense_central(graph, processor, best);
  if (!graph.two_way()) return false;
  const Ranking large = large_answer(graph, 1, processor);
  if (large) best = large->front();
  return large.has_value();
}

/// The same for the best few of a two-way graph.
Ranking answer(const Graph& graph, std::size_t places, Processor processor) {
  if (places > 1) return large_answer(graph, places, processor);
  Central best;
  if (!answer(graph, processor, best)) return std::nullopt;
  return std::vector{best};
}

std::size_t words_of(NodeIndex nodes) {
  return (std::size_t{nodes} + 63) / 64;
}

/// Rows of bits as lists; two-way where every bit has its counterpart.
Graph drawn(NodeIndex nodes, std::span<const std::uint64_t> rows) {
  const std::size_t words = words_of(nodes);
  const auto linked = [&](NodeIndex u, NodeIndex v) {
    return (rows[u * words + v / 64] >> v % 64 & 1) != 0;
  };
  std::vector<Edge> arcs;
  bool both = true;
  for (NodeIndex u = 0; u < nodes; ++u)
    for (std::size_t w = 0; w < words; ++w)
      for (std::uint64_t bits = rows[u * words + w]; bits != 0; bits &= bits - 1) {
        const auto v =
            static_cast<NodeIndex>(64 * w + static_cast<std::size_t>(std::countr_zero(bits)));
        core::invariant(v < nodes, "a bit stands for a node");
        arcs.push_back({u, v});
        both = both && linked(v, u);
      }
  if (!both) return Graph(nodes, arcs, Direction::one_way);
  std::erase_if(arcs, [](const Edge& arc) { return arc.a >= arc.b; });
  return Graph(nodes, arcs);
}

/// A component with its nodes numbered in their order.
struct ComponentGraph {
  std::vector<NodeIndex> names;
  Graph graph;
};

std::vector<ComponentGraph> parts_of(const Graph& graph) {
  const Components components_of = components(graph);
  std::vector<ComponentGraph> parts(components_of.count);
  std::vector<NodeIndex> place(graph.size());
  std::vector<std::vector<Edge>> links(components_of.count);
  for (NodeIndex u = 0; u < graph.size(); ++u) {
    ComponentGraph& part = parts[components_of.of[u]];
    place[u] = static_cast<NodeIndex>(part.names.size());
    part.names.push_back(u);
  }
  for (NodeIndex u = 0; u < graph.size(); ++u)
    for (const NodeIndex v : graph.neighbours(u))
      if (u < v || !graph.two_way()) links[components_of.of[u]].push_back({place[u], place[v]});
  for (std::size_t i = 0; i < parts.size(); ++i)
    parts[i].graph = Graph(static_cast<NodeIndex>(parts[i].names.size()), links[i]);
  return parts;
}

std::vector<std::vector<Central>> best_of_parts(const Graph& graph, NodeIndex count,
                                                Processor processor) {
  std::vector<std::vector<Central>> best;
  for (const ComponentGraph& part : parts_of(graph)) {
    const std::size_t places = std::min(count, part.graph.size());
    best.push_back(*answer(part.graph, places, processor));
    for (Central& each : best.back()) each.node = part.names[each.node];
  }
  return best;
}

}  // namespace

Central most_central(const Graph& graph, Processor processor) {
  core::invariant(graph.size() > 0, "an empty graph has no central node");
  Central best;
  if (answer(graph, processor, best)) return best;
  if (!graph.two_way()) return by_definition(graph);
  best = {};
  for (const auto& each : best_of_parts(graph, 1, processor))
    if (each.front().beats(best)) best = each.front();
  return best;
}

Central most_central(const Graph& graph) {
  return most_central(graph, this_processor());
}

Central most_central(std::span<const std::uint64_t> rows) {
  core::invariant(!rows.empty(), "an empty graph has no central node");
  core::invariant(rows.size() <= most_bit_rows, "a row of bits is for at most 64 nodes");
  Central best;
  if (small_central(rows, this_processor(), best)) return best;
  return by_definition(drawn(static_cast<NodeIndex>(rows.size()), rows));
}

Central most_central(NodeIndex nodes, std::span<const std::uint64_t> rows) {
  core::invariant(rows.size() == nodes * words_of(nodes), "a row of bits for each node");
  return nodes <= most_bit_rows ? most_central(rows) : most_central(drawn(nodes, rows));
}

std::vector<std::vector<Central>> most_central_of_each(const Graph& graph, NodeIndex count,
                                                       Processor processor) {
  core::invariant(count > 0, "at least one node of each component is asked for");
  if (graph.size() == 0) return {};
  if (graph.two_way())
    if (Ranking whole = answer(graph, std::min(count, graph.size()), processor))
      return {std::move(*whole)};
  return best_of_parts(graph, count, processor);
}

std::vector<std::vector<Central>> most_central_of_each(const Graph& graph, NodeIndex count) {
  return most_central_of_each(graph, count, this_processor());
}

}  // namespace bellwether::graph
