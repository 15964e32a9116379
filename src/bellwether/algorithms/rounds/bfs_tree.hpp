// SPDX-License-Identifier: MIT
// A breadth-first tree, in rounds: the root invites its neighbours, and each node that is invited
// invites its own.
//
//   Paper      Folklore; SynchBFS in N. A. Lynch, "Distributed Algorithms", Morgan Kaufmann 1996,
//              section 4.2; in the lecture the application of synchronizers.
//   Model      Synchronous, any network in which every node can be reached from the root (links may
//              be one-way), distinct ids. Nothing fails, nothing is lost. That the root begins is
//              given: this is not an election, but announces the root to all.
//   Bounds     2e - n + 1 messages in every run, e being the number of links: every node sends once
//              on each of its ports but its parent's. r rounds until all are invited, where r is
//              the distance from the root to the farthest node.
//   Guarantee  Every node names the root; its level is its distance from the root, and its parent
//              is a neighbour that is nearer by one.
//
// Names: invite, parent and level as in the lecture.
//
// Where we differ
//   - An invitation carries the root's id, so that all name it.
//   - Of several invitations in one round the one on the first port is accepted.
#pragma once

#include "bellwether/algorithms/any/tree_node.hpp"

namespace bellwether::algorithms {

class BfsTree : public TreeNode {
 public:
  static constexpr std::string_view name = "bfs-tree";

  static constexpr core::Facts facts{
      .title = "SynchBFS: breadth-first tree from a given root, in rounds",
      .source =
          "folklore; N. A. Lynch, Distributed Algorithms, Morgan Kaufmann 1996, section 4.2 "
          "(SynchBFS)",
      .idea =
          "The root invites its neighbours. A node that is invited for the first time makes the "
          "inviter its parent and invites its other neighbours in turn. An invitation travels one "
          "hop a round, so the first one comes over a shortest path.",
      .messages = "2e - n + 1 in every run, where e is the number of links",
      .time = "r rounds, where r is the distance from the root to the farthest node",
      .guarantee = "all nodes name the root; levels are distances from it, parents nearer by one",
      .differs = "an invitation carries the root's id; the first port wins among several",
      .model = {.needs_all = true, .tolerates_one_way = true, .synchronous = true},
  };

  using TreeNode::TreeNode;

  void round(Step& step, core::Inbox<Message> inbox);

  /// Only the root acts before a message reaches it.
  bool halted() const { return leader().has_value() || !is_root(); }

  friend bool operator==(const BfsTree&, const BfsTree&) = default;
};

}  // namespace bellwether::algorithms
