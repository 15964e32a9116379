// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/moving/central_hierarchy.hpp"

#include <gtest/gtest.h>

#include "bellwether/algorithms/hand_driver_test.hpp"

namespace bellwether::algorithms {
namespace {

using core::Duration;
using core::NodeId;
using core::NodeIndex;
using core::Port;
using Driver = HandDriver<CentralHierarchy>;
using Numbers = std::vector<std::uint64_t>;

CentralHierarchy::Options with(const char* remoteness) {
  CentralHierarchy::Options options;
  EXPECT_TRUE(Remoteness::read(remoteness, options.remoteness)) << remoteness;
  return options;
}

Numbers numbers(const Ids& ids) {
  Numbers out;
  for (const NodeId id : ids) out.push_back(raw(id));
  return out;
}

/// 1 - 2 - ... - n, quiescent.
struct Line {
  Driver all;
  Line(NodeIndex n, const char* remoteness) : all(ids(n), with(remoteness)) {
    for (NodeIndex u = 0; u + 1 < n; ++u) all.link(u, u + 1);
    all.start_all();
    all.run();
  }
  static Ids ids(NodeIndex n) {
    Numbers ids(n);
    std::iota(ids.begin(), ids.end(), std::uint64_t{1});
    return ids_of(ids);
  }
  const CentralHierarchy& node(NodeIndex u) const { return all.node(u); }
};

// 1 2 3 4 [5] 6 7 8 9 with R = 2: the centre reaches 3 to 7, and one more on either side the
// others.
TEST(CentralHierarchy, OnALine) {
  const Line all(9, "2");
  EXPECT_EQ(all.node(0).leader(), NodeId{5});
  for (NodeIndex u = 0; u < 9; ++u) {
    EXPECT_EQ(all.node(u).leaders().size(), 2u);
    EXPECT_EQ(all.node(u).leaders().back(), NodeId{5});
  }
  // 3, 4, 6, 7 are within two hops of 5; 1, 2 and 8, 9 need one each.
  std::size_t leaders = 0;
  for (NodeIndex u = 0; u < 9; ++u) leaders += all.node(u).rank() > 0 ? 1 : 0;
  EXPECT_EQ(leaders, 3u);
  EXPECT_EQ(all.node(4).rank(), 2u);
  EXPECT_EQ(all.node(4).children(2).size(), 2u);
  EXPECT_EQ(all.node(0).leaders().front(), all.node(1).leaders().front());
  EXPECT_EQ(all.node(8).leaders().front(), all.node(7).leaders().front());
  EXPECT_TRUE(all.node(4).children(0).empty());
  EXPECT_TRUE(all.node(4).children(3).empty());
}

TEST(CentralHierarchy, ReachesAnybodyItKnows) {
  const Line all(9, "3");
  EXPECT_EQ(all.node(0).next_hop(NodeId{9}), Port{0});
  EXPECT_EQ(all.node(4).next_hop(NodeId{1}), Port{0});
  EXPECT_EQ(all.node(4).next_hop(NodeId{8}), Port{1});
  EXPECT_FALSE(all.node(4).next_hop(NodeId{5})) << "itself";
  EXPECT_FALSE(all.node(4).next_hop(NodeId{99})) << "nobody";
}

TEST(CentralHierarchy, OfOneNode) {
  const Line all(1, "3");
  EXPECT_EQ(numbers(all.node(0).leaders()), (Numbers{1}));
  EXPECT_EQ(all.node(0).rank(), 1u);
  EXPECT_TRUE(all.node(0).children(1).empty());
}

TEST(CentralHierarchy, WithMoreLevelsAskedThanThereAre) {
  const Line all(4, "[9, 9, 9, 9]");
  EXPECT_EQ(numbers(all.node(0).leaders()), (Numbers{3}));
  EXPECT_EQ(numbers(all.node(2).children(1)), (Numbers{1, 2, 4}));
}

TEST(CentralHierarchy, KeepsItsPlaceWhileTheMapHasLooseEnds) {
  CentralHierarchy node(NodeId{2}, with("1"));
  ByHand<CentralHierarchy> hand({NodeId{1}, NodeId{3}});
  node.start(hand.next());
  EXPECT_EQ(numbers(node.leaders()), (Numbers{2}));
  // 1 has a neighbour 7 of which nothing is known: the network continues there.
  Known theirs(std::vector<MemberView>{{NodeId{1}, 5, core::Shared<Ids>(ids_of({1, 2, 7}))}});
  node.receive(hand.next(), Port{0}, Knowledge{theirs, {}});
  EXPECT_EQ(node.leaders().back(), *node.leader());
  EXPECT_TRUE(node.children(1).empty());
}

// Links and nodes come and go; all properties are checked, and hold whenever the network is
// quiescent.
TEST(CentralHierarchy, InNetworksThatChange) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    core::Prng prng = core::stream(seed, "central-hierarchy", 0);
    const auto n = static_cast<NodeIndex>(4 + prng.below(30));
    const auto options = with(std::array{"1", "2", "3", "[3, 1]"}[prng.below(4)]);
    Driver all(shuffled_ids(n, prng), options, {Duration{1}, Duration{9}, false, 0, Duration{5}},
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
    for (int i = 0; i < 2 * static_cast<int>(n); ++i) flip();
    all.run();
    for (int round = 0; round < 15; ++round) {
      for (std::uint64_t i = 0; i <= prng.below(4); ++i) flip();
      all.run();
    }
  }
}

}  // namespace
}  // namespace bellwether::algorithms
