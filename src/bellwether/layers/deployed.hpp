// SPDX-License-Identifier: MIT
// An election as it is deployed: which layers it gets, and which of its options suit real machines.
// The daemon runs what is decided here, and so does a simulation of what is deployed.
#pragma once

#include "bellwether/layers/stack.hpp"

namespace bellwether::layers {

/// Why an algorithm cannot run on real machines; empty where it can.
std::string unsuitable_because(const core::Algorithm& algorithm);

/// Keeps the map beside an election that keeps none and shows no tree.
inline constexpr std::string_view map_algorithm = "cel-2";

/// Unless a configuration says otherwise.
inline constexpr ProbeLimits deployed_limits{
    .neighbours = 256, .members = 1000, .message = 256 * 1024};

/// Neighbours that started together must not collide again and again: probes are spread a little.
/// The beats of an election that builds a tree are its probes; a leaf of the tree may be silent
/// from one wave to the next, so a neighbour is lost after two waves and a period at the soonest.
ProbeOptions deployed_probes(const core::Algorithm& algorithm, const core::OptionTexts& options,
                             Duration period, Duration timeout, std::uint32_t mtu);

/// Probes outside, with limits; below them a map where the election keeps none, or a list where it
/// shows a tree, and ordered reliable links where it needs them. `map` is the algorithm of that
/// name.
StackSpec deployed_stack(const core::Algorithm& algorithm, const core::Algorithm& map,
                         const ProbeOptions& probes, const ProbeLimits& limits);

/// The options that were given and, for those that were not, what suits real machines: a map
/// forgets members that are no longer there, and asks soon for what it lacks; a leader shows that
/// it is alive as often as nodes show that they are there. Beats that build a tree come once a
/// period; they are spread over a twelfth of it, and a fifth more is waited for one, unless what
/// was given asks for another jitter or slack.
core::OptionTexts deployed_options(const core::Algorithm& algorithm, core::OptionTexts given,
                                   const ProbeOptions& probes);

}  // namespace bellwether::layers
