// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/any/bfs_tree_async.hpp"

#include <gtest/gtest.h>

#include "bellwether/algorithms/hand_driver_test.hpp"
#include "bellwether/algorithms/rounds/bfs_tree.hpp"
#include "bellwether/algorithms/rounds/random_networks_test.hpp"
#include "bellwether/core/codec.hpp"
#include "bellwether/core/print.hpp"

namespace bellwether::algorithms {
namespace {

using Invite = BfsTreeAsync::Invite;
const Arcs triangle{{0, 1}, {0, 2}, {1, 2}};

void link_all(HandDriver<BfsTreeAsync>& driver, const Arcs& links) {
  for (const auto& [a, b] : links) driver.link(a, b);
}

TEST(BfsTreeAsync, OnlyTheRootBegins) {
  ByHand<BfsTreeAsync> hand(ids_of({2, 3}));
  BfsTreeAsync node(NodeId{5}, {});
  node.start(hand.next());
  EXPECT_TRUE(hand.step.sends().empty());
  EXPECT_FALSE(node.leader());

  BfsTreeAsync root(NodeId{5}, {NodeId{5}});
  root.start(hand.next());
  ASSERT_EQ(hand.step.sends().size(), 2u);
  EXPECT_EQ(core::text_of(hand.step.sends()[0].message), "invite(root=5 level=1)");
  EXPECT_EQ(root.leader(), NodeId{5});
  const BfsTreeAsync before = root;
  root.receive(hand.next(), Port{0}, Invite{NodeId{5}, 2});
  EXPECT_TRUE(hand.step.sends().empty());
  EXPECT_EQ(root, before);
}

TEST(BfsTreeAsync, WhatComesFirstIsAccepted) {
  ByHand<BfsTreeAsync> hand(ids_of({1, 2, 3}));
  BfsTreeAsync node(NodeId{5}, {});
  node.receive(hand.next(), Port{1}, Invite{NodeId{1}, 7});
  ASSERT_EQ(hand.step.sends().size(), 2u);
  EXPECT_EQ(hand.step.sends()[0].port, Port{0});
  EXPECT_EQ(hand.step.sends()[1].port, Port{2});
  EXPECT_EQ(core::text_of(node), "bfs-tree-async(id=5 leader=1 parent=1 level=7)");
  const BfsTreeAsync before = node;
  node.receive(hand.next(), Port{0}, Invite{NodeId{1}, 1});  // the shorter way was slower
  node.start(hand.next());
  EXPECT_TRUE(hand.step.sends().empty());
  EXPECT_EQ(node, before);
}

TEST(BfsTreeAsync, OneNodeIsATree) {
  HandDriver<BfsTreeAsync> driver(ids_of({1}), {});
  driver.start(0);
  driver.run();
  EXPECT_EQ(driver.node(0).leader(), NodeId{1});
  EXPECT_EQ(driver.sent(), 0u);
}

/// In how many of the runs some level was no distance. Everything else always holds.
int runs_that_are_not_breadth_first(int runs, Travel travel) {
  core::Prng prng(9);
  int wrong = 0;
  for (int run = 0; run < runs; ++run) {
    const auto n = static_cast<std::uint32_t>(2 + prng.below(14));
    const Arcs links = any_links(n, prng);
    const auto ids = shuffled_ids(n, prng);
    const NodeId root{1 + prng.below(n)};
    const auto at =
        static_cast<std::uint32_t>(std::find(ids.begin(), ids.end(), root) - ids.begin());
    travel.fifo = prng.chance(0.5);
    travel.duplicates = prng.chance(0.5) ? 0.2 : 0;
    HandDriver<BfsTreeAsync> driver(ids, {root}, travel, static_cast<std::uint64_t>(run));
    link_all(driver, links);
    for (NodeIndex i = 0; i < n; ++i) driver.start(i, Time{static_cast<int>(prng.below(30))});
    driver.run();  // watched by the property
    EXPECT_EQ(driver.leaders_named(root), n);
    EXPECT_EQ(driver.sent(), BfsTreeAsync::message_bound(n, links.size(), {}));
    const auto far = distances(n, both_ways(links), at);
    bool exact = true;
    for (NodeIndex i = 0; i < n; ++i) {
      EXPECT_GE(driver.node(i).level(), far[i]);
      exact = exact && driver.node(i).level() == far[i];
    }
    wrong += exact ? 0 : 1;
    const auto breadth_first = BfsTreeAsync::monitors_on_request();
    if (exact)
      EXPECT_NO_THROW(breadth_first.at(0)->at_rest(driver));
    else
      EXPECT_THROW(breadth_first.at(0)->at_rest(driver), core::Violation);
  }
  return wrong;
}

TEST(BfsTreeAsync, EvenDelaysGiveABreadthFirstTreeAndUnevenOnesDoNot) {
  EXPECT_EQ(runs_that_are_not_breadth_first(1000, {}), 0);
  EXPECT_GT(runs_that_are_not_breadth_first(1000, {.max = Duration{50}}), 200);
}

TEST(BfsTreeAsync, TheRunInTheDocumentation) {
  // In the triangle 3 is a neighbour of the root, and the way over 2 is faster.
  ByHand<BfsTreeAsync> one(ids_of({2, 3})), two(ids_of({1, 3})), three(ids_of({1, 2}));
  BfsTreeAsync first(NodeId{1}, {}), second(NodeId{2}, {}), third(NodeId{3}, {});
  first.start(one.next());
  second.receive(two.next(), Port{0}, one.step.sends().at(0).message);
  third.receive(three.next(), Port{1}, two.step.sends().at(0).message);
  EXPECT_EQ(three.step.sends().size(), 1u);
  third.receive(three.next(), Port{0}, one.step.sends().at(1).message);
  EXPECT_TRUE(three.step.sends().empty());
  EXPECT_EQ(third.level(), 2u);
  EXPECT_EQ(third.parent(), Port{1});

  HandRounds<BfsTree> rounds(ids_of({1, 2, 3}), both_ways(triangle), {});
  rounds.run();
  EXPECT_EQ(rounds.node(2).level(), 1u) << "in rounds it cannot happen";
  EXPECT_EQ(rounds.sent(), 4u);
}

TEST(BfsTreeAsync, AllAreInvitedWithinTheDistanceTimesTheLongestDelay) {
  core::Prng prng(2);
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const auto n = static_cast<std::uint32_t>(2 + prng.below(14));
    const Arcs links = any_links(n, prng);
    const auto far = distances(n, both_ways(links), 0);
    const auto r = static_cast<int>(*std::max_element(far.begin(), far.end()));
    std::vector<NodeId> ids;
    for (std::uint64_t i = 1; i <= n; ++i) ids.push_back(NodeId{i});
    HandDriver<BfsTreeAsync> driver(ids, {}, {.max = Duration{50}}, seed);
    link_all(driver, links);
    driver.start_all();
    driver.run(Time{50 * r});
    EXPECT_EQ(driver.leaders_named(NodeId{1}), n);
    driver.run();
    EXPECT_LE(driver.now(), Time{50 * (r + 1)}) << "and then the last is declined";
  }
}

TEST(BfsTreeAsync, ThePropertyBites) {
  HandDriver<BfsTreeAsync> driver(ids_of({1, 2, 3}), {});
  link_all(driver, triangle);
  const auto tree = BfsTreeAsync::monitors();
  EXPECT_NO_THROW(tree.at(0)->at_rest(driver)) << "nobody has begun";
  driver.start(0);
  driver.run(Time{0});
  EXPECT_THROW(tree.at(0)->at_rest(driver), core::Violation) << "2 and 3 have no parents yet";
  driver.run();
  EXPECT_NO_THROW(tree.at(0)->at_rest(driver));
}

TEST(BfsTreeAsync, MessagesRoundTrip) {
  const BfsTreeAsync::Message message = Invite{NodeId{77}, 5};
  EXPECT_EQ(core::decode<BfsTreeAsync::Message>(core::encode(message)), message);
}

}  // namespace
}  // namespace bellwether::algorithms
