// SPDX-License-Identifier: MIT
// What a recording of a daemon says about its network, and a scenario like it. Each node sends a
// probe per period: a gap between two frames of a neighbour shows which probes were lost.
#pragma once

#include <iosfwd>
#include <string>

#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/core/time.hpp"
#include "bellwether/scenario/scenario.hpp"

namespace bellwether::cli {

struct RecordedNetwork {
  std::uint64_t node = 0;
  core::Duration length{};
  core::Duration period{}, timeout{}, jitter{};  // of its probes
  std::size_t members = 1;                       // of its component, itself included
  std::size_t most_neighbours = 0;
  double mean_neighbours = 0;     // over time
  double loss = 0;                // share of all probes of neighbours
  double worst_loss = 0;          // of one neighbour
  double departures_per_s = 0;    // neighbours that did not come back
  core::Duration lateness{};      // of 95 % of all probes at most, beyond their jitter
  core::Duration own_lateness{};  // of this node's timers, at worst
  double frames_per_s = 0;        // that it sent
  bool whole = true;  // false: this program decides otherwise than the recorded one; up to there
};

/// Throws Problem where it is no recording, or too short to say anything.
RecordedNetwork recorded_network(std::istream& in, const std::string& path,
                                 const catalogue::Algorithms& algorithms);

/// One line for each thing that is known.
std::string recorded_text(const RecordedNetwork& network);

/// A radio network with as many nodes, neighbours and losses. Nodes move where neighbours leave, as
/// fast as it takes for that.
scenario::Scenario scenario_like(const RecordedNetwork& network);

}  // namespace bellwether::cli
