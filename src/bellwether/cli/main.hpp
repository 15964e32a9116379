// SPDX-License-Identifier: MIT
// The program as a function: a program with an algorithm of its own adds it to a catalogue and gets
// every command for it.
//
//   int main(int argc, char** argv) {
//     return bellwether::cli::main(argc, argv, {bellwether::core::algorithm_of<MyElection>()});
//   }
#pragma once

#include <string>
#include <vector>

#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/world/medium.hpp"

namespace bellwether::cli {

/// What carries runs. Another program may put its own medium in place of `csma`; there can be only
/// one of those in a process.
struct MediumChoice {
  std::string name = "fast";
  world::MakeMedium make_medium;
};

/// What every command gets.
struct CommandContext {
  catalogue::Algorithms algorithms;
  MediumChoice engine;
  std::vector<const char*> arguments;  // as the program was called
};

/// Exit status: 0 done, 1 a property was broken, 2 bad input, 3 a search met a limit, 130
/// interrupted.
int run_command_line(int argc, const char* const* argv, const CommandContext& context);

int main(int argc, const char* const* argv, catalogue::Algorithms algorithms,
         MediumChoice engine = {});

}  // namespace bellwether::cli
