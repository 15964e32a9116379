// SPDX-License-Identifier: MIT
#include "bellwether/graph/closeness.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "bellwether/core/invariant.hpp"
#include "bellwether/core/prng.hpp"

namespace bellwether::graph {
namespace {

using Links = std::vector<Edge>;

/// All distances by Floyd and Warshall, then the definition word by word.
NodeIndex oracle(NodeIndex n, const Links& links, Direction direction) {
  constexpr std::uint64_t far = 1'000'000;
  std::vector<std::vector<std::uint64_t>> way(n, std::vector<std::uint64_t>(n, far));
  for (NodeIndex u = 0; u < n; ++u) way[u][u] = 0;
  for (const auto& [a, b] : links) {
    way[a][b] = std::min<std::uint64_t>(way[a][b], 1);
    if (direction == Direction::both_ways) way[b][a] = std::min<std::uint64_t>(way[b][a], 1);
  }
  for (NodeIndex k = 0; k < n; ++k)
    for (NodeIndex u = 0; u < n; ++u)
      for (NodeIndex v = 0; v < n; ++v) way[u][v] = std::min(way[u][v], way[u][k] + way[k][v]);
  std::vector<std::tuple<std::int64_t, std::int64_t, NodeIndex>> rank;
  for (NodeIndex u = 0; u < n; ++u) {
    std::int64_t reached = 0;
    std::int64_t sum = 0;
    for (const std::uint64_t d : way[u])
      if (d < far) {
        ++reached;
        sum += static_cast<std::int64_t>(d);
      }
    rank.emplace_back(reached, -sum, u);
  }
  return std::get<2>(*std::max_element(rank.begin(), rank.end()));
}

/// A tree at random, so that it hangs together, and some links more.
Links connected(NodeIndex n, std::uint64_t more, core::Prng& prng) {
  Links links;
  for (NodeIndex u = 1; u < n; ++u) links.push_back({static_cast<NodeIndex>(prng.below(u)), u});
  const auto any = [&] { return static_cast<NodeIndex>(prng.below(n)); };
  for (; n > 1 && more > 0; --more) links.push_back({any(), any()});
  return links;
}

std::vector<std::uint64_t> rows_of(NodeIndex n, const Links& links) {
  std::vector<std::uint64_t> rows(n, 0);
  for (const auto& [a, b] : links) {
    rows[a] |= std::uint64_t{1} << b;
    rows[b] |= std::uint64_t{1} << a;
  }
  return rows;
}

TEST(Closeness, KnownNetworks) {
  EXPECT_EQ(most_central(Graph(1, Links{})).node, 0u);
  EXPECT_EQ(most_central(Graph(2, Links{{0, 1}})).node, 1u);  // a tie
  EXPECT_EQ(most_central(Graph(5, Links{{0, 1}, {1, 2}, {2, 3}, {3, 4}})).node, 2u);
  EXPECT_EQ(most_central(Graph(4, Links{{0, 1}, {1, 2}, {2, 3}})).node, 2u);  // a tie of 1 and 2
  EXPECT_EQ(most_central(Graph(4, Links{{0, 1}, {0, 2}, {0, 3}})).node, 0u);
  EXPECT_EQ(most_central(Graph(4, Links{{0, 1}, {1, 2}, {2, 3}, {3, 0}})).node, 3u);
}

TEST(Closeness, TheCenterIsNotAlwaysWhereMostLinksAre) {
  // A star 0 of three leaves, and a long tail: 0-4-5-6-7-8.
  const Links links{{0, 1}, {0, 2}, {0, 3}, {0, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 8}};
  EXPECT_EQ(most_central(Graph(9, links)).node, 4u);
}

TEST(Closeness, IsTheDefinitionInRandomNetworks) {
  core::Prng prng(1);
  for (int round = 0; round < 1500; ++round) {
    // Both sides of the bound between the two searches.
    const auto n =
        static_cast<NodeIndex>(round % 10 == 0 ? 60 + prng.below(12) : 1 + prng.below(20));
    const Links links = connected(n, prng.below(2 * n + 1), prng);
    const NodeIndex expected = oracle(n, links, Direction::both_ways);
    EXPECT_EQ(most_central(Graph(n, links)).node, expected);
    if (n <= most_bit_rows) {
      EXPECT_EQ(most_central(rows_of(n, links)).node, expected);
      auto rows = rows_of(n, links);
      for (NodeIndex u = 0; u < n; u += 2) rows[u] |= std::uint64_t{1} << u;
      EXPECT_EQ(most_central(rows).node, expected) << "a node's own bit says nothing";
    }
  }
}

TEST(Closeness, FollowsArrowsAndPutsReachFirst) {
  core::Prng prng(2);
  for (int round = 0; round < 500; ++round) {
    const auto n =
        static_cast<NodeIndex>(round % 10 == 0 ? 60 + prng.below(12) : 2 + prng.below(10));
    Links links;
    for (std::uint64_t more = prng.below(3 * n); more > 0; --more)
      links.push_back(
          {static_cast<NodeIndex>(prng.below(n)), static_cast<NodeIndex>(prng.below(n))});
    EXPECT_EQ(most_central(Graph(n, links, Direction::one_way)).node,
              oracle(n, links, Direction::one_way));
  }
}

TEST(Closeness, NeedsSomebodyAndNotTooManyBits) {
  EXPECT_THROW(most_central(Graph()), core::Violation);
  EXPECT_THROW(most_central(std::vector<std::uint64_t>{}), core::Violation);
  EXPECT_THROW(most_central(std::vector<std::uint64_t>(65, 0)), core::Violation);
  EXPECT_EQ(most_central(std::vector<std::uint64_t>(64, ~std::uint64_t{0})).node, 63u);
}

}  // namespace
}  // namespace bellwether::graph
