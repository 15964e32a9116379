// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "bellwether/catalogue/catalogue.hpp"

namespace bellwether::terminal {
class Command;
}

namespace bellwether::operate {

/// Whether a file is what `bellwether node --record` has written.
bool is_node_recording(const std::string& path);

/// Prints what happened; 1 where an answer differs. Throws Problem.
int replay_node(const std::string& path, const catalogue::Algorithms& algorithms,
                bool state = false);

void add_replay(terminal::Command& app, const catalogue::Algorithms& algorithms, int& status);

}  // namespace bellwether::operate
