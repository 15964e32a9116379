// SPDX-License-Identifier: MIT
// What there is to choose from, for the page: algorithms, topologies, mobilities, scenarios, keys.
#pragma once

#include <nlohmann/json.hpp>

#include "bellwether/view/session.hpp"

namespace bellwether::view {

nlohmann::json hello_text(const House& house);

/// The scenarios that come with the program, by name: {"first-election", its text}, ...
const std::vector<std::pair<std::string, std::string>>& scenarios();

}  // namespace bellwether::view
