// SPDX-License-Identifier: MIT
// Where the runs begin.
#pragma once

#include "bellwether/check/search.hpp"

namespace bellwether::check {

/// One root for each graph; graphs that lead to the same state share one. Throws Problem when an
/// election does not come to rest on the way.
std::vector<Root> make_roots(const Plan& plan, Machine& machine, Contents& contents);

/// Random walks through the same states, for networks that are too large to search. Each has a
/// number of its own; the first that goes wrong is returned, shortened as far as possible.
Findings walk(const Plan& plan, Machine& machine, Contents& contents,
              const std::vector<Root>& roots, const OnSearchProgress& on_progress);

/// Leaves out steps of a run that are not needed for it to go wrong.
Path shortened(const Plan& plan, Machine& machine, Contents& contents, const Root& root, Path path,
               Breach& breach);

}  // namespace bellwether::check
