// SPDX-License-Identifier: MIT
// From a scenario to a report, for one algorithm of a catalogue.
#pragma once

#include "bellwether/core/algorithm.hpp"
#include "bellwether/core/configuration.hpp"
#include "bellwether/layers/stack.hpp"
#include "bellwether/sim/pace.hpp"
#include "bellwether/sim/run_spec.hpp"

namespace bellwether::sim {

/// The whole run. A broken property is run again, up to the same event, to show the steps before
/// it. Throws Problem.
observe::RunReport simulate(const core::Algorithm& algorithm, const scenario::Scenario& scenario,
                            const Attachments& attachments);

/// Refuses, in words, a network that breaks the algorithm's model. Throws Problem.
void check_model(std::string_view algorithm, const core::Model& model,
                 const scenario::Scenario& scenario, const RunSetup& setup);
/// Refuses a key that was given and changes nothing in a run of this algorithm. Throws Problem.
void check_effects(const core::Algorithm& algorithm, const scenario::Scenario& scenario);
/// Refuses an algorithm that no daemon can run. Throws Problem.
void check_deployable(const core::Algorithm& algorithm, const scenario::Scenario& scenario);
/// Refuses what runs in rounds cannot offer. Throws Problem.
void check_round_requests(std::string_view algorithm, const scenario::Scenario& scenario,
                          bool scheduled);

/// The algorithm's options as texts, with what its nodes know of the network filled in.
core::OptionTexts options_for(const core::Algorithm& algorithm, const scenario::Scenario& scenario,
                              const RunSetup& setup);
/// The layers that the scenario asks for.
layers::StackSpec stack_spec(const core::Algorithm& algorithm, const scenario::Scenario& scenario);
/// The longest that a message can take; nothing where there is no bound.
std::optional<Duration> longest_delay(const world::ChannelSpec& channel);

/// The monitors that a scenario asks for by name. Throws Problem.
core::PropertyMonitors chosen_monitors(core::Nodes& nodes, const scenario::Scenario& scenario);

}  // namespace bellwether::sim
