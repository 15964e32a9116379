// SPDX-License-Identifier: MIT
// Paths of nodes in files, as other simulators write and read them.
//
//   BonnMotion (.movements): one line per node, "time x y time x y ..." in seconds and metres.
//   ns-2 (.ns_movements, .tcl): "$node_(0) set X_ 10", and the same with Y_, for the place at the
//     beginning; then $ns_ at 2.5 "$node_(0) setdest 30 40 5" to set out at a time for a place at a
//     speed. A new destination replaces one that is not reached yet, and speed 0 halts the node, as
//     in ns-2 and ns-3. Lines about "$god_", and those that set variables, are passed over. Note
//     that BonnMotion's NSFile adds 10 m to all coordinates, unless told not to (-b).
//
// Before the first time of a file a node stands at its first place, after the last at its last.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bellwether/world/mobility.hpp"

namespace bellwether::world {

struct Waypoint {
  Time at{};
  Point place{};
  friend bool operator==(const Waypoint&, const Waypoint&) = default;
};

/// For each node at least one; times ascend, the first is 0.
using MobilityTrace = std::vector<std::vector<Waypoint>>;

/// What a trace must keep to; zeros: anything goes.
struct TraceLimits {
  NodeIndex nodes = 0;
  double width = 0;
  double height = 0;
};

/// The path decides about the format, and the contents where its ending says nothing. Throws
/// Problem.
MobilityTrace parse_trace(std::string_view text, std::string_view path,
                          const TraceLimits& limits = {});
MobilityTrace read_trace_file(const std::string& path, const TraceLimits& limits = {});

std::unique_ptr<Motion> follow(MobilityTrace trace);

/// What nodes 0 to n-1 do until the horizon; reading it back gives the same legs.
std::string bonnmotion_text(Motion& motion, NodeIndex nodes, Time horizon);
std::string ns2_text(Motion& motion, NodeIndex nodes, Time horizon);

}  // namespace bellwether::world
