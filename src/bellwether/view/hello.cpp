// SPDX-License-Identifier: MIT
#include "bellwether/view/hello.hpp"

#include "bellwether/embedded/scenarios.hpp"
#include "bellwether/json/json.hpp"
#include "bellwether/scenario/keys.hpp"
#include "bellwether/world/mobility.hpp"
#include "bellwether/world/topology.hpp"

namespace bellwether::view {
namespace {

using json::Json;

Json algorithm_text(const core::Algorithm& entry) {
  Json out{{"name", entry.name},
           {"title", entry.facts.title},
           {"description", entry.facts.idea},
           {"moving", entry.facts.model.bears_changes},
           {"rounds", entry.rounds},
           {"options", Json::array()}};
  for (const auto& option : entry.options)
    out["options"].push_back({{"name", option.name},
                              {"kind", option.kind},
                              {"default", option.standard},
                              {"description", option.about}});
  return out;
}

template <class Facts>
Json facts_text(const Facts& facts) {
  Json out = Json::array();
  for (const auto& fact : facts) out.push_back({{"name", fact.name}, {"description", fact.about}});
  return out;
}

}  // namespace

Json hello_text(const House& house) {
  Json out{{"is", "hello"},
           {"version", house.version},
           {"algorithms", Json::array()},
           {"topologies", facts_text(world::topologies())},
           {"mobilities", facts_text(world::mobility_models())},
           {"scenarios", Json::array()},
           {"keys", Json::array()}};
  const std::string of = kind_of(house.first);
  out["command"] = {
      {"of", of},
      {"scenario", of == "scenario" ? Json(scenario::print_brief(house.first.scenario)) : Json()}};
  for (const auto& entry : house.algorithms) out["algorithms"].push_back(algorithm_text(entry));
  for (const auto& [name, text] : embedded::scenarios())
    out["scenarios"].push_back(
        {{"name", name}, {"about", scenario::parse_scenario(text, name).about}, {"toml", text}});
  for (const auto& key : scenario::keys())
    out["keys"].push_back({{"key", key.key},
                           {"kind", key.kind},
                           {"default", key.standard},
                           {"description", key.description}});
  return out;
}

}  // namespace bellwether::view
