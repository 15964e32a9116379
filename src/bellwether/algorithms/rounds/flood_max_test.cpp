// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/rounds/flood_max.hpp"

#include <gtest/gtest.h>

#include "bellwether/algorithms/hand_driver_test.hpp"
#include "bellwether/algorithms/rounds/hand_rounds_test.hpp"
#include "bellwether/core/codec.hpp"
#include "bellwether/core/print.hpp"

namespace bellwether::algorithms {
namespace {

using Inbox = Letters<FloodMax::Message>;
void expect_elected(std::uint32_t n, const Arcs& arcs, std::uint32_t diameter) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    core::Prng prng(seed);
    HandRounds<FloodMax> rounds(shuffled_ids(n, prng), arcs, {diameter});
    for (std::uint32_t r = 0; r < diameter; ++r) {
      rounds.round();
      EXPECT_EQ(rounds.sent(), (r + 1) * arcs.size());
      EXPECT_EQ(rounds.leaders_named(NodeId{n}), 0u);  // no node decides before the last round
    }
    EXPECT_FALSE(rounds.round());
    EXPECT_EQ(rounds.sent(), diameter * arcs.size());
    EXPECT_EQ(rounds.leaders_named(NodeId{n}), n);
    std::size_t leaders = 0;
    for (std::uint32_t i = 0; i < n; ++i)
      leaders += rounds.node(i).status() == FloodMax::LeaderStatus::leader ? 1 : 0;
    EXPECT_EQ(leaders, 1u);
  }
}

TEST(FloodMax, StepByStep) {
  FloodMax node(NodeId{5}, {2});
  ByHand<FloodMax> hand({});
  node.round(hand.next(), Inbox{});
  ASSERT_EQ(hand.step.sends().size(), 1u);
  EXPECT_EQ(hand.step.sends()[0].port, core::every_port);
  EXPECT_EQ(core::text_of(hand.step.sends()[0].message), "max(id=5)");

  const Inbox first{{Port{0}, FloodMax::Max{NodeId{7}}}, {Port{1}, FloodMax::Max{NodeId{2}}}};
  node.round(hand.next(), first);
  EXPECT_EQ(core::text_of(hand.step.sends().at(0).message), "max(id=7)");
  EXPECT_EQ(core::text_of(node), "flood-max(u=5 max-uid=7 status=unknown rounds=2)");

  const Inbox second{{Port{0}, FloodMax::Max{NodeId{9}}}};
  node.round(hand.next(), second);
  EXPECT_TRUE(hand.step.sends().empty());
  EXPECT_EQ(node.leader(), NodeId{9});
  EXPECT_EQ(node.status(), FloodMax::LeaderStatus::non_leader);

  const FloodMax before = node;
  node.round(hand.next(), Inbox{{Port{0}, FloodMax::Max{NodeId{11}}}});  // what is over is over
  EXPECT_TRUE(hand.step.sends().empty());
  EXPECT_EQ(node, before);
}

TEST(FloodMax, OneNodeLeadsInItsFirstRound) {
  expect_elected(1, {}, 0);
}

TEST(FloodMax, Line) {
  for (std::uint32_t n = 2; n <= 12; ++n) {
    expect_elected(n, both_ways(line_arcs(n)), n - 1);
  }
}

TEST(FloodMax, RingBothWaysAndOneWay) {
  for (std::uint32_t n = 3; n <= 12; ++n) {
    expect_elected(n, ring_arcs(n), n - 1);
    expect_elected(n, both_ways(ring_arcs(n)), n / 2);
  }
}

TEST(FloodMax, StarAndAnUpperBound) {
  for (std::uint32_t n = 3; n <= 12; ++n) {
    expect_elected(n, both_ways(star_arcs(n)), 2);
    expect_elected(n, both_ways(star_arcs(n)), 5);
  }
}

TEST(FloodMax, TooSmallADiameterSplitsTheVote) {
  core::Prng prng(0);
  HandRounds<FloodMax> rounds(shuffled_ids(8, prng), both_ways(line_arcs(8)), {1});
  rounds.run();
  std::size_t leaders = 0;
  for (std::uint32_t i = 0; i < 8; ++i)
    leaders += rounds.node(i).status() == FloodMax::LeaderStatus::leader;
  EXPECT_GT(leaders, 1u);
}

TEST(FloodMax, MessagesRoundTrip) {
  const FloodMax::Message message = FloodMax::Max{NodeId{77}};
  EXPECT_EQ(core::decode<FloodMax::Message>(core::encode(message)), message);
}

}  // namespace
}  // namespace bellwether::algorithms
