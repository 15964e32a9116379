// SPDX-License-Identifier: MIT
#include "bellwether/all_checkers.hpp"
#include "bellwether/all_engines.hpp"
#include "bellwether/all_simulators.hpp"
#include "bellwether/cli/main.hpp"

int main(int argc, char** argv) {
  return bellwether::cli::main(argc, argv, bellwether::catalogue::AllProtocols{});
}
