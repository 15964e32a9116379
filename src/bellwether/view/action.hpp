// SPDX-License-Identifier: MIT
// What a person does to a run by hand. A run is a function of its scenario and of these; so what
// was done can be undone, sent to a friend, and written into the scenario as its script.
#pragma once

#include <optional>
#include <vector>

#include "bellwether/json/json.hpp"
#include "bellwether/scenario/scenario.hpp"

namespace bellwether::view {

using core::NodeId;
using core::NodeIndex;
using core::Time;

enum class ActionKind : unsigned char { crash, restart, cut, join, partition, heal, move, add };
constexpr auto names_of(ActionKind) {
  return std::array<std::string_view, 8>{"crash",     "restart", "cut",  "join",
                                         "partition", "heal",    "move", "add"};
}

struct Action {
  ActionKind kind{};
  Time at{};
  NodeIndex node = 0;   // crash, restart, move; cut and join: one end; add: the spare that comes
  NodeIndex other = 0;  // cut, join
  bool memory = false;  // restart
  std::optional<world::Point> to{};              // move; add, where nodes have places
  std::vector<NodeIndex> links{};                // add, where they have none
  std::vector<std::vector<NodeIndex>> groups{};  // partition
  friend bool operator==(const Action&, const Action&) = default;
};

/// Throws Problem. Nodes are numbers below `nodes`.
Action read_action(const json::Json& given, NodeIndex nodes);
json::Json to_json(const Action& action);

/// When things are done that are done together: right after now, one after the other, so that
/// nothing else happens at the same moment. The last of these times.
Time date(std::vector<Action>& together, Time now);
/// The last ones that were done together.
std::vector<Action> last_together(const std::vector<Action>& actions);

/// How many of these add a node.
NodeIndex additions(const std::vector<Action>& actions);

/// The scenario with the actions as its script. `ids`: of all nodes, with those that were added.
scenario::Scenario with_actions(scenario::Scenario scenario, const std::vector<Action>& actions,
                                const std::vector<NodeId>& ids);

}  // namespace bellwether::view
