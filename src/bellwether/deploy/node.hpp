// SPDX-License-Identifier: MIT
#pragma once

#include "bellwether/catalogue/catalogue.hpp"

namespace bellwether::deploy {

class Command;

/// `node`, and `keygen` for the keys of a group.
void add_node(Command& app, const catalogue::Algorithms& algorithms, int& status);

}  // namespace bellwether::deploy
