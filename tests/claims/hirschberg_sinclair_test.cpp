// SPDX-License-Identifier: MIT
// Hirschberg and Sinclair (1980): 8n(1 + ceil(log2 n)) messages at worst.
#include "bellwether/algorithms/ring/hirschberg_sinclair.hpp"

#include <bit>

#include "claims/two_way_rings.hpp"

namespace bellwether::claims::two_way {
namespace {

using Election = algorithms::HirschbergSinclair;
namespace orders = algorithms::ring_orders;

std::uint64_t published(std::uint64_t n) {
  return 8 * n * (1 + static_cast<std::uint64_t>(std::bit_width(n - 1)));
}

TEST(HirschbergSinclairClaims, NoOrderCostsMoreThanPublished) {
  for (const NodeIndex n : {3, 4, 5, 7, 8, 9, 16, 17, 100, 1000, 1024, 1025}) {
    const std::uint64_t bound = Election::message_bound(n, {.announce = false});
    EXPECT_LE(bound, published(n));
    EXPECT_LE(played<Election>(orders::franklin_worst(n)).messages, bound);
    for (std::uint64_t seed = 0; seed < 20; ++seed)
      EXPECT_LE(simulate<Election>(quiet_ring(n, "random", seed)).messages, bound);
    for (const char* ids : {"ascending", "descending"})  // the best orders
      EXPECT_EQ(simulate<Election>(quiet_ring(n, ids)).messages, 6 * n + 4 * std::bit_ceil(n) - 8);
  }
}

TEST(HirschbergSinclairClaims, BadOrdersComeNearSixNInAPhase) {
  // Peaks 17 apart: a phase more for each doubling, of 2n + 4n 16/17 messages.
  double before = 0;
  for (NodeIndex m = 4; m <= 8; ++m) {
    const auto ids = orders::far_peaks(m, 4);
    const std::uint64_t n = ids.size();
    const std::uint64_t messages = played<Election>(ids).messages;
    const double each = static_cast<double>(messages) / static_cast<double>(n);
    std::cout << "hirschberg-sinclair, peaks 17 apart, n = " << n << ": " << rounded(each, 2)
              << " n messages, " << rounded(each / std::log2(n), 2) << " n log2 n; published "
              << rounded(static_cast<double>(published(n)) / static_cast<double>(n), 0) << " n\n";
    EXPECT_LE(messages, Election::message_bound(n, {.announce = false}));
    if (before > 0) {
      EXPECT_NEAR(each - before, 2 + 4.0 * 16 / 17, 0.02);
    }
    before = each;
  }
}

/// The mean over all orders when all start: a node sends its probe on to the j-th node on one side
/// if it is the best of those that it has met in this phase and the one before.
double expected(NodeIndex n) {
  double messages = 4.0 * n + 2.0 * n;
  for (NodeIndex reach = 1; 2 * reach < n; reach *= 2)
    for (NodeIndex j = 1; j <= 2 * reach; ++j) {
      const NodeIndex met = reach + std::max(reach, j - 1) + 1;
      messages += 4.0 * n / std::min(n, met);
    }
  return messages;
}

TEST(HirschbergSinclairClaims, RandomOrdersOnAverage) {
  constexpr NodeIndex n = 1000;
  const double mean = mean_cost<Election>(n, 100);
  std::cout << "expected over all orders: " << rounded(expected(n), 1) << "\n";
  EXPECT_NEAR(mean, expected(n), 0.02 * expected(n));
  // Each phase takes its share of n log2 n.
  const double constant = (expected(1 << 16) / (1 << 16) - expected(1 << 10) / (1 << 10)) / 6;
  EXPECT_NEAR(constant, 2 + 4 * std::log(1.5), 0.02);
}

TEST(HirschbergSinclairClaims, NoRunCostsMoreThanTheBound) {
  EXPECT_GT(expect_within_bound<Election>(2000), 90u);  // some come close: it is not idle
}

TEST(HirschbergSinclairClaims, NoSenseOfDirectionIsNeeded) {
  expect_no_direction_needed<Election>(300);
}

TEST(HirschbergSinclairClaims, TheAnnouncementCostsOneRound) {
  expect_announcement_costs_one_round<Election>();
}

TEST(HirschbergSinclairClaims, TheWinnerDecidesInLinearTime) {
  for (const NodeIndex n : {3, 4, 5, 8, 9, 100, 1024, 1025}) {
    const auto time = static_cast<int>(2 * std::bit_ceil(n) - 2 + n);
    EXPECT_EQ(simulate<Election>(quiet_ring(n, "random", n)).time, time * unit);
    EXPECT_LE(time, 5 * static_cast<int>(n) - 6);
  }
}

}  // namespace
}  // namespace bellwether::claims::two_way
