// SPDX-License-Identifier: MIT
// Franklin (1982): 2n floor(log2 n) + 3n messages at worst.
#include "bellwether/algorithms/ring/franklin.hpp"

#include "claims/two_way_rings.hpp"

namespace bellwether::claims::two_way {
namespace {

using algorithms::Franklin;
namespace orders = algorithms::ring_orders;

std::uint64_t published(std::uint64_t n) {
  return 2 * n * static_cast<std::uint64_t>(std::log2(n)) + 3 * n;
}

TEST(FranklinClaims, WorstAndBestOrders) {
  for (const NodeIndex n : {3, 4, 7, 8, 9, 100, 1000, 1023, 1024, 4096}) {
    EXPECT_EQ(published(n), Franklin::message_bound(n, {}));
    EXPECT_EQ(played<Franklin>(orders::franklin_worst(n), true).messages, published(n));
    EXPECT_EQ(played<Franklin>(orders::franklin_worst(n), true, n).messages, published(n));
    for (const char* ids : {"ascending", "descending"})
      EXPECT_EQ(simulate<Franklin>(two_way_ring(n, ids)).messages, 5 * n);
  }
}

TEST(FranklinClaims, EveryPhaseCostsTwoN) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto n = static_cast<NodeIndex>(3 + 7 * seed);
    Scenario s = quiet_ring(n, "random", seed);
    random_delays(s);
    const auto ids = world::assign_ids(s.network, n, seed);
    EXPECT_EQ(simulate<Franklin>(s).messages, 2 * n * orders::franklin_phases(ids));
  }
}

TEST(FranklinClaims, RandomOrdersOnAverage) {
  constexpr NodeIndex n = 1000;
  const double mean = mean_cost<Franklin>(n, 200);
  // About a third of the active nodes are better than their neighbours.
  const double phases = 1 + std::log(n) / std::log(3);
  EXPECT_NEAR(mean, 2 * n * phases, 0.05 * 2 * n * phases);
}

TEST(FranklinClaims, NoRunCostsMoreThanTheBound) {
  EXPECT_EQ(expect_within_bound<Franklin>(2000), 100u);  // the worst order is among them
}

TEST(FranklinClaims, NoSenseOfDirectionIsNeeded) {
  expect_no_direction_needed<Franklin>(300);
}

TEST(FranklinClaims, TheAnnouncementCostsOneRound) {
  expect_announcement_costs_one_round<Franklin>();
}

TEST(FranklinClaims, TimeIsAtMostTheRingInEachPhase) {
  double most = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto n = static_cast<NodeIndex>(3 + seed);
    Scenario s = quiet_ring(n, "random", seed);
    const auto ids = world::assign_ids(s.network, n, seed);
    const std::int64_t time = units(simulate<Franklin>(s).time);
    EXPECT_LE(time, static_cast<std::int64_t>(n * orders::franklin_phases(ids)));
    EXPECT_GE(time, static_cast<std::int64_t>(n));
    most = std::max(most, static_cast<double>(time) / n);
  }
  EXPECT_LT(most, 2.3);
  std::cout << "franklin, random orders: the winner decides within " << rounded(most, 2) << " n\n";
}

}  // namespace
}  // namespace bellwether::claims::two_way
