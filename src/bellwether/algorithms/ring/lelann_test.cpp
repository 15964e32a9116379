// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/ring/lelann.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "bellwether/algorithms/hand_driver_test.hpp"
#include "bellwether/core/codec.hpp"
#include "bellwether/core/print.hpp"

namespace bellwether::algorithms {
namespace {

using State = LeLann::State;
constexpr Travel wild{.min = Duration{1}, .max = Duration{50}};

TEST(LeLann, StartSendsItsTokenClockwiseOnce) {
  ByHand<LeLann> hand(ids_of({8, 9}));
  LeLann node(NodeId{5}, {});
  EXPECT_EQ(node.state(), State::sleep);
  node.start(hand.next());
  ASSERT_EQ(hand.step.sends().size(), 1u);
  EXPECT_EQ(hand.step.sends()[0].port, Port{0});
  EXPECT_EQ(core::text_of(hand.step.sends()[0].message), "token(id=5)");
  EXPECT_EQ(node.state(), State::cand);
  EXPECT_EQ(core::text_of(node), "lelann(id=5 state=cand initiator=true best=5 leader=none)");
  node.start(hand.next());
  EXPECT_TRUE(hand.step.sends().empty());
}

TEST(LeLann, PassesEveryTokenOnAndKeepsTheBest) {
  ByHand<LeLann> hand(ids_of({8}));
  LeLann node(NodeId{5}, {});
  node.start(hand.next());
  for (const std::uint64_t id : {3, 7, 6}) {
    node.receive(hand.next(), Port{1}, LeLann::Token{NodeId{id}});
    ASSERT_EQ(hand.step.sends().size(), 1u);
    EXPECT_EQ(hand.step.sends()[0].message, LeLann::Message(LeLann::Token{NodeId{id}}));
    EXPECT_EQ(node.leader(), std::nullopt);
  }
  node.receive(hand.next(), Port{1}, LeLann::Token{NodeId{5}});
  EXPECT_TRUE(hand.step.sends().empty());  // a loser has nothing to say
  EXPECT_EQ(node.state(), State::lost);
  EXPECT_EQ(node.leader(), NodeId{7});
}

TEST(LeLann, WhoHasSeenATokenDoesNotInitiate) {
  ByHand<LeLann> hand(ids_of({8}));
  LeLann node(NodeId{5}, {});
  node.receive(hand.next(), Port{1}, LeLann::Token{NodeId{3}});
  EXPECT_EQ(node.state(), State::lost);
  node.start(hand.next());
  EXPECT_TRUE(hand.step.sends().empty());
  EXPECT_FALSE(node.initiator());
}

TEST(LeLann, TheWinnerAnnouncesAndStopsItsAnnouncement) {
  ByHand<LeLann> hand(ids_of({8}));
  LeLann node(NodeId{5}, {});
  node.start(hand.next());
  node.receive(hand.next(), Port{1}, LeLann::Token{NodeId{3}});
  node.receive(hand.next(), Port{1}, LeLann::Token{NodeId{5}});
  ASSERT_EQ(hand.step.sends().size(), 1u);
  EXPECT_EQ(core::text_of(hand.step.sends()[0].message), "leader(id=5)");
  EXPECT_EQ(node.leader(), NodeId{5});
  node.receive(hand.next(), Port{1}, LeLann::Leader{NodeId{5}});
  EXPECT_TRUE(hand.step.sends().empty());

  LeLann other(NodeId{4}, {});
  other.receive(hand.next(), Port{1}, LeLann::Leader{NodeId{5}});
  EXPECT_EQ(core::text_of(hand.step.sends().at(0).message), "leader(id=5)");
  EXPECT_EQ(other.leader(), NodeId{5});
}

TEST(LeLann, ARingOfOneLeadsAtOnce) {
  HandDriver<LeLann> driver(ids_of({5}), {});
  driver.start(0);
  driver.run();
  EXPECT_EQ(driver.node(0).leader(), NodeId{5});
  EXPECT_EQ(driver.sent(), 0u);
}

TEST(LeLann, AllStartingCostsTheSquare) {
  core::Prng prng(1);
  for (NodeIndex n = 2; n <= 24; ++n) {
    for (const bool announce : {false, true}) {
      HandDriver<LeLann> driver(shuffled_ids(n, prng), {.announce = announce}, wild, n);
      driver.make_ring();
      driver.start_all();
      driver.run();
      EXPECT_EQ(driver.sent(), n * n + (announce ? n : 0));
      EXPECT_EQ(driver.leaders_named(NodeId{n}), n);
    }
  }
}

TEST(LeLann, EachInitiatorCostsOneRound) {
  core::Prng prng(2);
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const auto n = static_cast<NodeIndex>(2 + prng.below(10));
    const Extremum extremum = seed % 2 == 0 ? Extremum::max : Extremum::min;
    const auto ids = shuffled_ids(n, prng);
    HandDriver<LeLann> driver(ids, {extremum, seed % 3 != 0}, wild, seed);
    driver.make_ring();
    for (NodeIndex i = 0; i < n; ++i)
      if (i == 0 || prng.chance(0.4)) driver.start(i, Time{static_cast<int>(prng.below(60))});
    driver.run();
    // Some nodes started too late: only actual initiators count.
    std::vector<NodeId> initiators;
    for (NodeIndex i = 0; i < n; ++i)
      if (driver.node(i).initiator()) initiators.push_back(ids[i]);
    ASSERT_FALSE(initiators.empty());
    const auto [low, high] = std::minmax_element(initiators.begin(), initiators.end());
    const NodeId best = extremum == Extremum::max ? *high : *low;
    const bool announced = seed % 3 != 0;
    EXPECT_EQ(driver.sent(), n * initiators.size() + (announced ? n : 0));
    EXPECT_EQ(driver.leaders_named(best), announced ? n : initiators.size());
  }
}

TEST(LeLann, TimeIsTwiceTheRingLessOne) {
  constexpr NodeIndex n = 9;
  HandDriver<LeLann> driver(ids_of({1, 2, 3, 4, 5, 6, 7, 8, 9}), {.announce = false});
  driver.make_ring();
  // The last node starts at the last moment: its start is queued ahead of the token's arrival.
  driver.start(n - 1, Time{n - 1});
  driver.start(0);
  driver.run();
  EXPECT_EQ(driver.now(), Time{2 * n - 1});
  EXPECT_EQ(driver.node(n - 1).state(), State::leader);
}

TEST(LeLann, TimeIsTheRingWhenAllStart) {
  for (const bool announce : {false, true}) {
    HandDriver<LeLann> driver(ids_of({3, 1, 4, 2}), {.announce = announce});
    driver.make_ring();
    driver.start_all();
    driver.run();
    EXPECT_EQ(driver.now(), Time{announce ? 8 : 4});
  }
}

TEST(LeLann, NeedsFifo) {
  // The model says so, and the properties notice.
  int violations = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    core::Prng prng(seed);
    HandDriver<LeLann> driver(shuffled_ids(5, prng), {},
                              {.min = Duration{1}, .max = Duration{50}, .fifo = false}, seed);
    driver.make_ring();
    driver.start_all();
    try {
      driver.run();
    } catch (const core::Violation&) {
      ++violations;
    }
  }
  EXPECT_GT(violations, 0);
  EXPECT_FALSE(LeLann::facts.model.tolerates_reordering);
}

TEST(LeLann, PropertiesAreNamed) {
  std::vector<std::string_view> names;
  for (const auto& monitor : LeLann::monitors()) names.push_back(monitor->name());
  EXPECT_EQ(names, (std::vector<std::string_view>{"one-leader", "extremum", "known"}));
}

TEST(LeLann, MessagesRoundTrip) {
  const LeLann::Message token = LeLann::Token{NodeId{300}};
  EXPECT_EQ(core::encode(token), (core::Bytes{1, 0xAC, 2}));
  EXPECT_EQ(core::decode<LeLann::Message>(core::encode(token)), token);
}

}  // namespace
}  // namespace bellwether::algorithms
