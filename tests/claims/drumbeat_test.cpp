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

/// Of networks in which nothing changes any more: the way to the leader is within 5 % of the least
/// but in few of them, and the leader stays from then on.
class Ways {
 public:
  void add(const Way& way) {
    ++number_;
    over_ += way.ratio > 1.05;
    worst_.ratio = std::max(worst_.ratio, way.ratio);
    worst_.last_change = std::max(worst_.last_change, way.last_change);
  }
  void expect(double last_change) const {
    EXPECT_LE(worst_.ratio, 1.08);
    EXPECT_LE(over_ * 10, number_);
    EXPECT_LE(worst_.last_change, last_change);
  }
  void print(const std::string& networks) const {
    std::cout << "drumbeat: " << networks << ": sum of distances at most "
              << rounded(worst_.ratio, 3) << " times the least, within 5 % in " << number_ - over_
              << " of " << number_ << "; last change after " << rounded(worst_.last_change, 1)
              << " s\n";
  }

 private:
  Way worst_;
  int number_ = 0;
  int over_ = 0;
};

TEST(DrumbeatClaims, SoonAfterChangesCeaseTheLeaderIsCentralAndStays) {
  Ways ways;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    ways.add(way_after(calm_network(seed), seconds(30)));
  }
  ways.print("small networks");
  ways.expect(12);
}

struct LargerNetwork {
  const char* topology;
  NodeIndex nodes;
  double last_change = 12;  // s: a wave takes longer in a deeper tree, and each trial some waves
};
class OnLargerNetworks : public testing::TestWithParam<LargerNetwork> {};

/// All start at once, and agree within two seconds; from then on the network is calm.
TEST_P(OnLargerNetworks, TheLeaderIsCentralAfterTenSecondsAndStays) {
  Ways ways;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Scenario s = on(GetParam().topology, GetParam().nodes, seed);
    s.network.ids = "random";
    s.network.degree = 8;
    random_delays(s, milliseconds(1), milliseconds(5));
    ways.add(way_after(s, seconds(25)));
  }
  ways.print(std::string(GetParam().topology) + " of " + std::to_string(GetParam().nodes));
  ways.expect(GetParam().last_change);
}

INSTANTIATE_TEST_SUITE_P(DrumbeatClaims, OnLargerNetworks,
                         testing::Values(LargerNetwork{"line", 60}, LargerNetwork{"ring", 100},
                                         LargerNetwork{"grid", 400, 16}, LargerNetwork{"tree", 60},
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
