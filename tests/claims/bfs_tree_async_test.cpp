// SPDX-License-Identifier: MIT
// The lecture's point: without rounds the first invitation need not come on a shortest way.
#include "bellwether/algorithms/any/bfs_tree_async.hpp"

#include <iostream>

#include "bellwether/graph/distances.hpp"
#include "claims/claims.hpp"

namespace bellwether::claims {
namespace {

using algorithms::BfsTreeAsync;

struct Grown {
  std::uint64_t deeper = 0;  // nodes whose level is more than their distance
  Time invited{};            // when the last was
  std::uint32_t farthest = 0;
};

Grown grown(const Scenario& s) {
  const Play play = play_of(s);
  const NodeIndex n = play.network.nodes;
  const graph::Graph graph(n, play.network.links, play.network.direction);
  const auto far = graph::distances(graph, 0);  // the ids are 1..n
  const auto simulation = staged<BfsTreeAsync>(play, {});
  const RunReport report = simulation->run();
  EXPECT_EQ(report.messages, 2 * play.network.links.size() - n + 1);
  EXPECT_TRUE(report.agreed);
  EXPECT_EQ(report.leaders.at(0).leader, NodeId{1});
  Grown out;
  for (NodeIndex u = 0; u < n; ++u) {
    EXPECT_GE(simulation->node(u).level(), far[u]);
    out.deeper += simulation->node(u).level() > far[u] ? 1 : 0;
    out.farthest = std::max(out.farthest, far[u]);
  }
  out.invited = report.time;
  return out;
}

TEST(BfsTreeAsyncClaims, EvenDelaysGiveDistances) {
  for (const char* topology : {"line", "ring", "star", "grid", "torus", "hypercube", "complete"})
    for (const NodeIndex n : {4, 16, 64}) {
      const Grown run = grown(on(topology, n, n));
      EXPECT_EQ(run.deeper, 0u);
      EXPECT_LE(run.invited, Time{(run.farthest + 1) * unit}) << "the last is declined";
      EXPECT_GE(run.invited, Time{run.farthest * unit});
    }
}

TEST(BfsTreeAsyncClaims, UnevenDelaysDoNot) {
  std::uint64_t deeper = 0, runs = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Scenario s = on("torus", 100, seed);
    random_delays(s, milliseconds(1), milliseconds(10));
    if (seed % 2 == 0) s.channel.order = world::Order::unordered;
    s.properties = {"all"};
    const Grown run = grown(s);
    deeper += run.deeper;
    runs += run.deeper > 0 ? 1 : 0;
    EXPECT_LE(run.invited, Time{(run.farthest + 1) * milliseconds(10)});
    EXPECT_EQ(simulate<BfsTreeAsync>(s).violation, "") << "yet it is a tree";
  }
  std::cout << "bfs-tree-async, torus of 100 with delays of 1 to 10 ms: not breadth-first in "
            << runs << " of 50 runs, on average " << rounded(static_cast<double>(deeper) / 50, 1)
            << " nodes too deep\n";
  EXPECT_GT(runs, 45u);
  EXPECT_GT(deeper, 50u * 10);
}

TEST(BfsTreeAsyncClaims, WhereThereIsOneWayOnlyDelaysDoNotCount) {
  for (const char* topology : {"line", "star", "tree"})
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      Scenario s = on(topology, 40, seed);
      random_delays(s, milliseconds(1), milliseconds(50));
      EXPECT_EQ(grown(s).deeper, 0u);
    }
}

}  // namespace
}  // namespace bellwether::claims
