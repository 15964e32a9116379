// SPDX-License-Identifier: MIT
// Chang's echo waves (1982) with extinction (Tel, 7.3): at most 2e tokens for each of k waves, 2e
// for the announcement, and the best initiator wins.
#include "bellwether/algorithms/any/echo_extinction.hpp"

#include <iostream>

#include "bellwether/graph/distances.hpp"
#include "claims/rivals.hpp"

namespace bellwether::claims {
namespace {

using algorithms::EchoExtinction;

RunReport run(const Scenario& s) {
  const RunReport r = simulate<EchoExtinction>(s);
  EXPECT_EQ(r.violation, "");
  EXPECT_TRUE(r.agreed);
  return r;
}

TEST(EchoExtinctionClaims, OneInitiatorCostsTwoWavesWhereverItIs) {
  for (const NodeIndex n : {2u, 50u, 400u, 3000u}) {
    for (const char* topology : {"line", "ring", "star", "tree", "grid", "barabasi-albert"}) {
      Scenario s = on(topology, n, n);
      if (n == 2 && s.network.topology != "line" && s.network.topology != "star") continue;
      if (n == 50 && s.network.topology == "grid") s.network.rows = 5;
      s.network.ids = "random";
      s.start.initiators = 1;
      random_delays(s);
      const std::uint64_t e = world::build_network(s.network, s.seed).links.size();
      EXPECT_EQ(run(s).messages, 4 * e) << topology << ' ' << n;
    }
  }
}

TEST(EchoExtinctionClaims, NoRunCostsMoreThanAWaveForEachInitiator) {
  double most = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    Scenario s = static_network(seed);
    s.start.initiators = 1 + (seed * 7) % s.network.nodes;
    s.start.window = (seed % 4) * 10 * unit;
    random_delays(s, Duration{1}, milliseconds(20));
    if (seed % 2 == 0) s.channel.order = world::Order::unordered;
    const auto network = world::build_network(s.network, seed);
    if (!connected(network)) continue;
    SCOPED_TRACE("seed " + std::to_string(seed));
    const RunReport r = run(s);
    const std::uint64_t e = network.links.size(), k = s.start.initiators;
    EXPECT_LE(r.messages, 2 * k * e + 2 * e);
    EXPECT_GE(r.messages, 4 * e);
    most = std::max(most, static_cast<double>(r.messages) / static_cast<double>(2 * (k + 1) * e));
  }
  EXPECT_EQ(most, 1);  // with one initiator the bound is the cost
}

TEST(EchoExtinctionClaims, DuplicatesDoNoHarm) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Scenario s = static_network(seed);
    s.start.initiators = 1 + seed % 8;
    random_delays(s);
    s.channel.order = world::Order::unordered;
    s.channel.duplicate = 0.2;
    if (!connected(world::build_network(s.network, seed))) continue;
    SCOPED_TRACE("seed " + std::to_string(seed));
    run(s);
  }
}

/// A complete network of the `dense` smallest ids, from which a line leads away with rising ids:
/// when all start, wave after wave comes in from the line and floods the dense part.
Play lollipop(NodeIndex nodes, NodeIndex dense) {
  Play play{on("line", nodes), {}, {}};
  play.network.nodes = nodes;
  for (NodeIndex b = 0; b < dense; ++b)
    for (NodeIndex a = 0; a < b; ++a) play.network.links.push_back({a, b});
  for (NodeIndex b = dense; b < nodes; ++b) play.network.links.push_back({b - 1, b});
  return play;
}

TEST(EchoExtinctionClaims, TheConstantTwoIsReachedInTheLimit) {
  // 2ne tokens are claimed. A share of it that grows towards 1 with n, the dense part being large
  // in links and small in nodes.
  double last = 0;
  for (const auto& [nodes, dense] : {std::pair{50u, 12u}, {200u, 36u}, {600u, 80u}}) {
    const Play play = lollipop(nodes, dense);
    const RunReport r = staged<EchoExtinction>(play, {})->run();
    EXPECT_TRUE(r.agreed);
    const std::uint64_t e = play.network.links.size();
    const std::uint64_t bound = EchoExtinction::message_bound(nodes, e, {});
    EXPECT_LE(r.messages, bound);
    const double share = static_cast<double>(r.messages) / static_cast<double>(bound);
    std::cout << "echo-extinction, " << nodes << " nodes, " << e
              << " links, all start: " << r.messages << " messages, " << rounded(100 * share, 1)
              << " % of 2ne + 2e\n";
    EXPECT_GT(share, last);
    last = share;
  }
  EXPECT_GT(last, 0.8);
}

TEST(EchoExtinctionClaims, ManyWavesCostMuchLessInRandomOrders) {
  // What extinction saves: waves that lose die early when delays and ids are random.
  for (const char* topology : {"torus", "erdos-renyi", "complete"}) {
    Scenario s = on(topology, 100, 3);
    s.network.ids = "random";
    s.network.degree = 8;
    random_delays(s);
    const auto network = world::build_network(s.network, s.seed);
    ASSERT_TRUE(connected(network));
    const std::uint64_t e = network.links.size();
    const auto waves =
        static_cast<double>(run(s).messages - 2 * e) / (2.0 * static_cast<double>(e));
    std::cout << "echo-extinction, " << topology << ", n = 100, all start: as many tokens as "
              << rounded(waves, 2) << " waves\n";
    EXPECT_GT(waves, 1);
    EXPECT_LT(waves, 10);
  }
}

TEST(EchoExtinctionClaims, AllKnowWithinThreeDiametersAndTheNodes) {
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    Scenario s = static_network(seed);
    s.start.initiators = 1 + (seed * 5) % s.network.nodes;
    const auto network = world::build_network(s.network, seed);
    if (!connected(network)) continue;
    const graph::Graph graph(network.nodes, network.links, network.direction);
    const std::int64_t d = graph::diameter(graph);
    s.start.window = (seed % 3) * d * unit;
    const bool equal = seed % 2 == 0;
    if (!equal) random_delays(s, Duration{1}, unit);
    const auto ids = world::assign_ids(s.network, network.nodes, seed);
    const auto starts = sim::start_times(s.start, ids, seed);
    const Time first = *std::min_element(starts.begin(), starts.end());
    const RunReport r = run(s);
    const std::int64_t bound = equal ? 4 * d + 1 : 3 * d + network.nodes;
    EXPECT_LE(last_change(r), core::seconds(first + bound * unit) + 1e-9) << "seed " << seed;
  }
}

}  // namespace
}  // namespace bellwether::claims
