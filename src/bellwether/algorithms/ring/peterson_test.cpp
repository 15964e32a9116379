// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/ring/peterson.hpp"

#include <gtest/gtest.h>

#include "bellwether/algorithms/ring/one_way_ring_test.hpp"
#include "bellwether/core/codec.hpp"
#include "bellwether/core/print.hpp"

namespace bellwether::algorithms {
namespace {

using State = Peterson::State;
using Tid = Peterson::Tid;
using Leader = Peterson::Leader;
using Message = Peterson::Message;
constexpr Peterson::Options quiet{.announce = false};

using Sent = std::vector<Message>;

TEST(Peterson, AnOddPhaseKeepsWhoIsBetter) {
  OneNode<Peterson> five(5);
  EXPECT_EQ(five.sent(), Sent{Tid{NodeId{5}}});
  EXPECT_EQ(core::text_of(five.node),
            "peterson(id=5 state=active initiator=true outdone=false tid=5 phase=odd leader=none)");
  EXPECT_EQ(five.receive(Tid{NodeId{3}}), Sent{Tid{NodeId{5}}});  // the even phase begins
  EXPECT_EQ(five.node.state(), State::active);

  OneNode<Peterson> other(5);
  EXPECT_EQ(other.receive(Tid{NodeId{6}}), Sent{});
  EXPECT_EQ(other.node.state(), State::relay);
  EXPECT_EQ(other.receive(Tid{NodeId{3}}), Sent{Tid{NodeId{3}}});  // a relay passes everything on
}

TEST(Peterson, AnEvenPhaseKeepsWhoAdoptsABetterId) {
  OneNode<Peterson> five(5);
  five.receive(Tid{NodeId{3}});
  EXPECT_EQ(five.receive(Tid{NodeId{9}}), Sent{Tid{NodeId{9}}});  // an odd phase again
  EXPECT_EQ(core::text_of(five.node),
            "peterson(id=5 state=active initiator=true outdone=true tid=9 phase=odd leader=none)");
  EXPECT_EQ(five.receive(Tid{NodeId{7}}), Sent{Tid{NodeId{9}}});

  OneNode<Peterson> other(5);
  other.receive(Tid{NodeId{3}});
  EXPECT_EQ(other.receive(Tid{NodeId{4}}), Sent{});
  EXPECT_EQ(other.node.state(), State::relay);
}

TEST(Peterson, ItsOwnIdMakesTheLeader) {
  OneNode<Peterson> five(5);
  five.receive(Tid{NodeId{3}});
  five.receive(Tid{NodeId{4}});  // a relay, that has seen nothing better
  EXPECT_EQ(five.receive(Tid{NodeId{5}}), Sent{Leader{NodeId{5}}});
  EXPECT_EQ(five.node.leader(), NodeId{5});
  EXPECT_EQ(five.receive(Leader{NodeId{5}}), Sent{});
  EXPECT_EQ(five.receive(Tid{NodeId{5}}), Sent{});
}

TEST(Peterson, ItsOwnIdIsNotEnoughBehindABetterOne) {
  OneNode<Peterson> five(5);
  five.receive(Tid{NodeId{3}});
  five.receive(Tid{NodeId{9}});
  EXPECT_EQ(five.receive(Tid{NodeId{5}}), Sent{Tid{NodeId{9}}});  // 5 is beaten like any other
  EXPECT_EQ(five.node.leader(), std::nullopt);

  // In this ring 4 returns to its owner, which has 5 by then.
  EXPECT_EQ(spent<Peterson>(ids_of({1, 2, 5, 3, 4}), {}).messages, 23u);
}

TEST(Peterson, WhoIsReachedFirstStaysARelay) {
  ByHand<Peterson> hand(ids_of({8}));
  Peterson node(NodeId{5}, {});
  node.receive(hand.next(), Port{1}, Tid{NodeId{3}});
  EXPECT_EQ(hand.step.sends().size(), 1u);
  node.start(hand.next());
  EXPECT_TRUE(hand.step.sends().empty());
  EXPECT_EQ(node.state(), State::relay);
  EXPECT_FALSE(node.initiator());
}

TEST(Peterson, ARingOfOneLeadsAtOnce) {
  HandDriver<Peterson> driver(ids_of({5}), {});
  driver.start(0);
  driver.run();
  EXPECT_EQ(driver.node(0).leader(), NodeId{5});
  EXPECT_EQ(driver.sent(), 0u);
}

TEST(Peterson, EverySmallRing) {
  expect_every_small_ring<Peterson>({}, 7, 5);
  expect_every_small_ring<Peterson>({.extremum = Extremum::min}, 5, 4);
}

TEST(Peterson, AnyInitiators) {
  expect_any_initiators<Peterson>(1500, [](std::uint64_t seed) {
    return Peterson::Options{seed % 2 == 0 ? Extremum::max : Extremum::min, seed % 3 != 0};
  });
}

TEST(Peterson, ChannelsMustKeepTheirOrder) {
  EXPECT_TRUE(breaks_without_fifo<Peterson>({}));
  EXPECT_FALSE(Peterson::facts.model.tolerates_reordering);
}

TEST(Peterson, TheBadOrderTakesEveryPhase) {
  for (unsigned k = 1; k <= 11; ++k) {
    const auto ids = fibonacci_order(k);
    const std::uint64_t n = ids.size();
    EXPECT_EQ(n, fibonacci(k + 2));
    EXPECT_EQ(Peterson::most_phases(n), k);
    const std::size_t messages = spent<Peterson>(ids, quiet).messages;
    EXPECT_GT(messages, k * n);  // k phases, and then the best id returns to its owner
    EXPECT_LE(messages, Peterson::message_bound(n, quiet));
  }
}

TEST(Peterson, TheBestOrderTakesTwoPhases) {
  // Only the best has a worse left neighbour: it is alone in the second phase.
  for (NodeIndex n = 2; n <= 30; ++n)
    EXPECT_EQ(spent<Peterson>(falling_order(n), quiet).messages, 2 * n);
}

TEST(Peterson, ExactCostsOfSmallRings) {
  const std::vector<std::size_t> most{0, 0, 4, 7, 10, 18, 22, 26};
  const std::vector<std::int64_t> longest{0, 0, 3, 4, 5, 9, 11, 13};  // 2n - 1 from 5 on
  for (NodeIndex n = 2; n <= 7; ++n) {
    const Extremes found = extremes<Peterson>(n, quiet);
    EXPECT_EQ(found.least, 2 * n);
    EXPECT_EQ(found.most, most[n]);
    EXPECT_EQ(found.longest, longest[n]);
  }
}

TEST(Peterson, OneInitiatorCostsOneRound) {
  for (NodeIndex n = 2; n < 12; ++n) {
    core::Prng prng(n);
    EXPECT_EQ(spent<Peterson>(shuffled_ids(n, prng), {}, 1).messages, 2 * n);
  }
}

TEST(Peterson, Bounds) {
  EXPECT_EQ(fibonacci(0), 0u);
  EXPECT_EQ(fibonacci(1), 1u);
  EXPECT_EQ(fibonacci(2), 1u);
  EXPECT_EQ(fibonacci(10), 55u);
  EXPECT_EQ(fibonacci(47), 2'971'215'073u);
  EXPECT_EQ(fibonacci(1000), fibonacci(47));
  EXPECT_EQ(Peterson::most_phases(1), 0u);
  EXPECT_EQ(Peterson::most_phases(2), 1u);
  EXPECT_EQ(Peterson::most_phases(7), 3u);
  EXPECT_EQ(Peterson::most_phases(8), 4u);
  EXPECT_EQ(Peterson::message_bound(8, quiet), 40u);
  EXPECT_EQ(Peterson::message_bound(8, {}), 48u);
}

TEST(Peterson, MessagesRoundTrip) {
  for (const Message& message : {Message(Tid{NodeId{77}}), Message(Leader{NodeId{3}})})
    EXPECT_EQ(core::decode<Message>(core::encode(message)), message);
}

}  // namespace
}  // namespace bellwether::algorithms
