// SPDX-License-Identifier: MIT
#include "bellwether/sim/validate.hpp"

#include "bellwether/scenario/blame.hpp"

namespace bellwether::sim {
namespace {

bool in_native_rounds(const core::Algorithm& algorithm, const scenario::Scenario& scenario) {
  return algorithm.rounds && scenario.rounds.synchronizer == core::Synchronizer::none;
}

/// The properties that it names are those of the algorithm.
void check_properties(const core::Algorithm& algorithm, const scenario::Scenario& scenario,
                      const core::OptionTexts& options) {
  if (scenario.properties.empty() || scenario.properties.front() == "all") return;
  layers::StackSpec layers = stack_spec(algorithm, scenario);
  if (layers.rounds && layers.rounds->pulses == 0) layers.rounds->pulses = 1;
  chosen_monitors(*layers::stack(algorithm, options, layers), scenario);
}

}  // namespace

void validate_request(const core::Algorithm& algorithm, const scenario::Scenario& scenario,
                      const observe::Schedule* schedule) {
  options_for(algorithm, scenario, {});
  if (scenario.neighbours.deployed()) check_deployable(algorithm, scenario);
  if (algorithm.rounds) check_round_requests(algorithm.name, scenario, schedule != nullptr);
}

core::OptionTexts validate_setup(const core::Algorithm& algorithm,
                                 const scenario::Scenario& scenario, const RunSetup& setup) {
  // A schedule may also show what becomes of an algorithm where its model does not hold.
  if (algorithm.has_facts && !setup.schedule && !scenario.beyond_model)
    check_model(algorithm.name, algorithm.facts.model, scenario, setup);
  core::OptionTexts options = options_for(algorithm, scenario, setup);
  if (in_native_rounds(algorithm, scenario)) return options;
  check_properties(algorithm, scenario, options);
  if (!setup.schedule)
    check_start(scenario.start, {setup.ids.data(), setup.ids.size() - setup.absent});
  return options;
}

scenario::Scenario network_part(const scenario::Scenario& scenario) {
  scenario::Scenario out;
  out.seed = scenario.seed;
  out.network = scenario.network;
  out.radio = scenario.radio;
  out.changes = scenario.changes;
  out.mobility = scenario.mobility;
  out.stop = scenario.stop;
  out.folder = scenario.folder;
  return out;
}

void Validator::check(const core::Algorithm& algorithm, const scenario::Scenario& scenario) {
  try {
    validate_request(algorithm, scenario);
    scenario::Scenario part = network_part(scenario);
    if (built_for_ != part) {
      built_for_.reset();
      setup_.reset();  // before the next: there is room for one
      setup_ = make_setup(scenario);
      built_for_ = std::move(part);
    }
    validate_setup(algorithm, scenario, *setup_);
  } catch (const core::Problem& problem) {
    throw scenario::blamed_on(scenario, problem);
  }
}

}  // namespace bellwether::sim
