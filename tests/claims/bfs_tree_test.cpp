// SPDX-License-Identifier: MIT
// Breadth-first trees in rounds: 2e - n + 1 messages, all invited after as many rounds as the root
// is away from the farthest node, levels are distances.
#include "bellwether/algorithms/rounds/bfs_tree.hpp"

#include "bellwether/graph/distances.hpp"
#include "claims/claims.hpp"

namespace bellwether::claims {
namespace {

using algorithms::BfsTree;

bool expect_exact(const Scenario& s, NodeId root) {
  sim::RunSetup setup = sim::make_setup(s);
  const NodeIndex n = setup.network.nodes;
  const std::size_t links = setup.network.links.size();
  const bool one_way = setup.network.direction == graph::Direction::one_way;
  const graph::Graph graph(n, setup.network.links, setup.network.direction);
  const auto at = static_cast<NodeIndex>(std::find(setup.ids.begin(), setup.ids.end(), root) -
                                         setup.ids.begin());
  const auto far = graph::distances(graph, at);
  std::uint32_t r = 0;
  for (const std::uint32_t d : far) {
    if (d >= n) return false;  // it fell apart: outside the model
    r = std::max(r, d);
  }
  SCOPED_TRACE(s.network.topology + " of " + std::to_string(n));
  sim::RoundSimulationOf<BfsTree> simulation(core::hosted<BfsTree>({root}), std::move(setup), s);
  const RunReport report = simulation.run();
  for (NodeIndex u = 0; u < n; ++u) EXPECT_EQ(simulation.node(u).level(), far[u]);
  EXPECT_EQ(report.messages, one_way ? links : 2 * links - n + 1);
  EXPECT_EQ(metric(report, "last_leader_change_s"),
            core::seconds(static_cast<int>(r) * s.rounds.duration));
  EXPECT_TRUE(report.agreed);
  EXPECT_EQ(report.leaders.at(0).leader, root);
  return true;
}

TEST(BfsTreeClaims, RegularNetworks) {
  for (const char* topology :
       {"line", "ring", "star", "tree", "grid", "torus", "hypercube", "complete"})
    for (const NodeIndex n : {4, 16, 64, 1024}) {
      if (n > 64 && std::string_view(topology) == "complete") continue;  // half a million links
      Scenario s = on(topology, n, n);
      s.network.ids = "random";
      EXPECT_TRUE(expect_exact(s, NodeId{1}));
      EXPECT_TRUE(expect_exact(s, NodeId{n / 2}));
    }
  EXPECT_TRUE(expect_exact(one_way_ring(17, "random"), NodeId{3}));
}

TEST(BfsTreeClaims, RandomNetworks) {
  int connected = 0;
  for (const char* topology : {"erdos-renyi", "geometric", "barabasi-albert", "watts-strogatz"})
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      Scenario s = on(topology, 60, seed);
      s.network.degree = 8;
      s.network.ids = "random";
      connected += expect_exact(s, NodeId{1 + seed}) ? 1 : 0;
    }
  EXPECT_GT(connected, 100);
}

TEST(BfsTreeClaims, TheRootIsAnOption) {
  Scenario s = on("grid", 25);
  set_option(s, "root", "13");
  const RunReport r = simulate<BfsTree>(s);
  EXPECT_TRUE(r.agreed);
  EXPECT_EQ(r.leaders.at(0).leader, NodeId{13});
  set_option(s, "root", "26");  // there is none
  const RunReport none = simulate<BfsTree>(s);
  EXPECT_FALSE(none.agreed);
  EXPECT_EQ(none.messages, 0u);
}

}  // namespace
}  // namespace bellwether::claims
