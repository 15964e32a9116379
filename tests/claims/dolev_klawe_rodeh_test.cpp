// SPDX-License-Identifier: MIT
// Dolev, Klawe and Rodeh (1982): 2n log2 n + O(n) messages for A, 1.5 n log2 n + O(n) for B.
#include "bellwether/algorithms/ring/dolev_klawe_rodeh.hpp"

#include "claims/one_way_rings.hpp"

namespace bellwether::claims {
namespace {

using algorithms::DolevKlaweRodeh;
using Algorithm = DolevKlaweRodeh::Variant;
constexpr DolevKlaweRodeh::Options a{.announce = false, .algorithm = Algorithm::a};
constexpr DolevKlaweRodeh::Options b{.announce = false};

TEST(DolevKlaweRodehClaims, TheBadOrderReachesTheConstants) {
  for (unsigned k = 2; k <= 12; ++k) {
    const auto ids = algorithms::bit_reversed_order(k);
    const std::uint64_t n = ids.size();
    EXPECT_EQ(cost_of<DolevKlaweRodeh>(ids, a), 2 * n * k + 1);
    EXPECT_EQ(cost_of<DolevKlaweRodeh>(ids, b), 3 * n * k / 2 + 1);
  }
}

TEST(DolevKlaweRodehClaims, NoOrderFoundIsAboveTheBounds) {
  for (const NodeIndex n : {16, 32}) {
    climbed<DolevKlaweRodeh>(n, 2, 1500, a, "dolev-klawe-rodeh A");
    // The published bound has 8n/3 to spare; a quarter of n was found.
    EXPECT_LT(climbed<DolevKlaweRodeh>(n, 3, 2000, b, "dolev-klawe-rodeh B") * n_log_n(n),
              1.5 * n_log_n(n) + 0.25 * n);
  }
  core::Prng prng(1);
  for (const NodeIndex n : {100, 500, 2000, 4000})
    for (int i = 0; i < 5; ++i) {
      const auto ids = algorithms::shuffled_ids(n, prng);
      EXPECT_LE(cost_of<DolevKlaweRodeh>(ids, a), DolevKlaweRodeh::message_bound(n, a));
      EXPECT_LE(cost_of<DolevKlaweRodeh>(ids, b), DolevKlaweRodeh::message_bound(n, b));
    }
}

TEST(DolevKlaweRodehClaims, Average) {
  EXPECT_NEAR(mean_cost<DolevKlaweRodeh>(1000, 100, a, "dolev-klawe-rodeh A"), 1.31, 0.04);
  EXPECT_NEAR(mean_cost<DolevKlaweRodeh>(1000, 100, b, "dolev-klawe-rodeh B"), 1.05, 0.03);
}

TEST(DolevKlaweRodehClaims, AnyInitiatorsAndDelays) {
  expect_claims_hold<DolevKlaweRodeh>(1500, 4);
  expect_claims_hold<DolevKlaweRodeh>(500, 4, {{"algorithm", "a"}});
  expect_claims_hold<DolevKlaweRodeh>(300, 4, {{"extremum", "min"}});
}

TEST(DolevKlaweRodehClaims, TimeIsTwiceTheRing) {
  core::Prng prng(2);
  for (const NodeIndex n : {10, 100, 1000})
    for (int i = 0; i < 20; ++i) {
      const auto ids = algorithms::shuffled_ids(n, prng);
      EXPECT_LE(run_ring<DolevKlaweRodeh>(ids, a).time, (2 * n - 1) * unit);
      EXPECT_LE(run_ring<DolevKlaweRodeh>(ids, b).time, (2 * n - 1) * unit);
    }
}

}  // namespace
}  // namespace bellwether::claims
