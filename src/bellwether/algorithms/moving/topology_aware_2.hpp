// SPDX-License-Identifier: MIT
// Topology Aware, repaired: the same idea and the same leader as `topology-aware`, but all nodes of
// a component eventually know it, whatever was lost, delayed or restarted before.
//
//   Paper      Ours, after A. Favier, "Eventual leader elections in dynamic networks", thesis,
//              Sorbonne Universite (2022), chapter 4, Algorithm 1 (topology_aware.hpp).
//   Model      Any network; ids that neighbours know; links come and go, and each end is notified
//              separately; unordered local broadcast, which may lose and duplicate messages. Nodes
//              may crash and restart, with or without memory. Each has a clock that is later at
//              each of its starts; clocks need not agree.
//   Bounds     A connection: one full map from each end to all its neighbours and at most one in
//              answer, then one list of changes from each node that learns something, at most one
//              in Delta; then, once nothing changes, one or two digests on each link. Nothing is
//              sent when all neighbours hold the same.
//   Guarantee  Once changes cease, and losses cease or are not total, the nodes of a component
//              eventually hold the same knowledge of it, name its most central node, and stop
//              sending. Tested, and its rules searched in small networks (see the page in
//              docs/algorithms); not proved.
//
// Names: as in topology_aware.hpp; the rules that make the difference are in knowledge_sync.hpp.
//
// Where we differ from `topology-aware`
//   - Versions in place of clocks, own entries only, defence, greetings and digests:
//     knowledge_sync.hpp.
//   - An update from version 0 is a whole view and replaces any older entry (TA-2). No entry has
//     version 0.
//   - What PendingUpdates applies is queued in `updates`, too (TA-1).
//   - A link counts when both of its ends claim it.
#pragma once

#include "bellwether/algorithms/moving/knowledge_sync.hpp"
#include "bellwether/algorithms/moving/knowledge_updates.hpp"
#include "bellwether/algorithms/option_ranges.hpp"
#include "bellwether/core/facts.hpp"
#include "bellwether/core/property.hpp"

namespace bellwether::algorithms {

class TopologyAware2 {
 public:
  static constexpr std::string_view name = "topology-aware-2";

  struct Options {
    Measure criterion = Measure::closeness;
    core::Duration period{0};
    double range = 90;
    core::Duration digest = std::chrono::seconds(1);
    static constexpr auto fields =
        std::tuple{core::field("criterion", &Options::criterion,
                               "Node to elect: the one with the smallest sum of distances to all "
                               "others (closeness), or with the most neighbours (degree)."),
                   core::option("period", &Options::period, timer_duration_or_zero,
                                "Delta, the time for which changes are gathered before they are "
                                "sent; 0 s: computed from the range."),
                   core::option("range", &Options::range, radio_range,
                                "Radio range in metres; where no period is given, Delta is 70 "
                                "log10(range) - 60 milliseconds."),
                   core::option("digest", &Options::digest, digest_period, digest_about)};
    friend bool operator==(const Options&, const Options&) = default;
  };

  using Updt = algorithms::Updt;
  using Knowledge = algorithms::Knowledge;
  using UpdatesMessage = algorithms::UpdatesMessage;
  using Digest = algorithms::Digest;
  using Message = std::variant<Knowledge, UpdatesMessage, Digest>;

  enum class Timer : std::uint8_t { updates, digest };
  friend constexpr auto names_of(Timer) {
    return std::array<std::string_view, 2>{"updates", "digest"};
  }
  using Cache = KnowledgeCache;
  using Step = core::Step<Message, Timer, Cache>;

  static constexpr core::Facts facts{
      .title = "Topology Aware repaired: tolerates loss, reordering, duplicates and restarts",
      .source =
          "ours, after A. Favier, Eventual leader elections in dynamic networks, thesis, Sorbonne "
          "Universite, 2022, chapter 4",
      .idea =
          "As in topology-aware, new neighbours receive the whole map of the component, other "
          "changes are gathered and forwarded as lists, and the most central node of the map "
          "leads. But only the owner writes its entry, with a version that it never uses twice, "
          "even across restarts; new neighbours answer; and neighbours compare digests of their "
          "maps until they are equal.",
      .messages =
          "a connection costs each end one map to every neighbour and at most one in answer, then "
          "every node that learns something at most one list in Delta; once nothing changes, one "
          "digest from each node and an answer from each of its neighbours",
      .time =
          "about one delay and Delta for each hop that news travels; one digest period more for "
          "each lost message",
      .guarantee =
          "once changes cease, and losses cease or are not total, the nodes of a component know "
          "it, name its most central node and stop sending; tested, and its rules searched in "
          "small networks; not proved",
      .differs =
          "ours: owner-only entries, versions that begin at the clock, defence of the node's own "
          "entry, greetings with answers, digests, whole views that replace older ones, pending "
          "updates that are forwarded, only links that both ends claim",
      .model = {.tolerates_changes = true,
                .tolerates_crashes = true,
                .tolerates_loss = true,
                .tolerates_reordering = true,
                .tolerates_duplicates = true,
                .hears_strangers = true,
                .clock = core::ClockUse::at_start},
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

  TopologyAware2() = default;
  TopologyAware2(core::NodeId id, Options options)
      : id_(id), sync_(id), leader_(id), options_(options) {}

  void start(Step& step);
  void link_up(Step& step, core::Port port);
  void link_down(Step& step, core::Port port);
  void receive(Step& step, core::Port port, const Message& message);
  void timeout(Step& step, Timer timer);

  std::optional<core::NodeId> leader() const { return leader_; }
  bool awake() const { return sync_.awake(); }
  const Known& known() const { return sync_.known(); }
  const std::vector<core::Port>& confirmed() const { return sync_.confirmed(); }
  const std::vector<Updt>& updates() const { return updates_; }
  const std::vector<Updt>& pending() const { return pending_; }

  /// Whether a message that changes nothing now will change nothing later, until the node restarts.
  /// A list of changes: yes. Versions only rise, so that outdated updates stay outdated, and a
  /// pending update stays pending until it is applied or outdated. A map without greetings: yes, as
  /// in Cel2. A map with a greeting or a digest may have to be answered as soon as we know more.
  static bool no_op_lasts(const Message& message, const Options&, bool) {
    if (const auto* map = std::get_if<Knowledge>(&message)) return map->greets.empty();
    return std::holds_alternative<UpdatesMessage>(message);
  }

  static core::Monitors<TopologyAware2> monitors();

  friend bool operator==(const TopologyAware2&, const TopologyAware2&) = default;

 private:
  bool wake(Step& step);
  void take(Step& step, core::Port port, const Knowledge& message);
  void take(Step& step, core::Port port, const UpdatesMessage& message);
  void take(Step& step, core::Port port, const Digest& message);
  void apply(const Updt& update);
  void pending_updates();
  void after(Step& step, const Known& before, bool had_updates);

  core::NodeId id_{};
  KnowledgeSync sync_;
  std::vector<Updt> updates_;
  std::vector<Updt> pending_;
  core::NodeId leader_{};  // follows from what is known
  Options options_;

 public:
  static constexpr auto fields = std::tuple{core::field("id", &TopologyAware2::id_),
                                            core::field("sync", &TopologyAware2::sync_),
                                            core::field("updates", &TopologyAware2::updates_),
                                            core::field("pending", &TopologyAware2::pending_),
                                            core::field("leader", &TopologyAware2::leader_)};
};

}  // namespace bellwether::algorithms
