// SPDX-License-Identifier: MIT
// The program as a function: whoever has an algorithm of their own adds it to a catalogue and gets
// every command for it.
//
//   int main(int argc, char** argv) {
//     return bellwether::cli::main(argc, argv, bellwether::catalogue::Catalogue<MyElection>{});
//   }
#pragma once

#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/check/check.hpp"
#include "bellwether/node/engines.hpp"
#include "bellwether/sim/simulate.hpp"

namespace bellwether::cli {

/// What carries runs. Another program may put its own medium in place of `csma`; there can be only
/// one of those in a process.
struct Engine {
  std::string name = "fast";
  world::MakeMedium make_medium;
};

/// A catalogue, folded for each driver.
struct Tables {
  std::vector<catalogue::Entry> algorithms;
  std::vector<sim::Simulator> simulators;
  std::vector<check::Checker> checkers;
  std::vector<node::EngineEntry> engines;
  Engine engine;
  std::vector<const char*> arguments;  // as the program was called
};

/// Exit status: 0 done, 1 a property was broken, 2 bad input, 3 a search met a limit, 130
/// interrupted.
int run_command_line(int argc, const char* const* argv, const Tables& tables);

template <class... P>
int main(int argc, const char* const* argv, catalogue::Catalogue<P...> list, Engine engine = {}) {
  return run_command_line(argc, argv,
                          {catalogue::entries(list),
                           sim::simulators(list),
                           check::checkers(list),
                           node::engines(list),
                           std::move(engine),
                           {argv, argv + argc}});
}

}  // namespace bellwether::cli
