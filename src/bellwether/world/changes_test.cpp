// SPDX-License-Identifier: MIT
#include "bellwether/world/changes.hpp"
#include "bellwether/core/problem.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "bellwether/world/topology.hpp"

namespace bellwether::world {
namespace {

using namespace std::chrono_literals;
using enum ChangeKind;

Network network_of(std::string topology, NodeIndex nodes) {
  NetworkSpec spec;
  spec.topology = std::move(topology);
  spec.nodes = nodes;
  return build_network(spec, 1);
}

/// 1, 2, 3, ...: the node at place i is called i + 1.
std::vector<NodeId> names(NodeIndex nodes) {
  std::vector<NodeId> out;
  for (NodeIndex i = 0; i < nodes; ++i) out.push_back(NodeId{i + 1});
  return out;
}

std::vector<Change> all_of(Changes& changes) {
  std::vector<Change> out;
  while (const auto change = changes.next()) out.push_back(*change);
  EXPECT_FALSE(changes.next()) << "the end of a stream stays its end";
  return out;
}

std::vector<Change> made(const ChangeSpec& spec, const Network& network, std::uint64_t seed = 1) {
  return all_of(*make_changes(spec, network, names(network.nodes), seed));
}

bool in_order(const std::vector<Change>& changes) {
  return std::is_sorted(changes.begin(), changes.end(),
                        [](const Change& x, const Change& y) { return x.at < y.at; });
}

/// The key and the sentence of the complaint.
std::pair<std::string, std::string> complaint(const ChangeSpec& spec, const Network& network) {
  try {
    made(spec, network);
  } catch (const core::Problem& bad) {
    return {bad.key(), bad.sentence()};
  }
  return {"none", ""};
}

TEST(LinkBook, LinksOfTheNetworkKeepTheirPlaces) {
  const Network ring = network_of("ring", 4);
  LinkBook book(ring);
  EXPECT_EQ(book.original(), 4u);
  for (LinkIndex i = 0; i < 4; ++i) {
    EXPECT_EQ(book.ends(i), ring.links[i]);
    EXPECT_EQ(book.number(ring.links[i]), i);
    EXPECT_EQ(book.number({ring.links[i].b, ring.links[i].a}), i) << "whichever end comes first";
  }
  EXPECT_EQ(book.size(), 4u);
}

TEST(LinkBook, NewLinksCountOn) {
  LinkBook book(network_of("line", 4));
  EXPECT_EQ(book.number({2, 0}), 3u);
  EXPECT_EQ(book.number({1, 3}), 4u);
  EXPECT_EQ(book.number({0, 2}), 3u);
  EXPECT_EQ(book.ends(3), (graph::Edge{0, 2}));
  EXPECT_EQ(book.size(), 5u);
  EXPECT_EQ(book.original(), 3u);
}

TEST(Script, ComesInTheOrderOfTime) {
  ChangeSpec spec;
  spec.script = {{30ms, link_up, NodeId{3}, NodeId{1}},
                 {10ms, link_down, NodeId{2}, NodeId{1}},
                 {10ms, crash, NodeId{3}},
                 {20ms, restart, NodeId{3}, NodeId{}, true}};
  const std::vector<Change> expected{{10ms, link_down, 0, {0, 1}},
                                     {10ms, crash, 0, {2, 0}},
                                     {20ms, restart, 0, {2, 0}, true},
                                     {30ms, link_up, 2, {0, 2}}};
  EXPECT_EQ(made(spec, network_of("line", 3)), expected);
}

TEST(Script, NodesAreFoundByTheirIds) {
  ChangeSpec spec;
  spec.script = {{1ms, crash, NodeId{40}}, {2ms, link_down, NodeId{40}, NodeId{20}}};
  const Network line = network_of("line", 3);
  const auto changes = all_of(*make_changes(spec, line, {NodeId{9}, NodeId{40}, NodeId{20}}, 1));
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].ends.a, 1u);
  EXPECT_EQ(changes[1].ends, (graph::Edge{1, 2}));
  EXPECT_EQ(changes[1].link, 1u);
}

TEST(Script, WhatCannotBeIsRefused) {
  const Network line = network_of("line", 3);
  ChangeSpec spec;
  spec.script = {{1ms, crash, NodeId{4}}};
  const std::pair<std::string, std::string> unknown{"change", "there is no node 4 in this network"};
  EXPECT_EQ(complaint(spec, line), unknown);
  spec.script = {{1ms, link_up, NodeId{1}, NodeId{4}}};
  EXPECT_EQ(complaint(spec, line), unknown);
  spec.script.clear();
  spec.partitions = {{1ms, false, {{NodeId{1}}, {NodeId{4}}}}};
  EXPECT_EQ(complaint(spec, line), unknown);
  spec.partitions.clear();
  spec.script = {{1ms, link_down, NodeId{2}, NodeId{2}}};
  EXPECT_EQ(complaint(spec, line).first, "change");
  EXPECT_EQ(complaint(spec, line).second, "node 2 cannot be linked to itself; name two nodes");
}

/// The links that change at one moment; all of them in the same direction.
std::set<LinkIndex> links_at(const std::vector<Change>& changes, Time at, ChangeKind kind) {
  std::set<LinkIndex> out;
  for (const Change& c : changes) {
    if (c.at != at) continue;
    EXPECT_EQ(c.kind, kind);
    EXPECT_TRUE(out.insert(c.link).second) << "link " << c.link << " twice";
  }
  return out;
}

TEST(Partition, CutsTheLinksBetweenGroupsAndHealingJoinsThem) {
  const Network ring = network_of("ring", 6);  // link i from node i+1 to the next, by id
  ChangeSpec spec;
  spec.partitions = {{20ms, true, {}},
                     {10ms, false, {{NodeId{1}, NodeId{2}, NodeId{3}}, {NodeId{4}, NodeId{5}}}},
                     {30ms, true, {}}};
  const auto changes = made(spec, ring);
  EXPECT_TRUE(in_order(changes));
  // Node 6 is in no group: the rest is a group of its own.
  EXPECT_EQ(links_at(changes, 10ms, link_down), (std::set<LinkIndex>{2, 4, 5}));
  EXPECT_EQ(links_at(changes, 20ms, link_up), (std::set<LinkIndex>{2, 4, 5}));
  EXPECT_TRUE(links_at(changes, 30ms, link_up).empty()) << "healed already";
  for (const Change& c : changes) EXPECT_EQ(c.ends, ring.links[c.link]);
}

TEST(Partition, ASecondOneCutsOnlyWhatIsLeft) {
  ChangeSpec spec;
  spec.partitions = {{10ms, false, {{NodeId{1}, NodeId{2}}}},
                     {20ms, false, {{NodeId{1}, NodeId{2}, NodeId{3}}}},
                     {30ms, true, {}}};
  const auto changes = made(spec, network_of("line", 5));
  EXPECT_EQ(links_at(changes, 10ms, link_down), (std::set<LinkIndex>{1}));
  EXPECT_EQ(links_at(changes, 20ms, link_down), (std::set<LinkIndex>{2}));
  EXPECT_EQ(links_at(changes, 30ms, link_up), (std::set<LinkIndex>{1, 2}));
}

TEST(Outages, OfLinksAlternateAndEnd) {
  const Network grid = network_of("grid", 16);
  ChangeSpec spec;
  spec.links = {50, 200ms, 1s, 21s};
  const auto changes = made(spec, grid);
  EXPECT_TRUE(in_order(changes));
  std::set<LinkIndex> down;
  std::size_t failures = 0;
  for (const Change& c : changes) {
    EXPECT_GE(c.at, 1s);
    EXPECT_LE(c.at, 21s);
    EXPECT_EQ(c.ends, grid.links.at(c.link));
    if (c.kind == link_down) {
      EXPECT_TRUE(down.insert(c.link).second) << "down while it is down";
      ++failures;
    } else {
      ASSERT_EQ(c.kind, link_up);
      EXPECT_EQ(down.erase(c.link), 1u) << "up without having been down";
    }
  }
  EXPECT_TRUE(down.empty()) << "all are up again by `until`";
  // A failure that meets a link that is down already does nothing: 24 links, each away for 0.2 s
  // in 0.48 + 0.2 s; 50 * 20 * (1 - 0.2 / 0.68).
  EXPECT_NEAR(static_cast<double>(failures), 1000 * (1 - 0.2 / 0.68), 5 * std::sqrt(700.0));
}

TEST(Outages, LastAsLongAsAsked) {
  ChangeSpec spec;
  spec.links = {20, 50ms, 0s, 100s};
  std::map<LinkIndex, Time> since;
  double away = 0;
  int times = 0;
  for (const Change& c : made(spec, network_of("ring", 200))) {
    if (c.kind == link_down) {
      since[c.link] = c.at;
    } else {
      EXPECT_GT(c.at, since.at(c.link));
      away += core::seconds(c.at - since.at(c.link));
      ++times;
    }
  }
  EXPECT_NEAR(times, 2000, 5 * std::sqrt(2000.0));
  EXPECT_NEAR(away / times, 0.05, 5 * 0.05 / std::sqrt(2000.0));
}

TEST(Outages, OfNodesAlternateAndEnd) {
  for (const bool memory : {false, true}) {
    ChangeSpec spec;
    spec.crashes = {5, 100ms, memory, 0s, 40s};
    const auto changes = made(spec, network_of("ring", 50));
    EXPECT_TRUE(in_order(changes));
    std::set<NodeIndex> down;
    std::set<NodeIndex> ever;
    std::size_t crashes = 0;
    for (const Change& c : changes) {
      EXPECT_LE(c.at, 40s);
      ASSERT_LT(c.ends.a, 50u);
      if (c.kind == crash) {
        EXPECT_TRUE(down.insert(c.ends.a).second) << "it has crashed already";
        ever.insert(c.ends.a);
        ++crashes;
      } else {
        ASSERT_EQ(c.kind, restart);
        EXPECT_EQ(down.erase(c.ends.a), 1u) << "it was never away";
        EXPECT_EQ(c.memory, memory);
      }
    }
    EXPECT_TRUE(down.empty());
    EXPECT_GT(ever.size(), 44u) << "anybody can crash";  // 49 expected
    EXPECT_NEAR(static_cast<double>(crashes), 198, 5 * std::sqrt(200.0));
  }
}

TEST(Outages, NeedSomethingThatCanFail) {
  Network lonely;
  lonely.nodes = 1;
  ChangeSpec spec;
  spec.links = {5, 100ms, 0s, 10s};
  EXPECT_TRUE(made(spec, lonely).empty());
}

/// Applies births and deaths to a set of pairs; complains when they contradict it.
class LivingGraph {
 public:
  explicit LivingGraph(const Network& network) : book_(network) {
    for (LinkIndex i = 0; i < network.links.size(); ++i) present_.insert(i);
  }
  void apply(const Change& c, NodeIndex nodes) {
    ASSERT_LT(c.ends.a, nodes);
    ASSERT_LT(c.ends.b, nodes);
    ASSERT_NE(c.ends.a, c.ends.b);
    ASSERT_EQ(book_.number(c.ends), c.link) << "new links are numbered as they come";
    if (c.kind == link_up)
      EXPECT_TRUE(present_.insert(c.link).second) << "born while present";
    else
      EXPECT_EQ(present_.erase(c.link), 1u) << "died while absent";
  }
  std::size_t size() const { return present_.size(); }

 private:
  LinkBook book_;
  std::set<LinkIndex> present_;
};

TEST(EdgeMarkovian, BirthsAndDeathsAreConsistentAndKeepTheDegree) {
  const NodeIndex n = 60;
  const double birth = 0.02, death = 0.2;
  const Network network = network_of("ring", n);
  ChangeSpec spec;
  spec.markov = {birth, death, 100ms, 60s};
  LivingGraph graph(network);
  Time now{};
  double links = 0;
  int periods = 0;
  const auto changes = made(spec, network);
  EXPECT_TRUE(in_order(changes));
  for (const Change& c : changes) {
    EXPECT_EQ(c.at % 100ms, 0ms);
    EXPECT_LE(c.at, 60s);
    if (c.at != now && now > 5s) {  // the first seconds forget the ring
      links += static_cast<double>(graph.size());
      ++periods;
    }
    now = c.at;
    graph.apply(c, n);
  }
  EXPECT_EQ(now, 60s) << "the last period counts";
  // In the long run a pair is linked for a share birth / (birth + death) of the time. The mean
  // over 550 periods, each 0.78 times the one before: some 68 independent graphs.
  const double pairs = n * (n - 1) / 2.0;
  const double share = birth / (birth + death);
  EXPECT_NEAR(links / periods, pairs * share, 5 * std::sqrt(pairs * share * (1 - share) / 68));
}

TEST(EdgeMarkovian, RatesArePerPairAndPerLink) {
  const NodeIndex n = 50;
  const Network ring = network_of("ring", n);
  double births = 0, deaths = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    ChangeSpec spec;
    spec.markov = {0.1, 0.3, 1s, 1s};  // one period each
    for (const Change& c : made(spec, ring, seed)) (c.kind == link_up ? births : deaths) += 1;
  }
  const double absent = 200.0 * (n * (n - 1) / 2.0 - n), present = 200.0 * n;
  EXPECT_NEAR(births / absent, 0.1, 5 * std::sqrt(0.09 / absent));
  EXPECT_NEAR(deaths / present, 0.3, 5 * std::sqrt(0.21 / present));
}

TEST(EdgeMarkovian, BirthOneGivesTheCompleteNetworkAtOnce) {
  for (const NodeIndex n : {2u, 3u, 4u, 5u, 17u, 100u, 301u}) {
    Network empty;
    empty.nodes = n;
    ChangeSpec spec;
    spec.markov = {1, 0, 1s, 3s};
    std::set<graph::Edge> pairs;
    for (const Change& c : made(spec, empty)) {
      EXPECT_EQ(c.at, 1s);
      EXPECT_EQ(c.kind, link_up);
      ASSERT_LT(c.ends.a, c.ends.b);
      ASSERT_LT(c.ends.b, n);
      EXPECT_TRUE(pairs.insert(c.ends).second);
    }
    EXPECT_EQ(pairs.size(), std::size_t{n} * (n - 1) / 2) << n << " nodes";
  }
}

TEST(EdgeMarkovian, DeathOneEndsEverythingAtOnce) {
  const Network complete = network_of("complete", 8);
  ChangeSpec spec;
  spec.markov = {0, 1, 1s, 3s};
  const auto changes = made(spec, complete);
  EXPECT_EQ(links_at(changes, 1s, link_down).size(), complete.links.size());
  EXPECT_EQ(changes.size(), complete.links.size());
}

TEST(EdgeMarkovian, BothCertainMeansTurnAndTurnAbout) {
  const Network ring = network_of("ring", 5);
  ChangeSpec spec;
  spec.markov = {1, 1, 1s, 4s};
  LivingGraph graph(ring);
  std::map<Time, std::size_t> at;
  for (const Change& c : made(spec, ring)) {
    graph.apply(c, 5);
    ++at[c.at];
  }
  // A link that dies is not reborn in the same period: ring, diagonals, ring, diagonals.
  EXPECT_EQ(at, (std::map<Time, std::size_t>{{1s, 10}, {2s, 10}, {3s, 10}, {4s, 10}}));
}

/// A stream of crashes, told apart by the node.
class Fixed final : public Changes {
 public:
  Fixed(std::vector<Time> times, NodeIndex node) : times_(std::move(times)), node_(node) {}
  std::optional<Change> next() override {
    if (at_ == times_.size()) return std::nullopt;
    return Change{times_[at_++], crash, 0, {node_, 0}, false};
  }

 private:
  std::vector<Time> times_;
  NodeIndex node_;
  std::size_t at_ = 0;
};

TEST(Merged, IsSortedAndTheEarlierSourceGoesFirst) {
  std::vector<std::unique_ptr<Changes>> sources;
  sources.push_back(std::make_unique<Fixed>(std::vector<Time>{2ms, 5ms, 5ms}, 0));
  sources.push_back(std::make_unique<Fixed>(std::vector<Time>{}, 1));
  sources.push_back(std::make_unique<Fixed>(std::vector<Time>{1ms, 2ms, 5ms, 9ms}, 2));
  const auto both = merged(std::move(sources));
  std::vector<std::pair<Time, NodeIndex>> got;
  for (const Change& c : all_of(*both)) got.push_back({c.at, c.ends.a});
  EXPECT_EQ(got, (std::vector<std::pair<Time, NodeIndex>>{
                     {1ms, 2}, {2ms, 0}, {2ms, 2}, {5ms, 0}, {5ms, 0}, {5ms, 2}, {9ms, 2}}));
}

/// Those of one kind only: what one source has said.
std::vector<Change> only(const std::vector<Change>& changes, std::set<ChangeKind> kinds) {
  std::vector<Change> out;
  std::copy_if(changes.begin(), changes.end(), std::back_inserter(out),
               [&](const Change& c) { return kinds.contains(c.kind); });
  return out;
}

TEST(MakeChanges, SourcesDoNotDisturbEachOther) {
  const Network ring = network_of("ring", 20);
  ChangeSpec links, crashes, both;
  links.links = both.links = {10, 100ms, 0s, 10s};
  crashes.crashes = both.crashes = {3, 200ms, true, 0s, 10s};
  const auto all = made(both, ring);
  EXPECT_TRUE(in_order(all));
  EXPECT_EQ(only(all, {link_up, link_down}), made(links, ring));
  EXPECT_EQ(only(all, {crash, restart}), made(crashes, ring));
}

TEST(MakeChanges, TheSeedDecides) {
  const Network ring = network_of("ring", 20);
  ChangeSpec spec;
  spec.links = {10, 100ms, 0s, 5s};
  spec.crashes = {3, 200ms, true, 0s, 5s};
  spec.markov = {0.01, 0.1, 100ms, 5s};
  EXPECT_EQ(made(spec, ring, 4), made(spec, ring, 4));
  EXPECT_NE(made(spec, ring, 4), made(spec, ring, 5));
  EXPECT_TRUE(made({}, ring).empty());
}

}  // namespace
}  // namespace bellwether::world
