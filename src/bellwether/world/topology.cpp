// SPDX-License-Identifier: MIT
#include "bellwether/world/topology.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>

#include "bellwether/core/nearest.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/graph/components.hpp"
#include "bellwether/world/graph_file.hpp"
#include "bellwether/world/memory.hpp"
#include "bellwether/world/topology_parts.hpp"

namespace bellwether::world {

namespace {

Network from_file(const NetworkSpec& spec, core::Prng&) {
  if (spec.file.empty())
    throw core::Problem(
        "file",
        "topology \"file\" needs the path of a graph; write for instance file = \"my.edges\"");
  std::error_code ignored;
  if (!std::filesystem::exists(spec.file, ignored))
    throw core::Problem("file", "there is no file \"" + spec.file + "\"; check the path");
  Network network = read_graph_file(spec.file);
  if (spec.nodes != 0 && spec.nodes != network.nodes)
    throw core::Problem("nodes", "the file has " + std::to_string(network.nodes) + " nodes, not " +
                                     std::to_string(spec.nodes) + "; leave nodes out");
  return network;
}

// What a run of a small state machine takes at its peak (docs/performance.md): a ring of N nodes
// and N links takes 167 bytes for each. Elections with larger states take more.
constexpr double bytes_per_node = 120;
constexpr double bytes_per_link = 47;

struct Family {
  TopologyFact fact;
  parts::Make make;
};

constexpr std::array families{
    Family{{"line", "each node is linked to the next", "nodes"}, parts::line},
    Family{{"ring", "a line whose ends are linked; optionally one-way", "nodes, one_way"},
           parts::ring},
    Family{{"star", "node 0 is linked to all others", "nodes"}, parts::star},
    Family{{"tree", "node 0 is the root; every node has `branching` children, the last ones fewer",
            "nodes, branching"},
           parts::tree},
    Family{{"grid", "rows and columns; as square as possible if only nodes are given",
            "nodes, rows, columns"},
           parts::grid},
    Family{{"torus", "a grid whose opposite borders are linked", "nodes, rows, columns"},
           parts::torus},
    Family{{"hypercube", "nodes whose numbers differ in one bit are linked", "nodes"},
           parts::hypercube},
    Family{{"complete", "every node is linked to every other", "nodes"}, parts::complete},
    Family{{"erdos-renyi", "every two nodes are linked with the same probability", "nodes, degree"},
           parts::erdos_renyi},
    Family{{"geometric", "nodes at random positions in a square; nodes near each other are linked",
            "nodes, degree"},
           parts::geometric},
    Family{{"barabasi-albert",
            "each new node links to `attach` nodes, preferably to those with many links",
            "nodes, attach"},
           parts::barabasi_albert},
    Family{{"watts-strogatz", "a ring lattice with some of its links rewired at random",
            "nodes, near, rewire"},
           parts::watts_strogatz},
    Family{{"edge-markovian", "begins as erdos-renyi; then each link comes and goes independently",
            "nodes, degree"},
           parts::erdos_renyi},
    Family{{"single", "no links", "nodes"}, parts::single},
    Family{
        {"radio", "no wires: nodes within radio range of each other are linked; needs [mobility]",
         "nodes"},
        parts::single},
    Family{
        {"highway",
         "vehicles, then towers along a road, then servers wired to all towers; needs [mobility]",
         "nodes, towers, servers"},
        parts::highway_network},
    Family{{"file", "an edge list, GraphML, DIMACS or METIS file", "file"}, from_file},
};

constexpr auto facts = [] {
  std::array<TopologyFact, families.size()> out{};
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = families[i].fact;
  return out;
}();

const Family& family(std::string_view name) {
  const auto found =
      std::ranges::find(families, name, [](const Family& each) { return each.fact.name; });
  if (found != families.end()) return *found;
  std::vector<std::string> known;
  for (const TopologyFact& each : facts) known.emplace_back(each.name);
  throw core::Problem("topology", core::unknown_name("topology", name, known));
}

}  // namespace

void parts::require_nodes(std::uint64_t nodes, std::string_view key) {
  if (nodes == 0)
    throw core::Problem(std::string(key), "a network needs nodes; write for instance nodes = 10");
  require_room(static_cast<double>(nodes), 0, key);
}

void require_room(double nodes, double links, std::string_view key) {
  const auto count = [](double n) { return std::to_string(static_cast<std::uint64_t>(n)); };
  const std::string what =
      count(nodes) + " nodes" + (links < 1 ? "" : " and " + count(links) + " links");
  if (std::max(nodes, links) > static_cast<double>(largest_network))
    throw core::Problem(std::string(key), "this network would have " + what + "; at most " +
                                              std::to_string(largest_network) +
                                              " of each are possible; choose a smaller network");
  require_memory(nodes * bytes_per_node + links * bytes_per_link, std::string(key), what);
}

std::span<const TopologyFact> topologies() {
  return facts;
}

Network build_network(const NetworkSpec& spec, std::uint64_t seed) {
  const Family& chosen = family(spec.topology);
  if (spec.one_way && spec.topology != "ring")
    throw core::Problem("one_way",
                        "only a ring can be one-way; leave one_way out, or write "
                        "topology = \"ring\"");
  core::Prng prng = core::stream(seed, "topology");
  return chosen.make(spec, prng);
}

namespace {

/// Node u gets the rank of u with its bits reversed: on a ring, of each two neighbours one is a
/// local maximum, and so again among those that remain. The bad case of elections in phases.
void order_by_reversed_bits(std::vector<NodeId>& ids) {
  unsigned bits = 0;
  while ((std::uint64_t{1} << bits) < ids.size()) ++bits;
  const auto reversed = [&](std::uint64_t u) {
    std::uint64_t out = 0;
    for (unsigned b = 0; b < bits; ++b) out |= (u >> b & 1) << (bits - 1 - b);
    return out;
  };
  std::uint64_t next = 1;
  for (std::uint64_t u = 0; u < std::uint64_t{1} << bits; ++u)
    if (reversed(u) < ids.size()) ids[reversed(u)] = NodeId{next++};
}

std::vector<NodeId> checked_names(const std::vector<NodeId>& names, NodeIndex nodes) {
  if (names.size() != nodes)
    throw core::Problem("names", "the network has " + std::to_string(nodes) + " nodes, and " +
                                     std::to_string(names.size()) + " are named; name each once");
  std::vector<NodeId> sorted = names;
  std::ranges::sort(sorted);
  const auto twice = std::ranges::adjacent_find(sorted);
  if (twice != sorted.end())
    throw core::Problem("names", "two nodes have the id " + std::to_string(core::raw(*twice)) +
                                     ", and ids must differ; or write anonymous = true");
  return names;
}

}  // namespace

std::vector<NodeId> assign_ids(const NetworkSpec& spec, NodeIndex nodes, std::uint64_t seed) {
  const std::array<std::string, 4> known{"ascending", "descending", "random", "bit-reversed"};
  if (std::ranges::find(known, spec.ids) == known.end())
    throw core::Problem("ids", core::unknown_name("order of ids", spec.ids, known));
  std::vector<NodeId> ids(nodes);
  if (spec.anonymous) return ids;
  if (!spec.names.empty()) return checked_names(spec.names, nodes);
  for (NodeIndex u = 0; u < nodes; ++u) ids[u] = NodeId{std::uint64_t{u} + 1};
  if (spec.ids == "descending") std::ranges::reverse(ids);
  if (spec.ids == "bit-reversed") order_by_reversed_bits(ids);
  if (spec.ids == "random") {
    core::Prng prng = core::stream(seed, "ids");
    core::shuffle(ids, prng);
  }
  return ids;
}

bool is_ring(const Network& network) {
  const bool one_way = network.direction == graph::Direction::one_way;
  if (network.nodes < (one_way ? 2u : 3u) || network.links.size() != network.nodes) return false;
  // Connected, and one way in and one way out of each node: that is one cycle.
  std::vector<std::uint8_t> out(network.nodes, 0);
  std::vector<std::uint8_t> in(network.nodes, 0);
  for (const graph::Edge& e : network.links) {
    auto& ends = one_way ? in : out;
    if (++out[e.a] > 2 || ++ends[e.b] > 2) return false;
  }
  const auto all = [](const std::vector<std::uint8_t>& degrees, std::uint8_t wanted) {
    return std::ranges::all_of(degrees, [=](std::uint8_t d) { return d == wanted; });
  };
  if (one_way ? !all(out, 1) || !all(in, 1) : !all(out, 2)) return false;
  return graph::components(network.nodes, network.links).count == 1;
}

bool is_oriented_ring(const Network& network) {
  std::vector<bool> leaves(network.nodes, false);
  for (const graph::Edge& e : network.links) {
    if (leaves[e.a]) return false;
    leaves[e.a] = true;
  }
  return is_ring(network);
}

bool is_complete(const Network& network) {
  const std::uint64_t pairs = std::uint64_t{network.nodes} * (network.nodes - std::uint64_t{1}) / 2;
  const bool one_way = network.direction == graph::Direction::one_way;
  return network.nodes > 0 && network.links.size() == (one_way ? 2 * pairs : pairs);
}

}  // namespace bellwether::world
