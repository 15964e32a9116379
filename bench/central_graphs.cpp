// SPDX-License-Identifier: MIT
#include "central_graphs.hpp"

#include <algorithm>
#include <numeric>

#include "bellwether/core/prng.hpp"
#include "bellwether/graph/components.hpp"
#include "bellwether/world/topology.hpp"

namespace bench {
namespace {

using namespace bellwether;
using core::NodeIndex;
using graph::Edge;

/// Every node but the first is linked to one of those before it.
std::vector<Edge> random_tree(NodeIndex nodes, std::uint64_t seed) {
  core::Prng prng = core::stream(seed, "tree");
  std::vector<Edge> links;
  for (NodeIndex u = 1; u < nodes; ++u) links.push_back({static_cast<NodeIndex>(prng.below(u)), u});
  return links;
}

std::vector<Edge> links_of(const Case& each, std::uint64_t seed) {
  if (each.name == "random tree") return random_tree(each.nodes, seed);
  world::NetworkSpec spec;
  spec.topology = each.name == "unit disks" ? "geometric" : each.name;
  spec.nodes = each.nodes;
  spec.degree = 8;
  spec.attach = 4;
  return world::build_network(spec, seed).links;
}

/// The largest component, its nodes numbered anew at random, its links in any order.
graph::Graph dealt(NodeIndex nodes, const std::vector<Edge>& links, std::uint64_t seed) {
  core::Prng prng = core::stream(seed, "deal");
  const graph::Components parts = graph::components(nodes, links);
  const auto sizes = graph::sizes(parts);
  const auto largest =
      static_cast<std::uint32_t>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
  std::vector<NodeIndex> numbers(sizes[largest]);
  std::iota(numbers.begin(), numbers.end(), NodeIndex{0});
  core::shuffle(numbers, prng);
  std::vector<NodeIndex> number(nodes);
  for (NodeIndex u = 0, next = 0; u < nodes; ++u)
    if (parts.of[u] == largest) number[u] = numbers[next++];
  std::vector<Edge> out;
  for (const auto& [a, b] : links)
    if (parts.of[a] == largest) out.push_back({number[a], number[b]});
  core::shuffle(out, prng);
  return {sizes[largest], out};
}

}  // namespace

std::vector<Case> central_cases() {
  std::vector<Case> cases;
  struct Size {
    NodeIndex nodes;
    std::size_t instances;
    double ratio, seconds;  // goals; the ratios are for unit disks
  };
  for (const Size& size :
       {Size{60, 50, 200, 0}, Size{120, 20, 0, 0}, Size{250, 20, 120, 0}, Size{1'000, 3, 200, 0},
        Size{10'000, 1, 1'000, 0}, Size{100'000, 1, 0, 0.3}}) {
    cases.push_back({"unit disks", size.nodes, size.instances, size.ratio, size.seconds});
    cases.push_back({"erdos-renyi", size.nodes, size.instances, 0, size.seconds});
    cases.push_back({"barabasi-albert", size.nodes, size.instances, 0, size.seconds});
  }
  for (const char* name : {"grid", "ring", "random tree"}) cases.push_back({name, 10'000, 1});
  return cases;
}

std::vector<graph::Graph> make_graphs(const Case& each) {
  std::vector<graph::Graph> graphs;
  for (std::uint64_t seed = 1; seed <= each.instances; ++seed)
    graphs.push_back(dealt(each.nodes, links_of(each, seed), seed));
  return graphs;
}

}  // namespace bench
