// SPDX-License-Identifier: MIT
#include "bellwether/cli/main.hpp"
#include "bellwether/deploy/small_program.hpp"

int main(int argc, char** argv) {
  bellwether::deploy::prefer_small_program(argc, argv);
  return bellwether::cli::main(argc, argv, bellwether::catalogue::all());
}
