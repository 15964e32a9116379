// SPDX-License-Identifier: MIT
// The most central node of a network while single links come and go, exact at any time.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "bellwether/graph/changing_graph.hpp"
#include "bellwether/graph/closeness/closeness.hpp"

namespace bellwether::graph {

/// Answers as `most_central` of the present graph does.
///
/// A component that has more than half of all nodes is *followed*. We know of it
///   - the distances from its leader, and so the leader's sum of distances, exactly;
///   - of each other node a lower bound of its sum.
/// A change lowers a bound by at least as much as the sum. A node whose bound says that it may be
/// ahead of the leader is examined on request, and only then. Most links that go are settled by a
/// look at the neighbours of one end: see `keeps_distances`.
///
/// Where no component has a majority, the answer is computed anew on request; also where
/// very many may be ahead of the leader. Otherwise following is faster, in networks of any size.
class CentralNode {
 public:
  /// Loops and parallel links are left out. `rows_up_to`: see ChangingGraph.
  CentralNode(NodeIndex nodes, std::span<const Edge> links,
              NodeIndex rows_up_to = ChangingGraph::most_rows)
      : graph_(nodes, links, rows_up_to), patience_(nodes / 2) {}

  /// A loop, a link that is there already, or one that is not there to be taken away, changes
  /// nothing.
  void link(NodeIndex a, NodeIndex b);
  void unlink(NodeIndex a, NodeIndex b);

  /// The network has at least one node.
  Central best();

  /// What was done so far, for tests and benchmarks.
  struct Work {
    std::uint64_t came = 0;            // links to the component that is followed
    std::uint64_t gone = 0;            // links of it
    std::uint64_t gone_at_once = 0;    // settled by a look at the neighbours
    std::uint64_t searches = 0;        // to move bounds, and for the distances of the leader
    std::uint64_t looked_at = 0;       // nodes whose sum was computed since they might lead
    std::uint64_t looked_at_many = 0;  // searches that did so for up to 64 of them at once
    std::uint64_t computed_anew = 0;
  };
  const Work& work() const { return work_; }

 private:
  using Distances = std::vector<std::uint32_t>;  // from one node to each
  struct LinkEnd {
    NodeIndex node = 0;
    Distances from;
    std::span<const NodeIndex> side;  // nodes nearer to this end than to the other, by 2 or more
    std::vector<NodeIndex> memory;    // of side
  };

  bool inside(NodeIndex u) const { return distance_[u] != unreachable; }
  bool may_lead(NodeIndex u) const { return Central{u, best_.reached, bound_[u]}.beats(best_); }
  bool keeps_distances(NodeIndex far) const;
  Central search(NodeIndex from, Distances& distance);
  std::pair<Central, Central> search_from(NodeIndex a, NodeIndex b);
  void compute_anew();
  void shorten(NodeIndex a, NodeIndex b);
  void take_sides();
  void lower_bounds(const LinkEnd& a, const LinkEnd& b);
  void join(NodeIndex in, NodeIndex out);
  void lose(NodeIndex near, NodeIndex far);
  void settle();
  void look_around(NodeIndex center);
  void look_at_one(NodeIndex u);
  void look_at_many(std::span<const NodeIndex> nodes);

  ChangingGraph graph_;
  Central best_;        // when followed: the leader, the size of its component, its sum
  NodeIndex patience_;  // how many to look at before the answer is computed anew
  bool followed_ = false;
  bool unsettled_ = true;             // another node may be ahead of best_
  Distances distance_;                // from the leader
  std::vector<std::uint64_t> bound_;  // of the sum of each node of the component

  // What one change or one question needs; kept for its memory.
  LinkEnd a_;  // of the link that changes
  LinkEnd b_;
  std::vector<std::uint64_t> by_ends_;
  std::vector<std::uint64_t> by_leader_;
  Distances other_;
  std::vector<NodeIndex> due_;
  std::vector<NodeIndex> together_;
  Work work_;
};

}  // namespace bellwether::graph
