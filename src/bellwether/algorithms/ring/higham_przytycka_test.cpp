// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/ring/higham_przytycka.hpp"

#include <gtest/gtest.h>

#include "bellwether/algorithms/ring/one_way_ring_test.hpp"
#include "bellwether/core/codec.hpp"
#include "bellwether/core/print.hpp"

namespace bellwether::algorithms {
namespace {

using Best = HighamPrzytycka::Best;
using Envelope = HighamPrzytycka::Envelope;
using Leader = HighamPrzytycka::Leader;
using Message = HighamPrzytycka::Message;
using Sent = std::vector<Message>;
using Node = OneNode<HighamPrzytycka>;

Envelope envelope(std::uint64_t label, std::uint8_t round, std::uint32_t counter) {
  return {NodeId{label}, counter, round};
}

TEST(HighamPrzytycka, AnOddRoundKeepsTheSmaller) {
  Node five(5);
  EXPECT_EQ(five.sent(), Sent{envelope(5, 1, 1)});  // F(3) = 2 links, this one included
  EXPECT_EQ(five.receive(envelope(6, 1, 1)), Sent{});
  EXPECT_EQ(core::text_of(five.node),
            "higham-przytycka(id=5 initiator=true label=5 round=1 head=false leader=none)");
  EXPECT_EQ(five.receive(envelope(4, 1, 1)), Sent{envelope(4, 2, 0)});
  EXPECT_EQ(core::text_of(five.node),
            "higham-przytycka(id=5 initiator=true label=4 round=2 head=false leader=none)");
}

TEST(HighamPrzytycka, AnEvenRoundKeepsTheLarger) {
  Node five(5);
  five.receive(envelope(4, 1, 1));
  EXPECT_EQ(five.receive(envelope(3, 2, 0)), Sent{});
}

TEST(HighamPrzytycka, AWitnessPromotesInEvenRounds) {
  Node five(5);  // has sent 5 in round 1: a larger label would beat what became of it
  EXPECT_EQ(five.receive(envelope(7, 2, 0)), Sent{envelope(7, 3, 4)});  // F(5) = 5
  Node other(5);
  EXPECT_EQ(other.receive(envelope(3, 2, 0)), Sent{envelope(3, 2, 0)});  // no witness
  EXPECT_EQ(other.receive(envelope(7, 4, 0)), Sent{envelope(7, 4, 0)});  // not of round 3
}

TEST(HighamPrzytycka, ADistancePromotesInOddRounds) {
  Node five(5);
  EXPECT_EQ(five.receive(envelope(7, 3, 2)), Sent{envelope(7, 3, 1)});
  Node other(5);
  EXPECT_EQ(other.receive(envelope(7, 3, 0)), Sent{envelope(7, 4, 0)});
  Node rival(5);
  EXPECT_EQ(rival.receive(envelope(7, 1, 0)), Sent{});  // the rival comes first
}

TEST(HighamPrzytycka, WhoMeetsWhatItSentCollectsTheBest) {
  Node five(5);
  EXPECT_EQ(five.receive(envelope(5, 1, 0)), Sent{Best{NodeId{5}}});
  EXPECT_EQ(five.receive(Best{NodeId{9}}), Sent{Leader{NodeId{9}}});
  EXPECT_EQ(five.node.leader(), NodeId{9});
  EXPECT_EQ(five.receive(Leader{NodeId{9}}), Sent{});

  Node other(5);
  EXPECT_EQ(other.receive(Best{NodeId{3}}), Sent{Best{NodeId{5}}});
  EXPECT_EQ(other.receive(Best{NodeId{6}}), Sent{Best{NodeId{6}}});
  EXPECT_EQ(other.receive(Leader{NodeId{5}}), Sent{Leader{NodeId{5}}});
  EXPECT_EQ(other.node.leader(), NodeId{5});
}

TEST(HighamPrzytycka, WithoutAnnouncementOnlyTheWinnerKnows) {
  Node five(5, {.announce = false});
  EXPECT_EQ(five.receive(Leader{NodeId{6}}), Sent{Leader{NodeId{6}}});
  EXPECT_EQ(five.node.leader(), std::nullopt);
  EXPECT_EQ(five.receive(Leader{NodeId{5}}), Sent{});
  EXPECT_EQ(five.node.leader(), NodeId{5});

  Node head(5, {.announce = false});
  head.receive(envelope(5, 1, 0));
  EXPECT_EQ(head.receive(Best{NodeId{5}}), Sent{});
  EXPECT_EQ(head.node.leader(), NodeId{5});
}

TEST(HighamPrzytycka, WhoIsReachedFirstStaysOut) {
  ByHand<HighamPrzytycka> hand(ids_of({8}));
  HighamPrzytycka node(NodeId{5}, {});
  node.receive(hand.next(), Port{1}, envelope(7, 1, 1));  // there is nothing to compare it with
  EXPECT_EQ(hand.step.sends().at(0).message, Message(envelope(7, 1, 0)));
  node.start(hand.next());
  EXPECT_TRUE(hand.step.sends().empty());
  EXPECT_FALSE(node.initiator());
  node.receive(hand.next(), Port{1}, Best{NodeId{3}});  // nor does it compete
  EXPECT_EQ(hand.step.sends().at(0).message, Message(Best{NodeId{3}}));
  node.receive(hand.next(), Port{1}, envelope(7, 1, 0));  // but it can be found
  EXPECT_EQ(hand.step.sends().at(0).message, Message(Best{NodeId{7}}));
}

TEST(HighamPrzytycka, ARingOfOneLeadsAtOnce) {
  HandDriver<HighamPrzytycka> driver(ids_of({5}), {});
  driver.start(0);
  driver.run();
  EXPECT_EQ(driver.node(0).leader(), NodeId{5});
  EXPECT_EQ(driver.sent(), 0u);
}

TEST(HighamPrzytycka, EverySmallRing) {
  expect_every_small_ring<HighamPrzytycka>({}, 7, 5);
  expect_every_small_ring<HighamPrzytycka>({.extremum = Extremum::min}, 5, 4);
}

TEST(HighamPrzytycka, AnyInitiators) {
  expect_any_initiators<HighamPrzytycka>(1500, [](std::uint64_t seed) {
    return HighamPrzytycka::Options{seed % 2 == 0 ? Extremum::max : Extremum::min, seed % 3 != 0};
  });
}

TEST(HighamPrzytycka, ChannelsMustKeepTheirOrder) {
  EXPECT_TRUE(breaks_without_fifo<HighamPrzytycka>({}));
  EXPECT_FALSE(HighamPrzytycka::facts.model.tolerates_reordering);
}

TEST(HighamPrzytycka, ExactCostsOfSmallRings) {
  const std::vector<std::size_t> most{0, 0, 8, 14, 19, 28, 34, 40};
  for (NodeIndex n = 2; n <= 7; ++n) {
    const Extremes found = extremes<HighamPrzytycka>(n, {});
    EXPECT_EQ(found.least, 4 * n);
    EXPECT_EQ(found.most, most[n]);
    EXPECT_LT(found.longest, 5 * n);
  }
  EXPECT_EQ(spent<HighamPrzytycka>(ids_of({1, 2, 3, 4, 6, 7, 5, 8, 9}), {}).messages, 57u);
  EXPECT_EQ(HighamPrzytycka::message_bound(9, {}), 58u);
  for (NodeIndex n = 2; n <= 30; ++n)
    EXPECT_EQ(spent<HighamPrzytycka>(falling_order(n), {}).messages, 4 * n);
}

TEST(HighamPrzytycka, OneInitiatorCostsThreeRounds) {
  for (NodeIndex n = 3; n < 12; ++n) {
    core::Prng prng(n);  // two links to round 2, which ends where it began; then best and leader
    EXPECT_EQ(spent<HighamPrzytycka>(shuffled_ids(n, prng), {}, 1).messages, 3 * n + 2);
  }
}

TEST(HighamPrzytycka, TheRunInTheDocumentation) {
  EXPECT_EQ(spent<HighamPrzytycka>(ids_of({3, 1, 4, 2}), {}).messages, 19u);
}

TEST(HighamPrzytycka, Bounds) {
  EXPECT_EQ(HighamPrzytycka::envelope_bound(1), 1u);
  EXPECT_EQ(HighamPrzytycka::envelope_bound(3), 8u);   // 3 + (6 - 1), and 8 is reached
  EXPECT_EQ(HighamPrzytycka::envelope_bound(8), 36u);  // 8 + (16 - 2) + (16 - 2)
  EXPECT_EQ(HighamPrzytycka::message_bound(8, {}), 52u);
}

TEST(HighamPrzytycka, MessagesRoundTrip) {
  for (const Message& message :
       {Message(envelope(77, 3, 8)), Message(Best{NodeId{300}}), Message(Leader{NodeId{3}})})
    EXPECT_EQ(core::decode<Message>(core::encode(message)), message);
}

}  // namespace
}  // namespace bellwether::algorithms
