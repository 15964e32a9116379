// SPDX-License-Identifier: MIT
// What there is to choose from, for the page: algorithms, topologies, mobilities, scenarios, keys.
#pragma once

#include "bellwether/json/json.hpp"
#include "bellwether/view/session.hpp"

namespace bellwether::view {

json::Json hello_text(const ServerState& server_state);

}  // namespace bellwether::view
