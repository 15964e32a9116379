// SPDX-License-Identifier: MIT
// A program of several commands: what to do with what was typed, and with what goes wrong.
#pragma once

#include <functional>
#include <stdexcept>

namespace bellwether::deploy {

class Command;

/// What a person typed, or wrote into a file, cannot be done: one sentence with place and cure.
class BadInput : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct ProgramText {
  const char* about;
  const char* examples;
};

/// Adds the subcommands; the chosen one leaves its exit status.
using AddCommands = std::function<void(Command& app, int& status)>;

int run_program(int argc, const char* const* argv, const ProgramText& text,
                const AddCommands& add_commands);

}  // namespace bellwether::deploy
