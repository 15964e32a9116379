// SPDX-License-Identifier: MIT
// The lecture's clockwise election, asynchronous: the highest id leads after 2n - 1 units of time
// at most, and n^2 messages at most; n(n+1)/2 in truth.
#include "bellwether/algorithms/ring/clockwise.hpp"

#include "claims/one_way_rings.hpp"

namespace bellwether::claims {
namespace {

using algorithms::Clockwise;
constexpr Clockwise::Options quiet{.announce = false};

Scenario quiet_ring(NodeIndex n, std::string ids, std::uint64_t seed = 1) {
  Scenario s = one_way_ring(n, std::move(ids), seed);
  set_option(s, "announce", "false");
  return s;
}

std::uint64_t cost(const Scenario& s) {
  return simulate<Clockwise>(s).messages;
}

TEST(ClockwiseClaims, WorstAndBestOrders) {
  for (const NodeIndex n : {2, 3, 10, 100, 1000}) {
    const std::uint64_t worst = std::uint64_t{n} * (n + 1) / 2;
    EXPECT_EQ(cost(quiet_ring(n, "descending")), worst);
    EXPECT_EQ(cost(quiet_ring(n, "ascending")), 2 * std::uint64_t{n} - 1);
    Scenario one = quiet_ring(n, "descending", n);
    one.start.initiators = 1;
    random_delays(one);
    EXPECT_EQ(cost(one), worst);  // neither initiators nor delays count
  }
}

TEST(ClockwiseClaims, AverageIsNTimesHarmonic) {
  constexpr NodeIndex n = 1000;
  constexpr int runs = 200;
  double expected = 0;
  for (NodeIndex i = 1; i <= n; ++i) expected += double{n} / i;
  double sum = 0;
  for (int seed = 0; seed < runs; ++seed) {
    Scenario s = quiet_ring(n, "random", 1000u + static_cast<unsigned>(seed));
    s.start.initiators = 1;
    sum += static_cast<double>(cost(s));
  }
  std::cout << "clockwise, n = " << n << ", " << runs << " orders: mean " << rounded(sum / runs, 1)
            << " messages; n H_n = " << rounded(expected, 1) << "\n";
  EXPECT_NEAR(sum / runs, expected, 0.02 * expected);
}

TEST(ClockwiseClaims, TheHighestIdLeadsWhoeverStarts) {
  expect_claims_hold<Clockwise>(1000, 3);
  expect_claims_hold<Clockwise>(300, 3, {{"extremum", "min"}});
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const auto n = static_cast<NodeIndex>(2 + seed % 20);
    Scenario s = one_way_ring(n, "random", seed);
    s.properties = {"all"};
    s.start.initiators = 1 + seed % n;
    s.channel.order = world::Order::unordered;
    random_delays(s, Duration{1}, milliseconds(20));
    const RunReport r = simulate<Clockwise>(s);
    ASSERT_EQ(r.violation, "") << "seed " << seed;
    ASSERT_EQ(r.leaders.at(0).leader, NodeId{n}) << "seed " << seed;
    ASSERT_LE(r.messages, Clockwise::message_bound(n, {})) << "seed " << seed;
  }
}

TEST(ClockwiseClaims, TheWinnerDecidesWithinTwiceTheRingLessOne) {
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const auto n = static_cast<NodeIndex>(2 + seed % 12);
    Scenario s = quiet_ring(n, seed % 2 == 0 ? "random" : "ascending", seed);
    s.start.initiators = 1 + seed / 7 % n;
    s.start.window = n * unit;
    const auto starts = sim::start_times(s.start, world::assign_ids(s.network, n, seed), seed);
    const Time first = *std::min_element(starts.begin(), starts.end());
    EXPECT_LE(simulate<Clockwise>(s).time - first, (2 * n - 1) * unit) << "seed " << seed;
  }
  for (const NodeIndex n : {2, 10, 100}) {
    Scenario s = quiet_ring(n, "ascending");
    s.start.nodes = {NodeId{1}};  // the highest is reached last
    EXPECT_EQ(simulate<Clockwise>(s).time, (2 * n - 1) * unit);
  }
}

TEST(ClockwiseClaims, AsListedALateStartMakesTwoLeaders) {
  Scenario s = quiet_ring(3, "ascending");
  set_option(s, "woken", "relays");
  s.properties = {"one-leader"};
  s.channel.mean = Duration{1};
  s.start.nodes = {NodeId{1}, NodeId{2}};
  s.start.window = Duration{5};
  s.seed = seed_with_starts(s, counting_ids(3), {Time{0}, Time{4}});  // 1 leads from 3 on
  EXPECT_NE(simulate<Clockwise>(s).violation, "");
  set_option(s, "woken", "joins");
  EXPECT_EQ(simulate<Clockwise>(s).violation, "");
}

}  // namespace
}  // namespace bellwether::claims
