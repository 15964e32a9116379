// SPDX-License-Identifier: MIT
// The alternating election (van Leeuwen and Tan, 1987): 1.44 n log2 n + O(n) messages at worst.
#include "bellwether/algorithms/ring/alternate.hpp"

#include "claims/two_way_rings.hpp"

namespace bellwether::claims::two_way {
namespace {

using algorithms::Alternate;
namespace orders = algorithms::ring_orders;

std::vector<NodeId> worst_order(NodeIndex n) {
  return orders::alternate_worst(n, Alternate::phase_bound(n));
}

TEST(AlternateClaims, WorstAndBestOrders) {
  for (const NodeIndex n : {3, 4, 5, 8, 12, 13, 100, 987, 1000, 4181}) {
    const std::uint64_t bound = Alternate::message_bound(n, {});
    EXPECT_LE(static_cast<double>(bound - n), 1.4405 * n * std::log2(n) + n);
    EXPECT_EQ(played<Alternate>(worst_order(n), true).messages, bound);
    EXPECT_EQ(played<Alternate>(worst_order(n), true, n).messages, bound);
    EXPECT_EQ(simulate<Alternate>(two_way_ring(n, "descending")).messages, 3 * n);
    EXPECT_EQ(simulate<Alternate>(two_way_ring(n, "ascending")).messages, 4 * n);
  }
}

TEST(AlternateClaims, TheLeadingConstantIsThatOfTheGoldenRatio) {
  // From F(10) to F(19) nodes: the additional phases per doubling of n.
  constexpr NodeIndex few = 55, many = 4181;
  const auto phases = [](NodeIndex n) {
    return static_cast<double>(played<Alternate>(worst_order(n)).messages) / n;
  };
  const double constant = (phases(many) - phases(few)) / (std::log2(many) - std::log2(few));
  const double published = 1 / std::log2((1 + std::sqrt(5.0)) / 2);
  std::cout << "alternate, worst orders, n = " << few << " to " << many << ": "
            << rounded(constant, 4) << " n log2 n + O(n); published " << rounded(published, 4)
            << "\n";
  EXPECT_NEAR(constant, published, 0.02 * published);
}

TEST(AlternateClaims, EveryPhaseCostsN) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto n = static_cast<NodeIndex>(3 + 7 * seed);
    Scenario s = quiet_ring(n, "random", seed);
    random_delays(s);
    const auto ids = world::assign_ids(s.network, n, seed);
    EXPECT_EQ(simulate<Alternate>(s).messages, n * orders::alternate_phases(ids));
  }
}

TEST(AlternateClaims, RandomOrdersOnAverage) {
  constexpr NodeIndex n = 1000;
  const double mean = mean_cost<Alternate>(n, 200);
  EXPECT_LT(mean, 10.0 * n);  // the worst order takes 15 phases
  EXPECT_GT(mean, 9.0 * n);
  EXPECT_EQ(Alternate::phase_bound(n), 15u);
}

TEST(AlternateClaims, NoRunCostsMoreThanTheBound) {
  EXPECT_EQ(expect_within_bound<Alternate>(2000), 100u);  // the worst order is among them
}

TEST(AlternateClaims, TheAnnouncementCostsOneRound) {
  expect_announcement_costs_one_round<Alternate>();
}

TEST(AlternateClaims, TimeIsAtMostTheRingInEachPhase) {
  double most = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto n = static_cast<NodeIndex>(3 + seed);
    Scenario s = quiet_ring(n, "random", seed);
    const auto ids = world::assign_ids(s.network, n, seed);
    const std::int64_t time = units(simulate<Alternate>(s).time);
    EXPECT_LE(time, static_cast<std::int64_t>(n * orders::alternate_phases(ids)));
    EXPECT_GE(time, static_cast<std::int64_t>(n));
    most = std::max(most, static_cast<double>(time) / n);
  }
  EXPECT_LT(most, 2.7);
  std::cout << "alternate, random orders: the winner decides within " << rounded(most, 2) << " n\n";
}

}  // namespace
}  // namespace bellwether::claims::two_way
