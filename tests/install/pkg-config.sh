#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The same without CMake: pkg-config alone says how to compile and link.
. "$(dirname "$0")/common.sh"
export PKG_CONFIG_PATH=$installed/lib/pkgconfig
cd "$here"
for file in "$installed"/lib/pkgconfig/*.pc; do
  pkg-config --validate "$(basename "$file" .pc)" || fail "$file"
  pkg-config --exists "$(basename "$file" .pc)" || fail "$file: $(pkg-config --print-errors "$(basename "$file" .pc)" 2>&1)"
done
# shellcheck disable=SC2046  # words are what is wanted
cc -std=c99 -Wall -Wextra -Werror "$source/examples/client-c/main.c" $(pkg-config --cflags --libs bellwether-client-c) -o client-c
LD_LIBRARY_PATH=$installed/lib ./client-c /nowhere.sock 2>error && fail "no node, and no error" || [ $? = 2 ]
# shellcheck disable=SC2046
c++ -std=c++20 "$source/examples/client-cpp/main.cpp" $(pkg-config --cflags --libs bellwether-client) -o client-cpp
cat >core.cpp <<'CPP'
#include "bellwether/scenario/scenario.hpp"
#include "bellwether/world/topology.hpp"
int main() {
  const auto scenario = bellwether::scenario::parse_scenario("algorithm = \"height\"\n[network]\nnodes = 5\n", "x");
  return scenario.network.nodes == 5 ? 0 : 1;
}
CPP
# shellcheck disable=SC2046
c++ -std=c++20 core.cpp $(pkg-config --cflags --libs bellwether-scenario) -o core
./core || fail "the module scenario"
