// SPDX-License-Identifier: MIT
#include "bellwether/graph/harmonic.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "bellwether/graph/centrality.hpp"
#include "bellwether/graph/components.hpp"
#include "bellwether/graph/distances.hpp"
#include "bellwether/graph/drawn_networks_test.hpp"
#include "bellwether/graph/harmonic_sum.hpp"
#include "bellwether/graph/plain_oracles_test.hpp"

namespace bellwether::graph {
namespace {

using plain::Fraction;
using Links = std::vector<Edge>;
using Order = std::vector<std::vector<plain::Harmonic>>;

plain::Distances all_distances(const drawn::Network& net) {
  return plain::all_distances(net.links, Direction::both_ways, std::vector<bool>(net.nodes, true));
}

Order definition(const drawn::Network& net) {
  return plain::harmonic(components(net.nodes, net.links), all_distances(net));
}

void expect_ranked(const std::vector<std::vector<HarmonicCentral>>& found, Order expected,
                   NodeIndex count) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    expected[i].resize(std::min<std::size_t>(expected[i].size(), count));
    ASSERT_EQ(found[i].size(), expected[i].size());
    for (std::size_t j = 0; j < found[i].size(); ++j) {
      ASSERT_EQ(found[i][j].node, expected[i][j].node) << "component " << i << ", rank " << j;
      const auto value = expected[i][j].sum.convert_to<double>();
      EXPECT_NEAR(found[i][j].value, value, 1e-14 * value);
      if (j > 0 && expected[i][j].sum == expected[i][j - 1].sum) {
        EXPECT_EQ(found[i][j].value, found[i][j - 1].value) << "a tie";
      }
    }
  }
}

TEST(MostHarmonic, ByHand) {
  using Ranks = std::vector<std::vector<HarmonicCentral>>;
  EXPECT_EQ(most_harmonic_of_each(Graph(), 1), Ranks{});
  EXPECT_EQ(most_harmonic_of_each(Graph(1, Links{})), (Ranks{{{0, 0.0}}}));
  EXPECT_EQ(most_harmonic_of_each(Graph(4, Links{{0, 1}, {1, 2}, {2, 3}}), 2),
            (Ranks{{{2, 2.5}, {1, 2.5}}}));
  // 1 - 3 - 4 and 0 - 2, and 5 alone.
  const Graph parts(6, Links{{1, 3}, {4, 3}, {0, 2}});
  EXPECT_EQ(most_harmonic_of_each(parts, 2),
            (Ranks{{{2, 1.0}, {0, 1.0}}, {{3, 2.0}, {4, 1.5}}, {{5, 0.0}}}));
  EXPECT_EQ(most_harmonic_of_each(parts, 0), (Ranks{{}, {}, {}}));
}

TEST(MostHarmonic, FractionsThatAreEqualAreTiedWhateverTheyAreMadeOf) {
  // Among drawn networks: ties of nodes that have different numbers of nodes at some distance.
  core::Prng prng = core::stream(1, "unlike ties");
  int unlike = 0;
  for (int round = 0; round < 3000; ++round) {
    const drawn::Network net = drawn::network(6 + drawn::any(10, prng), prng);
    const auto way = all_distances(net);
    const auto expected = definition(net);
    for (const auto& each : expected) {
      if (each.size() < 2 || each[0].sum != each[1].sum) continue;
      auto a = way[each[0].node];
      auto b = way[each[1].node];
      std::sort(a.begin(), a.end());
      std::sort(b.begin(), b.end());
      if (a == b) continue;
      ++unlike;
      expect_ranked(most_harmonic_of_each(Graph(net.nodes, net.links), 2), expected, 2);
    }
  }
  EXPECT_GE(unlike, 5);
}

TEST(MostHarmonic, IsTheDefinitionInDrawnNetworks) {
  core::Prng prng = core::stream(1, "harmonic");
  for (int round = 0; round < 3000; ++round) {
    const drawn::Network net = drawn::network(drawn::size(prng, 18, 90), prng);
    const Graph graph(net.nodes, net.links);
    const auto expected = definition(net);
    const NodeIndex count = prng.chance(0.3) ? 1 : 1 + drawn::any(net.nodes + 2, prng);
    expect_ranked(most_harmonic_of_each(graph, count), expected, count);
    if (HasFatalFailure()) FAIL() << "round " << round;
  }
}

TEST(MostHarmonic, ArrowsLeadBothWays) {
  core::Prng prng = core::stream(1, "arrows");
  for (int round = 0; round < 200; ++round) {
    const drawn::Network net = drawn::network(drawn::size(prng, 12, 30), prng);
    const Graph arrows(net.nodes, net.links, Direction::one_way);
    EXPECT_EQ(most_harmonic_of_each(arrows, 3),
              most_harmonic_of_each(Graph(net.nodes, net.links), 3));
  }
}

/// Long ways, so that units are not enough.
TEST(MostHarmonic, IsAPlainSearchInLargerNetworks) {
  core::Prng prng = core::stream(1, "larger");
  for (int round = 0; round < 120; ++round) {
    const drawn::Network net = drawn::network(70 + drawn::any(280, prng), prng);
    const Graph graph(net.nodes, net.links);
    const Components parts = components(graph);
    Order expected(parts.count);
    for (NodeIndex u = 0; u < net.nodes; ++u) {
      const Fraction sum = plain::harmonic_sum(distances(graph, u), unreachable);
      expected[parts.of[u]].push_back({u, sum});
    }
    for (auto& each : expected) std::sort(each.begin(), each.end());
    for (const NodeIndex count : {1u, 2u, 7u, 40u})
      expect_ranked(most_harmonic_of_each(graph, count), expected, count);
    if (HasFatalFailure()) FAIL() << "round " << round;
  }
}

HarmonicSum sum_of(const std::vector<std::uint32_t>& counts) {
  HarmonicSum sum;
  for (const std::uint32_t count : counts) sum.add_level(count);
  return sum;
}

TEST(HarmonicSum, ComparesAsFractionsDo) {
  EXPECT_EQ(sum_of({2}), sum_of({1, 2}));
  EXPECT_EQ(sum_of({0, 1}), sum_of({0, 0, 1, 0, 0, 1}));  // 1/2 = 1/3 + 1/6
  EXPECT_LT(sum_of({}), sum_of({0, 0, 1}));
  core::Prng prng = core::stream(1, "sums");
  int ties = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<std::uint32_t> a(60 + prng.below(200), 0);
    for (std::uint32_t& count : a)
      if (prng.chance(0.5)) count = static_cast<std::uint32_t>(prng.below(1000));
    // Change it by what is nothing, next to nothing, or something: 1/d = 1/2d + 1/2d, and so on.
    std::vector<std::uint32_t> b = a;
    b.resize(3 * a.size(), 0);
    for (int change = 0; change < 5; ++change) {
      const std::size_t d = 1 + prng.below(a.size());
      if (b[d - 1] == 0) continue;
      --b[d - 1];
      if (prng.chance(0.5)) {
        b[2 * d - 1] += 2;
      } else {
        b[3 * d / 2 - 1] += 1;  // nothing where d is even
        b[3 * d - 1] += 1;
      }
    }
    Fraction difference = 0;
    for (std::size_t i = 0; i < b.size(); ++i)
      difference += Fraction(std::int64_t{i < a.size() ? a[i] : 0} - std::int64_t{b[i]}, i + 1);
    const int sign = difference.sign();
    ties += sign == 0;
    EXPECT_EQ(sum_of(a) <=> sum_of(b), sign <=> 0);
    EXPECT_EQ(sum_of(b) <=> sum_of(a), 0 <=> sign);
  }
  EXPECT_GE(ties, 30);
  EXPECT_LE(ties, 270);
}

/// Differences far below a unit: nothing but fractions tells these sums apart.
TEST(HarmonicSum, ComparesWhatUnitsCannot) {
  constexpr std::uint32_t q = 3000;
  // The binomial coefficients with signs: the n-th difference of 1/q is n! / (q...(q+n)).
  std::vector<std::int64_t> row{1};
  for (int n = 0; n < 30; ++n) {
    row.push_back(0);
    for (std::size_t i = row.size(); --i > 0;) row[i] -= row[i - 1];
  }
  std::vector<std::uint32_t> a(q + 31, 0);
  std::vector<std::uint32_t> b(q + 31, 0);
  for (std::uint32_t i = 0; i <= 30; ++i)
    (row[i] > 0 ? a : b)[q + i - 1] = static_cast<std::uint32_t>(std::abs(row[i]));
  const HarmonicSum more = sum_of(a);
  const HarmonicSum less = sum_of(b);
  EXPECT_LE(more.at_least(), less.at_most());
  EXPECT_LE(less.at_least(), more.at_most());
  EXPECT_GT(more, less);
  EXPECT_LT(less, more);
  EXPECT_EQ(more, sum_of(a));
}

}  // namespace
}  // namespace bellwether::graph
