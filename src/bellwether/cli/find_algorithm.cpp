// SPDX-License-Identifier: MIT
// Apart from the commands, so that a program that looks something up does not link them all.
#include <algorithm>

#include "bellwether/cli/commands.hpp"
#include "bellwether/core/nearest.hpp"
#include "bellwether/core/problem.hpp"

namespace bellwether::cli {

const core::Algorithm& find_algorithm(const CommandContext& context, const std::string& name,
                                      const core::Location& where) {
  std::vector<std::string> known;
  for (const core::Algorithm& entry : context.algorithms) {
    if (entry.name == name) return entry;
    known.emplace_back(entry.name);
  }
  throw core::Problem(where, {}, core::unknown_name("algorithm", name, known));
}

}  // namespace bellwether::cli
