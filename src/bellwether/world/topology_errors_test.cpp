// SPDX-License-Identifier: MIT
// Every way to describe a network wrongly: the key at fault and the cure.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <limits>

#include "bellwether/core/problem.hpp"
#include "bellwether/world/topology.hpp"

namespace bellwether::world {
namespace {

NetworkSpec spec_of(std::string topology, NodeIndex nodes) {
  NetworkSpec spec;
  spec.topology = std::move(topology);
  spec.nodes = nodes;
  return spec;
}

void expect_bad(const NetworkSpec& spec, const std::string& key, const std::string& part) {
  try {
    build_network(spec, 1);
    ADD_FAILURE() << spec.topology << " was built; expected: " << part;
  } catch (const core::Problem& bad) {
    EXPECT_EQ(bad.key(), key) << bad.what();
    EXPECT_NE(bad.sentence().find(part), std::string::npos) << bad.what();
  }
}

TEST(TopologyErrors, Nodes) {
  for (const TopologyFact& fact : topologies())
    if (fact.name != "file") expect_bad(spec_of(std::string(fact.name), 0), "nodes", "nodes");
  expect_bad(spec_of("line", 3'000'000'000), "nodes", "at most 2147483647 of each");
  expect_bad(spec_of("complete", 100'000), "nodes", "100000 nodes and 4999950000 links");
  expect_bad(spec_of("hypercube", 1u << 30), "nodes", "choose a smaller network");
  expect_bad(spec_of("torus", 1u << 30), "nodes", "choose a smaller network");
}

TEST(TopologyErrors, Rings) {
  expect_bad(spec_of("ring", 2), "nodes", "a two-way ring needs at least 3 nodes; it has 2");
  NetworkSpec spec = spec_of("ring", 1);
  spec.one_way = true;
  expect_bad(spec, "nodes", "a one-way ring needs at least 2 nodes; it has 1");
  for (const TopologyFact& fact : topologies()) {
    if (fact.name == "ring") continue;
    spec = spec_of(std::string(fact.name), 16);
    spec.one_way = true;
    expect_bad(spec, "one_way", "only a ring can be one-way; leave one_way out");
  }
}

TEST(TopologyErrors, UnknownNames) {
  expect_bad(spec_of("rign", 5), "topology", "unknown topology \"rign\"; did you mean \"ring\"?");
  expect_bad(spec_of("zzzzzz", 5), "topology", "known are line, ring, star");
}

TEST(TopologyErrors, Trees) {
  NetworkSpec spec = spec_of("tree", 5);
  spec.branching = 0;
  expect_bad(spec, "branching", "branching = 2");
}

TEST(TopologyErrors, Grids) {
  for (const std::string name : {"grid", "torus"}) {
    NetworkSpec spec = spec_of(name, 10);
    spec.rows = 3;
    expect_bad(spec, "nodes", "choose a multiple of 3");
    spec.columns = 4;
    expect_bad(spec, "nodes", "3 rows of 4 make 12 nodes, not 10");
    spec.nodes = 0;
    spec.columns = 0;
    expect_bad(spec, "columns", "give columns as well");
    spec.columns = 3;
    spec.rows = 0;
    expect_bad(spec, "rows", "give rows as well");
    spec.rows = 100'000;
    spec.columns = 100'000;
    expect_bad(spec, "rows", "at most 2147483647 of each");
  }
}

TEST(TopologyErrors, Hypercubes) {
  expect_bad(spec_of("hypercube", 12), "nodes", "choose 8 or 16 instead of 12");
}

TEST(TopologyErrors, Degrees) {
  for (const std::string name : {"erdos-renyi", "geometric", "edge-markovian"}) {
    NetworkSpec spec = spec_of(name, 10);
    for (const double degree : {-0.5, 9.5, std::numeric_limits<double>::quiet_NaN()}) {
      spec.degree = degree;
      expect_bad(spec, "degree", "with 10 nodes it must be from 0 to 9");
    }
    spec.nodes = 1;
    spec.degree = 1;
    expect_bad(spec, "degree", "with 1 node it must be from 0 to 0, not 1");
    spec.degree = 0;
    EXPECT_EQ(build_network(spec, 1).nodes, 1u);
    spec.nodes = 1'000'000;
    spec.degree = 10'000;
    expect_bad(spec, "degree", "1000000 nodes and 5000000000 links");
  }
}

TEST(TopologyErrors, BarabasiAlbert) {
  NetworkSpec spec = spec_of("barabasi-albert", 10);
  for (const NodeIndex attach : {0u, 10u, 4'000'000'000u}) {
    spec.attach = attach;
    expect_bad(spec, "attach", "the number of nodes, 10, not " + std::to_string(attach));
  }
}

TEST(TopologyErrors, WattsStrogatz) {
  NetworkSpec spec = spec_of("watts-strogatz", 10);
  for (const NodeIndex near : {0u, 3u}) {
    spec.near = near;
    expect_bad(spec, "near", "(neighbours on both sides of a node), not " + std::to_string(near));
  }
  spec.near = 10;
  expect_bad(spec, "near", "a node cannot have 10 neighbours among 10 nodes");
  spec.near = 4;
  for (const double rewire : {-0.1, 1.5, std::numeric_limits<double>::quiet_NaN()}) {
    spec.rewire = rewire;
    expect_bad(spec, "rewire", "from 0 to 1");
  }
}

TEST(TopologyErrors, Files) {
  const std::string path = testing::TempDir() + "bellwether-" + std::to_string(getpid()) + ".edges";
  std::ofstream(path) << "1 2\n2 3\n3 1\n";
  NetworkSpec spec = spec_of("file", 0);
  spec.file = path;
  EXPECT_TRUE(is_ring(build_network(spec, 1)));
  spec.nodes = 3;
  EXPECT_EQ(build_network(spec, 1).nodes, 3u);
  spec.nodes = 4;
  expect_bad(spec, "nodes", "the file has 3 nodes, not 4; leave nodes out");
  std::ofstream(path) << "1 2\n1\n";
  EXPECT_THROW(build_network(spec, 1), core::Problem);
  std::remove(path.c_str());
  expect_bad(spec, "file", "check the path");
  spec.file.clear();
  expect_bad(spec, "file", "file = ");
}

TEST(TopologyErrors, Ids) {
  NetworkSpec spec;
  spec.ids = "ascendign";
  try {
    assign_ids(spec, 3, 1);
    ADD_FAILURE() << "accepted";
  } catch (const core::Problem& bad) {
    EXPECT_EQ(bad.key(), "ids");
    EXPECT_EQ(bad.sentence(), "unknown order of ids \"ascendign\"; did you mean \"ascending\"?");
  }
}

}  // namespace
}  // namespace bellwether::world
