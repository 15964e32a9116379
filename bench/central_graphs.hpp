// SPDX-License-Identifier: MIT
// The graphs on which closeness is timed: fixed seeds, one component, numbers dealt at random.
#pragma once

#include <string>
#include <vector>

#include "bellwether/graph/graph.hpp"

namespace bench {

/// Several graphs of one kind and size. Their times are added up and divided by their number.
struct Case {
  std::string name;
  bellwether::core::NodeIndex nodes;  // drawn; the largest component may have fewer
  std::size_t instances;
  double goal_ratio = 0;    // how many times igraph's speed; 0: none
  double goal_seconds = 0;  // at most; 0: none
};

std::vector<Case> central_cases();
std::vector<bellwether::graph::Graph> make_graphs(const Case& each);

}  // namespace bench
