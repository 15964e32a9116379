// SPDX-License-Identifier: MIT
// Garcia-Molina (1982): the highest live id leads; n - 1 messages when it asks, about n^2 when all
// do; two delays from a question to the news.
#include "bellwether/algorithms/complete/bully.hpp"

#include "claims/claims.hpp"

namespace bellwether::claims {
namespace {

using algorithms::Bully;
using world::ChangeKind;

Scenario complete(NodeIndex n, std::uint64_t seed = 1) {
  Scenario s = on("complete", n, seed);
  s.network.ids = "random";
  s.properties = {"all"};
  return s;
}

RunReport run(const Scenario& s) {
  const RunReport r = simulate<Bully>(s);
  EXPECT_EQ(r.violation, "");
  EXPECT_EQ(r.ended, observe::Ended::quiescent);
  return r;
}

/// At most, where each of n live nodes asks once.
std::uint64_t all_ask(std::uint64_t n) {
  return n * n + n - 2;
}

TEST(BullyClaims, TheHighestAskingCostsOneMessageEachAndOneDelay) {
  for (const NodeIndex n : {2, 3, 10, 40}) {
    Scenario s = complete(n, n);
    s.start.nodes = {NodeId{n}};
    const RunReport r = run(s);
    EXPECT_EQ(r.messages, n - 1u);
    EXPECT_EQ(r.time, unit);
    EXPECT_EQ(r.leaders.at(0).leader, NodeId{n});
    EXPECT_TRUE(r.agreed);
  }
}

TEST(BullyClaims, TheLowestAskingWakesAllAndEndsWithinTwoDelays) {
  for (const NodeIndex n : {2, 3, 10, 40}) {
    Scenario s = complete(n, n);
    s.start.nodes = {NodeId{1}};
    const RunReport r = run(s);
    EXPECT_EQ(r.messages, all_ask(n) - 1);
    EXPECT_EQ(metric(r, "last_leader_change_s"), core::seconds(2 * unit));
    EXPECT_TRUE(r.agreed);
  }
}

TEST(BullyClaims, AllAskingCostsTheSquareAndALittle) {
  for (const NodeIndex n : {2, 3, 10, 40}) {
    const RunReport r = run(complete(n, n));
    EXPECT_EQ(r.messages, all_ask(n));
    EXPECT_EQ(metric(r, "last_leader_change_s"), core::seconds(unit));
  }
}

TEST(BullyClaims, BoundsHoldWhateverTheDelays) {
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const auto n = static_cast<NodeIndex>(2 + seed % 9);
    Scenario s = complete(n, seed);
    s.start.initiators = 1 + seed % n;
    if (seed % 3 == 0) s.start.window = milliseconds(50);
    random_delays(s);
    if (seed % 2 == 0) s.channel.order = world::Order::unordered;
    const auto ids = world::assign_ids(s.network, n, seed);
    const auto starts = sim::start_times(s.start, ids, seed);
    std::uint64_t bound = all_ask(n);
    Time last{};
    for (NodeIndex u = 0; u < n; ++u) {
      if (starts[u] == core::end_of_time) continue;
      last = std::max(last, starts[u]);
      // A node asked before it starts asks twice: questions, replies, one more leader message.
      if (s.start.window > Duration{0}) bound += 2 * (n - core::raw(ids[u])) + 1;
    }
    const RunReport r = run(s);
    SCOPED_TRACE("seed " + std::to_string(seed));
    EXPECT_LE(r.messages, bound);
    EXPECT_TRUE(r.agreed);
    EXPECT_EQ(r.leaders.at(0).leader, NodeId{n});
    EXPECT_LE(metric(r, "last_leader_change_s"), core::seconds(last + 2 * s.channel.max) + 1e-9);
  }
}

TEST(BullyClaims, TheNextHighestFollowsACrashedLeader) {
  for (const NodeIndex n : {3, 10, 40}) {
    Scenario s = complete(n, n);
    s.start.nodes = {NodeId{n}};
    const std::uint64_t before = run(s).messages;
    s.changes.script = {{seconds(2), ChangeKind::crash, NodeId{n}, {}, false}};
    const RunReport r = run(s);
    EXPECT_EQ(r.leaders.at(0).leader, NodeId{n - 1});
    EXPECT_EQ(r.messages - before, all_ask(n - 1));  // all notice at once, and ask once
    EXPECT_EQ(metric(r, "last_leader_change_s"), core::seconds(seconds(2) + unit));
  }
}

TEST(BullyClaims, AHigherNodeThatComesBackBulliesALowerOneDoesNot) {
  Scenario s = complete(10, 3);
  s.changes.script = {{seconds(2), ChangeKind::crash, NodeId{10}, {}, false},
                      {seconds(3), ChangeKind::crash, NodeId{4}, {}, false},
                      {seconds(4), ChangeKind::restart, NodeId{4}, {}, false}};
  RunReport r = run(s);
  EXPECT_EQ(r.leaders.at(0).leader, NodeId{9});
  s.changes.script.push_back({seconds(5), ChangeKind::restart, NodeId{10}, {}, false});
  r = run(s);
  EXPECT_EQ(r.leaders.at(0).leader, NodeId{10});
  EXPECT_TRUE(r.agreed);
  EXPECT_LE(metric(r, "last_leader_change_s"), core::seconds(seconds(5) + 2 * unit));
}

}  // namespace
}  // namespace bellwether::claims
