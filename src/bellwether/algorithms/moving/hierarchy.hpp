// SPDX-License-Identifier: MIT
// A hierarchy of leaders with a bound on the remoteness towards each, on top of the heights.
//
// Source: Tbarka, "Hierarchical leader election algorithm with remoteness constraint" (2019) states
// the problem, the substrate (height.hpp) and `pred`. The rest is ours. Model: that of the heights:
// asynchronous, links come and go, their two ends are notified separately; channels are FIFO and
// reliable while up. The heights run with `hello`: as published, a link may be known at one end
// only, and a parent would not know its child. Guarantee: once changes cease, all nodes of a
// component agree on one hierarchy, every node within (R1 + 1) ... (Rk + 1) - 1 hops of its leader
// of level k, with few leaders, and the protocol stops sending; a leaf that comes or goes makes
// at most one node begin to lead at level 1 (hierarchy_places.hpp). Bounds: O(log n / log(R/2 + 1))
// levels; messages: see docs/algorithms/hierarchy.md.
//
// The tree. Links lead downhill to the component's leader; pred is one of the neighbours downhill,
// so there is no loop. It is chosen when all neighbours follow the same leader, and stays while it
// is downhill. depth says which is near: 0 at the leader, elsewhere one more than the least that a
// pred has had. Under one leader it only falls: it is no distance once links have failed, but it
// cannot count to infinity either.
//
// Doubt. A search (a new reference level) passes where a leader is lost, or a way to it. A node
// that has raised its height in it, or whose pred has, does not know any more who is above, and
// asks: the question goes up to the leader, the answer comes down. Where the leader is gone none
// comes, and nothing is told of a tree that falls apart.
#pragma once

#include "bellwether/algorithms/moving/height.hpp"
#include "bellwether/algorithms/moving/hierarchy_places.hpp"
#include "bellwether/core/hierarchical.hpp"

namespace bellwether::algorithms {

class Hierarchy {
 public:
  static constexpr std::string_view name = "hierarchy";
  static constexpr core::Facts facts{
      .title =
          "Hierarchy of leaders on top of heights, with a bound on the distance to each leader",
      .source =
          "Tbarka, Hierarchical leader election with remoteness constraint (2019): the "
          "problem and the heights below it; the rest is ours",
      .idea =
          "Heights orient the links towards one leader, and each node has one of its neighbours "
          "downhill as its parent. Up that tree goes the longest way to a node without a leader, "
          "one number for each level, and down the leaders of each level with their distances. A "
          "node begins to lead where a node below it would be too far from a leader, and stops "
          "only when few need it; the same rule among these leaders gives the levels above.",
      .messages =
          "those of height, and at least one for each node whose parent or chain of leaders "
          "changes",
      .time = "that of height, and twice the depth of the tree",
      .guarantee =
          "once changes cease, one hierarchy in every component; every node within (R + 1)^k - 1 "
          "hops of its leader of level k; a leaf that comes or goes makes at most one node "
          "begin to lead at level 1",
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

  static constexpr std::uint32_t nowhere = 1u << 31;  // an unknown depth

  struct Update {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "update";
    Height::Update height;
    std::uint32_t depth = nowhere;
    bool child = false;    // you are my pred
    bool asks = false;     // and say who is above when you have heard it from the leader
    Reaches reaches;       // then; empty: not known yet
    LeadersAbove leaders;  // to a child; empty: nothing new
    static constexpr auto fields = std::tuple{
        core::field("height", &Update::height),   core::field("depth", &Update::depth),
        core::field("child", &Update::child),     core::field("asks", &Update::asks),
        core::field("reaches", &Update::reaches), core::field("leaders", &Update::leaders)};
    friend bool operator==(const Update&, const Update&) = default;
  };
  using Message = std::variant<Update>;
  using Timer = core::NoTimer;
  using Step = core::Step<Message, Timer>;

  Hierarchy() = default;
  Hierarchy(NodeId id, Options options);

  void start(Step& step);
  void link_up(Step& step, Port port);
  void link_down(Step& step, Port port);
  void receive(Step& step, Port port, const Message& message);
  void timeout(Step&, Timer) {}
  std::optional<NodeId> leader() const { return heights_.leader(); }

  // core::Ranked. No leaders: not known yet, but for leader().
  std::vector<NodeId> leaders() const;
  std::uint32_t rank() const { return places_.rank(); }

  // Read by properties and tests.
  const Height& heights() const { return heights_; }
  NodeId id() const { return heights_.height().id; }
  std::uint32_t depth() const { return depth_; }
  std::optional<Port> pred() const { return pred_; }
  const LeadersAbove& told() const { return told_; }
  const Remoteness& remoteness() const { return places_.remoteness(); }

  static core::Monitors<Hierarchy> monitors();

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
    bool child = false;                  // whether we are their pred
    bool asks = false;                   // and they wait for an answer
    bool has_leaders = false;            // and have what we tell our children
    bool told_child = false;             // whether they know that they are our pred
    std::uint32_t depth = nowhere;       // theirs
    std::uint32_t told_depth = nowhere;  // ours
    Reaches reaches;                     // of a child
    static constexpr auto fields = std::tuple{core::field("port", &Branch::port),
                                              core::field("child", &Branch::child),
                                              core::field("asks", &Branch::asks),
                                              core::field("has_leaders", &Branch::has_leaders),
                                              core::field("told_child", &Branch::told_child),
                                              core::field("depth", &Branch::depth),
                                              core::field("told_depth", &Branch::told_depth),
                                              core::field("reaches", &Branch::reaches)};
    friend bool operator==(const Branch&, const Branch&) = default;
  };
  /// What a neighbour has to be told.
  struct News {
    bool child = false;
    bool asks = false;
    bool reaches = false;
    bool leaders = false;
    bool depth = false;
    bool any() const { return child || asks || reaches || leaders || depth; }
  };

  /// Whether all neighbours follow our leader; and, then, whether the children have reported.
  struct Readiness {
    bool around = false;
    bool below = false;
  };

  /// Runs `act` on the heights; then updates everything that follows from them, and sends one
  /// message to each neighbour concerned.
  template <class Act>
  void step_heights(Step& step, Act&& act);
  void follow();
  void hear(Branch& from, const Update& update);
  void answer();

  void choose_pred(bool agreed, bool raised);
  std::optional<Port> nearest() const;
  bool all_follow() const;
  bool all_told() const;
  void settle();
  void tell();
  void send(Step& step, const Height::Step& heights, Readiness readiness);
  News news_for(const Branch& branch, Readiness readiness) const;
  void send(Step& step, Branch& branch, const News& news, bool hello, Readiness readiness);

  bool root() const { return heights_.leader() == id(); }
  bool waits() const;
  bool uphill(Port port) const;
  bool downhill(Port port) const;
  bool child(const Branch& branch) const;
  Branch& branch(Port port);

  Height heights_;
  std::vector<Branch> branches_;  // by port
  HierarchyPlaces places_;
  std::uint32_t depth_ = 0;
  bool told_reaches_ = false;
  bool doubts_ = false;  // a search has passed
  bool asked_ = false;   // and pred was asked
  std::optional<Port> pred_;
  Reaches reaches_;     // what is told to pred
  LeadersAbove above_;  // what pred has told
  LeadersAbove told_;   // what is told to the children

 public:
  static constexpr auto fields = std::tuple{core::field("heights", &Hierarchy::heights_),
                                            core::field("pred", &Hierarchy::pred_),
                                            core::field("depth", &Hierarchy::depth_),
                                            core::field("places", &Hierarchy::places_),
                                            core::field("reaches", &Hierarchy::reaches_),
                                            core::field("told_reaches", &Hierarchy::told_reaches_),
                                            core::field("doubts", &Hierarchy::doubts_),
                                            core::field("asked", &Hierarchy::asked_),
                                            core::field("above", &Hierarchy::above_),
                                            core::field("told", &Hierarchy::told_),
                                            core::field("branches", &Hierarchy::branches_)};
  friend bool operator==(const Hierarchy&, const Hierarchy&) = default;
};

}  // namespace bellwether::algorithms
