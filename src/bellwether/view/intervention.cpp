// SPDX-License-Identifier: MIT
#include "bellwether/view/intervention.hpp"

#include <algorithm>
#include <cmath>

#include "bellwether/core/fields.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/json/json.hpp"

namespace bellwether::view {
namespace {

using json::Json;

const Json& part(const Json& given, const char* key) {
  const Json* found = given.find(key);
  if (found == nullptr) throw core::Problem(std::string("an action needs \"") + key + "\"");
  return *found;
}

NodeIndex read_node(const Json& given, NodeIndex nodes) {
  if (!given.is_unsigned() || given.get<std::uint64_t>() >= nodes)
    throw core::Problem("there is no node " + given.dump() + " in this network");
  return given.get<NodeIndex>();
}

std::vector<NodeIndex> read_nodes(const Json& given, NodeIndex nodes) {
  if (!given.is_array()) throw core::Problem("nodes are a list of numbers");
  std::vector<NodeIndex> out;
  for (const Json& each : given) out.push_back(read_node(each, nodes));
  return out;
}

world::Point read_place(const Json& given) {
  const auto coordinate = [&](const char* key) {
    const Json& number = part(given, key);
    if (!number.is_number() || !(std::abs(number.get<double>()) <= 1e9))
      throw core::Problem("a place is two numbers, in metres");
    return number.get<double>();
  };
  return {coordinate("x"), coordinate("y")};
}

InterventionKind read_kind(const Json& given) {
  const Json& kind = part(given, "kind");
  if (kind.is_string())
    if (const auto value = core::value_named<InterventionKind>(kind.get<std::string>()))
      return *value;
  throw core::Problem("there is no action " + kind.dump());
}

}  // namespace

Intervention read_action(const Json& given, NodeIndex nodes) {
  if (!given.is_object()) throw core::Problem("an action is an object");
  Intervention out;
  out.kind = read_kind(given);
  switch (out.kind) {
    case InterventionKind::restart:
      out.memory = given.value("memory", Json(false)) == Json(true);
      [[fallthrough]];
    case InterventionKind::crash:
      out.node = read_node(part(given, "node"), nodes);
      break;
    case InterventionKind::cut:
    case InterventionKind::join:
      out.node = read_node(part(given, "a"), nodes);
      out.other = read_node(part(given, "b"), nodes);
      if (out.node == out.other) throw core::Problem("a node is not linked to itself");
      break;
    case InterventionKind::partition: {
      const Json& groups = part(given, "groups");
      if (!groups.is_array()) throw core::Problem("groups are a list of lists of nodes");
      for (const Json& group : groups) out.groups.push_back(read_nodes(group, nodes));
      break;
    }
    case InterventionKind::heal:
      break;
    case InterventionKind::move:
      out.node = read_node(part(given, "node"), nodes);
      out.to = read_place(given);
      break;
    case InterventionKind::add:
      if (given.contains("node")) out.node = read_node(given.at("node"), nodes);
      if (given.contains("x")) out.to = read_place(given);
      if (given.contains("links")) out.links = read_nodes(given.at("links"), nodes);
      break;
  }
  if (const Json* at = given.find("at"); at != nullptr && at->is_number())
    out.at = Time{static_cast<std::int64_t>(std::clamp(at->get<double>(), 0.0, 9e18))};
  return out;
}

Json to_json(const Intervention& action) {
  Json out{{"kind", core::name_of(action.kind)}, {"at", action.at.count()}};
  switch (action.kind) {
    case InterventionKind::restart:
      out["memory"] = action.memory;
      [[fallthrough]];
    case InterventionKind::crash:
      out["node"] = action.node;
      break;
    case InterventionKind::cut:
    case InterventionKind::join:
      out["a"] = action.node;
      out["b"] = action.other;
      break;
    case InterventionKind::partition:
      out["groups"] = action.groups;
      break;
    case InterventionKind::heal:
      break;
    case InterventionKind::move:
    case InterventionKind::add:
      out["node"] = action.node;
      if (action.to) {
        out["x"] = action.to->x;
        out["y"] = action.to->y;
      }
      if (!action.links.empty()) out["links"] = action.links;
      break;
  }
  return out;
}

Time date(std::vector<Intervention>& together, Time now) {
  Time at = now + core::Duration{1};  // one moment remains free: what was done before was not this
  for (Intervention& action : together) action.at = ++at;
  return at;
}

std::vector<Intervention> last_together(const std::vector<Intervention>& actions) {
  auto first = actions.end();
  while (first != actions.begin() &&
         (first == actions.end() || std::prev(first)->at + core::Duration{1} == first->at))
    --first;
  return {first, actions.end()};
}

NodeIndex additions(const std::vector<Intervention>& actions) {
  return static_cast<NodeIndex>(
      std::ranges::count(actions, InterventionKind::add, &Intervention::kind));
}

scenario::Scenario with_actions(scenario::Scenario scenario,
                                const std::vector<Intervention>& actions,
                                const std::vector<NodeId>& ids) {
  using world::ChangeKind;
  world::ChangeSpec& changes = scenario.changes;
  scenario.network.spares += additions(actions);
  for (const Intervention& action : actions) {
    const auto change = [&](ChangeKind kind, NodeIndex a, NodeIndex b = 0, bool memory = false) {
      const bool link = kind == ChangeKind::link_up || kind == ChangeKind::link_down;
      changes.script.push_back({action.at, kind, ids[a], link ? ids[b] : NodeId{}, memory, {}});
    };
    switch (action.kind) {
      case InterventionKind::crash:
        change(ChangeKind::crash, action.node);
        break;
      case InterventionKind::restart:
        change(ChangeKind::restart, action.node, 0, action.memory);
        break;
      case InterventionKind::cut:
        change(ChangeKind::link_down, action.node, action.other);
        break;
      case InterventionKind::join:
        change(ChangeKind::link_up, action.node, action.other);
        break;
      case InterventionKind::partition: {
        world::ScriptedPartition partition{action.at, false, {}, {}};
        for (const auto& group : action.groups) {
          auto& names = partition.groups.emplace_back();
          for (const NodeIndex u : group) names.push_back(ids[u]);
        }
        changes.partitions.push_back(std::move(partition));
        break;
      }
      case InterventionKind::heal:
        changes.partitions.push_back({action.at, true, {}, {}});
        break;
      case InterventionKind::move:
        changes.moves.push_back({action.at, ids[action.node], *action.to, {}});
        break;
      case InterventionKind::add:
        change(ChangeKind::restart, action.node);
        if (action.to) changes.moves.push_back({action.at, ids[action.node], *action.to, {}});
        for (const NodeIndex v : action.links) change(ChangeKind::link_up, action.node, v);
        break;
    }
  }
  return scenario;
}

}  // namespace bellwether::view
