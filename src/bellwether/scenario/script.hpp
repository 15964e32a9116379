// SPDX-License-Identifier: MIT
// The [[change]] entries of a scenario.
#pragma once

#include <string>
#include <vector>

#include "bellwether/scenario/scenario.hpp"
#include "bellwether/scenario/toml.hpp"

namespace bellwether::scenario {

/// Adds all entries to the script. Throws Problem with the place of what is wrong.
void read_changes(Scenario& scenario, const Value& entries, const std::string& path);

/// As TOML, in the order of time as far as the order of the script allows.
std::string print_changes(const world::ChangeSpec& changes);

/// "change.at", "change.cut", ...
std::vector<KeyFact> change_keys();

}  // namespace bellwether::scenario
