// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/rounds/clockwise_sync.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "bellwether/algorithms/hand_driver_test.hpp"
#include "bellwether/algorithms/rounds/hand_rounds_test.hpp"
#include "bellwether/core/codec.hpp"
#include "bellwether/core/print.hpp"

namespace bellwether::algorithms {
namespace {

using Decision = ClockwiseSync::Decision;
using M = ClockwiseSync::M;
using Leader = ClockwiseSync::Leader;
using Message = ClockwiseSync::Message;
using Sent = std::vector<Message>;
constexpr ClockwiseSync::Options quiet{.announce = false};

/// One node, round by round.
struct OneNode {
  ClockwiseSync node;
  ByHand<ClockwiseSync> hand{ids_of({8})};
  Sent round(const std::vector<Message>& messages) {
    Letters<Message> inbox;
    for (const Message& message : messages) inbox.push_back({Port{1}, message});
    node.round(hand.next(), inbox);
    Sent sent;
    for (const auto& send : hand.step.sends()) {
      EXPECT_EQ(send.port, Port{0});
      sent.push_back(send.message);
    }
    return sent;
  }
};

M m(std::uint64_t id) {
  return {NodeId{id}};
}

TEST(ClockwiseSync, RoundByRound) {
  OneNode five{ClockwiseSync(NodeId{5}, {})};
  EXPECT_FALSE(five.node.halted());
  EXPECT_EQ(five.round({}), Sent{m(5)});
  EXPECT_TRUE(five.node.halted());
  EXPECT_EQ(five.round({}), Sent{});
  EXPECT_EQ(five.round({m(3)}), Sent{});
  EXPECT_EQ(core::text_of(five.node), "clockwise-sync(id=5 T=5 decision=none leader=none)");
  EXPECT_EQ(five.round({m(7)}), Sent{m(7)});
  EXPECT_EQ(five.node.decision(), Decision::follower);
  EXPECT_EQ(five.round({m(6)}), Sent{});
  EXPECT_EQ(five.round({Leader{NodeId{9}}}), Sent{Leader{NodeId{9}}});
  EXPECT_EQ(five.node.leader(), NodeId{9});
  EXPECT_EQ(five.round({m(5)}), Sent{});            // a follower does not come to lead
  EXPECT_EQ(five.round({m(8), m(9)}), Sent{m(9)});  // one message a round, whatever comes
}

TEST(ClockwiseSync, ItsOwnIdMakesTheLeader) {
  OneNode five{ClockwiseSync(NodeId{5}, {})};
  five.round({});
  EXPECT_EQ(five.round({m(5)}), Sent{Leader{NodeId{5}}});
  EXPECT_EQ(five.node.decision(), Decision::leader);
  EXPECT_EQ(five.round({Leader{NodeId{5}}}), Sent{});

  OneNode silent{ClockwiseSync(NodeId{5}, quiet)};
  silent.round({});
  EXPECT_EQ(silent.round({m(5)}), Sent{});
  EXPECT_EQ(silent.node.leader(), NodeId{5});
}

TEST(ClockwiseSync, ARingOfOneLeadsInRoundOne) {
  HandRounds<ClockwiseSync> rounds(ids_of({5}), {}, {});
  EXPECT_FALSE(rounds.round());
  EXPECT_EQ(rounds.node(0).leader(), NodeId{5});
  EXPECT_EQ(rounds.sent(), 0u);
}

TEST(ClockwiseSync, TheWinnerDecidesInRoundNPlusOne) {
  core::Prng prng(1);
  for (std::uint32_t n = 2; n <= 40; ++n) {
    HandRounds<ClockwiseSync> rounds(shuffled_ids(n, prng), ring_arcs(n), quiet);
    for (std::uint32_t r = 1; r <= n; ++r) {
      rounds.round();
      EXPECT_EQ(rounds.leaders_named(NodeId{n}), 0u);
    }
    EXPECT_FALSE(rounds.round());
    EXPECT_EQ(rounds.leaders_named(NodeId{n}), 1u);
    std::size_t followers = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      followers += rounds.node(i).decision() == Decision::follower ? 1 : 0;
      EXPECT_EQ(rounds.node(i).t(), NodeId{n});
    }
    EXPECT_EQ(followers, n - 1);
  }
}

TEST(ClockwiseSync, TheAnnouncementCostsNMoreOfBoth) {
  core::Prng prng(2);
  for (std::uint32_t n = 2; n <= 40; ++n) {
    const auto ids = shuffled_ids(n, prng);
    HandRounds<ClockwiseSync> alone(ids, ring_arcs(n), quiet);
    alone.run();
    HandRounds<ClockwiseSync> told(ids, ring_arcs(n), {});
    told.run();
    EXPECT_EQ(told.sent(), alone.sent() + n);
    EXPECT_EQ(told.rounds(), alone.rounds() + n);
    EXPECT_EQ(told.leaders_named(NodeId{n}), n);
    HandRounds<ClockwiseSync> both_ways_round(ids, both_ways(ring_arcs(n)), {});
    if (n == 2) continue;  // two links between two nodes are one
    both_ways_round.run();
    EXPECT_EQ(both_ways_round.sent(), told.sent());
  }
}

TEST(ClockwiseSync, CostsAtWorstAndAtBest) {
  for (std::uint32_t n = 2; n <= 40; ++n) {
    std::vector<std::uint64_t> numbers(n);
    std::iota(numbers.begin(), numbers.end(), std::uint64_t{1});
    const auto rising = ids_of(numbers);
    std::reverse(numbers.begin(), numbers.end());
    HandRounds<ClockwiseSync> best(rising, ring_arcs(n), quiet);
    HandRounds<ClockwiseSync> worst(ids_of(numbers), ring_arcs(n), quiet);
    HandRounds<ClockwiseSync> smallest(rising, ring_arcs(n), {Extremum::min, false});
    best.run();
    worst.run();
    smallest.run();
    EXPECT_EQ(best.sent(), 2 * n - 1);
    EXPECT_EQ(worst.sent(), n * (n + 1) / 2);
    EXPECT_EQ(worst.sent(), ClockwiseSync::message_bound(n, quiet));
    EXPECT_EQ(smallest.sent(), n * (n + 1) / 2);
    EXPECT_EQ(smallest.leaders_named(NodeId{1}), 1u);
  }
}

TEST(ClockwiseSync, CostsNHarmonicOnAverage) {
  std::vector<std::uint64_t> numbers{1, 2, 3, 4, 5, 6};
  std::size_t total = 0;
  do {
    HandRounds<ClockwiseSync> rounds(ids_of(numbers), ring_arcs(6), quiet);
    rounds.run();
    EXPECT_EQ(rounds.leaders_named(NodeId{6}), 1u);
    total += rounds.sent();
  } while (std::next_permutation(numbers.begin(), numbers.end()));
  EXPECT_EQ(total, 10'584u);  // 720 orders, 14.7 each
}

TEST(ClockwiseSync, TheRunInTheDocumentation) {
  HandRounds<ClockwiseSync> rounds(ids_of({3, 1, 4, 2}), ring_arcs(4), {});
  std::vector<std::size_t> sent;
  while (rounds.round()) sent.push_back(rounds.sent());
  EXPECT_EQ(sent, (std::vector<std::size_t>{4, 6, 7, 8, 9, 10, 11, 12}));
}

TEST(ClockwiseSync, WhomItMeansToElect) {
  EXPECT_EQ(ClockwiseSync::criterion({}), core::Criterion::highest_id);
  EXPECT_EQ(ClockwiseSync::criterion({.extremum = Extremum::min}), core::Criterion::majority);
}

TEST(ClockwiseSync, MessagesRoundTrip) {
  for (const Message& message : {Message(m(77)), Message(Leader{NodeId{3}})})
    EXPECT_EQ(core::decode<Message>(core::encode(message)), message);
}

}  // namespace
}  // namespace bellwether::algorithms
