// SPDX-License-Identifier: MIT
// Single steps of the height algorithm, one node by hand. What whole networks do is in
// tests/claims; that each property can fail, too.
#include "bellwether/algorithms/moving/height.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "bellwether/core/codec.hpp"
#include "bellwether/core/options.hpp"
#include "bellwether/core/print.hpp"

namespace bellwether::algorithms {
namespace {

using core::Time;
using ClockKind = Height::ClockKind;
using Rejoin = Height::Rejoin;
constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
constexpr auto highest = std::numeric_limits<std::int64_t>::max();
constexpr auto lowest_delta = std::numeric_limits<std::int32_t>::min();
constexpr auto highest_delta = std::numeric_limits<std::int32_t>::max();

/// (tau, oid, r | delta | nlts, lid | id)
HeightTuple at(std::int64_t tau, std::uint64_t oid, std::uint8_t r, std::int32_t delta,
               std::int64_t nlts, std::uint64_t lid, std::uint64_t id) {
  return {{tau, NodeId{oid}, r}, delta, {nlts, NodeId{lid}}, NodeId{id}};
}

/// One node and what its last step sent.
struct Hand {
  Height node;
  Height::Step step;
  std::vector<Port> ports;
  Time now{};

  explicit Hand(std::uint64_t id, Height::Options options = {}) : node(NodeId{id}, options) {}

  void start() { node.start(next()); }
  void up(std::uint32_t port) { node.link_up(next(), Port{port}); }
  void down(std::uint32_t port) { node.link_down(next(), Port{port}); }
  void hear_at(std::uint64_t stamp, std::uint32_t port, const HeightTuple& height,
               bool hello = false) {
    node.receive(next(), Port{port}, Height::Update{height, stamp, hello});
  }
  /// With the earliest clock that the sender of such a height can have.
  void hear(std::uint32_t port, const HeightTuple& height, bool hello = false) {
    hear_at(static_cast<std::uint64_t>(std::max(height.rl.tau, -height.lp.nlts)), port, height,
            hello);
  }
  /// A link that comes up and over which this height arrives.
  void meet(std::uint32_t port, const HeightTuple& height) {
    up(port);
    hear(port, height);
  }
  Height::Step& next() {
    step.begin(ports, now);
    return step;
  }
  std::string height() const { return to_text(node.height()); }
  std::uint64_t clock() const { return node.time_at(now); }
  /// "0 hello 2": the ports, in order. Checks that each message has the height and clock.
  std::string sent() const {
    std::string out;
    for (const auto& send : step.sends()) {
      const auto& [height, stamp, hello] = std::get<Height::Update>(send.message);
      EXPECT_EQ(height, node.height());
      EXPECT_EQ(stamp, node.options().clock == ClockKind::perfect ? 0 : clock());
      out += (out.empty() ? "" : " ") + std::to_string(raw(send.port)) + (hello ? " hello" : "");
    }
    return out;
  }
};

/// Node 5 follows leader 1, whose own link is port 0; ports 1 and 2 lead to 6 and 7 above it.
Hand follower(Height::Options options = {}) {
  Hand hand(5, options);
  hand.meet(0, at(0, 0, 0, 0, 0, 1, 1));
  hand.meet(1, at(0, 0, 0, 2, 0, 1, 6));
  hand.meet(2, at(0, 0, 0, 2, 0, 1, 7));
  EXPECT_EQ(hand.height(), "(0,0,0|1|0,1|5)");
  return hand;
}

TEST(Height, EveryNodeBeginsAsItsOwnLeader) {
  Hand hand(5);
  EXPECT_EQ(hand.height(), "(0,0,0|0|0,5|5)");
  EXPECT_EQ(hand.node.leader(), NodeId{5});
  EXPECT_FALSE(hand.node.sink());
  hand.start();
  EXPECT_EQ(hand.sent(), "");
}

TEST(Height, StartFormsTheLinksThatAreThere) {
  Hand hand(5);
  hand.ports = {Port{0}, Port{1}};
  hand.node.start(hand.next());
  ASSERT_EQ(hand.step.sends().size(), 2u);
  EXPECT_EQ(core::text_of(hand.step.sends()[1].message),
            "update(height=(rl=(tau=0 oid=0 r=0) delta=0 lp=(nlts=0 lid=5) id=5) stamp=2 "
            "hello=true)");
  EXPECT_EQ(hand.node.view(Port{0}), nullptr);
  hand.ports.push_back(Port{2});
  hand.start();  // again: only the new one
  EXPECT_EQ(hand.sent(), "2 hello");
}

TEST(Height, ANewLinkIsFormingUntilItsFirstUpdate) {
  Hand hand(5);
  hand.up(3);
  EXPECT_EQ(hand.sent(), "3 hello");
  EXPECT_EQ(hand.node.view(Port{3}), nullptr);
  hand.up(3);  // notified twice
  EXPECT_EQ(hand.sent(), "");
  const HeightTuple theirs = at(0, 0, 0, 0, 0, 6, 6);
  hand.hear(3, theirs);
  ASSERT_NE(hand.node.view(Port{3}), nullptr);
  EXPECT_EQ(*hand.node.view(Port{3}), theirs);

  Hand published(5, {.hello = false});
  published.up(3);
  EXPECT_EQ(published.sent(), "3");
}

TEST(Height, AMessageFromAnUnknownPortIsIgnored) {
  Hand hand(5);
  hand.hear(3, at(0, 0, 0, 0, -9, 1, 1), true);
  EXPECT_EQ(hand.sent(), "");
  EXPECT_EQ(hand.height(), "(0,0,0|0|0,5|5)");
  EXPECT_EQ(hand.node.view(Port{3}), nullptr);
  hand.down(3);
  EXPECT_EQ(hand.sent(), "");
}

TEST(Height, AMessageWakesANodeThatWasNotStarted) {
  Hand hand(5);
  hand.ports = {Port{0}, Port{1}};
  hand.node.receive(hand.next(), Port{1}, Height::Update{at(0, 0, 0, 0, -9, 1, 1), 9, true});
  EXPECT_EQ(hand.height(), "(0,0,0|1|-9,1|5)");
  std::string ports;  // first it greets all neighbours, then it sends the news
  for (const auto& send : hand.step.sends())
    ports += std::to_string(raw(send.port)) +
             (std::get<Height::Update>(send.message).hello ? " hello " : " ");
  EXPECT_EQ(ports, "0 hello 1 hello 0 1 ");
}

// ADOPT-LP-IF-PRIORITY

TEST(Height, AMoreRecentLeaderIsAdoptedAndToldToAll) {
  Hand hand(5);
  hand.meet(1, at(0, 0, 0, 0, 0, 6, 6));
  hand.up(2);
  hand.hear(1, at(8, 9, 1, -3, -7, 6, 6));
  EXPECT_EQ(hand.height(), "(8,9,1|-2|-7,6|5)");  // their search, one above them
  EXPECT_EQ(hand.sent(), "1 2");                  // N and forming
  EXPECT_EQ(hand.node.leader(), NodeId{6});
}

TEST(Height, AtEqualTimesTheSmallerLeaderWins) {
  Hand hand(5);
  hand.meet(0, at(0, 0, 0, 3, 0, 4, 9));
  EXPECT_EQ(hand.height(), "(0,0,0|4|0,4|5)");
  EXPECT_EQ(hand.sent(), "0");
}

TEST(Height, WhoFollowsAnOlderLeaderIsAnsweredAndNobodyElse) {
  Hand hand = follower({.hello = false});
  hand.hear(1, at(0, 0, 0, 0, 0, 6, 6));
  EXPECT_EQ(hand.sent(), "1");
  EXPECT_EQ(hand.height(), "(0,0,0|1|0,1|5)");
}

TEST(Height, AHelloIsAnsweredExactlyWhenNothingElseIsSent) {
  Hand hand = follower();
  hand.hear(1, at(0, 0, 0, 2, 0, 1, 6), true);  // nothing new
  EXPECT_EQ(hand.sent(), "1");
  hand.hear(1, at(0, 0, 0, 2, 0, 1, 6));
  EXPECT_EQ(hand.sent(), "");
  hand.hear(1, at(0, 0, 0, 0, 0, 6, 6), true);  // the answer to an older leader will do
  EXPECT_EQ(hand.sent(), "1");
  hand.hear(1, at(0, 0, 0, 0, -2, 6, 6), true);  // so will the news
  EXPECT_EQ(hand.sent(), "0 1 2");

  Hand published = follower({.hello = false});
  published.hear(1, at(0, 0, 0, 2, 0, 1, 6), true);
  EXPECT_EQ(published.sent(), "");
}

// SINK

TEST(Height, TheLeaderIsNoSink) {
  Hand hand(1);
  hand.meet(0, at(0, 0, 0, 1, 0, 1, 5));
  hand.meet(1, at(0, 0, 0, 1, 0, 1, 6));
  hand.down(0);
  EXPECT_EQ(hand.sent(), "");
  hand.hear(1, at(9, 6, 0, 0, 0, 1, 6));
  EXPECT_EQ(hand.sent(), "");
  EXPECT_EQ(hand.height(), "(0,0,0|0|0,1|1)");
}

TEST(Height, ANodeThatSeesTwoLeadersIsNoSink) {
  Hand hand = follower();
  hand.hear(2, at(0, 0, 0, 9, 0, 7, 7));  // an older leader: answered, and kept in view
  hand.down(0);
  EXPECT_EQ(hand.sent(), "");
  EXPECT_FALSE(hand.node.sink());
  hand.hear(2, at(0, 0, 0, 2, 0, 1, 7));  // now all agree, and all are above
  EXPECT_NE(hand.node.height().rl, ReferenceLevel{});
}

TEST(Height, AFormingLinkIsNoWayDown) {
  Hand hand = follower();
  hand.up(3);
  hand.down(0);
  EXPECT_EQ(hand.sent(), "1 2 3");
  EXPECT_EQ(hand.node.height().rl.oid, NodeId{5});
}

// Channel down

TEST(Height, LosingTheLastWayDownStartsASearch) {
  Hand hand = follower();
  const std::uint64_t t = hand.clock() + 1;
  hand.down(0);
  EXPECT_EQ(hand.height(), "(" + std::to_string(t) + ",5,0|0|0,1|5)");
  EXPECT_EQ(hand.sent(), "1 2");
  EXPECT_EQ(hand.node.leader(), NodeId{1});
}

TEST(Height, LosingAnotherLinkChangesNothing) {
  Hand hand = follower();
  hand.down(2);
  EXPECT_EQ(hand.sent(), "");
  EXPECT_EQ(hand.node.view(Port{2}), nullptr);
  EXPECT_EQ(hand.height(), "(0,0,0|1|0,1|5)");
}

TEST(Height, LosingTheLastNeighbourElectsOneself) {
  Hand hand(5);
  hand.meet(0, at(0, 0, 0, 0, 0, 1, 1));
  hand.up(4);
  const std::uint64_t t = hand.clock() + 1;
  hand.down(0);
  EXPECT_EQ(hand.height(), "(0,0,0|0|-" + std::to_string(t) + ",5|5)");
  EXPECT_EQ(hand.sent(), "4");  // those that are forming hear of it
  hand.down(4);                 // as printed: with N empty, one more loss is one more election
  EXPECT_EQ(hand.height(), "(0,0,0|0|-" + std::to_string(t + 1) + ",5|5)");
  EXPECT_EQ(hand.sent(), "");
}

// A sink that hears from a neighbour

TEST(Height, ACommonSearchIsReflected) {
  Hand hand = follower();
  hand.hear(1, at(50, 6, 0, -1, 0, 1, 6));
  hand.hear(2, at(50, 6, 0, -4, 0, 1, 7));
  EXPECT_EQ(hand.sent(), "");  // there is still a way down
  hand.hear(0, at(50, 6, 0, 8, 0, 1, 1));
  EXPECT_EQ(hand.height(), "(50,6,1|0|0,1|5)");
  EXPECT_EQ(hand.sent(), "0 1 2");
}

TEST(Height, OfDifferentSearchesTheLargestIsPropagatedBelowItsLowest) {
  Hand hand = follower();
  hand.meet(3, at(50, 6, 0, 7, 0, 1, 8));
  hand.hear(1, at(50, 6, 0, 4, 0, 1, 6));
  hand.hear(2, at(40, 9, 1, -8, 0, 1, 7));
  EXPECT_EQ(hand.sent(), "");  // there is still a way down
  hand.hear(0, at(30, 9, 0, 0, 0, 1, 1));
  EXPECT_EQ(hand.height(), "(50,6,0|3|0,1|5)");
  EXPECT_EQ(hand.sent(), "0 1 2 3");
}

TEST(Height, AReflectedSearchIsPropagatedBack) {
  Hand hand(5);
  hand.meet(0, at(50, 6, 0, 0, 0, 1, 6));  // adopts leader 1 and takes part above 6
  hand.meet(1, at(50, 6, 0, 2, 0, 1, 7));
  EXPECT_EQ(hand.height(), "(50,6,0|1|0,1|5)");
  hand.hear(0, at(50, 6, 1, -3, 0, 1, 6));
  EXPECT_EQ(hand.height(), "(50,6,1|-4|0,1|5)");
  EXPECT_EQ(hand.sent(), "0 1");
}

TEST(Height, ItsOwnSearchReflectedByAllElectsItsOriginator) {
  Hand hand = follower();
  hand.down(0);
  const std::int64_t tau = hand.node.height().rl.tau;
  hand.hear(1, at(tau, 5, 1, 0, 0, 1, 6));
  EXPECT_EQ(hand.sent(), "");
  hand.hear(2, at(tau, 5, 1, -1, 0, 1, 7));
  EXPECT_EQ(hand.height(), "(0,0,0|0|-" + std::to_string(hand.clock()) + ",5|5)");
  EXPECT_EQ(hand.sent(), "1 2");
}

TEST(Height, AForeignReflectedSearchStartsANewOne) {
  Hand hand = follower();
  hand.down(0);
  hand.hear_at(95, 1, at(90, 9, 1, 0, 0, 1, 6));
  hand.hear(2, at(90, 9, 1, 0, 0, 1, 7));
  EXPECT_EQ(hand.height(), "(" + std::to_string(hand.clock()) + ",5,0|0|0,1|5)");
  EXPECT_GT(hand.clock(), 95u);
  EXPECT_EQ(hand.sent(), "1 2");
}

TEST(Height, NeighboursWithoutASearchMakeASinkStartOne) {
  Hand hand(5);
  hand.meet(0, at(0, 0, 0, 0, 0, 1, 1));
  hand.hear(0, at(0, 0, 0, 3, 0, 1, 1));  // no leader would; a follower that rose might
  EXPECT_EQ(hand.height(), "(" + std::to_string(hand.clock()) + ",5,0|0|0,1|5)");
  EXPECT_EQ(hand.sent(), "0");
}

// Clocks

TEST(HeightClock, LogicalTicksAtEveryEventAndPassesWhatItHears) {
  Hand hand(5);
  hand.now = Time{1'000'000};  // means nothing
  hand.up(0);
  EXPECT_EQ(hand.clock(), 1u);
  hand.hear_at(40, 0, at(0, 0, 0, 0, 0, 6, 6));
  EXPECT_EQ(hand.clock(), 41u);
  hand.hear_at(3, 0, at(0, 0, 0, 0, 0, 6, 6));
  EXPECT_EQ(hand.clock(), 42u);
  hand.hear_at(60, 7, at(0, 0, 0, 0, 0, 6, 6));  // from an unknown port: still an event
  EXPECT_EQ(hand.clock(), 61u);
  hand.down(0);
  EXPECT_EQ(hand.node.height().lp.nlts, -62);
}

TEST(HeightClock, PerfectIsTheTimeAndNeverTheSameTwice) {
  Hand hand(5, {.clock = ClockKind::perfect});
  hand.up(0);
  hand.now = Time{700};
  hand.down(0);
  EXPECT_EQ(hand.node.height().lp.nlts, -700);
  hand.up(1);
  EXPECT_EQ(std::get<Height::Update>(hand.step.sends().at(0).message).stamp, 0u);
  hand.down(1);  // in the same moment
  EXPECT_EQ(hand.node.height().lp.nlts, -701);
  EXPECT_EQ(hand.clock(), 701u);
  hand.now = Time{900};
  EXPECT_EQ(hand.clock(), 900u);
  hand.up(2);
  hand.hear_at(5000, 2, at(0, 0, 0, 0, 0, 6, 6));  // stamps mean nothing to it
  hand.down(2);
  EXPECT_EQ(hand.node.height().lp.nlts, -900);
}

TEST(HeightClock, PerfectIsPositiveFromTheFirstMoment) {
  Hand hand(5, {.clock = ClockKind::perfect});
  hand.up(0);
  hand.down(0);
  EXPECT_EQ(hand.node.height().lp.nlts, -1);
}

TEST(HeightClock, HybridFollowsItsOwnClockAndWhatItHears) {
  Hand hand(5, {.clock = ClockKind::hybrid});
  hand.now = Time{500};
  hand.up(0);
  EXPECT_EQ(hand.clock(), 500u);
  hand.up(1);  // in the same moment
  EXPECT_EQ(hand.clock(), 501u);
  hand.now = Time{600};
  hand.hear_at(900, 0, at(0, 0, 0, 0, -900, 6, 6));  // from a clock that is ahead
  EXPECT_EQ(hand.clock(), 901u);
  hand.now = Time{700};
  hand.down(1);
  EXPECT_EQ(hand.clock(), 902u);
  hand.now = Time{5000};
  hand.down(0);
  EXPECT_EQ(hand.node.height().lp.nlts, -5000);
  hand.now = Time{-3};  // a clock that is behind the beginning
  hand.up(2);
  EXPECT_EQ(hand.clock(), 5001u);
}

// Rejoin

TEST(HeightRejoin, WhoWasAloneYields) {
  Hand hand(5, {.rejoin = Rejoin::yield});
  hand.meet(0, at(0, 0, 0, 0, -7, 9, 9));
  hand.up(1);
  hand.down(0);
  EXPECT_EQ(hand.height(), "(0,0,0|0|0,5|5)");  // take-over: newer than any other
  EXPECT_EQ(hand.sent(), "1");
  hand.hear(1, at(0, 0, 0, 0, -7, 9, 9));
  EXPECT_EQ(hand.height(), "(0,0,0|1|-7,9|5)");
}

TEST(HeightRejoin, ALeaderThatIsToldOfItsOwnLeadershipTakesItUpAnew) {
  Hand hand(5, {.rejoin = Rejoin::yield});
  hand.meet(0, at(0, 0, 0, 1, -7, 5, 6));  // its lead, from before it was alone
  EXPECT_EQ(hand.height(), "(0,0,0|0|-" + std::to_string(hand.clock()) + ",5|5)");
  EXPECT_EQ(hand.sent(), "0");
  // As published, no node can receive this; a node without memory treats it as any other leader.
  Hand published(5);
  published.meet(0, at(0, 0, 0, 1, -7, 5, 6));
  EXPECT_EQ(published.height(), "(0,0,0|2|-7,5|5)");
}

// Values from the network: a value that cannot grow stays as it is.

TEST(HeightExtremes, DeltaStopsAtItsEnds) {
  Hand hand(5);
  hand.meet(0, at(0, 0, 0, highest_delta, -1, 6, 6));
  EXPECT_EQ(hand.node.height().delta, highest_delta);
  hand.meet(1, at(3, 7, 0, lowest_delta, -2, 7, 7));
  EXPECT_EQ(hand.node.height().delta, lowest_delta + 1);
  hand.hear(0, at(2, 7, 0, 0, -2, 7, 6));
  hand.hear(0, at(4, 7, 0, lowest_delta, -2, 7, 6));
  hand.hear(1, at(5, 7, 0, lowest_delta, -2, 7, 7));
  EXPECT_EQ(hand.height(), "(5,7,0|" + std::to_string(lowest_delta) + "|-2,7|5)");
}

TEST(HeightExtremes, ClocksStopAtTheirEnd) {
  for (const ClockKind clock : {ClockKind::logical, ClockKind::hybrid}) {
    Hand hand(5, {.clock = clock});
    hand.up(0);
    hand.hear_at(std::numeric_limits<std::uint64_t>::max(), 0, at(0, 0, 0, 0, 0, 6, 6));
    EXPECT_EQ(hand.clock(), static_cast<std::uint64_t>(highest));
    hand.down(0);
    EXPECT_EQ(hand.node.height().lp.nlts, -highest);
    hand.up(1);
    EXPECT_EQ(hand.clock(), static_cast<std::uint64_t>(highest));
  }
}

TEST(HeightExtremes, WhatNoNodeCanHaveSentIsRefused) {
  for (const ClockKind clock : {ClockKind::logical, ClockKind::perfect, ClockKind::hybrid}) {
    Hand hand(5, {.clock = clock});
    hand.up(0);
    const Height before = hand.node;
    for (const HeightTuple& h : {at(-1, 6, 0, 0, -9, 6, 6), at(1, 6, 2, 0, -9, 6, 6),
                                 at(0, 0, 0, 0, 1, 6, 6), at(0, 0, 0, 0, lowest, 6, 6)})
      hand.hear_at(99, 0, h);
    if (clock != ClockKind::perfect) {  // from after the time at which it says it was sent
      hand.hear_at(8, 0, at(9, 6, 0, 0, 0, 6, 6));
      hand.hear_at(8, 0, at(0, 0, 0, 0, -9, 6, 6));
    }
    EXPECT_EQ(hand.sent(), "");
    EXPECT_EQ(hand.node, before);  // not even the clock
  }
}

TEST(HeightExtremes, AnyHeightIsBorne) {
  for (const std::int64_t tau : {std::int64_t{0}, std::int64_t{1}, highest})
    for (const std::int32_t delta : {lowest_delta, 0, highest_delta})
      for (const std::int64_t nlts : {-highest, std::int64_t{-1}, std::int64_t{0}})
        for (const std::uint8_t r : std::array<std::uint8_t, 2>{0, 1})
          for (const ClockKind clock :
               {ClockKind::logical, ClockKind::perfect, ClockKind::hybrid}) {
            Hand hand = follower({.clock = clock});
            hand.down(0);
            for (const std::uint32_t port : {1, 2}) hand.hear(port, at(tau, 9, r, delta, 0, 1, 6));
            for (const std::uint32_t port : {1, 2})
              hand.hear(port, at(tau, 9, r, delta, nlts, 9, 6));
            hand.down(1);
            hand.down(2);
            EXPECT_EQ(hand.node.leader(), NodeId{5});
          }
}

TEST(Height, MessagesAndOptionsHaveOneText) {
  const Height::Message message = Height::Update{at(3, 2, 1, -4, -9, 7, 5), 12, true};
  EXPECT_EQ(core::decode<Height::Message>(core::encode(message)), message);
  EXPECT_EQ(to_text(at(3, 2, 1, -4, -9, 7, 5)), "(3,2,1|-4|-9,7|5)");
  std::string rows;
  for (const auto& row : core::option_rows<Height::Options>())
    rows += row.name + " = " + row.default_text + "\n";
  EXPECT_EQ(rows, "clock = logical\nhello = true\nrejoin = take-over\n");
}

TEST(Height, HeightsCompareFromTheReferenceLevelOn) {
  const HeightTuple base = at(1, 1, 0, 1, -1, 1, 1);
  EXPECT_LT(base, at(2, 0, 0, 0, -9, 0, 0));
  EXPECT_LT(base, at(1, 2, 0, 0, -9, 0, 0));
  EXPECT_LT(base, at(1, 1, 1, 0, -9, 0, 0));
  EXPECT_LT(base, at(1, 1, 0, 2, -9, 0, 0));
  EXPECT_LT(base, at(1, 1, 0, 1, 0, 0, 0));
  EXPECT_LT(base, at(1, 1, 0, 1, -1, 2, 0));
  EXPECT_LT(base, at(1, 1, 0, 1, -1, 1, 2));
}

}  // namespace
}  // namespace bellwether::algorithms
