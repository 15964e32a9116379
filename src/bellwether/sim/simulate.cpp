// SPDX-License-Identifier: MIT
#include "bellwether/sim/simulate.hpp"

#include <algorithm>

#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/core/nearest.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/graph/distances.hpp"
#include "bellwether/layers/deployed.hpp"
#include "bellwether/observe/metrics/agreement.hpp"
#include "bellwether/observe/trace/trace.hpp"
#include "bellwether/scenario/blame.hpp"
#include "bellwether/sim/round_simulation.hpp"
#include "bellwether/sim/simulation.hpp"
#include "bellwether/sim/validate.hpp"

namespace bellwether::sim {
namespace {

/// One attempt at a run, with what is attached to it.
class Attempt {
 public:
  Attempt(const core::Algorithm& algorithm, const scenario::Scenario& scenario,
          const Attachments& attachments, observe::Observer* extra)
      : algorithm_(algorithm), scenario_(scenario), attachments_(attachments), extra_(extra) {}

  observe::RunReport run() {
    const Interactive interactive = attachments_.pacer ? Interactive::on : Interactive::off;
    // What is wrong with the options is said before the network is made.
    validate_request(algorithm_, scenario_, attachments_.schedule);
    RunSetup setup = attachments_.schedule ? make_setup(*attachments_.schedule)
                                           : make_setup(scenario_, interactive);
    options_ = validate_setup(algorithm_, scenario_, setup);
    if (attachments_.make_medium)
      setup.medium = attachments_.make_medium(site_of(scenario_, setup));
    if (attachments_.pacer) attachments_.pacer->setup(setup);
    const bool native = scenario_.rounds.synchronizer == core::Synchronizer::none;
    return algorithm_.rounds && native ? run_rounds(std::move(setup))
                                       : run_events(std::move(setup));
  }

 private:
  observe::RunReport run_rounds(RunSetup setup) {
    RoundSimulation simulation(std::move(setup), scenario_, algorithm_.make(options_));
    return attached(simulation);
  }
  observe::RunReport run_events(RunSetup setup) {
    layers::StackSpec layers = stack_spec(algorithm_, scenario_);
    // A stack without a given number of pulses plays as many as there are rounds with a common
    // clock.
    if (layers.rounds && layers.rounds->pulses == 0) {
      RoundSimulation native(make_setup(scenario_), scenario_, algorithm_.make(options_));
      native.run();
      layers.rounds->pulses = static_cast<layers::Pulse>(native.rounds() + 1);
    }
    auto nodes = layers::stack(algorithm_, options_, layers);
    auto monitors = chosen_monitors(*nodes, scenario_);
    const auto metrics = metrics_spec(scenario_, setup, nodes->criterion());
    Simulation simulation(std::move(setup), scenario_, std::move(nodes));
    simulation.watch(std::move(monitors));
    if (metrics) simulation.measure(*metrics);
    return attached(simulation);
  }
  template <class Run>
  observe::RunReport attached(Run& simulation) {
    simulation.on_progress(attachments_.on_progress);
    simulation.pace(attachments_.pacer);
    if (extra_)
      simulation.observe(*extra_);
    else
      for (auto* observer : attachments_.observers) simulation.observe(*observer);
    return simulation.run();
  }

  const core::Algorithm& algorithm_;
  const scenario::Scenario& scenario_;
  const Attachments& attachments_;
  observe::Observer* extra_;
  core::OptionTexts options_;
};

/// What the world refuses gets its place in the scenario.
observe::RunReport first_attempt(const core::Algorithm& algorithm,
                                 const scenario::Scenario& scenario,
                                 const Attachments& attachments) {
  try {
    return Attempt(algorithm, scenario, attachments, nullptr).run();
  } catch (const core::Problem& problem) {
    throw scenario::blamed_on(scenario, problem);
  }
}

layers::ProbeOptions deployed_probes(const core::Algorithm& algorithm,
                                     const scenario::Scenario& scenario) {
  const scenario::NeighbourSpec& n = scenario.neighbours;
  core::OptionTexts options;
  for (const auto& [name, raw] : scenario.options) options[name] = raw.text;
  return layers::deployed_probes(algorithm, options, n.period, n.timeout, scenario.radio.mtu);
}

/// What the scenario says is refused at its place.
void refuse_wrong_options(const core::Algorithm& algorithm, const scenario::Scenario& scenario,
                          const core::OptionTexts& options) {
  try {
    algorithm.make(options);
  } catch (const core::Problem& problem) {
    for (const auto& [name, raw] : scenario.options)
      if (problem.key() == "options." + name) throw problem.at(raw.where);
    throw;
  }
}

}  // namespace

core::OptionTexts options_for(const core::Algorithm& algorithm, const scenario::Scenario& scenario,
                              const RunSetup& setup) {
  core::OptionTexts options;
  for (const auto& [name, raw] : scenario.options) options[name] = raw.text;
  if (scenario.neighbours.deployed()) {  // nothing of a deployed network is known in advance
    options = layers::deployed_options(algorithm, std::move(options),
                                       deployed_probes(algorithm, scenario));
    refuse_wrong_options(algorithm, scenario, options);
    return options;
  }
  refuse_wrong_options(algorithm, scenario, options);
  core::fill_in(algorithm, "nodes", setup.network.nodes - setup.absent, options);
  if (setup.network.nodes > 0 && core::left_open(algorithm, "diameter", options))
    core::fill_in(algorithm, "diameter",
                  graph::diameter_bound(graph::Graph(setup.network.nodes, setup.network.links,
                                                     setup.network.direction)),
                  options);
  return options;
}

layers::StackSpec stack_spec(const core::Algorithm& algorithm, const scenario::Scenario& scenario) {
  layers::StackSpec spec;
  const scenario::NeighbourSpec& n = scenario.neighbours;
  if (n.deployed())
    return layers::deployed_stack(algorithm, catalogue::algorithm(layers::map_algorithm),
                                  deployed_probes(algorithm, scenario), layers::deployed_limits);
  if (algorithm.rounds) {
    spec.rounds = {.kind = scenario.rounds.synchronizer,
                   .pulses = scenario.rounds.pulses,
                   .delay = longest_delay(scenario.channel).value_or(Duration{1}),
                   .growth = scenario.rounds.growth};
    return spec;
  }
  if (!algorithm.tolerates_layers()) return spec;
  if (n.reliable && algorithm.needs_order()) spec.reliable = {n.retry};
  if (n.probes())
    spec.probes = {
        .period = n.period, .timeout = n.timeout, .jitter = n.jitter, .mtu = scenario.radio.mtu};
  return spec;
}

core::PropertyMonitors chosen_monitors(core::Nodes& nodes, const scenario::Scenario& scenario) {
  core::PropertyMonitors all = observe::monitors_of(nodes);
  if (scenario.properties.empty()) return {};
  if (scenario.properties.front() == "all") return all;
  core::PropertyMonitors chosen;
  std::vector<std::string> names;
  for (const auto& monitor : all) names.emplace_back(monitor->name());
  for (const std::string& wanted : scenario.properties) {
    const auto found = std::find(names.begin(), names.end(), wanted);
    if (found == names.end())
      throw scenario::problem_at(scenario, "properties",
                                 core::unknown_name("property", wanted, names));
    auto& monitor = all[static_cast<std::size_t>(found - names.begin())];
    if (monitor) chosen.push_back(std::move(monitor));
  }
  return chosen;
}

observe::RunReport simulate(const core::Algorithm& algorithm, const scenario::Scenario& scenario,
                            const Attachments& attachments) {
  observe::RunReport report = first_attempt(algorithm, scenario, attachments);
  if (report.ended == observe::Ended::violation && !attachments.pacer) {
    observe::TailObserver tail(20);
    Attempt(algorithm, scenario, attachments, &tail).run();
    report.last_steps = tail.lines();
  }
  return report;
}

}  // namespace bellwether::sim
