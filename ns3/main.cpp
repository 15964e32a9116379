// SPDX-License-Identifier: GPL-2.0-only
// `bellwether` with ns-3's 802.11n for a medium. All commands are the same.
#include "bellwether/cli/main.hpp"
#include "air.hpp"

int main(int argc, char** argv) {
  return bellwether::cli::main(argc, argv, bellwether::catalogue::all(),
                               {"ns3", bellwether::ns3side::make_air});
}
