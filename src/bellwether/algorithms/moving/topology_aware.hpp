// SPDX-License-Identifier: MIT
// Topology Aware: every node knows the component, and names its most central node.
//
//   Paper      A. Favier, "Eventual leader elections in dynamic networks", thesis, Sorbonne
//              Universite (2022), chapter 4, Algorithm 1.
//   Model      Any network; ids that neighbours know; links come and go; reliable, unordered local
//              broadcast, as published. Nodes may crash and restart without memory.
//   Bounds     None are published. A connection: one full map from each end to all its neighbours,
//              then one list of changes from each node that learns something, at most one in Delta.
//   Guarantee  As published: once changes cease, the nodes of a component eventually know it and
//              name its most central node. That holds where all links are up from the start. It
//              does not hold in general: three nodes and two changes suffice to break it (TA-1),
//              with FIFO channels three changes do (TA-2); a restart (TA-3) or one lost message
//              (TA-5) does, too. See docs/algorithms/topology-aware.md.
//
// Names: known, updates, pending, updt (src, add, rmv, old_clk, new_clk) as in the thesis; a view
// is MemberView (knowledge.hpp), Connection and Disconnection are link_up and link_down, the
// Periodic Updates Task is Timer::updates, Leader() is leader().
//
// Where we differ
//   - Nothing is repaired: what fails as published fails here.
//   - The task sleeps while there is nothing to send, or no run would ever end: it is armed when
//     the list gets its first entry, and sends Delta later. As published a tick comes every Delta
//     anyway, and an entry waits for the next one, Delta at most.
//   - Links that are up at the start are connections, with one broadcast of `known` for all of
//     them. A node that has not been started does this at the first event.
//   - The thesis does not say which links Leader() uses: `edges`. With `mutual`, the default, a
//     link counts when both ends claim it.
//   - PendingUpdates goes through its list until nothing more can be applied; as printed, one pass
//     might do, and a set has no order. An update of a node of which nothing is known stays
//     pending. The pending updates are a set: the same update from two neighbours is kept once.
//   - A map or list that no node can have sent (entries out of order) is refused.
#pragma once

#include "bellwether/algorithms/moving/knowledge_updates.hpp"
#include "bellwether/algorithms/option_ranges.hpp"
#include "bellwether/core/facts.hpp"
#include "bellwether/core/property.hpp"

namespace bellwether::algorithms {

class TopologyAware {
 public:
  static constexpr std::string_view name = "topology-aware";

  struct Options {
    Measure criterion = Measure::closeness;
    Edges edges = Edges::mutual;
    core::Duration period{0};
    double range = 90;
    static constexpr auto fields =
        std::tuple{core::field("criterion", &Options::criterion,
                               "Node to elect: the one with the smallest sum of distances to all "
                               "others (closeness), or with the most neighbours (degree)."),
                   core::field("edges", &Options::edges, edges_about),
                   core::option("period", &Options::period, timer_duration_or_zero,
                                "Delta, the time for which changes are gathered before they are "
                                "sent; 0 s: computed from the range."),
                   core::option("range", &Options::range, radio_range,
                                "Radio range in metres; where no period is given, Delta is 70 "
                                "log10(range) - 60 milliseconds.")};
    friend bool operator==(const Options&, const Options&) = default;
  };

  using Updt = algorithms::Updt;
  struct KnownMessage {  // all that I know; goes out when a neighbour is new
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "known";
    Known known;
    static constexpr auto fields = std::tuple{core::field("known", &KnownMessage::known)};
    friend bool operator==(const KnownMessage&, const KnownMessage&) = default;
  };
  using UpdatesMessage = algorithms::UpdatesMessage;
  using Message = std::variant<KnownMessage, UpdatesMessage>;

  enum class Timer : std::uint8_t { updates };
  friend constexpr auto names_of(Timer) { return std::array<std::string_view, 1>{"updates"}; }
  using Cache = KnowledgeCache;
  using Step = core::Step<Message, Timer, Cache>;

  static constexpr core::Facts facts{
      .title = "Favier's Topology Aware: map the component and elect its most central node",
      .source =
          "A. Favier, Eventual leader elections in dynamic networks, thesis, Sorbonne Universite, "
          "2022, chapter 4: Topology Aware leader election",
      .idea =
          "Each node keeps a map: for every known node, its neighbours and its logical clock at "
          "that time. A new neighbour receives the whole map; other changes are gathered for a "
          "while and forwarded as a list. The leader is the most central node of the map.",
      .messages =
          "none published; a connection costs each end one map to every neighbour, then every node "
          "that learns something at most one list in Delta",
      .time = "none published; about one delay and Delta for each hop that news travels",
      .guarantee =
          "published: once changes cease, the nodes of a component know it and name its most "
          "central node. That holds where all links are up from the start, but not in general: "
          "three nodes, two changes and reordering break it, and so do a restart or one lost "
          "message",
      .differs =
          "as published, failures included; the task sleeps while it has nothing to send; links "
          "that are up at the start are connections; `edges` says which links count",
      .model = {.tolerates_changes = true,
                .tolerates_crashes = true,
                .tolerates_loss = true,
                .tolerates_reordering = true,
                .tolerates_duplicates = true,
                .hears_strangers = true},
      .criterion = core::Criterion::closeness,
  };
  static core::Criterion criterion(const Options& options) {
    return options.criterion == Measure::degree ? core::Criterion::degree
                                                : core::Criterion::closeness;
  }
  /// Delta.
  static core::Duration period(const Options& options) {
    return delta(options.period, options.range);
  }

  TopologyAware() = default;
  TopologyAware(core::NodeId id, Options options)
      : id_(id), known_(initial_knowledge(id)), leader_(id), options_(options) {}

  void start(Step& step);
  void link_up(Step& step, core::Port port);
  void link_down(Step& step, core::Port port);
  void receive(Step& step, core::Port port, const Message& message);
  void timeout(Step& step, Timer timer);

  std::optional<core::NodeId> leader() const { return leader_; }
  const Known& known() const { return known_; }
  const std::vector<Updt>& updates() const { return updates_; }
  const std::vector<Updt>& pending() const { return pending_; }

  /// Whether a message that changes nothing now will change nothing later, until the node restarts.
  /// Clocks only rise and no entry is forgotten, so that outdated updates stay outdated; a pending
  /// update stays pending until it is applied or outdated. But any message makes the node check the
  /// pending updates, and after a restart one of them may be about itself and become applicable
  /// with a connection.
  static bool no_op_lasts(const Message&, const Options&, bool restarts) { return !restarts; }

  static core::Monitors<TopologyAware> monitors();

  friend bool operator==(const TopologyAware&, const TopologyAware&) = default;

 private:
  bool wake(Step& step);
  void connect(core::NodeId peer);
  void take(const KnownMessage& message);
  void take(const UpdatesMessage& message);
  void pending_updates();
  void after(Step& step, const Known& before, bool had_updates);

  core::NodeId id_{};
  bool awake_ = false;
  Known known_;
  std::vector<Updt> updates_;
  std::vector<Updt> pending_;
  core::NodeId leader_{};  // follows from known_
  Options options_;

 public:
  static constexpr auto fields = std::tuple{core::field("id", &TopologyAware::id_),
                                            core::field("awake", &TopologyAware::awake_),
                                            core::field("known", &TopologyAware::known_),
                                            core::field("updates", &TopologyAware::updates_),
                                            core::field("pending", &TopologyAware::pending_),
                                            core::field("leader", &TopologyAware::leader_)};
};

}  // namespace bellwether::algorithms
