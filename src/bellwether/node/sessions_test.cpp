// SPDX-License-Identifier: MIT
#include "bellwether/node/sessions.hpp"

#include <gtest/gtest.h>

namespace bellwether::node {
namespace {

using namespace std::chrono_literals;
constexpr NodeId me{1}, peer{7};

class SessionsTest : public testing::Test {
 protected:
  Freshness hear(std::uint64_t session, std::uint64_t number,
                 const std::vector<Challenge>& proofs = {}) {
    now += 1ms;
    const FrameHeader heading{peer, session, number};
    return sessions.judge(now, heading, proofs);
  }
  /// The session of a live peer: asked, and answered.
  void begin(std::uint64_t session, std::uint64_t number) {
    ASSERT_EQ(hear(session, number), Freshness::unproven);
    now += 100ms;
    hear(session, number);
    const auto asks = sessions.take_asks(now);
    ASSERT_EQ(asks.size(), 1u);
    const auto verdict = hear(session, number + 1, {{me, asks[0].number}});
    ASSERT_TRUE(verdict == Freshness::began || verdict == Freshness::restarted);
  }
  std::uint64_t drawn = 100;
  Time now = 1s;
  Sessions sessions{me, [this] { return ++drawn; }};
};

TEST_F(SessionsTest, AStrangerIsAskedAndBelievedOnceItAnswers) {
  EXPECT_EQ(hear(5, 1), Freshness::unproven);
  const auto asks = sessions.take_asks(now);
  ASSERT_EQ(asks, (std::vector<Challenge>{{peer, 101}}));
  EXPECT_EQ(hear(5, 2, {{me, 102}}), Freshness::unproven) << "a wrong number";
  EXPECT_EQ(hear(5, 3, {{NodeId{2}, 101}}), Freshness::unproven) << "a proof for another";
  EXPECT_EQ(hear(5, 4, {{me, 101}}), Freshness::began);
  EXPECT_EQ(hear(5, 5), Freshness::fresh);
}

TEST_F(SessionsTest, EachNumberIsTakenOnceInAnyOrderWithinAWindow) {
  begin(5, 100);
  EXPECT_EQ(hear(5, 110), Freshness::fresh);
  EXPECT_EQ(hear(5, 105), Freshness::fresh);
  EXPECT_EQ(hear(5, 105), Freshness::repeated);
  EXPECT_EQ(hear(5, 110), Freshness::repeated);
  EXPECT_EQ(hear(5, 300), Freshness::fresh);
  EXPECT_EQ(hear(5, 236), Freshness::repeated) << "too old to be known";
  EXPECT_EQ(hear(5, 237), Freshness::fresh);
  EXPECT_EQ(hear(5, 300 + (std::uint64_t{1} << 40)), Freshness::fresh);
}

TEST_F(SessionsTest, WhatWasSentBeforeTheProofIsNotTaken) {
  begin(5, 100);
  for (std::uint64_t number = 0; number <= 101; ++number)
    EXPECT_EQ(hear(5, number), Freshness::repeated);
}

TEST_F(SessionsTest, ANewLifeReplacesTheOldOneAndNoRecordingBringsItBack) {
  begin(5, 1);
  begin(6, 1);
  EXPECT_EQ(hear(6, 9), Freshness::fresh);
  // All that session 5 ever sent, its proof among it, once more.
  for (std::uint64_t number = 0; number < 50; ++number)
    EXPECT_EQ(hear(5, number, {{me, 101}, {me, 102}}),
              number <= 2 ? Freshness::repeated : Freshness::duplicate_id);
  EXPECT_EQ(hear(6, 10), Freshness::fresh);
  now += 10s;  // and when session 6 is gone, it has to prove itself like any node
  EXPECT_EQ(hear(5, 60, {{me, 101}, {me, 102}}), Freshness::unproven);
}

TEST_F(SessionsTest, AFloodOfStrangersIsAskedSeldom) {
  std::size_t asks = 0;
  for (int i = 0; i < 1000; ++i) {
    hear(5, static_cast<std::uint64_t>(i));
    asks += sessions.take_asks(now).size();
  }
  EXPECT_LE(asks, 21u) << "in a second, every 50 ms";
  EXPECT_GE(asks, 15u);
}

TEST_F(SessionsTest, NobodyTakesItsMemory) {
  Sessions small(me, [this] { return ++drawn; }, {.most_known = 4, .most_asked = 8});
  for (std::uint64_t i = 2; i < 10000; ++i) small.judge(now, {NodeId{i}, i, 1}, {});
  std::size_t asked = 0;
  while (small.has_asks()) asked += small.take_asks(now).size();
  EXPECT_LE(asked, 8u);
}

TEST_F(SessionsTest, RepeatedAndNamelessFramesAreNotWorthOpening) {
  EXPECT_FALSE(sessions.worth_opening({NodeId{0}, 5, 1}));
  EXPECT_TRUE(sessions.worth_opening({peer, 5, 1}));
  begin(5, 1);
  EXPECT_FALSE(sessions.worth_opening({peer, 5, 2}));
  EXPECT_TRUE(sessions.worth_opening({peer, 5, 3}));
}

TEST_F(SessionsTest, OfTwoNodesWithOneIdTheLaterIsBelieved) {
  begin(5, 100);
  begin(6, 10);  // it has begun anew, one might think
  EXPECT_EQ(hear(5, 102), Freshness::duplicate_id) << "but the other one goes on";
  EXPECT_EQ(hear(5, 101), Freshness::repeated) << "a recording of before proves nothing";
  EXPECT_EQ(hear(6, 12), Freshness::fresh);
  EXPECT_EQ(hear(5, 103), Freshness::duplicate_id);
  EXPECT_FALSE(sessions.has_asks()) << "nobody is asked who would not be believed";
  now += 3s;  // the later one is gone
  begin(5, 200);
  EXPECT_EQ(hear(5, 202), Freshness::fresh);
  EXPECT_EQ(hear(6, 13), Freshness::duplicate_id);
}

}  // namespace
}  // namespace bellwether::node
