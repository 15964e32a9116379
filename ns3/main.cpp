// SPDX-License-Identifier: GPL-2.0-only
// `bellwether` with ns-3's 802.11n for a medium. All commands are the same.
#include "bellwether/cli/main.hpp"
#include "air.hpp"
#include "bellwether/all_checkers.hpp"
#include "bellwether/all_engines.hpp"
#include "bellwether/all_simulators.hpp"

int main(int argc, char** argv) {
  return bellwether::cli::main(argc, argv, bellwether::catalogue::AllProtocols{},
                               {"ns3", bellwether::ns3side::make_air});
}
