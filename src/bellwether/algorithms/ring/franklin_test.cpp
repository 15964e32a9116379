// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/ring/franklin.hpp"

#include "bellwether/algorithms/ring/ring_orders_test.hpp"
#include "bellwether/algorithms/ring/two_way_ring_test.hpp"

namespace bellwether::algorithms {
namespace {

using namespace two_way;
using Leader = Franklin::Leader;
using Message = Franklin::Message;
using Hand = ByHand<Franklin>;

std::uint64_t most_phases(std::uint64_t n) {
  std::uint64_t log = 0;
  while ((std::uint64_t{2} << log) <= n) ++log;
  return log + 1;
}

TEST(Franklin, WhoeverIsBetterThanBothSidesBidsAgain) {
  Hand hand(ids_of({8, 9}));
  Franklin node(NodeId{5}, {});
  node.start(hand.next());
  ASSERT_EQ(hand.step.sends().size(), 2u);
  for (std::uint32_t p = 0; p < 2; ++p) {
    EXPECT_EQ(hand.step.sends()[p].port, Port{p});
    EXPECT_EQ(hand.step.sends()[p].message, Message(Bid{NodeId{5}}));
  }
  node.receive(hand.next(), Port{1}, Bid{NodeId{4}});
  EXPECT_TRUE(hand.step.sends().empty());
  EXPECT_EQ(core::text_of(node),
            "franklin(id=5 standing=active initiator=true heard=4 early=none side=1 leader=none)");
  node.receive(hand.next(), Port{0}, Bid{NodeId{3}});
  ASSERT_EQ(hand.step.sends().size(), 2u);
  EXPECT_EQ(core::text_of(node),
            "franklin(id=5 standing=active initiator=true heard=none early=none side=0 "
            "leader=none)");
}

TEST(Franklin, OneBetterSideIsEnoughToLose) {
  for (const bool first : {false, true}) {
    Hand hand(ids_of({8, 9}));
    Franklin node(NodeId{5}, {});
    node.start(hand.next());
    node.receive(hand.next(), Port{0}, Bid{NodeId{first ? 6u : 4u}});
    EXPECT_EQ(node.ring_state(), RingState::active);  // the other side's bid is for us as well
    node.receive(hand.next(), Port{1}, Bid{NodeId{first ? 4u : 6u}});
    EXPECT_TRUE(hand.step.sends().empty());
    EXPECT_EQ(node.ring_state(), RingState::passive);
    node.receive(hand.next(), Port{1}, Bid{NodeId{6}});  // the next phase's
    ASSERT_EQ(hand.step.sends().size(), 1u);
    EXPECT_EQ(hand.step.sends()[0].port, Port{0});
    EXPECT_EQ(hand.step.sends()[0].message, Message(Bid{NodeId{6}}));
  }
}

TEST(Franklin, AnEarlyBidCountsInTheNextPhase) {
  Hand hand(ids_of({8, 9}));
  Franklin node(NodeId{5}, {});
  node.start(hand.next());
  node.receive(hand.next(), Port{1}, Bid{NodeId{4}});
  node.receive(hand.next(), Port{1}, Bid{NodeId{7}});  // 4 has lost, and passed 7 on
  EXPECT_EQ(node.ring_state(), RingState::active);
  node.receive(hand.next(), Port{0}, Bid{NodeId{3}});
  EXPECT_EQ(hand.step.sends().size(), 2u);  // the first phase was ours
  EXPECT_EQ(node.ring_state(), RingState::active);
  node.receive(hand.next(), Port{0}, Bid{NodeId{2}});
  EXPECT_TRUE(hand.step.sends().empty());
  EXPECT_EQ(node.ring_state(), RingState::passive);  // the second was 7's
}

TEST(Franklin, WhoLosesPassesTheEarlyBidOn) {
  Hand hand(ids_of({8, 9}));
  Franklin node(NodeId{5}, {});
  node.start(hand.next());
  node.receive(hand.next(), Port{1}, Bid{NodeId{4}});
  node.receive(hand.next(), Port{1}, Bid{NodeId{7}});
  node.receive(hand.next(), Port{0}, Bid{NodeId{6}});
  ASSERT_EQ(hand.step.sends().size(), 1u);
  EXPECT_EQ(hand.step.sends()[0].port, Port{0});
  EXPECT_EQ(hand.step.sends()[0].message, Message(Bid{NodeId{7}}));
  EXPECT_EQ(node.ring_state(), RingState::passive);
}

TEST(Franklin, ItsOwnBidMakesTheLeader) {
  expect_own_bid_makes_the_leader<Franklin>();
}

TEST(Franklin, ARelayNeverInitiates) {
  expect_a_relay_never_initiates<Franklin>();
}

TEST(Franklin, TheSmallestWinsWhenAskedTo) {
  Hand hand(ids_of({8, 9}));
  Franklin node(NodeId{5}, {.extremum = Extremum::min});
  node.start(hand.next());
  node.receive(hand.next(), Port{1}, Bid{NodeId{6}});
  node.receive(hand.next(), Port{0}, Bid{NodeId{7}});
  EXPECT_EQ(node.ring_state(), RingState::active);
}

TEST(Franklin, NewsGoRound) {
  expect_news_go_round<Franklin>();
}

TEST(Franklin, ARingOfOneLeadsAtOnce) {
  expect_alone_leads_at_once<Franklin>();
}

TEST(Franklin, CountsOfAllOrders) {
  for (NodeIndex n = 3; n <= 8; ++n) {
    std::uint64_t most = 0, least = n;
    for_each_order(n, [&](const std::vector<NodeId>& ids) {
      const std::uint64_t expected = ring_orders::franklin_phases(ids);
      if (n < 8) {
        ASSERT_EQ(cost<Franklin>(ids, quiet, wild), 2 * n * expected);
      }
      most = std::max(most, expected);
      least = std::min(least, expected);
    });
    EXPECT_EQ(most, most_phases(n));
    EXPECT_EQ(least, 2u);
  }
}

TEST(Franklin, WorstAndBestOrders) {
  for (NodeIndex n = 3; n <= 70; ++n) {
    EXPECT_EQ(cost<Franklin>(ring_orders::franklin_worst(n), {}),
              2 * n * (most_phases(n) - 1) + 3 * n);
    EXPECT_EQ(cost<Franklin>(ring_orders::franklin_worst(n), {}), Franklin::message_bound(n, {}));
    EXPECT_EQ(cost<Franklin>(ring_orders::franklin_worst(n), quiet, wild),
              Franklin::message_bound(n, quiet));
    EXPECT_EQ(cost<Franklin>(counting(n, true), quiet, wild), 4 * n);
    EXPECT_EQ(cost<Franklin>(counting(n, false), {}), 5 * n);
  }
}

TEST(Franklin, OneInitiatorBidsOnce) {
  for (NodeIndex n = 3; n < 12; ++n) {
    HandDriver<Franklin> driver(counting(n, true), {});
    driver.make_two_way_ring();
    driver.start(0);  // the worst id of all, and the only initiator
    driver.run();
    EXPECT_EQ(driver.sent(), 3 * n);
    EXPECT_EQ(driver.leaders_named(NodeId{1}), n);
  }
}

TEST(Franklin, TimeIsAtMostTheRingInEachPhase) {
  core::Prng prng(7);
  for (int i = 0; i < 400; ++i) {
    const auto n = static_cast<NodeIndex>(3 + prng.below(40));
    const auto ids = i % 4 == 0 ? ring_orders::franklin_worst(n) : shuffled_ids(n, prng);
    HandDriver<Franklin> driver(ids, quiet);
    driver.make_two_way_ring();
    driver.start_all();
    driver.run();
    EXPECT_LE(driver.now(), Time{static_cast<int>(n * ring_orders::franklin_phases(ids))});
    EXPECT_GE(driver.now(), Time{static_cast<int>(n)});
  }
}

TEST(Franklin, AnyInitiatorsAnyDelays) {
  expect_best_initiator_wins<Franklin>({});
  expect_best_initiator_wins<Franklin>(wild);
}

TEST(Franklin, WithoutOrderTheBestStillWinsButTheBoundIsBroken) {
  // The phases get mixed up: a phase more than floor(log2 7) + 1.
  HandDriver<Franklin> driver(ids_of({5, 1, 7, 4, 3, 6, 2}), quiet,
                              {.max = Duration{50}, .fifo = false}, 380);
  driver.make_two_way_ring();
  driver.start_all();
  driver.run();
  EXPECT_EQ(driver.leaders_named(NodeId{7}), 1u);
  EXPECT_EQ(driver.sent(), 56u);
  EXPECT_EQ(Franklin::message_bound(7, quiet), 42u);
}

TEST(Franklin, TheRunInTheDocumentation) {
  EXPECT_EQ(ring_orders::franklin_phases(ids_of({3, 1, 4, 2})), 3u);
  EXPECT_EQ(cost<Franklin>(ids_of({3, 1, 4, 2})), 24u);
  EXPECT_EQ(cost<Franklin>(ids_of({3, 1, 4, 2}), {}), 28u);
}

TEST(Franklin, Codec) {
  expect_round_trips<Franklin>({Bid{NodeId{5}}, Leader{NodeId{7}}});
}

}  // namespace
}  // namespace bellwether::algorithms
