// SPDX-License-Identifier: MIT
#include "bellwether/graph/graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "bellwether/core/invariant.hpp"
#include "bellwether/core/prng.hpp"
#include "bellwether/graph/components.hpp"
#include "bellwether/graph/distances.hpp"
#include "bellwether/graph/drawn_networks_test.hpp"

namespace bellwether::graph {
namespace {

using Nodes = std::vector<NodeIndex>;

Nodes neighbours(const Graph& graph, NodeIndex u) {
  const auto seen = graph.neighbours(u);
  return {seen.begin(), seen.end()};
}

std::vector<Edge> line(NodeIndex nodes) {
  std::vector<Edge> links;
  for (NodeIndex u = 1; u < nodes; ++u) links.push_back({u - 1, u});
  return links;
}

std::vector<Edge> ring(NodeIndex nodes) {
  std::vector<Edge> links = line(nodes);
  links.push_back({nodes - 1, 0});
  return links;
}

std::vector<Edge> drawn(NodeIndex nodes, std::size_t links, core::Prng& prng) {
  std::vector<Edge> out;
  while (out.size() < links) {
    const auto a = static_cast<NodeIndex>(prng.below(nodes));
    const auto b = static_cast<NodeIndex>(prng.below(nodes));
    if (a != b) out.push_back({a, b});
  }
  return out;
}

/// All distances by the method of Floyd and Warshall: slow, short and different from ours.
std::vector<std::vector<std::uint64_t>> all_distances(const Graph& graph) {
  const std::size_t n = graph.size();
  std::vector<std::vector<std::uint64_t>> d(n, std::vector<std::uint64_t>(n, unreachable));
  for (NodeIndex u = 0; u < n; ++u) {
    for (const NodeIndex v : graph.neighbours(u)) d[u][v] = 1;
    d[u][u] = 0;
  }
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) d[i][j] = std::min(d[i][j], d[i][k] + d[k][j]);
  return d;
}

TEST(Graph, KeepsNeighboursInTheOrderOfTheEdges) {
  const std::vector<Edge> edges{{2, 0}, {0, 1}, {3, 0}, {1, 2}};
  const Graph graph(5, edges);
  EXPECT_EQ(graph.size(), 5u);
  EXPECT_EQ(graph.arcs(), 8u);
  EXPECT_EQ(neighbours(graph, 0), (Nodes{2, 1, 3}));
  EXPECT_EQ(neighbours(graph, 1), (Nodes{0, 2}));
  EXPECT_EQ(neighbours(graph, 2), (Nodes{0, 1}));
  EXPECT_EQ(neighbours(graph, 3), (Nodes{0}));
  EXPECT_TRUE(neighbours(graph, 4).empty());
}

TEST(Graph, OneWayEdgesLeadFromAToB) {
  const std::vector<Edge> edges{{2, 0}, {0, 1}, {0, 2}};
  const Graph graph(3, edges, Direction::one_way);
  EXPECT_EQ(graph.arcs(), 3u);
  EXPECT_EQ(neighbours(graph, 0), (Nodes{1, 2}));
  EXPECT_TRUE(neighbours(graph, 1).empty());
  EXPECT_EQ(neighbours(graph, 2), (Nodes{0}));
}

TEST(Graph, MayBeEmpty) {
  EXPECT_EQ(Graph().size(), 0u);
  EXPECT_EQ(Graph(0, {}).size(), 0u);
  EXPECT_EQ(Graph(3, {}).arcs(), 0u);
  EXPECT_EQ(diameter(Graph()), 0u);
  EXPECT_EQ(diameter_bound(Graph()), 0u);
  EXPECT_EQ(components(0, {}).count, 0u);
}

TEST(Graph, RefusesEdgesThatLeaveIt) {
  const std::vector<Edge> edges{{0, 3}};
  EXPECT_THROW(Graph(3, edges), core::Violation);
  EXPECT_THROW(components(3, edges), core::Violation);
  EXPECT_THROW(distances(Graph(3, {}), 3), core::Violation);
  EXPECT_THROW(eccentricity(Graph(3, {}), 3), core::Violation);
}

TEST(Components, AreNumberedByTheirSmallestNodes) {
  const std::vector<Edge> links{{6, 3}, {5, 1}, {1, 4}, {3, 0}};
  const Components parts = components(8, links);
  EXPECT_EQ(parts.count, 4u);
  EXPECT_EQ(parts.of, (std::vector<std::uint32_t>{0, 1, 2, 0, 1, 1, 0, 3}));
  EXPECT_EQ(sizes(parts), (Nodes{3, 3, 1, 1}));
}

TEST(Components, IgnoreTheDirectionOfLinks) {
  const std::vector<Edge> links{{1, 0}, {1, 2}};
  EXPECT_EQ(components(3, links).count, 1u);
  EXPECT_EQ(components(Graph(3, links, Direction::one_way)).count, 1u);
}

TEST(Components, AgreeWithReachability) {
  core::Prng prng(7);
  for (int round = 0; round < 50; ++round) {
    const auto nodes = static_cast<NodeIndex>(2 + prng.below(40));
    const auto links = drawn(nodes, prng.below(nodes), prng);
    const Graph graph(nodes, links);
    const Components parts = components(nodes, links);
    EXPECT_EQ(parts.of, components(graph).of);
    for (NodeIndex u = 0; u < nodes; ++u) {
      const auto far = distances(graph, u);
      for (NodeIndex v = 0; v < nodes; ++v)
        EXPECT_EQ(parts.of[u] == parts.of[v], far[v] != unreachable);
    }
  }
}

TEST(Components, OfALongLineInTheWorstOrder) {
  std::vector<Edge> links = line(200'000);
  std::reverse(links.begin(), links.end());
  EXPECT_EQ(components(200'000, links).count, 1u);
}

TEST(Distances, OnALine) {
  const Graph graph(6, line(5));
  EXPECT_EQ(distances(graph, 1), (std::vector<std::uint32_t>{1, 0, 1, 2, 3, unreachable}));
  EXPECT_EQ(eccentricity(graph, 1), 3u);
  EXPECT_EQ(eccentricity(graph, 5), 0u);
  EXPECT_EQ(diameter(graph), 4u);
}

TEST(Distances, FollowTheArrows) {
  const Graph graph(5, ring(5), Direction::one_way);
  EXPECT_EQ(distances(graph, 3), (std::vector<std::uint32_t>{2, 3, 4, 0, 1}));
  EXPECT_EQ(diameter(graph), 4u);
  EXPECT_EQ(diameter(Graph(5, ring(5))), 2u);
}

TEST(Distances, TheDiameterIsThatOfTheWidestComponent) {
  std::vector<Edge> links = line(3);
  for (NodeIndex u = 4; u < 9; ++u) links.push_back({u - 1, u});
  EXPECT_EQ(diameter(Graph(10, links)), 5u);
}

TEST(Distances, AgreeWithAnotherMethod) {
  core::Prng prng(11);
  for (const Direction direction : {Direction::both_ways, Direction::one_way}) {
    for (int round = 0; round < 30; ++round) {
      const auto nodes = static_cast<NodeIndex>(2 + prng.below(30));
      const Graph graph(nodes, drawn(nodes, prng.below(3 * nodes), prng), direction);
      const auto expected = all_distances(graph);
      std::uint64_t longest = 0;
      for (NodeIndex u = 0; u < nodes; ++u) {
        const auto far = distances(graph, u);
        std::uint64_t farthest = 0;
        for (NodeIndex v = 0; v < nodes; ++v) {
          EXPECT_EQ(far[v], std::min<std::uint64_t>(expected[u][v], unreachable));
          if (far[v] != unreachable) farthest = std::max<std::uint64_t>(farthest, far[v]);
        }
        EXPECT_EQ(eccentricity(graph, u), farthest);
        longest = std::max(longest, farthest);
      }
      EXPECT_EQ(diameter(graph), longest);
      EXPECT_EQ(diameter_bound(graph), longest);
    }
  }
}

TEST(Distances, TheDiameterIsTheLargestEccentricity) {
  core::Prng prng = core::stream(1, "diameter");
  for (const drawn::Family& family : drawn::families())
    for (const NodeIndex size : {1u, 2u, 7u, 40u, 140u, 200u})
      for (int round = 0; round < 3; ++round) {
        const Graph graph = drawn::dressed(family.draw(size, prng), prng).graph();
        std::uint32_t most = 0;
        for (NodeIndex u = 0; u < graph.size(); ++u) most = std::max(most, eccentricity(graph, u));
        ASSERT_EQ(diameter(graph), most) << family.name << " of " << size;
      }
}

TEST(DiameterBound, IsNeverBelowTheDiameterOfALargeGraph) {
  const NodeIndex nodes = exact_diameter_nodes + 500;
  core::Prng prng(3);
  for (const Direction direction : {Direction::both_ways, Direction::one_way}) {
    const Graph sparse(nodes, drawn(nodes, nodes, prng), direction);
    EXPECT_GE(diameter_bound(sparse), diameter(sparse));
    const Graph whole(nodes, drawn(nodes, 4 * nodes, prng), direction);
    EXPECT_GE(diameter_bound(whole), diameter(whole));
  }
}

TEST(DiameterBound, IsExactWhereTheSizeOfTheComponentIs) {
  const NodeIndex nodes = 100'000;
  EXPECT_EQ(diameter_bound(Graph(nodes, line(nodes))), nodes - 1);
  EXPECT_EQ(diameter_bound(Graph(nodes, line(nodes), Direction::one_way)), nodes - 1);
  EXPECT_EQ(diameter_bound(Graph(nodes, ring(nodes), Direction::one_way)), nodes - 1);
  EXPECT_EQ(diameter_bound(Graph(nodes, {})), 0u);
}

TEST(DiameterBound, IsAtMostTwiceTheDiameterOfATwoWayGraph) {
  const NodeIndex nodes = 5000;
  core::Prng prng(5);
  const Graph graph(nodes, drawn(nodes, 5 * nodes, prng));
  EXPECT_LE(diameter_bound(graph), 2 * diameter(graph));
}

}  // namespace
}  // namespace bellwether::graph
