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

/// A catalogue, folded for each driver.
struct Tables {
  std::vector<catalogue::Entry> algorithms;
  std::vector<sim::Simulator> simulators;
  std::vector<check::Checker> checkers;
  std::vector<node::EngineEntry> engines;
};

/// Exit status: 0 done, 1 a property was broken, 2 bad input, 3 a search met a limit, 130
/// interrupted.
int run_command_line(int argc, const char* const* argv, const Tables& tables);

template <class... P>
int main(int argc, const char* const* argv, catalogue::Catalogue<P...> list) {
  return run_command_line(argc, argv,
                          {catalogue::entries(list), sim::simulators(list), check::checkers(list),
                           node::engines(list)});
}

}  // namespace bellwether::cli
