// SPDX-License-Identifier: MIT
#pragma once

#include "bellwether/catalogue/catalogue.hpp"

namespace CLI {
class App;
}

namespace bellwether::deploy {

/// `node`, and `keygen` for the keys of a group.
void add_node(CLI::App& app, const catalogue::Algorithms& algorithms, int& status);

}  // namespace bellwether::deploy
