// SPDX-License-Identifier: MIT
// A group that runs elsewhere, polled again and again: its nodes, the leader that each one follows,
// and its links, as the group itself knows them. Time is wall-clock time.
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

/// Runs until no client watches. `watcher` and `observer` are usually one and the same.
void watch_live(const Look& look, sim::Pacer& watcher, observe::Observer& observer);

}  // namespace bellwether::view
