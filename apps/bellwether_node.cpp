// SPDX-License-Identifier: MIT
// The small program, for machines that run nodes and nothing else.
#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/deploy/deployment.hpp"

int main(int argc, char** argv) {
  return bellwether::deploy::node_main(argc, argv, bellwether::catalogue::all());
}
