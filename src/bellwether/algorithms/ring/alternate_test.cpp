// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/ring/alternate.hpp"

#include <cmath>

#include "bellwether/algorithms/ring/ring_orders_test.hpp"
#include "bellwether/algorithms/ring/two_way_ring_test.hpp"

namespace bellwether::algorithms {
namespace {

using namespace two_way;
using Leader = Alternate::Leader;
using Message = Alternate::Message;
using Hand = ByHand<Alternate>;

std::vector<NodeId> worst_order(NodeIndex n) {
  return ring_orders::alternate_worst(n, Alternate::phase_bound(n));
}

TEST(Alternate, BidsGoOneWayAndThenTheOther) {
  Hand hand(ids_of({8, 9}));
  Alternate node(NodeId{5}, {});
  node.start(hand.next());
  ASSERT_EQ(hand.step.sends().size(), 1u);
  EXPECT_EQ(hand.step.sends()[0].port, Port{0});
  EXPECT_EQ(hand.step.sends()[0].message, Message(Bid{NodeId{5}}));
  EXPECT_EQ(core::text_of(node),
            "alternate(id=5 standing=active initiator=true clockwise=true early=none leader=none)");
  for (const std::uint32_t from : {1u, 0u, 1u, 0u}) {
    node.receive(hand.next(), Port{from}, Bid{NodeId{4}});
    ASSERT_EQ(hand.step.sends().size(), 1u);
    EXPECT_EQ(hand.step.sends()[0].port, Port{from});  // its bid and the next go opposite ways
    EXPECT_EQ(hand.step.sends()[0].message, Message(Bid{NodeId{5}}));
  }
}

TEST(Alternate, ABetterBidIsTheEnd) {
  Hand hand(ids_of({8, 9}));
  Alternate node(NodeId{5}, {});
  node.start(hand.next());
  node.receive(hand.next(), Port{1}, Bid{NodeId{6}});
  EXPECT_TRUE(hand.step.sends().empty());
  EXPECT_EQ(node.ring_state(), RingState::passive);
  for (const std::uint32_t from : {0u, 1u}) {
    node.receive(hand.next(), Port{from}, Bid{NodeId{3}});
    ASSERT_EQ(hand.step.sends().size(), 1u);
    EXPECT_EQ(hand.step.sends()[0].port, Port{1 - from});
  }
}

TEST(Alternate, AnEarlyBidCountsInTheNextPhase) {
  for (const std::uint64_t early : {4u, 7u}) {
    Hand hand(ids_of({8, 9}));
    Alternate node(NodeId{5}, {});
    node.start(hand.next());
    node.receive(hand.next(), Port{0}, Bid{NodeId{early}});  // counter-clockwise: the second phase
    EXPECT_TRUE(hand.step.sends().empty());
    EXPECT_EQ(node.ring_state(), RingState::active);
    node.receive(hand.next(), Port{1}, Bid{NodeId{3}});
    ASSERT_EQ(hand.step.sends().size(), early == 4 ? 2u : 1u);
    EXPECT_EQ(hand.step.sends()[0].port, Port{1});
    EXPECT_EQ(hand.step.sends().back().port, early == 4 ? Port{0} : Port{1});
    EXPECT_EQ(node.ring_state(), early == 4 ? RingState::active : RingState::passive);
  }
}

TEST(Alternate, WhoLosesPassesTheEarlyBidOn) {
  Hand hand(ids_of({8, 9}));
  Alternate node(NodeId{5}, {});
  node.start(hand.next());
  node.receive(hand.next(), Port{0}, Bid{NodeId{7}});
  node.receive(hand.next(), Port{1}, Bid{NodeId{6}});
  ASSERT_EQ(hand.step.sends().size(), 1u);
  EXPECT_EQ(hand.step.sends()[0].port, Port{1});
  EXPECT_EQ(hand.step.sends()[0].message, Message(Bid{NodeId{7}}));
  EXPECT_EQ(node.ring_state(), RingState::passive);
}

TEST(Alternate, ItsOwnBidMakesTheLeader) {
  expect_own_bid_makes_the_leader<Alternate>();
}

TEST(Alternate, ARelayNeverInitiates) {
  expect_a_relay_never_initiates<Alternate>();
}

TEST(Alternate, TheSmallestWinsWhenAskedTo) {
  Hand hand(ids_of({8, 9}));
  Alternate node(NodeId{5}, {.extremum = Extremum::min});
  node.start(hand.next());
  node.receive(hand.next(), Port{1}, Bid{NodeId{6}});
  EXPECT_EQ(node.ring_state(), RingState::active);
  node.receive(hand.next(), Port{0}, Bid{NodeId{4}});
  EXPECT_EQ(node.ring_state(), RingState::passive);
}

TEST(Alternate, NewsGoRound) {
  expect_news_go_round<Alternate>();
}

TEST(Alternate, ARingOfOneLeadsAtOnce) {
  expect_alone_leads_at_once<Alternate>();
}

TEST(Alternate, PhasesGrowAsFibonacciNumbers) {
  const std::vector<std::uint64_t> fibonacci{1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144};
  for (std::uint64_t p = 1; p < fibonacci.size(); ++p) {
    EXPECT_EQ(Alternate::phase_bound(fibonacci[p - 1]), p);
    EXPECT_EQ(Alternate::phase_bound(fibonacci[p] - 1), p);
  }
  for (std::uint64_t n = 3; n <= 5000; ++n) {
    const double most = 1.4405 * static_cast<double>(n) * std::log2(n) + static_cast<double>(n);
    EXPECT_LE(static_cast<double>(Alternate::message_bound(n, quiet)), most);
    EXPECT_EQ(Alternate::message_bound(n, {}), Alternate::message_bound(n, quiet) + n);
  }
}

TEST(Alternate, CountsOfAllOrders) {
  for (NodeIndex n = 3; n <= 9; ++n) {
    std::uint64_t most = 0, least = n;
    for_each_order(n, [&](const std::vector<NodeId>& ids) {
      const std::uint64_t expected = ring_orders::alternate_phases(ids);
      if (n < 8) {
        ASSERT_EQ(cost<Alternate>(ids, quiet, wild), n * expected);
      }
      most = std::max(most, expected);
      least = std::min(least, expected);
    });
    EXPECT_EQ(most, Alternate::phase_bound(n));
    EXPECT_EQ(least, 2u);
  }
}

TEST(Alternate, WorstAndBestOrders) {
  for (NodeIndex n = 3; n <= 100; ++n) {
    EXPECT_EQ(cost<Alternate>(worst_order(n), {}), Alternate::message_bound(n, {})) << n;
    EXPECT_EQ(cost<Alternate>(worst_order(n), quiet, {.max = Duration{50}, .fifo = false}),
              Alternate::message_bound(n, quiet));
    EXPECT_EQ(cost<Alternate>(counting(n, false), quiet, wild), 2 * n);
    EXPECT_EQ(cost<Alternate>(counting(n, true), quiet, wild), 3 * n);
    EXPECT_EQ(cost<Alternate>(counting(n, false), {}), 3 * n);
  }
}

TEST(Alternate, OneInitiatorBidsOnce) {
  for (NodeIndex n = 3; n < 12; ++n) {
    HandDriver<Alternate> driver(counting(n, true), {});
    driver.make_two_way_ring();
    driver.start(0);  // the worst id of all, and the only initiator
    driver.run();
    EXPECT_EQ(driver.sent(), 2 * n);
    EXPECT_EQ(driver.leaders_named(NodeId{1}), n);
  }
}

TEST(Alternate, TimeIsAtMostTheRingInEachPhase) {
  core::Prng prng(7);
  for (int i = 0; i < 400; ++i) {
    const auto n = static_cast<NodeIndex>(3 + prng.below(40));
    const auto ids = i % 4 == 0 ? worst_order(n) : shuffled_ids(n, prng);
    HandDriver<Alternate> driver(ids, quiet);
    driver.make_two_way_ring();
    driver.start_all();
    driver.run();
    EXPECT_LE(driver.now(), Time{static_cast<int>(n * ring_orders::alternate_phases(ids))});
    EXPECT_GE(driver.now(), Time{static_cast<int>(n)});
  }
}

TEST(Alternate, AnyInitiatorsAnyDelays) {
  expect_best_initiator_wins<Alternate>({});
  expect_best_initiator_wins<Alternate>(wild);
  expect_best_initiator_wins<Alternate>({.max = Duration{50}, .fifo = false});
}

TEST(Alternate, TheRunInTheDocumentation) {
  EXPECT_EQ(ring_orders::alternate_phases(ids_of({3, 1, 4, 2})), 3u);
  EXPECT_EQ(cost<Alternate>(ids_of({3, 1, 4, 2})), 12u);
  EXPECT_EQ(cost<Alternate>(ids_of({3, 1, 4, 2}), {}), 16u);
}

TEST(Alternate, Codec) {
  expect_round_trips<Alternate>({Bid{NodeId{5}}, Leader{NodeId{7}}});
}

}  // namespace
}  // namespace bellwether::algorithms
