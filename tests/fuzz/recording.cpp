// SPDX-License-Identifier: MIT
// A recording of a node, which may have come from anywhere: it is replayed, or refused by
// Problem.
#include "bellwether/core/problem.hpp"
#include "bellwether/node/replay.hpp"

#include <sstream>

#include "input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bellwether;
  const std::string text = fuzz::Input(data, size).text();
  node::is_recording(text.substr(0, text.find('\n')));
  std::istringstream in(text);
  try {
    node::replay(in, "fuzzed", catalogue::all());
  } catch (const core::Problem& error) {
    fuzz::require(std::string_view(error.what()).starts_with("fuzzed:"), "it has no place");
  }
  return 0;
}
