// SPDX-License-Identifier: MIT
// The commands for real machines: a node, and what one asks of it. They stand apart from the others
// so that a machine that only runs a node needs a small program.
//
//   int main(int argc, char** argv) {
//     return bellwether::deploy::node_main(argc, argv,
//     bellwether::catalogue::Catalogue<MyElection>{});
//   }
#pragma once

#include "bellwether/node/engines.hpp"

namespace bellwether::deploy {

class Command;

void add_deployment(Command& app, const std::vector<node::EngineEntry>& engines, int& status);

int run_deployment(int argc, const char* const* argv,
                   const std::vector<node::EngineEntry>& engines);

template <class... P>
int node_main(int argc, const char* const* argv, catalogue::Catalogue<P...> list) {
  return run_deployment(argc, argv, node::engines(list));
}

}  // namespace bellwether::deploy
