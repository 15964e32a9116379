// SPDX-License-Identifier: MIT
// The tree of bfs-tree without rounds: a node accepts the first invitation, which need not have
// come over a shortest path.
//
//   Paper      Folklore; the lecture's "simple algorithm", which needs a synchronizer to give a
//              breadth-first tree.
//   Model      Asynchronous, any network in which every node can be reached from the root (links
//              may be one-way), distinct ids. Channels need not be FIFO and may duplicate: only the
//              first invitation counts. Nothing fails. That the root begins is given.
//   Bounds     2e - n + 1 messages in every run, e being the number of links. Time r, where r is
//              the distance from the root to the farthest node: an invitation over a shortest path
//              is never delayed by another.
//   Guarantee  Every node names the root, and the parents form a tree. Levels are not distances:
//              with unequal delays a node may be attached over a longer path.
//
// Names: invite, parent and level as in the lecture.
//
// Where we differ
//   - An invitation carries the root's id, so that all name it.
//   - A node that starts and is not the root waits to be invited.
#pragma once

#include "bellwether/algorithms/any/tree_node.hpp"
#include "bellwether/core/property.hpp"

namespace bellwether::algorithms {

class BfsTreeAsync : public TreeNode {
 public:
  static constexpr std::string_view name = "bfs-tree-async";

  static constexpr core::Facts facts{
      .title = "Asynchronous tree from a given root, breadth-first only if delays are equal",
      .source = "folklore; what becomes of SynchBFS (Lynch 1996, section 4.2) without rounds",
      .idea =
          "The root invites its neighbours. A node that is invited for the first time makes the "
          "inviter its parent and invites its other neighbours in turn. A long path of fast links "
          "can be faster than a short path of slow links.",
      .messages = "2e - n + 1 in every run, where e is the number of links",
      .time = "r, where r is the distance from the root to the farthest node",
      .guarantee = "all nodes name the root, and the parents form a tree, breadth-first or not",
      .differs = "an invitation carries the root's id; only the root begins, whichever nodes start",
      .model = {.needs_all = true,
                .tolerates_one_way = true,
                .tolerates_reordering = true,
                .tolerates_duplicates = true},
  };

  using TreeNode::TreeNode;

  void start(Step& step) { begin(step); }
  void link_up(Step&, core::Port) {}
  void link_down(Step&, core::Port) {}
  void receive(Step& step, core::Port port, const Message& message);
  void timeout(Step&, Timer) {}

  static core::Monitors<BfsTreeAsync> monitors();
  /// `breadth-first`, which does not hold: the checker shows how it is broken.
  static core::Monitors<BfsTreeAsync> monitors_on_request();

  friend bool operator==(const BfsTreeAsync&, const BfsTreeAsync&) = default;
};

}  // namespace bellwether::algorithms
