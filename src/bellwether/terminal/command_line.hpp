// SPDX-License-Identifier: MIT
// Shared by code that writes about the command line: completion, the manual, new projects, hints.
#pragma once

#include <string>
#include <string_view>

namespace bellwether::terminal {

class Command;

/// As the program was called: a user's own program has a name of its own.
std::string program_name(const char* called);

/// Hints are about `bellwether COMMAND`. A program of another name speaks of itself, where it has
/// that command.
std::string in_own_name(std::string text, const Command& app);

/// "rho", also where a person wrote "options.rho", as in a file.
inline std::string option_name(const std::string& name) {
  constexpr std::string_view table = "options.";
  return name.starts_with(table) ? name.substr(table.size()) : name;
}

/// The text with `by` in every place where `what` stood.
std::string replaced(std::string text, std::string_view what, std::string_view by);

}  // namespace bellwether::terminal
