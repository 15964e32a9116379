// SPDX-License-Identifier: MIT
// bellwether list: the names that scenarios and commands understand.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "bellwether/cli/commands.hpp"
#include "bellwether/cli/text.hpp"
#include "bellwether/core/nearest.hpp"
#include "bellwether/world/channel.hpp"
#include "bellwether/world/topology.hpp"

namespace bellwether::cli {
namespace {

using Rows = std::vector<std::pair<std::string, std::string>>;

struct Topic {
  std::string name;
  std::string about;
  Rows rows;
};

Rows facts(std::span<const world::NamedFact> list) {
  Rows rows;
  for (const auto& fact : list) rows.emplace_back(fact.name, fact.about);
  return rows;
}

std::vector<Topic> topics(const Tables& tables) {
  Rows algorithms;
  for (const auto& entry : tables.algorithms)
    algorithms.emplace_back(entry.name, entry.facts.title);
  Rows topologies;
  for (const auto& fact : world::topologies())
    topologies.emplace_back(
        fact.name,
        std::string(fact.about) + (fact.keys.empty() ? "" : fmt::format(" (keys: {})", fact.keys)));
  Rows keys;
  for (const auto& key : scenario::keys())
    keys.emplace_back(key.key, fmt::format("{} ({}; default {})", key.about, key.kind,
                                           key.standard.empty() ? "none" : key.standard));
  return {{"algorithms", "elections to run (bellwether describe NAME tells more)", algorithms},
          {"topologies", "network.topology: the network at the beginning", topologies},
          {"channels", "what a channel may do to messages", facts(world::channels())},
          {"delays", "channel.delay: how long a message takes", facts(world::delays())},
          {"keys", "all keys of a scenario", keys}};
}

std::string print(const Topic& topic) {
  std::size_t width = 0;
  for (const auto& [name, about] : topic.rows) width = std::max(width, name.size());
  std::string out = fmt::format("{}: {}\n", topic.name, topic.about);
  for (const auto& [name, about] : topic.rows)
    out += fmt::format("  {:<{}}  {}\n", name, width, wrapped(about, width + 4, 100));
  return out;
}

int list(const std::string& wanted, const Tables& tables) {
  std::string out;
  std::vector<std::string> names;
  for (const Topic& topic : topics(tables)) {
    names.push_back(topic.name);
    if (wanted.empty() ? topic.name != "keys" : topic.name == wanted)
      out += (out.empty() ? "" : "\n") + print(topic);
  }
  if (out.empty()) throw BadInput(core::unknown_name("list", wanted, names));
  if (wanted.empty()) out += "\nAlso: bellwether list keys\n";
  std::fputs(out.c_str(), stdout);
  return 0;
}

}  // namespace

void add_list(CLI::App& app, const Tables& tables, int& status) {
  const auto wanted = std::make_shared<std::string>();
  CLI::App* sub = app.add_subcommand("list", "List algorithms, topologies, channels, delays, keys");
  sub->add_option("what", *wanted, "algorithms, topologies, channels, delays or keys");
  sub->footer("");
  sub->callback([wanted, &tables, &status] { status = list(*wanted, tables); });
}

}  // namespace bellwether::cli
