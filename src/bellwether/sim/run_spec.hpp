// SPDX-License-Identifier: MIT
// What a simulation needs beyond the network: when nodes start, how they learn of changes, when
// to stop, what to watch.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "bellwether/core/facts.hpp"
#include "bellwether/core/fingerprint.hpp"
#include "bellwether/observe/metrics/metrics.hpp"
#include "bellwether/observe/metrics/run_report.hpp"
#include "bellwether/observe/trace/record.hpp"
#include "bellwether/scenario/scenario.hpp"
#include "bellwether/world/changes.hpp"
#include "bellwether/world/channel.hpp"
#include "bellwether/world/medium.hpp"
#include "bellwether/world/network.hpp"

namespace bellwether::world {
class Proximity;
}

namespace bellwether::sim {

class Pacer;

using core::Duration;
using core::NodeId;
using core::NodeIndex;
using core::Port;
using core::Time;

/// How far a run has come.
struct Progress {
  Time at{};
  std::uint64_t events = 0;
  std::uint64_t messages = 0;
};

/// Called every few thousand events; false stops the run, which is then marked interrupted.
using OnProgress = std::function<bool(const Progress&)>;

/// Everything that does not depend on the protocol, ready to run.
struct RunSetup {
  world::Network network;
  std::vector<NodeId> ids;
  bool anonymous = false;
  std::unique_ptr<world::Changes> changes;
  bool has_changes = false;
  bool has_crashes = false;
  bool moves = false;        // links beyond the wires come and go with the places of the nodes
  std::uint32_t wired = 0;   // how many of the network's links are wires: the first ones
  world::ChannelSpec radio;  // what the others do to messages
  std::vector<unsigned char> has_radio;   // by node; empty: all
  std::vector<bool> up;                   // by link: up at the beginning; empty: all
  NodeIndex absent = 0;                   // how many of the nodes, the last, are not there yet
  world::Proximity* proximity = nullptr;  // where nodes move: a part of `changes`
  std::shared_ptr<world::LinkBook> book;  // for changes by hand
  std::unique_ptr<world::Medium> medium;  // in place of `csma`
  const observe::Schedule* schedule = nullptr;  // decides what is otherwise drawn
};

/// Builds the network, the ids and the changes of a scenario. Throws Problem. By hand there may be
/// more changes than the scenario has.
enum class Interactive : bool { off, on };
RunSetup make_setup(const scenario::Scenario& scenario, Interactive interactive = Interactive::off);

/// Refuses what no algorithm could run in. Throws Problem with the place in the scenario.
void check_world(const scenario::Scenario& scenario);

/// Where the medium of a scenario is to work. Throws Problem.
world::MediumSite site_of(const scenario::Scenario& scenario, const RunSetup& setup);

/// Whether there are the nodes that are to start. Throws Problem.
void check_start(const scenario::StartSpec& spec, std::span<const NodeId> ids);

/// When each node starts; end_of_time for a node that does not initiate.
std::vector<Time> start_times(const scenario::StartSpec& spec, const std::vector<NodeId>& ids,
                              std::uint64_t seed);

/// How far each node's clock is off.
std::vector<Duration> clock_offsets(Duration skew, NodeIndex nodes, std::uint64_t seed);
/// And after a restart at that time.
Duration clock_offset_after(Duration skew, NodeIndex node, Time restart, std::uint64_t seed);

/// The draw-th choice of a node: its own stream, without a state to keep per node.
inline std::uint64_t node_choice(std::uint64_t seed, NodeIndex node, std::uint64_t draw,
                                 std::uint64_t n) {
  const std::uint64_t own = core::stream_seed(seed, "node", node);
  return core::scale(core::splitmix(own ^ core::splitmix(draw)), n);
}

/// What any simulation knows at its end; make_report turns it into a Report.
struct RunTotals {
  std::string_view algorithm;
  std::uint64_t events = 0;
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  Time time{};
  observe::Ended ended{};
  std::string violation;
  core::Fingerprint fingerprint;
  std::vector<graph::Edge> links;
  std::vector<observe::NodeResult> verdicts;
  std::vector<observe::Metric> metrics;
  std::optional<observe::Series> series;
};
/// What is measured over time, where the scenario asks for it.
std::optional<observe::MetricsSetup> metrics_spec(const scenario::Scenario& scenario,
                                                  const RunSetup& setup, core::Criterion criterion);

observe::RunReport make_report(RunTotals totals, const scenario::Scenario& scenario,
                               const std::vector<NodeId>& ids);

struct Attachments {
  std::vector<observe::Observer*> observers;
  OnProgress on_progress;
  const observe::Schedule* schedule = nullptr;  // replayed, in place of the scenario's network
  Pacer* pacer = nullptr;                       // the run has a watcher
  world::MakeMedium make_medium = nullptr;      // in place of `csma`
};

}  // namespace bellwether::sim
