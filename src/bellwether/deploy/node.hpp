// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "bellwether/node/engine.hpp"

namespace CLI {
class App;
}

namespace bellwether::deploy {

/// `node`, and `keygen` for the keys of a group.
void add_node(CLI::App& app, const std::vector<node::EngineEntry>& engines, int& status);

}  // namespace bellwether::deploy
