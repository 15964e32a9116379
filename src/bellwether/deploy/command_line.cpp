// SPDX-License-Identifier: MIT
#include "bellwether/deploy/command_line.hpp"

#include <CLI/CLI.hpp>

namespace bellwether::deploy {

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

}  // namespace bellwether::deploy
