// SPDX-License-Identifier: MIT
// From a scenario to a report, for one algorithm chosen by name out of a catalogue.
#pragma once

#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/core/facts.hpp"
#include "bellwether/core/nearest.hpp"
#include "bellwether/graph/distances.hpp"
#include "bellwether/layers/probed.hpp"
#include "bellwether/layers/reliable.hpp"
#include "bellwether/layers/synchronized.hpp"
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

/// Layers show links that come and go, so only an algorithm that bears these can stand on them.
template <class P>
inline constexpr bool bears_layers = [] {
  if constexpr (requires { P::facts; }) return P::facts.model.bears_changes;
  return true;
}();

/// The ordered reliable link is for those that need it: others would only pay for it.
template <class P>
inline constexpr bool needs_order = [] {
  if constexpr (requires { P::facts; })
    return !P::facts.model.bears_loss || !P::facts.model.bears_reordering;
  return true;
}();

layers::ProbeOptions probe_options(const scenario::Scenario& scenario);
layers::PulseOptions pulse_options(const scenario::Scenario& scenario);
/// The longest that a message can take; nothing where there is no bound.
std::optional<Duration> longest_delay(const world::ChannelSpec& channel);

/// An algorithm may know something of the network: its driver fills in what was left at 0.
template <class Options>
void fill_knowledge(Options& options, const Stage& stage) {
  if constexpr (requires { options.nodes; })
    if (options.nodes == 0)
      options.nodes = static_cast<decltype(options.nodes)>(stage.network.nodes - stage.absent);
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

/// A protocol with the layers that carry it, ready to run.
template <core::Protocol P, class Attach>
observe::Report run_layered(Stage stage, const scenario::Scenario& scenario,
                            typename P::Options options, core::Criterion criterion,
                            Attach&& attach) {
  auto monitors = chosen_monitors<P>(scenario);
  const auto metrics = metrics_spec(scenario, stage, criterion);
  auto simulation = std::make_unique<Simulation<P>>(std::move(stage), scenario, std::move(options));
  simulation->watch(std::move(monitors));
  if (metrics) simulation->measure(*metrics);
  return attach(*simulation);
}

/// Puts the layers on that the scenario asks for.
template <core::Protocol P, class Attach>
observe::Report run_protocol(Stage stage, const scenario::Scenario& scenario,
                             typename P::Options options, Attach&& attach) {
  const core::Criterion criterion = core::criterion_of<P>(options);
  const auto run = [&]<class Q>(std::type_identity<Q>, typename Q::Options layered) {
    return run_layered<Q>(std::move(stage), scenario, std::move(layered), criterion, attach);
  };
  const auto probed = [&]<class Q>(std::type_identity<Q>, typename Q::Options inner) {
    using Layered = layers::Probed<Q>;
    return run(std::type_identity<Layered>{},
               typename Layered::Options{probe_options(scenario), std::move(inner)});
  };
  const bool probes = scenario.neighbours.detect == scenario::Detect::probes;
  if constexpr (bears_layers<P> && needs_order<P>) {
    using Ordered = layers::Reliable<P>;
    if (scenario.neighbours.reliable) {
      typename Ordered::Options layered{{scenario.neighbours.retry}, std::move(options)};
      return probes ? probed(std::type_identity<Ordered>{}, std::move(layered))
                    : run(std::type_identity<Ordered>{}, std::move(layered));
    }
  }
  if constexpr (bears_layers<P>)
    if (probes) return probed(std::type_identity<P>{}, std::move(options));
  return run(std::type_identity<P>{}, std::move(options));
}

/// Rounds: with a common clock, or played by a synchronizer. One that is not told how many to play
/// plays as many as there are with a common clock.
template <core::RoundProtocol P, class Attach>
observe::Report run_rounds(Stage stage, const scenario::Scenario& scenario,
                           typename P::Options options, Attach&& attach) {
  if (scenario.rounds.synchronizer == core::Synchronizer::none) {
    auto simulation = std::make_unique<RoundSimulation<P>>(std::move(stage), scenario, options);
    return attach(*simulation);
  }
  layers::PulseOptions pulse = pulse_options(scenario);
  if (pulse.pulses == 0) {
    auto native = std::make_unique<RoundSimulation<P>>(make_stage(scenario), scenario, options);
    native->run();
    pulse.pulses = static_cast<layers::Pulse>(native->rounds() + 1);
  }
  using Layered = layers::Synchronized<P>;
  const core::Criterion criterion = core::criterion_of<P>(options);
  return run_layered<Layered>(std::move(stage), scenario,
                              typename Layered::Options{pulse, std::move(options)}, criterion,
                              attach);
}

/// What nobody can have of rounds. Throws BadScenario.
void check_round_requests(std::string_view algorithm, const scenario::Scenario& scenario,
                          bool scheduled);

/// The whole run. A broken property is run again, up to the same event, to show the steps before
/// it.
template <class P>
observe::Report simulate(const scenario::Scenario& scenario, const Attachments& attachments) {
  const auto once = [&](observe::Observer* extra) {
    auto options = parse_options<P>(scenario);
    // A schedule may also show what becomes of an algorithm where its model does not hold.
    const Hands hands = attachments.pacer ? Hands::on : Hands::off;
    Stage stage =
        attachments.schedule ? make_stage(*attachments.schedule) : make_stage(scenario, hands);
    if constexpr (requires { P::facts; })
      if (!attachments.schedule && !scenario.beyond_model)
        check_model(P::name, P::facts.model, scenario, stage);
    fill_knowledge(options, stage);
    if (attachments.make_medium) stage.medium = attachments.make_medium(site_of(scenario, stage));
    if (attachments.pacer) attachments.pacer->stage(stage);
    const auto attach = [&](auto& simulation) {
      simulation.on_progress(attachments.on_progress);
      simulation.pace(attachments.pacer);
      if (extra)
        simulation.observe(*extra);
      else
        for (auto* observer : attachments.observers) simulation.observe(*observer);
      return simulation.run();
    };
    if constexpr (core::Protocol<P>) {
      return run_protocol<P>(std::move(stage), scenario, options, attach);
    } else {
      check_round_requests(P::name, scenario, attachments.schedule != nullptr);
      return run_rounds<P>(std::move(stage), scenario, options, attach);
    }
  };
  observe::Report report = once(nullptr);
  if (report.ended == observe::Ended::violation && !attachments.pacer) {
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
