// SPDX-License-Identifier: MIT
// The components of a two-way graph, one at a time, each ready to be searched many times.
#pragma once

#include <limits>
#include <vector>

#include "bellwether/graph/graph.hpp"

namespace bellwether::graph {

/// Where an arc leads; graphs with more to an arc have one of their own.
inline NodeIndex target(NodeIndex v) {
  return v;
}

/// `use(members, place)` for each component, in the order of their smallest nodes. `members` are
/// its nodes in the order of a breadth-first search, and place[members[i]] is i: numbered like
/// this, neighbours lie near each other in memory.
template <class AnyGraph, class Use>
void for_each_part(const AnyGraph& graph, Use&& use) {
  constexpr NodeIndex none = std::numeric_limits<NodeIndex>::max();
  std::vector<NodeIndex> place(graph.size(), none);
  std::vector<NodeIndex> members;
  for (NodeIndex first = 0; first < graph.size(); ++first) {
    if (place[first] != none) continue;
    members.assign(1, first);
    place[first] = 0;
    for (std::size_t i = 0; i < members.size(); ++i)
      for (const auto& arc : graph.neighbours(members[i])) {
        const NodeIndex v = target(arc);
        if (place[v] != none) continue;
        place[v] = static_cast<NodeIndex>(members.size());
        members.push_back(v);
      }
    use(members, place);
  }
}

}  // namespace bellwether::graph
