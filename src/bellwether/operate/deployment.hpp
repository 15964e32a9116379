// SPDX-License-Identifier: MIT
// The commands for real machines: a node, and what one asks of it. They stand apart from the others
// so that a machine that only runs a node needs a small program.
//
//   int main(int argc, char** argv) {
//     return bellwether::operate::node_main(argc, argv,
//     {bellwether::core::algorithm_of<MyElection>()});
//   }
#pragma once

#include "bellwether/catalogue/catalogue.hpp"

namespace bellwether::terminal {
class Command;
}

namespace bellwether::operate {

void add_deployment(terminal::Command& app, const catalogue::Algorithms& algorithms, int& status);

int node_main(int argc, const char* const* argv, const catalogue::Algorithms& algorithms);

}  // namespace bellwether::operate
