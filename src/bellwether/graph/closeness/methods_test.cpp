// SPDX-License-Identifier: MIT
// Cut vertices, cycles, and where the methods for large graphs come to the ends of their numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "bellwether/graph/closeness/blocks.hpp"
#include "bellwether/graph/closeness/checks_test.hpp"
#include "bellwether/graph/drawn_networks_test.hpp"

namespace bellwether::graph {
namespace {

using Flags = std::vector<std::uint8_t>;
using Links = std::vector<Edge>;

/// How many nodes hang together with `u` where `without` is taken away.
std::uint32_t part_of(const LocalGraph& local, std::uint32_t u, std::uint32_t without) {
  std::vector<std::uint32_t> found{u};
  Flags seen(local.size(), 0);
  seen[u] = seen[without] = 1;
  for (std::size_t i = 0; i < found.size(); ++i)
    for (const std::uint32_t v : local.neighbours(found[i])) {
      if (seen[v] == 0) found.push_back(v);
      seen[v] = 1;
    }
  return static_cast<std::uint32_t>(found.size());
}

TEST(CentroidBlock, IsTheDefinition) {
  core::Prng prng = core::stream(1, "blocks");
  int left_out = 0;
  int whole = 0;
  for (const drawn::Family& family : drawn::families())
    for (int round = 0; round < 25; ++round) {
      const drawn::Network net = drawn::dressed(family.draw(1 + drawn::any(40, prng), prng), prng);
      const LocalGraph local(Graph(net.nodes, net.links));
      const std::uint32_t n = local.size();
      const Flags allowed = centroid_block(local);
      for (std::uint32_t u = 0; u < n; ++u) {
        bool small = false;
        for (std::uint32_t c = 0; c < n; ++c) small |= c != u && part_of(local, u, c) * 2 < n;
        ASSERT_EQ(allowed[u], small ? 0 : 1) << family.name << ", round " << round;
        ++(small ? left_out : whole);
      }
    }
  EXPECT_GT(left_out, 1000);
  EXPECT_GT(whole, 1000);
}

/// What is left when leaves are taken away again and again.
Flags without_leaves(const LocalGraph& local) {
  Flags out(local.size(), 1);
  for (bool again = true; again;) {
    again = false;
    for (std::uint32_t u = 0; u < local.size(); ++u) {
      int links = 0;
      for (const std::uint32_t v : local.neighbours(u)) links += out[v];
      if (out[u] == 0 || links > 1) continue;
      out[u] = 0;
      again = true;
    }
  }
  return out;
}

/// Whether its nodes are the most central of the whole graph or not.
TEST(CentralOfCycle, IsTheBestOfTheCycle) {
  core::Prng prng = core::stream(1, "cycles");
  int cycles = 0;
  for (int round = 0; round < 600; ++round) {
    const NodeIndex n = 3 + drawn::any(round % 20 == 0 ? 400 : 40, prng);
    const Graph graph = drawn::dressed(drawn::ring_with_trees(n, prng), prng).graph();
    const LocalGraph local(graph);
    const Flags cycle = without_leaves(local);
    if (std::count(cycle.begin(), cycle.end(), 1) == 0) continue;  // a ring of one or two
    const auto all = plain::all_centrals(graph);
    Central expected{};
    for (std::uint32_t u = 0; u < local.size(); ++u)
      if (cycle[u] != 0 && plain::beats(all[local.names[u]], expected))
        expected = all[local.names[u]];
    const auto found = central_of_cycle(local, cycle);
    ASSERT_TRUE(found) << "round " << round;
    ASSERT_EQ(*found, expected) << "round " << round;
    ++cycles;
  }
  EXPECT_GT(cycles, 400);
}

/// Others than trees may hang on it: here cliques, one on each node.
TEST(CentralOfCycle, AnythingMayHangOnOneNode) {
  core::Prng prng = core::stream(1, "cliques");
  for (NodeIndex length = 3; length < 25; ++length) {
    drawn::Network net = drawn::ring(length, prng);
    for (NodeIndex on = 0; on < length; ++on) {
      const NodeIndex size = drawn::any(5, prng);
      for (NodeIndex i = 0; i < size; ++i) {
        net.links.push_back({on, net.nodes + i});
        for (NodeIndex j = 0; j < i; ++j) net.links.push_back({net.nodes + i, net.nodes + j});
      }
      net.nodes += size;
    }
    const Graph graph = drawn::dressed(net, prng).graph();
    const LocalGraph local(graph);
    const Central best = checks::best_of(plain::all_centrals(graph));
    const auto found = central_of_cycle(local, centroid_block(local));
    if (found) {
      EXPECT_EQ(*found, best) << length;
    }
    EXPECT_EQ(most_central(graph), best) << length;
  }
}

TEST(CentralOfCycle, NothingWhereThereIsNone) {
  const auto asked = [](NodeIndex n, const Links& links, const Flags& allowed_by_name) {
    const LocalGraph local{Graph(n, links)};
    Flags allowed;
    for (const NodeIndex name : local.names) allowed.push_back(allowed_by_name[name]);
    return central_of_cycle(local, allowed);
  };
  const Links square{{0, 1}, {1, 2}, {2, 3}, {3, 0}};
  EXPECT_EQ(asked(4, square, {1, 1, 1, 1}), (Central{3, 4, 4}));
  EXPECT_EQ(asked(4, square, {1, 1, 1, 0}), std::nullopt) << "a path";
  EXPECT_EQ(asked(4, square, {0, 1, 1, 0}), std::nullopt) << "a link";
  EXPECT_EQ(asked(4, square, {0, 0, 1, 0}), std::nullopt) << "a node";
  EXPECT_EQ(asked(4, square, {0, 0, 0, 0}), std::nullopt) << "nobody";
  EXPECT_EQ(asked(4, square, {1, 0, 1, 0}), std::nullopt) << "two alone";
  Links chord = square;
  chord.push_back({0, 2});
  EXPECT_EQ(asked(4, chord, {1, 1, 1, 1}), std::nullopt) << "a chord";
  Links handle = square;
  handle.insert(handle.end(), {{0, 4}, {4, 5}, {5, 2}});
  EXPECT_EQ(asked(6, handle, {1, 1, 1, 1, 0, 0}), std::nullopt) << "something hangs on two";
  Links two{{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 6}, {6, 3}};
  EXPECT_EQ(asked(7, two, {1, 1, 1, 1, 1, 1, 0}), std::nullopt) << "two cycles";
}

/// Node 0 gets that place, all others are dealt anew.
drawn::Network with_first(drawn::Network net, NodeIndex first, core::Prng& prng) {
  std::vector<NodeIndex> number;
  for (NodeIndex u = 1; u < net.nodes; ++u) number.push_back(u);
  core::shuffle(number, prng);
  number.insert(number.begin() + first, 0);
  for (auto& [a, b] : net.links) a = number[a], b = number[b];
  return net;
}

/// Distances as 16 bits hold them up to 4095 hops, sums of 32 of them up to 1023: on either side of
/// both. As seen from the middle, ways are twice as long as node 0 knows.
TEST(PlaneCentral, LongWays) {
  core::Prng prng = core::stream(1, "long");
  for (const NodeIndex farthest : {511u, 512u, 2047u, 2048u}) {
    const drawn::Network middle = with_first(drawn::path(2 * farthest + 1, prng), farthest, prng);
    const Graph path = middle.graph();
    const LocalGraph local(path);
    ASSERT_EQ(local.first_eccentricity, farthest);
    const auto all = plain::all_centrals(path);
    for (const NodeIndex places : {1u, 40u})
      for (const Processor processor : checks::processors())
        EXPECT_EQ(
            checks::plane(local, processor, plain::ranked(components(path), all, places).front()),
            "")
            << farthest << " hops";
  }
}

/// A ring and two long tails on opposite nodes: all of the ring are tied, so the winner may be far
/// from where the search begins, and no bound of many nodes may be too large.
TEST(PlaneCentral, LongWaysAndTies) {
  core::Prng prng = core::stream(1, "tails");
  constexpr NodeIndex around = 400;
  for (const NodeIndex farthest : {511u, 1500u, 2047u, 2048u, 4500u}) {
    drawn::Network net = drawn::ring(around, prng);
    for (const NodeIndex end : {0u, around / 2})
      for (NodeIndex i = 0; i < farthest - around / 4; ++i, ++net.nodes)
        net.links.push_back({i == 0 ? end : net.nodes - 1, net.nodes});
    const Graph graph = with_first(net, around / 4, prng).graph();
    const LocalGraph local(graph);
    ASSERT_EQ(local.first_eccentricity, farthest);
    const auto ranks = plain::ranked(components(graph), plain::all_centrals(graph), 2).front();
    ASSERT_EQ(ranks[0].sum, ranks[1].sum);
    for (const Processor processor : checks::processors())
      EXPECT_EQ(checks::plane(local, processor, ranks), "") << farthest << " hops";
  }
}

/// 32 bits: a ladder, a torus like a tube, and rings with rungs, all longer than 2048 hops.
TEST(PlaneCentral, LongAndWide) {
  core::Prng prng = core::stream(1, "wide");
  drawn::Network tube{3 * 1400, {}};
  for (NodeIndex u = 0; u < tube.nodes; ++u) {
    tube.links.push_back({u, u - u % 3 + (u + 1) % 3});
    if (u + 3 < tube.nodes) tube.links.push_back({u, u + 3});
  }
  for (NodeIndex u = tube.nodes; u < tube.nodes + 800; ++u)  // a tail
    tube.links.push_back({u == tube.nodes ? 0 : u - 1, u});
  tube.nodes += 800;
  for (const auto& [net, first] :
       {std::pair{drawn::ladder(4200, prng), 0u}, std::pair{tube, tube.nodes - 1}}) {
    const Graph graph = with_first(net, first, prng).graph();
    const LocalGraph local(graph);
    ASSERT_GE(local.first_eccentricity, 2048u);
    const auto ranks = plain::ranked(components(graph), plain::all_centrals(graph), 3).front();
    for (const Processor processor : checks::processors()) {
      EXPECT_EQ(checks::plane(local, processor, ranks), "");
      EXPECT_EQ(most_central(graph, processor), ranks.front());
    }
  }
}

/// Who may not win does not.
TEST(PlaneAndWalks, OnlyThoseWhoAreAllowed) {
  core::Prng prng = core::stream(1, "allowed");
  for (int round = 0; round < 150; ++round) {
    const drawn::Network net =
        drawn::network(1 + drawn::any(round % 5 == 0 ? 700 : 100, prng), prng);
    const Graph graph = net.graph();
    const LocalGraph local(graph);
    if (local.size() < graph.size()) continue;
    Flags allowed(local.size(), 0);
    allowed[drawn::any(local.size(), prng)] = 1;
    for (auto& each : allowed)
      if (prng.chance(0.3)) each = 1;
    const std::vector<Central> all = plain::all_centrals(graph);
    std::vector<Central> expected;
    for (std::uint32_t u = 0; u < local.size(); ++u)
      if (allowed[u] != 0) expected.push_back(all[local.names[u]]);
    std::sort(expected.begin(), expected.end(), plain::beats);
    expected.resize(1 + drawn::any(static_cast<NodeIndex>(expected.size()), prng));
    for (const Processor processor : checks::processors()) {
      Podium walk(expected.size());
      walk_central(local, allowed, processor, walk);
      ASSERT_EQ(walk.take(), expected) << "round " << round;
      Podium plane(expected.size());
      plane_central(local, Flags(local.size(), 1), allowed, processor, plane);
      ASSERT_EQ(plane.take(), expected) << "round " << round;
    }
  }
}

}  // namespace
}  // namespace bellwether::graph
