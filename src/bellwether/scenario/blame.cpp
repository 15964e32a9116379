// SPDX-License-Identifier: MIT
#include "bellwether/scenario/blame.hpp"

#include <algorithm>

#include "bellwether/core/problem.hpp"

namespace bellwether::scenario {
namespace {

/// "nodes" of the world is "network.nodes" of the scenario, "spacing" is "mobility.spacing"; a key
/// of the scenario is itself.
std::string scenario_key(const std::string& key) {
  if (key.starts_with("change") || key.find('.') != std::string::npos) return key;
  const auto all = keys();
  if (std::any_of(all.begin(), all.end(), [&](const auto& k) { return k.key == key; })) return key;
  for (const char* table : {"network.", "mobility.", "radio."})
    if (std::any_of(all.begin(), all.end(), [&](const auto& k) { return k.key == table + key; }))
      return table + key;
  return "network." + key;
}

}  // namespace

core::Problem blamed_on(const Scenario& scenario, const core::Problem& problem) {
  const core::Location& where = problem.where();
  if (where.empty() && problem.key().empty()) return problem;
  if (where.empty()) return problem_at(scenario, scenario_key(problem.key()), problem.sentence());
  // Where no line of a file is at fault, that of the scenario which names it may be.
  const bool trace = where == core::Location(effective_mobility(scenario).file);
  return trace ? problem_at(scenario, "mobility.file", problem.what()) : problem;
}

}  // namespace bellwether::scenario
