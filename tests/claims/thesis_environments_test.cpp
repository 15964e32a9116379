// SPDX-License-Identifier: MIT
// What the thesis (Favier 2022) says of its environments and of the elections in them: chapters 4
// and 5, in shorter runs. Where its figures do not come out, nothing is claimed here.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "claims/claims.hpp"

namespace bellwether {
namespace {

using namespace std::chrono_literals;
using scenario::Scenario;

Scenario environment(const std::string& name, core::Duration time) {
  Scenario s = scenario::read_scenario(std::filesystem::path(BELLWETHER_SOURCE_DIR) / "scenarios" /
                                       (name + ".toml"));
  s.options.clear();
  s.stop.time = time;
  s.changes.crashes.until = std::min(s.changes.crashes.until, time);
  return s;
}

std::map<std::string, double> measured(const std::string& algorithm, Scenario s,
                                       const core::OptionTexts& options) {
  s.algorithm = algorithm;
  for (const auto& [name, text] : options) s.options[name] = {text, "claim"};
  std::map<std::string, double> out;
  const auto report = sim::simulate(catalogue::algorithm(algorithm), s, {});
  for (const auto& metric : report.metrics) out[metric.name] = metric.value;
  return out;
}

/// 4.4.2: "on average 18 connected components" at 90 m.
TEST(ThesisEnvironments, RandomWaypointAt90MetresHasSome18Components) {
  double mean = 0;
  for (const std::uint64_t seed : {1, 2, 3}) {
    Scenario s = environment("thesis-random-waypoint", 300s);
    s.seed = seed;
    mean += measured("flooding", s, {}).at("components_mean") / 3;
  }
  EXPECT_NEAR(mean, 18, 2);
}

/// 4.4.3: fewer messages than flooding. "Half as many" is not what we see at 90 m: a quarter fewer.
TEST(ThesisEnvironments, TopologyAwareSendsFewerMessagesThanFlooding) {
  const Scenario s = environment("thesis-random-waypoint", 300s);
  const auto ours = measured("topology-aware", s, {});
  const auto flooding = measured("flooding", s, {});
  EXPECT_LT(ours.at("messages_per_s"), 0.8 * flooding.at("messages_per_s"));
}

/// 4.4.4: a leader by closeness is nearer than one by degree, and nearer than flooding's.
TEST(ThesisEnvironments, ClosenessShortensTheWayToTheLeader) {
  const Scenario s = environment("thesis-random-waypoint", 300s);
  const auto closeness = measured("topology-aware", s, {{"criterion", "closeness"}});
  const auto degree = measured("topology-aware", s, {{"criterion", "degree"}});
  const auto flooding = measured("flooding", s, {});
  const char* path = "leader_path_longest_hops";
  EXPECT_LT(closeness.at(path), degree.at(path));
  EXPECT_LT(closeness.at(path), flooding.at(path));
  EXPECT_EQ(closeness.at("messages_per_s"), degree.at("messages_per_s"));
}

/// 4.4.5, table 4.2: a new leader within less than a second, on average.
TEST(ThesisEnvironments, AFallenLeaderIsReplacedWithinASecond) {
  const Scenario s = environment("thesis-fault-injection", 200s);
  const auto ours = measured("topology-aware", s, {{"range", "160"}});
  const auto flooding = measured("flooding", s, {});
  EXPECT_GE(ours.at("elections_done"), 10);
  EXPECT_LT(ours.at("election_time_mean_s"), 1);
  EXPECT_LT(flooding.at("election_time_mean_s"), ours.at("election_time_mean_s"));
}

/// 5.4.2, 5.4.6 and table 5.1, at 80 m: gossip with 0.7 sends fewer messages and is less stable;
/// both are more stable than Topology Aware, and that one than Gomez-Calzado.
TEST(ThesisEnvironments, CelOnASharedMedium) {
  Scenario s = environment("thesis-random-walk", 300s);
  s.radio.range = 80;
  const auto all = measured("cel", s, {{"rho", "1"}});
  const auto some = measured("cel", s, {{"rho", "0.7"}});
  const auto aware = measured("topology-aware", s, {{"range", "80"}});
  const auto gomez = measured("gomez-calzado", s, {});
  EXPECT_LT(some.at("messages_per_node_per_s"), 0.8 * all.at("messages_per_node_per_s"));
  EXPECT_LT(all.at("instability"), some.at("instability"));
  EXPECT_LT(some.at("instability"), aware.at("instability"));
  EXPECT_LT(aware.at("instability"), gomez.at("instability"));
  EXPECT_LT(all.at("leader_path_median_hops"), gomez.at("leader_path_median_hops"));
}

}  // namespace
}  // namespace bellwether
