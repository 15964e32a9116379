// SPDX-License-Identifier: MIT
// What the unit tests of elections on two-way rings share.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "bellwether/algorithms/hand_driver_test.hpp"
#include "bellwether/algorithms/ring/two_way_ring.hpp"
#include "bellwether/core/codec.hpp"
#include "bellwether/core/digest.hpp"
#include "bellwether/core/print.hpp"

namespace bellwether::algorithms::two_way {

inline constexpr RingOptions quiet{.announce = false};
inline constexpr Travel wild{.min = Duration{1}, .max = Duration{50}};

/// Ids 1..n clockwise, or n..1.
inline std::vector<NodeId> counting(NodeIndex n, bool up) {
  std::vector<std::uint64_t> numbers(n);
  std::iota(numbers.begin(), numbers.end(), std::uint64_t{1});
  if (!up) std::reverse(numbers.begin(), numbers.end());
  return ids_of(numbers);
}

/// visit(ids) for every order of 1..n round a ring: turning the ring changes nothing, so n is
/// first.
template <class Visit>
void for_each_order(NodeIndex n, Visit&& visit) {
  std::vector<std::uint64_t> numbers(n);
  std::iota(numbers.begin() + 1, numbers.end(), std::uint64_t{1});
  numbers.front() = n;
  do visit(ids_of(numbers));
  while (std::next_permutation(numbers.begin() + 1, numbers.end()));
}

/// A ring on which a node cannot know which way is clockwise.
template <class P>
void make_unoriented_ring(HandDriver<P>& driver, core::Prng& prng) {
  std::vector<NodeIndex> links(driver.size());
  std::iota(links.begin(), links.end(), NodeIndex{0});
  core::shuffle(links, prng);
  for (const NodeIndex i : links) driver.link(i, (i + 1) % driver.size());
}

/// Messages of a run in which all start.
template <class P>
std::size_t cost(const std::vector<NodeId>& ids, RingOptions options = quiet, Travel travel = {}) {
  HandDriver<P> driver(ids, options, travel, raw(ids.front()));
  driver.make_two_way_ring();
  driver.start_all();
  driver.run();
  return driver.sent();
}

/// Any initiators, starts and delays: the best initiator wins, within the bound on messages.
template <class P>
void expect_best_initiator_wins(Travel travel) {
  core::Prng prng(3);
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const auto n = static_cast<NodeIndex>(3 + prng.below(10));
    const RingOptions options{seed % 2 == 0 ? Extremum::max : Extremum::min, seed % 3 != 0};
    HandDriver<P> driver(shuffled_ids(n, prng), options, travel, seed);
    if (P::facts.model.needs_direction || prng.chance(0.3))
      driver.make_two_way_ring();
    else
      make_unoriented_ring(driver, prng);
    for (NodeIndex i = 0; i < n; ++i)
      if (i == 0 || prng.chance(0.4)) driver.start(i, Time{static_cast<int>(prng.below(100))});
    driver.run();  // watched by the properties
    const auto best = best_initiator<P>(driver);
    ASSERT_TRUE(best.has_value());
    EXPECT_EQ(driver.leaders_named(*best), options.announce ? n : 1) << "seed " << seed;
    if (travel.duplicates > 0) continue;
    EXPECT_LE(driver.sent(), P::message_bound(n, options)) << "seed " << seed;
  }
}

template <class P>
void expect_alone_leads_at_once() {
  HandDriver<P> driver(ids_of({5}), {});
  driver.start(0);
  driver.run();
  EXPECT_EQ(driver.node(0).leader(), NodeId{5});
  EXPECT_EQ(driver.node(0).ring_state(), RingState::leader);
  EXPECT_EQ(driver.sent(), 0u);
}

/// The news of a leader: passed on the way it goes, and not by the leader.
template <class P>
void expect_news_go_round() {
  using Leader = typename P::Leader;
  for (const Port in : {Port{0}, Port{1}}) {
    ByHand<P> hand(ids_of({8, 9}));
    P node(NodeId{5}, {});
    node.receive(hand.next(), in, Leader{NodeId{9}});
    ASSERT_EQ(hand.step.sends().size(), 1u);
    EXPECT_EQ(hand.step.sends()[0].port, in == Port{0} ? Port{1} : Port{0});
    EXPECT_EQ(hand.step.sends()[0].message, typename P::Message(Leader{NodeId{9}}));
    EXPECT_EQ(node.leader(), NodeId{9});
    node.receive(hand.next(), in, Leader{NodeId{5}});
    EXPECT_TRUE(hand.step.sends().empty());
    EXPECT_EQ(node.leader(), NodeId{9});
  }
}

/// Of elections by bids: the node's own bid returns, and a second time changes nothing.
template <class P>
void expect_own_bid_makes_the_leader() {
  ByHand<P> hand(ids_of({8, 9}));
  P node(NodeId{5}, {});
  node.start(hand.next());
  node.receive(hand.next(), Port{1}, Bid{NodeId{5}});
  ASSERT_EQ(hand.step.sends().size(), 1u);
  EXPECT_EQ(hand.step.sends()[0].message, typename P::Message(typename P::Leader{NodeId{5}}));
  EXPECT_EQ(node.ring_state(), RingState::leader);
  const P before = node;
  node.receive(hand.next(), Port{0}, Bid{NodeId{5}});
  EXPECT_TRUE(hand.step.sends().empty());
  EXPECT_EQ(node, before);
}

/// A node that has forwarded a bid, even a worse one, does not compete.
template <class P>
void expect_a_relay_never_initiates() {
  ByHand<P> hand(ids_of({8, 9}));
  P node(NodeId{5}, {});
  node.receive(hand.next(), Port{1}, Bid{NodeId{3}});
  ASSERT_EQ(hand.step.sends().size(), 1u);
  EXPECT_EQ(hand.step.sends()[0].port, Port{0});
  node.start(hand.next());
  EXPECT_TRUE(hand.step.sends().empty());
  EXPECT_FALSE(node.initiator());
}

/// Messages are decoded as they were sent, and two states differ as their encodings do.
template <class P>
void expect_round_trips(std::vector<typename P::Message> messages) {
  for (const auto& message : messages) {
    const auto back = core::decode<typename P::Message>(core::encode(message));
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(*back, message);
  }
  ByHand<P> hand(ids_of({8, 9}));
  P node(NodeId{5}, {});
  const P asleep = node;
  node.start(hand.next());
  EXPECT_NE(node, asleep);
  EXPECT_NE(core::digest(node), core::digest(asleep));
}

}  // namespace bellwether::algorithms::two_way
