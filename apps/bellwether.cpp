// SPDX-License-Identifier: MIT
#include "bellwether/catalogue/all_protocols.hpp"
#include "bellwether/cli/main.hpp"

int main(int argc, char** argv) {
  return bellwether::cli::main(argc, argv, bellwether::catalogue::AllProtocols{});
}
