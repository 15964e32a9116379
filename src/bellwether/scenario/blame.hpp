// SPDX-License-Identifier: MIT
// What the world finds wrong, with the place in the scenario that is to blame.
#pragma once

#include "bellwether/core/problem.hpp"
#include "bellwether/scenario/scenario.hpp"

namespace bellwether::scenario {

/// With the key of the scenario, and its place. What has a place already stays as it is.
core::Problem blamed_on(const Scenario& scenario, const core::Problem& problem);

}  // namespace bellwether::scenario
