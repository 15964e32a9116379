// SPDX-License-Identifier: MIT
#pragma once

#include "bellwether/catalogue/catalogue.hpp"

namespace bellwether::terminal {
class Command;
}

namespace bellwether::operate {

/// `node`, and `keygen` for the keys of a group.
void add_node(terminal::Command& app, const catalogue::Algorithms& algorithms, int& status);

}  // namespace bellwether::operate
