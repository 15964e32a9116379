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

enum class InterventionKind : unsigned char {
  crash,
  restart,
  cut,
  join,
  partition,
  heal,
  move,
  add
};
constexpr auto names_of(InterventionKind) {
  return std::array<std::string_view, 8>{"crash",     "restart", "cut",  "join",
                                         "partition", "heal",    "move", "add"};
}

struct Intervention {
  InterventionKind kind{};
  Time at{};
  NodeIndex node = 0;   // crash, restart, move; cut and join: one end; add: the spare that comes
  NodeIndex other = 0;  // cut, join
  bool memory = false;  // restart
  std::optional<world::Point> to{};              // move; add, where nodes have places
  std::vector<NodeIndex> links{};                // add, where they have none
  std::vector<std::vector<NodeIndex>> groups{};  // partition
  friend bool operator==(const Intervention&, const Intervention&) = default;
};

/// Throws Problem. Nodes are numbers below `nodes`.
Intervention read_action(const json::Json& given, NodeIndex nodes);
json::Json to_json(const Intervention& action);

/// When things are done that are done together: right after now, one after the other, so that
/// nothing else happens at the same moment. The last of these times.
Time date(std::vector<Intervention>& together, Time now);
/// The last ones that were done together.
std::vector<Intervention> last_together(const std::vector<Intervention>& actions);

/// How many of these add a node.
NodeIndex additions(const std::vector<Intervention>& actions);

/// The scenario with the actions as its script. `ids`: of all nodes, with those that were added.
scenario::Scenario with_actions(scenario::Scenario scenario,
                                const std::vector<Intervention>& actions,
                                const std::vector<NodeId>& ids);

}  // namespace bellwether::view
