// SPDX-License-Identifier: MIT
// Who is nearest to the others in the harmonic sense: the largest sum of 1 / distance (Marchiori
// and Latora 2000), exact. Two nodes are tied if and only if their sums are equal as fractions,
// such as 1/1 + 1/1 and 1/1 + 1/2 + 1/2; sums of rounded numbers would break such ties by chance.
#pragma once

#include <vector>

#include "bellwether/graph/graph.hpp"

namespace bellwether::graph {

/// A node and its sum of 1 / distance over all others of its component.
struct HarmonicCentral {
  NodeIndex node = 0;
  double value = 0;  // rounded; the same for nodes that are tied
  friend bool operator==(const HarmonicCentral&, const HarmonicCentral&) = default;
};

/// The `count` nodes of each component with the largest sums, the best first; ties: the highest
/// index first. A smaller component gives all that it has. Components come in the order of their
/// smallest nodes. Links count as two-way, loops and parallel links change nothing.
std::vector<std::vector<HarmonicCentral>> most_harmonic_of_each(const Graph& graph,
                                                                NodeIndex count = 1);

}  // namespace bellwether::graph
