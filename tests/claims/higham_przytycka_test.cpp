// SPDX-License-Identifier: MIT
// Higham and Przytycka (1993, 1996): fewer than 1.271 n log2 n + O(n) messages.
#include "bellwether/algorithms/ring/higham_przytycka.hpp"

#include "claims/one_way_rings.hpp"

namespace bellwether::claims {
namespace {

using algorithms::HighamPrzytycka;

TEST(HighamPrzytyckaClaims, TheBoundIsThePublishedOne) {
  const double phi = (1 + std::sqrt(5)) / 2;
  const double constant = (4 - std::sqrt(5)) / 2 / std::log2(phi);
  EXPECT_NEAR(constant, 1.2704, 0.0001);
  for (std::uint64_t n = 2; n <= 100'000; ++n) {
    const double bound = static_cast<double>(HighamPrzytycka::envelope_bound(n));
    ASSERT_LE(bound, constant * n_log_n(n) + 2.2 * static_cast<double>(n)) << n;
  }
}

TEST(HighamPrzytyckaClaims, NoOrderFoundIsAboveIt) {
  for (const NodeIndex n : {9, 16, 34, 55})
    climbed<HighamPrzytycka>(n, 2, 1500, {}, "higham-przytycka");
  for (unsigned k = 4; k <= 12; ++k) {
    const auto ids = algorithms::bit_reversed_order(k);
    const std::uint64_t cost = cost_of<HighamPrzytycka>(ids, {});
    EXPECT_LE(cost, HighamPrzytycka::message_bound(ids.size(), {}));
    if (k % 4 == 0)
      std::cout << "higham-przytycka, bad order of " << ids.size() << ": " << cost
                << " messages; at most " << HighamPrzytycka::message_bound(ids.size(), {}) << "\n";
  }
  EXPECT_EQ(cost_of<HighamPrzytycka>(algorithms::bit_reversed_order(8), {}), 3050u);
  EXPECT_EQ(cost_of<HighamPrzytycka>(algorithms::bit_reversed_order(12), {}), 63'893u);
  for (unsigned k = 4; k <= 16; ++k) {
    const auto ids = algorithms::fibonacci_order(k);
    EXPECT_LE(cost_of<HighamPrzytycka>(ids, {}), HighamPrzytycka::message_bound(ids.size(), {}));
  }
  core::Prng prng(1);
  for (const NodeIndex n : {100, 500, 2000, 4000})
    for (int i = 0; i < 5; ++i)
      EXPECT_LE(cost_of<HighamPrzytycka>(algorithms::shuffled_ids(n, prng), {}),
                HighamPrzytycka::message_bound(n, {}));
}

TEST(HighamPrzytyckaClaims, Average) {
  EXPECT_NEAR(mean_cost<HighamPrzytycka>(1000, 100, {}, "higham-przytycka"), 1.19, 0.03);
}

TEST(HighamPrzytyckaClaims, AnyInitiatorsAndDelays) {
  expect_claims_hold<HighamPrzytycka>(1500, 6);
  expect_claims_hold<HighamPrzytycka>(300, 6, {{"extremum", "min"}});
}

TEST(HighamPrzytyckaClaims, TimeIsBelowFiveTimesTheRing) {
  core::Prng prng(2);
  double longest = 0;
  for (const NodeIndex n : {10, 35, 90, 234, 1000})
    for (int i = 0; i < 50; ++i) {
      const RunReport r = run_ring<HighamPrzytycka>(algorithms::shuffled_ids(n, prng), {});
      EXPECT_LT(r.time, 5 * n * unit);
      longest = std::max(longest, static_cast<double>(units(r.time)) / n);
    }
  EXPECT_GT(longest, 4.9);
}

}  // namespace
}  // namespace bellwether::claims
