// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/moving/vector_hierarchy.hpp"

#include <gtest/gtest.h>

#include "bellwether/algorithms/hand_driver_test.hpp"

namespace bellwether::algorithms {
namespace {

using Driver = HandDriver<VectorHierarchy>;
using Numbers = std::vector<std::uint64_t>;

VectorHierarchy::Options with(const char* remoteness) {
  VectorHierarchy::Options options;
  EXPECT_TRUE(Remoteness::read(remoteness, options.remoteness)) << remoteness;
  return options;
}

Numbers numbers(const std::vector<NodeId>& ids) {
  Numbers out;
  for (const NodeId id : ids) out.push_back(raw(id));
  return out;
}

Driver line(NodeIndex n, const char* remoteness) {
  Numbers ids(n);
  std::iota(ids.begin(), ids.end(), std::uint64_t{1});
  return Driver(ids_of(ids), with(remoteness));
}

// 1 leads: the smallest pair (0, id). With R = 2 a node leads when two below it would be without:
// from the end 10 upwards 8 and 5 and 2; then 2, 5, 8 among themselves.
TEST(VectorHierarchy, OnALine) {
  Driver all = line(10, "2");
  for (NodeIndex u = 0; u + 1 < 10; ++u) all.link(u, u + 1);
  all.start_all();
  all.run();
  const std::vector<std::uint32_t> ranks{3, 2, 0, 0, 1, 0, 0, 1, 0, 0};
  for (NodeIndex u = 0; u < 10; ++u) {
    EXPECT_EQ(all.node(u).dist(), u);
    EXPECT_EQ(all.node(u).rank(), ranks[u]) << u + 1;
  }
  EXPECT_EQ(numbers(all.node(9).leaders()), (Numbers{8, 2, 1}));
  EXPECT_EQ(numbers(all.node(3).leaders()), (Numbers{2, 2, 1}));
  EXPECT_EQ(numbers(all.node(0).leaders()), (Numbers{1, 1, 1}));
  EXPECT_EQ(numbers(all.node(7).children(1)), (Numbers{9, 10}));
  EXPECT_EQ(numbers(all.node(1).children(1)), (Numbers{3, 4}));
  EXPECT_EQ(numbers(all.node(1).children(2)), (Numbers{5, 8}));
  EXPECT_EQ(numbers(all.node(0).children(3)), (Numbers{2}));
  EXPECT_TRUE(all.node(0).children(1).empty());
  EXPECT_TRUE(all.node(0).children(0).empty());
  EXPECT_TRUE(all.node(0).children(9).empty());
  EXPECT_FALSE(all.node(0).next_hop(NodeId{1}));
  EXPECT_FALSE(all.node(0).next_hop(NodeId{99}));
}

TEST(VectorHierarchy, OfOneNode) {
  Driver all = line(1, "3");
  all.start_all();
  all.run();
  EXPECT_EQ(numbers(all.node(0).leaders()), (Numbers{1}));
  EXPECT_EQ(all.node(0).rank(), 1u);
}

TEST(VectorHierarchy, WithMoreLevelsAskedThanThereAre) {
  Driver all = line(4, "[9, 9, 9, 9]");
  for (NodeIndex u = 0; u + 1 < 4; ++u) all.link(u, u + 1);
  all.start_all();
  all.run();
  EXPECT_EQ(numbers(all.node(3).leaders()), (Numbers{1}));
}

// Links and nodes come and go; all properties are checked, and hold whenever the network is
// quiescent.
TEST(VectorHierarchy, InNetworksThatChange) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    core::Prng prng = core::stream(seed, "hierarchy", 0);
    const auto n = static_cast<NodeIndex>(4 + prng.below(30));
    VectorHierarchy::Options options = with(std::array{"1", "2", "3", "[3, 1]"}[prng.below(4)]);
    Driver all(shuffled_ids(n, prng), options, {Duration{1}, Duration{9}, true, 0, Duration{5}},
               seed);
    std::set<std::pair<NodeIndex, NodeIndex>> up;
    const auto flip = [&] {
      const auto a = static_cast<NodeIndex>(prng.below(n));
      const auto b = static_cast<NodeIndex>(prng.below(n));
      if (a == b) return;
      const std::pair link{std::min(a, b), std::max(a, b)};
      if (up.erase(link) > 0)
        all.part(link.first, link.second);
      else if (up.size() < 2 * n)
        all.join(link.first, link.second), up.insert(link);
    };
    all.start_all();
    for (int i = 0; i < 3 * static_cast<int>(n); ++i) flip();
    all.run();
    for (int round = 0; round < 30; ++round) {
      for (std::uint64_t i = 0; i <= prng.below(4); ++i) flip();
      all.run();
    }
  }
}

// Invalid input from the network neither does harm nor is kept.
TEST(VectorHierarchy, RefusesWhatNobodyCanHaveSent) {
  VectorHierarchy node(NodeId{2}, {});
  ByHand<VectorHierarchy> hand({NodeId{1}});
  node.start(hand.next());
  const VectorHierarchy before = node;
  VectorHierarchy::Update update;
  update.height.height.lp.lid = update.height.height.id = NodeId{1};
  update.dist = 0;
  auto bad = update;
  bad.members = HierarchyMembers({{NodeId{1}, 0, 0}});
  node.receive(hand.next(), Port{0}, bad);
  EXPECT_EQ(node, before) << "nobody is no step away";
  bad.members = HierarchyMembers({{NodeId{3}, 0, 1}, {NodeId{1}, 0, 1}});
  node.receive(hand.next(), Port{0}, bad);
  EXPECT_EQ(node, before) << "not in order";
  bad.members = HierarchyMembers({{NodeId{3}, 64, 1}});
  node.receive(hand.next(), Port{0}, bad);
  EXPECT_EQ(node, before) << "more levels than a universe has";
  bad.members = {};
  bad.leaders = Chain(std::vector<NodeId>(65, NodeId{1}));
  node.receive(hand.next(), Port{0}, bad);
  EXPECT_EQ(node, before);
  update.dist = 0xffffffff;
  node.receive(hand.next(), Port{0}, update);
  EXPECT_FALSE(node.pred());
  update.dist = 0;
  node.receive(hand.next(), Port{0}, update);
  EXPECT_EQ(node.pred(), Port{0});
  EXPECT_EQ(node.dist(), 1u);
}

}  // namespace
}  // namespace bellwether::algorithms
