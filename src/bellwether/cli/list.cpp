// SPDX-License-Identifier: MIT
// bellwether list: the names that scenarios and commands understand.
#include <fmt/format.h>

#include <array>
#include <functional>

#include "bellwether/cli/commands.hpp"
#include "bellwether/cli/text.hpp"
#include "bellwether/core/nearest.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/embedded/scenarios.hpp"
#include "bellwether/node/engine.hpp"
#include "bellwether/scenario/scenario.hpp"
#include "bellwether/terminal/command_line.hpp"
#include "bellwether/world/channel.hpp"
#include "bellwether/world/mobility.hpp"
#include "bellwether/world/radio.hpp"
#include "bellwether/world/topology.hpp"

namespace bellwether::cli {
namespace {

using ListRows = std::vector<std::pair<std::string, std::string>>;

struct Topic {
  std::string name;
  std::string description;
  std::function<ListRows()> rows;  // only when it is printed
};

ListRows facts(std::span<const world::NamedFact> list) {
  ListRows rows;
  for (const auto& fact : list) rows.emplace_back(fact.name, fact.description);
  return rows;
}

/// By the faults that they tolerate; a row without a name is a heading.
ListRows algorithms(const CommandContext& context) {
  constexpr std::array<const char*, 6> headings{
      "in any network, while links come and go",
      "in networks where nodes crash",
      "in any network whose links do not change",
      "on rings",
      "in complete networks",
      "in synchronous rounds",
  };
  const auto place = [](const core::Model& m) {
    if (m.shape == core::Shape::any && m.tolerates_changes) return 0u;
    if (m.tolerates_crashes) return 1u;
    if (m.synchronous) return 5u;
    return 2u + static_cast<unsigned>(m.shape);
  };
  ListRows rows;
  for (unsigned i = 0; i < headings.size(); ++i) {
    const std::size_t before = rows.size();
    for (const auto& entry : context.algorithms)
      if (place(entry.facts.model) == i) rows.emplace_back(entry.name, entry.facts.title);
    if (rows.size() > before)
      rows.emplace(rows.begin() + static_cast<std::ptrdiff_t>(before), "", headings[i]);
  }
  return rows;
}

/// What each of them requires and tolerates.
ListRows models(const CommandContext& context) {
  ListRows rows;
  for (const auto& entry : context.algorithms)
    rows.emplace_back(entry.name, model_text(entry.facts.model));
  return rows;
}

/// Those that the daemon can run, then the others and why not.
ListRows for_nodes(const CommandContext& context) {
  ListRows rows{{"", "bellwether node --algorithm NAME"}};
  for (const auto& entry : context.algorithms)
    if (node::unsuitable_because(entry).empty()) rows.emplace_back(entry.name, entry.facts.title);
  rows.emplace_back("", "cannot be deployed");
  for (const auto& entry : context.algorithms)
    if (const auto why = node::unsuitable_because(entry); !why.empty())
      rows.emplace_back(entry.name, why);
  return rows;
}

ListRows neighbours() {
  return {{"told",
           "link notifications: both ends of a link get one when it comes up or goes down (keys of "
           "[notify]); not with radio.model csma"},
          {"probes",
           "each node sends probes; a node that is heard is a neighbour until it is silent for "
           "`timeout` (keys: period, timeout, jitter)"},
          {"reliable",
           "a layer (reliable = true): each message arrives once and in order while the link is "
           "up; for algorithms that need this (keys: retry)"}};
}

/// Those that are a part of the program.
ListRows scenarios() {
  ListRows rows;
  for (const auto& [name, text] : embedded::scenarios())
    rows.emplace_back(name, scenario::parse_scenario(text, name).about);
  return rows;
}

ListRows topologies() {
  ListRows rows;
  for (const auto& fact : world::topologies())
    rows.emplace_back(fact.name,
                      std::string(fact.description) +
                          (fact.keys.empty() ? "" : fmt::format(" (keys: {})", fact.keys)));
  return rows;
}

ListRows keys() {
  ListRows rows;
  for (const auto& key : scenario::keys())
    rows.emplace_back(key.key, fmt::format("{} ({}; default {}{}{})", key.description, key.kind,
                                           key.default_text.empty() ? "none" : key.default_text,
                                           key.applies.empty() ? "" : "; only with ", key.applies));
  return rows;
}

std::vector<Topic> topics(const CommandContext& context) {
  return {
      {"algorithms", "elections (bellwether describe NAME explains one)",
       [&] { return algorithms(context); }},
      {"models", "what each algorithm requires, and which faults it tolerates",
       [&] { return models(context); }},
      {"topologies", "network.topology: the network at the beginning", topologies},
      {"channels", "what a channel may do to messages", [] { return facts(world::channels()); }},
      {"delays", "channel.delay: how long a message takes", [] { return facts(world::delays()); }},
      {"mobility", "mobility.model: how nodes move",
       [] { return facts(world::mobility_models()); }},
      {"radios", "radio.model: how messages travel between nodes in range",
       [] { return facts(world::radio_models()); }},
      {"neighbours", "neighbours.detect: how nodes detect their neighbours", neighbours},
      {"node", "elections that the daemon can run", [&] { return for_nodes(context); }},
      {"scenarios", "scenarios that are a part of the program (bellwether run NAME)", scenarios},
      {"keys", "all keys of a scenario", keys}};
}

std::string print(const Topic& topic) {
  const ListRows rows = topic.rows();
  std::size_t width = 0;
  for (const auto& [name, description] : rows) width = std::max(width, name.size());
  std::string out = fmt::format("{}: {}\n", topic.name, topic.description);
  for (const auto& [name, description] : rows)
    out += name.empty()
               ? fmt::format(" {}:\n", description)
               : fmt::format("  {:<{}}  {}\n", name, width, wrapped(description, width + 4, 100));
  return out;
}

int list(const std::string& wanted, const CommandContext& context) {
  std::string out;
  std::vector<std::string> names;
  for (const Topic& topic : topics(context)) {
    names.push_back(topic.name);
    const bool on_request = topic.name == "keys" || topic.name == "models" ||
                            topic.name == "node" || topic.name == "scenarios";
    if (wanted.empty() ? !on_request : topic.name == wanted)
      out += (out.empty() ? "" : "\n") + print(topic);
  }
  if (out.empty()) throw core::Problem(core::unknown_name("list", wanted, names));
  if (wanted.empty())
    out +=
        "\nAlso: bellwether list scenarios, bellwether list models, bellwether list node, "
        "bellwether list keys\n";
  out = terminal::replaced(std::move(out), "bellwether ", own_name(context) + ' ');
  std::fputs(out.c_str(), stdout);
  return 0;
}

}  // namespace

std::vector<std::string> list_topics(const CommandContext& context) {
  std::vector<std::string> out;
  for (const Topic& topic : topics(context)) out.push_back(topic.name);
  return out;
}

void add_list(terminal::Command& app, const CommandContext& context, int& status) {
  const auto wanted = std::make_shared<std::string>();
  terminal::Command* sub =
      app.add_subcommand("list", "List algorithms, topologies, mobility models, keys, ...");
  sub->add_option("what", *wanted,
                  "List only algorithms, models, topologies, channels, delays, mobility, radios, "
                  "neighbours, node, scenarios or keys");
  sub->footer("");
  sub->callback([wanted, &context, &status] { status = list(*wanted, context); });
}

}  // namespace bellwether::cli
