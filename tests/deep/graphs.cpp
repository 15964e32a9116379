// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "bellwether/graph/closeness/checks_test.hpp"
#include "parts.hpp"

namespace bellwether::deep {

namespace {

std::string wrong(const Network& network, NodeIndex places) {
  const graph::Graph graph = network.graph();
  return graph::checks::closeness(graph, graph::plain::all_centrals(graph), places);
}

Network without_node(const Network& network, NodeIndex gone) {
  Network out{network.nodes - 1, {}, network.direction};
  for (const auto& [a, b] : network.links)
    if (a != gone && b != gone)
      out.links.push_back({a - (a > gone ? 1 : 0), b - (b > gone ? 1 : 0)});
  return out;
}

Network without_link(const Network& network, std::size_t gone) {
  Network out = network;
  out.links.erase(out.links.begin() + static_cast<std::ptrdiff_t>(gone));
  return out;
}

/// Takes away nodes and links as long as something is wrong.
Network smallest(Network network, NodeIndex places) {
  const auto keep_if_wrong = [&](Network less) {
    if (less.nodes == 0 || wrong(less, places).empty()) return false;
    network = std::move(less);
    return true;
  };
  for (bool again = true; again;) {
    again = false;
    for (NodeIndex u = network.nodes; u-- > 0;)
      if (network.nodes > 1) again |= keep_if_wrong(without_node(network, u));
    for (std::size_t i = network.links.size(); i-- > 0;)
      again |= keep_if_wrong(without_link(network, i));
  }
  return network;
}

Outcome tried(const Family& family, NodeIndex nodes, NodeIndex places, core::Prng& prng) {
  Outcome out;
  out.network = graph::drawn::dressed(family.draw(nodes, prng), prng);
  out.bad = wrong(out.network, places);
  if (!out.bad.empty() && nodes <= 1000) {
    const Network less = smallest(out.network, places);
    out.details =
        "the best " + std::to_string(places) + " of " + text(less) + "\n" + wrong(less, places);
  }
  return out;
}

}  // namespace

Outcome small_graph(const Family& family, std::uint64_t seed) {
  core::Prng prng = core::stream(seed, family.name);
  const NodeIndex nodes = 1 + graph::drawn::any(prng.chance(0.5) ? 300 : 70, prng);
  const NodeIndex places = 1 + graph::drawn::any(prng.chance(0.5) ? 4 : nodes, prng);
  return tried(family, nodes, places, prng);
}

Outcome large_graph(const Family& family, std::uint64_t seed) {
  core::Prng prng = core::stream(seed, family.name);
  const auto nodes = static_cast<NodeIndex>(1000 * std::pow(20, prng.unit()));
  const NodeIndex places = 1 + graph::drawn::any(20, prng);
  return tried(family, std::min(nodes, family.most), places, prng);
}

std::string text(const Network& network) {
  const bool both_ways = network.direction == graph::Direction::both_ways;
  std::string out = std::to_string(network.nodes) + (both_ways ? " nodes:" : " nodes, one way:");
  for (const auto& [a, b] : network.links)
    out += " " + std::to_string(a) + (both_ways ? "-" : ">") + std::to_string(b);
  return out;
}

}  // namespace bellwether::deep
