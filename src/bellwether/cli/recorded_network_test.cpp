// SPDX-License-Identifier: MIT
#include "bellwether/cli/recorded_network.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <sstream>

#include "bellwether/core/problem.hpp"
#include "bellwether/node/recorder.hpp"
#include "bellwether/world/mobility.hpp"

namespace bellwether::cli {
namespace {

using namespace std::chrono_literals;
using core::NodeId;
using core::Time;
using node::CallKind;

constexpr int probes_per_minute = 600;  // one per 100 ms

/// Whether the probe of this number from this neighbour arrives.
using Arrives = std::function<bool(std::uint64_t neighbour, int number)>;

/// What node 1 records when it hears only probes; its timers ring 12 ms late once.
std::string recording(std::uint64_t neighbours, int probes, const Arrives& arrives) {
  node::EngineSpec spec;
  spec.algorithm = "cel-2";
  spec.self = NodeId{1};
  spec.seed = 1;
  spec.probes = {100ms, 300ms, 5ms, 300};
  const auto engine = node::make_engine(catalogue::all(), spec);
  std::string out = node::header_line(spec) + "\n";
  const auto call = [&](const node::EngineCall& each) {
    out += node::call_line(each, node::answer_to(each, *engine)) + "\n";
    engine->outgoing().clear();
  };
  const Time begin = 100s;
  call({begin, CallKind::start, {}, 0, {}});
  call({begin, CallKind::slack, {}, 24'000'000, {}});
  for (int i = 0; i < probes; ++i) {
    const Time now = begin + i * 100ms;
    for (std::uint64_t id = 2; id < 2 + neighbours; ++id)
      if (arrives(id, i)) call({now, CallKind::see, NodeId{id}, 0, {}});
    if (const auto due = engine->next_alarm(); due && *due <= now)
      call({now, CallKind::alarm, {}, 0, {}});
  }
  return out;
}

RecordedNetwork read(const std::string& text) {
  std::istringstream in(text);
  return recorded_network(in, "node.rec", catalogue::all());
}

bool always(std::uint64_t, int) {
  return true;
}

TEST(RecordedNetwork, CountsNeighboursAndLateTimers) {
  const RecordedNetwork network = read(recording(3, probes_per_minute, always));
  EXPECT_EQ(network.node, 1u);
  EXPECT_EQ(network.most_neighbours, 3u);
  EXPECT_NEAR(network.mean_neighbours, 3, 0.1);
  EXPECT_EQ(network.members, 4u);
  EXPECT_EQ(network.loss, 0);
  EXPECT_EQ(network.departures_per_s, 0);
  EXPECT_EQ(network.period, 100ms);
  EXPECT_EQ(network.own_lateness, 12ms);
  EXPECT_TRUE(network.whole);
}

TEST(RecordedNetwork, FindsLostProbesInGaps) {
  const RecordedNetwork network =
      read(recording(2, probes_per_minute, [](std::uint64_t neighbour, int number) {
        return neighbour != 3 || number % 5 != 0;
      }));
  EXPECT_NEAR(network.worst_loss, 0.2, 0.01);
  EXPECT_NEAR(network.loss, 0.1, 0.01);
  EXPECT_NEAR(network.mean_neighbours, 2, 0.1);
}

TEST(RecordedNetwork, ANeighbourThatStaysAwayHasLeftAndLostNothing) {
  const RecordedNetwork network =
      read(recording(2, 2 * probes_per_minute, [](std::uint64_t neighbour, int number) {
        return neighbour != 3 || number < 600;
      }));
  EXPECT_EQ(network.loss, 0);
  EXPECT_NEAR(network.departures_per_s, 1.0 / 120, 0.001);
  EXPECT_NEAR(network.mean_neighbours, 1.5, 0.1);
}

TEST(RecordedNetwork, BecomesAScenarioWithAsManyNodesAndLosses) {
  RecordedNetwork network = read(recording(3, probes_per_minute, always));
  network.loss = 0.05;
  const scenario::Scenario near = scenario_like(network);
  EXPECT_EQ(near.network.nodes, 4u);
  EXPECT_DOUBLE_EQ(near.radio.loss, 0.05);
  EXPECT_EQ(near.neighbours.period, 100ms);
  EXPECT_EQ(near.mobility.model, world::MobilityModel::still);
  EXPECT_LE(near.mobility.width * 1.42, near.radio.range) << "all nodes hear each other";
  network.members = 40;
  const scenario::Scenario far = scenario_like(network);
  EXPECT_GT(far.mobility.width, 2 * far.radio.range) << "few of 40 nodes are neighbours";
  EXPECT_EQ(far.mobility.model, world::MobilityModel::still);
  network.departures_per_s = 0.2;
  const scenario::Scenario moving = scenario_like(network);
  EXPECT_EQ(moving.mobility.model, world::MobilityModel::random_waypoint);
  network.departures_per_s = 0.4;
  EXPECT_NEAR(scenario_like(network).mobility.speed_max, 2 * moving.mobility.speed_max, 0.1);
}

TEST(RecordedNetwork, IsRefusedWhereItSaysTooLittle) {
  const auto complaint = [](const std::string& text) -> std::string {
    try {
      read(text);
    } catch (const core::Problem& problem) {
      return problem.what();
    }
    return "";
  };
  EXPECT_NE(complaint("name = \"a scenario\"\n").find("node.rec:1"), std::string::npos);
  EXPECT_NE(complaint("").find("is empty"), std::string::npos);
  EXPECT_NE(complaint(recording(3, 50, always)).find("too short"), std::string::npos);
  const auto never = [](std::uint64_t, int) { return false; };
  EXPECT_NE(complaint(recording(3, 600, never)).find("no neighbours"), std::string::npos);
}

}  // namespace
}  // namespace bellwether::cli
