// SPDX-License-Identifier: MIT
// LeLann (1977): k n messages with k initiators, whatever their ids; every initiator has decided
// 2n - 1 units of time after the first start.
#include "bellwether/algorithms/ring/lelann.hpp"
#include "bellwether/core/problem.hpp"

#include "claims/claims.hpp"

namespace bellwether::claims {
namespace {

using algorithms::LeLann;

Scenario quiet_ring(NodeIndex n, std::uint64_t seed) {
  Scenario s = one_way_ring(n, "random", seed);
  set_option(s, "announce", "false");
  return s;
}

TEST(LeLannClaims, AllStartingCostsTheSquareOfTheRing) {
  for (const NodeIndex n : {2, 3, 5, 16, 64, 100})
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      Scenario s = quiet_ring(n, seed);
      s.properties = {"all"};
      if (seed % 2 == 1) random_delays(s);
      const RunReport r = simulate<LeLann>(s);
      EXPECT_EQ(r.messages, std::uint64_t{n} * n) << n << " nodes, seed " << seed;
      EXPECT_TRUE(r.agreed);
      EXPECT_EQ(r.leaders.at(0).leader, NodeId{n});
      if (seed % 2 == 0) {
        EXPECT_EQ(r.time, n * unit);
      }
    }
}

TEST(LeLannClaims, EachInitiatorCostsOneRoundAndItsTokenNoMore) {
  for (const NodeIndex n : {2, 7, 20})
    for (NodeIndex k = 1; k <= n; ++k) {
      Scenario s = quiet_ring(n, n + k);
      s.start.initiators = k;
      random_delays(s);
      EXPECT_EQ(simulate<LeLann>(s).messages, std::uint64_t{k} * n);
      set_option(s, "announce", "true");
      const RunReport r = simulate<LeLann>(s);
      EXPECT_EQ(r.messages, std::uint64_t{k} * n + n);
      EXPECT_TRUE(r.agreed);
    }
}

TEST(LeLannClaims, TheLastInitiatorInTimeDecidesAtTwiceTheRingLessOne) {
  for (const NodeIndex n : {2, 3, 5, 9}) {
    // With a unit of a nanosecond, starts fall on whole units.
    Scenario s = one_way_ring(n, "ascending");
    set_option(s, "announce", "false");
    s.channel.mean = Duration{1};
    s.start.nodes = {NodeId{1}, NodeId{n}};
    s.start.window = Duration{n - 1};
    s.seed = seed_with_starts(s, counting_ids(n), {Time{0}, Time{n - 1}});
    const RunReport r = simulate<LeLann>(s);
    EXPECT_EQ(r.time, Time{2 * n - 1});
    EXPECT_EQ(r.messages, 2u * n);  // it was in time: both are initiators
  }
}

TEST(LeLannClaims, NobodyDecidesLater) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const auto n = static_cast<NodeIndex>(2 + seed % 12);
    Scenario s = quiet_ring(n, seed);
    s.start.initiators = 1 + seed % n;
    s.start.window = n * unit;
    const auto ids = world::assign_ids(s.network, n, seed);
    const auto starts = sim::start_times(s.start, ids, seed);
    const Time first = *std::min_element(starts.begin(), starts.end());
    const RunReport r = simulate<LeLann>(s);
    EXPECT_LE(r.time - first, (2 * n - 1) * unit) << "seed " << seed;
    EXPECT_GE(r.time - first, n * unit) << "seed " << seed;
  }
}

TEST(LeLannClaims, WithoutOrderItFailsAndTheSimulatorRefuses) {
  Scenario s = one_way_ring(5, "random");
  s.channel.order = world::Order::unordered;
  EXPECT_THROW(simulate<LeLann>(s), core::Problem);
  int broken = 0;
  for (s.seed = 0; s.seed < 50; ++s.seed) {
    random_delays(s, Duration{1}, milliseconds(50));
    sim::SimulationOf<LeLann> simulation(core::hosted<LeLann>({}), sim::make_setup(s),
                                         s);  // past the refusal
    simulation.watch(LeLann::monitors());
    broken += simulation.run().ended == observe::Ended::violation ? 1 : 0;
  }
  EXPECT_GT(broken, 0);
}

}  // namespace
}  // namespace bellwether::claims
