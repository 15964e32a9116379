// SPDX-License-Identifier: MIT
// Chang and Roberts (1979): n(n+1)/2 messages at worst, n H_n on average, 2n - 1 at best.
#include "bellwether/algorithms/ring/chang_roberts.hpp"

#include <cmath>
#include <iostream>

#include "claims/claims.hpp"

namespace bellwether::claims {
namespace {

using algorithms::ChangRoberts;

Scenario quiet_ring(NodeIndex n, std::string ids, std::uint64_t seed = 1) {
  Scenario s = one_way_ring(n, std::move(ids), seed);
  set_option(s, "announce", "false");
  return s;
}

std::uint64_t cost(const Scenario& s) {
  return simulate<ChangRoberts>(s).messages;
}

TEST(ChangRobertsClaims, WorstAndBestOrders) {
  for (const NodeIndex n : {2, 3, 10, 100, 1000}) {
    const std::uint64_t worst = std::uint64_t{n} * (n + 1) / 2;
    const std::uint64_t best = 2 * std::uint64_t{n} - 1;
    // Against the direction: ids fall clockwise, and only the winner stops a token.
    EXPECT_EQ(cost(quiet_ring(n, "descending")), worst);
    EXPECT_EQ(cost(quiet_ring(n, "ascending")), best);
    Scenario delayed = quiet_ring(n, "descending", n);
    random_delays(delayed);
    EXPECT_EQ(cost(delayed), worst);  // delays do not count
    Scenario min = quiet_ring(n, "ascending");
    set_option(min, "extremum", "min");
    EXPECT_EQ(cost(min), worst);
  }
}

TEST(ChangRobertsClaims, AverageIsNTimesHarmonic) {
  constexpr NodeIndex n = 1000;
  constexpr int runs = 200;
  double harmonic = 0;
  for (NodeIndex i = 1; i <= n; ++i) harmonic += 1.0 / i;
  const double expected = n * harmonic;
  double sum = 0, squares = 0;
  for (int seed = 0; seed < runs; ++seed) {
    const auto messages = static_cast<double>(cost(quiet_ring(n, "random", 1000u + seed)));
    sum += messages;
    squares += messages * messages;
  }
  const double mean = sum / runs;
  const double error = std::sqrt((squares / runs - mean * mean) / (runs - 1));
  std::cout << "chang-roberts, n = " << n << ", " << runs << " orders: mean " << rounded(mean, 1)
            << " messages, standard error " << rounded(error, 1)
            << "; n H_n = " << rounded(expected, 1) << "\n";
  EXPECT_NEAR(mean, expected, 0.02 * expected);
  EXPECT_LT(error, 0.01 * expected);  // so that the line above means something
}

TEST(ChangRobertsClaims, NoRunCostsMoreThanTheWorstOrder) {
  std::uint64_t most = 0;  // in percent of the bound
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const auto n = static_cast<NodeIndex>(2 + seed % 9);
    Scenario s = one_way_ring(n, "random", seed);
    s.properties = {"all"};
    s.start.initiators = 1 + seed % n;
    s.start.window = (seed % 3) * n * unit;
    random_delays(s, Duration{1}, milliseconds(20));
    if (seed % 2 == 0) s.channel.order = world::Order::unordered;
    const RunReport r = simulate<ChangRoberts>(s);
    const std::uint64_t bound = n * (n + 1u) / 2 + n;  // with the announcement
    EXPECT_TRUE(r.agreed) << "seed " << seed;
    EXPECT_EQ(r.violation, "") << "seed " << seed;
    EXPECT_LE(r.messages, bound) << "seed " << seed;
    EXPECT_GE(r.messages, 2u * n) << "seed " << seed;
    most = std::max(most, 100 * r.messages / bound);
  }
  EXPECT_GT(most, 90u);  // some runs come close: the bound is not idle
}

TEST(ChangRobertsClaims, TheAnnouncementCostsOneRound) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Scenario s = quiet_ring(30, "random", seed);
    const RunReport alone = simulate<ChangRoberts>(s);
    EXPECT_FALSE(alone.agreed);  // only the winner knows
    set_option(s, "announce", "true");
    const RunReport told = simulate<ChangRoberts>(s);
    EXPECT_EQ(told.messages, alone.messages + 30);
    EXPECT_EQ(told.time, alone.time + 30 * unit);
    EXPECT_TRUE(told.agreed);
    EXPECT_EQ(told.leaders.at(0).leader, NodeId{30});
  }
}

TEST(ChangRobertsClaims, TheWinnerDecidesWithinTwiceTheRingLessOne) {
  for (const NodeIndex n : {2, 3, 5, 9}) {
    Scenario s = quiet_ring(n, "ascending");
    s.channel.mean = Duration{1};
    s.start.nodes = {NodeId{1}, NodeId{n}};
    s.start.window = Duration{n - 1};
    s.seed = seed_with_starts(s, counting_ids(n), {Time{0}, Time{n - 1}});
    EXPECT_EQ(simulate<ChangRoberts>(s).time, Time{2 * n - 1});
  }
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const auto n = static_cast<NodeIndex>(2 + seed % 12);
    Scenario s = quiet_ring(n, "random", seed);
    s.start.initiators = 1 + seed % n;
    s.start.window = n * unit;
    const auto ids = world::assign_ids(s.network, n, seed);
    const auto starts = sim::start_times(s.start, ids, seed);
    const Time first = *std::min_element(starts.begin(), starts.end());
    const RunReport r = simulate<ChangRoberts>(s);
    EXPECT_LE(r.time - first, (2 * n - 1) * unit) << "seed " << seed;
  }
}

}  // namespace
}  // namespace bellwether::claims
