// SPDX-License-Identifier: MIT
// What the world finds wrong, with the place in the scenario that is to blame.
#pragma once

#include "bellwether/scenario/scenario.hpp"
#include "bellwether/world/bad_spec.hpp"

namespace bellwether::scenario {

/// "ring.toml:7: network.nodes: ...".
std::string blamed_on(const Scenario& scenario, const world::BadSpec& error);

}  // namespace bellwether::scenario
