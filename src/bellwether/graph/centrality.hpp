// SPDX-License-Identifier: MIT
// How central each node is, in the senses that elections use. Right and clear rather than fast:
// most of these search from every node.
//
// Distances are in hops and follow the arrows of a one-way graph. Values speak of the component of
// a node: compare them within one component only. Parallel links count as so many links.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "bellwether/graph/graph.hpp"

namespace bellwether::graph {

/// How many links lead away from each node.
std::vector<std::uint32_t> degrees(const Graph& graph);

/// The sum of the distances from a node to all that it can reach. Integers, so that ties are exact.
std::vector<std::uint64_t> distance_sums(const Graph& graph);

/// 1 / distance sum (Bavelas 1950, Sabidussi 1966); 0 for a node that reaches nobody.
std::vector<double> closeness(const Graph& graph);

/// The sum of 1 / distance over all other nodes; what cannot be reached adds nothing (Marchiori and
/// Latora 2000). Nodes with as many others at each distance have equal values, to the last bit.
std::vector<double> harmonic(const Graph& graph);

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
/// 1 / average depth of the others in the tree hung up at a node: (nodes - 1) / depth sum; 0 for a
/// node alone.
std::vector<double> tree_centrality(const Graph& graph);

/// PageRank (Brin and Page 1998) by power iteration from even values. The sum is 1. Nodes without
/// links give their rank to all evenly. Ends when the values of a step change by less than
/// `tolerance` altogether.
struct PageRankOptions {
  double damping = 0.85;
  double tolerance = 1e-13;
  std::uint32_t steps = 1000;  // at most
};
std::vector<double> page_rank(const Graph& graph, const PageRankOptions& options = {});

/// The index of the largest value; of equal ones the highest. Nothing where there are none.
template <class Value>
std::optional<NodeIndex> most(const std::vector<Value>& values) {
  if (values.empty()) return std::nullopt;
  const auto last = std::max_element(values.rbegin(), values.rend());
  return static_cast<NodeIndex>(values.rend() - last - 1);
}
/// The same for values that come out of sums in some order: those that differ from the largest by
/// no more than rounding does count as equal to it.
inline constexpr double rounding = 1e-12;  // relative
template <>
std::optional<NodeIndex> most(const std::vector<double>& values);

}  // namespace bellwether::graph
