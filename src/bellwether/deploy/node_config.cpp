// SPDX-License-Identifier: MIT
#include "bellwether/deploy/node_config.hpp"

#include <algorithm>

#include "bellwether/deploy/command_line.hpp"
#include "bellwether/deploy/program.hpp"
#include "bellwether/scenario/scenario.hpp"
#include "bellwether/scenario/toml.hpp"

namespace bellwether::deploy {
namespace {

/// One value as the text that a flag would have; throws BadInput where there is none.
std::string text_of_value(const scenario::Value& value, const std::string& place) {
  if (const auto* text = value.as<std::string>()) return *text;
  if (const auto* flag = value.as<bool>()) return *flag ? "true" : "false";
  if (const auto* whole = value.as<std::int64_t>()) return std::to_string(*whole);
  if (const auto* number = value.as<double>()) return scenario::toml_text(*number);
  throw BadInput(place + scenario::shown(value) + " has no place here; write one value");
}

std::vector<std::string> texts_of_value(const scenario::Value& value, const std::string& place) {
  const auto* list = value.as<scenario::List>();
  if (!list) return {text_of_value(value, place)};
  std::vector<std::string> texts;
  for (const scenario::Value& each : *list) texts.push_back(text_of_value(each, place));
  return texts;
}

/// A timeout that nobody gave follows the period, unless that is far beyond what is allowed.
void follow_period(node::Config& config, bool period, bool timeout) {
  constexpr core::Duration most = std::chrono::hours(1);
  if (period && !timeout) config.timeout = 3 * std::min(config.period, most);
}

struct Given {
  bool period = false;
  bool timeout = false;
  void note(const std::string& key) {
    period = period || key == "period";
    timeout = timeout || key == "timeout";
  }
};

scenario::Table entries_of(const std::string& text, const std::string& path) {
  try {
    return scenario::parse_toml(text, path);
  } catch (const scenario::BadScenario& error) {
    throw BadInput(error.what());
  }
}

void read_into(node::Config& config, const std::string& text, const std::string& path,
               Given& given) {
  for (const scenario::Entry& entry : entries_of(text, path)) {
    const std::string place = path + ":" + std::to_string(entry.value.line) + ": ";
    if (entry.key == "options") {
      const auto* table = entry.value.as<scenario::Table>();
      if (!table) throw BadInput(place + "options is a table: [options]");
      for (const scenario::Entry& option : *table)
        config.options[option.key] =
            text_of_value(option.value, path + ":" + std::to_string(option.value.line) + ": ");
      continue;
    }
    try {
      node::set_key(config, entry.key, texts_of_value(entry.value, place));
    } catch (const node::BadConfig& error) {
      throw BadInput(place + error.what());
    }
    given.note(entry.key);
  }
}

}  // namespace

void read_node_config(node::Config& config, const std::string& text, const std::string& path) {
  Given given;
  read_into(config, text, path, given);
  follow_period(config, given.period, given.timeout);
}

node::Config node_config(const std::string& path, const std::vector<GivenKey>& flags,
                         const std::vector<std::string>& options) {
  node::Config config;
  Given given;
  if (!path.empty()) read_into(config, scenario::text_of_file(path), path, given);
  for (const GivenKey& key : flags) {
    std::string flag = "--" + key.name;
    std::replace(flag.begin(), flag.end(), '_', '-');
    try {
      node::set_key(config, key.name, key.texts);
    } catch (const node::BadConfig& error) {
      throw BadInput(flag + ": " + error.what());
    }
    given.note(key.name);
  }
  for (const std::string& option : options) {
    const auto equals = option.find('=');
    if (equals == std::string::npos || equals == 0)
      throw BadInput("--set " + option + ": write NAME=VALUE, an option of the algorithm");
    config.options[option_name(option.substr(0, equals))] = option.substr(equals + 1);
  }
  follow_period(config, given.period, given.timeout);
  try {
    node::validate(config);
  } catch (const node::BadConfig& error) {
    throw BadInput((path.empty() ? "" : path + ": ") + error.what());
  }
  return config;
}

}  // namespace bellwether::deploy
