// SPDX-License-Identifier: MIT
// Priorities in a map: how they are encoded and merged, and which node leads.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "bellwether/algorithms/hand_driver_test.hpp"
#include "bellwether/algorithms/moving/cel_2.hpp"
#include "bellwether/algorithms/moving/central_hierarchy.hpp"
#include "bellwether/algorithms/moving/topology_aware_2.hpp"
#include "bellwether/core/arbitrary.hpp"
#include "bellwether/core/codec.hpp"
#include "bellwether/core/digest.hpp"
#include "bellwether/core/print.hpp"
#include "bellwether/graph/distances.hpp"
#include "bellwether/graph/plain_oracles_test.hpp"

namespace bellwether::algorithms {
namespace {

MemberView view(std::uint64_t id, std::uint64_t clock, const std::vector<std::uint64_t>& neighbours,
                std::uint32_t priority = usual_priority) {
  return {NodeId{id}, clock, core::Shared<Ids>(ids_of(neighbours)), priority};
}

/// A view as it was before there were priorities.
struct OldView {
  NodeId id{};
  std::uint64_t clock = 0;
  core::Shared<Ids> neighbours;
  static constexpr auto fields =
      std::tuple{core::field("id", &OldView::id), core::field("clock", &OldView::clock),
                 core::field("neigh", &OldView::neighbours)};
  friend bool operator==(const OldView&, const OldView&) = default;
};

TEST(KnowledgePriority, TheUsualOneIsNotWritten) {
  const MemberView usual = view(5, 300, {3, 5, 7});
  EXPECT_EQ(core::encode(usual), (core::Bytes{5, 0xAC, 2, 3, 3, 5, 7}));
  EXPECT_EQ(core::text_of(usual), "(id=5 clock=300 neigh=[3,5,7])");
  core::Prng prng(1);
  for (int i = 0; i < 2000; ++i) {
    auto old = core::arbitrary<OldView>(prng);
    std::sort(old.neighbours.edit().begin(), old.neighbours.edit().end());
    insert(old.neighbours, old.id);
    const MemberView now{old.id, old.clock, old.neighbours};
    ASSERT_EQ(core::encode(now), core::encode(old)) << core::text_of(now);
    EXPECT_EQ(core::encoded_size(now), core::encoded_size(old));
    EXPECT_EQ(core::digest(now), core::digest(old));
    EXPECT_EQ(core::text_of(now), core::text_of(old));
    EXPECT_EQ(core::json_of(now), core::json_of(old));
    EXPECT_EQ(core::decode<MemberView>(core::encode(old)), now);
  }
}

TEST(KnowledgePriority, AnyOtherFollows) {
  const MemberView other = view(5, 300, {3, 7}, 0);
  EXPECT_EQ(core::encode(other), (core::Bytes{5, 0xAC, 2, 2, 3, 7, 0}));
  EXPECT_EQ(core::text_of(other), "(id=5 clock=300 neigh=[3,7] priority=0)");
  EXPECT_EQ(core::decode<MemberView>(core::encode(other)), other);
  EXPECT_FALSE(core::decode<MemberView>(core::Bytes{5, 1, 1, 3})) << "it is missing";
  EXPECT_FALSE(core::decode<MemberView>(core::Bytes{5, 1, 1, 5, 0})) << "it is one too many";
  EXPECT_FALSE(
      core::decode<MemberView>(core::Bytes{5, 1, 0, 0x80, 0x80, 0x80, 0x80, 0x10}));  // 2^32
  EXPECT_EQ(to_text(Known({view(1, 2, {1, 3}), other})), "1:2{1,3} 5:300{3,7}@0");
}

TEST(KnowledgePriority, WhatIsReadIsWhatWasWritten) {
  core::Prng prng(2);
  int unusual = 0;
  for (int i = 0; i < 5000; ++i) {
    auto drawn = core::arbitrary<MemberView>(prng);
    if (prng.below(2) == 0) {
      std::sort(drawn.neighbours.edit().begin(), drawn.neighbours.edit().end());
      insert(drawn.neighbours, drawn.id);
    }
    core::Bytes bytes = core::encode(drawn);
    EXPECT_EQ(bytes.size(), core::encoded_size(drawn));
    const auto back = core::decode<MemberView>(bytes);
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, drawn);
    EXPECT_EQ(core::digest(*back), core::digest(drawn));
    EXPECT_EQ(back->effective_priority(), drawn.effective_priority());
    unusual += drawn.effective_priority() != usual_priority ? 1 : 0;
    bytes[prng.below(bytes.size())] ^= static_cast<std::uint8_t>(1u << prng.below(8));
    if (const auto damaged = core::decode<MemberView>(bytes)) {
      EXPECT_EQ(core::encode(*damaged), bytes);
    }
  }
  EXPECT_GT(unusual, 1000);
  EXPECT_LT(unusual, 4000);
}

TEST(KnowledgePriority, WhereTheNodeIsAmongItsNeighboursNothingElseIsSaid) {
  const MemberView odd = view(5, 1, {3, 5}, 7);  // written by no node
  EXPECT_EQ(odd.effective_priority(), usual_priority);
  EXPECT_EQ(odd, view(5, 1, {3, 5}));
  EXPECT_EQ(core::digest(odd), core::digest(view(5, 1, {3, 5})));
  EXPECT_NE(view(5, 1, {3}, 7), view(5, 1, {3}, 8));
  EXPECT_NE(view(5, 1, {3}, 7), view(5, 1, {3, 5}));
}

TEST(KnowledgePriority, ALaterViewBringsItsPriority) {
  Known known({view(1, 1, {1, 2}), view(2, 1, {1, 2})});
  EXPECT_TRUE(merge(known, Known({view(2, 2, {1}, 7)}), Ties::keep));
  EXPECT_EQ(to_text(known), "1:1{1,2} 2:2{1}@7");
  EXPECT_FALSE(merge(known, Known({view(2, 2, {1}, 9)}), Ties::keep));
  EXPECT_FALSE(merge(known, Known({view(2, 2, {1}, 6)}), Ties::unite));
  EXPECT_TRUE(merge(known, Known({view(2, 2, {1}, 9)}), Ties::unite));
  EXPECT_EQ(to_text(known), "1:1{1,2} 2:2{1}@9");
  EXPECT_TRUE(merge(known, Known({view(2, 2, {2})}), Ties::unite));
  EXPECT_EQ(to_text(known), "1:1{1,2} 2:2{1,2}");
  EXPECT_FALSE(merge(known, Known({view(2, 2, {1}, 500)}), Ties::unite));
}

/// A map of nodes 1..n, whose links both ends claim, and the same as a graph.
struct Net {
  graph::Graph graph;
  std::vector<std::uint32_t> priorities;
  Known known;

  Net(core::NodeIndex n, std::size_t links, const std::vector<std::uint32_t>& drawn_from,
      core::Prng& prng) {
    std::set<graph::Edge> edges;
    for (; links > 0 && n > 1; --links) {
      const auto a = static_cast<core::NodeIndex>(prng.below(n));
      const auto b = static_cast<core::NodeIndex>(prng.below(n));
      if (a != b) edges.insert({std::min(a, b), std::max(a, b)});
    }
    graph = graph::Graph(n, std::vector(edges.begin(), edges.end()));
    for (core::NodeIndex u = 0; u < n; ++u)
      priorities.push_back(drawn_from[prng.below(drawn_from.size())]);
    draw();
  }

  void draw() {
    std::vector<MemberView> views;
    for (core::NodeIndex u = 0; u < graph.size(); ++u) {
      MemberView each{NodeId{u + 1u}, 1, {}, priorities[u]};
      if (priorities[u] == usual_priority) insert(each.neighbours, each.id);
      for (const core::NodeIndex v : graph.neighbours(u)) insert(each.neighbours, NodeId{v + 1u});
      views.push_back(std::move(each));
    }
    known = Known(std::move(views));
  }

  /// By the plain sums of all distances.
  std::optional<NodeId> leader(core::NodeIndex self, Measure measure) const {
    const std::vector<std::uint64_t> sums = graph::plain::distance_sums(graph);
    const std::vector<std::uint32_t> ways = graph::distances(graph, self);
    std::tuple<std::uint32_t, std::int64_t, core::NodeIndex> best{0, 0, 0};
    for (core::NodeIndex u = 0; u < graph.size(); ++u) {
      if (ways[u] == graph::unreachable) continue;
      const auto value = measure == Measure::closeness
                             ? -static_cast<std::int64_t>(sums[u])
                             : static_cast<std::int64_t>(graph.neighbours(u).size());
      best = std::max(best, {priorities[u], value, u});
    }
    if (std::get<0>(best) == 0) return std::nullopt;
    return NodeId{std::get<2>(best) + 1u};
  }
};

TEST(KnowledgePriority, TheHighestLeadThenTheMostCentral) {
  KnowledgeCache cache;
  core::Prng prng(3);
  int nobody = 0;
  for (int round = 0; round < 600; ++round) {
    const auto n = static_cast<core::NodeIndex>(1 + prng.below(14));
    const Net net(n, n + n / 2,
                  round % 2 == 0 ? std::vector<std::uint32_t>{0, 100, 100, 100}
                                 : std::vector<std::uint32_t>{0, 0, 0, 7, 0xFFFF'FFFF},
                  prng);
    for (const Measure measure : {Measure::closeness, Measure::degree})
      for (core::NodeIndex self = 0; self < n; ++self) {
        const auto expected = net.leader(self, measure);
        EXPECT_EQ(priority_leader_of(cache, net.known, NodeId{self + 1u}, Edges::mutual, measure),
                  expected)
            << to_text(net.known) << " for " << self + 1;
        nobody += expected ? 0 : 1;
      }
  }
  EXPECT_GT(nobody, 50);
}

TEST(KnowledgePriority, SoInLargeNetworks) {
  KnowledgeCache cache;
  core::Prng prng(4);
  for (const core::NodeIndex n : {63, 64, 65, 90, 200, 500}) {
    for (const auto& from : {std::vector<std::uint32_t>{100},
                             {100, 100, 100, 100, 100, 100, 0},
                             {0, 0, 0, 100},
                             {0, 1, 2, 3, 4, 5, 6, 7},
                             {0}}) {
      const Net net(n, 2 * n, from, prng);
      for (const Measure measure : {Measure::closeness, Measure::degree})
        for (const core::NodeIndex self : {core::NodeIndex{0}, n / 2, n - 1})
          EXPECT_EQ(priority_leader_of(cache, net.known, NodeId{self + 1u}, Edges::mutual, measure),
                    net.leader(self, measure))
              << n << " nodes, for " << self + 1;
    }
  }
}

/// Those at the top resign one after the other; then all is as it was.
TEST(KnowledgePriority, WhoResignsMakesRoomForTheNext) {
  KnowledgeCache cache;
  core::Prng prng(5);
  for (const core::NodeIndex n : {20, 120}) {
    Net net(n, 3 * n, {100}, prng);
    const Known usual = net.known;
    const auto ask = [&] {
      return priority_leader_of(cache, net.known, NodeId{1}, Edges::mutual, Measure::closeness);
    };
    const std::optional<NodeId> first = ask();
    EXPECT_EQ(first, leader_of(cache, usual, NodeId{1}, Edges::mutual, Measure::closeness));
    while (const auto leader = ask()) {
      ASSERT_EQ(leader, net.leader(0, Measure::closeness));
      net.priorities[raw(*leader) - 1] = 0;
      net.draw();
      EXPECT_EQ(leader_of(cache, net.known, NodeId{1}, Edges::mutual, Measure::closeness), first)
          << "who does not ask for priorities sees none";
    }
    EXPECT_EQ(net.leader(0, Measure::closeness), std::nullopt);
    net.known = usual;
    EXPECT_EQ(ask(), first);
  }
}

/// Only priorities differ between these maps: the cached answer for one is not used for another.
TEST(KnowledgePriority, AnswersDoNotDependOnWhatWasAskedBefore) {
  KnowledgeCache cache;
  core::Prng prng(6);
  for (const core::NodeIndex n : {9, 80}) {
    Net net(n, 3 * n, {100}, prng);
    std::vector<std::pair<Known, std::optional<NodeId>>> asked;
    for (int round = 0; round < 60; ++round) {
      for (std::uint32_t& each : net.priorities)
        each = static_cast<std::uint32_t>(prng.below(3) * 100);
      net.draw();
      asked.emplace_back(net.known, net.leader(0, Measure::closeness));
      const auto& old = asked[prng.below(asked.size())];
      for (const auto& [known, leader] : {asked.back(), old}) {
        EXPECT_EQ(priority_leader_of(cache, known, NodeId{1}, Edges::mutual, Measure::closeness),
                  leader);
        leader_of(cache, known, NodeId{1}, Edges::mutual, Measure::closeness);
        EXPECT_EQ(priority_leader_of(cache, known, NodeId{1}, Edges::mutual, Measure::closeness),
                  leader);
      }
    }
  }
}

TEST(KnowledgePriority, WhomOnlyOthersNameHasTheUsualOne) {
  KnowledgeCache cache;
  const Known known({view(1, 1, {2}, 0), view(2, 1, {1, 3}, 50)});
  EXPECT_EQ(priority_leader_of(cache, known, NodeId{1}, Edges::either, Measure::closeness),
            NodeId{3});
  EXPECT_EQ(priority_leader_of(cache, known, NodeId{1}, Edges::mutual, Measure::closeness),
            NodeId{2});
  EXPECT_EQ(priority_leader_of(cache, known, NodeId{9}, Edges::mutual, Measure::closeness),
            NodeId{9});
  EXPECT_EQ(priority_leader_of(cache, Known({view(1, 1, {}, 0)}), NodeId{1}, Edges::mutual,
                               Measure::closeness),
            std::nullopt);
}

/// Elections without priorities go on, whatever is said of them.
template <class P>
struct Unaware : testing::Test {};
using Others = testing::Types<CentralHierarchy, TopologyAware2>;
TYPED_TEST_SUITE(Unaware, Others);

TYPED_TEST(Unaware, BearsViewsWithAPriority) {
  ByHand<TypeParam> hand{ids_of({3, 7})};
  TypeParam node{NodeId{5}, {}};
  node.start(hand.next());
  const auto receive = [&](std::vector<MemberView> views) {
    node.receive(hand.next(), Port{0}, Knowledge{Known(std::move(views)), {}});
    ASSERT_TRUE(node.leader());
  };
  receive({view(3, 5, {5}, 0), view(7, 5, {5}, 0)});
  receive({view(3, 6, {5}, 300), view(5, 1, {3, 7}, 0), view(7, 6, {5}, 300)});
  EXPECT_EQ(to_text(node.known()), "3:6{5}@300 5:2{3,5,7} 7:6{5}@300");
  hand.ports = {Port{0}};
  node.link_down(hand.next(), Port{1});
  ASSERT_TRUE(node.leader());
}

}  // namespace
}  // namespace bellwether::algorithms
