// SPDX-License-Identifier: MIT
// A group that is at work elsewhere, looked at again and again: who is there, whom each one follows
// and who is linked, as the group itself knows it. Time passes as on the wall.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bellwether/observe/trace/record.hpp"
#include "bellwether/sim/pace.hpp"

namespace bellwether::view {

/// What one look at a group finds.
struct Sighting {
  struct NodeReport {
    core::NodeId id{};
    std::optional<core::NodeId> leader;
    std::string state;  // JSON: all that is known of it
    std::string why;    // that it follows this leader
  };
  std::vector<NodeReport> nodes;
  std::vector<std::pair<core::NodeId, core::NodeId>> links;
};
using Look = std::function<Sighting()>;

/// Until nobody watches any more. `watcher` and `observer` are usually one and the same.
void watch_live(const Look& look, sim::Pacer& watcher, observe::Observer& observer);

}  // namespace bellwether::view
