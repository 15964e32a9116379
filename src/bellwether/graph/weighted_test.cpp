// SPDX-License-Identifier: MIT
#include "bellwether/graph/weighted.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "bellwether/core/invariant.hpp"
#include "bellwether/graph/components.hpp"
#include "bellwether/graph/drawn_networks_test.hpp"
#include "bellwether/graph/plain_oracles_test.hpp"

namespace bellwether::graph {
namespace {

using Links = std::vector<WeightedEdge>;
using plain::Ranks;

/// Bellman and Ford: distances get shorter until none does.
std::vector<std::uint64_t> plain_search(NodeIndex n, const Links& links, NodeIndex from) {
  std::vector<std::uint64_t> out(n, plain::far);
  out[from] = 0;
  for (bool again = true; again;) {
    again = false;
    for (const auto& [a, b, weight] : links) {
      const std::uint64_t to_a = std::min(out[a], out[b] + weight);
      const std::uint64_t to_b = std::min(out[b], out[a] + weight);
      again = again || to_a < out[a] || to_b < out[b];
      out[a] = to_a;
      out[b] = to_b;
    }
  }
  return out;
}

TEST(WeightedGraph, KeepsTheShortestOfParallelLinksAndNoLoops) {
  const WeightedGraph graph(4, Links{{0, 2, 9}, {0, 1, 5}, {1, 1, 1}, {2, 0, 4}, {0, 2, 7}});
  using Arcs = std::vector<WeightedArc>;
  const auto arcs = [&](NodeIndex u) {
    return Arcs(graph.neighbours(u).begin(), graph.neighbours(u).end());
  };
  EXPECT_EQ(graph.size(), 4u);
  EXPECT_EQ(graph.arcs(), 4u);
  EXPECT_EQ(arcs(0), (Arcs{{1, 5}, {2, 4}}));
  EXPECT_EQ(arcs(1), (Arcs{{0, 5}}));
  EXPECT_EQ(arcs(2), (Arcs{{0, 4}}));
  EXPECT_EQ(arcs(3), Arcs{});
  EXPECT_EQ(WeightedGraph().size(), 0u);
}

TEST(WeightedGraph, RefusesWhatIsNoLink) {
  EXPECT_THROW(WeightedGraph(2, Links{{0, 2, 1}}), core::Violation);
  EXPECT_THROW(WeightedGraph(2, Links{{0, 1, 0}}), core::Violation);
}

TEST(WeightedCloseness, ByHand) {
  EXPECT_EQ(most_central_of_each(WeightedGraph()), Ranks{});
  EXPECT_EQ(most_central_of_each(WeightedGraph(1, {})), (Ranks{{{0, 1, 0}}}));
  // By hops 1 and 2 are tied; by lengths all is near 0: 0 -1- 1 -9- 2 -9- 3, and 4 -1- 0 -1- 5.
  const Links links{{0, 1, 1}, {1, 2, 9}, {2, 3, 9}, {4, 0, 1}, {0, 5, 1}};
  EXPECT_EQ(most_central_of_each(WeightedGraph(6, links), 2), (Ranks{{{1, 6, 32}, {0, 6, 32}}}));
  // 1 -5- 3 and 0 -2- 4, and 2 alone.
  const WeightedGraph parts(5, Links{{1, 3, 5}, {0, 4, 2}});
  EXPECT_EQ(most_central_of_each(parts), (Ranks{{{4, 2, 2}}, {{3, 2, 5}}, {{2, 1, 0}}}));
  EXPECT_EQ(most_central_of_each(parts, 0), (Ranks{{}, {}, {}}));
}

TEST(WeightedCloseness, IsTheDefinitionInDrawnNetworks) {
  core::Prng prng = core::stream(1, "weighted");
  for (int round = 0; round < 4000; ++round) {
    const drawn::Network net = drawn::network(drawn::size(prng, 18, 90), prng);
    const Links links = drawn::weigh(net.links, prng);
    const NodeIndex count = prng.chance(0.3) ? 1 : 1 + drawn::any(net.nodes + 2, prng);
    ASSERT_EQ(most_central_of_each(WeightedGraph(net.nodes, links), count),
              plain::weighted(net.nodes, links, count))
        << "round " << round;
  }
}

TEST(WeightedCloseness, WithEqualWeightsCountsHops) {
  core::Prng prng = core::stream(1, "equal weights");
  for (int round = 0; round < 500; ++round) {
    const drawn::Network net = drawn::network(drawn::size(prng, 18, 90), prng);
    Links links;
    for (const auto& [a, b] : net.links) links.push_back({a, b, 7});
    Ranks expected = most_central_of_each(Graph(net.nodes, net.links), 3);
    for (auto& each : expected)
      for (Central& central : each) central.sum *= 7;
    EXPECT_EQ(most_central_of_each(WeightedGraph(net.nodes, links), 3), expected);
  }
}

TEST(WeightedCloseness, IsAPlainSearchInLargerNetworks) {
  core::Prng prng = core::stream(1, "larger weights");
  for (int round = 0; round < 150; ++round) {
    const drawn::Network net = drawn::network(60 + drawn::any(290, prng), prng);
    const Links links = drawn::weigh(net.links, prng);
    const WeightedGraph graph(net.nodes, links);
    plain::Distances way;
    for (NodeIndex u = 0; u < net.nodes; ++u) way.push_back(plain_search(net.nodes, links, u));
    const Ranks all = plain::ranked(components(net.graph()), plain::all_centrals(way), net.nodes);
    for (const NodeIndex count : {1u, 2u, 7u, 40u, 1000u}) {
      Ranks expected = all;
      for (auto& each : expected) each.resize(std::min<std::size_t>(each.size(), count));
      ASSERT_EQ(most_central_of_each(graph, count), expected) << "round " << round;
    }
  }
}

/// A path of the heaviest links: the sum of its middle is w m (m + 1) with m nodes on each side.
TEST(WeightedCloseness, RefusesSumsThatDoNotFit) {
  constexpr std::uint64_t heaviest = std::numeric_limits<std::uint32_t>::max();
  const auto best_of_path = [](std::uint64_t m) {
    Links links;
    for (NodeIndex u = 0; u < 2 * m; ++u)
      links.push_back({u, u + 1, std::numeric_limits<std::uint32_t>::max()});
    return most_central_of_each(WeightedGraph(static_cast<NodeIndex>(2 * m + 1), links));
  };
  // Other nodes of this path have sums beyond 64 bits, but these are not needed.
  constexpr std::uint64_t m = 0xFFFF;
  EXPECT_EQ(best_of_path(m), (Ranks{{{m, 2 * m + 1, heaviest * (m * (m + 1))}}}));
  EXPECT_THROW(best_of_path(m + 1), core::Violation);
}

}  // namespace
}  // namespace bellwether::graph
