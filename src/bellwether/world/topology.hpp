// SPDX-License-Identifier: MIT
// The networks that a scenario can name.
//
// A driver numbers a node's ports: first the links that it begins (it stands first in
// `Network::links`), then those that it ends, each in their order there. That gives some topologies
// a sense of direction: the ring's links are (0,1), (1,2), ... (n-1,0), so the first port leads
// clockwise at every node; in a complete network the ports lead round the circle, from the next
// node on; in a line, a tree or a grid they lead away from node 0 first. The torus and what is
// drawn at random are not oriented, and a ring from a file only if its links all point the same
// way round.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "bellwether/core/problem.hpp"
#include "bellwether/world/network.hpp"

namespace bellwether::world {

/// More nodes or links than this are refused: their indices fit in 31 bits.
inline constexpr std::uint64_t largest_network = 0x7FFF'FFFF;

struct TopologyFact {
  std::string_view name;
  std::string_view description;  // one sentence
  std::string_view keys;         // the keys of [network] that shape it
};

std::span<const TopologyFact> topologies();

/// Throws Problem where the contents of a graph file are at fault. Links are distinct
/// and lead from one node to another. Random networks may be disconnected.
Network build_network(const NetworkSpec& spec, std::uint64_t seed);

/// Throws Problem for `key` where that many nodes and links are more than their indices can count,
/// or a run of them does not fit into the memory that is available. build_network asks before it
/// allocates.
void require_room(double nodes, double links, std::string_view key);

/// The names of nodes 0..n-1: those of the spec, or the numbers 1..n in the order that it asks for;
/// all zero in an anonymous network. Throws Problem.
std::vector<NodeId> assign_ids(const NetworkSpec& spec, NodeIndex nodes, std::uint64_t seed);

/// The reach of a node in the unit square that has `degree` others around it on the average.
/// Nodes near the border have fewer, so the mean over all of them stays a little below.
double reach_for_degree(NodeIndex nodes, double degree);

/// All links of nodes in the unit square, or around it, that are at most `reach` apart, in
/// ascending order.
std::vector<graph::Edge> links_within(std::span<const Point> places, double reach);

// Both count on distinct links between different nodes.
bool is_ring(const Network& network);
/// A ring whose links all lead the same way round, so that the first port is clockwise everywhere.
bool is_oriented_ring(const Network& network);
bool is_complete(const Network& network);

}  // namespace bellwether::world
