// SPDX-License-Identifier: MIT
#include "bellwether/cli/main.hpp"
#include "bellwether/operate/small_program.hpp"

int main(int argc, char** argv) {
  bellwether::operate::prefer_small_program(argc, argv);
  return bellwether::cli::main(argc, argv, bellwether::catalogue::all());
}
