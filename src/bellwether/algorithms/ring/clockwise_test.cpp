// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/ring/clockwise.hpp"

#include <gtest/gtest.h>

#include "bellwether/algorithms/ring/one_way_ring_test.hpp"
#include "bellwether/core/codec.hpp"
#include "bellwether/core/print.hpp"

namespace bellwether::algorithms {
namespace {

using Decision = Clockwise::Decision;
using Woken = Clockwise::Woken;
using M = Clockwise::M;
using Leader = Clockwise::Leader;
using Message = Clockwise::Message;
using Sent = std::vector<Message>;
using Node = OneNode<Clockwise>;
constexpr Clockwise::Options quiet{.announce = false};
constexpr Clockwise::Options listed{.woken = Woken::relays};

M m(std::uint64_t id) {
  return {NodeId{id}};
}

TEST(Clockwise, PassesOnWhatIsBetterThanAllItHasSeen) {
  Node five(5);
  EXPECT_EQ(five.sent(), Sent{m(5)});
  EXPECT_EQ(core::text_of(five.node),
            "clockwise(id=5 T=5 decision=none initiator=true leader=none)");
  EXPECT_EQ(five.receive(m(4)), Sent{});
  EXPECT_EQ(five.receive(m(7)), Sent{m(7)});
  EXPECT_EQ(five.node.decision(), Decision::follower);
  EXPECT_EQ(five.receive(m(6)), Sent{});  // better than its own id, but not than 7
  EXPECT_EQ(five.receive(m(7)), Sent{});  // a duplicate
  EXPECT_EQ(five.receive(m(8)), Sent{m(8)});

  Node smallest(5, {.extremum = Extremum::min});
  EXPECT_EQ(smallest.receive(m(7)), Sent{});
  EXPECT_EQ(smallest.receive(m(4)), Sent{m(4)});
}

TEST(Clockwise, ItsOwnIdMakesTheLeader) {
  Node five(5);
  EXPECT_EQ(five.receive(m(5)), Sent{Leader{NodeId{5}}});
  EXPECT_EQ(five.node.decision(), Decision::leader);
  const Clockwise before = five.node;
  EXPECT_EQ(five.receive(m(5)), Sent{});
  EXPECT_EQ(five.receive(Leader{NodeId{5}}), Sent{});
  EXPECT_EQ(five.node, before);
}

TEST(Clockwise, WhoIsReachedJoinsOrRelays) {
  ByHand<Clockwise> hand(ids_of({8}));
  Clockwise joins(NodeId{5}, {});
  joins.receive(hand.next(), Port{1}, m(3));
  ASSERT_EQ(hand.step.sends().size(), 1u);  // its own, and 3 is over
  EXPECT_EQ(hand.step.sends()[0].message, Message(m(5)));
  joins.start(hand.next());
  EXPECT_TRUE(hand.step.sends().empty());

  Clockwise beaten(NodeId{5}, {});
  beaten.receive(hand.next(), Port{1}, m(7));
  ASSERT_EQ(hand.step.sends().size(), 2u);
  EXPECT_EQ(hand.step.sends()[0].message, Message(m(5)));
  EXPECT_EQ(hand.step.sends()[1].message, Message(m(7)));

  Clockwise relays(NodeId{5}, listed);
  relays.receive(hand.next(), Port{1}, m(3));
  ASSERT_EQ(hand.step.sends().size(), 1u);
  EXPECT_EQ(hand.step.sends()[0].message, Message(m(3)));
  EXPECT_EQ(relays.t(), NodeId{3});
  EXPECT_EQ(relays.decision(), Decision::follower);
  EXPECT_FALSE(relays.initiator());
  relays.start(hand.next());  // the listing does not ask what has come past
  ASSERT_EQ(hand.step.sends().size(), 1u);
  EXPECT_EQ(hand.step.sends()[0].message, Message(m(5)));
  EXPECT_EQ(relays.t(), NodeId{5});
}

TEST(Clockwise, AsListedTheBestInitiatorWins) {
  HandDriver<Clockwise> driver(ids_of({1, 2, 9, 3}), listed);
  driver.make_ring();
  driver.start(0);
  driver.start(1);
  driver.run();
  EXPECT_EQ(driver.leaders_named(NodeId{2}), 4u);

  HandDriver<Clockwise> theorem(ids_of({1, 2, 9, 3}), {});
  theorem.make_ring();
  theorem.start(0);
  theorem.start(1);
  theorem.run();
  EXPECT_EQ(theorem.leaders_named(NodeId{9}), 4u);  // as theorem 2.4 says
}

TEST(Clockwise, AsListedALateStartMakesTwoLeaders) {
  HandDriver<Clockwise> driver(ids_of({1, 2, 3}), listed);
  driver.make_ring();
  driver.start(0);
  driver.start(1, Time{10});  // when 1 already leads
  try {
    driver.run();
    FAIL() << "one leader";
  } catch (const core::Violation& violation) {
    EXPECT_STREQ(violation.what(), "at most one node believes that it leads");
  }
  EXPECT_EQ(driver.node(0).decision(), Decision::leader);
  EXPECT_EQ(driver.node(1).decision(), Decision::leader);

  HandDriver<Clockwise> joined(ids_of({1, 2, 3}), {});
  joined.make_ring();
  joined.start(0);
  joined.start(1, Time{10});
  joined.run();
  EXPECT_EQ(joined.leaders_named(NodeId{3}), 3u);
}

TEST(Clockwise, AsListedEverybodyMayComeToLead) {
  constexpr NodeIndex n = 6;  // each starts when the one before it leads, the better the later
  core::HandHost ring(core::hosted<Clockwise>({.announce = false, .woken = Woken::relays}));
  for (NodeIndex u = 0; u < n; ++u) {
    ring.add(NodeId{u + 1});
    ring.open(u, {.far = (u + 1) % n, .up = true});
  }
  std::size_t messages = 0;
  for (NodeIndex starter = 0; starter < n; ++starter) {
    ring.step(starter, core::Call::start());
    for (auto ways = ring.busy(); !ways.empty(); ways = ring.busy()) {
      ASSERT_EQ(ways.size(), 1u);
      ++messages;
      const core::AnyMessage message = ring.take(ways[0]);
      ring.step(ways[0].second, core::Call::receive(Port{1}, message.value()));
      ASSERT_TRUE(ring.transit().at(ways[0]).empty());
    }
  }
  for (NodeIndex u = 0; u < n; ++u) EXPECT_EQ(ring.as<Clockwise>(u).decision(), Decision::leader);
  EXPECT_EQ(messages, n * n);
  EXPECT_EQ(Clockwise::message_bound(n, {.announce = false, .woken = Woken::relays}), n * n);
}

TEST(Clockwise, ARingOfOneLeadsAtOnce) {
  HandDriver<Clockwise> driver(ids_of({5}), {});
  driver.start(0);
  driver.run();
  EXPECT_EQ(driver.node(0).leader(), NodeId{5});
  EXPECT_EQ(driver.sent(), 0u);
}

/// Each id travels to the next better one, and the best round the ring.
std::size_t way_of_all(const std::vector<NodeId>& ids) {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    std::size_t way = 1;
    while (way < ids.size() && ids[(i + way) % ids.size()] < ids[i]) ++way;
    sum += way;
  }
  return sum;
}

TEST(Clockwise, CostsTheSameWhoeverStarts) {
  for (NodeIndex n = 2; n <= 5; ++n)
    for_each_order(n, [&](const std::vector<NodeId>& ids) {
      for (std::uint64_t some = 1; some < (std::uint64_t{1} << n); ++some)
        ASSERT_EQ(spent<Clockwise>(ids, quiet, some).messages, way_of_all(ids));
    });
}

TEST(Clockwise, CostsAtWorstAndAtBest) {
  for (NodeIndex n = 2; n <= 40; ++n) {
    const auto falling = falling_order(n);
    auto rising = falling;
    std::reverse(rising.begin(), rising.end());
    EXPECT_EQ(spent<Clockwise>(falling, quiet).messages, n * (n + 1) / 2);
    EXPECT_EQ(spent<Clockwise>(rising, quiet).messages, 2 * n - 1);
    EXPECT_EQ(spent<Clockwise>(falling, {}).messages, n * (n + 1) / 2 + n);
    EXPECT_EQ(spent<Clockwise>(rising, {Extremum::min, false}).messages, n * (n + 1) / 2);
  }
}

TEST(Clockwise, CostsNHarmonicOnAverage) {
  // Over the 120 orders of six ids round a ring: 6 (1 + 1/2 + ... + 1/6) = 14.7 each, exactly.
  std::size_t total = 0, runs = 0;
  for_each_order(6, [&](const std::vector<NodeId>& ids) {
    total += spent<Clockwise>(ids, quiet).messages;
    ++runs;
  });
  EXPECT_EQ(runs, 120u);
  EXPECT_EQ(total, 1764u);
}

TEST(Clockwise, EverySmallRing) {
  expect_every_small_ring<Clockwise>({}, 6, 5);
  expect_every_small_ring<Clockwise>({.extremum = Extremum::min}, 5, 4);
  expect_every_small_ring<Clockwise>(listed, 6, 5);  // no node starts late
}

TEST(Clockwise, AnyInitiatorsAnyOrderDuplicatesToo) {
  expect_any_initiators<Clockwise>(2000, [](std::uint64_t seed) {
    return Clockwise::Options{seed % 2 == 0 ? Extremum::max : Extremum::min, seed % 3 != 0};
  });
}

TEST(Clockwise, TimeIsTwiceTheRingLessOne) {
  for (NodeIndex n = 2; n <= 12; ++n) {
    auto rising = falling_order(n);
    std::reverse(rising.begin(), rising.end());
    EXPECT_EQ(spent<Clockwise>(rising, quiet, 1).time, 2 * n - 1);  // the best is woken last
    EXPECT_EQ(spent<Clockwise>(rising, {}, 1).time, 3 * n - 1);
  }
}

TEST(Clockwise, TheRunInTheDocumentation) {
  EXPECT_EQ(spent<Clockwise>(ids_of({3, 1, 4, 2}), quiet, 1).messages, 8u);
  EXPECT_EQ(spent<Clockwise>(ids_of({3, 1, 4, 2}), {}, 1).messages, 12u);
}

TEST(Clockwise, WhomItMeansToElect) {
  EXPECT_EQ(Clockwise::criterion({}), core::Criterion::highest_id);
  EXPECT_EQ(Clockwise::criterion(listed), core::Criterion::majority);
  EXPECT_EQ(Clockwise::criterion({.extremum = Extremum::min}), core::Criterion::majority);
}

TEST(Clockwise, MessagesRoundTrip) {
  for (const Message& message : {Message(m(77)), Message(Leader{NodeId{3}})})
    EXPECT_EQ(core::decode<Message>(core::encode(message)), message);
}

}  // namespace
}  // namespace bellwether::algorithms
