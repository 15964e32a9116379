// SPDX-License-Identifier: MIT
// Gallager, Humblet, Spira (1983): at most 5 n log2 n + 2e messages for any initiators, time
// 5 n log2 n when all start at once, levels up to log2 n; the tree is the minimum one.
#include "bellwether/algorithms/any/ghs.hpp"

#include <cmath>
#include <iostream>

#include "claims/rivals.hpp"

namespace bellwether::claims {
namespace {

using algorithms::Ghs;

double n_log_n(std::uint64_t n) {
  return static_cast<double>(n) * std::log2(static_cast<double>(n));
}

/// The published bound, and the news over the tree.
double published(std::uint64_t n, std::uint64_t e) {
  return 5 * n_log_n(n) + 2 * static_cast<double>(e) + static_cast<double>(n - 1);
}

RunReport run(const Scenario& s) {
  const RunReport r = simulate<Ghs>(s);
  EXPECT_EQ(r.violation, "");
  EXPECT_TRUE(r.agreed);
  return r;
}

TEST(GhsClaims, NoRunCostsMoreThanIsPublishedWhoeverStarts) {
  double most = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Scenario s = static_network(seed);  // watched: the quiescent tree is Kruskal's
    if (seed % 3 == 0) {
      constexpr const char* shapes[] = {"line", "ring", "star", "complete"};
      s.network.topology = shapes[seed % 4];
      s.network.nodes = static_cast<NodeIndex>(3 + seed % 10);
    }
    if (seed % 2 == 0) set_option(s, "weights", "hashed");
    s.start.initiators = 1 + (seed * 7) % s.network.nodes;
    s.start.window = (seed % 4) * 10 * unit;
    random_delays(s, Duration{1}, milliseconds(20));
    const auto network = world::build_network(s.network, seed);
    if (!connected(network)) continue;
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::uint64_t n = network.nodes, e = network.links.size();
    const RunReport r = run(s);
    EXPECT_LE(r.messages, Ghs::message_bound(n, e, {}));
    EXPECT_LE(static_cast<double>(Ghs::message_bound(n, e, {})), published(n, e));
    most = std::max(most, static_cast<double>(r.messages) / published(n, e));
  }
  std::cout << "ghs, small networks: at most " << rounded(100 * most, 1)
            << " % of the published bound\n";
  EXPECT_GT(most, 0.6);
}

TEST(GhsClaims, LargeNetworks) {
  for (const char* topology : {"line", "ring", "star", "grid", "erdos-renyi", "complete"}) {
    for (const char* weights : {"ids", "hashed"}) {
      Scenario s = on(topology, 2500, 1);
      if (s.network.topology == "complete") s.network.nodes = 300;
      s.network.degree = 12;
      s.network.ids = "random";
      set_option(s, "weights", weights);
      random_delays(s);
      const auto network = world::build_network(s.network, s.seed);
      ASSERT_TRUE(connected(network));
      const std::uint64_t n = network.nodes, e = network.links.size();
      const RunReport r = run(s);
      EXPECT_LE(r.messages, Ghs::message_bound(n, e, {})) << topology;
      std::cout << "ghs, " << topology << ", n = " << n << ", e = " << e << ", " << weights << ": "
                << r.messages << " messages, "
                << rounded(100 * static_cast<double>(r.messages) / published(n, e), 1)
                << " % of the bound\n";
    }
  }
}

/// The binomial tree of 2^order nodes: two of the order below, joined at their roots. Ids fall
/// towards the leaves, so that fragments merge two by two, and as late as can be.
Play binomial_tree(unsigned order) {
  const NodeIndex n = NodeIndex{1} << order;
  Play play{on("line", n), {}, std::vector<NodeId>(n)};
  play.network.nodes = n;
  for (NodeIndex u = 1; u < n; ++u) play.network.links.push_back({u & (u - 1), u});
  // By the number of links that lead away from the root, the fewest first.
  std::vector<NodeIndex> by_rank;
  for (unsigned rank = 0; rank <= order; ++rank)
    for (NodeIndex u = 0; u < n; ++u)
      if ((u == 0 ? order : static_cast<unsigned>(std::countr_zero(u))) == rank)
        by_rank.push_back(u);
  for (NodeIndex i = 0; i < n; ++i) play.ids[by_rank[i]] = NodeId{i + 1};
  return play;
}

TEST(GhsClaims, LevelsGoUpToTheLogarithmAndNoFurther) {
  for (unsigned order = 1; order <= 11; ++order) {
    const Play play = binomial_tree(order);
    const auto simulation = staged<Ghs>(play, {});
    const RunReport r = simulation->run();
    EXPECT_TRUE(r.agreed);
    const std::uint64_t n = play.network.nodes;
    for (NodeIndex u = 0; u < n; ++u) ASSERT_EQ(simulation->node(u).level(), order);
    EXPECT_LE(r.messages, Ghs::message_bound(n, n - 1, {}));
    if (order < 11) continue;
    std::cout << "ghs, binomial tree, n = " << n << ": level " << order << ", " << r.messages
              << " messages, "
              << rounded(100 * static_cast<double>(r.messages) / published(n, n - 1), 1)
              << " % of the bound\n";
  }
}

TEST(GhsClaims, TimeIsWithinTheBoundWhenAllStartAtOnce) {
  double most = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    Scenario s = static_network(seed);
    if (seed % 2 == 0) set_option(s, "weights", "hashed");
    if (seed % 4 < 2) random_delays(s, Duration{1}, unit);
    const auto network = world::build_network(s.network, seed);
    if (!connected(network)) continue;
    const RunReport r = run(s);
    const double bound = 5 * n_log_n(network.nodes) + network.nodes - 1;  // units
    const double units = core::seconds(r.time) / core::seconds(unit);
    EXPECT_LE(units, bound) << "seed " << seed;
    most = std::max(most, units / bound);
  }
  std::cout << "ghs, all start: at most " << rounded(100 * most, 1) << " % of the time bound\n";
  for (const char* topology : {"line", "ring", "complete"}) {
    Scenario s = on(topology, 256, 1);
    s.network.ids = "random";
    EXPECT_LE(core::seconds(run(s).time) / core::seconds(unit), 5 * n_log_n(256) + 255);
  }
  EXPECT_GT(most, 0.1);
}

}  // namespace
}  // namespace bellwether::claims
