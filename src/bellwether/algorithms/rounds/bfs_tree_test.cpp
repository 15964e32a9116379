// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/rounds/bfs_tree.hpp"

#include <gtest/gtest.h>

#include "bellwether/algorithms/hand_driver_test.hpp"
#include "bellwether/algorithms/rounds/random_networks_test.hpp"
#include "bellwether/core/codec.hpp"
#include "bellwether/core/print.hpp"

namespace bellwether::algorithms {
namespace {

using Invite = BfsTree::Invite;
using Inbox = Letters<BfsTree::Message>;

TEST(BfsTree, TheRootInvitesAllInItsFirstRound) {
  BfsTree root(NodeId{1}, {});
  EXPECT_FALSE(root.halted()) << "it has to begin";
  ByHand<BfsTree> hand(ids_of({1, 2, 3}));
  root.round(hand.next(), Inbox{});
  ASSERT_EQ(hand.step.sends().size(), 3u);
  for (const auto& send : hand.step.sends())
    EXPECT_EQ(core::text_of(send.message), "invite(root=1 level=1)");
  EXPECT_EQ(core::text_of(root), "bfs-tree(id=1 leader=1 parent=none level=0)");
  EXPECT_TRUE(root.halted());
  const BfsTree before = root;
  root.round(hand.next(), Inbox{{Port{1}, Invite{NodeId{1}, 3}}});
  EXPECT_TRUE(hand.step.sends().empty());
  EXPECT_EQ(root, before) << "nobody invites the root";
}

TEST(BfsTree, TheFirstInvitationCounts) {
  BfsTree node(NodeId{5}, {});
  ByHand<BfsTree> hand(ids_of({1, 2, 3}));
  node.round(hand.next(), Inbox{});
  EXPECT_TRUE(hand.step.sends().empty());
  EXPECT_TRUE(node.halted()) << "it has nothing to do until it is invited";
  EXPECT_FALSE(node.leader());

  node.round(hand.next(), Inbox{{Port{1}, Invite{NodeId{1}, 4}}, {Port{2}, Invite{NodeId{1}, 4}}});
  ASSERT_EQ(hand.step.sends().size(), 2u);
  EXPECT_EQ(hand.step.sends()[0].port, Port{0});
  EXPECT_EQ(hand.step.sends()[1].port, Port{2}) << "also to those whose invitation it declines";
  EXPECT_EQ(core::text_of(hand.step.sends()[1].message), "invite(root=1 level=5)");
  EXPECT_EQ(node.parent(), Port{1});
  EXPECT_EQ(node.level(), 4u);
  EXPECT_EQ(node.leader(), NodeId{1});

  const BfsTree before = node;
  node.round(hand.next(), Inbox{{Port{0}, Invite{NodeId{1}, 2}}});  // nearer, but late
  EXPECT_TRUE(hand.step.sends().empty());
  EXPECT_EQ(node, before);
}

TEST(BfsTree, OneNodeIsATree) {
  HandRounds<BfsTree> rounds(ids_of({1}), {}, {});
  EXPECT_FALSE(rounds.round());
  EXPECT_EQ(rounds.node(0).leader(), NodeId{1});
}

TEST(BfsTree, WithoutARootNothingHappens) {
  HandRounds<BfsTree> rounds(ids_of({2, 3, 4}), both_ways(line_arcs(3)), {});
  EXPECT_FALSE(rounds.round());
  EXPECT_EQ(rounds.sent(), 0u);
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_FALSE(rounds.node(i).leader());
}

void expect_tree(const std::vector<NodeId>& ids, const Arcs& arcs, NodeId root) {
  const auto n = static_cast<std::uint32_t>(ids.size());
  const auto at = static_cast<std::uint32_t>(std::find(ids.begin(), ids.end(), root) - ids.begin());
  const auto far = distances(n, arcs, at);
  const std::uint32_t r = *std::max_element(far.begin(), far.end());
  HandRounds<BfsTree> rounds(ids, arcs, {root});
  for (std::uint32_t k = 0; k <= r; ++k) {
    rounds.round();
    for (std::uint32_t i = 0; i < n; ++i)
      ASSERT_EQ(rounds.node(i).leader().has_value(), far[i] <= k) << "one hop a round";
  }
  rounds.run();
  EXPECT_EQ(rounds.leaders_named(root), n);
  for (std::uint32_t i = 0; i < n; ++i) EXPECT_EQ(rounds.node(i).level(), far[i]);
  // Ports count up in the order of the arcs that leave a node, so a parent's port names an arc.
  for (std::uint32_t i = 0; i < n; ++i) {
    EXPECT_EQ(rounds.node(i).parent().has_value(), i != at);
    if (!rounds.node(i).parent()) continue;
    std::vector<std::uint32_t> to;
    for (const auto& [a, b] : arcs)
      if (a == i) to.push_back(b);
    if (raw(*rounds.node(i).parent()) >= to.size()) continue;  // a link that only comes in
    EXPECT_EQ(far[to[raw(*rounds.node(i).parent())]] + 1, far[i]);
  }
}

TEST(BfsTree, RandomNetworksFromAnyRoot) {
  core::Prng prng(4);
  for (int run = 0; run < 1000; ++run) {
    const auto n = static_cast<std::uint32_t>(2 + prng.below(14));
    const auto ids = shuffled_ids(n, prng);
    const Arcs links = any_links(n, prng);
    const NodeId root{1 + prng.below(n)};
    expect_tree(ids, both_ways(links), root);
    HandRounds<BfsTree> rounds(ids, both_ways(links), {root});
    rounds.run();
    EXPECT_EQ(rounds.sent(), BfsTree::message_bound(n, links.size(), {}));
    EXPECT_EQ(rounds.sent(), 2 * links.size() - n + 1);
  }
}

TEST(BfsTree, AOneWayRing) {
  for (std::uint32_t n = 3; n <= 9; ++n) {  // two nodes have one link, both ways
    core::Prng prng(n);
    const auto ids = shuffled_ids(n, prng);
    expect_tree(ids, ring_arcs(n), NodeId{1});
    HandRounds<BfsTree> rounds(ids, ring_arcs(n), {});
    rounds.run();
    EXPECT_EQ(rounds.sent(), n);
  }
}

TEST(BfsTree, TheRunInTheDocumentation) {
  // The triangle 1, 2, 3 and 4 behind 3: five sending ports, one message each.
  const Arcs links{{0, 1}, {0, 2}, {1, 2}, {2, 3}};
  HandRounds<BfsTree> rounds(ids_of({1, 2, 3, 4}), both_ways(links), {});
  rounds.run();
  EXPECT_EQ(rounds.sent(), 5u);
  EXPECT_EQ(rounds.node(2).level(), 1u);
  EXPECT_EQ(rounds.node(3).level(), 2u);
}

TEST(BfsTree, MessagesRoundTrip) {
  const BfsTree::Message message = Invite{NodeId{77}, 5};
  EXPECT_EQ(core::decode<BfsTree::Message>(core::encode(message)), message);
}

}  // namespace
}  // namespace bellwether::algorithms
