// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/ring/dolev_klawe_rodeh.hpp"

#include <gtest/gtest.h>

#include "bellwether/algorithms/ring/one_way_ring_test.hpp"
#include "bellwether/core/codec.hpp"
#include "bellwether/core/print.hpp"

namespace bellwether::algorithms {
namespace {

using Variant = DolevKlaweRodeh::Variant;
using State = DolevKlaweRodeh::State;
using M1 = DolevKlaweRodeh::M1;
using M2 = DolevKlaweRodeh::M2;
using Leader = DolevKlaweRodeh::Leader;
using Message = DolevKlaweRodeh::Message;
using Sent = std::vector<Message>;
using Node = OneNode<DolevKlaweRodeh>;
constexpr DolevKlaweRodeh::Options simple{.algorithm = Variant::a};
constexpr DolevKlaweRodeh::Options quiet_a{.announce = false, .algorithm = Variant::a};
constexpr DolevKlaweRodeh::Options quiet_b{.announce = false};

M1 m1(std::uint64_t id, std::uint8_t phase, std::uint32_t counter) {
  return {NodeId{id}, counter, phase};
}
M2 m2(std::uint64_t id) {
  return {NodeId{id}};
}

TEST(DolevKlaweRodehB, AnActiveNodeThatIsBeatenWaits) {
  Node five(5);
  EXPECT_EQ(five.sent(), Sent{m1(5, 0, 1)});
  EXPECT_EQ(five.receive(m1(7, 0, 1)), Sent{});
  EXPECT_EQ(core::text_of(five.node),
            "dolev-klawe-rodeh(id=5 state=waiting initiator=true max=7 left=none phase=0 "
            "leader=none)");
  EXPECT_EQ(five.receive(m2(7)), Sent{m1(7, 1, 2)});  // the owner of 7 is not beaten, either
  EXPECT_EQ(five.node.state(), State::active);
  EXPECT_EQ(five.receive(m1(9, 1, 2)), Sent{});
  EXPECT_EQ(five.receive(m2(9)), Sent{m1(9, 2, 4)});
}

TEST(DolevKlaweRodehB, AnActiveNodeThatIsNotBeatenTellsWhoWaits) {
  Node five(5);
  EXPECT_EQ(five.receive(m1(3, 0, 1)), Sent{m2(5)});
  EXPECT_EQ(five.node.state(), State::passive);
}

TEST(DolevKlaweRodehB, WhoWaitsInVainIsPassive) {
  Node five(5);
  five.receive(m1(7, 0, 1));
  EXPECT_EQ(five.receive(m1(6, 1, 2)), Sent{m1(6, 1, 0)});  // worse than 7: no node waits for it
  EXPECT_EQ(five.node.state(), State::passive);
}

TEST(DolevKlaweRodehB, APassiveNodeCountsAndTakesOver) {
  Node five(5);
  five.receive(m1(3, 0, 1));
  EXPECT_EQ(five.receive(m1(8, 1, 2)), Sent{m1(8, 1, 1)});
  EXPECT_EQ(five.node.state(), State::passive);
  EXPECT_EQ(five.receive(m2(7)), Sent{});       // it cannot win: 8 has come past
  EXPECT_EQ(five.receive(m2(8)), Sent{m2(8)});  // the one who waits is further on
  EXPECT_EQ(five.receive(m1(9, 2, 1)), Sent{m1(9, 2, 0)});
  EXPECT_EQ(five.node.state(), State::waiting);  // this is where the counter ends
  EXPECT_EQ(five.node.phase(), 2u);
  EXPECT_EQ(five.receive(m2(9)), Sent{m1(9, 3, 8)});
}

TEST(DolevKlaweRodehB, ACounterOfZeroLeavesNoTrace) {
  Node five(5);
  five.receive(m1(3, 0, 1));
  EXPECT_EQ(five.receive(m1(8, 1, 0)), Sent{m1(8, 1, 0)});
  EXPECT_EQ(five.receive(m2(6)), Sent{m2(6)});  // max is still 5
}

TEST(DolevKlaweRodehA, ComparesThree) {
  Node five(5, simple);
  EXPECT_EQ(five.receive(m1(7, 0, 1)), Sent{m2(7)});
  EXPECT_EQ(core::text_of(five.node),
            "dolev-klawe-rodeh(id=5 state=waiting initiator=true max=5 left=7 phase=0 "
            "leader=none)");
  EXPECT_EQ(five.receive(m2(6)), Sent{m1(7, 0, 1)});  // 7 beats 6 and 5
  EXPECT_EQ(five.node.state(), State::active);
  five.receive(m1(9, 0, 1));
  EXPECT_EQ(five.receive(m2(10)), Sent{});  // 9 does not beat 10
  EXPECT_EQ(five.node.state(), State::passive);
  EXPECT_EQ(five.receive(m1(2, 0, 1)), Sent{m1(2, 0, 1)});
  EXPECT_EQ(five.receive(m2(2)), Sent{m2(2)});

  Node other(5, simple);
  other.receive(m1(3, 0, 1));
  EXPECT_EQ(other.receive(m2(1)), Sent{});  // 3 does not beat 5
  EXPECT_EQ(other.node.state(), State::passive);
}

TEST(DolevKlaweRodeh, ItsOwnIdInM1MakesTheLeader) {
  for (const auto& options : {DolevKlaweRodeh::Options{}, simple}) {
    Node five(5, options);
    five.receive(m1(3, 0, 1));
    five.receive(m2(2));
    EXPECT_EQ(five.receive(m1(5, 1, 2)), Sent{Leader{NodeId{5}}});
    EXPECT_EQ(five.node.leader(), NodeId{5});
    EXPECT_EQ(five.receive(Leader{NodeId{5}}), Sent{});
    EXPECT_EQ(five.receive(m1(5, 1, 2)), Sent{});
    EXPECT_EQ(five.receive(m2(9)), Sent{});
  }
  // Of two, each sees its own id in M2: it proves nothing.
  EXPECT_EQ(spent<DolevKlaweRodeh>(ids_of({1, 2}), quiet_a).messages, 5u);
}

TEST(DolevKlaweRodeh, WhoIsReachedFirstStaysPassive) {
  ByHand<DolevKlaweRodeh> hand(ids_of({8}));
  DolevKlaweRodeh node(NodeId{5}, {});
  node.receive(hand.next(), Port{1}, m1(3, 0, 2));  // 3 is worse than 5, but 5 does not compete
  EXPECT_EQ(hand.step.sends().at(0).message, Message(m1(3, 0, 1)));
  node.receive(hand.next(), Port{1}, m2(3));
  EXPECT_EQ(hand.step.sends().at(0).message, Message(m2(3)));
  node.start(hand.next());
  EXPECT_TRUE(hand.step.sends().empty());
  EXPECT_EQ(node.state(), State::passive);
  EXPECT_FALSE(node.initiator());
}

TEST(DolevKlaweRodeh, ARingOfOneLeadsAtOnce) {
  HandDriver<DolevKlaweRodeh> driver(ids_of({5}), {});
  driver.start(0);
  driver.run();
  EXPECT_EQ(driver.node(0).leader(), NodeId{5});
  EXPECT_EQ(driver.sent(), 0u);
}

TEST(DolevKlaweRodeh, EverySmallRing) {
  expect_every_small_ring<DolevKlaweRodeh>({}, 7, 5);
  expect_every_small_ring<DolevKlaweRodeh>(simple, 7, 5);
  expect_every_small_ring<DolevKlaweRodeh>({.extremum = Extremum::min}, 5, 4);
}

TEST(DolevKlaweRodeh, AnyInitiators) {
  expect_any_initiators<DolevKlaweRodeh>(2000, [](std::uint64_t seed) {
    return DolevKlaweRodeh::Options{seed % 2 == 0 ? Extremum::max : Extremum::min, seed % 3 != 0,
                                    seed % 5 == 0 ? Variant::a : Variant::b};
  });
}

TEST(DolevKlaweRodeh, ChannelsMustKeepTheirOrder) {
  EXPECT_TRUE(breaks_without_fifo<DolevKlaweRodeh>({}));
  EXPECT_TRUE(breaks_without_fifo<DolevKlaweRodeh>(simple));
  EXPECT_FALSE(DolevKlaweRodeh::facts.model.tolerates_reordering);
}

TEST(DolevKlaweRodeh, TheBadOrderReachesBothConstants) {
  for (unsigned k = 2; k <= 9; ++k) {
    const auto ids = bit_reversed_order(k);
    const std::size_t n = ids.size();
    EXPECT_EQ(n, std::size_t{1} << k);
    EXPECT_EQ(spent<DolevKlaweRodeh>(ids, quiet_a).messages, 2 * n * k + 1);
    EXPECT_EQ(spent<DolevKlaweRodeh>(ids, quiet_b).messages, 3 * n * k / 2 + 1);
  }
}

TEST(DolevKlaweRodeh, PhasesAreLogarithmic) {
  core::Prng prng(7);
  for (unsigned k = 1; k <= 9; ++k)
    for (const bool bad : {true, false}) {
      const auto n = NodeIndex{1} << k;
      HandDriver<DolevKlaweRodeh> driver(bad ? bit_reversed_order(k) : shuffled_ids(n, prng), {});
      driver.make_ring();
      driver.start_all();
      driver.run();
      unsigned last = 0;  // phases count from 0
      for (NodeIndex i = 0; i < n; ++i) last = std::max(last, driver.node(i).phase());
      EXPECT_LE(last + 1, k + 1);
      EXPECT_TRUE(!bad || last == k) << k;
    }
}

TEST(DolevKlaweRodeh, TheBestOrderTakesOnePhase) {
  for (NodeIndex n = 2; n <= 30; ++n) {
    // One local maximum. In A every node asks both, and the best has n - 1 links to its owner. In B
    // all but the best wait for an M2 that never comes, and the one who took it over is next to it.
    EXPECT_EQ(spent<DolevKlaweRodeh>(falling_order(n), quiet_a).messages, 3 * n - 1);
    EXPECT_EQ(spent<DolevKlaweRodeh>(falling_order(n), quiet_b).messages, 2 * n);
  }
}

TEST(DolevKlaweRodeh, ExactCostsOfSmallRings) {
  const std::vector<std::size_t> most_a{0, 0, 5, 8, 17, 22, 27, 32};
  const std::vector<std::size_t> most_b{0, 0, 4, 7, 13, 17, 21, 26};
  const std::vector<std::int64_t> longest{0, 0, 3, 4, 7, 9, 11, 13};  // 2n - 1 from 4 on
  for (NodeIndex n = 2; n <= 7; ++n) {
    const Extremes a = extremes<DolevKlaweRodeh>(n, quiet_a);
    EXPECT_EQ(a.least, 3 * n - 1);
    EXPECT_EQ(a.most, most_a[n]);
    EXPECT_EQ(a.longest, longest[n]);
    const Extremes b = extremes<DolevKlaweRodeh>(n, quiet_b);
    EXPECT_EQ(b.least, 2 * n);
    EXPECT_EQ(b.most, most_b[n]);
    EXPECT_EQ(b.longest, longest[n]);
  }
}

TEST(DolevKlaweRodeh, OneInitiatorCostsOneRound) {
  for (NodeIndex n = 2; n < 12; ++n) {
    core::Prng prng(n);
    EXPECT_EQ(spent<DolevKlaweRodeh>(shuffled_ids(n, prng), {}, 1).messages, 2 * n);
    EXPECT_EQ(spent<DolevKlaweRodeh>(shuffled_ids(n, prng), simple, 1).messages, 2 * n);
  }
}

TEST(DolevKlaweRodeh, TheRunInTheDocumentation) {
  EXPECT_EQ(spent<DolevKlaweRodeh>(ids_of({3, 1, 4, 2}), quiet_b).messages, 13u);
  EXPECT_EQ(spent<DolevKlaweRodeh>(ids_of({3, 1, 4, 2}), {}).messages, 17u);
  EXPECT_EQ(spent<DolevKlaweRodeh>(ids_of({3, 1, 4, 2}), quiet_a).messages, 17u);
}

TEST(DolevKlaweRodeh, Bounds) {
  EXPECT_EQ(DolevKlaweRodeh::message_bound(8, quiet_a), 56u);  // 2 * 8 * 3 + 8
  EXPECT_EQ(DolevKlaweRodeh::message_bound(9, quiet_a), 63u);
  EXPECT_EQ(DolevKlaweRodeh::message_bound(8, quiet_b), 57u);  // 1.5 * 8 * 3 + 21.3
  EXPECT_EQ(DolevKlaweRodeh::message_bound(8, {}), 65u);
}

TEST(DolevKlaweRodeh, MessagesRoundTrip) {
  for (const Message& message :
       {Message(m1(77, 3, 8)), Message(m2(300)), Message(Leader{NodeId{3}})})
    EXPECT_EQ(core::decode<Message>(core::encode(message)), message);
}

}  // namespace
}  // namespace bellwether::algorithms
