// SPDX-License-Identifier: MIT
// Keys that were given and change nothing: the author of the scenario believes that they do
// something.
#pragma once

#include <optional>
#include <string>

#include "bellwether/core/facts.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/scenario/scenario.hpp"

namespace bellwether::scenario {

/// What is wrong with a key that was given and has no effect; nothing where it has one, where its
/// value is the default, or where it lost its effect because the command line set another key. The
/// model is that of the algorithm; without it, what depends on the algorithm is not looked at.
std::optional<core::Problem> without_effect(const Scenario& scenario, const std::string& key,
                                            const core::Model* model = nullptr);

/// Throws Problem for the first such key.
void require_effect(const Scenario& scenario, const core::Model* model = nullptr);

/// The same run, with the defaults in place of all values that have no effect.
Scenario with_effective_keys(Scenario scenario, const core::Model* model = nullptr);

}  // namespace bellwether::scenario
