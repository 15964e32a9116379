// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "bellwether/node/engine.hpp"

namespace bellwether::deploy {

class Command;

/// Whether a file is what `bellwether node --record` has written.
bool is_node_recording(const std::string& path);

/// Prints what happened; 1 where an answer differs. Throws BadInput or BadRecording.
int replay_node(const std::string& path, const std::vector<node::EngineEntry>& engines,
                bool state = false);

void add_replay(Command& app, const std::vector<node::EngineEntry>& engines, int& status);

}  // namespace bellwether::deploy
