// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/moving/knowledge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "bellwether/core/codec.hpp"
#include "bellwether/core/prng.hpp"
#include "bellwether/graph/plain_oracles_test.hpp"

namespace bellwether::algorithms {
namespace {

using core::NodeId;

Ids ids(const std::vector<std::uint64_t>& numbers) {
  Ids out;
  for (const std::uint64_t number : numbers) out.push_back(NodeId{number});
  return out;
}

MemberView view(std::uint64_t id, std::uint64_t clock,
                const std::vector<std::uint64_t>& neighbours) {
  return {NodeId{id}, clock, core::Shared<Ids>(ids(neighbours))};
}

/// The same as maps and sets: slow, and plainly right.
struct Entry {
  std::uint64_t clock = 0;
  std::set<NodeId> neighbours;
  friend bool operator==(const Entry&, const Entry&) = default;
};
using Map = std::map<NodeId, Entry>;

Map map_of(const Known& known) {
  Map out;
  for (const MemberView& each : *known)
    out[each.id] = {each.clock, {each.neighbours->begin(), each.neighbours->end()}};
  return out;
}

Known known_of(const Map& map) {
  std::vector<MemberView> views;
  for (const auto& [id, entry] : map)
    views.push_back({id, entry.clock,
                     core::Shared<Ids>(Ids(entry.neighbours.begin(), entry.neighbours.end()))});
  return Known(std::move(views));
}

/// Any map of some of the nodes 1..n, with claims of any of them.
Map any_map(std::uint64_t n, std::uint64_t degree, core::Prng& prng) {
  Map map;
  for (std::uint64_t id = 1; id <= n; ++id) {
    if (prng.below(8) == 0) continue;
    Entry& entry = map[NodeId{id}];
    entry.clock = prng.below(3);
    entry.neighbours.insert(NodeId{id});
    for (std::uint64_t i = prng.below(2 * degree + 1); i > 0; --i)
      entry.neighbours.insert(NodeId{1 + prng.below(n)});
  }
  return map;
}

/// Mostly in agreement, as in a quiescent network.
Map agreeing_map(std::uint64_t n, std::uint64_t links, core::Prng& prng) {
  Map map;
  for (std::uint64_t id = 1; id <= n; ++id) map[NodeId{id}].neighbours.insert(NodeId{id});
  for (; links > 0; --links) {
    const NodeId a{1 + prng.below(n)};
    const NodeId b{1 + prng.below(n)};
    map[a].neighbours.insert(b);
    if (prng.below(8) != 0) map[b].neighbours.insert(a);
  }
  return map;
}

Map merged(Map ours, const Map& theirs, Ties ties) {
  for (const auto& [id, entry] : theirs) {
    if (!ours.contains(id) || entry.clock > ours[id].clock)
      ours[id] = entry;
    else if (ties == Ties::unite && entry.clock == ours[id].clock)
      ours[id].neighbours.insert(entry.neighbours.begin(), entry.neighbours.end());
  }
  return ours;
}

TEST(Knowledge, FindsAndAddsEntries) {
  Known known = initial_knowledge(NodeId{5});
  EXPECT_EQ(to_text(known), "5:0{5}");
  EXPECT_EQ(find(known, NodeId{4}), nullptr);
  EXPECT_EQ(find(known, NodeId{6}), nullptr);
  const Known before = known;
  MemberView& four = entry(known, NodeId{4});
  EXPECT_EQ(four.clock, 0u);
  EXPECT_TRUE(four.neighbours->empty());
  four.clock = 7;
  insert(entry(known, NodeId{5}).neighbours, NodeId{9});
  insert(entry(known, NodeId{5}).neighbours, NodeId{1});
  insert(entry(known, NodeId{5}).neighbours, NodeId{9});
  EXPECT_EQ(to_text(known), "4:7{} 5:0{1,5,9}");
  erase(entry(known, NodeId{5}).neighbours, NodeId{5});
  erase(entry(known, NodeId{5}).neighbours, NodeId{2});
  EXPECT_EQ(to_text(known), "4:7{} 5:0{1,9}");
  EXPECT_EQ(find(known, NodeId{4})->clock, 7u);
  EXPECT_EQ(to_text(before), "5:0{5}");
}

TEST(Knowledge, MergesEntryByEntry) {
  core::Prng prng(1);
  int changed = 0;
  for (int round = 0; round < 4000; ++round) {
    const Ties ties = prng.below(2) == 0 ? Ties::keep : Ties::unite;
    const std::uint64_t n = 1 + prng.below(6);
    const Map ours = any_map(n, 2, prng);
    const Map theirs = prng.below(4) == 0 ? ours : any_map(n, 2, prng);
    const Map expected = merged(ours, theirs, ties);
    Known known = known_of(ours);
    const Known other = known_of(theirs);
    const bool said = merge(known, other, ties);
    EXPECT_EQ(map_of(known), expected);
    EXPECT_EQ(said, expected != ours);
    EXPECT_EQ(known.same(other), expected == theirs) << "equal pictures are shared";
    EXPECT_EQ(map_of(other), theirs);
    changed += said ? 1 : 0;
  }
  EXPECT_GT(changed, 1000);
  EXPECT_LT(changed, 3800);
}

TEST(Knowledge, WhatChangesNothingLeavesTheObjectAlone) {
  Known known({view(1, 2, {1, 2}), view(2, 2, {1, 2}), view(3, 1, {3})});
  const auto* where = &*known;
  EXPECT_FALSE(merge(known, Known({view(1, 1, {1}), view(2, 2, {2})}), Ties::unite));
  EXPECT_EQ(&*known, where);
  EXPECT_FALSE(merge(known, Known(known), Ties::unite));
  EXPECT_EQ(&*known, where);
}

TEST(Knowledge, RefusesWhatIsNoMapOrNoSet) {
  const Known before({view(2, 1, {1, 2})});
  for (const Known& wrong : {Known({view(3, 1, {3}), view(1, 1, {1})}),  // not in order
                             Known({view(3, 1, {3}), view(3, 1, {3})}),  // twice
                             Known({view(3, 1, {3, 1})}), Known({view(3, 1, {3, 3})}),
                             Known({view(1, 5, {1}), view(2, 2, {2, 1})}),
                             Known({view(1, 5, {1}), view(2, 1, {2, 1})})}) {
    Known known = before;
    EXPECT_FALSE(merge(known, wrong, Ties::unite)) << to_text(wrong);
    EXPECT_TRUE(known.same(before));
  }
}

TEST(Knowledge, ClocksRiseOrDoNot) {
  const Known before({view(1, 2, {1}), view(2, 5, {2})});
  EXPECT_TRUE(clocks_rise({}, before));
  EXPECT_TRUE(clocks_rise(before, before));
  EXPECT_TRUE(clocks_rise(before, Known({view(2, 6, {2}), view(3, 0, {3})})));
  EXPECT_FALSE(clocks_rise(before, Known({view(1, 2, {1}), view(2, 4, {2})})));
}

/// The links that count, and the distances along them, by Floyd and Warshall.
class Oracle {
 public:
  Oracle(const Map& map, Edges edges) {
    std::set<NodeId> names;
    for (const auto& [id, entry] : map) {
      names.insert(id);
      names.insert(entry.neighbours.begin(), entry.neighbours.end());
    }
    const auto claims = [&](NodeId a, NodeId b) {
      return map.contains(a) && map.at(a).neighbours.contains(b);
    };
    for (const NodeId a : names)
      for (const NodeId b : names) {
        const bool counts = edges == Edges::directed ? claims(a, b)
                            : edges == Edges::either ? claims(a, b) || claims(b, a)
                                                     : claims(a, b) && claims(b, a);
        way_[a][b] = a == b ? 0 : counts ? 1 : far;
      }
    for (const NodeId k : names)
      for (const NodeId a : names)
        for (const NodeId b : names) way_[a][b] = std::min(way_[a][b], way_[a][k] + way_[k][b]);
  }

  std::set<NodeId> within(NodeId self, std::uint64_t hops) {
    std::set<NodeId> out{self};
    for (const auto& [id, distance] : way_[self])
      if (distance < far && distance <= hops) out.insert(id);
    return out;
  }

  NodeId leader(NodeId self, Measure measure) {
    const std::set<NodeId> component = within(self, far);
    std::tuple<std::int64_t, std::int64_t, NodeId> best{-1, 0, NodeId{}};
    for (const NodeId a : component) {
      std::int64_t reached = 0;
      std::int64_t sum = 0;
      std::int64_t degree = 0;
      for (const NodeId b : component) {
        const std::uint64_t distance = way_[a][b];
        if (a == b || distance >= far) continue;
        ++reached;
        sum += static_cast<std::int64_t>(distance);
        degree += distance == 1 ? 1 : 0;
      }
      if (measure == Measure::closeness)
        best = std::max(best, {reached, -sum, a});
      else
        best = std::max(best, {degree, 0, a});
    }
    return std::get<2>(best);
  }

 private:
  static constexpr std::uint64_t far = 1'000'000;
  std::map<NodeId, std::map<NodeId, std::uint64_t>> way_;
};

TEST(Knowledge, TheLeaderIsTheMostCentralOfTheComponent) {
  KnowledgeCache cache;
  core::Prng prng(2);
  for (int round = 0; round < 300; ++round) {
    const std::uint64_t n = 1 + prng.below(12);
    const Map map = prng.below(2) == 0 ? any_map(n, 2, prng) : agreeing_map(n, n, prng);
    const Known known = known_of(map);
    for (const Edges edges : {Edges::directed, Edges::either, Edges::mutual}) {
      Oracle oracle(map, edges);
      for (const Measure measure : {Measure::closeness, Measure::degree})
        for (std::uint64_t self = 1; self <= n; ++self)
          EXPECT_EQ(leader_of(cache, known, NodeId{self}, edges, measure),
                    oracle.leader(NodeId{self}, measure))
              << to_text(known) << " " << core::name_of(edges) << " for " << self;
    }
  }
}

TEST(Knowledge, SoInLargeNetworks) {
  KnowledgeCache cache;
  core::Prng prng(3);
  for (const std::uint64_t n : {60, 63, 64, 65, 66, 70, 80}) {
    const Map map = agreeing_map(n, n + n / 4, prng);
    const Known known = known_of(map);
    for (const Edges edges : {Edges::directed, Edges::either, Edges::mutual}) {
      Oracle oracle(map, edges);
      for (const Measure measure : {Measure::closeness, Measure::degree})
        for (const std::uint64_t self : {std::uint64_t{1}, n / 2, n})
          EXPECT_EQ(leader_of(cache, known, NodeId{self}, edges, measure),
                    oracle.leader(NodeId{self}, measure));
    }
  }
}

TEST(Knowledge, AnswersDoNotDependOnWhatWasAskedBefore) {
  KnowledgeCache cache;
  core::Prng prng(4);
  std::vector<std::pair<Known, NodeId>> asked;
  for (int round = 0; round < 400; ++round) {
    const Known known = known_of(agreeing_map(8, 10, prng));
    asked.emplace_back(known,
                       leader_of(cache, known, NodeId{1}, Edges::mutual, Measure::closeness));
  }
  for (const auto& [known, answer] : asked) {
    KnowledgeCache empty;
    EXPECT_EQ(leader_of(empty, known, NodeId{1}, Edges::mutual, Measure::closeness), answer);
    EXPECT_EQ(leader_of(cache, known, NodeId{1}, Edges::mutual, Measure::closeness), answer);
    leader_of(cache, known, NodeId{1}, Edges::mutual, Measure::degree);
    EXPECT_EQ(leader_of(cache, known, NodeId{1}, Edges::mutual, Measure::closeness), answer);
  }
}

/// Successive maps of more than 64 nodes, a few links apart or many, and old ones again: each
/// answer depends on the map alone.
TEST(Knowledge, PicturesThatChangeALittle) {
  KnowledgeCache cache;
  core::Prng prng(5);
  constexpr std::uint64_t n = 90;
  std::set<std::pair<std::uint64_t, std::uint64_t>> links;
  for (std::uint64_t u = 1; u < n; ++u) links.emplace(u, u + 1);  // so that it is connected
  std::vector<std::pair<Known, NodeId>> asked;
  for (int round = 0; round < 150; ++round) {
    for (std::uint64_t many = round % 10 == 0 ? 40 : 1 + prng.below(5); many > 0; --many) {
      const std::uint64_t a = 1 + prng.below(n - 2);
      const std::uint64_t b = a + 2 + prng.below(n - a - 1);
      if (b <= n && !links.erase({a, b})) links.emplace(a, b);
    }
    Map map;
    std::vector<graph::Edge> edges;
    for (std::uint64_t u = 1; u <= n; ++u) map[NodeId{u}].neighbours.insert(NodeId{u});
    for (const auto& [a, b] : links) {
      map[NodeId{a}].neighbours.insert(NodeId{b});
      map[NodeId{b}].neighbours.insert(NodeId{a});
      edges.push_back({static_cast<core::NodeIndex>(a - 1), static_cast<core::NodeIndex>(b - 1)});
    }
    const std::vector<std::uint64_t> sums = graph::plain::distance_sums(graph::Graph(n, edges));
    const auto least = std::min_element(sums.rbegin(), sums.rend());
    const NodeId expected{static_cast<std::uint64_t>(sums.rend() - least)};
    asked.emplace_back(known_of(map), expected);
    const auto& old = asked[prng.below(asked.size())];
    for (const auto& [known, leader] : {asked.back(), old})
      EXPECT_EQ(leader_of(cache, known, NodeId{7}, Edges::mutual, Measure::closeness), leader)
          << round;
  }
}

TEST(Knowledge, ForgetsWhatIsBeyondTheHorizon) {
  core::Prng prng(5);
  for (int round = 0; round < 400; ++round) {
    const std::uint64_t n = round % 100 == 0 ? 70 : 1 + prng.below(12);
    const Map map = agreeing_map(n, n + 2, prng);
    const NodeId self{1 + prng.below(n)};
    const auto hops = static_cast<std::uint32_t>(prng.below(5));
    for (const Edges edges : {Edges::directed, Edges::either, Edges::mutual}) {
      const std::set<NodeId> near = Oracle(map, edges).within(self, hops);
      Map expected = map;
      std::erase_if(expected, [&](const auto& each) { return !near.contains(each.first); });
      Known known = known_of(map);
      forget_beyond(known, self, edges, hops);
      EXPECT_EQ(map_of(known), expected);
    }
  }
}

}  // namespace
}  // namespace bellwether::algorithms
