// SPDX-License-Identifier: MIT
// CEL, the centrality-based eventual leader: every node floods what it knows of the component,
// omits what neighbours must have received, and names the most central node.
//
//   Paper      A. Favier, "Eventual leader elections in dynamic networks", thesis, Sorbonne
//              Universite (2022), chapter 5, Algorithm 2.
//   Model      Any network; ids that neighbours know; links come and go and are detected by beacons
//              of the link layer; unordered local broadcast, which may lose messages, as published.
//              Nodes may crash and restart without memory.
//   Bounds     None are published. A change costs at most one map from each node and neighbour for
//              each time the node's knowledge grows; rho and self-pruning make it less.
//   Guarantee  As published: once changes cease, the nodes of a component come to know it and name
//              its most central node. That holds while the two ends of each link are notified of it
//              at once and nothing is lost or restarted. It does not hold in general: two new links
//              whose ends are notified one after the other suffice to lose a third one (CEL-2), a
//              crash can leave a dead leader permanently (CEL-3), one lost message two leaders
//              (CEL-6). With rho < 1, or self-pruning where the smallest of the pruned nodes does
//              not send, a node may never receive the news. See docs/algorithms/cel.md.
//
// Names: known, knowledge, LocalBroadcast, TopologicalBroadcast as in the thesis; a view is
// MemberView (knowledge.hpp), Connection and Disconnection are link_up and link_down, Leader() is
// leader().
//
// Where we differ
//   - Nothing is repaired: what fails as published fails here.
//   - "known was updated" (line 33): its content has changed.
//   - UpdateNeighbors (lines 35 to 41) does to a neighbour what the loop that calls it does when it
//     comes to that neighbour; doing so twice changes nothing. So there is one loop. A neighbour of
//     which the message has no entry is left unchanged.
//   - Links that are up at the start are connections, with one broadcast for all of them. A node
//     that has not been started does this at the first event.
//   - The thesis does not say which links Leader() uses: `edges`. With `mutual`, the default, a
//     link counts when both ends claim it.
//   - `horizon` is ours, and off by default: nodes beyond that many hops are forgotten at once, and
//     so neither sent nor elected. The cost of a change then depends on its surroundings only,
//     however large the network is, and a node names the most central node of its surroundings;
//     neighbours may differ.
//   - A map that no node can have sent (entries out of order) is refused.
#pragma once

#include "bellwether/algorithms/moving/knowledge.hpp"
#include "bellwether/algorithms/option_ranges.hpp"
#include "bellwether/core/facts.hpp"
#include "bellwether/core/property.hpp"

namespace bellwether::algorithms {

class Cel {
 public:
  static constexpr std::string_view name = "cel";

  struct Options {
    double rho = 1;
    Edges edges = Edges::mutual;
    std::uint32_t horizon = 0;
    static constexpr auto fields = std::tuple{
        core::option(
            "rho", &Options::rho, probability,
            "Probability of forwarding what was learned from others; 1 is CEL-1, 0.7 is CEL-0.7."),
        core::field("edges", &Options::edges, edges_about),
        core::option("horizon", &Options::horizon, network_size,
                     "Largest distance in hops of nodes that are known and can be elected; 0: "
                     "unlimited, as published.")};
    friend bool operator==(const Options&, const Options&) = default;
  };

  struct Knowledge {  // all that I know
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "knowledge";
    Known known;
    static constexpr auto fields = std::tuple{core::field("known", &Knowledge::known)};
    friend bool operator==(const Knowledge&, const Knowledge&) = default;
  };
  using Message = std::variant<Knowledge>;
  using Timer = core::NoTimer;
  using Cache = KnowledgeCache;
  using Step = core::Step<Message, Timer, Cache>;

  static constexpr core::Facts facts{
      .title = "Favier's CEL: flood maps of the component and elect its most central node",
      .source =
          "A. Favier, Eventual leader elections in dynamic networks, thesis, Sorbonne Universite, "
          "2022, chapter 5: Centrality-based Eventual Leader election",
      .idea =
          "Each node keeps a map: for every known node, its neighbours and its logical clock at "
          "that time. It sends the map when a neighbour appears or disappears and, with "
          "probability rho, when it has learned something, unless a neighbour with a smaller id "
          "and the same neighbours does so. The leader is the most central node of the map.",
      .messages =
          "none published; after a change each node sends its map to its neighbours at most once "
          "each time it learns something, with rho = 0.7 about a third less",
      .time = "none published; about one delay for each hop that news travels",
      .guarantee =
          "published: once changes cease, the nodes of a component know it and name its most "
          "central node. That holds while both ends of a link are notified of it at once and "
          "nothing is lost, but not in general: two new links can hide a third one permanently, "
          "and a crash or one lost message can leave a dead leader or two leaders",
      .differs =
          "as published, failures included; links that are up at the start are connections; "
          "`edges` says which links count; `horizon` is ours",
      .model = {.tolerates_changes = true,
                .tolerates_crashes = true,
                .tolerates_loss = true,
                .tolerates_reordering = true,
                .tolerates_duplicates = true,
                .hears_strangers = true},
      .criterion = core::Criterion::closeness,
  };

  Cel() = default;
  Cel(core::NodeId id, Options options)
      : id_(id), known_(initial_knowledge(id)), leader_(id), options_(options) {}

  void start(Step& step);
  void link_up(Step& step, core::Port port);
  void link_down(Step& step, core::Port port);
  void receive(Step& step, core::Port port, const Message& message);
  void timeout(Step&, Timer) {}

  std::optional<core::NodeId> leader() const { return leader_; }
  const Known& known() const { return known_; }

  /// Whether a message that changes nothing now will change nothing later, until the node restarts.
  /// Clocks only rise, and what is known at one clock only grows. Not so with a horizon: a node
  /// beyond it may come nearer.
  static bool no_op_lasts(const Message&, const Options& options, bool) {
    return options.horizon == 0;
  }

  static core::Monitors<Cel> monitors();

  friend bool operator==(const Cel&, const Cel&) = default;

 private:
  bool wake(Step& step);
  void connect(core::NodeId peer);
  void local_broadcast(Step& step);
  void topological_broadcast(Step& step);
  bool forget(const Known& before);
  void elect(KnowledgeCache& cache);

  core::NodeId id_{};
  bool awake_ = false;
  Known known_;
  core::NodeId leader_{};  // follows from known_
  Options options_;

 public:
  static constexpr auto fields =
      std::tuple{core::field("id", &Cel::id_), core::field("awake", &Cel::awake_),
                 core::field("known", &Cel::known_), core::field("leader", &Cel::leader_)};
};

}  // namespace bellwether::algorithms
