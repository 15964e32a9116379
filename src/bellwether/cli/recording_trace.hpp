// SPDX-License-Identifier: MIT
// What a node has recorded, as a trace that can be shown: the node, the nodes that it heard, and
// its leader.
#pragma once

#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/observe/trace/trace.hpp"

namespace bellwether::cli {

/// Throws Problem.
observe::Trace trace_of_recording(std::istream& in, const std::string& path,
                                  const catalogue::Algorithms& algorithms);

}  // namespace bellwether::cli
