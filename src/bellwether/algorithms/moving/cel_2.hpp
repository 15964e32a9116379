// SPDX-License-Identifier: MIT
// CEL, repaired: the same idea and the same leader as `cel`, but all nodes of a component
// eventually know it, whatever was lost, delayed or restarted before.
//
//   Paper      Ours, after A. Favier, "Eventual leader elections in dynamic networks", thesis,
//              Sorbonne Universite (2022), chapter 5, Algorithm 2 (cel.hpp).
//   Model      Any network; ids that neighbours know; links come and go, and each end is notified
//              separately; unordered local broadcast, which may lose and duplicate messages. Nodes
//              may crash and restart, with or without memory. Each has a clock that is later at
//              each of its starts; clocks need not agree.
//   Bounds     A change costs at most one map from each node and neighbour for each time the node's
//              knowledge grows, as in `cel`; a new link two more; then, once nothing changes, one
//              or two digests on each link. Nothing is sent when all neighbours hold the same.
//   Guarantee  Once changes cease, and losses cease or are not total, the nodes of a component
//              eventually hold the same knowledge of it, name its most central node, and stop
//              sending. Tested, and its rules searched in small networks (see the page in
//              docs/algorithms); not proved.
//
// Names: as in cel.hpp; the rules that make the difference are in knowledge_sync.hpp.
//
// Where we differ from `cel`
//   - A node writes its own entry only: it writes nothing on behalf of others and merges no
//     entries.
//   - Versions in place of clocks, defence, greetings and digests: knowledge_sync.hpp.
//   - News about the node itself is never pruned or sent by chance: no other node knows of a
//     version that had to jump.
//   - A link counts when both of its ends claim it.
//   - With a horizon, neighbours compare what both of them hold.
//   - A node may have a priority (`set_priority`), which takes precedence over centrality; all have
//     the same default.
#pragma once

#include "bellwether/algorithms/moving/knowledge_sync.hpp"
#include "bellwether/algorithms/option_ranges.hpp"
#include "bellwether/core/facts.hpp"
#include "bellwether/core/property.hpp"

namespace bellwether::algorithms {

class Cel2 {
 public:
  static constexpr std::string_view name = "cel-2";

  struct Options {
    double rho = 1;
    std::uint32_t horizon = 0;
    core::Duration digest = std::chrono::seconds(1);
    static constexpr auto fields = std::tuple{
        core::option("rho", &Options::rho, probability,
                     "Probability of forwarding at once what was learned of other nodes; the "
                     "digests deliver what was left out."),
        core::option(
            "horizon", &Options::horizon, network_size,
            "Largest distance in hops of nodes that are known and can be elected; 0: unlimited."),
        core::option("digest", &Options::digest, digest_period, digest_about)};
    friend bool operator==(const Options&, const Options&) = default;
  };

  using Knowledge = algorithms::Knowledge;
  using Digest = algorithms::Digest;
  using Message = std::variant<Knowledge, Digest>;
  enum class Timer : std::uint8_t { digest };
  friend constexpr auto names_of(Timer) { return std::array<std::string_view, 1>{"digest"}; }
  using Cache = KnowledgeCache;
  using Step = core::Step<Message, Timer, Cache>;

  static constexpr core::Facts facts{
      .title = "CEL repaired: tolerates loss, reordering, duplicates and restarts",
      .source =
          "ours, after A. Favier, Eventual leader elections in dynamic networks, thesis, Sorbonne "
          "Universite, 2022, chapter 5",
      .idea =
          "As in cel, each node floods its map of the component, and the most central node of the "
          "map leads. But only the owner writes its entry, with a version that it never uses "
          "twice, even across restarts; new neighbours are greeted and answer; and neighbours "
          "compare digests of their maps until they are equal.",
      .messages =
          "as in cel, at most one map from each node to its neighbours each time it learns "
          "something; also at most two maps for a new link, and, once nothing changes, one digest "
          "from each node and an answer from each of its neighbours",
      .time =
          "about one delay for each hop that news travels; one digest period more for each lost "
          "message",
      .guarantee =
          "once changes cease, and losses cease or are not total, the nodes of a component know "
          "it, name its most central node and stop sending; tested, and its rules searched in "
          "small networks; not proved",
      .differs =
          "ours: owner-only entries, versions that begin at the clock, defence of one's own entry, "
          "greetings with answers, digests, no pruning of one's own news, only links that both "
          "ends claim",
      .model = {.tolerates_changes = true,
                .tolerates_crashes = true,
                .tolerates_loss = true,
                .tolerates_reordering = true,
                .tolerates_duplicates = true,
                .hears_strangers = true,
                .clock = core::ClockUse::at_start},
      .criterion = core::Criterion::closeness,
  };

  Cel2() = default;
  Cel2(core::NodeId id, Options options)
      : id_(id), sync_(id, options.horizon), leader_(id), options_(options) {}

  void start(Step& step);
  void link_up(Step& step, core::Port port);
  void link_down(Step& step, core::Port port);
  void receive(Step& step, core::Port port, const Message& message);
  void timeout(Step& step, Timer timer);

  /// The most central of the nodes with the highest priority leads; 0: not eligible. A change is
  /// always sent, as all news about the node itself. Before the start it is part of the first
  /// entry.
  void set_priority(Step& step, std::uint32_t priority);
  std::uint32_t priority() const { return sync_.priority(); }

  /// None, where all known nodes of the component have priority 0.
  std::optional<core::NodeId> leader() const {
    if (leader_ == id_ && priority() == 0) return std::nullopt;
    return leader_;
  }
  bool awake() const { return sync_.awake(); }
  const Known& known() const { return sync_.known(); }
  const std::vector<core::Port>& confirmed() const { return sync_.confirmed(); }

  /// Whether a message that changes nothing now will change nothing later, until the node restarts.
  /// A map without greetings: yes. Its entries are no later than ours, and stay so. If it is equal
  /// to ours, its port is confirmed already, or it comes from a stranger; once ours has changed, or
  /// we are notified of the stranger's link, it is never equal again. A map with a greeting or a
  /// digest may have to be answered as soon as we know more. Not so with a horizon: a node beyond
  /// it may come nearer.
  static bool no_op_lasts(const Message& message, const Options& options, bool) {
    const auto* map = std::get_if<Knowledge>(&message);
    return map && map->greets.empty() && options.horizon == 0;
  }

  static core::Monitors<Cel2> monitors();

  friend bool operator==(const Cel2&, const Cel2&) = default;

 private:
  bool wake(Step& step);
  void take(Step& step, core::Port port, const Knowledge& message);
  void take(Step& step, core::Port port, const Digest& message);
  void elect(KnowledgeCache& cache);

  core::NodeId id_{};
  KnowledgeSync sync_;
  core::NodeId leader_{};  // follows from what is known; this node itself, where there is no leader
  Options options_;

 public:
  static constexpr auto fields =
      std::tuple{core::field("id", &Cel2::id_), core::field("sync", &Cel2::sync_),
                 core::field("leader", &Cel2::leader_)};
};

}  // namespace bellwether::algorithms
