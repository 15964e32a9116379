// SPDX-License-Identifier: MIT
// What the page of `drumbeat` claims: one leader, near the centre, which then stays; messages of
// constant size; a crashed leader is replaced within the period, the slack and a flood.
#include "bellwether/algorithms/moving/drumbeat.hpp"

#include <iostream>
#include <numeric>

#include "bellwether/graph/distances.hpp"
#include "claims/rivals.hpp"

namespace bellwether::claims {
namespace {

using algorithms::Drumbeat;
using world::ChangeKind;

/// The hops from a node to all that it reaches, summed up.
std::uint64_t far_from(const graph::Graph& graph, NodeIndex u) {
  std::uint64_t sum = 0;
  for (const std::uint32_t hops : graph::distances(graph, u))
    if (hops != graph::unreachable) sum += hops;
  return sum;
}

/// The least that a node of the same component has.
std::uint64_t least_far(const graph::Graph& graph, NodeIndex u) {
  std::uint64_t least = far_from(graph, u);
  const auto reached = graph::distances(graph, u);
  for (NodeIndex v = 0; v < reached.size(); ++v)
    if (reached[v] != graph::unreachable) least = std::min(least, far_from(graph, v));
  return least;
}

Scenario calm_network(std::uint64_t seed) {
  Scenario s = static_network(seed);
  s.properties = {"beats-ascend", "weight-holds", "heir-is-nearer", "one-heir", "eligible"};
  random_delays(s, milliseconds(1), milliseconds(5));
  return s;
}

RunReport run(const Scenario& s) {
  const RunReport r = simulate<Drumbeat>(s);
  EXPECT_EQ(r.violation, "");
  EXPECT_TRUE(r.agreed);
  return r;
}

TEST(DrumbeatClaims, SoonAfterChangesCeaseTheLeaderIsCentralAndStays) {
  double worst = 1;
  for (std::uint64_t seed = 0; seed < 66; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Scenario s = calm_network(seed);
    s.stop.time = seconds(30);
    const auto network = world::build_network(s.network, seed);
    const auto ids = world::assign_ids(s.network, network.nodes, seed);
    const graph::Graph graph(network.nodes, network.links);
    const RunReport r = run(s);
    EXPECT_LE(last_change(r), 15);
    for (const NodeId leader : named(r)) {
      const NodeIndex u = place_of(ids, leader);
      const auto least = static_cast<double>(std::max<std::uint64_t>(least_far(graph, u), 1));
      const double ratio = static_cast<double>(far_from(graph, u)) / least;
      EXPECT_LE(ratio, 1.05) << "leader " << core::raw(leader);
      worst = std::max(worst, ratio);
    }
  }
  std::cout << "drumbeat: sum of distances at most " << rounded(worst, 3) << " times the least\n";
}

/// How much farther the nodes of a network are from their leader than from the most central one.
struct Way {
  double ratio = 1;
  double last_change = 0;
};
Way way_after(Scenario s, core::Duration time) {
  s.stop.time = time;
  const auto network = world::build_network(s.network, s.seed);
  const auto ids = world::assign_ids(s.network, network.nodes, s.seed);
  const graph::Graph graph(network.nodes, network.links);
  const RunReport r = run(s);
  Way out{1, last_change(r)};
  for (const NodeId leader : named(r)) {
    const NodeIndex u = place_of(ids, leader);
    const auto least = static_cast<double>(std::max<std::uint64_t>(least_far(graph, u), 1));
    out.ratio = std::max(out.ratio, static_cast<double>(far_from(graph, u)) / least);
  }
  return out;
}

TEST(DrumbeatClaims, OnLargerNetworksTheLeaderIsCentralWithinTenSeconds) {
  struct Row {
    const char* topology;
    NodeIndex nodes;
  };
  for (const Row row : {Row{"line", 60}, {"ring", 100}, {"grid", 400}, {"tree", 60}, {"tree", 200},
                        {"star", 100}, {"geometric", 40}, {"geometric", 200}}) {
    double worst_early = 1, worst = 1, last = 0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      Scenario s = on(row.topology, row.nodes, seed);
      s.network.ids = "random";
      s.network.degree = 8;
      random_delays(s, milliseconds(1), milliseconds(5));
      worst_early = std::max(worst_early, way_after(s, seconds(10)).ratio);
      const Way way = way_after(s, seconds(30));
      worst = std::max(worst, way.ratio);
      last = std::max(last, way.last_change);
      std::cout << row.topology << row.nodes << " " << seed << " " << way.ratio << " " << way.last_change << "\n";
    }
    std::cout << "drumbeat: " << row.topology << " of " << row.nodes << ": " << rounded(worst_early, 3)
              << " after 10 s, " << rounded(worst, 3) << " after 30 s; last change after "
              << rounded(last, 1) << " s\n";
  }
}

TEST(DrumbeatClaims, MessagesHaveAConstantSize) {
  std::vector<double> means;
  for (const NodeIndex nodes : {20, 100, 500}) {
    Scenario s = on("geometric", nodes, 7);
    s.network.degree = 9;
    s.stop.time = seconds(5);
    Play play = play_of(s);
    for (NodeIndex u = 0; u < nodes; ++u) play.ids.push_back(NodeId{20'000 + u});
    const RunReport r = staged<Drumbeat>(play, {})->run();
    means.push_back(static_cast<double>(r.bytes) / static_cast<double>(r.messages));
    std::cout << "drumbeat: " << rounded(means.back(), 1) << " bytes per message among " << nodes
              << " nodes\n";
  }
  EXPECT_LE(means.back(), 1.5 * means.front());
}

TEST(DrumbeatClaims, ASilentLeaderIsReplacedWithinThePeriodTheSlackAndAFlood) {
  double sum = 0;
  for (std::uint64_t seed = 0; seed < 66; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Scenario s = calm_network(seed);
    s.stop.time = seconds(15);
    const auto leaders = named(run(s));
    const Time crash = seconds(15) + milliseconds(7 * static_cast<int>(seed));
    s.stop.time = seconds(20);
    s.changes.script = {{crash, ChangeKind::crash, leaders.front(), {}, false}};
    const RunReport r = run(s);
    const double took = last_change(r) - core::seconds(crash);
    // 66 ms of silence, the hops of a line of 32 and the flood; handovers come later.
    sum += std::min(took, 1.0);
    for (const NodeId leader : named(r)) EXPECT_NE(leader, leaders.front());
  }
  std::cout << "drumbeat: " << rounded(sum / 66, 3) << " s to the last change after a crash\n";
}

}  // namespace
}  // namespace bellwether::claims
