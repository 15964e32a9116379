// SPDX-License-Identifier: MIT
// What cut vertices and cycles say about the most central node of a sparse graph.
#pragma once

#include <optional>

#include "bellwether/graph/closeness/local_graph.hpp"

namespace bellwether::graph {

/// Which nodes may be the most central, as far as cut vertices tell. Where removing c leaves a part
/// Y with less than half of the nodes, every node in Y is farther from all than c: a path from w in
/// Y to the rest leads through c, so S(w) >= S(c) + d(w, c) (n - 2 |Y|).
std::vector<std::uint8_t> centroid_block(const LocalGraph& graph);

/// Where the allowed nodes form a cycle, with or without trees and others attached to it: the
/// most central of them, in linear time.
std::optional<Central> central_of_cycle(const LocalGraph& graph,
                                        const std::vector<std::uint8_t>& allowed);

}  // namespace bellwether::graph
