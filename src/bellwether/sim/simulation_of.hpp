// SPDX-License-Identifier: MIT
// Simulations of a protocol whose type is known, for callers that read its nodes afterwards.
#pragma once

#include "bellwether/core/algorithm_of.hpp"
#include "bellwether/sim/round_simulation.hpp"
#include "bellwether/sim/simulate.hpp"
#include "bellwether/sim/simulation.hpp"

namespace bellwether::sim {

namespace detail {
template <class P>
std::unique_ptr<core::Nodes> typed(typename P::Options options) {
  return std::make_unique<core::Typed<P>>(std::move(options));
}
}  // namespace detail

template <class P>
class SimulationOf {
 public:
  SimulationOf(RunSetup setup, const scenario::Scenario& scenario, typename P::Options options)
      : SimulationOf(detail::typed<P>(std::move(options)), std::move(setup), scenario) {}
  /// With nodes that the caller has made: core::hosted<P>.
  SimulationOf(std::unique_ptr<core::Nodes> nodes, RunSetup setup,
               const scenario::Scenario& scenario)
      : run_(std::move(setup), scenario, std::move(nodes)) {}

  Simulation* operator->() { return &run_; }
  const Simulation& operator*() const { return run_; }
  void observe(observe::Observer& observer) { run_.observe(observer); }
  void watch(core::PropertyMonitors monitors) { run_.watch(std::move(monitors)); }
  void watch(core::Monitors<P> monitors) {
    watch(core::TypedMonitor<P, core::Typed<P>>::all(std::move(monitors)));
  }
  void watch(std::unique_ptr<core::Monitor<P>> monitor) {
    core::Monitors<P> one;
    one.push_back(std::move(monitor));
    watch(std::move(one));
  }
  observe::RunReport run() { return run_.run(); }
  const P& node(NodeIndex u) const {
    return static_cast<const core::Typed<P>&>(run_.nodes()).node(u);
  }
  NodeIndex size() const { return run_.size(); }
  NodeId id(NodeIndex u) const { return run_.id(u); }
  bool alive(NodeIndex u) const { return run_.alive(u); }
  Time clock(NodeIndex u) const { return run_.clock(u); }
  std::vector<core::ChannelView<typename P::Message>> channels(NodeIndex u) const {
    return core::TypedSnapshot<P, core::Typed<P>>(run_).channels(u);
  }

 private:
  Simulation run_;
};

template <class P>
class RoundSimulationOf {
 public:
  RoundSimulationOf(RunSetup setup, const scenario::Scenario& scenario, typename P::Options options)
      : RoundSimulationOf(detail::typed<P>(std::move(options)), std::move(setup), scenario) {}
  RoundSimulationOf(std::unique_ptr<core::Nodes> nodes, RunSetup setup,
                    const scenario::Scenario& scenario)
      : run_(std::move(setup), scenario, std::move(nodes)) {}

  RoundSimulation* operator->() { return &run_; }
  RoundSimulation& operator*() { return run_; }
  void observe(observe::Observer& observer) { run_.observe(observer); }
  observe::RunReport run() { return run_.run(); }
  const P& node(NodeIndex u) const {
    return static_cast<const core::Typed<P>&>(run_.nodes()).node(u);
  }
  std::uint64_t rounds() const { return run_.rounds(); }

 private:
  RoundSimulation run_;
};

/// A run of a protocol by its type.
template <class P>
observe::RunReport simulate(const scenario::Scenario& scenario,
                            const Attachments& attachments = {}) {
  return simulate(core::algorithm_of<P>(), scenario, attachments);
}

}  // namespace bellwether::sim
