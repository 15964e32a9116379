// SPDX-License-Identifier: MIT
// Small histories whose metrics were computed by hand.
#include "bellwether/observe/metrics/metrics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

#include "bellwether/core/invariant.hpp"
#include "bellwether/observe/metrics/metric_facts.hpp"

namespace bellwether::observe {
namespace {

using core::Criterion;
using std::chrono::milliseconds;
using std::chrono::seconds;

std::vector<NodeId> ids(std::initializer_list<std::uint64_t> numbers) {
  std::vector<NodeId> out;
  for (const std::uint64_t n : numbers) out.push_back(NodeId{n});
  return out;
}

std::vector<graph::Edge> line(NodeIndex nodes) {
  std::vector<graph::Edge> links;
  for (NodeIndex u = 1; u < nodes; ++u) links.push_back({u - 1, u});
  return links;
}

MetricsSetup ten_seconds(Criterion criterion) {
  return {.criterion = criterion, .interval = seconds(5), .end = seconds(10)};
}

double value(const MetricsResult& result, std::string_view name) {
  for (const Metric& metric : result.totals)
    if (metric.name == name) return metric.value;
  ADD_FAILURE() << "there is no metric " << name;
  return -1;
}

double value(const MetricsResult& result, std::string_view name, std::size_t row) {
  const auto& columns = result.series.columns;
  const auto at = std::find(columns.begin(), columns.end(), name);
  if (at == columns.end()) ADD_FAILURE() << "there is no column " << name;
  return result.series.rows.at(row).at(static_cast<std::size_t>(at - columns.begin()));
}

/// All of them name the same leader.
void name_all(Metrics& metrics, Time at, NodeIndex nodes, std::uint64_t leader) {
  for (NodeIndex u = 0; u < nodes; ++u) metrics.leader(at, u, NodeId{leader});
}

TEST(Metrics, InstabilityIsTheShareOfWrongNodesWeightedWithTime) {
  Metrics m(ten_seconds(Criterion::highest_id), ids({1, 2, 3, 4}), line(4));
  name_all(m, seconds(2), 4, 4);          // 2 s: all four wrong
  m.leader(seconds(7), 0, NodeId{3});     // 5 s: none
  m.leader(seconds(9), 1, std::nullopt);  // 2 s: one of four
  const auto r = m.finish(seconds(10));   // 1 s: two of four
  EXPECT_DOUBLE_EQ(value(r, "instability"), (2 + 0.5 + 0.5) / 10);
  EXPECT_DOUBLE_EQ(value(r, "without_leader"), (2 + 0.25) / 10);
  EXPECT_DOUBLE_EQ(value(r, "instability", 0), 0.4);
  EXPECT_DOUBLE_EQ(value(r, "instability", 1), 0.2);
  EXPECT_DOUBLE_EQ(value(r, "instability_cumulative", 0), 0.4);
  EXPECT_DOUBLE_EQ(value(r, "instability_cumulative", 1), 0.3);
  EXPECT_EQ(value(r, "time_s", 1), 10);
  EXPECT_EQ(r.series.rows.size(), 2u);
}

TEST(Metrics, TheOracleGoesByItsCriterion) {
  // A star with three rays, the last of which is longer: 10 - 30, 10 - 20, 10 - 50 - 60 - 70.
  const std::vector<graph::Edge> links{{0, 1}, {0, 2}, {0, 3}, {3, 4}, {4, 5}};
  const auto nodes = ids({10, 30, 20, 50, 60, 70});
  const auto right = [&](Criterion criterion, std::uint64_t leader) {
    Metrics m(ten_seconds(criterion), nodes, links);
    m.alive(seconds(1), 5, false);  // 70 is younger than the others
    m.alive(seconds(2), 5, true);
    name_all(m, seconds(5), 6, leader);
    return value(m.finish(seconds(10)), "instability", 1) == 0;
  };
  for (const std::uint64_t leader : {10, 20, 30, 50, 60, 70}) {
    EXPECT_EQ(right(Criterion::highest_id, leader), leader == 70);
    EXPECT_EQ(right(Criterion::oldest, leader), leader == 60);
    EXPECT_EQ(right(Criterion::degree, leader), leader == 10);
    // Sums of distances: 10 has 1+1+1+2+3, and so has 50 with 1+2+2+1+2; ties: the highest id.
    EXPECT_EQ(right(Criterion::closeness, leader), leader == 50);
    EXPECT_TRUE(right(Criterion::majority, leader));
  }
  EXPECT_FALSE(right(Criterion::majority, 99)) << "99 is none of them";
}

TEST(Metrics, MajorityIsWhatMostSayOfTheirOwn) {
  Metrics m(ten_seconds(Criterion::majority), ids({1, 2, 3, 4, 5}), line(5));
  for (const NodeIndex u : {0u, 1u}) m.leader(seconds(0), u, NodeId{1});
  m.leader(seconds(0), 2, NodeId{2});
  for (const NodeIndex u : {3u, 4u}) m.leader(seconds(0), u, NodeId{9});  // a stranger
  m.leader(seconds(5), 1, NodeId{2});                                     // now 2 has two votes
  m.leader(seconds(5), 3, NodeId{2});                                     // and now three
  const auto r = m.finish(seconds(10));
  EXPECT_DOUBLE_EQ(value(r, "instability", 0), 3.0 / 5);
  EXPECT_DOUBLE_EQ(value(r, "instability", 1), 2.0 / 5);
}

TEST(Metrics, OnlyTheEndOfAnInstantHasWeight) {
  Metrics m(ten_seconds(Criterion::highest_id), ids({1, 2}), line(2));
  for (const std::uint64_t leader : {1, 7, 2}) m.leader(seconds(0), 0, NodeId{leader});
  m.leader(seconds(0), 1, NodeId{2});
  // There and back again, all at once.
  m.link(seconds(4), 0, 1, false);
  m.leader(seconds(4), 0, NodeId{1});
  m.leader(seconds(4), 0, NodeId{2});
  m.link(seconds(4), 1, 0, true);
  const auto r = m.finish(seconds(10));
  EXPECT_EQ(value(r, "instability"), 0);
  EXPECT_EQ(value(r, "components_mean"), 1);
  EXPECT_EQ(value(r, "leader_changes_measured"), 2);
  EXPECT_DOUBLE_EQ(value(r, "leader_changes_per_node_per_s"), 2.0 / 20);
}

TEST(Metrics, TrafficIsCountedPerSecondAndPerLiveNode) {
  Metrics m(ten_seconds(Criterion::majority), ids({1, 2}), line(2));
  m.sent(seconds(0), 0, 100, false);
  m.sent(seconds(1), 1, 50, false);
  m.sent(seconds(5), 0, 10, true);  // begins the second interval
  m.alive(seconds(5), 1, false);
  m.sent(seconds(10), 0, 60, false);  // the end belongs to the last interval
  const auto r = m.finish(seconds(10));
  EXPECT_DOUBLE_EQ(value(r, "messages_per_s"), 0.3);
  EXPECT_DOUBLE_EQ(value(r, "messages_per_node_per_s"), 3.0 / 15);
  EXPECT_DOUBLE_EQ(value(r, "beacons_per_s"), 0.1);
  EXPECT_DOUBLE_EQ(value(r, "bytes_per_s"), 22);
  EXPECT_DOUBLE_EQ(value(r, "message_size_mean_bytes"), 70);
  EXPECT_DOUBLE_EQ(value(r, "messages_per_s", 0), 0.4);
  EXPECT_DOUBLE_EQ(value(r, "beacons_per_s", 0), 0);
  EXPECT_DOUBLE_EQ(value(r, "messages_per_s", 1), 0.2);
  EXPECT_DOUBLE_EQ(value(r, "beacons_per_s", 1), 0.2);
  EXPECT_DOUBLE_EQ(value(r, "message_size_mean_bytes", 1), 60);
  EXPECT_DOUBLE_EQ(value(r, "live_nodes"), 1.5);
}

TEST(Metrics, PathsLeadToTheLeaderThatEachNodeNames) {
  // 1 - 2 - 3 - 4 - 5 and 6 - 7 and 8.
  auto links = line(5);
  links.push_back({5, 6});
  Metrics m(ten_seconds(Criterion::majority), ids({1, 2, 3, 4, 5, 6, 7, 8}), links);
  for (const NodeIndex u : {0u, 1u, 2u, 3u}) m.leader(seconds(0), u, NodeId{1});  // 0 1 2 3 hops
  m.leader(seconds(0), 4, NodeId{8});  // cannot be reached
  m.leader(seconds(0), 7, NodeId{8});  // alone: no path at all
  m.leader(seconds(5), 6, NodeId{6});  // 1 hop, its own component
  const auto r = m.finish(seconds(10));
  EXPECT_DOUBLE_EQ(value(r, "leader_path_longest_hops", 0), 3);
  EXPECT_DOUBLE_EQ(value(r, "leader_path_median_hops", 0), 1) << "the lower of 1 and 2";
  EXPECT_DOUBLE_EQ(value(r, "leader_path_relative", 0), 3.0 / 4);
  EXPECT_DOUBLE_EQ(value(r, "leader_path_longest_hops", 1), 2) << "the mean of 3 and 1";
  EXPECT_DOUBLE_EQ(value(r, "leader_path_median_hops", 1), 1);
  EXPECT_DOUBLE_EQ(value(r, "leader_path_relative", 1), (3.0 / 4 + 1) / 2);
  EXPECT_DOUBLE_EQ(value(r, "leader_path_longest_hops"), 2.5);
}

TEST(Metrics, TimeWithoutAPathDoesNotCount) {
  Metrics m(ten_seconds(Criterion::majority), ids({1, 2, 3}), line(3));
  m.leader(seconds(8), 0, NodeId{3});
  const auto r = m.finish(seconds(10));
  EXPECT_EQ(value(r, "leader_path_longest_hops"), 2);
  EXPECT_TRUE(std::isnan(value(r, "leader_path_longest_hops", 0)));
}

TEST(Metrics, ComponentsAndDiameters) {
  Metrics m(ten_seconds(Criterion::majority), ids({1, 2, 3, 4}), line(4));
  m.link(seconds(5), 1, 2, false);  // 1 - 2 and 3 - 4
  m.alive(seconds(7), 0, false);    // 2 and 3 - 4
  m.link(seconds(9), 1, 3, true);   // 2 - 4 - 3
  const auto r = m.finish(seconds(10));
  EXPECT_DOUBLE_EQ(value(r, "components_mean"), (5 * 1 + 2 * 2 + 2 * 2 + 1 * 1) / 10.0);
  EXPECT_DOUBLE_EQ(value(r, "component_size_mean_nodes"), (5 * 4 + 2 * 2 + 2 * 1.5 + 3) / 10);
  EXPECT_DOUBLE_EQ(value(r, "component_size_largest_nodes"), (5 * 4 + 2 * 2 + 2 * 2 + 3) / 10.0);
  EXPECT_DOUBLE_EQ(value(r, "diameter_mean_hops"), (5 * 3 + 2 * 1 + 2 * 1 + 2) / 10.0);
  EXPECT_DOUBLE_EQ(value(r, "diameter_largest_hops"), (5 * 3 + 2 * 1 + 2 * 1 + 2) / 10.0);
  EXPECT_EQ(value(r, "components_at_end", 0), 1);
  EXPECT_EQ(value(r, "components_at_end", 1), 1);
}

TEST(Metrics, ParallelLinksAreCounted) {
  Metrics m(ten_seconds(Criterion::majority), ids({1, 2}),
            std::vector<graph::Edge>{{0, 1}, {1, 0}});
  m.link(seconds(2), 0, 1, false);
  m.link(seconds(6), 0, 1, false);
  EXPECT_THROW(m.link(seconds(6), 0, 1, false), core::Violation);
  EXPECT_DOUBLE_EQ(value(m.finish(seconds(10)), "components_mean"), 1.4);
}

TEST(Metrics, AnElectionLastsUntilAllFollowersAgreeAnew) {
  Metrics m(ten_seconds(Criterion::highest_id), ids({1, 2, 3, 4, 5}), line(5));
  name_all(m, seconds(1), 5, 5);
  m.alive(seconds(2), 4, false);
  m.leader(milliseconds(2500), 3, NodeId{4});
  m.leader(milliseconds(2600), 2, NodeId{4});
  m.leader(milliseconds(2700), 1, NodeId{4});
  m.leader(milliseconds(2750), 0, NodeId{3});  // not the same
  m.leader(milliseconds(2800), 0, NodeId{4});
  m.leader(milliseconds(3000), 0, NodeId{3});  // later quarrels do not matter
  const auto r = m.finish(seconds(10));
  EXPECT_EQ(value(r, "leader_crashes"), 1);
  EXPECT_EQ(value(r, "elections_done"), 1);
  EXPECT_EQ(value(r, "elections_overtaken"), 0);
  EXPECT_DOUBLE_EQ(value(r, "election_time_mean_s"), 0.8);
  EXPECT_DOUBLE_EQ(value(r, "election_time_longest_s"), 0.8);
  EXPECT_DOUBLE_EQ(value(r, "election_time_deviation_s"), 0);
  EXPECT_DOUBLE_EQ(value(r, "election_time_mean_s", 0), 0.8);
  EXPECT_TRUE(std::isnan(value(r, "election_time_mean_s", 1)));
}

TEST(Metrics, AnElectionGoesOnInEveryPieceOfTheNetwork) {
  // The leader 9 in the middle holds 1 - 2 and 3 - 4 together.
  const std::vector<graph::Edge> links{{0, 1}, {1, 4}, {4, 2}, {2, 3}};
  Metrics m(ten_seconds(Criterion::highest_id), ids({1, 2, 3, 4, 9}), links);
  name_all(m, seconds(0), 5, 9);
  m.alive(seconds(2), 4, false);
  for (const NodeIndex u : {0u, 1u}) m.leader(seconds(3), u, NodeId{2});
  for (const NodeIndex u : {2u, 3u}) m.leader(seconds(4), u, NodeId{2});  // not one of them
  for (const NodeIndex u : {2u, 3u}) m.leader(seconds(6), u, NodeId{4});
  EXPECT_DOUBLE_EQ(value(m.finish(seconds(10)), "election_time_mean_s"), 4);
}

TEST(Metrics, OnlyTheCrashOfALeaderBeginsAnElection) {
  Metrics m(ten_seconds(Criterion::highest_id), ids({1, 2, 3, 4, 5}), line(4));
  name_all(m, seconds(0), 3, 4);
  m.leader(seconds(0), 3, NodeId{3});
  m.leader(seconds(0), 4, NodeId{5});
  m.alive(seconds(1), 2, false);  // 3: one vote of four
  m.alive(seconds(2), 4, false);  // leads, but only itself
  EXPECT_EQ(value(m.finish(seconds(10)), "leader_crashes"), 0);
}

TEST(Metrics, AnElectionIsOvertakenByAnotherCrashAReturnOrTheEnd) {
  const auto run = [](auto&& rest) {
    Metrics m(ten_seconds(Criterion::highest_id), ids({1, 2, 3, 4}),
              std::vector<graph::Edge>{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}});
    name_all(m, seconds(0), 4, 4);
    m.alive(seconds(1), 3, false);
    rest(m);
    const auto r = m.finish(seconds(10));
    EXPECT_EQ(value(r, "leader_crashes") - value(r, "elections_done"),
              value(r, "elections_overtaken"));
    return std::pair(value(r, "elections_done"), value(r, "elections_overtaken"));
  };
  EXPECT_EQ(run([](Metrics&) {}), std::pair(0.0, 1.0));
  EXPECT_EQ(run([](Metrics& m) {
              m.alive(seconds(2), 3, true);
              name_all(m, seconds(3), 4, 4);
            }),
            std::pair(0.0, 1.0));
  EXPECT_EQ(run([](Metrics& m) {  // 3 has won two of three when it crashes; then 2 wins
              m.leader(seconds(2), 1, NodeId{3});
              m.leader(seconds(2), 2, NodeId{3});
              m.alive(seconds(3), 2, false);
              name_all(m, seconds(4), 2, 2);
            }),
            std::pair(1.0, 1.0));
  EXPECT_EQ(run([](Metrics& m) {  // no node is left
              for (const NodeIndex u : {0u, 1u, 2u}) m.alive(seconds(2), u, false);
            }),
            std::pair(0.0, 1.0));
}

TEST(Metrics, TotalsCountFromTheEndOfTheWarmUp) {
  MetricsSetup spec = ten_seconds(Criterion::highest_id);
  spec.warm_up = seconds(4);
  Metrics m(spec, ids({1, 2}), line(2));
  name_all(m, seconds(1), 2, 2);
  m.sent(seconds(3), 0, 10, false);
  m.sent(seconds(4), 0, 20, false);
  m.leader(seconds(7), 0, NodeId{1});
  const auto r = m.finish(seconds(10));
  EXPECT_EQ(value(r, "measured_time_s"), 6);
  EXPECT_DOUBLE_EQ(value(r, "instability"), 0.5 * 3 / 6);
  EXPECT_EQ(value(r, "leader_changes_measured"), 1);
  EXPECT_DOUBLE_EQ(value(r, "messages_per_s"), 1.0 / 6);
  EXPECT_DOUBLE_EQ(value(r, "messages_per_s", 0), 2.0 / 5) << "series show everything";
  EXPECT_DOUBLE_EQ(value(r, "instability_cumulative", 1), (1 + 0.5 * 3) / 10);
}

TEST(Metrics, SettlingTimeCountsFromTheLastChangeOfTheNetwork) {
  const auto settling = [](auto&& history) {
    Metrics m(ten_seconds(Criterion::highest_id), ids({1, 2, 3}), line(3));
    history(m);
    return value(m.finish(seconds(10)), "settling_time_s");
  };
  EXPECT_EQ(settling([](Metrics& m) { name_all(m, seconds(3), 3, 3); }), 3);
  EXPECT_EQ(settling([](Metrics& m) { name_all(m, seconds(3), 3, 2); }), 3)
      << "whom they agree on does not matter";
  EXPECT_EQ(settling([](Metrics& m) {
              name_all(m, seconds(3), 3, 3);
              m.link(seconds(4), 1, 2, false);
              m.leader(seconds(6), 0, NodeId{2});
              m.leader(seconds(7), 1, NodeId{2});
            }),
            3);
  EXPECT_TRUE(std::isnan(settling([](Metrics& m) {
    name_all(m, seconds(3), 3, 3);
    m.link(seconds(4), 1, 2, false);
  }))) << "a leader that cannot be reached";
  EXPECT_EQ(settling([](Metrics& m) {
              name_all(m, seconds(3), 3, 3);
              m.link(seconds(4), 1, 2, false);
              m.link(seconds(6), 1, 2, true);
            }),
            0)
      << "nobody has noticed, and all is as it was";
}

TEST(Metrics, EnergyIsPerNode) {
  Metrics m(ten_seconds(Criterion::majority), ids({1, 2}), line(2));
  m.energy(0, 5, {seconds(1), seconds(6), seconds(0), seconds(2), seconds(1), seconds(0)});
  m.energy(1, 15, {seconds(0), seconds(4), seconds(1), seconds(2), seconds(2), seconds(1)});
  const auto r = m.finish(seconds(10));
  EXPECT_EQ(value(r, "energy_mean_j"), 10);
  EXPECT_EQ(value(r, "energy_least_j"), 5);
  EXPECT_EQ(value(r, "energy_most_j"), 15);
  EXPECT_EQ(value(r, "power_mean_w"), 1);
  EXPECT_EQ(value(r, "power_least_w"), 0.5);
  EXPECT_EQ(value(r, "power_most_w"), 1.5);
  EXPECT_EQ(value(r, "radio_sleep_mean_s"), 0.5);
  EXPECT_EQ(value(r, "radio_idle_mean_s"), 5);
  EXPECT_EQ(value(r, "radio_busy_mean_s"), 0.5);
  EXPECT_EQ(value(r, "radio_receive_mean_s"), 2);
  EXPECT_EQ(value(r, "radio_transmit_mean_s"), 1.5);
  EXPECT_EQ(value(r, "radio_switching_mean_s"), 0.5);
}

TEST(Metrics, ManageWithoutNodesAndWithoutTime) {
  for (const bool paths : {true, false}) {
    MetricsSetup spec = ten_seconds(Criterion::closeness);
    spec.paths = paths;
    const auto empty = Metrics(spec, {}, {}).finish(seconds(10));
    EXPECT_TRUE(std::isnan(value(empty, "instability")));
    EXPECT_EQ(value(empty, "components_mean"), 0);
    EXPECT_EQ(value(empty, "messages_per_s"), 0);
    EXPECT_EQ(empty.series.rows.size(), 2u);

    Metrics dying(spec, ids({1, 2}), line(2));
    dying.alive(seconds(5), 0, false);
    dying.alive(seconds(5), 1, false);
    const auto dead = dying.finish(seconds(10));
    EXPECT_EQ(value(dead, "instability"), 1) << "as long as there was anybody";
    EXPECT_TRUE(std::isnan(value(dead, "instability", 1)));
    EXPECT_EQ(value(dead, "component_size_largest_nodes"), 1);

    const auto none = Metrics(spec, ids({1}), {}).finish(seconds(0));
    EXPECT_TRUE(std::isnan(value(none, "instability")));
    EXPECT_TRUE(none.series.rows.empty());
  }
}

TEST(Metrics, ASeriesHasAHundredRowsUnlessTold) {
  const auto rows = [](Time planned, Time end) {
    return Metrics({.end = planned}, ids({1}), {}).finish(end).series.rows.size();
  };
  EXPECT_EQ(rows(seconds(10), seconds(10)), 100u);
  EXPECT_EQ(rows(Time{1001}, Time{1001}), 91u) << "the interval is rounded up";
  EXPECT_EQ(rows(seconds(10), milliseconds(250)), 3u) << "ended early";
  EXPECT_EQ(rows(seconds(10), seconds(11)), 110u) << "ended late";
  EXPECT_EQ(rows(core::end_of_time, seconds(11)), 1u);
  EXPECT_THROW(Metrics({.interval = Time{1}, .end = seconds(1)}, {}, {}), core::Violation);
}

TEST(Metrics, LargeComponents) {
  // A ring, which one cut makes a line.
  const NodeIndex nodes = 1500;
  std::vector<NodeId> names;
  for (NodeIndex u = 0; u < nodes; ++u) names.push_back(NodeId{u + 1});
  auto links = line(nodes);
  links.push_back({nodes - 1, 0});
  for (const bool paths : {true, false}) {
    MetricsSetup spec = ten_seconds(Criterion::highest_id);
    spec.paths = paths;
    Metrics m(spec, names, links);
    m.leader(seconds(0), 0, NodeId{700});     // 699 hops away
    m.leader(seconds(0), 1, NodeId{nodes});   // 2 hops away
    m.leader(seconds(0), 2, NodeId{nodes});   // 3 hops away
    m.link(seconds(5), nodes - 1, 0, false);  // now 1498 and 1497
    const auto r = m.finish(seconds(10));
    EXPECT_EQ(value(r, "components_mean"), 1);
    EXPECT_DOUBLE_EQ(value(r, "instability"), 1498.0 / 1500);
    if (!paths) continue;
    EXPECT_EQ(value(r, "diameter_mean_hops", 0), 750);
    EXPECT_EQ(value(r, "diameter_mean_hops", 1), 1499);
    EXPECT_EQ(value(r, "leader_path_longest_hops", 0), 699);
    EXPECT_EQ(value(r, "leader_path_longest_hops", 1), 1498);
    EXPECT_EQ(value(r, "leader_path_median_hops", 0), 3);
    EXPECT_EQ(value(r, "leader_path_median_hops", 1), 1497);
  }
}

TEST(Metrics, TimeDoesNotGoBackwards) {
  Metrics m(ten_seconds(Criterion::majority), ids({1}), {});
  m.leader(seconds(2), 0, NodeId{1});
  EXPECT_THROW(m.leader(seconds(1), 0, NodeId{1}), core::Violation);
  EXPECT_THROW(m.leader(seconds(2), 1, NodeId{1}), core::Violation);
}

TEST(Metrics, OfAHierarchy) {
  // 1 - 2 - 3 - 4 - 5, and 3 leads all; from second 6 on 1 leads 1 and 2, too.
  Metrics m({.criterion = Criterion::majority, .interval = seconds(2), .end = seconds(10)},
            ids({1, 2, 3, 4, 5}), line(5));
  for (NodeIndex u = 0; u < 5; ++u) m.placed(seconds(0), u, u == 2 ? 2 : 0, NodeId{3});
  m.placed(seconds(6), 0, 1, NodeId{1});
  m.placed(seconds(6), 1, 0, NodeId{1});
  const auto r = m.finish(seconds(10));
  EXPECT_DOUBLE_EQ(value(r, "leaders_per_level_1"), 1.4);
  EXPECT_DOUBLE_EQ(value(r, "leaders_per_level_2"), 1);
  EXPECT_DOUBLE_EQ(value(r, "remoteness_max"), 2);
  EXPECT_DOUBLE_EQ(value(r, "remoteness_mean"), (6 * 1.2 + 4 * 0.8) / 10);
  EXPECT_TRUE(std::isnan(value(r, "reclustered_share", 0)));
  EXPECT_DOUBLE_EQ(value(r, "reclustered_share", 1), 0);
  EXPECT_DOUBLE_EQ(value(r, "reclustered_share", 3), 0.4) << "where it had changed by its end";
  EXPECT_DOUBLE_EQ(value(r, "reclustered_share"), 0.1) << "of four intervals";
}

TEST(Metrics, OfOtherElectionsSayNothingOfAHierarchy) {
  Metrics m(ten_seconds(Criterion::majority), ids({1}), {});
  for (const Metric& metric : m.finish(seconds(10)).totals)
    EXPECT_EQ(metric.name.find("remoteness"), metric.name.npos);
}

TEST(Metrics, AreAllDescribedInTheirOrder) {
  Metrics m(ten_seconds(Criterion::majority), ids({1}), {});
  m.placed(seconds(0), 0, 9, NodeId{1});
  m.energy(0, 1, {});
  m.energy_so_far(seconds(10), 1, {});
  const auto r = m.finish(seconds(10));
  std::vector<std::string> totals;
  std::vector<std::string> columns;
  for (const MetricFact& fact : metric_facts()) {
    if (fact.total && fact.group != MetricGroup::run) totals.emplace_back(fact.name);
    if (fact.series) columns.emplace_back(fact.name);
  }
  std::vector<std::string> names;
  for (const Metric& metric : r.totals) names.push_back(metric.name);
  EXPECT_EQ(names, totals);
  EXPECT_EQ(r.series.columns, columns);
  EXPECT_EQ(std::set(totals.begin(), totals.end()).size(), totals.size());
  EXPECT_EQ(metric_fact("nonsense"), nullptr);
}

TEST(Metrics, EnergyOfAnIntervalIsWhatWasUsedInIt) {
  Metrics m({.criterion = Criterion::majority, .interval = seconds(5), .end = seconds(10)},
            ids({1}), {});
  RadioTimes times{};
  times[static_cast<std::size_t>(RadioState::transmit)] = seconds(1);
  m.energy_so_far(seconds(5), 10, times);
  times[static_cast<std::size_t>(RadioState::transmit)] = seconds(3);
  m.energy_so_far(seconds(10), 15, times);
  const auto r = m.finish(seconds(10));
  EXPECT_DOUBLE_EQ(value(r, "power_mean_w", 0), 2);
  EXPECT_DOUBLE_EQ(value(r, "power_mean_w", 1), 1);
  EXPECT_DOUBLE_EQ(value(r, "radio_transmit_mean_s", 0), 1);
  EXPECT_DOUBLE_EQ(value(r, "radio_transmit_mean_s", 1), 2);
}

TEST(Metrics, ThePageListsThemAll) {
  std::ifstream in(BELLWETHER_SOURCE_DIR "/docs/metrics.md");
  std::stringstream page;
  page << in.rdbuf();
  for (const MetricFact& fact : metric_facts()) {
    const std::string row = "| `" + std::string(fact.name) + "` | " + std::string(fact.title) +
                            " | " + std::string(fact.unit.empty() ? "number" : fact.unit) + " |";
    EXPECT_NE(page.str().find(row), std::string::npos) << "docs/metrics.md lacks " << row;
  }
}

}  // namespace
}  // namespace bellwether::observe
