// SPDX-License-Identifier: MIT
// A program of several commands: what to do with what was typed, and with what goes wrong.
#pragma once

#include <functional>

namespace bellwether::terminal {

class Command;

struct ProgramText {
  const char* description;
  const char* examples;
};

/// Adds the subcommands; the chosen one leaves its exit status.
using AddCommands = std::function<void(Command& app, int& status)>;

int run_program(int argc, const char* const* argv, const ProgramText& text,
                const AddCommands& add_commands);

}  // namespace bellwether::terminal
