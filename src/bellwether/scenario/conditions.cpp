// SPDX-License-Identifier: MIT
#include "bellwether/scenario/conditions.hpp"

#include <algorithm>
#include <iterator>

#include "bellwether/scenario/keys.hpp"
#include "bellwether/world/topology.hpp"

namespace bellwether::scenario {
namespace {

using Names = std::vector<std::string>;

/// As it is printed: the name of a choice has its quotes.
std::string value_in(const Scenario& scenario, const std::string& key) {
  return find_key(key)->print(scenario);
}

/// The key has one of these values, which are written as in TOML.
Condition is(const std::string& key, const Names& values) {
  std::string text = key + " = ";
  for (std::size_t i = 0; i < values.size(); ++i) text += (i ? " or " : "") + values[i];
  return {text,
          "set " + key + " = " + values.front(),
          {key},
          [=](const Scenario& s, const core::Model*) {
            return std::ranges::find(values, value_in(s, key)) != values.end();
          }};
}

/// The same for names.
Condition named(const std::string& key, Names values) {
  for (std::string& each : values) each = toml_quoted(each);
  return is(key, values);
}

Condition positive(const std::string& key, double (*of)(const Scenario&)) {
  return {key + " above 0",
          "set " + key + " above 0",
          {key},
          [=](const Scenario& s, const core::Model*) { return of(s) > 0; }};
}

Condition that(std::string text, std::string cure, Names decides, bool (*holds)(const Scenario&)) {
  return {std::move(text), std::move(cure), std::move(decides),
          [=](const Scenario& s, const core::Model*) { return holds(s); }};
}

/// The topologies that name the key as theirs.
Condition of_topology(const std::string& leaf) {
  Names names;
  for (const world::TopologyFact& fact : world::topologies()) {
    const std::string listed = ", " + std::string(fact.keys) + ',';
    if (listed.find(", " + leaf + ',') != std::string::npos) names.emplace_back(fact.name);
  }
  return named("network.topology", names);
}

Condition mobility(const Names& models) {
  return named("mobility.model", models);
}

Condition moving() {
  return that("a mobility.model", "set mobility.model", {"mobility.model"}, moves);
}

/// The height of a road is that of its lanes; of towers, it says how far from the road they stand.
Condition has_height() {
  return that("another mobility.model than \"highway\", or network.towers",
              "set another mobility.model or network.towers", {"mobility.model", "network.towers"},
              [](const Scenario& s) {
                return s.mobility.model != world::MobilityModel::highway || s.network.towers > 0;
              });
}

Condition wired() {
  return that("wires (not topology = \"radio\")", "set another network.topology",
              {"network.topology", "mobility.model"},
              [](const Scenario& s) { return !moves(s) || has_wires(s.network); });
}

/// Wires keep an order, and so do radio links of which nodes are notified.
Condition ordered() {
  return that("wires or neighbours.detect = \"told\"", "set neighbours.detect = \"told\"",
              {"neighbours.detect", "neighbours.stack"}, [](const Scenario& s) {
                return !moves(s) || has_wires(s.network) || !s.neighbours.probes();
              });
}

Condition probing() {
  return that("neighbours.detect = \"probes\"", "set neighbours.detect = \"probes\"",
              {"neighbours.detect", "neighbours.stack"},
              [](const Scenario& s) { return s.neighbours.probes(); });
}

Condition notified() {
  return that("neighbours.detect = \"told\"", "set neighbours.detect = \"told\"",
              {"neighbours.detect", "neighbours.stack"},
              [](const Scenario& s) { return !s.neighbours.probes(); });
}

Condition measured() {
  return that("metrics.on = \"on\" (or \"auto\" in a network that moves)",
              "set metrics.on = \"on\"", {"metrics.on", "mobility.model", "network.nodes"},
              [](const Scenario& s) { return measures(s); });
}

Condition crashing() {
  return that("crashes.rate or crashes.leader_every above 0", "set crashes.rate above 0",
              {"crashes.rate", "crashes.leader_every"}, [](const Scenario& s) {
                return s.changes.crashes.rate > 0 || s.changes.crashes.leader_every > Duration{};
              });
}

/// By lot, or as a script says.
Condition restarting() {
  return that("nodes that restart", "set crashes.rate above 0", {"crashes.rate"},
              [](const Scenario& s) {
                return s.changes.crashes.rate > 0 || s.changes.crashes.leader_every > Duration{} ||
                       std::ranges::any_of(s.changes.script, [](const auto& each) {
                         return each.kind == world::ChangeKind::restart;
                       });
              });
}

Condition by_lot() {
  return that("markov.birth or markov.death above 0", "set markov.birth above 0",
              {"markov.birth", "markov.death"}, [](const Scenario& s) {
                return s.changes.markov.birth > 0 || s.changes.markov.death > 0;
              });
}

Condition in_rounds() {
  return {"a synchronous algorithm",
          "choose a synchronous algorithm",
          {"algorithm"},
          [](const Scenario&, const core::Model* model) { return !model || model->synchronous; }};
}

/// With a common clock rounds have no channel, and nothing is measured over time.
Condition with_messages() {
  return {"an asynchronous algorithm or a rounds.synchronizer",
          "choose an asynchronous algorithm or a rounds.synchronizer",
          {"algorithm", "rounds.synchronizer"},
          [](const Scenario& s, const core::Model* model) {
            return !model || !model->synchronous ||
                   s.rounds.synchronizer != core::Synchronizer::none;
          }};
}

Condition no_synchronizer() {
  return is("rounds.synchronizer", {"\"none\""});
}

Condition synchronizer() {
  return that("a rounds.synchronizer", "set rounds.synchronizer", {"rounds.synchronizer"},
              [](const Scenario& s) { return s.rounds.synchronizer != core::Synchronizer::none; });
}

/// These keys of one table, all under the same conditions; "*" stands for all of them.
struct Rule {
  std::string table;
  Names leaves;
  std::vector<Condition> conditions;
};

std::vector<Rule> network_rules() {
  std::vector<Rule> out;
  for (const char* leaf : {"one_way", "rows", "columns", "branching", "degree", "attach", "near",
                           "rewire", "file", "towers", "servers"})
    out.push_back({"network", {leaf}, {of_topology(leaf)}});
  out.push_back({"network", {"ids"}, {is("network.anonymous", {"false"})}});
  return out;
}

std::vector<Rule> mobility_rules() {
  const Names travelling{"random-waypoint", "random-walk", "point-of-interest", "group"};
  Names driven = travelling;
  driven.insert(driven.end(), {"gauss-markov", "highway"});
  return {
      {"mobility", {"width", "height"}, {moving()}},
      {"mobility", {"height"}, {has_height()}},
      {"mobility", {"speed_min", "speed_max"}, {mobility(driven)}},
      {"mobility", {"pause"}, {mobility(travelling)}},
      {"mobility", {"leg", "leg_time", "leg_distance"}, {mobility({"random-walk"})}},
      {"mobility", {"leg_time"}, {named("mobility.leg", {"time"})}},
      {"mobility", {"leg_distance"}, {named("mobility.leg", {"distance"})}},
      {"mobility",
       {"flight_alpha", "flight_min", "flight_max", "flight_k", "flight_rho", "pause_beta",
        "pause_min", "pause_max"},
       {mobility({"levy-walk"})}},
      {"mobility", {"spacing"}, {mobility({"point-of-interest"})}},
      {"mobility",
       {"memory", "mean_speed", "speed_deviation", "direction_deviation", "update", "margin"},
       {mobility({"gauss-markov"})}},
      {"mobility", {"group_size", "group_radius"}, {mobility({"group"})}},
      {"mobility", {"lanes"}, {mobility({"highway"})}},
      {"mobility", {"file"}, {mobility({"trace"})}},
  };
}

/// [channel] and [radio] describe delays with the same keys.
std::vector<Rule> delay_rules(const std::string& table) {
  const std::string law = table + ".delay";
  return {{table, {"mean"}, {named(law, {"constant", "exponential", "poisson"})}},
          {table, {"min"}, {named(law, {"uniform"})}},
          {table, {"max"}, {named(law, {"uniform", "adversarial"})}},
          {table, {"unit"}, {named(law, {"poisson"})}}};
}

std::vector<Rule> channel_rules() {
  std::vector<Rule> out{
      {"channel", {"*"}, {with_messages()}},
      {"channel", {"order"}, {ordered()}},
      {"channel", {"loss", "duplicate", "delay", "mean", "min", "max", "unit"}, {wired()}},
  };
  std::ranges::move(delay_rules("channel"), std::back_inserter(out));
  return out;
}

std::vector<Rule> radio_rules() {
  const Condition csma = named("radio.model", {"csma"});
  const Condition lossy = named("radio.model", {"lossy"});
  const Condition bursts = positive(
      "radio.burst_bad", [](const Scenario& s) { return core::seconds(s.radio.burst.bad); });
  std::vector<Rule> out{
      {"radio", {"model", "range"}, {moving()}},
      {"radio",
       {"delay", "mean", "min", "max", "unit"},
       {moving(), named("radio.model", {"ideal", "lossy"})}},
      {"radio",
       {"loss", "burst_bad", "burst_good", "burst_loss_good", "burst_loss_bad"},
       {moving(), lossy}},
      {"radio", {"burst_good", "burst_loss_good", "burst_loss_bad"}, {bursts}},
      {"radio",
       {"rate", "preamble", "overhead", "slot", "sifs", "aifsn", "cw", "capture", "symbol",
        "aligned", "reach"},
       {moving(), csma}},
      {"radio", {"mtu"}, {probing()}},
      {"radio",
       {"power_idle", "power_busy", "power_rx", "power_tx", "power_sleep"},
       {moving(), csma, measured()}},
  };
  std::ranges::move(delay_rules("radio"), std::back_inserter(out));
  return out;
}

std::vector<Rule> other_rules() {
  const Condition chosen = named("neighbours.stack", {"chosen"});
  const Condition churning =
      positive("churn.rate", [](const Scenario& s) { return s.changes.links.rate; });
  return {
      {"start", {"*"}, {with_messages()}},
      {"notify", {"*"}, {with_messages(), notified()}},
      {"neighbours", {"detect", "reliable", "jitter"}, {chosen}},
      {"neighbours", {"period", "timeout", "jitter"}, {probing()}},
      {"neighbours", {"retry"}, {is("neighbours.reliable", {"true"})}},
      {"metrics", {"interval", "warm_up", "until", "oracle"}, {with_messages(), measured()}},
      {"clock",
       {"jumps"},
       {positive("clock.skew", [](const Scenario& s) { return core::seconds(s.clock_skew); }),
        restarting()}},
      {"rounds", {"*"}, {in_rounds()}},
      {"rounds", {"duration"}, {no_synchronizer()}},
      {"rounds", {"pulses"}, {synchronizer()}},
      {"rounds", {"growth"}, {named("rounds.synchronizer", {"gamma"})}},
      {"churn", {"down", "from", "until"}, {churning}},
      {"crashes", {"down", "memory", "from", "until"}, {crashing()}},
      {"markov", {"period", "until"}, {by_lot()}},
  };
}

const std::vector<Rule>& rules() {
  static const std::vector<Rule> all = [] {
    std::vector<Rule> out;
    for (auto part :
         {network_rules(), mobility_rules(), channel_rules(), radio_rules(), other_rules()})
      std::ranges::move(part, std::back_inserter(out));
    return out;
  }();
  return all;
}

}  // namespace

std::vector<Condition> conditions_of(std::string_view key) {
  std::vector<Condition> out;
  for (const Rule& rule : rules()) {
    if (rule.table != table_of(key)) continue;
    const bool all = rule.leaves.front() == "*";
    if (!all && std::ranges::find(rule.leaves, leaf_of(key)) == rule.leaves.end()) continue;
    out.insert(out.end(), rule.conditions.begin(), rule.conditions.end());
  }
  return out;
}

std::string applies_text(const std::vector<Condition>& conditions) {
  std::string out;
  for (const Condition& each : conditions) out += (out.empty() ? "" : " and ") + each.text;
  return out;
}

}  // namespace bellwether::scenario
