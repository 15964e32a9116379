// SPDX-License-Identifier: MIT
// Elections in files of their own (core/plugin.hpp), given in place of an algorithm's name.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bellwether/catalogue/catalogue.hpp"

namespace bellwether::terminal {

/// What was typed, with the names of elections in place of their files.
struct CommandWords {
  std::vector<const char*> arguments;
  catalogue::Algorithms algorithms;  // those of the files, too
};

/// Whether this stands for an election in a file, not for the name of one.
bool is_plugin_file(std::string_view word);

/// " with NAME DIGEST" for each that was loaded: two runs with the same are runs of the same code.
const std::string& loaded_plugins();

/// Loads what `--algorithm FILE` names, or `check FILE` and `describe FILE`, where FILE ends in
/// .cpp or .so, and calls. A file that cannot be loaded is refused in one sentence, with status 2.
/// Beside a recording, which names its election itself, a file is loaded and not passed on.
int with_plugins(int argc, const char* const* argv, catalogue::Algorithms algorithms,
                 const std::function<int(const CommandWords&)>& call);

}  // namespace bellwether::terminal
