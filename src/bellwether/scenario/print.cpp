// SPDX-License-Identifier: MIT
#include "bellwether/scenario/keys.hpp"
#include "bellwether/scenario/scenario.hpp"
#include "bellwether/scenario/script.hpp"
#include "bellwether/scenario/toml.hpp"

namespace bellwether::scenario {
namespace {

/// Without quotes where that reads back as the same text: numbers, true and false.
std::string printed_option(const std::string& text) {
  const auto value = parse_toml_value(text);
  const bool same = value && !value->as<std::string>() && shown(*value) == text;
  return same ? text : toml_quoted(text);
}

std::string printed_name(const std::string& name) {
  const bool bare = !name.empty() && name.find_first_not_of(
                                         "abcdefghijklmnopqrstuvwxyz"
                                         "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                         "0123456789_-") == std::string::npos;
  return bare ? name : toml_quoted(name);
}

/// As TOML; `kept` says of a key whether it is to be seen.
template <class Kept>
std::string printed(const Scenario& scenario, Kept&& kept) {
  std::string out;
  std::string table;
  for (const Key& key : key_table()) {
    // One of the two only: they exclude each other.
    if (key.path == "start.initiators" && !scenario.start.nodes.empty()) continue;
    if (!kept(key)) continue;
    if (const std::string_view at = table_of(key.path); at != table) {
      table = at;
      out += "\n[" + table + "]\n";
    }
    out.append(leaf_of(key.path)).append(" = ").append(key.print(scenario)) += '\n';
  }
  if (!scenario.options.empty()) out += "\n[options]\n";
  for (const auto& [name, option] : scenario.options)
    out += printed_name(name) + " = " + printed_option(option.text) + '\n';
  return out + print_changes(scenario.changes);
}

}  // namespace

std::string print_scenario(const Scenario& scenario) {
  return printed(scenario, [](const Key&) { return true; });
}

std::string print_brief(const Scenario& scenario) {
  static const Scenario defaults;
  return printed(scenario, [&](const Key& key) {
    return key.path == "algorithm" || key.path == "network.topology" ||
           key.print(scenario) != key.print(defaults);
  });
}

std::vector<KeyFact> keys() {
  std::vector<KeyFact> out;
  const Scenario defaults;
  for (const Key& key : key_table())
    out.push_back(
        {key.path, key.kind, key.print(defaults), key.description, applies_text(key.conditions)});
  for (KeyFact& fact : change_keys()) out.push_back(std::move(fact));
  return out;
}

std::string keys_as_markdown() {
  std::string out = "| key | kind | default | meaning | only with |\n|---|---|---|---|---|\n";
  for (const KeyFact& fact : keys()) {
    const std::string defaults = fact.default_text.empty() ? "" : '`' + fact.default_text + '`';
    out += "| `" + fact.key + "` | " + fact.kind + " | " + defaults + " | " + fact.description +
           " | " + fact.applies + " |\n";
  }
  return out;
}

}  // namespace bellwether::scenario
