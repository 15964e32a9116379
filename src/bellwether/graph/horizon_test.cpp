// SPDX-License-Identifier: MIT
#include "bellwether/graph/horizon.hpp"

#include <gtest/gtest.h>

#include "bellwether/graph/distances.hpp"
#include "bellwether/graph/drawn_networks_test.hpp"
#include "bellwether/graph/plain_oracles_test.hpp"

namespace bellwether::graph {
namespace {

using Links = std::vector<Edge>;
using Nodes = std::vector<NodeIndex>;

Central definition(NodeIndex n, const Links& links, Direction direction, NodeIndex self,
                   std::uint32_t hops) {
  const auto whole = plain::all_distances(links, direction, std::vector<bool>(n, true));
  return plain::within(whole, links, direction, self, hops);
}

TEST(View, ByHand) {
  // A path 0 - 1 - ... - 6.
  const Graph path(7, Links{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}});
  EXPECT_EQ(most_central_within_each(path, 0), (Nodes{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(most_central_within_each(path, 1), (Nodes{1, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(most_central_within_each(path, 2), (Nodes{1, 2, 2, 3, 4, 5, 5}));
  EXPECT_EQ(most_central_within_each(path, 6), Nodes(7, 3));
  EXPECT_EQ(most_central_within_each(path, unreachable), Nodes(7, 3));
  EXPECT_EQ(most_central_within_each(Graph(), 3), Nodes{});
}

/// In a ring of 6 a node sees within 2 hops a path of 5: those at its ends, 2 hops apart in the
/// ring, are 4 apart in the view.
TEST(View, DistancesAreThoseWithinTheView) {
  const Graph ring(6, Links{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}});
  EXPECT_EQ(most_central_within_each(ring, 2), (Nodes{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(most_central_within_each(ring, 3), Nodes(6, 5));
}

class Ways : public testing::TestWithParam<Direction> {};
INSTANTIATE_TEST_SUITE_P(View, Ways, testing::Values(Direction::both_ways, Direction::one_way));

TEST_P(Ways, IsTheDefinitionInDrawnNetworks) {
  core::Prng prng = core::stream(1, "views", static_cast<std::uint64_t>(GetParam()));
  for (int round = 0; round < 1500; ++round) {
    const drawn::Network net = drawn::network(drawn::size(prng, 14, 20), prng);
    const Graph graph(net.nodes, net.links, GetParam());
    const auto hops = static_cast<std::uint32_t>(prng.below(7));
    const Nodes all = most_central_within_each(graph, hops);
    ASSERT_EQ(all.size(), net.nodes);
    for (NodeIndex u = 0; u < net.nodes; ++u) {
      const Central expected = definition(net.nodes, net.links, GetParam(), u, hops);
      ASSERT_EQ(all[u], expected.node) << "round " << round << ", node " << u;
    }
  }
}

/// Views of more than 64 nodes, too, where rows of bits do not do.
TEST_P(Ways, IsTheDefinitionInLargerNetworks) {
  core::Prng prng = core::stream(1, "larger views", static_cast<std::uint64_t>(GetParam()));
  int large = 0;
  for (int round = 0; round < 40; ++round) {
    const drawn::Network net = drawn::network(70 + drawn::any(40, prng), prng);
    const Graph graph(net.nodes, net.links, GetParam());
    const auto hops = static_cast<std::uint32_t>(1 + prng.below(20));
    const Nodes all = most_central_within_each(graph, hops);
    for (int some = 0; some < 5; ++some) {
      const NodeIndex u = drawn::any(net.nodes, prng);
      const Central expected = definition(net.nodes, net.links, GetParam(), u, hops);
      ASSERT_EQ(all[u], expected.node) << "round " << round << ", node " << u;
      large += expected.reached > most_bit_rows;
    }
  }
  EXPECT_GE(large, 5);
}

}  // namespace
}  // namespace bellwether::graph
