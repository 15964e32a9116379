// SPDX-License-Identifier: MIT
// The lecture's clockwise election in rounds: n + 1 rounds, n^2 messages at most; n(n+1)/2 in
// truth.
#include "bellwether/algorithms/rounds/clockwise_sync.hpp"

#include <iostream>

#include "claims/claims.hpp"

namespace bellwether::claims {
namespace {

using algorithms::ClockwiseSync;

RunReport run(NodeIndex n, const std::string& ids, bool announce, std::uint64_t seed = 1) {
  Scenario s = one_way_ring(n, ids, seed);
  set_option(s, "announce", announce ? "true" : "false");
  return simulate<ClockwiseSync>(s);
}

TEST(ClockwiseSyncClaims, RoundsAndMessages) {
  for (const NodeIndex n : {2, 3, 10, 100, 1000}) {
    const std::uint64_t worst = std::uint64_t{n} * (n + 1) / 2;
    EXPECT_EQ(run(n, "descending", false).messages, worst);
    EXPECT_EQ(run(n, "ascending", false).messages, 2 * std::uint64_t{n} - 1);
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const RunReport r = run(n, "random", true, seed);
      EXPECT_TRUE(r.agreed);
      EXPECT_EQ(r.leaders.at(0).leader, NodeId{n});
      EXPECT_LE(r.messages, worst + n);
      EXPECT_EQ(metric(r, "rounds"), 2 * n);  // of sending: the next one finds the news at home
      const RunReport alone = run(n, "random", false, seed);
      EXPECT_EQ(alone.messages + n, r.messages);
      EXPECT_EQ(metric(alone, "rounds"), n);  // the winner decides in round n + 1
    }
  }
}

TEST(ClockwiseSyncClaims, AverageIsNTimesHarmonic) {
  constexpr NodeIndex n = 1000;
  constexpr int runs = 60;
  double expected = 0;
  for (NodeIndex i = 1; i <= n; ++i) expected += double{n} / i;
  double sum = 0;
  for (std::uint64_t seed = 0; seed < runs; ++seed)
    sum += static_cast<double>(run(n, "random", false, 1000 + seed).messages);
  std::cout << "clockwise-sync, n = " << n << ", " << runs << " orders: mean "
            << rounded(sum / runs, 1) << " messages; n H_n = " << rounded(expected, 1) << "\n";
  EXPECT_NEAR(sum / runs, expected, 0.02 * expected);
}

}  // namespace
}  // namespace bellwether::claims
