// SPDX-License-Identifier: MIT
// A network at the beginning of a run: who is there, under which name, linked to whom.
#pragma once

#include <string>
#include <vector>

#include "bellwether/core/ids.hpp"
#include "bellwether/core/prng.hpp"
#include "bellwether/graph/graph.hpp"

namespace bellwether::world {

using core::NodeId;
using core::NodeIndex;

struct Point {
  double x = 0;
  double y = 0;
};

struct Network {
  NodeIndex nodes = 0;
  std::vector<graph::Edge> links;  // their order gives each node the order of its ports
  graph::Direction direction = graph::Direction::both_ways;
  std::vector<Point> places;  // empty where the topology has no geometry
};

/// What a scenario says under [network]. Zero means "not given" where a key has no default.
struct NetworkSpec {
  std::string topology = "ring";
  NodeIndex nodes = 0;
  bool one_way = false;     // ring only: messages go clockwise only
  NodeIndex rows = 0;       // grid, torus
  NodeIndex columns = 0;    // grid, torus
  NodeIndex branching = 2;  // tree: children of a node
  double degree = 4;        // erdos-renyi, geometric, edge-markovian: mean number of neighbours
  NodeIndex attach = 2;     // barabasi-albert: links of a newcomer
  NodeIndex near = 4;       // watts-strogatz: neighbours in the lattice, even
  double rewire = 0.1;      // watts-strogatz: share of links that are rewired
  std::string file;         // file: an edge list, GraphML or DIMACS
  std::string ids = "ascending";  // ascending, descending, random
  bool anonymous = false;
  friend bool operator==(const NetworkSpec&, const NetworkSpec&) = default;
};

}  // namespace bellwether::world
