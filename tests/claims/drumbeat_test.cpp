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

TEST(DrumbeatClaims, SoonAfterChangesCeaseTheLeaderIsCentralAndStays) {
  double worst = 1;
  for (std::uint64_t seed = 0; seed < 66; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Scenario s = calm_network(seed);
    const Way way = way_after(s, seconds(30));
    EXPECT_LE(way.last_change, 15);
    EXPECT_LE(way.ratio, 1.05);
    worst = std::max(worst, way.ratio);
  }
  std::cout << "drumbeat: sum of distances at most " << rounded(worst, 3) << " times the least\n";
}

struct LargerNetwork {
  const char* topology;
  NodeIndex nodes;
};
class OnLargerNetworks : public testing::TestWithParam<LargerNetwork> {};

/// All start at once, and agree within two seconds; from then on the network is calm.
TEST_P(OnLargerNetworks, TheLeaderIsCentralAfterTenSecondsAndStays) {
  double worst = 1, last = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Scenario s = on(GetParam().topology, GetParam().nodes, seed);
    s.network.ids = "random";
    s.network.degree = 8;
    random_delays(s, milliseconds(1), milliseconds(5));
    const Way way = way_after(s, seconds(25));
    EXPECT_LE(way.ratio, 1.05);
    EXPECT_LE(way.last_change, 12);
    worst = std::max(worst, way.ratio);
    last = std::max(last, way.last_change);
  }
  std::cout << "drumbeat: " << GetParam().topology << " of " << GetParam().nodes
            << ": sum of distances at most " << rounded(worst, 3)
            << " times the least; last change after " << rounded(last, 1) << " s\n";
}

INSTANTIATE_TEST_SUITE_P(DrumbeatClaims, OnLargerNetworks,
                         testing::Values(LargerNetwork{"line", 60}, LargerNetwork{"ring", 100},
                                         LargerNetwork{"grid", 400}, LargerNetwork{"tree", 60},
                                         LargerNetwork{"tree", 200}, LargerNetwork{"star", 100},
                                         LargerNetwork{"geometric", 40},
                                         LargerNetwork{"geometric", 200}),
                         [](const auto& row) {
                           return row.param.topology + std::to_string(row.param.nodes);
                         });

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
  double sum = 0, longest = 0;
  for (std::uint64_t seed = 0; seed < 66; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Scenario s = calm_network(seed);
    s.stop.time = seconds(15);
    const auto leaders = named(run(s));
    const Time crash = seconds(15) + milliseconds(7 * static_cast<int>(seed));
    s.stop.time = seconds(17);
    s.metrics.on = scenario::MetricsMode::on;
    s.changes.script = {{crash, ChangeKind::crash, leaders.front(), {}, false}};
    const RunReport r = simulate<Drumbeat>(s);
    EXPECT_EQ(r.violation, "");
    const double took = metric(r, "election_time_longest_s");
    // The period, the slack, what hops add to it, and a flood: without the leader it may be long.
    EXPECT_LE(took, 0.066 + 0.03 + 0.0055 * r.nodes);
    longest = std::max(longest, took);
    sum += took;
    for (const NodeId leader : named(r)) EXPECT_NE(leader, leaders.front());
  }
  std::cout << "drumbeat: " << rounded(sum / 66, 3) << " s, at most " << rounded(longest, 3)
            << " s, until all name the next leader after a crash\n";
}

}  // namespace
}  // namespace bellwether::claims
