// SPDX-License-Identifier: MIT
#include "bellwether/operate/node_config.hpp"

#include <algorithm>

#include "bellwether/core/problem.hpp"
#include "bellwether/scenario/scenario.hpp"
#include "bellwether/scenario/toml.hpp"
#include "bellwether/terminal/command_line.hpp"
#include "bellwether/terminal/program.hpp"

namespace bellwether::operate {
namespace {

/// One value as the text that a flag would have; throws Problem where there is none.
std::string text_of_value(const scenario::Value& value, const core::Location& where) {
  if (const auto* text = value.as<std::string>()) return *text;
  if (const auto* flag = value.as<bool>()) return *flag ? "true" : "false";
  if (const auto* whole = value.as<std::int64_t>()) return std::to_string(*whole);
  if (const auto* number = value.as<double>()) return scenario::toml_text(*number);
  throw core::Problem(where, {}, scenario::shown(value) + " has no place here; write one value");
}

std::vector<std::string> texts_of_value(const scenario::Value& value, const core::Location& where) {
  const auto* list = value.as<scenario::List>();
  if (!list) return {text_of_value(value, where)};
  std::vector<std::string> texts;
  for (const scenario::Value& each : *list) texts.push_back(text_of_value(each, where));
  return texts;
}

/// A timeout that is not given follows the period, unless that is far beyond what is allowed.
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

void read_into(node::Config& config, const std::string& text, const std::string& path,
               Given& given) {
  for (const scenario::Entry& entry : scenario::parse_toml(text, path)) {
    const core::Location where(path, entry.value.line);
    if (entry.key == "options") {
      const auto* table = entry.value.as<scenario::Table>();
      if (!table) throw core::Problem(where, {}, "options is a table: [options]");
      for (const scenario::Entry& option : *table)
        config.options[option.key] = text_of_value(option.value, {path, option.value.line});
      continue;
    }
    try {
      node::set_key(config, entry.key, texts_of_value(entry.value, where));
    } catch (const core::Problem& problem) {
      throw problem.at(where);
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
    } catch (const core::Problem& problem) {
      throw problem.at(flag);
    }
    given.note(key.name);
  }
  for (const std::string& option : options) {
    const auto equals = option.find('=');
    if (equals == std::string::npos || equals == 0)
      throw core::Problem("--set " + option, {}, "write NAME=VALUE, an option of the algorithm");
    config.options[terminal::option_name(option.substr(0, equals))] = option.substr(equals + 1);
  }
  follow_period(config, given.period, given.timeout);
  try {
    node::validate(config);
  } catch (const core::Problem& problem) {
    throw problem.at(path);
  }
  return config;
}

}  // namespace bellwether::operate
