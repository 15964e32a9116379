// SPDX-License-Identifier: MIT
#include "bellwether/scenario/effect.hpp"

#include <algorithm>

#include "bellwether/scenario/keys.hpp"

namespace bellwether::scenario {
namespace {

const Condition* broken_condition(const Scenario& scenario, const Key& key,
                                  const core::Model* model) {
  const auto found = std::ranges::find_if(
      key.conditions, [&](const Condition& each) { return !each.holds(scenario, model); });
  return found == key.conditions.end() ? nullptr : &*found;
}

/// By a flag: --set, --algorithm.
bool overridden(const Scenario& scenario, const std::string& key) {
  const auto given = scenario.where.find(key);
  return given != scenario.where.end() && given->second.name.starts_with("--");
}

bool is_default(const Scenario& scenario, const Key& key) {
  static const Scenario defaults;
  return key.print(scenario) == key.print(defaults);
}

}  // namespace

std::optional<core::Problem> without_effect(const Scenario& scenario, const std::string& path,
                                            const core::Model* model) {
  const Key* key = find_key(path);
  if (!key || !scenario.where.contains(path) || is_default(scenario, *key)) return std::nullopt;
  const Condition* broken = broken_condition(scenario, *key, model);
  if (!broken) return std::nullopt;
  const auto by_flag = [&](const std::string& each) { return overridden(scenario, each); };
  if (!overridden(scenario, path) && std::ranges::any_of(broken->decides, by_flag))
    return std::nullopt;
  const std::string& other = broken->decides.front();
  return problem_at(scenario, path,
                    "has no effect with " + other + " = " + find_key(other)->print(scenario) +
                        "; remove it, or " + broken->cure);
}

void require_effect(const Scenario& scenario, const core::Model* model) {
  for (const Key& key : key_table())
    if (const auto problem = without_effect(scenario, key.path, model)) throw *problem;
}

Scenario with_effective_keys(Scenario scenario, const core::Model* model) {
  static const Scenario defaults;
  const Scenario given = scenario;
  for (const Key& key : key_table())
    if (broken_condition(given, key, model)) key.copy(defaults, scenario);
  return scenario;
}

}  // namespace bellwether::scenario
