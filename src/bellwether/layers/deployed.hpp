// SPDX-License-Identifier: MIT
// An election as it is deployed: which layers it gets, and which of its options suit real machines.
// The daemon runs what is decided here, and so does a simulation of what is deployed.
#pragma once

#include "bellwether/layers/stack.hpp"

namespace bellwether::layers {

/// Probes outside, with a bound on the map; below them a map where the election keeps none, and
/// ordered reliable links where it needs them. `map` is the algorithm that keeps such a map.
StackSpec deployed_stack(const core::Algorithm& algorithm, const core::Algorithm& map,
                         const ProbeOptions& probes, std::size_t most_members);

/// The options that were given and, for those that were not, what suits real machines: a map
/// forgets members that are no longer there, and asks soon for what it lacks; a leader shows that
/// it is alive as often as nodes show that they are there.
core::OptionTexts deployed_options(const core::Algorithm& algorithm, core::OptionTexts given,
                                   const ProbeOptions& probes);

}  // namespace bellwether::layers
