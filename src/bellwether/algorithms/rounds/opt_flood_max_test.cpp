// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/rounds/opt_flood_max.hpp"

#include <gtest/gtest.h>

#include "bellwether/algorithms/hand_driver_test.hpp"
#include "bellwether/algorithms/rounds/hand_rounds_test.hpp"
#include "bellwether/core/codec.hpp"
#include "bellwether/core/print.hpp"

namespace bellwether::algorithms {
namespace {

using Inbox = Letters<OptFloodMax::Message>;
using Max = OptFloodMax::Max;

TEST(OptFloodMax, StepByStep) {
  OptFloodMax node(NodeId{5}, {4});
  ByHand<OptFloodMax> hand({});
  node.round(hand.next(), Inbox{});
  ASSERT_EQ(hand.step.sends().size(), 1u);
  EXPECT_EQ(hand.step.sends()[0].port, core::every_port);
  EXPECT_EQ(core::text_of(hand.step.sends()[0].message), "max(id=5)");

  node.round(hand.next(), Inbox{{Port{0}, Max{NodeId{3}}}, {Port{1}, Max{NodeId{5}}}});
  EXPECT_TRUE(hand.step.sends().empty()) << "nothing new";
  EXPECT_EQ(core::text_of(node),
            "opt-flood-max(u=5 max-uid=5 new-info=false status=unknown rounds=2)");

  node.round(hand.next(), Inbox{{Port{0}, Max{NodeId{7}}}, {Port{1}, Max{NodeId{6}}}});
  ASSERT_EQ(hand.step.sends().size(), 1u);
  EXPECT_EQ(core::text_of(hand.step.sends()[0].message), "max(id=7)");

  node.round(hand.next(), Inbox{});
  EXPECT_TRUE(hand.step.sends().empty());
  EXPECT_FALSE(node.halted()) << "it waits for the last round";

  node.round(hand.next(), Inbox{{Port{0}, Max{NodeId{9}}}});
  EXPECT_TRUE(hand.step.sends().empty());
  EXPECT_EQ(node.leader(), NodeId{9});
  EXPECT_EQ(node.status(), OptFloodMax::LeaderStatus::non_leader);

  const OptFloodMax before = node;
  node.round(hand.next(), Inbox{{Port{0}, Max{NodeId{11}}}});  // what is over is over
  EXPECT_TRUE(hand.step.sends().empty());
  EXPECT_EQ(node, before);
}

/// In every round the nodes know what they would know in FloodMax, and never send more.
std::size_t expect_as_flood_max(const std::vector<NodeId>& ids, const Arcs& arcs,
                                std::uint32_t diameter) {
  const auto n = static_cast<std::uint32_t>(ids.size());
  HandRounds<OptFloodMax> opt(ids, arcs, {diameter});
  HandRounds<FloodMax> full(ids, arcs, {diameter});
  for (std::uint32_t r = 0; r <= diameter; ++r) {
    EXPECT_EQ(opt.round(), full.round());
    EXPECT_LE(opt.sent(), full.sent());
    for (std::uint32_t i = 0; i < n; ++i) {
      EXPECT_EQ(opt.node(i).leader(), full.node(i).leader());
      EXPECT_EQ(opt.node(i).status(), full.node(i).status());
    }
  }
  EXPECT_EQ(opt.leaders_named(*std::max_element(ids.begin(), ids.end())), n);
  EXPECT_LE(opt.sent(), OptFloodMax::message_bound(n, arcs.size(), {diameter}));
  return opt.sent();
}

TEST(OptFloodMax, DecidesAsFloodMax) {
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (std::uint32_t n = 3; n <= 10; ++n) {
      core::Prng prng(seed);
      const auto ids = shuffled_ids(n, prng);
      expect_as_flood_max(ids, ring_arcs(n), n - 1);
      expect_as_flood_max(ids, both_ways(ring_arcs(n)), n / 2);
      expect_as_flood_max(ids, both_ways(line_arcs(n)), n - 1);
      expect_as_flood_max(ids, both_ways(star_arcs(n)), 2);
      expect_as_flood_max(ids, both_ways(star_arcs(n)), 5);
      expect_as_flood_max(ids, both_ways(complete_arcs(n)), 1);
    }
}

TEST(OptFloodMax, AllOrdersOfAOneWayRing) {
  // The id k steps behind is new with probability 1 / (k + 1): n (1 + 1/2 + ... + 1/(n-1)).
  std::vector<std::uint64_t> numbers{1, 2, 3, 4, 5, 6};
  std::size_t total = 0, most = 0, least = 100;
  do {
    const std::size_t sent = expect_as_flood_max(ids_of(numbers), ring_arcs(6), 5);
    total += sent;
    most = std::max(most, sent);
    least = std::min(least, sent);
  } while (std::next_permutation(numbers.begin(), numbers.end()));
  EXPECT_EQ(total * 60, 720u * 6 * 137) << "6 * 137/60 each";
  EXPECT_EQ(most, 20u) << "ids fall clockwise: 6 * 7 / 2 less the winner's last hop";
  EXPECT_EQ(least, 10u) << "ids rise clockwise: 2 * 6 - 1 less the winner's last hop";
}

TEST(OptFloodMax, OnAStarAndOnALine) {
  for (std::uint32_t n = 3; n <= 12; ++n) {
    std::vector<std::uint64_t> numbers(n);
    std::iota(numbers.begin(), numbers.end(), std::uint64_t{1});
    // Rising towards one end, every node receives something new in every round.
    std::size_t on_a_line = 0;
    for (std::uint32_t i = 0; i < n; ++i)
      on_a_line += (i == 0 || i == n - 1 ? 1u : 2u) * std::min(n - 1, n - i);
    EXPECT_EQ(expect_as_flood_max(ids_of(numbers), both_ways(line_arcs(n)), n - 1), on_a_line);
    std::reverse(numbers.begin(), numbers.end());  // the largest in the middle of the star
    EXPECT_EQ(expect_as_flood_max(ids_of(numbers), both_ways(star_arcs(n)), 2), 3 * (n - 1));
  }
}

TEST(OptFloodMax, OneNodeLeadsInItsFirstRound) {
  EXPECT_EQ(expect_as_flood_max(ids_of({4}), {}, 0), 0u);
}

TEST(OptFloodMax, TooSmallADiameterSplitsTheVote) {
  core::Prng prng(0);
  HandRounds<OptFloodMax> rounds(shuffled_ids(8, prng), both_ways(line_arcs(8)), {1});
  rounds.run();
  std::size_t leaders = 0;
  for (std::uint32_t i = 0; i < 8; ++i)
    leaders += rounds.node(i).status() == OptFloodMax::LeaderStatus::leader;
  EXPECT_GT(leaders, 1u);
}

TEST(OptFloodMax, TheRunInTheDocumentation) {
  EXPECT_EQ(expect_as_flood_max(ids_of({2, 4, 1, 3}), both_ways(line_arcs(4)), 3), 10u);
}

TEST(OptFloodMax, MessagesRoundTrip) {
  const OptFloodMax::Message message = Max{NodeId{77}};
  EXPECT_EQ(core::decode<OptFloodMax::Message>(core::encode(message)), message);
}

}  // namespace
}  // namespace bellwether::algorithms
