// SPDX-License-Identifier: MIT
// What the tests of claims share: scenarios as values, and networks given link by link.
#pragma once

#include <gtest/gtest.h>

#include <chrono>

#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/sim/simulation_of.hpp"
#include "bellwether/world/topology.hpp"

namespace bellwether::claims {

using core::Duration;
using core::NodeId;
using core::NodeIndex;
using core::Time;
using observe::RunReport;
using scenario::Scenario;
using std::chrono::milliseconds;
using std::chrono::seconds;

Scenario on(std::string topology, NodeIndex nodes, std::uint64_t seed = 1);

Scenario one_way_ring(NodeIndex nodes, std::string ids, std::uint64_t seed = 1);

void set_option(Scenario& s, const std::string& name, const std::string& text);

/// Every message takes one unit of time: a millisecond.
constexpr Duration unit = milliseconds(1);

inline std::int64_t units(Duration d) {
  return d / unit;
}

void random_delays(Scenario& s, Duration min = milliseconds(1), Duration max = milliseconds(10));

double metric(const RunReport& report, std::string_view name);

/// A figure for people: 5.34.
std::string rounded(double value, int digits);

/// The first seed from which the initiators of a scenario start at exactly these times, in the
/// order of `start.nodes`: a scenario can say within which time they start, not when.
std::uint64_t seed_with_starts(const Scenario& s, const std::vector<NodeId>& ids,
                               const std::vector<Time>& starts);

/// The ids 1..n.
std::vector<NodeId> counting_ids(NodeIndex n);

/// A run of an algorithm of the catalogue, by its name.
template <class P>
RunReport simulate(const Scenario& scenario, const sim::Attachments& attachments = {}) {
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
  void change(Time at, world::ChangeKind kind, NodeIndex a, NodeIndex b);
};

sim::RunSetup stage_of(const Play& play);

/// The play, ready to run; the simulation stays to be read afterwards.
template <class P>
std::unique_ptr<sim::SimulationOf<P>> staged(const Play& play, typename P::Options options) {
  return std::make_unique<sim::SimulationOf<P>>(core::hosted<P>(std::move(options)), stage_of(play),
                                                play.scenario);
}

/// The network that a scenario names, as a play: to be changed link by link.
Play play_of(const Scenario& scenario);

}  // namespace bellwether::claims
