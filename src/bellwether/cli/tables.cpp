// SPDX-License-Identifier: MIT
// Apart from the commands, so that whoever looks something up does not link them all.
#include <algorithm>

#include "bellwether/cli/commands.hpp"
#include "bellwether/core/nearest.hpp"

namespace bellwether::cli {

const core::Algorithm& find_algorithm(const Tables& tables, const std::string& name,
                                       const std::string& place) {
  std::vector<std::string> known;
  for (const core::Algorithm& entry : tables.algorithms) {
    if (entry.name == name) return entry;
    known.emplace_back(entry.name);
  }
  throw BadInput(place + core::unknown_name("algorithm", name, known));
}

const sim::Simulator& find_simulator(const Tables& tables, std::string_view name) {
  return *std::find_if(tables.simulators.begin(), tables.simulators.end(),
                       [&](const sim::Simulator& each) { return each.name == name; });
}

}  // namespace bellwether::cli
