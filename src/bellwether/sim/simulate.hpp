// SPDX-License-Identifier: MIT
// From a scenario to a report, for one algorithm chosen by name out of a catalogue.
#pragma once

#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/core/facts.hpp"
#include "bellwether/core/nearest.hpp"
#include "bellwether/graph/distances.hpp"
#include "bellwether/observe/agreement.hpp"
#include "bellwether/observe/trace.hpp"
#include "bellwether/sim/round_simulation.hpp"
#include "bellwether/sim/simulation.hpp"

namespace bellwether::sim {

/// Refuses, in words, a network that breaks the algorithm's model. Throws BadScenario.
void check_model(std::string_view algorithm, const core::Model& model,
                 const scenario::Scenario& scenario, const Stage& stage);

/// Refuses an option that the algorithm does not have, or of the wrong kind. Throws BadScenario.
[[noreturn]] void refuse_option(std::string_view algorithm, const std::string& name,
                                const scenario::RawOption& raw,
                                const std::vector<core::OptionRow>& rows,
                                core::OptionOutcome outcome);

template <class P>
typename P::Options parse_options(const scenario::Scenario& scenario) {
  typename P::Options options{};
  for (const auto& [name, raw] : scenario.options) {
    const auto outcome = core::set_option(options, name, raw.text);
    if (outcome != core::OptionOutcome::set)
      refuse_option(P::name, name, raw, core::option_rows<typename P::Options>(), outcome);
  }
  return options;
}

/// An algorithm may know something of the network: its driver fills in what was left at 0.
template <class Options>
void fill_knowledge(Options& options, const Stage& stage) {
  if constexpr (requires { options.nodes; })
    if (options.nodes == 0)
      options.nodes = static_cast<decltype(options.nodes)>(stage.network.nodes);
  if constexpr (requires { options.diameter; })
    if (options.diameter == 0)
      options.diameter = static_cast<decltype(options.diameter)>(graph::diameter_bound(
          graph::Graph(stage.network.nodes, stage.network.links, stage.network.direction)));
}

/// The monitors that a scenario asks for by name. Throws BadScenario.
template <class P>
core::Monitors<P> chosen_monitors(const scenario::Scenario& scenario) {
  core::Monitors<P> all = observe::monitors_of<P>();
  if (scenario.properties.empty()) return {};
  if (scenario.properties.front() == "all") return all;
  core::Monitors<P> chosen;
  std::vector<std::string> names;
  for (const auto& monitor : all) names.emplace_back(monitor->name());
  for (const std::string& wanted : scenario.properties) {
    const auto found = std::find(names.begin(), names.end(), wanted);
    if (found == names.end())
      throw scenario::BadScenario(scenario::place_of(scenario, "properties") +
                                  core::unknown_name("property", wanted, names));
    auto& monitor = all[static_cast<std::size_t>(found - names.begin())];
    if (monitor) chosen.push_back(std::move(monitor));
  }
  return chosen;
}

/// The whole run. A broken property is run again, up to the same event, to show the steps before
/// it.
template <class P>
observe::Report simulate(const scenario::Scenario& scenario, const Attachments& attachments) {
  const auto once = [&](observe::Observer* extra) {
    auto options = parse_options<P>(scenario);
    Stage stage = make_stage(scenario);
    if constexpr (requires { P::facts; }) check_model(P::name, P::facts.model, scenario, stage);
    fill_knowledge(options, stage);
    const auto attach = [&](auto& simulation) {
      simulation.on_progress(attachments.on_progress);
      if (extra)
        simulation.observe(*extra);
      else
        for (auto* observer : attachments.observers) simulation.observe(*observer);
      return simulation.run();
    };
    if constexpr (core::Protocol<P>) {
      auto monitors = chosen_monitors<P>(scenario);
      auto simulation = std::make_unique<Simulation<P>>(std::move(stage), scenario, options);
      simulation->watch(std::move(monitors));
      return attach(*simulation);
    } else {
      if (!scenario.properties.empty() && scenario.properties.front() != "all")
        throw scenario::BadScenario(
            scenario::place_of(scenario, "properties") +
            "a synchronous algorithm has no properties to watch; leave it out");
      auto simulation = std::make_unique<RoundSimulation<P>>(std::move(stage), scenario, options);
      return attach(*simulation);
    }
  };
  observe::Report report = once(nullptr);
  if (report.ended == observe::Ended::violation) {
    observe::TailObserver tail(20);
    once(&tail);
    report.last_steps = tail.lines();
  }
  return report;
}

/// One row of the table that a driver folds a catalogue into.
struct Simulator {
  std::string_view name;
  observe::Report (*run)(const scenario::Scenario&, const Attachments&);
};

template <class... P>
std::vector<Simulator> simulators(catalogue::Catalogue<P...>) {
  return {Simulator{P::name, &simulate<P>}...};
}

}  // namespace bellwether::sim
