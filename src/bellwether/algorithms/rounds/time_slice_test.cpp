// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/rounds/time_slice.hpp"

#include <gtest/gtest.h>

#include "bellwether/algorithms/hand_driver_test.hpp"
#include "bellwether/algorithms/rounds/hand_rounds_test.hpp"
#include "bellwether/core/codec.hpp"
#include "bellwether/core/print.hpp"

namespace bellwether::algorithms {
namespace {

using Inbox = Letters<TimeSlice::Message>;
using Leader = TimeSlice::Leader;

TEST(TimeSlice, StepByStep) {
  TimeSlice node(NodeId{2}, {3});
  ByHand<TimeSlice> hand(ids_of({1, 2}));
  for (int round = 1; round <= 6; ++round) {  // 2 * 3 rounds of silence
    node.round(hand.next(), Inbox{});
    EXPECT_TRUE(hand.step.sends().empty());
    EXPECT_FALSE(node.halted()) << "it waits for its slice";
  }
  EXPECT_EQ(core::text_of(node), "time-slice(id=2 slice=2 tick=0 leader=none)");
  node.round(hand.next(), Inbox{});
  ASSERT_EQ(hand.step.sends().size(), 1u);
  EXPECT_EQ(hand.step.sends()[0].port, Port{0});
  EXPECT_EQ(core::text_of(hand.step.sends()[0].message), "leader(id=2)");
  EXPECT_EQ(node.leader(), NodeId{2});
  EXPECT_TRUE(node.halted());

  const TimeSlice before = node;
  node.round(hand.next(), Inbox{{Port{1}, Leader{NodeId{2}}}});  // returned
  EXPECT_TRUE(hand.step.sends().empty());
  EXPECT_EQ(node, before);
}

TEST(TimeSlice, WhoHearsTheNewsFollowsAndPassesItOn) {
  TimeSlice node(NodeId{2}, {3});
  ByHand<TimeSlice> hand(ids_of({1, 2}));
  node.round(hand.next(), Inbox{{Port{1}, Leader{NodeId{7}}}});  // a larger id: it came first
  ASSERT_EQ(hand.step.sends().size(), 1u);
  EXPECT_EQ(hand.step.sends()[0].port, Port{0});
  EXPECT_EQ(hand.step.sends()[0].message, TimeSlice::Message(Leader{NodeId{7}}));
  EXPECT_EQ(node.leader(), NodeId{7});
  for (int round = 0; round < 20; ++round) {  // its own slice is nothing to it now
    node.round(hand.next(), Inbox{});
    EXPECT_TRUE(hand.step.sends().empty());
  }
  EXPECT_EQ(node.leader(), NodeId{7});
}

TEST(TimeSlice, TheSmallestPossibleIdLeadsInTheFirstRound) {
  TimeSlice node(NodeId{0}, {1000});
  ByHand<TimeSlice> hand(ids_of({1, 2}));
  node.round(hand.next(), Inbox{});
  EXPECT_EQ(node.leader(), NodeId{0});
}

TEST(TimeSlice, ALargeIdJustWaits) {
  TimeSlice node(NodeId{~std::uint64_t{0}}, {4});  // id * n does not fit into 64 bits
  ByHand<TimeSlice> hand(ids_of({1, 2}));
  for (int round = 0; round < 1000; ++round) {
    node.round(hand.next(), Inbox{});
    ASSERT_TRUE(hand.step.sends().empty());
  }
  EXPECT_FALSE(node.halted());
}

TEST(TimeSlice, ARingOfOneLeadsAtOnce) {
  HandRounds<TimeSlice> rounds(ids_of({5}), {}, {1});
  EXPECT_FALSE(rounds.round());
  EXPECT_EQ(rounds.node(0).leader(), NodeId{5});
  EXPECT_EQ(rounds.sent(), 0u);
}

void expect_elected(const std::vector<std::uint64_t>& numbers, const Arcs& arcs) {
  const std::uint64_t n = numbers.size();
  const std::uint64_t least = *std::min_element(numbers.begin(), numbers.end());
  HandRounds<TimeSlice> rounds(ids_of(numbers), arcs, {static_cast<std::uint32_t>(n)});
  while (rounds.rounds() < n * least) {
    ASSERT_TRUE(rounds.round());
    ASSERT_EQ(rounds.sent(), 0u) << "silence until the slice of the smallest id";
  }
  rounds.round();
  EXPECT_EQ(rounds.sent(), 1u) << "round id * n + 1";
  EXPECT_EQ(rounds.leaders_named(NodeId{least}), 1u);
  rounds.run();
  EXPECT_EQ(rounds.sent(), n);
  EXPECT_EQ(rounds.rounds(), n * (least + 1) + 1) << "the last one finds nothing left to do";
  EXPECT_EQ(rounds.leaders_named(NodeId{least}), n);
}

TEST(TimeSlice, AllOrdersOfSmallRings) {
  for (std::uint32_t n = 2; n <= 6; ++n)
    for (const std::uint64_t first : {0u, 1u, 3u}) {
      std::vector<std::uint64_t> numbers(n);
      std::iota(numbers.begin(), numbers.end(), first);
      do expect_elected(numbers, ring_arcs(n));
      while (std::next_permutation(numbers.begin(), numbers.end()));
    }
}

TEST(TimeSlice, TwoWayRingsAndGapsBetweenIds) {
  core::Prng prng(5);
  for (int run = 0; run < 300; ++run) {
    const auto n = static_cast<std::uint32_t>(3 + prng.below(12));
    std::set<std::uint64_t> some;
    while (some.size() < n) some.insert(prng.below(60));
    std::vector<std::uint64_t> numbers(some.begin(), some.end());
    core::shuffle(numbers, prng);
    expect_elected(numbers, both_ways(ring_arcs(n)));
  }
}

TEST(TimeSlice, AnUpperBoundCostsTimeAndNothingElse) {
  HandRounds<TimeSlice> rounds(ids_of({4, 2, 3}), ring_arcs(3), {10});
  rounds.run();
  EXPECT_EQ(rounds.sent(), 3u);
  EXPECT_EQ(rounds.rounds(), 10u * 2 + 3 + 1);
  EXPECT_EQ(rounds.leaders_named(NodeId{2}), 3u);
}

TEST(TimeSlice, TooSmallASizeElectsSeveral) {
  HandRounds<TimeSlice> rounds(ids_of({1, 8, 9, 2}), ring_arcs(4), {1});
  rounds.run();
  EXPECT_EQ(rounds.node(0).leader(), NodeId{1});
  EXPECT_EQ(rounds.node(3).leader(), NodeId{2}) << "1 has not been heard of there";
}

TEST(TimeSlice, TheRunInTheDocumentation) {
  HandRounds<TimeSlice> rounds(ids_of({3, 1, 4, 2}), ring_arcs(4), {4});
  rounds.run();
  EXPECT_EQ(rounds.sent(), 4u);
  EXPECT_EQ(rounds.rounds(), 9u);
  EXPECT_EQ(rounds.leaders_named(NodeId{1}), 4u);
}

TEST(TimeSlice, MessagesRoundTrip) {
  const TimeSlice::Message message = Leader{NodeId{77}};
  EXPECT_EQ(core::decode<TimeSlice::Message>(core::encode(message)), message);
}

}  // namespace
}  // namespace bellwether::algorithms
