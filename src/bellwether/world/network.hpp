// SPDX-License-Identifier: MIT
// A network at the beginning of a run: its nodes, their ids and their links.
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
  friend bool operator==(const Point&, const Point&) = default;
};

/// Mobile nodes move as [mobility] says; fixed ones stay at their place; wired ones have no radio
/// and have only the links that the topology gives them.
enum class NodeKind : unsigned char { mobile, fixed, wired };

struct Network {
  NodeIndex nodes = 0;
  std::vector<graph::Edge> links;  // their order gives each node the order of its ports
  graph::Direction direction = graph::Direction::both_ways;
  /// Empty where the topology has no geometry. In the unit square: the code that knows the area
  /// scales x by its width and y by its height (make_motion does).
  std::vector<Point> places;
  std::vector<NodeKind> kinds;  // empty: all mobile
};

inline NodeKind kind_of(const Network& network, NodeIndex u) {
  return network.kinds.empty() ? NodeKind::mobile : network.kinds[u];
}

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
  std::string file;         // file: an edge list, GraphML, DIMACS or METIS
  std::string ids = "ascending";    // ascending, descending, random, bit-reversed
  std::vector<core::NodeId> names;  // the ids, in the order of the nodes, instead
  bool anonymous = false;
  NodeIndex towers = 0;   // highway: fixed, evenly along the road
  NodeIndex servers = 0;  // highway: wired to every tower, without radio
  NodeIndex spares = 0;   // beyond `nodes`: not there at the beginning, and without links
  friend bool operator==(const NetworkSpec&, const NetworkSpec&) = default;
};

}  // namespace bellwether::world
