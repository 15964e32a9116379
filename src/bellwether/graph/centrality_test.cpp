// SPDX-License-Identifier: MIT
#include "bellwether/graph/centrality.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <tuple>

#include "bellwether/core/invariant.hpp"
#include "bellwether/core/prng.hpp"
#include "bellwether/graph/plain_oracles_test.hpp"

namespace bellwether::graph {
namespace {

using Edges = std::vector<Edge>;
using Counts = std::vector<std::uint32_t>;
using Sums = std::vector<std::uint64_t>;
using Values = std::vector<double>;

Graph path(NodeIndex nodes) {
  Edges links;
  for (NodeIndex u = 1; u < nodes; ++u) links.push_back({u - 1, u});
  return Graph(nodes, links);
}
Graph ring(NodeIndex nodes) {
  Edges links;
  for (NodeIndex u = 0; u < nodes; ++u) links.push_back({u, (u + 1) % nodes});
  return Graph(nodes, links);
}
Graph star(NodeIndex nodes) {  // node 0 in the middle
  Edges links;
  for (NodeIndex u = 1; u < nodes; ++u) links.push_back({0, u});
  return Graph(nodes, links);
}
Graph clique(NodeIndex nodes) {
  Edges links;
  for (NodeIndex u = 0; u < nodes; ++u)
    for (NodeIndex v = u + 1; v < nodes; ++v) links.push_back({u, v});
  return Graph(nodes, links);
}
/// 0 - 2 - 4 and 1 - 3, and 5 alone.
Graph parts() {
  return Graph(6, Edges{{4, 2}, {0, 2}, {3, 1}});
}

/// Without parallel links and loops; the order of the links is drawn, too.
Graph drawn(core::Prng& prng, Direction direction) {
  const auto nodes = static_cast<NodeIndex>(1 + prng.below(14));
  const double share = prng.unit() * prng.unit();
  Edges links;
  for (NodeIndex u = 0; u < nodes; ++u)
    for (NodeIndex v = direction == Direction::one_way ? 0 : u + 1; v < nodes; ++v)
      if (u != v && prng.chance(share)) links.push_back({u, v});
  core::shuffle(links, prng);
  return Graph(nodes, links, direction);
}

void for_drawn(Direction direction, const std::function<void(const Graph&)>& check) {
  core::Prng prng(direction == Direction::one_way ? 5 : 6);
  for (int i = 0; i < 150; ++i) check(drawn(prng, direction));
}
void for_all_drawn(const std::function<void(const Graph&)>& check) {
  for_drawn(Direction::both_ways, check);
  for_drawn(Direction::one_way, check);
}

void expect_near(const Values& values, const Values& expected) {
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], expected[i], 1e-9) << i;
}

TEST(Degree, ByHand) {
  EXPECT_EQ(degrees(path(4)), (Counts{1, 2, 2, 1}));
  EXPECT_EQ(degrees(star(5)), (Counts{4, 1, 1, 1, 1}));
  EXPECT_EQ(degrees(clique(4)), (Counts{3, 3, 3, 3}));
  EXPECT_EQ(degrees(parts()), (Counts{1, 1, 2, 1, 1, 0}));
  EXPECT_EQ(degrees(Graph(3, Edges{{0, 1}, {0, 2}}, Direction::one_way)), (Counts{2, 0, 0}));
}

TEST(Eccentricities, ByHand) {
  EXPECT_EQ(eccentricities(path(5)), (Counts{4, 3, 2, 3, 4}));
  EXPECT_EQ(eccentricities(star(4)), (Counts{1, 2, 2, 2}));
  EXPECT_EQ(eccentricities(ring(7)), Counts(7, 3));
  EXPECT_EQ(eccentricities(parts()), (Counts{2, 1, 1, 1, 2, 0}));
}

TEST(Betweenness, ByHand) {
  expect_near(betweenness(path(5)), {0, 6, 8, 6, 0});
  expect_near(betweenness(star(5)), {12, 0, 0, 0, 0});
  expect_near(betweenness(clique(5)), Values(5, 0));
  expect_near(betweenness(ring(5)), Values(5, 2));
  expect_near(betweenness(ring(4)), Values(4, 1));  // half of each of the two ways across
  expect_near(betweenness(parts()), {0, 0, 2, 0, 0, 0});
}

TEST(TreeCentrality, ByHand) {
  EXPECT_EQ(tree_depth_sums(path(5)), (Sums{10, 7, 6, 7, 10}));
  EXPECT_EQ(tree_depth_sums(star(5)), (Sums{4, 7, 7, 7, 7}));
  EXPECT_EQ(tree_depth_sums(clique(4)), (Sums{3, 5, 5, 5}));     // the tree is a star around node 0
  EXPECT_EQ(tree_depth_sums(ring(5)), (Sums{6, 7, 10, 10, 7}));  // 3 - 4 - 0 - 1 - 2
  EXPECT_EQ(tree_depth_sums(ring(4)), (Sums{4, 4, 6, 6}));       // 3 - 0 - 1 - 2
  EXPECT_EQ(tree_depth_sums(parts()), (Sums{3, 1, 2, 1, 3, 0}));
}

TEST(TreeCentrality, NeedsLinksThatGoBothWays) {
  EXPECT_THROW(tree_depth_sums(Graph(2, Edges{{1, 0}}, Direction::one_way)), core::Violation);
}

TEST(PageRank, ByHand) {
  expect_near(page_rank(ring(4)), Values(4, 0.25));
  expect_near(page_rank(clique(3)), Values(3, 1.0 / 3));
  // A star of four: middle m, leaf l: m = 0.0375 + 0.85 * 3 l, l = 0.0375 + 0.85 * m / 3.
  const double m = (0.0375 + 0.85 * 3 * 0.0375) / (1 - 0.85 * 0.85);
  expect_near(page_rank(star(4)), {m, (1 - m) / 3, (1 - m) / 3, (1 - m) / 3});
  expect_near(page_rank(Graph(3, {})), Values(3, 1.0 / 3));
  expect_near(page_rank(path(3), {.damping = 0}), Values(3, 1.0 / 3));
}

using Ranks = std::vector<std::vector<NodeIndex>>;

/// All in one component.
template <class Value>
std::vector<NodeIndex> ranked(const std::vector<Value>& values, Preferred preferred) {
  const auto n = static_cast<NodeIndex>(values.size());
  return ranked_of_each({std::vector<std::uint32_t>(n, 0), 1}, values, preferred, n).front();
}

TEST(Ranks, TiesGoToTheHighestIndex) {
  using Nodes = std::vector<NodeIndex>;
  EXPECT_EQ(ranked(Counts{1, 3, 3, 2}, Preferred::largest), (Nodes{2, 1, 3, 0}));
  EXPECT_EQ(ranked(Counts{1, 3, 3, 2}, Preferred::least), (Nodes{0, 3, 2, 1}));
  EXPECT_EQ(ranked(Sums{0, 0, 0}, Preferred::least), (Nodes{2, 1, 0}));
  // Whole numbers are never rounded.
  EXPECT_EQ(ranked(Sums{1ull << 60, (1ull << 60) + 1}, Preferred::least), (Nodes{0, 1}));
  EXPECT_EQ(ranked(Values{0.7, 0.1 + 0.6, 0.1}, Preferred::largest), (Nodes{1, 0, 2}));
  EXPECT_EQ(ranked(Values{1, 1 + 1e-15, 1 - 1e-15, 1 - 1e-9}, Preferred::largest),
            (Nodes{2, 1, 0, 3}));
  EXPECT_EQ(ranked(Values{0, 0}, Preferred::largest), (Nodes{1, 0}));
  EXPECT_EQ(ranked(betweenness(ring(11)), Preferred::largest).front(), 10u);
  EXPECT_EQ(ranked_of_each({{}, 0}, Values{}, Preferred::largest, 3), Ranks{});
}

TEST(Ranks, AreThoseOfEachComponent) {
  const Components each = components(parts());
  EXPECT_EQ(ranked_of_each(each, degrees(parts()), Preferred::largest, 2),
            (Ranks{{2, 4}, {3, 1}, {5}}));
  EXPECT_EQ(ranked_of_each(each, eccentricities(parts()), Preferred::least, 1),
            (Ranks{{2}, {3}, {5}}));
  EXPECT_EQ(ranked_of_each(each, degrees(parts()), Preferred::largest, 0), (Ranks{{}, {}, {}}));
}

/// By a look at all pairs: who has fewer before it comes first.
TEST(Ranks, AreTheDefinitionOfDrawnValues) {
  core::Prng prng(9);
  for (int round = 0; round < 200; ++round) {
    const auto n = static_cast<NodeIndex>(1 + prng.below(30));
    Components each{{}, 3};
    Counts values;
    for (NodeIndex u = 0; u < n; ++u) {
      each.of.push_back(static_cast<std::uint32_t>(prng.below(3)));
      values.push_back(static_cast<std::uint32_t>(prng.below(6)));
    }
    for (const Preferred preferred : {Preferred::largest, Preferred::least}) {
      const Ranks found = ranked_of_each(each, values, preferred, n);
      ASSERT_EQ(found.size(), 3u);
      EXPECT_EQ(found[0].size() + found[1].size() + found[2].size(), n);
      const std::int64_t sign = preferred == Preferred::largest ? 1 : -1;
      for (const auto& nodes : found)
        for (std::size_t i = 1; i < nodes.size(); ++i) {
          EXPECT_EQ(each.of[nodes[i]], each.of[nodes[0]]);
          EXPECT_GT(std::tuple(sign * values[nodes[i - 1]], nodes[i - 1]),
                    std::tuple(sign * values[nodes[i]], nodes[i]));
        }
    }
  }
}

// Other, slower ways to the same values.

std::vector<Counts> all_distances(const Graph& graph) {
  std::vector<Counts> d(graph.size(), Counts(graph.size(), 1000));
  for (NodeIndex u = 0; u < graph.size(); ++u) {
    for (const NodeIndex v : graph.neighbours(u)) d[u][v] = 1;
    d[u][u] = 0;
  }
  for (NodeIndex k = 0; k < graph.size(); ++k)
    for (auto& row : d)
      for (NodeIndex j = 0; j < graph.size(); ++j) row[j] = std::min(row[j], row[k] + d[k][j]);
  return d;
}

TEST(Eccentricities, AreTheFarthestDistances) {
  for_all_drawn([](const Graph& graph) {
    const auto d = all_distances(graph);
    const Counts far = eccentricities(graph);
    for (NodeIndex u = 0; u < graph.size(); ++u) {
      std::uint32_t farthest = 0;
      for (NodeIndex v = 0; v < graph.size(); ++v)
        if (d[u][v] < 1000) farthest = std::max(farthest, d[u][v]);
      EXPECT_EQ(far[u], farthest);
    }
  });
}

/// Follows every single shortest way from `way.back()` to `to`; adds one to each node inside.
std::uint64_t walk(const Graph& graph, const std::vector<Counts>& d, NodeIndex to,
                   std::vector<NodeIndex>& way, Sums& inside) {
  const NodeIndex at = way.back();
  if (at == to) {
    for (std::size_t i = 1; i + 1 < way.size(); ++i) ++inside[way[i]];
    return 1;
  }
  std::uint64_t ways = 0;
  for (const NodeIndex v : graph.neighbours(at)) {
    if (d[v][to] + 1 != d[at][to]) continue;
    way.push_back(v);
    ways += walk(graph, d, to, way, inside);
    way.pop_back();
  }
  return ways;
}

TEST(Betweenness, CountsTheShortestWaysOneByOne) {
  for_all_drawn([](const Graph& graph) {
    const auto d = all_distances(graph);
    Values expected(graph.size(), 0);
    for (NodeIndex s = 0; s < graph.size(); ++s) {
      for (NodeIndex t = 0; t < graph.size(); ++t) {
        if (s == t || d[s][t] >= 1000) continue;
        Sums inside(graph.size(), 0);
        std::vector<NodeIndex> way{s};
        const std::uint64_t ways = walk(graph, d, t, way, inside);
        for (NodeIndex u = 0; u < graph.size(); ++u)
          expected[u] += static_cast<double>(inside[u]) / static_cast<double>(ways);
      }
    }
    expect_near(betweenness(graph), expected);
  });
}

TEST(TreeCentrality, IsTheDistanceSumInTheTree) {
  for_drawn(Direction::both_ways, [](const Graph& graph) {
    const auto d = all_distances(graph);
    const Components part = components(graph);
    Edges tree;
    for (NodeIndex u = 0; u < graph.size(); ++u) {
      NodeIndex root = 0;
      while (part.of[root] != part.of[u]) ++root;
      for (NodeIndex p = 0; p < graph.size(); ++p) {
        if (d[u][p] != 1 || d[root][p] + 1 != d[root][u]) continue;
        tree.push_back({p, u});
        break;
      }
    }
    EXPECT_EQ(tree.size(), graph.size() - part.count);
    EXPECT_EQ(tree_depth_sums(graph), plain::distance_sums(Graph(graph.size(), tree)));
  });
}

TEST(TreeCentrality, OfATreeIsCloseness) {
  core::Prng prng(8);
  for (int i = 0; i < 50; ++i) {
    const auto nodes = static_cast<NodeIndex>(1 + prng.below(60));
    Edges tree;
    for (NodeIndex u = 1; u < nodes; ++u)
      tree.push_back({u, static_cast<NodeIndex>(prng.below(u))});
    const Graph graph(nodes, tree);
    EXPECT_EQ(tree_depth_sums(graph), plain::distance_sums(graph));
  }
}

/// Solves x = (1-d)/n + d (x M + stuck) by elimination.
Values solved_rank(const Graph& graph, double damping) {
  const std::size_t n = graph.size();
  const double even = 1.0 / static_cast<double>(n);
  std::vector<Values> row(n, Values(n + 1, 0));
  for (std::size_t v = 0; v < n; ++v) {
    row[v][v] = 1;
    row[v][n] = (1 - damping) * even;
  }
  for (NodeIndex u = 0; u < n; ++u) {
    const auto links = graph.neighbours(u);
    for (const NodeIndex v : links) row[v][u] -= damping / static_cast<double>(links.size());
    if (links.empty())
      for (std::size_t v = 0; v < n; ++v) row[v][u] -= damping * even;
  }
  for (std::size_t i = 0; i < n; ++i)  // columns dominate: no need to look for a pivot
    for (std::size_t j = 0; j < n; ++j) {
      if (i == j) continue;
      const double factor = row[j][i] / row[i][i];
      for (std::size_t k = i; k <= n; ++k) row[j][k] -= factor * row[i][k];
    }
  Values x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = row[i][n] / row[i][i];
  return x;
}

TEST(PageRank, SolvesItsEquations) {
  for_all_drawn([](const Graph& graph) {
    expect_near(page_rank(graph), solved_rank(graph, 0.85));
    expect_near(page_rank(graph, {.damping = 0.5}), solved_rank(graph, 0.5));
  });
}

TEST(Centrality, OfAnEmptyGraphIsEmpty) {
  const Graph none;
  EXPECT_TRUE(degrees(none).empty() && eccentricities(none).empty() && betweenness(none).empty());
  EXPECT_TRUE(tree_depth_sums(none).empty() && page_rank(none).empty());
}

}  // namespace
}  // namespace bellwether::graph
