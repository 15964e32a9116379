// SPDX-License-Identifier: MIT
// The one table of keys: parsing, --set, printing, the reference and the suggestions all use it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bellwether/scenario/conditions.hpp"
#include "bellwether/scenario/scenario.hpp"
#include "bellwether/scenario/toml.hpp"

namespace bellwether::scenario {

struct Key {
  std::string path;  // "network.nodes"
  std::string kind;
  std::string description;
  bool takes_text = false;  // any text at all: on the command line even "7" is one
  std::function<void(Scenario&, const Value&)> read;  // throws Problem, and changes nothing then
  std::function<std::string(const Scenario&)> print;  // as TOML
  std::function<void(const Scenario& from, Scenario& to)> copy;
  std::vector<Condition> conditions;  // all of which must hold for it to have an effect
};

/// In the order in which people would write them; those above the first [table] come first.
const std::vector<Key>& key_table();

/// The scenario as TOML, without what is as it would be anyway; the algorithm and the topology are
/// always said: they are what a reader looks for first.
std::string print_brief(const Scenario& scenario);

/// Nothing where there is no such key.
const Key* find_key(std::string_view path);

/// "network" of "network.nodes"; empty above the first [table].
std::string_view table_of(std::string_view path);
/// "nodes" of "network.nodes".
std::string_view leaf_of(std::string_view path);

bool is_table(std::string_view name);

/// Whether unknown_key() has a name to suggest.
bool resembles_key(std::string_view path);
/// Sentences with the nearest name that would do.
std::string unknown_key(std::string_view path);
std::string unknown_table(std::string_view name);
/// `unknown WHAT; did you mean ...?`, for a word that stands in front of the sentence already.
std::string unknown_among(std::string_view what, std::string_view word,
                          const std::vector<std::string>& known);

}  // namespace bellwether::scenario
