// SPDX-License-Identifier: MIT
#include "bellwether/scenario/scenario.hpp"

#include "bellwether/core/problem.hpp"
#include "bellwether/scenario/keys.hpp"
#include "bellwether/scenario/kinds.hpp"
#include "bellwether/scenario/script.hpp"
#include "bellwether/scenario/toml.hpp"

namespace bellwether::scenario {
namespace {

[[noreturn]] void complain(const core::Location& where, std::string_view key,
                           const std::string& sentence) {
  throw core::Problem(where, std::string(key), sentence);
}

void read_key(Scenario& scenario, const std::string& path, const Value& value,
              const core::Location& where) {
  const Key* key = find_key(path);
  if (!key) complain(where, path, unknown_key(path));
  try {
    key->read(scenario, value);
  } catch (const core::Problem& refused) {
    complain(where, path, refused.sentence());
  }
  scenario.where[path] = where;
}

/// "[3, 2]", where all are whole numbers; else nothing.
std::optional<std::string> whole_numbers(const List& list) {
  std::string out;
  for (const Value& each : list) {
    if (!each.as<std::int64_t>()) return std::nullopt;
    out += (out.empty() ? "[" : ", ") + shown(each);
  }
  return out.empty() ? std::nullopt : std::optional(out + ']');
}

/// The algorithm knows the kind of its options, so that their text is all we keep.
void read_option(Scenario& scenario, const std::string& name, const Value& value,
                 const core::Location& where) {
  const auto* text = value.as<std::string>();
  const auto* list = value.as<List>();
  const auto numbers = list ? whole_numbers(*list) : std::nullopt;
  if ((list && !numbers) || value.as<Table>() || value.as<Date>())
    complain(
        where, "options." + name,
        "must be text, a number, true or false, or a list of whole numbers, not " + shown(value));
  scenario.options[name] = {text ? *text : numbers ? *numbers : shown(value), where};
  scenario.where["options." + name] = where;
}

void read_entry(Scenario& scenario, const std::string& file, const Entry& entry) {
  const auto where = [&](const Value& v) { return core::Location(file, v.line); };
  const auto* table = entry.value.as<Table>();
  const bool options = entry.key == "options";
  if (entry.key == "change") return read_changes(scenario, entry.value, file);
  if (!options && !is_table(entry.key)) {
    if (table && !find_key(entry.key))
      complain(where(entry.value), entry.key, unknown_table(entry.key));
    return read_key(scenario, entry.key, entry.value, where(entry.value));
  }
  if (!table)
    complain(where(entry.value), entry.key,
             "must be a table, not " + shown(entry.value) + "; write [" + entry.key +
                 "] above its keys");
  for (const auto& [name, value] : *table) {
    if (options) {
      read_option(scenario, name, value, where(value));
    } else {
      read_key(scenario, entry.key + '.' + name, value, where(value));
    }
  }
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// On the command line, strings need no quotes: what is no other value is one.
Value bare_value(std::string_view text, bool takes_text) {
  auto value = parse_toml_value(text);
  const bool odd = !value || value->as<Date>() || value->as<Table>();
  if (odd || (takes_text && !value->as<std::string>())) return {std::string(text), 0};
  return std::move(*value);
}

/// The initiators are given in one of two ways: a new one replaces that of the file.
void forget_rival(Scenario& scenario, std::string_view path) {
  if (path != "start.initiators" && path != "start.nodes") return;
  if (path == "start.nodes" && scenario.start.nodes.empty()) return;  // says nothing
  const std::string rival = path == "start.nodes" ? "start.initiators" : "start.nodes";
  const auto given = scenario.where.find(rival);
  if (given == scenario.where.end() || given->second.name == "--set") return;
  scenario.where.erase(given);
  const StartSpec defaults;
  if (rival == "start.nodes") scenario.start.nodes = defaults.nodes;
  if (rival == "start.initiators") scenario.start.initiators = defaults.initiators;
}

}  // namespace

Scenario read_scenario(const std::filesystem::path& path) {
  return parse_scenario(text_of_file(path), path.string());
}

Scenario parse_scenario(std::string_view toml, const std::string& path) {
  Scenario scenario;
  scenario.folder = std::filesystem::path(path).parent_path();
  scenario.where.file = path;
  for (const Entry& entry : parse_toml(toml, path)) read_entry(scenario, path, entry);
  validate(scenario);
  return scenario;
}

void set_key(Scenario& scenario, std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  const std::string path(trimmed(assignment.substr(0, equals)));
  if (equals == std::string_view::npos || path.empty())
    throw core::Problem("--set needs key=value, for instance network.nodes=100");
  if (!parse_toml_value(toml_quoted(assignment)))  // or it could not be printed as TOML
    throw core::Problem("--set", {}, "the assignment must be UTF-8 text");
  const std::string_view text = trimmed(assignment.substr(equals + 1));
  const std::string table(table_of(path));

  if (path.starts_with("change.") || path.starts_with("change[") || path == "change")
    complain("--set", path, "a [[change]] cannot be set this way; write it into the scenario file");
  if (table == "options" && path.size() > std::string_view("options.").size())
    return read_option(scenario, std::string(leaf_of(path)), bare_value(text, false), "--set");
  if (path == "options" || path == "options.")
    complain("--set", path, "needs the name of an option, for instance options.clock=logical");
  if (is_table(path))
    complain("--set", path, "is a table; set one of its keys, for instance network.nodes=100");
  if (!table.empty() && !is_table(table)) complain("--set", path, unknown_table(table));

  const Key* key = find_key(path);
  if (!key && table.empty() && !resembles_key(path))
    complain("--set", path,
             "unknown key; an option of the algorithm is written options." + path +
                 ", and bellwether list keys has all others");
  read_key(scenario, path, bare_value(text, key && key->takes_text), "--set");
  forget_rival(scenario, path);
}

core::Problem problem_at(const Scenario& scenario, const std::string& key, std::string sentence) {
  const auto found = scenario.where.find(key);
  return {found == scenario.where.end() ? scenario.where.file : found->second, key,
          std::move(sentence)};
}

}  // namespace bellwether::scenario
