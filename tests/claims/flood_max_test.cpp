// SPDX-License-Identifier: MIT
// FloodMax (Lynch 1996): diameter rounds, diameter * arcs messages, in every run.
#include "bellwether/algorithms/rounds/flood_max.hpp"

#include <limits>

#include "claims/claims.hpp"

namespace bellwether::claims {
namespace {

using algorithms::FloodMax;

/// All distances by Floyd and Warshall: not the search by which the driver finds the diameter.
std::uint64_t widest_way(const world::Network& network) {
  const std::size_t n = network.nodes;
  constexpr std::uint64_t far = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::vector<std::uint64_t>> way(n, std::vector<std::uint64_t>(n, far));
  for (std::size_t u = 0; u < n; ++u) way[u][u] = 0;
  for (const auto& [a, b] : network.links) {
    way[a][b] = 1;
    if (network.direction == graph::Direction::both_ways) way[b][a] = 1;
  }
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t u = 0; u < n; ++u)
      for (std::size_t v = 0; v < n; ++v) way[u][v] = std::min(way[u][v], way[u][k] + way[k][v]);
  std::uint64_t widest = 0;
  for (const auto& row : way)
    for (const std::uint64_t d : row) widest = std::max(widest, d);
  return widest;
}

/// Whether the network was one that the algorithm is for.
bool expect_exact(const Scenario& s) {
  const world::Network network = world::build_network(s.network, s.seed);
  const std::uint64_t diameter = widest_way(network);
  if (diameter > network.nodes) return false;  // it fell apart: outside the model
  const bool one_way = network.direction == graph::Direction::one_way;
  const RunReport r = simulate<FloodMax>(s);
  SCOPED_TRACE(s.network.topology + " of " + std::to_string(network.nodes));
  EXPECT_EQ(r.messages, diameter * network.links.size() * (one_way ? 1 : 2));
  EXPECT_EQ(metric(r, "rounds"), static_cast<double>(diameter));
  EXPECT_EQ(metric(r, "leader_changes"), network.nodes);  // from none to the leader, once each
  EXPECT_EQ(
      metric(r, "last_leader_change_s"),
      core::seconds(static_cast<std::int64_t>(diameter) * s.rounds.duration));  // all in one round
  EXPECT_TRUE(r.agreed);
  EXPECT_EQ(r.leaders.at(0).leader, NodeId{network.nodes});
  return true;
}

TEST(FloodMaxClaims, DiameterRoundsAndDiameterTimesArcsMessages) {
  for (const char* topology :
       {"line", "ring", "star", "tree", "grid", "torus", "hypercube", "complete"})
    for (const NodeIndex n : {4, 16, 64}) {
      Scenario s = on(topology, n, n);
      s.network.ids = "random";
      EXPECT_TRUE(expect_exact(s));
    }
  EXPECT_TRUE(expect_exact(one_way_ring(17, "random")));
  EXPECT_TRUE(expect_exact(on("line", 1)));
}

TEST(FloodMaxClaims, SoInRandomNetworks) {
  int connected = 0;
  for (const char* topology : {"erdos-renyi", "geometric", "barabasi-albert", "watts-strogatz"})
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      Scenario s = on(topology, 40, seed);
      s.network.degree = 8;
      s.network.ids = "random";
      connected += expect_exact(s) ? 1 : 0;
    }
  EXPECT_GT(connected, 50);
}

TEST(FloodMaxClaims, AnUpperBoundCostsItsOwnRounds) {
  Scenario s = on("line", 10);
  set_option(s, "diameter", "12");
  const RunReport r = simulate<FloodMax>(s);
  EXPECT_EQ(r.messages, 12u * 18);
  EXPECT_EQ(metric(r, "rounds"), 12);
  EXPECT_TRUE(r.agreed);
  set_option(s, "diameter", "8");  // one too few: the ends of the line have not met
  EXPECT_FALSE(simulate<FloodMax>(s).agreed);
}

}  // namespace
}  // namespace bellwether::claims
