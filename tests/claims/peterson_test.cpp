// SPDX-License-Identifier: MIT
// Peterson (1982), second algorithm: 1.44 n log2 n + O(n) messages at worst.
#include "bellwether/algorithms/ring/peterson.hpp"

#include "claims/one_way_rings.hpp"

namespace bellwether::claims {
namespace {

using algorithms::Peterson;
constexpr Peterson::Options quiet{.announce = false};

TEST(PetersonClaims, TheBoundIsThePublishedOne) {
  const double phi = (1 + std::sqrt(5)) / 2;
  for (std::uint64_t n = 2; n <= 100'000; ++n) {
    const auto size = static_cast<double>(n);
    const double per_node = static_cast<double>(Peterson::message_bound(n, quiet)) / size;
    const double phases = std::log2(size) / std::log2(phi);
    ASSERT_LE(per_node, phases + 0.72);
    ASSERT_GE(per_node, phases - 0.35);  // and no larger than need be
  }
  EXPECT_NEAR(1 / std::log2(phi), 1.4404, 0.0001);
}

TEST(PetersonClaims, TheBadOrderComesNearIt) {
  double last = 0;
  for (unsigned k = 4; k <= 17; ++k) {
    const auto ids = algorithms::fibonacci_order(k);
    const std::uint64_t cost = cost_of<Peterson>(ids, quiet);
    EXPECT_GT(cost, k * ids.size());
    EXPECT_LE(cost, Peterson::message_bound(ids.size(), quiet));
    last = static_cast<double>(cost) / n_log_n(ids.size());
    if (k % 4 == 1)
      std::cout << "peterson, bad order of " << ids.size() << ": " << cost << " messages, "
                << rounded(last, 3) << " n log2 n; at most "
                << Peterson::message_bound(ids.size(), quiet) << "\n";
  }
  EXPECT_GT(last, 1.44);
  EXPECT_EQ(cost_of<Peterson>(algorithms::fibonacci_order(17), quiet), 72'675u);
}

TEST(PetersonClaims, NoOrderFoundIsWorse) {
  for (const NodeIndex n : {13, 21, 34}) climbed<Peterson>(n, 2, 1500, quiet, "peterson");
  core::Prng prng(1);
  for (const NodeIndex n : {100, 500, 2000, 4000})
    for (int i = 0; i < 5; ++i)
      EXPECT_LE(cost_of<Peterson>(algorithms::shuffled_ids(n, prng), quiet),
                Peterson::message_bound(n, quiet));
}

TEST(PetersonClaims, Average) {
  EXPECT_NEAR(mean_cost<Peterson>(1000, 100, quiet, "peterson"), 0.93, 0.03);
}

TEST(PetersonClaims, AnyInitiatorsAndDelays) {
  expect_claims_hold<Peterson>(1500, 4);
  expect_claims_hold<Peterson>(300, 4, {{"extremum", "min"}});
}

TEST(PetersonClaims, TimeIsTwiceTheRing) {
  core::Prng prng(2);
  for (const NodeIndex n : {10, 100, 1000})
    for (int i = 0; i < 30; ++i) {
      const RunReport r = run_ring<Peterson>(algorithms::shuffled_ids(n, prng), quiet);
      EXPECT_LE(r.time, (2 * n - 1) * unit);
    }
}

}  // namespace
}  // namespace bellwether::claims
