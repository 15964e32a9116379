// SPDX-License-Identifier: MIT
#include "bellwether/sim/links.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "bellwether/core/invariant.hpp"
#include "bellwether/core/prng.hpp"
#include "bellwether/world/topology.hpp"

namespace bellwether::sim {
namespace {

world::Network network_of(std::string topology, NodeIndex nodes, bool one_way = false) {
  world::NetworkSpec spec;
  spec.topology = std::move(topology);
  spec.nodes = nodes;
  spec.one_way = one_way;
  return world::build_network(spec, 3);
}

std::vector<Port> ports_of(const Links& links, NodeIndex u) {
  return {links.ports(u).begin(), links.ports(u).end()};
}

NodeIndex behind(const Links& links, NodeIndex u, Port port) {
  const End e = links.end_of(u, port);
  EXPECT_NE(e, no_end);
  return links.owner(Links::sister(e));
}

TEST(Links, AreUpAtBothEndsInTheBeginning) {
  const world::Network grid = network_of("grid", 12);
  const Links links(grid);
  ASSERT_EQ(links.end_count(), 2 * grid.links.size());
  EXPECT_FALSE(links.one_way());
  for (End e = 0; e < links.end_count(); ++e) {
    const auto& [a, b] = grid.links[e / 2];
    EXPECT_EQ(links.owner(e), e % 2 == 0 ? a : b);
    EXPECT_TRUE(links.up(e));
    EXPECT_EQ(links.end_of(links.owner(e), links.port(e)), e);
  }
}

TEST(Links, PortsCountFromZero) {
  const Links links(network_of("barabasi-albert", 60));
  for (NodeIndex u = 0; u < 60; ++u) {
    const auto ports = links.ports(u);
    ASSERT_EQ(links.ends(u).size(), ports.size());
    for (std::size_t i = 0; i < ports.size(); ++i) EXPECT_EQ(core::raw(ports[i]), i);
    EXPECT_EQ(links.end_of(u, Port{static_cast<std::uint32_t>(ports.size())}), no_end);
    EXPECT_EQ(links.end_of(u, core::every_port), no_end);
  }
}

TEST(Links, TheFirstPortOfARingLeadsClockwise) {
  for (const NodeIndex n : {3u, 4u, 7u, 100u}) {
    const Links links(network_of("ring", n));
    for (NodeIndex u = 0; u < n; ++u) {
      EXPECT_EQ(ports_of(links, u), (std::vector<Port>{Port{0}, Port{1}}));
      EXPECT_EQ(behind(links, u, Port{0}), (u + 1) % n);
      EXPECT_EQ(behind(links, u, Port{1}), (u + n - 1) % n);
    }
  }
}

TEST(Links, AOneWayRingHasOneWayOutAndANameForTheWayIn) {
  for (const NodeIndex n : {3u, 5u, 64u}) {
    const Links links(network_of("ring", n, true));
    EXPECT_TRUE(links.one_way());
    for (NodeIndex u = 0; u < n; ++u) {
      EXPECT_EQ(ports_of(links, u), std::vector<Port>{Port{0}});
      EXPECT_EQ(behind(links, u, Port{0}), (u + 1) % n);
      const End in = Links::sister(links.ends((u + n - 1) % n)[0]);
      EXPECT_EQ(links.owner(in), u);
      EXPECT_TRUE(links.up(in));
      EXPECT_EQ(links.port(in), Port{1});
      EXPECT_EQ(links.end_of(u, Port{1}), no_end) << "it only listens";
    }
  }
}

TEST(Links, AnEndThatComesBackHasANewPort) {
  Links links(network_of("star", 4));  // node 0 in the middle
  const End middle = links.end_of(0, Port{1});
  EXPECT_EQ(links.lower(middle), Port{1});
  EXPECT_FALSE(links.up(middle));
  EXPECT_TRUE(links.up(Links::sister(middle))) << "the other end is told on its own";
  EXPECT_EQ(ports_of(links, 0), (std::vector<Port>{Port{0}, Port{2}}));
  EXPECT_EQ(links.end_of(0, Port{1}), no_end);
  EXPECT_EQ(behind(links, 0, Port{2}), 3u) << "the others keep their ports";
  EXPECT_EQ(links.raise(middle), Port{3});
  EXPECT_EQ(links.port(middle), Port{3});
  EXPECT_EQ(ports_of(links, 0), (std::vector<Port>{Port{0}, Port{2}, Port{3}}));
  EXPECT_EQ(links.end_of(0, Port{3}), middle);
  EXPECT_EQ(links.end_of(0, Port{1}), no_end) << "the old name is gone for good";
}

TEST(Links, CannotComeUpOrGoDownTwice) {
  Links links(network_of("line", 2));
  EXPECT_THROW(links.raise(0), core::Violation);
  links.lower(0);
  EXPECT_THROW(links.lower(0), core::Violation);
}

TEST(Links, NewLinksBeginDown) {
  Links links(network_of("line", 4));
  links.add(4, {3, 1});  // link 3 comes later
  EXPECT_EQ(links.end_count(), 10u);
  EXPECT_EQ(links.owner(8), 3u);
  EXPECT_EQ(links.owner(9), 1u);
  EXPECT_FALSE(links.up(8));
  EXPECT_FALSE(links.up(9));
  EXPECT_EQ(ports_of(links, 3), std::vector<Port>{Port{0}});
  EXPECT_EQ(links.raise(9), Port{2});
  EXPECT_EQ(behind(links, 1, Port{2}), 3u);
  links.add(3, {0, 2});
  EXPECT_EQ(links.end_count(), 10u);
  EXPECT_EQ(links.raise(6), Port{1});
  EXPECT_EQ(behind(links, 0, Port{1}), 2u);
  EXPECT_TRUE(links.up(9)) << "what was there stays";
}

TEST(Links, AllEndsOfANodeCanGoDownAndComeBack) {
  Links links(network_of("complete", 6));
  std::vector<End> ends(links.ends(2).begin(), links.ends(2).end());
  ASSERT_EQ(ends.size(), 5u);
  for (const End e : ends) links.lower(e);
  EXPECT_TRUE(links.ports(2).empty());
  for (NodeIndex u = 0; u < 6; ++u) {
    if (u != 2) {
      EXPECT_EQ(links.ports(u).size(), 5u) << "the neighbours have not been told";
    }
  }
  for (std::uint32_t i = 0; i < ends.size(); ++i) EXPECT_EQ(links.raise(ends[i]), Port{5 + i});
  for (std::uint32_t i = 0; i < ends.size(); ++i) EXPECT_EQ(links.end_of(2, Port{5 + i}), ends[i]);
}

/// The plain truth: for each node a map from its ports to the ends behind them.
class Model {
 public:
  Model(const Links& links, NodeIndex nodes) : rows_(nodes), next_(nodes) {
    for (NodeIndex u = 0; u < nodes; ++u)
      for (const End e : links.ends(u)) learn(u, links.port(e), e);
  }
  void learn(NodeIndex u, Port port, End e) {
    EXPECT_TRUE(rows_[u].emplace(port, e).second);
    EXPECT_GE(core::raw(port), next_[u]) << "ports are never used twice";
    next_[u] = core::raw(port) + 1;
  }
  void forget(NodeIndex u, Port port) { EXPECT_EQ(rows_[u].erase(port), 1u); }

  void expect_equal(const Links& links, NodeIndex u) const {
    std::vector<Port> ports;
    std::vector<End> ends;
    for (const auto& [port, end] : rows_[u]) {
      ports.push_back(port);
      ends.push_back(end);
    }
    ASSERT_EQ(ports_of(links, u), ports);
    ASSERT_EQ(std::vector<End>(links.ends(u).begin(), links.ends(u).end()), ends);
    for (std::uint32_t p = 0; p < next_[u] + 2; ++p) {
      const auto found = rows_[u].find(Port{p});
      ASSERT_EQ(links.end_of(u, Port{p}), found == rows_[u].end() ? no_end : found->second);
    }
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const End far = Links::sister(ends[i]);
      ASSERT_EQ(links.routes(u)[i].to, links.owner(far));
      if (links.up(far)) {
        ASSERT_EQ(links.routes(u)[i].port, links.port(far));
      }
    }
  }

 private:
  std::vector<std::map<Port, End>> rows_;
  std::vector<std::uint32_t> next_;
};

void random_operations(std::uint64_t seed, const std::string& topology) {
  const NodeIndex n = 12;
  core::Prng prng(seed);
  Links links(network_of(topology, n));
  Model model(links, n);
  for (int i = 0; i < 600; ++i) {
    if (prng.below(20) == 0) {
      const auto a = static_cast<NodeIndex>(prng.below(n));
      const auto b = static_cast<NodeIndex>((a + 1 + prng.below(n - 1)) % n);
      links.add(static_cast<std::uint32_t>(links.end_count() / 2), {a, b});
    }
    const auto e = static_cast<End>(prng.below(links.end_count()));
    const NodeIndex u = links.owner(e);
    if (links.up(e))
      model.forget(u, links.lower(e));
    else
      model.learn(u, links.raise(e), e);
    model.expect_equal(links, u);
    model.expect_equal(links, links.owner(Links::sister(e)));
    if (testing::Test::HasFatalFailure()) return;
  }
  for (NodeIndex u = 0; u < n; ++u) model.expect_equal(links, u);
}

TEST(Links, AgreeWithAMapUnderRandomOperations) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    random_operations(seed, seed % 3 == 0 ? "ring" : seed % 3 == 1 ? "star" : "complete");
    if (HasFailure()) return;
  }
}

TEST(Links, OneWayEndsComeAndGoToo) {
  Links links(network_of("ring", 3, true));
  EXPECT_EQ(links.lower(0), Port{0});
  EXPECT_TRUE(links.ports(0).empty());
  EXPECT_EQ(links.lower(1), Port{1}) << "the listening end";
  EXPECT_EQ(ports_of(links, 1), std::vector<Port>{Port{0}}) << "the way out is another";
  EXPECT_EQ(links.raise(1), Port{2});
  EXPECT_EQ(ports_of(links, 1), std::vector<Port>{Port{0}});
  EXPECT_EQ(links.raise(0), Port{2});
  EXPECT_EQ(behind(links, 0, Port{2}), 1u);
}

}  // namespace
}  // namespace bellwether::sim
