// SPDX-License-Identifier: MIT
// Peleg (1990): O(D) time and O(D e) messages, without knowing D.
#include "bellwether/algorithms/rounds/peleg.hpp"

#include <iostream>

#include "bellwether/graph/distances.hpp"
#include "claims/claims.hpp"

namespace bellwether::claims {
namespace {

using algorithms::Peleg;

/// Whether the network was one that the algorithm is for. All is predicted from the distances.
bool expect_exact(const Scenario& s) {
  const world::Network network = world::build_network(s.network, s.seed);
  const graph::Graph graph(network.nodes, network.links, network.direction);
  const auto ids = world::assign_ids(s.network, network.nodes, s.seed);
  NodeIndex leader = 0;
  for (NodeIndex u = 0; u < network.nodes; ++u)
    if (ids[u] > ids[leader]) leader = u;
  const auto far = graph::distances(graph, leader);
  std::uint64_t r = 0, later = 0;  // later: while they wait for the news, and the news itself
  for (const std::uint32_t d : far) {
    if (d >= network.nodes) return false;  // it fell apart: outside the model
    r = std::max<std::uint64_t>(r, d);
  }
  for (const auto& [a, b] : network.links)
    later += far[a] + far[b] + 2 - (far[a] == far[b] ? 0 : 1);
  const RunReport report = simulate<Peleg>(s);
  SCOPED_TRACE(s.network.topology + " of " + std::to_string(network.nodes));
  const std::uint64_t e = network.links.size();
  EXPECT_EQ(report.messages, (2 * r + 2) * 2 * e + later);
  EXPECT_LE(report.messages, 6 * (r + 1) * e);
  EXPECT_EQ(metric(report, "last_leader_change_s"),
            core::seconds(static_cast<std::int64_t>(3 * r + 2) * s.rounds.duration));
  EXPECT_EQ(metric(report, "leader_changes"), network.nodes);
  EXPECT_TRUE(report.agreed);
  EXPECT_EQ(report.leaders.at(0).leader, NodeId{network.nodes});
  return true;
}

TEST(PelegClaims, RoundsAndMessagesInRegularNetworks) {
  for (const char* topology :
       {"line", "ring", "star", "tree", "grid", "torus", "hypercube", "complete"})
    for (const NodeIndex n : {4, 16, 64, 256})
      for (std::uint64_t seed = 0; seed < 3; ++seed) {
        Scenario s = on(topology, n, seed);
        s.network.ids = "random";
        EXPECT_TRUE(expect_exact(s));
      }
}

TEST(PelegClaims, SoInRandomNetworks) {
  int connected = 0;
  for (const char* topology : {"erdos-renyi", "geometric", "barabasi-albert", "watts-strogatz"})
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      Scenario s = on(topology, 60, seed);
      s.network.degree = 8;
      s.network.ids = "random";
      connected += expect_exact(s) ? 1 : 0;
    }
  EXPECT_GT(connected, 100);
}

TEST(PelegClaims, AtMostThriceTheDiameterAndTwoRounds) {
  // The leader at the end of a line is the worst place: r is the diameter there.
  Scenario s = on("line", 1000);
  s.network.ids = "ascending";
  EXPECT_TRUE(expect_exact(s));
  const RunReport r = simulate<Peleg>(s);
  std::cout << "peleg, line of 1000 led from its end: all know after "
            << rounded(metric(r, "last_leader_change_s") * 1000, 0) << " rounds (3 D + 2 = 2999), "
            << r.messages << " messages (6 (D + 1) e = " << 6u * 1000 * 999 << ")\n";
  EXPECT_EQ(metric(r, "last_leader_change_s"), core::seconds(2999 * unit));
}

}  // namespace
}  // namespace bellwether::claims
