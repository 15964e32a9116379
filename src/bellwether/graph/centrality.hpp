// SPDX-License-Identifier: MIT
// How central each node is, in senses for which there is no faster method here: closeness.hpp and
// harmonic.hpp have theirs. Betweenness and eccentricities take a search from every node.
//
// Distances are in hops and follow the arrows of a one-way graph. Values speak of the component of
// a node: compare them within one component only. Parallel links are counted separately.
#pragma once

#include <cstdint>
#include <vector>

#include "bellwether/graph/components.hpp"
#include "bellwether/graph/graph.hpp"

namespace bellwether::graph {

/// How many links lead away from each node.
std::vector<std::uint32_t> degrees(const Graph& graph);

/// For each node the distance of the farthest one that it can reach. The least is the most central.
std::vector<std::uint32_t> eccentricities(const Graph& graph);

/// Over all ordered pairs of other nodes: the share of their shortest ways that lead through this
/// node (Freeman 1977, by the method of Brandes 2001). In a two-way graph each pair counts twice.
std::vector<double> betweenness(const Graph& graph);

/// Tree centrality, after Kim and Wu, "Leader election on tree-based centrality in ad hoc
/// networks", Telecommunication Systems 52 (2013): nodes are compared by the average depth of the
/// others in one spanning tree, which is cheaper to know than all distances. They leave the tree to
/// the network; ours is fixed, so that the order of links does not matter:
///  - the root of a component is its node of the lowest index;
///  - the parent of a node is its neighbour of the lowest index among those nearer to the root.
/// The depth sum of u is the sum of the distances in the tree from u to all nodes of its component:
/// the sum of their depths if the tree were hung up at u. Needs a two-way graph.
std::vector<std::uint64_t> tree_depth_sums(const Graph& graph);
/// PageRank (Brin and Page 1998) by power iteration from even values. The sum is 1. Nodes without
/// links give their rank to all evenly. Ends when the values of a step change by less than
/// `tolerance` altogether.
struct PageRankOptions {
  double damping = 0.85;
  double tolerance = 1e-13;
  std::uint32_t steps = 1000;  // at most
};
std::vector<double> page_rank(const Graph& graph, const PageRankOptions& options = {});

/// Which values come first.
enum class Preferred : unsigned char { largest, least };

/// The `count` first nodes of each component by their values; ties: the highest index first. A
/// smaller component gives all that it has. `Value` is std::uint32_t, std::uint64_t or double; of
/// the last, values are equal that differ by no more than rounding does.
template <class Value>
std::vector<std::vector<NodeIndex>> ranked_of_each(const Components& parts,
                                                   const std::vector<Value>& values,
                                                   Preferred preferred, NodeIndex count);

}  // namespace bellwether::graph
