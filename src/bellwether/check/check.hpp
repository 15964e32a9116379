// SPDX-License-Identifier: MIT
// From a specification to a verdict: every run of an election in a small network.
#pragma once

#include "bellwether/check/plan.hpp"
#include "bellwether/core/algorithm.hpp"

namespace bellwether::check {

/// Follows every run that the specification allows. Throws Problem.
Verdict check(const core::Algorithm& algorithm, const Spec& spec,
              const OnSearchProgress& on_progress);

}  // namespace bellwether::check
