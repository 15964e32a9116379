// SPDX-License-Identifier: MIT
// What the tests of claims share: scenarios as values, and networks given link by link.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>

#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/sim/simulation_of.hpp"
#include "bellwether/world/topology.hpp"

namespace bellwether::claims {

using core::Duration;
using core::NodeId;
using core::NodeIndex;
using core::Time;
using observe::Report;
using scenario::Scenario;
using std::chrono::milliseconds;
using std::chrono::seconds;

inline Scenario on(std::string topology, NodeIndex nodes, std::uint64_t seed = 1) {
  Scenario s;
  s.network.topology = std::move(topology);
  s.network.nodes = nodes;
  s.seed = seed;
  return s;
}

inline Scenario one_way_ring(NodeIndex nodes, std::string ids, std::uint64_t seed = 1) {
  Scenario s = on("ring", nodes, seed);
  s.network.one_way = nodes > 1;
  s.network.ids = std::move(ids);
  return s;
}

inline void set_option(Scenario& s, const std::string& name, const std::string& text) {
  s.options[name] = {text, "claims"};
}

/// Every message takes one unit of time: a millisecond.
constexpr Duration unit = milliseconds(1);

inline std::int64_t units(Duration d) {
  return d / unit;
}

inline void random_delays(Scenario& s, Duration min = milliseconds(1),
                          Duration max = milliseconds(10)) {
  s.channel.delay = world::Delay::uniform;
  s.channel.min = min;
  s.channel.max = max;
}

inline double metric(const Report& report, std::string_view name) {
  for (const auto& each : report.metrics)
    if (each.name == name) return each.value;
  ADD_FAILURE() << "there is no metric " << name;
  return -1;
}

/// A figure for people: 5.34.
inline std::string rounded(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

/// The first seed from which the initiators of a scenario start at exactly these times, in the
/// order of `start.nodes`: a scenario can say within which time they start, not when.
inline std::uint64_t seed_with_starts(const Scenario& s, const std::vector<NodeId>& ids,
                                      const std::vector<Time>& starts) {
  for (std::uint64_t seed = 0; seed < 100'000; ++seed) {
    const auto drawn = sim::start_times(s.start, ids, seed);
    bool same = true;
    for (std::size_t i = 0; i < starts.size(); ++i)
      for (std::size_t u = 0; u < ids.size(); ++u)
        if (ids[u] == s.start.nodes[i]) same = same && drawn[u] == starts[i];
    if (same) return seed;
  }
  ADD_FAILURE() << "no seed starts the initiators at these times";
  return 0;
}

/// The ids 1..n.
inline std::vector<NodeId> counting_ids(NodeIndex n) {
  std::vector<NodeId> ids;
  for (NodeIndex i = 1; i <= n; ++i) ids.push_back(NodeId{i});
  return ids;
}

/// A run of an algorithm of the catalogue, by its name.
template <class P>
Report simulate(const Scenario& scenario, const sim::Attachments& attachments = {}) {
  return sim::simulate(catalogue::algorithm(P::name), scenario, attachments);
}

/// A network given link by link instead of by topology; the rest is the scenario's.
struct Play {
  Scenario scenario;
  world::Network network;
  std::vector<NodeId> ids;  // empty: 1..n

  std::vector<NodeId> names() const { return ids.empty() ? counting_ids(network.nodes) : ids; }
  void cut(Time at, NodeIndex a, NodeIndex b) { change(at, world::ChangeKind::link_down, a, b); }
  void join(Time at, NodeIndex a, NodeIndex b) { change(at, world::ChangeKind::link_up, a, b); }

 private:
  void change(Time at, world::ChangeKind kind, NodeIndex a, NodeIndex b) {
    scenario.changes.script.push_back({at, kind, names()[a], names()[b], false});
  }
};

/// The play, ready to run; the simulation stays to be read afterwards.
template <class P>
std::unique_ptr<sim::SimulationOf<P>> staged(const Play& play, typename P::Options options) {
  sim::Stage stage;
  stage.network = play.network;
  stage.ids = play.names();
  const world::ChangeSpec changes = scenario::effective_changes(play.scenario);
  stage.has_changes = changes.any();
  stage.changes = world::make_changes(changes, stage.network, stage.ids, play.scenario.seed);
  return std::make_unique<sim::SimulationOf<P>>(std::move(stage), play.scenario,
                                                core::hosted<P>(std::move(options)));
}

/// The network that a scenario names, as a play: to be changed link by link.
inline Play play_of(const Scenario& scenario) {
  return {scenario, world::build_network(scenario.network, scenario.seed), {}};
}

}  // namespace bellwether::claims
