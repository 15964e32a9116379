// SPDX-License-Identifier: MIT
// Covers against all subsets, and placements against what they promise.
#include "bellwether/graph/placement.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <numeric>

#include "bellwether/graph/closeness/closeness.hpp"
#include "bellwether/graph/components.hpp"
#include "bellwether/graph/cover.hpp"
#include "bellwether/graph/distances.hpp"
#include "bellwether/graph/drawn_networks_test.hpp"

namespace bellwether::graph {
namespace {

using Nodes = std::vector<NodeIndex>;

Nodes all_of(const Graph& graph) {
  Nodes out(graph.size());
  std::iota(out.begin(), out.end(), NodeIndex{0});
  return out;
}

bool covers(const Graph& graph, const Nodes& points, const Nodes& chosen, std::uint64_t hops) {
  std::vector<bool> near(graph.size(), false);
  for (const NodeIndex u : chosen) {
    const auto far = distances(graph, u);
    for (const NodeIndex p : points) near[p] = near[p] || far[p] <= hops;
  }
  return std::all_of(points.begin(), points.end(), [&](NodeIndex p) { return near[p]; });
}

/// By trying all subsets.
std::size_t fewest(const Graph& graph, const Nodes& points, NodeIndex root, std::uint64_t hops) {
  std::vector<std::uint32_t> ball(points.size(), 0);
  std::size_t at = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto far = distances(graph, points[i]);
    for (std::size_t j = 0; j < points.size(); ++j)
      if (far[points[j]] <= hops) ball[i] |= 1u << j;
    if (points[i] == root) at = i;
  }
  const std::uint32_t whole = (1u << points.size()) - 1;
  std::size_t best = points.size();
  for (std::uint32_t set = 0; set <= whole; ++set) {
    if ((set >> at & 1) == 0 || static_cast<std::size_t>(std::popcount(set)) >= best) continue;
    std::uint32_t covered = 0;
    for (std::uint32_t rest = set; rest != 0; rest &= rest - 1)
      covered |= ball[static_cast<std::size_t>(std::countr_zero(rest))];
    if (covered == whole) best = static_cast<std::size_t>(std::popcount(set));
  }
  return best;
}

Graph path(NodeIndex nodes) {
  core::Prng prng(1);
  return drawn::path(nodes, prng).graph();
}

TEST(Cover, KnownNetworks) {
  EXPECT_EQ(cover(path(1), Nodes{0}, 0, 1), Nodes{0});
  EXPECT_EQ(cover(path(3), all_of(path(3)), 1, 1), Nodes{1});
  // 0 1 2 3 4 5 6 with the root in the middle: one more on either side.
  EXPECT_EQ(cover(path(7), all_of(path(7)), 3, 1).size(), 3u);
  EXPECT_EQ(cover(path(7), all_of(path(7)), 3, 2).size(), 3u);
  EXPECT_EQ(cover(path(7), all_of(path(7)), 3, 3), Nodes{3});
  EXPECT_EQ(cover(path(7), Nodes{0, 3, 6}, 3, 3), Nodes{3}) << "only points have to be covered";
  EXPECT_EQ(cover(path(7), Nodes{0, 3, 6}, 3, 2), (Nodes{0, 3, 6})) << "and only points cover";
}

TEST(Cover, SmallNetworksHaveTheFewest) {
  core::Prng prng(7);
  std::size_t better = 0;
  for (int i = 0; i < 400; ++i) {
    const auto nodes = static_cast<NodeIndex>(2 + prng.below(12));
    const Graph graph =
        (i % 2 == 0 ? drawn::tree(nodes, prng) : drawn::caterpillar(nodes, prng)).graph();
    const Nodes points = all_of(graph);
    const NodeIndex root = drawn::any(nodes, prng);
    const std::uint64_t hops = 1 + prng.below(3);
    const Nodes found = cover(graph, points, root, hops);
    EXPECT_TRUE(covers(graph, points, found, hops));
    EXPECT_EQ(found.size(), fewest(graph, points, root, hops));
    better += found.size() < nodes / (hops + 1) + 1 ? 1 : 0;
  }
  EXPECT_GT(better, 100u) << "most need fewer than the bound allows";
}

std::vector<drawn::Network> networks(NodeIndex most, int count) {
  core::Prng prng(3);
  std::vector<drawn::Network> out;
  for (int i = 0; i < count; ++i) {
    const auto nodes = static_cast<NodeIndex>(1 + prng.below(most));
    out.push_back(i % 3 == 0   ? drawn::tree(nodes, prng)
                  : i % 3 == 1 ? drawn::caterpillar(nodes, prng)
                               : drawn::path(nodes, prng));
    for (NodeIndex more = 0; more < static_cast<NodeIndex>(i) % 7 * nodes / 4; ++more)
      out.back().links.push_back({drawn::any(nodes, prng), drawn::any(nodes, prng)});
  }
  return out;
}

TEST(Cover, LargeNetworksKeepTheBound) {
  for (const drawn::Network& network : networks(300, 120)) {
    const Graph graph = network.graph();
    const NodeIndex root = most_central(graph).node;
    for (const std::uint64_t hops : {1, 2, 5}) {
      const Nodes found = cover(graph, all_of(graph), root, hops);
      EXPECT_TRUE(covers(graph, all_of(graph), found, hops));
      EXPECT_TRUE(std::binary_search(found.begin(), found.end(), root));
      EXPECT_LE(found.size(), graph.size() / (hops + 1) + 1);
      for (std::size_t i = 0; i < found.size() && found.size() < 20; ++i) {
        if (found[i] == root) continue;
        Nodes fewer = found;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
        EXPECT_FALSE(covers(graph, all_of(graph), fewer, hops)) << "somebody is not needed";
      }
    }
  }
}

TEST(Allowance, OfALevel) {
  const std::vector<std::uint32_t> three{3};
  EXPECT_EQ(allowance(three, 1).hops, 3u);
  EXPECT_EQ(allowance(three, 2).step, 12u);
  EXPECT_EQ(allowance(three, 2).hops, 15u);
  EXPECT_EQ(allowance(three, 3).hops, 63u);
  const std::vector<std::uint32_t> mixed{2, 4};
  EXPECT_EQ(allowance(mixed, 1).hops, 2u);
  EXPECT_EQ(allowance(mixed, 2).hops, 14u);
  EXPECT_EQ(allowance(mixed, 3).hops, 74u);
  const std::vector<std::uint32_t> one{1};
  EXPECT_EQ(allowance(one, 2).step, 3u) << "as far as two leaders of neighbours may be apart";
  EXPECT_EQ(allowance(one, 2).hops, 4u);
  EXPECT_EQ(allowance(std::vector<std::uint32_t>{65535}, 60).hops, 0xFFFF'FFFFu);
}

TEST(Placement, KeepsWhatItPromises) {
  for (const drawn::Network& network : networks(150, 90))
    for (const auto& remoteness : {Nodes{1}, Nodes{2}, Nodes{3, 1}}) {
      const Graph graph = network.graph();
      const NodeIndex root = most_central(graph).node;
      const Placement placed(graph, root, remoteness);
      EXPECT_EQ(placed.rank(root), placed.levels());
      std::size_t before = graph.size();
      for (std::size_t level = 1; level <= placed.levels(); ++level) {
        std::size_t leaders = 0;
        std::size_t children = 0;
        for (NodeIndex u = 0; u < graph.size(); ++u) {
          if (placed.rank(u) >= level) {
            ++leaders;
            EXPECT_EQ(placed.leader(u, level), u);
            children += placed.children(u, level).size() + 1;
          } else {
            EXPECT_TRUE(placed.children(u, level).empty());
          }
          const NodeIndex leader = placed.leader(u, level);
          EXPECT_GE(placed.rank(leader), level);
          EXPECT_LE(distances(graph, u)[leader], allowance(remoteness, level).hops);
        }
        EXPECT_EQ(children, before) << "each leader of the level below has one here";
        EXPECT_TRUE(leaders < before || before == 1);
        before = leaders;
      }
      EXPECT_EQ(before, 1u) << "the root alone";
    }
}

TEST(Placement, ClustersHangTogether) {
  for (const drawn::Network& network : networks(150, 60)) {
    const Graph graph = network.graph();
    const Placement placed(graph, most_central(graph).node, Nodes{2});
    for (NodeIndex u = 0; u < graph.size(); ++u) {
      const NodeIndex leader = placed.leader(u, 1);
      const auto far = distances(graph, leader);
      bool way = u == leader;
      for (const NodeIndex v : graph.neighbours(u))
        way = way || (far[v] + 1 == far[u] && placed.leader(v, 1) == leader);
      EXPECT_TRUE(way) << "the next on the way follows another";
    }
  }
}

}  // namespace
}  // namespace bellwether::graph
