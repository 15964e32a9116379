// SPDX-License-Identifier: MIT
#include "bellwether/graph/changing_graph.hpp"

#include <gtest/gtest.h>

#include <set>

#include "bellwether/core/invariant.hpp"
#include "bellwether/core/prng.hpp"

namespace bellwether::graph {
namespace {

using Links = std::vector<Edge>;

TEST(ChangingGraph, SaysWhetherSomethingChanged) {
  for (const NodeIndex rows : {0u, ChangingGraph::most_rows}) {
    ChangingGraph graph(3, Links{{0, 1}, {1, 0}, {2, 2}}, rows);
    EXPECT_EQ(graph.snapshot().arcs(), 2u) << "neither loops nor parallel links";
    EXPECT_FALSE(graph.link(1, 1));
    EXPECT_FALSE(graph.link(1, 0));
    EXPECT_TRUE(graph.link(2, 0));
    EXPECT_TRUE(graph.linked(0, 2));
    EXPECT_FALSE(graph.unlink(1, 2));
    EXPECT_FALSE(graph.unlink(2, 2));
    EXPECT_TRUE(graph.unlink(0, 2));
    EXPECT_FALSE(graph.linked(2, 0));
    EXPECT_THROW(graph.link(0, 3), core::Violation);
    EXPECT_THROW(graph.unlink(3, 0), core::Violation);
  }
  EXPECT_THROW(ChangingGraph(3, Links{}, ChangingGraph::most_rows + 1), core::Violation);
}

/// The sum by the definition, from the distances that others computed.
Central by_hand(const std::vector<std::uint32_t>& distance, NodeIndex from) {
  Central near{from, 0, 0};
  for (const std::uint32_t d : distance) {
    if (d == unreachable) continue;
    ++near.reached;
    near.sum += d;
  }
  return near;
}

TEST(ChangingGraph, SearchesFindTheDistances) {
  core::Prng prng(3);
  // One size for each number of words, and one that has no rows by itself.
  for (const NodeIndex n : {1u, 2u, 63u, 64u, 65u, 128u, 200u, 257u, 600u, 1500u, 2049u}) {
    for (const NodeIndex rows : {0u, ChangingGraph::most_rows}) {
      ChangingGraph graph(n, Links{}, rows);
      std::set<Edge> present;
      for (int round = 0; round < 6; ++round) {
        for (NodeIndex i = 0; i < n; ++i) {
          auto a = static_cast<NodeIndex>(prng.below(n));
          auto b = static_cast<NodeIndex>(prng.below(n));
          if (a == b) continue;
          const Edge link{std::min(a, b), std::max(a, b)};
          const bool there = present.contains(link);
          EXPECT_EQ(graph.linked(a, b), there);
          if (prng.chance(0.6)) {
            EXPECT_EQ(graph.link(a, b), !there);
            present.insert(link);
          } else {
            EXPECT_EQ(graph.unlink(a, b), there);
            present.erase(link);
          }
        }
        const Graph same(n, Links(present.begin(), present.end()));
        std::vector<std::uint32_t> found;
        for (int i = 0; i < 3; ++i) {
          const auto from = static_cast<NodeIndex>(prng.below(n));
          const auto expected = distances(same, from);
          EXPECT_EQ(graph.search(from, found), by_hand(expected, from));
          EXPECT_EQ(found, expected);
        }
        std::vector<NodeIndex> nodes(prng.below(ChangingGraph::most_at_once + 1));
        for (NodeIndex& u : nodes) u = static_cast<NodeIndex>(prng.below(n));  // some twice
        std::vector<std::uint64_t> sums(nodes.size(), 7);
        graph.sums(nodes, sums);
        for (std::size_t i = 0; i < nodes.size(); ++i)
          EXPECT_EQ(sums[i], by_hand(distances(same, nodes[i]), nodes[i]).sum);
      }
    }
  }
}

}  // namespace
}  // namespace bellwether::graph
