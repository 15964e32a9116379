// SPDX-License-Identifier: MIT
#include "bellwether/view/hello.hpp"

#include "bellwether/embedded/files.hpp"
#include "bellwether/scenario/keys.hpp"
#include "bellwether/world/mobility.hpp"
#include "bellwether/world/topology.hpp"

namespace bellwether::view {
namespace {

using nlohmann::json;

json algorithm_text(const core::Algorithm& entry) {
  json out{{"name", entry.name},        {"title", entry.facts.title},
           {"about", entry.facts.idea}, {"moving", entry.facts.model.bears_changes},
           {"rounds", entry.rounds},    {"options", json::array()}};
  for (const auto& option : entry.options)
    out["options"].push_back({{"name", option.name},
                              {"kind", option.kind},
                              {"standard", option.standard},
                              {"about", option.about}});
  return out;
}

template <class Facts>
json facts_text(const Facts& facts) {
  json out = json::array();
  for (const auto& fact : facts) out.push_back({{"name", fact.name}, {"about", fact.about}});
  return out;
}

}  // namespace

const std::vector<std::pair<std::string, std::string>>& scenarios() {
  static const auto all = [] {
    std::vector<std::pair<std::string, std::string>> out;
    for (const embedded::File& file : embedded::files())
      if (file.name.starts_with("scenarios/"))
        out.emplace_back(file.name.substr(10, file.name.size() - 15), file.content);
    return out;
  }();
  return all;
}

json hello_text(const House& house) {
  json out{{"is", "hello"},
           {"version", house.version},
           {"algorithms", json::array()},
           {"topologies", facts_text(world::topologies())},
           {"mobilities", facts_text(world::mobility_models())},
           {"scenarios", json::array()},
           {"keys", json::array()}};
  const std::string of = kind_of(house.first);
  out["command"] = {
      {"of", of},
      {"scenario", of == "scenario" ? json(scenario::print_brief(house.first.scenario)) : json()}};
  for (const auto& entry : house.algorithms) out["algorithms"].push_back(algorithm_text(entry));
  for (const auto& [name, text] : scenarios())
    out["scenarios"].push_back(
        {{"name", name}, {"about", scenario::parse_scenario(text, name).about}, {"toml", text}});
  for (const auto& key : scenario::keys())
    out["keys"].push_back(
        {{"key", key.key}, {"kind", key.kind}, {"standard", key.standard}, {"about", key.about}});
  return out;
}

}  // namespace bellwether::view
