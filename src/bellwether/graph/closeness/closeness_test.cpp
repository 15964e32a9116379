// SPDX-License-Identifier: MIT
// The whole, and each method on all that it accepts, against a plain search from each node.
#include "bellwether/graph/closeness/closeness.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "bellwether/core/invariant.hpp"
#include "bellwether/graph/closeness/checks_test.hpp"
#include "bellwether/graph/drawn_networks_test.hpp"

namespace bellwether::graph {
namespace {

using Links = std::vector<Edge>;

std::string wrong(const drawn::Network& net, NodeIndex places) {
  const Graph graph = net.graph();
  return checks::closeness(graph, plain::all_centrals(graph), places);
}

TEST(Closeness, KnownNetworks) {
  EXPECT_EQ(most_central(Graph(1, Links{})), (Central{0, 1, 0}));
  EXPECT_EQ(most_central(Graph(2, Links{{0, 1}})), (Central{1, 2, 1})) << "a tie";
  EXPECT_EQ(most_central(Graph(2, Links{})), (Central{1, 1, 0}));
  EXPECT_EQ(most_central(Graph(5, Links{{0, 1}, {1, 2}, {2, 3}, {3, 4}})), (Central{2, 5, 6}));
  EXPECT_EQ(most_central(Graph(4, Links{{0, 1}, {1, 2}, {2, 3}})), (Central{2, 4, 4}))
      << "a tie of 1 and 2";
  EXPECT_EQ(most_central(Graph(4, Links{{0, 1}, {0, 2}, {0, 3}})), (Central{0, 4, 3}));
  EXPECT_EQ(most_central(Graph(4, Links{{0, 1}, {1, 2}, {2, 3}, {3, 0}})), (Central{3, 4, 4}));
}

TEST(Closeness, TheCenterIsNotAlwaysWhereMostLinksAre) {
  // A star 0 of three leaves, and a long tail: 0-4-5-6-7-8.
  const Links links{{0, 1}, {0, 2}, {0, 3}, {0, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 8}};
  EXPECT_EQ(most_central(Graph(9, links)).node, 4u);
}

/// The plain search itself, against Floyd and Warshall.
TEST(Closeness, ThePlainSearchIsTheDefinition) {
  core::Prng prng = core::stream(1, "definition");
  for (const drawn::Family& family : drawn::families())
    for (int round = 0; round < 10; ++round) {
      const drawn::Network net = drawn::dressed(family.draw(1 + drawn::any(40, prng), prng), prng);
      const auto way =
          plain::all_distances(net.links, net.direction, std::vector<bool>(net.nodes, true));
      ASSERT_EQ(plain::all_centrals(net.graph()), plain::all_centrals(way)) << family.name;
    }
}

class EachFamily : public testing::TestWithParam<drawn::Family> {};
INSTANTIATE_TEST_SUITE_P(Closeness, EachFamily,
                         testing::ValuesIn(drawn::families().begin(), drawn::families().end()),
                         [](const auto& param) {
                           std::string name(param.param.name);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

/// Every size up to beyond the bits of a word, then some.
TEST_P(EachFamily, Small) {
  const drawn::Family& family = GetParam();
  for (NodeIndex n = 1; n <= 70; ++n)
    for (std::uint64_t round = 0; round < 2; ++round) {
      core::Prng prng = core::stream(round, family.name, n);
      const drawn::Network net = drawn::dressed(family.draw(n, prng), prng);
      ASSERT_EQ(wrong(net, 1 + drawn::any(n + 1, prng)), "") << n << " nodes, round " << round;
    }
}

TEST_P(EachFamily, UpTo300) {
  const drawn::Family& family = GetParam();
  for (std::uint64_t round = 0; round < 15; ++round) {
    core::Prng prng = core::stream(round, family.name);
    const NodeIndex n = 70 + drawn::any(230, prng);
    const drawn::Network net = drawn::dressed(family.draw(n, prng), prng);
    ASSERT_EQ(wrong(net, 1 + drawn::any(20, prng)), "") << n << " nodes, round " << round;
  }
}

/// On both sides of where methods and widths change, and larger.
TEST_P(EachFamily, Larger) {
  const drawn::Family& family = GetParam();
  for (const NodeIndex n : {512u, 513u, 769u, 1024u, 1025u, 1500u}) {
    if (n > family.most) continue;
    core::Prng prng = core::stream(1, family.name, n);
    const drawn::Network net = drawn::dressed(family.draw(n, prng), prng);
    ASSERT_EQ(wrong(net, 1 + drawn::any(5, prng)), "") << n << " nodes";
  }
}

TEST(Closeness, ThreeThousandNodes) {
  core::Prng prng = core::stream(1, "three thousand");
  for (const auto draw :
       {drawn::unit_disk, drawn::preferential, drawn::ring_with_trees, drawn::grid})
    EXPECT_EQ(wrong(drawn::dressed(draw(3000, prng), prng), 3), "");
}

/// More than half of the candidates are left, and batches are many: no node has a bound that helps.
TEST(Closeness, ManyTies) {
  core::Prng prng = core::stream(1, "ties");
  for (const NodeIndex side : {6u, 17u, 35u, 45u}) {
    drawn::Network net{side * side, {}};  // a torus
    for (NodeIndex u = 0; u < net.nodes; ++u) {
      net.links.push_back({u, u - u % side + (u + 1) % side});
      net.links.push_back({u, (u + side) % net.nodes});
    }
    EXPECT_EQ(wrong(drawn::dressed(net, prng), 7), "") << side;
  }
}

TEST(Closeness, RanksOfEachComponent) {
  // 1 - 3 - 4 and 0 - 2, and 5 alone.
  using Ranks = std::vector<std::vector<Central>>;
  const Graph parts(6, Links{{1, 3}, {4, 3}, {0, 2}});
  EXPECT_EQ(most_central_of_each(parts), (Ranks{{{2, 2, 1}}, {{3, 3, 2}}, {{5, 1, 0}}}));
  EXPECT_EQ(most_central_of_each(parts, 2),
            (Ranks{{{2, 2, 1}, {0, 2, 1}}, {{3, 3, 2}, {4, 3, 3}}, {{5, 1, 0}}}));
  EXPECT_EQ(most_central_of_each(Graph(), 3), Ranks{});
  EXPECT_THROW(most_central_of_each(parts, 0), core::Violation);
}

/// All nodes of a ring are tied, and no bound separates them. A node that is examined as a landmark
/// is among the best sooner or later.
TEST(Closeness, NobodyHasTwoRanks) {
  core::Prng prng = core::stream(1, "two ranks");
  constexpr NodeIndex nodes = 600;
  constexpr NodeIndex count = 250;
  for (int round = 0; round < 10; ++round) {
    const Graph ring = drawn::dressed(drawn::ring(nodes, prng), prng).graph();
    for (const Processor processor : checks::processors()) {
      const auto ranks = most_central_of_each(ring, count, processor);
      ASSERT_EQ(ranks.front().size(), count);
      for (NodeIndex i = 0; i < count; ++i)
        ASSERT_EQ(ranks.front()[i].node, nodes - 1 - i) << "round " << round;
    }
  }
}

TEST(Closeness, RanksTakeArrowsForLinks) {
  core::Prng prng = core::stream(1, "arrows");
  for (int round = 0; round < 200; ++round) {
    const drawn::Network net = drawn::network(drawn::size(prng, 20, 150), prng);
    const Graph one_way(net.nodes, net.links, Direction::one_way);
    const NodeIndex count = 1 + drawn::any(5, prng);
    const Graph graph = net.graph();
    ASSERT_EQ(most_central_of_each(one_way, count),
              plain::ranked(components(graph), plain::all_centrals(graph), count))
        << "round " << round;
  }
}

/// Rows may be lopsided, and a node's own bit says nothing.
TEST(Closeness, BitRows) {
  core::Prng prng = core::stream(1, "rows");
  for (NodeIndex n = 1; n <= most_bit_rows; ++n)
    for (int round = 0; round < 60; ++round) {
      const drawn::Network net =
          round % 2 == 0 ? drawn::network(n, prng) : drawn::dressed(drawn::arrows(n, prng), prng);
      const Graph graph = net.graph();
      auto rows = checks::rows_of(graph);
      for (NodeIndex u = 0; u < n; ++u)
        if (prng.chance(0.5)) rows[u] ^= std::uint64_t{1} << u;
      const Central expected = checks::best_of(plain::all_centrals(graph));
      ASSERT_EQ(most_central(rows), expected) << n << " nodes, round " << round;
      for (const Processor processor : checks::processors()) {
        Central found;
        ASSERT_EQ(small_central(rows, processor, found), expected.reached == n);
        if (expected.reached < n) continue;
        ASSERT_EQ(found, expected) << n << " nodes, round " << round;
      }
    }
}

/// One way or both, connected or not, with one word a row or several.
TEST(Closeness, RowsOfAnyLength) {
  core::Prng prng = core::stream(1, "rows of any length");
  for (const drawn::Family& family : drawn::families())
    for (const NodeIndex size : {3u, 64u, 65u, 150u}) {
      const Graph graph = family.draw(size, prng).graph();
      const std::size_t words = (graph.size() + std::size_t{63}) / 64;
      std::vector<std::uint64_t> rows(graph.size() * words, 0);
      for (NodeIndex u = 0; u < graph.size(); ++u)
        for (const NodeIndex v : graph.neighbours(u))
          rows[u * words + v / 64] |= std::uint64_t{1} << v % 64;
      EXPECT_EQ(most_central(graph.size(), rows), most_central(graph)) << family.name << size;
    }
  EXPECT_THROW(most_central(70, std::vector<std::uint64_t>(70, 0)), core::Violation);
  EXPECT_THROW(most_central(65, std::vector<std::uint64_t>(130, ~std::uint64_t{0})),
               core::Violation);
}

TEST(Closeness, NeedsSomebodyAndNotTooManyBits) {
  EXPECT_THROW(most_central(Graph()), core::Violation);
  EXPECT_THROW(most_central(std::vector<std::uint64_t>{}), core::Violation);
  EXPECT_THROW(most_central(std::vector<std::uint64_t>(65, 0)), core::Violation);
  EXPECT_EQ(most_central(std::vector<std::uint64_t>(64, ~std::uint64_t{0})).node, 63u);
  for (const Processor processor : checks::processors()) {
    Central best;
    EXPECT_THROW(dense_central(Graph(), processor, best), core::Violation);
    EXPECT_THROW(dense_central(Graph(1025, Links{}), processor, best), core::Violation);
  }
}

}  // namespace
}  // namespace bellwether::graph
