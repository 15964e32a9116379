// SPDX-License-Identifier: MIT
// From what a search has found to what people read.
#pragma once

#include "bellwether/check/search.hpp"

namespace bellwether::check {

Verdict verdict_of(const Findings& found);
/// Several searches as one.
void add(Verdict& all, Verdict& one);
/// One sentence for each action of a run, with the steps of the trace it is made of.
std::vector<Verdict::NarratedAction> narrate(const Plan& plan, const Root& root, const Path& path,
                                             const std::vector<std::size_t>& steps);

}  // namespace bellwether::check
