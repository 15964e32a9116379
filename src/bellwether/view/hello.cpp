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
           {"moving", entry.facts.model.tolerates_changes},
           {"rounds", entry.rounds},
           {"options", Json::array()}};
  for (const auto& option : entry.options)
    out["options"].push_back({{"name", option.name},
                              {"kind", option.kind},
                              {"default", option.default_text},
                              {"description", option.description}});
  return out;
}

template <class Facts>
Json facts_text(const Facts& facts) {
  Json out = Json::array();
  for (const auto& fact : facts)
    out.push_back({{"name", fact.name}, {"description", fact.description}});
  return out;
}

}  // namespace

Json hello_text(const ServerState& server_state) {
  Json out{{"is", "hello"},
           {"version", server_state.version},
           {"algorithms", Json::array()},
           {"topologies", facts_text(world::topologies())},
           {"mobilities", facts_text(world::mobility_models())},
           {"scenarios", Json::array()},
           {"keys", Json::array()}};
  const std::string of = kind_of(server_state.first);
  out["command"] = {
      {"of", of},
      {"scenario",
       of == "scenario" ? Json(scenario::print_brief(server_state.first.scenario)) : Json()}};
  for (const auto& entry : server_state.algorithms)
    out["algorithms"].push_back(algorithm_text(entry));
  for (const auto& [name, text] : embedded::scenarios())
    out["scenarios"].push_back(
        {{"name", name}, {"about", scenario::parse_scenario(text, name).about}, {"toml", text}});
  for (const auto& key : scenario::keys())
    out["keys"].push_back({{"key", key.key},
                           {"kind", key.kind},
                           {"default", key.default_text},
                           {"description", key.description}});
  return out;
}

}  // namespace bellwether::view
