// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "bellwether/graph/closeness/checks_test.hpp"
#include "bellwether/graph/harmonic.hpp"
#include "bellwether/graph/horizon.hpp"
#include "parts.hpp"

namespace bellwether::deep {

namespace {

using graph::checks::unlike;
namespace plain = graph::plain;

std::string wrong_weights(const Network& network, NodeIndex count, core::Prng& prng) {
  const auto links = graph::drawn::weigh(network.links, prng);
  const auto found = most_central_of_each(graph::WeightedGraph(network.nodes, links), count);
  const auto expected = plain::weighted(network.nodes, links, count);
  if (found.size() != expected.size()) return "weighted: another number of components";
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::string bad = unlike("weighted", graph::Processor::portable, found[i], expected[i]);
    if (!bad.empty()) return bad;
  }
  return {};
}

/// Two-way, whatever the network is.
std::string wrong_harmonic(const Network& network, NodeIndex count) {
  const graph::Graph graph(network.nodes, network.links);
  const auto way = plain::all_distances(network.links, graph::Direction::both_ways,
                                        std::vector<bool>(network.nodes, true));
  const auto expected = plain::harmonic(components(graph), way);
  const auto found = most_harmonic_of_each(graph, count);
  if (found.size() != expected.size()) return "harmonic: another number of components";
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i].size() != std::min<std::size_t>(count, expected[i].size()))
      return "harmonic: another number of ranks";
    for (std::size_t j = 0; j < found[i].size(); ++j) {
      const auto value = expected[i][j].sum.convert_to<double>();
      if (found[i][j].node != expected[i][j].node ||
          std::abs(found[i][j].value - value) > 1e-14 * value)
        return "harmonic: " + std::to_string(found[i][j].node) + " instead of " +
               std::to_string(expected[i][j].node) + " at rank " + std::to_string(j);
    }
  }
  return {};
}

/// Of all nodes where they are few, else of some.
std::string wrong_views(const Network& network, core::Prng& prng) {
  const graph::Graph graph = network.graph();
  const auto whole = plain::all_distances(network.links, network.direction,
                                          std::vector<bool>(network.nodes, true));
  const auto hops = static_cast<std::uint32_t>(prng.below(8));
  const auto all = most_central_within_each(graph, hops);
  if (all.size() != network.nodes) return "another number of views";
  const NodeIndex step = 1 + network.nodes / 20;
  for (NodeIndex u = graph::drawn::any(step, prng); u < network.nodes; u += step) {
    const graph::Central expected = plain::within(whole, network.links, network.direction, u, hops);
    if (all[u] != expected.node)
      return "most_central_within_each says " + std::to_string(all[u]) + " instead of " +
             std::to_string(expected.node) + " for " + std::to_string(u);
  }
  return {};
}

}  // namespace

Outcome measures(const Family& family, std::uint64_t seed) {
  core::Prng prng = core::stream(seed, family.name);
  Outcome out;
  const NodeIndex nodes = graph::drawn::size(prng, 30, 100);
  out.network = graph::drawn::dressed(family.draw(nodes, prng), prng);
  const NodeIndex count = 1 + graph::drawn::any(prng.chance(0.5) ? 3 : nodes + 2, prng);
  out.bad = wrong_weights(out.network, count, prng);
  if (out.bad.empty()) out.bad = wrong_harmonic(out.network, count);
  if (out.bad.empty()) out.bad = wrong_views(out.network, prng);
  out.details = text(out.network);
  return out;
}

}  // namespace bellwether::deep
