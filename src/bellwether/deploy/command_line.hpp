// SPDX-License-Identifier: MIT
// What those share who write about the command line: completion, the manual, new projects.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace bellwether::deploy {

std::vector<const CLI::App*> commands_of(const CLI::App& app);

/// The text with `by` in every place where `what` stood.
std::string replaced(std::string text, std::string_view what, std::string_view by);

}  // namespace bellwether::deploy
