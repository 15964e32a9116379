// SPDX-License-Identifier: MIT
#include "bellwether/scenario/blame.hpp"

#include <algorithm>

namespace bellwether::scenario {
namespace {

/// "nodes" of the world is "network.nodes" of the scenario, "spacing" is "mobility.spacing".
std::string scenario_key(const std::string& key) {
  if (key.starts_with("change") || key.find('.') != std::string::npos) return key;
  const auto all = keys();
  for (const char* table : {"network.", "mobility.", "radio."})
    if (std::any_of(all.begin(), all.end(), [&](const auto& k) { return k.key == table + key; }))
      return table + key;
  return "network." + key;
}

}  // namespace

std::string blamed_on(const Scenario& scenario, const world::BadSpec& error) {
  return place_of(scenario, scenario_key(error.key)) + error.what();
}

}  // namespace bellwether::scenario
