// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/moving/hierarchy.hpp"

#include <gtest/gtest.h>

#include "bellwether/algorithms/hand_driver_test.hpp"
#include "bellwether/core/options.hpp"

namespace bellwether::algorithms {
namespace {

using Driver = HandDriver<Hierarchy>;
using Numbers = std::vector<std::uint64_t>;

Hierarchy::Options with(const char* remoteness) {
  Hierarchy::Options options;
  EXPECT_TRUE(Remoteness::read(remoteness, options.remoteness)) << remoteness;
  return options;
}

Numbers numbers(const std::vector<NodeId>& ids) {
  Numbers out;
  for (const NodeId id : ids) out.push_back(raw(id));
  return out;
}

/// 1 - 2 - ... - n, at rest: 1 leads, the smallest pair (0, id). `more` have no links yet.
struct Line : Driver {
  Line(NodeIndex n, const char* remoteness, NodeIndex more = 0)
      : Driver(counting(n + more), with(remoteness)) {
    for (NodeIndex u = 0; u + 1 < n; ++u) link(u, u + 1);
    start_all();
    run();
  }
  static std::vector<NodeId> counting(NodeIndex n) {
    Numbers ids(n);
    std::iota(ids.begin(), ids.end(), std::uint64_t{1});
    return ids_of(ids);
  }
};

Numbers ranks(const Driver& all, NodeIndex n) {
  Numbers out;
  for (NodeIndex u = 0; u < n; ++u) out.push_back(all.node(u).rank());
  return out;
}

// With R = 2 a node leads where two below it would be without: from the end 10 upwards 8, 5 and 2;
// then 2, 5 and 8 among themselves.
TEST(Hierarchy, OnALine) {
  const Line all(10, "2");
  EXPECT_EQ(ranks(all, 10), (Numbers{3, 2, 0, 0, 1, 0, 0, 1, 0, 0}));
  for (NodeIndex u = 0; u < 10; ++u) EXPECT_EQ(all.node(u).depth(), u);
  EXPECT_EQ(numbers(all.node(9).leaders()), (Numbers{8, 2, 1}));
  EXPECT_EQ(numbers(all.node(3).leaders()), (Numbers{2, 2, 1}));
  EXPECT_EQ(numbers(all.node(0).leaders()), (Numbers{1, 1, 1}));
}

TEST(Hierarchy, OfOneNode) {
  const Line all(1, "3");
  EXPECT_EQ(numbers(all.node(0).leaders()), (Numbers{1}));
  EXPECT_EQ(all.node(0).rank(), 1u);
}

TEST(Hierarchy, WithMoreLevelsAskedThanThereAre) {
  const Line all(4, "[9, 9, 9, 9]");
  EXPECT_EQ(numbers(all.node(3).leaders()), (Numbers{1}));
}

// With R = 3: 6 and 2 lead, since 3 are below each. A leaf that joins makes 9 lead: it is 3 steps
// from 6, and the leaf would be 4. 9 stops when nobody is left below it.
TEST(Hierarchy, ALeafMovesAtMostOneLeader) {
  Line all(9, "3", 2);
  EXPECT_EQ(ranks(all, 9), (Numbers{2, 1, 0, 0, 0, 1, 0, 0, 0}));
  all.join(8, 9);
  all.run();
  EXPECT_EQ(ranks(all, 10), (Numbers{2, 1, 0, 0, 0, 1, 0, 0, 1, 0}));
  all.join(9, 10);
  all.run();
  EXPECT_EQ(ranks(all, 11), (Numbers{2, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0}));
  all.part(9, 10);
  all.run();
  EXPECT_EQ(ranks(all, 10), (Numbers{2, 1, 0, 0, 0, 1, 0, 0, 1, 0}));
  all.part(8, 9);
  all.run();
  EXPECT_EQ(ranks(all, 9), (Numbers{2, 1, 0, 0, 0, 1, 0, 0, 0}));
  all.part(7, 8);
  all.part(6, 7);
  all.run();
  EXPECT_EQ(ranks(all, 7), (Numbers{2, 1, 0, 0, 0, 1, 0})) << "7 still needs 6";
  all.part(5, 6);
  all.run();
  EXPECT_EQ(ranks(all, 6), (Numbers{2, 0, 0, 0, 1, 0}))
      << "6 has nobody left and is 4 from 2, so 5 begins; the root reaches all that 2 had left";
}

// A ring: 1 - 2 - 3 - 4 - 5 - 6 - 1, led by 1; 4 is below 3. When 3 loses 2, both have to turn
// round, to 5.
TEST(Hierarchy, WhoLosesItsWayNamesNobodyUntilTheLeaderHasAnswered) {
  Driver all(ids_of({1, 2, 3, 4, 5, 6}), with("3"));
  for (NodeIndex u = 0; u < 6; ++u) all.link(u, (u + 1) % 6);
  all.start_all();
  all.run();
  EXPECT_EQ(all.node(3).depth(), 3u);
  EXPECT_EQ(numbers(all.node(2).leaders()), (Numbers{1}));
  all.part(1, 2);
  int silent = 0;
  do {
    all.run(all.now() + Duration{1});
    EXPECT_EQ(all.node(2).leader(), NodeId{1}) << "of all, which is not the same as of level 1";
  } while (all.node(2).leaders().empty() && ++silent < 100);
  EXPECT_GE(silent, 8) << "the question goes four hops up, and the answer down";
  EXPECT_LT(silent, 20);
  all.run();
  EXPECT_EQ(raw(all.node(2).leaders().back()), 1u);
}

// Links and nodes come and go; all properties are checked, and hold whenever the network is
// quiescent.
TEST(Hierarchy, InNetworksThatChange) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    core::Prng prng = core::stream(seed, "hierarchy", 0);
    const auto n = static_cast<NodeIndex>(4 + prng.below(30));
    Hierarchy::Options options = with(std::array{"1", "2", "3", "[3, 1]", "6"}[prng.below(5)]);
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
TEST(Hierarchy, RefusesWhatNobodyCanHaveSent) {
  Hierarchy node(NodeId{2}, {});
  ByHand<Hierarchy> hand({NodeId{1}});
  node.start(hand.next());
  const Hierarchy before = node;
  Hierarchy::Update update;
  update.height.height.lp.lid = update.height.height.id = NodeId{1};
  update.depth = 0;
  auto bad = update;
  bad.child = true;
  bad.reaches = Reaches(std::vector<std::uint32_t>(65, 1));
  node.receive(hand.next(), Port{0}, bad);
  EXPECT_EQ(node, before) << "more levels than a universe has";
  bad = update;
  bad.leaders = LeadersAbove(std::vector<LeaderAbove>(65));
  node.receive(hand.next(), Port{0}, bad);
  EXPECT_EQ(node, before);
  update.depth = 0xffffffff;
  node.receive(hand.next(), Port{0}, update);
  EXPECT_EQ(node.pred(), Port{0}) << "there is no other";
  EXPECT_EQ(node.depth(), Hierarchy::nowhere);
  update.depth = 0;
  node.receive(hand.next(), Port{0}, update);
  EXPECT_EQ(node.pred(), Port{0});
  EXPECT_EQ(node.depth(), 1u);
  update.leaders = LeadersAbove({{NodeId{1}, 0xffffffff, 0xffffffff}});
  node.receive(hand.next(), Port{0}, update);
  EXPECT_TRUE(node.leaders().empty()) << "nobody's leader is that far away";
}

}  // namespace
}  // namespace bellwether::algorithms
