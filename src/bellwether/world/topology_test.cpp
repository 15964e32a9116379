// SPDX-License-Identifier: MIT
#include "bellwether/world/topology.hpp"
#include "bellwether/core/problem.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "bellwether/graph/components.hpp"
#include "bellwether/graph/distances.hpp"

namespace bellwether::world {
namespace {

using Links = std::vector<graph::Edge>;

NetworkSpec spec_of(std::string topology, NodeIndex nodes) {
  NetworkSpec spec;
  spec.topology = std::move(topology);
  spec.nodes = nodes;
  return spec;
}

Network build(std::string topology, NodeIndex nodes, std::uint64_t seed = 1) {
  return build_network(spec_of(std::move(topology), nodes), seed);
}

graph::Graph graph_of(const Network& network) {
  return {network.nodes, network.links, network.direction};
}

/// How many nodes have how many neighbours.
std::map<std::size_t, NodeIndex> degrees(const Network& network) {
  const graph::Graph graph = graph_of(network);
  std::map<std::size_t, NodeIndex> out;
  for (NodeIndex u = 0; u < graph.size(); ++u) ++out[graph.neighbours(u).size()];
  return out;
}

using Degrees = std::map<std::size_t, NodeIndex>;

std::uint32_t parts_of(const Network& network) {
  return graph::components(network.nodes, network.links).count;
}

double mean_degree(const Network& network) {
  return 2.0 * static_cast<double>(network.links.size()) / network.nodes;
}

/// Ends in range, no loops, no link twice.
void expect_simple(const Network& network) {
  Links seen;
  for (const auto& [a, b] : network.links) {
    ASSERT_LT(a, network.nodes);
    ASSERT_LT(b, network.nodes);
    ASSERT_NE(a, b);
    const bool one_way = network.direction == graph::Direction::one_way;
    seen.push_back(one_way ? graph::Edge{a, b} : graph::Edge{std::min(a, b), std::max(a, b)});
  }
  std::ranges::sort(seen);
  EXPECT_EQ(std::ranges::adjacent_find(seen), seen.end());
}

TEST(Topology, EveryNameIsKnownOnceAndDescribed) {
  std::vector<std::string_view> names;
  for (const TopologyFact& fact : topologies()) {
    names.push_back(fact.name);
    EXPECT_FALSE(fact.description.empty());
    EXPECT_FALSE(fact.keys.empty());
  }
  EXPECT_EQ(names, (std::vector<std::string_view>{
                       "line", "ring", "star", "tree", "grid", "torus", "hypercube", "complete",
                       "erdos-renyi", "geometric", "barabasi-albert", "watts-strogatz",
                       "edge-markovian", "single", "radio", "highway", "file"}));
}

TEST(Topology, Line) {
  EXPECT_EQ(build("line", 4).links, (Links{{0, 1}, {1, 2}, {2, 3}}));
  EXPECT_TRUE(build("line", 1).links.empty());
  EXPECT_EQ(graph::diameter(graph_of(build("line", 50))), 49u);
}

TEST(Topology, Ring) {
  const Network network = build("ring", 5);
  EXPECT_EQ(network.links, (Links{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}}));
  EXPECT_EQ(network.direction, graph::Direction::both_ways);
  EXPECT_EQ(graph::diameter(graph_of(network)), 2u);
}

TEST(Topology, OneWayRing) {
  NetworkSpec spec = spec_of("ring", 2);
  spec.one_way = true;
  const Network pair = build_network(spec, 1);
  EXPECT_EQ(pair.links, (Links{{0, 1}, {1, 0}}));
  EXPECT_EQ(pair.direction, graph::Direction::one_way);
  spec.nodes = 9;
  const Network network = build_network(spec, 1);
  EXPECT_EQ(degrees(network), (Degrees{{1, 9}}));
  EXPECT_EQ(graph::diameter(graph_of(network)), 8u);
}

TEST(Topology, Star) {
  const Network network = build("star", 6);
  EXPECT_EQ(degrees(network), (Degrees{{1, 5}, {5, 1}}));
  EXPECT_EQ(graph::eccentricity(graph_of(network), 0), 1u);
}

TEST(Topology, Tree) {
  EXPECT_EQ(build("tree", 6).links, (Links{{0, 1}, {0, 2}, {1, 3}, {1, 4}, {2, 5}}));
  NetworkSpec spec = spec_of("tree", 13);
  spec.branching = 3;
  const Network network = build_network(spec, 1);
  EXPECT_EQ(degrees(network), (Degrees{{1, 9}, {3, 1}, {4, 3}}));
  EXPECT_EQ(graph::eccentricity(graph_of(network), 0), 2u);
  spec.branching = 1;
  EXPECT_EQ(build_network(spec, 1).links, build("line", 13).links);
}

TEST(Topology, Grid) {
  NetworkSpec spec = spec_of("grid", 0);
  spec.rows = 2;
  spec.columns = 3;
  const Network network = build_network(spec, 1);
  EXPECT_EQ(network.nodes, 6u);
  EXPECT_EQ(network.links, (Links{{0, 1}, {0, 3}, {1, 2}, {1, 4}, {2, 5}, {3, 4}, {4, 5}}));
  spec.nodes = 6;
  EXPECT_EQ(build_network(spec, 1).links, network.links);
  spec.columns = 0;
  EXPECT_EQ(build_network(spec, 1).links, network.links);
  spec.rows = 0;
  EXPECT_EQ(build_network(spec, 1).links, network.links);
  spec.columns = 3;
  EXPECT_EQ(build_network(spec, 1).links, network.links);
}

TEST(Topology, GridIsAsSquareAsCanBe) {
  EXPECT_EQ(degrees(build("grid", 12)), (Degrees{{2, 4}, {3, 6}, {4, 2}}));  // 3 by 4
  EXPECT_EQ(build("grid", 7).links, build("line", 7).links);
  EXPECT_EQ(degrees(build("grid", 100)), (Degrees{{2, 4}, {3, 32}, {4, 64}}));
}

TEST(Topology, Torus) {
  const Network network = build("torus", 20);  // 4 by 5
  EXPECT_EQ(degrees(network), (Degrees{{4, 20}}));
  EXPECT_EQ(network.links.size(), 40u);
  EXPECT_EQ(graph::diameter(graph_of(network)), 4u);
  EXPECT_EQ(degrees(build("torus", 4)), (Degrees{{2, 4}}));  // sides of two wrap to themselves
  EXPECT_EQ(degrees(build("torus", 6)), (Degrees{{3, 6}}));
  EXPECT_TRUE(is_ring(build("torus", 5)));
}

TEST(Topology, HypercubePortsFollowTheDimensions) {
  const Network network = build("hypercube", 16);
  EXPECT_EQ(degrees(network), (Degrees{{4, 16}}));
  EXPECT_EQ(graph::diameter(graph_of(network)), 4u);
  const graph::Graph graph = graph_of(network);
  for (NodeIndex u = 0; u < 16; ++u)
    for (NodeIndex d = 0; d < 4; ++d) EXPECT_EQ(graph.neighbours(u)[d], u ^ (1u << d));
  EXPECT_TRUE(build("hypercube", 1).links.empty());
}

TEST(Topology, CompletePortsAscend) {
  const Network network = build("complete", 7);
  EXPECT_EQ(network.links.size(), 21u);
  const graph::Graph graph = graph_of(network);
  for (NodeIndex u = 0; u < 7; ++u) {
    EXPECT_EQ(graph.neighbours(u).size(), 6u);
    EXPECT_TRUE(std::ranges::is_sorted(graph.neighbours(u)));
  }
}

TEST(Topology, SingleHasNoLinks) {
  const Network network = build("single", 3);
  EXPECT_EQ(network.nodes, 3u);
  EXPECT_EQ(parts_of(network), 3u);
}

TEST(Topology, ErdosRenyiMeetsItsDegree) {
  NetworkSpec spec = spec_of("erdos-renyi", 20'000);
  for (const double degree : {0.5, 4.0, 20.0}) {
    spec.degree = degree;
    const Network network = build_network(spec, 3);
    EXPECT_NEAR(mean_degree(network), degree, 0.05 * degree);
    EXPECT_TRUE(std::ranges::is_sorted(network.links, {},
                                       [](const graph::Edge& e) { return std::pair(e.b, e.a); }));
  }
}

TEST(Topology, ErdosRenyiAtItsEnds) {
  NetworkSpec spec = spec_of("erdos-renyi", 30);
  spec.degree = 0;
  EXPECT_TRUE(build_network(spec, 1).links.empty());
  spec.degree = 29;
  EXPECT_TRUE(is_complete(build_network(spec, 1)));
  spec.degree = 1e-300;
  EXPECT_TRUE(build_network(spec, 1).links.empty());
}

TEST(Topology, ErdosRenyiTreatsAllPairsAlike) {
  NetworkSpec spec = spec_of("erdos-renyi", 5);
  spec.degree = 1;
  std::map<graph::Edge, int> count;
  const int seeds = 8000;
  for (int seed = 0; seed < seeds; ++seed)
    for (const graph::Edge& e : build_network(spec, static_cast<std::uint64_t>(seed)).links)
      ++count[e];
  ASSERT_EQ(count.size(), 10u);
  for (const auto& [pair, n] : count) EXPECT_NEAR(n, seeds / 4, 200);  // five deviations
}

TEST(Topology, EdgeMarkovianBeginsAsErdosRenyi) {
  EXPECT_EQ(build("edge-markovian", 500, 9).links, build("erdos-renyi", 500, 9).links);
}

TEST(Topology, GeometricLinksExactlyThoseInReach) {
  NetworkSpec spec = spec_of("geometric", 300);
  for (const double degree : {0.0, 1.0, 6.0, 40.0, 299.0}) {
    spec.degree = degree;
    const Network network = build_network(spec, 5);
    ASSERT_EQ(network.places.size(), 300u);
    const double reach = reach_for_degree(300, degree);
    EXPECT_NEAR(3.14159265358979 * reach * reach * 299, degree, 1e-9);
    Links expected;
    for (NodeIndex u = 0; u < 300; ++u)
      for (NodeIndex v = u + 1; v < 300; ++v)
        if (std::hypot(network.places[u].x - network.places[v].x,
                       network.places[u].y - network.places[v].y) <= reach)
          expected.push_back({u, v});
    EXPECT_EQ(network.links, expected);
  }
}

TEST(Topology, LinksWithinWorksOutsideTheSquare) {
  const std::vector<Point> places{{-3, 0.5}, {-2.95, 0.5}, {0.05, 0.5}, {7, 9}, {7, 9.1}, {1, 1}};
  EXPECT_EQ(links_within(places, 0.11), (Links{{0, 1}, {3, 4}}));
  EXPECT_EQ(links_within(places, 100).size(), 15u);
  EXPECT_TRUE(links_within({}, 0.1).empty());
  EXPECT_TRUE(links_within(places, 0).empty());
}

TEST(Topology, LinksWithinFindsThoseExactlyInReach) {
  std::vector<Point> places;
  for (int i = 0; i < 100; ++i) places.push_back({i % 10 / 8.0, i / 10 / 8.0});
  EXPECT_EQ(links_within(places, 1 / 8.0).size(), 180u);
}

TEST(Topology, GeometricMeetsItsDegreeButForTheBorder) {
  NetworkSpec spec = spec_of("geometric", 20'000);
  spec.degree = 10;
  const double mean = mean_degree(build_network(spec, 2));
  EXPECT_LT(mean, 10.1);
  EXPECT_GT(mean, 9.5);
}

TEST(Topology, BarabasiAlbert) {
  NetworkSpec spec = spec_of("barabasi-albert", 5000);
  for (const NodeIndex attach : {1u, 2u, 5u}) {
    spec.attach = attach;
    const Network network = build_network(spec, 4);
    EXPECT_EQ(network.links.size(), attach * (5000 - attach));
    EXPECT_EQ(parts_of(network), 1u);
    const Degrees seen = degrees(network);
    EXPECT_GT(seen.rbegin()->first, 60u);  // a hub; evenly drawn links would give about 20
    std::vector<NodeIndex> linked(5000, 0);
    for (const graph::Edge& e : network.links) ++linked[e.b];
    for (NodeIndex u = attach; u < 5000; ++u) EXPECT_EQ(linked[u], attach);
  }
  spec.nodes = 6;
  EXPECT_EQ(degrees(build_network(spec, 4)), (Degrees{{1, 5}, {5, 1}}));
}

TEST(Topology, BarabasiAlbertPrefersTheWellLinked) {
  NetworkSpec spec = spec_of("barabasi-albert", 3);
  spec.attach = 1;
  int first = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed)
    first += build_network(spec, seed).links[1].a == 0 ? 1 : 0;
  EXPECT_NEAR(first, 1000, 120);  // two ends, one each
  spec.nodes = 4;
  int centre = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Links links = build_network(spec, seed).links;
    centre += links[2].a == links[1].a ? 1 : 0;  // the middle of the line of three
  }
  EXPECT_NEAR(centre, 1000, 120);  // two ends of four
}

TEST(Topology, WattsStrogatz) {
  NetworkSpec spec = spec_of("watts-strogatz", 1000);
  spec.rewire = 0;
  const Network lattice = build_network(spec, 1);
  EXPECT_EQ(degrees(lattice), (Degrees{{4, 1000}}));
  EXPECT_EQ(graph::diameter(graph_of(lattice)), 250u);
  spec.rewire = 0.1;
  const Network small = build_network(spec, 1);
  EXPECT_EQ(small.links.size(), 2000u);
  int moved = 0;
  for (std::size_t i = 0; i < 2000; ++i) {
    EXPECT_EQ(small.links[i].a, lattice.links[i].a);
    moved += small.links[i].b != lattice.links[i].b ? 1 : 0;
  }
  EXPECT_NEAR(moved, 200, 70);
  EXPECT_LT(graph::diameter(graph_of(small)), 30u);
  spec.near = 2;
  spec.rewire = 0;
  EXPECT_EQ(build_network(spec, 1).links, build("ring", 1000).links);
}

TEST(Topology, WattsStrogatzRewiresEvenlyAndBearsFullNodes) {
  NetworkSpec spec = spec_of("watts-strogatz", 8);
  spec.near = 2;
  spec.rewire = 1;
  std::map<NodeIndex, int> target;  // of the first link, which leads from node 0
  for (std::uint64_t seed = 0; seed < 5000; ++seed) ++target[build_network(spec, seed).links[0].b];
  ASSERT_EQ(target.size(), 5u);  // neither 0 nor its neighbours 1 and 7
  for (const auto& [node, count] : target) EXPECT_NEAR(count, 1000, 150) << node;
  spec.nodes = 7;
  spec.near = 6;
  EXPECT_TRUE(is_complete(build_network(spec, 1)));
}

TEST(Topology, LinksAreSimpleInEveryFamily) {
  for (const TopologyFact& fact : topologies()) {
    if (fact.name == "file") continue;
    for (const NodeIndex nodes : {8u, 16u, 64u, 128u})
      for (std::uint64_t seed = 0; seed < 5; ++seed) {
        SCOPED_TRACE(std::string(fact.name) + " " + std::to_string(nodes));
        NetworkSpec spec = spec_of(std::string(fact.name), nodes);
        spec.near = 6;
        spec.attach = 4;
        spec.rewire = 0.5;
        spec.degree = 7;
        const Network network = build_network(spec, seed);
        EXPECT_EQ(network.nodes, nodes);
        expect_simple(network);
        const bool wireless = fact.description.find("needs [mobility]") != fact.description.npos;
        if (fact.keys.find("degree") == fact.keys.npos && fact.name != "single" && !wireless &&
            fact.name != "watts-strogatz") {
          EXPECT_EQ(parts_of(network), 1u);
        }
      }
  }
}

TEST(Topology, SeedsDecideRandomFamiliesAndNoOthers) {
  for (const TopologyFact& fact : topologies()) {
    if (fact.name == "file") continue;
    SCOPED_TRACE(fact.name);
    const std::string name(fact.name);
    EXPECT_EQ(build(name, 64, 1).links, build(name, 64, 1).links);
    const bool random = name == "erdos-renyi" || name == "geometric" || name == "barabasi-albert" ||
                        name == "watts-strogatz" || name == "edge-markovian";
    EXPECT_EQ(build(name, 64, 1).links != build(name, 64, 2).links, random);
  }
}

TEST(Topology, AMillionNodes) {
  for (const std::string name : {"erdos-renyi", "geometric"}) {
    const Network network = build(name, 1'000'000);
    EXPECT_EQ(network.nodes, 1'000'000u);
    EXPECT_NEAR(mean_degree(network), 4, 0.05);
    expect_simple(network);
  }
  EXPECT_EQ(build("barabasi-albert", 1'000'000).links.size(), 2u * 999'998);
  EXPECT_EQ(build("watts-strogatz", 1'000'000).links.size(), 2'000'000u);
  EXPECT_EQ(build("torus", 1'000'000).links.size(), 2'000'000u);
}

TEST(Ids, OrdersAndAnonymity) {
  using Ids = std::vector<NodeId>;
  NetworkSpec spec;
  EXPECT_EQ(assign_ids(spec, 3, 1), (Ids{NodeId{1}, NodeId{2}, NodeId{3}}));
  spec.ids = "descending";
  EXPECT_EQ(assign_ids(spec, 3, 1), (Ids{NodeId{3}, NodeId{2}, NodeId{1}}));
  spec.ids = "random";
  Ids drawn = assign_ids(spec, 100, 1);
  EXPECT_EQ(drawn, assign_ids(spec, 100, 1));
  EXPECT_NE(drawn, assign_ids(spec, 100, 2));
  std::ranges::sort(drawn);
  spec.ids = "ascending";
  EXPECT_EQ(drawn, assign_ids(spec, 100, 1));
  spec.ids = "bit-reversed";
  EXPECT_EQ(assign_ids(spec, 8, 1), (Ids{NodeId{1}, NodeId{5}, NodeId{3}, NodeId{7}, NodeId{2},
                                         NodeId{6}, NodeId{4}, NodeId{8}}));
  drawn = assign_ids(spec, 100, 1);  // also where n is no power of two
  std::ranges::sort(drawn);
  spec.ids = "ascending";
  EXPECT_EQ(drawn, assign_ids(spec, 100, 1));
  spec.names = {NodeId{70}, NodeId{5}};
  EXPECT_EQ(assign_ids(spec, 2, 1), spec.names);
  EXPECT_THROW(assign_ids(spec, 3, 1), core::Problem);
  spec.names = {NodeId{5}, NodeId{5}};
  EXPECT_THROW(assign_ids(spec, 2, 1), core::Problem);
  spec.names.clear();
  spec.anonymous = true;
  EXPECT_EQ(assign_ids(spec, 2, 1), (Ids{NodeId{0}, NodeId{0}}));
}

TEST(Shapes, OrientedRings) {
  EXPECT_TRUE(is_oriented_ring(build("ring", 3)));
  EXPECT_TRUE(is_oriented_ring(build("ring", 9)));
  EXPECT_FALSE(is_oriented_ring(build("line", 3)));
  const Network square = build("grid", 4);  // a ring, but its links point towards the last node
  EXPECT_TRUE(is_ring(square));
  EXPECT_FALSE(is_oriented_ring(square));
}

TEST(Shapes, Rings) {
  EXPECT_TRUE(is_ring(build("ring", 3)));
  EXPECT_TRUE(is_ring(build("complete", 3)));
  EXPECT_TRUE(is_ring(build("grid", 4)));
  EXPECT_FALSE(is_ring(build("line", 5)));
  EXPECT_FALSE(is_ring(build("star", 5)));
  Network network;
  network.nodes = 6;
  network.links = {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}};
  EXPECT_FALSE(is_ring(network));  // two rings
  network.links = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {3, 4}, {4, 5}};
  EXPECT_FALSE(is_ring(network));
  network.nodes = 3;
  network.links = {{0, 1}, {1, 2}, {2, 0}};
  network.direction = graph::Direction::one_way;
  EXPECT_TRUE(is_ring(network));
  network.links = {{0, 1}, {1, 2}, {0, 2}};
  EXPECT_FALSE(is_ring(network));
  EXPECT_FALSE(is_ring(Network{}));
}

TEST(Shapes, CompleteNetworks) {
  EXPECT_TRUE(is_complete(build("complete", 1)));
  EXPECT_TRUE(is_complete(build("complete", 9)));
  EXPECT_TRUE(is_complete(build("line", 2)));
  EXPECT_TRUE(is_complete(build("ring", 3)));
  EXPECT_FALSE(is_complete(build("ring", 4)));
  EXPECT_FALSE(is_complete(Network{}));
  NetworkSpec spec = spec_of("ring", 2);
  spec.one_way = true;
  EXPECT_TRUE(is_complete(build_network(spec, 1)));
  spec.nodes = 3;
  EXPECT_FALSE(is_complete(build_network(spec, 1)));
}

}  // namespace
}  // namespace bellwether::world
