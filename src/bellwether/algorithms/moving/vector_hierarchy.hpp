// SPDX-License-Identifier: MIT
// A hierarchy of leaders by distance vectors, on top of the heights: our first one, kept to be
// compared with hierarchy.hpp. When the leader is lost its distances count to infinity, and a leaf
// that joins a line moves all leaders.
//
// Source: Tbarka, "Hierarchical leader election algorithm with remoteness constraint" (2019) states
// the problem, the substrate (height.hpp) and the rule for `pred`. The rest is ours. Model: that of
// the heights: asynchronous, links come and go, their two ends are notified separately; channels
// are FIFO and reliable while up. The heights run with `hello`: as published, a link may be known
// at one end only, and a parent would not know its child. Guarantee: once changes cease, all nodes
// of a component agree on one hierarchy. Every node is within (R1 + 1) ... (Rk + 1) - 1 hops of its
// leader of level k; there are at most n / (R1 + 1) + 1 leaders of level 1, and so on upwards; the
// top level is the component's leader alone. The protocol stops sending. Whether a node leads
// depends only on the tree below it. Bounds: O(log n / log(R + 1)) levels; messages: see
// docs/algorithms/vector-hierarchy.md.
//
// The tree. Links lead downhill to the component's leader. dist: 0 there, else 1 + the smallest
// dist among the neighbours downhill; pred: the one with that dist and the lowest id. The levels.
// Every node is a leader of level 0. It leads at level k + 1, too, when it is the root, or leads at
// level k and the longest path below it, in steps among leaders of level k without one of level k +
// 1 between, is R(k+1). Up the tree, each node sends its pred the nodes that still lack a leader of
// the next level, as soon as it has received this from all above; down the tree, each sends its
// children its chain of leaders.
#pragma once

#include "bellwether/algorithms/moving/height.hpp"
#include "bellwether/algorithms/moving/remoteness.hpp"
#include "bellwether/core/hierarchical.hpp"
#include "bellwether/core/shared.hpp"

namespace bellwether::algorithms {

/// A leader of some level (0: any node) whose leader of the next level is farther up the tree.
struct HierarchyMember {
  NodeId id{};
  std::uint32_t level = 0;
  std::uint32_t steps = 0;  // among leaders of its level, up to the receiver
  static constexpr auto fields = std::tuple{core::field("id", &HierarchyMember::id),
                                            core::field("level", &HierarchyMember::level),
                                            core::field("steps", &HierarchyMember::steps)};
  friend bool operator==(const HierarchyMember&, const HierarchyMember&) = default;
};
using HierarchyMembers = core::Shared<std::vector<HierarchyMember>>;  // by level, then id
using Chain = core::Shared<std::vector<NodeId>>;                      // L1, L2, ..., Lh

class VectorHierarchy {
 public:
  static constexpr std::string_view name = "vector-hierarchy";
  static constexpr core::Facts facts{
      .title =
          "Hierarchy of leaders by distance vectors on top of heights: what hierarchy has replaced",
      .source =
          "Tbarka, Hierarchical leader election with remoteness constraint (2019): the "
          "problem and the heights below it; the rest is ours",
      .idea =
          "Heights orient the links towards one leader, and each node makes the downhill neighbour "
          "nearest to the leader its parent. From the leaves of that tree upwards, a node becomes "
          "a leader of the next level as soon as a node below it would otherwise be too far from "
          "one; the same rule among these leaders gives the levels above.",
      .messages =
          "those of height, and at least one for each node whose distance, parent or chain of "
          "leaders changes",
      .time = "that of height, and twice the depth of the tree",
      .guarantee =
          "once changes cease, one hierarchy in every component; every node within (R + 1)^k - 1 "
          "hops of its leader of level k; at most n / (R + 1) + 1 leaders of level 1",
      .differs =
          "the source states the problem, the substrate and the rule for pred; the levels "
          "are ours",
      .model = {.tolerates_changes = true, .tolerates_crashes = true}};

  struct Options {
    Remoteness remoteness;
    Height::ClockKind clock = Height::ClockKind::logical;
    Height::Rejoin rejoin = Height::Rejoin::take_over;
    static constexpr auto fields = std::tuple{
        core::field("remoteness", &Options::remoteness,
                    "Largest number of steps from a node to its leader; one number for all levels, "
                    "or one for each level, the last of which applies to all higher levels."),
        core::field("clock", &Options::clock, "As in height."),
        core::field("rejoin", &Options::rejoin, "As in height.")};
    friend bool operator==(const Options&, const Options&) = default;
  };
  /// A parent must know its children, so both ends of a link must know each other: hello is on.
  static Height::Options heights_options(const Options& options) {
    return {options.clock, true, options.rejoin};
  }
  static core::ClockUse clock_use(const Options& options) {
    return Height::clock_use(heights_options(options));
  }

  static constexpr std::uint32_t nowhere = 1u << 31;  // an unknown dist

  struct Update {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "update";
    Height::Update height;
    std::uint32_t dist = nowhere;
    bool child = false;        // you are my pred
    HierarchyMembers members;  // then: the nodes that lack a leader; empty: not known yet
    Chain leaders;             // to a child; empty: not known yet, or not my child
    static constexpr auto fields =
        std::tuple{core::field("height", &Update::height), core::field("dist", &Update::dist),
                   core::field("child", &Update::child), core::field("members", &Update::members),
                   core::field("leaders", &Update::leaders)};
    friend bool operator==(const Update&, const Update&) = default;
  };
  using Message = std::variant<Update>;
  using Timer = core::NoTimer;
  using Step = core::Step<Message, Timer>;

  VectorHierarchy() = default;
  VectorHierarchy(NodeId id, Options options);

  void start(Step& step);
  void link_up(Step& step, Port port);
  void link_down(Step& step, Port port);
  void receive(Step& step, Port port, const Message& message);
  void timeout(Step&, Timer) {}
  std::optional<NodeId> leader() const { return heights_.leader(); }

  // core::Hierarchical.
  const std::vector<NodeId>& leaders() const { return *chain_; }
  std::uint32_t rank() const { return rank_; }
  std::vector<NodeId> children(std::uint32_t level) const;
  std::optional<Port> next_hop(NodeId id) const;

  // Read by properties and tests.
  const Height& heights() const { return heights_; }
  NodeId id() const { return heights_.height().id; }
  std::uint32_t dist() const { return dist_; }
  std::optional<Port> pred() const { return pred_; }
  const Remoteness& remoteness() const { return remoteness_; }

  static core::Monitors<VectorHierarchy> monitors();

  template <class Visit>
  void for_each_stamp(Visit&& visit) {
    heights_.for_each_stamp(visit);
  }
  template <class Visit>
  static void for_each_stamp(Message& message, Visit&& visit) {
    Height::for_each_stamp(std::get<Update>(message).height, visit);
  }

 private:
  /// The neighbour at a port, and what it knows of us.
  struct Branch {
    Port port{};
    std::uint32_t dist = nowhere;       // theirs
    std::uint32_t told_dist = nowhere;  // ours
    bool child = false;                 // whether we are their pred
    bool told_chain = false;            // whether they have our chain, if so
    HierarchyMembers members;           // the nodes below them that lack a leader, if so
    static constexpr auto fields = std::tuple{core::field("port", &Branch::port),
                                              core::field("dist", &Branch::dist),
                                              core::field("told_dist", &Branch::told_dist),
                                              core::field("child", &Branch::child),
                                              core::field("told_chain", &Branch::told_chain),
                                              core::field("members", &Branch::members)};
    friend bool operator==(const Branch&, const Branch&) = default;
  };

  /// Runs `act` on the heights; then updates everything that follows from them, and sends one
  /// message to each neighbour concerned.
  template <class Act>
  void step_heights(Step& step, Act&& act);
  void forget();
  void refresh(Step& step, const Height::Step& heights);
  bool all_told() const;

  bool root() const { return heights_.leader() == id(); }
  bool uphill(Port port) const;
  bool downhill(Port port) const;
  bool child(const Branch& branch) const;
  bool must_hear_dist(const Branch& branch) const;
  Branch& branch(Port port);

  void choose_pred();
  std::vector<HierarchyMember> below() const;
  std::vector<HierarchyMember> rise(std::vector<HierarchyMember> below);
  std::vector<NodeId> chain() const;

  Height heights_;
  std::vector<Branch> branches_;  // by port
  std::uint32_t dist_ = nowhere;
  std::uint16_t rank_ = 0;
  bool told_members_ = false;
  std::optional<Port> pred_;
  HierarchyMembers members_;  // what is sent to pred, and was sent if told_members_
  Chain pred_chain_;          // what pred has sent, or the one before it
  Chain chain_;
  Remoteness remoteness_;

 public:
  static constexpr auto fields =
      std::tuple{core::field("heights", &VectorHierarchy::heights_),
                 core::field("dist", &VectorHierarchy::dist_),
                 core::field("pred", &VectorHierarchy::pred_),
                 core::field("rank", &VectorHierarchy::rank_),
                 core::field("leaders", &VectorHierarchy::chain_),
                 core::field("members", &VectorHierarchy::members_),
                 core::field("told_members", &VectorHierarchy::told_members_),
                 core::field("pred_leaders", &VectorHierarchy::pred_chain_),
                 core::field("branches", &VectorHierarchy::branches_)};
  friend bool operator==(const VectorHierarchy&, const VectorHierarchy&) = default;
};

}  // namespace bellwether::algorithms
