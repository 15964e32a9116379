// SPDX-License-Identifier: MIT
// The small program, for machines that run nodes and nothing else.
#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/operate/deployment.hpp"

int main(int argc, char** argv) {
  return bellwether::operate::node_main(argc, argv, bellwether::catalogue::all());
}
