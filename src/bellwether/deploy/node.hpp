// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "bellwether/node/engine.hpp"

namespace bellwether::deploy {

class Command;

/// `node`, and `keygen` for the keys of a group.
void add_node(Command& app, const std::vector<node::EngineEntry>& engines, int& status);

}  // namespace bellwether::deploy
