// SPDX-License-Identifier: MIT
// TimeSlice (Lynch 1996, the lecture's 2.6): n messages, n (u + 1) rounds with u the smallest id.
#include "bellwether/algorithms/rounds/time_slice.hpp"

#include "claims/in_rounds.hpp"

namespace bellwether::claims {
namespace {

using algorithms::TimeSlice;

TEST(TimeSliceClaims, NMessagesAndTwiceTheRingWhereIdsBeginAtOne) {
  for (const NodeIndex n : {2, 3, 10, 100, 1000, 2000})
    for (const char* ids : {"ascending", "descending", "random"}) {
      const RunReport r = simulate<TimeSlice>(one_way_ring(n, ids, n));
      EXPECT_EQ(r.messages, n);
      EXPECT_EQ(metric(r, "rounds"), 2.0 * n);
      EXPECT_EQ(metric(r, "last_leader_change_s"), core::seconds((2 * n - 1) * unit));
      EXPECT_TRUE(r.agreed);
      EXPECT_EQ(r.leaders.at(0).leader, NodeId{1});
    }
}

TEST(TimeSliceClaims, RoundsGrowWithTheSmallestIdAndMessagesDoNot) {
  for (const NodeIndex n : {2, 5, 50})
    for (const std::uint64_t least : {0, 1, 2, 7, 100, 1000}) {
      const Scenario s = one_way_ring(n, "random", least);
      const RunReport r = in_rounds<TimeSlice>(s, ids_from(s, least), {n});
      EXPECT_EQ(r.messages, n);
      EXPECT_EQ(metric(r, "rounds"), static_cast<double>(n * (least + 1)));
      EXPECT_TRUE(r.agreed);
      EXPECT_EQ(r.leaders.at(0).leader, NodeId{least});
    }
}

TEST(TimeSliceClaims, AlsoWhereLinksGoBothWays) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Scenario s = on("ring", static_cast<NodeIndex>(3 + seed), seed);
    s.network.ids = "random";
    const RunReport r = simulate<TimeSlice>(s);
    EXPECT_EQ(r.messages, 3 + seed);
    EXPECT_TRUE(r.agreed);
  }
}

TEST(TimeSliceClaims, NeedsToKnowHowManyTheyAre) {
  Scenario s = one_way_ring(30, "ascending");
  set_option(s, "nodes", "40");  // an upper bound is only slower
  const RunReport slow = simulate<TimeSlice>(s);
  EXPECT_TRUE(slow.agreed);
  EXPECT_EQ(metric(slow, "rounds"), 40 + 30);
  s.network.ids = "descending";  // 2 is the last to hear of 1
  set_option(s, "nodes", "28");
  EXPECT_FALSE(simulate<TimeSlice>(s).agreed);
  set_option(s, "nodes", "29");  // n - 1 are enough: that far the news has to go
  EXPECT_TRUE(simulate<TimeSlice>(s).agreed);
}

}  // namespace
}  // namespace bellwether::claims
