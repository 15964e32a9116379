// SPDX-License-Identifier: MIT
// OptFloodMax (Lynch 1996): decides in the round in which FloodMax does, with fewer messages.
#include "bellwether/algorithms/rounds/opt_flood_max.hpp"

#include <cmath>
#include <iostream>

#include "claims/claims.hpp"

namespace bellwether::claims {
namespace {

using algorithms::FloodMax;
using algorithms::OptFloodMax;

/// The messages of both, and everything else equal.
std::pair<std::uint64_t, std::uint64_t> expect_the_same(const Scenario& s) {
  const RunReport opt = simulate<OptFloodMax>(s);
  const RunReport full = simulate<FloodMax>(s);
  SCOPED_TRACE(s.network.topology + " of " + std::to_string(opt.nodes));
  EXPECT_EQ(metric(opt, "rounds"), metric(full, "rounds"));
  EXPECT_EQ(metric(opt, "leader_changes"), opt.nodes);
  EXPECT_EQ(metric(opt, "last_leader_change_s"), metric(full, "last_leader_change_s"));
  EXPECT_TRUE(opt.agreed);
  EXPECT_EQ(opt.leaders.at(0).leader, full.leaders.at(0).leader);
  EXPECT_LE(opt.messages, full.messages) << "diameter * arcs";
  return {opt.messages, full.messages};
}

TEST(OptFloodMaxClaims, NeverMoreThanFloodMax) {
  std::uint64_t opt = 0, full = 0;
  for (const char* topology :
       {"line", "ring", "star", "tree", "grid", "torus", "hypercube", "complete"})
    for (const NodeIndex n : {4, 16, 64})
      for (std::uint64_t seed = 0; seed < 10; ++seed) {
        Scenario s = on(topology, n, seed);
        s.network.ids = "random";
        const auto [a, b] = expect_the_same(s);
        opt += a;
        full += b;
      }
  std::cout << "opt-flood-max sends "
            << rounded(100.0 * static_cast<double>(opt) / static_cast<double>(full), 1)
            << " % of flood-max's messages in these networks\n";
  EXPECT_LT(2 * opt, full);
}

TEST(OptFloodMaxClaims, BestAndWorstOrdersOfAOneWayRing) {
  for (const NodeIndex n : {2, 3, 10, 100, 1000}) {
    const std::uint64_t wide = n;
    EXPECT_EQ(simulate<OptFloodMax>(one_way_ring(n, "descending")).messages,
              wide * (wide + 1) / 2 - 1);
    EXPECT_EQ(simulate<OptFloodMax>(one_way_ring(n, "ascending")).messages, 2 * wide - 2);
  }
}

TEST(OptFloodMaxClaims, AverageOfAOneWayRingIsNTimesHarmonic) {
  constexpr NodeIndex n = 1000;
  constexpr int runs = 60;
  double harmonic = 0;  // of n - 1: the last hop would come after the last round
  for (NodeIndex i = 1; i < n; ++i) harmonic += 1.0 / i;
  double sum = 0, squares = 0;
  for (int seed = 0; seed < runs; ++seed) {
    const Scenario s = one_way_ring(n, "random", 1000u + static_cast<unsigned>(seed));
    const auto messages = static_cast<double>(simulate<OptFloodMax>(s).messages);
    sum += messages;
    squares += messages * messages;
  }
  const double mean = sum / runs;
  const double error = std::sqrt((squares / runs - mean * mean) / (runs - 1));
  std::cout << "opt-flood-max, one-way ring of " << n << ", " << runs << " orders: mean "
            << rounded(mean, 1) << " messages, standard error " << rounded(error, 1)
            << "; n H_(n-1) = " << rounded(n * harmonic, 1) << "; flood-max " << n * (n - 1)
            << "\n";
  EXPECT_NEAR(mean, n * harmonic, 0.02 * n * harmonic);
  EXPECT_LT(error, 0.01 * n * harmonic);
}

TEST(OptFloodMaxClaims, AnUpperBoundCostsRoundsAndNoMessages) {
  Scenario s = on("grid", 49);
  s.network.ids = "random";
  const RunReport exact = simulate<OptFloodMax>(s);
  set_option(s, "diameter", "100");
  const RunReport slow = simulate<OptFloodMax>(s);
  EXPECT_EQ(metric(slow, "rounds"), 100);
  EXPECT_LE(slow.messages, exact.messages + 4 * 49) << "one more each, where the last was cut off";
  EXPECT_TRUE(slow.agreed);
}

}  // namespace
}  // namespace bellwether::claims
