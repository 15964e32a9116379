// SPDX-License-Identifier: MIT
// The layers around an election, put together in one place for the simulator and the daemon: what
// is deployed can be simulated.
//
//   probes            who is near, from what is heard         layers/probed.hpp
//     map             members and routes, where the election keeps no map   layers/mapped.hpp
//     or list         the same, where it keeps none and shows a tree        layers/listed.hpp
//       reliable      ordered links without loss              layers/reliable.hpp
//         the election
#pragma once

#include "bellwether/core/algorithm.hpp"
#include "bellwether/layers/probed.hpp"
#include "bellwether/layers/pulse_control.hpp"
#include "bellwether/layers/reliable.hpp"

namespace bellwether::layers {

struct StackSpec {
  std::optional<ProbeOptions> probes;
  std::optional<ReliableOptions> reliable;
  std::optional<PulseOptions> rounds;  // a synchronizer, for protocols that proceed in rounds
  /// Keeps the map beside an election that keeps none. Beside one that shows a tree there is a list
  /// of members instead; without this there is neither.
  const core::Algorithm* map = nullptr;
  core::OptionTexts map_options;
  ProbeLimits limits;
};

/// The election with its layers. Throws Problem on options that do not fit.
std::unique_ptr<core::Nodes> stack(const core::Algorithm& algorithm,
                                   const core::OptionTexts& options, const StackSpec& spec);
/// The same around nodes that are there.
std::unique_ptr<core::Nodes> stack(std::unique_ptr<core::Nodes> election, const StackSpec& spec);

/// The outermost layer of one node of a stack that has probes.
const Probed& probed(const core::Nodes& stack, core::NodeIndex u);

}  // namespace bellwether::layers
