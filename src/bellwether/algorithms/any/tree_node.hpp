// SPDX-License-Identifier: MIT
// A node of a tree that grows from its root by invitations: a node that is invited makes the first
// inviter its parent and invites its other neighbours. The same in rounds (bfs-tree) and with any
// delays (bfs-tree-async).
#pragma once

#include "bellwether/core/facts.hpp"
#include "bellwether/core/protocol.hpp"

namespace bellwether::algorithms {

struct TreeOptions {
  core::NodeId root{1};
  static constexpr auto fields = std::tuple{
      core::field("root", &TreeOptions::root, "Id of the root, which is the node that begins.")};
  friend bool operator==(const TreeOptions&, const TreeOptions&) = default;
};

class TreeNode {
 public:
  using Options = TreeOptions;

  struct Invite {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "invite";
    core::NodeId root{};
    std::uint32_t level = 0;  // of the node that accepts
    static constexpr auto fields =
        std::tuple{core::field("root", &Invite::root), core::field("level", &Invite::level)};
    friend bool operator==(const Invite&, const Invite&) = default;
  };
  using Message = std::variant<Invite>;
  using Timer = core::NoTimer;
  using Step = core::Step<Message, Timer>;

  TreeNode() = default;
  TreeNode(core::NodeId id, Options options) : id_(id), is_root_(id == options.root) {}

  /// The root, once it has invited this node.
  std::optional<core::NodeId> leader() const { return leader_; }
  /// Nothing at the root, and at a node that has not been invited.
  std::optional<core::Port> parent() const { return parent_; }
  /// Number of tree hops to the root.
  std::uint32_t level() const { return level_; }
  bool is_root() const { return is_root_; }

  /// Upper bound on the number of messages: every node sends on all its ports but its parent's.
  static std::uint64_t message_bound(std::uint64_t n, std::uint64_t links, const Options&) {
    return 2 * links + 1 - n;
  }

  friend bool operator==(const TreeNode&, const TreeNode&) = default;

 protected:
  void begin(Step& step) {
    if (!is_root_ || leader_) return;
    leader_ = id_;
    invite_others(step);
  }
  void take(Step& step, core::Port port, const Invite& invite) {
    if (leader_) return;  // it is already in the tree
    leader_ = invite.root;
    parent_ = port;
    level_ = invite.level;
    invite_others(step);
  }

 private:
  void invite_others(Step& step) const {
    for (const core::Port port : step.ports())
      if (port != parent_) step.send(port, Invite{*leader_, level_ + 1});
  }

  core::NodeId id_{};
  std::optional<core::NodeId> leader_;
  std::optional<core::Port> parent_;
  std::uint32_t level_ = 0;
  bool is_root_ = false;

 public:
  static constexpr auto fields = std::tuple{
      core::field("id", &TreeNode::id_), core::field("leader", &TreeNode::leader_),
      core::field("parent", &TreeNode::parent_), core::field("level", &TreeNode::level_)};
};

}  // namespace bellwether::algorithms
