// SPDX-License-Identifier: MIT
// CEL, repaired: the same idea and the same leader as `cel`, but all nodes of a component come to
// know it, whatever was lost, late or restarted before.
//
//   Paper      Ours, after A. Favier, "Eventual leader elections in dynamic networks", thesis,
//              Sorbonne Universite (2022), chapter 5, Algorithm 2 (cel.hpp).
//   Model      Any network; ids that neighbours know; links come and go, and each end is told on
//              its own; local broadcast without order, which may lose and repeat messages. Nodes
//              may crash and come back, with or without memory. Each has a clock that is later at
//              each of its starts; clocks need not agree.
//   Bounds     A change costs at most one map from each node and neighbour for each time the node's
//              knowledge grows, as in `cel`; a new link two more; then, once things are quiet, a
//              digest or two on each link. Silent when all neighbours hold the same.
//   Guarantee  Once changes cease, and losses do or leave something through, the nodes of a
//              component come to hold the same knowledge of it, name its most central node, and
//              fall silent. Tested, and its rules searched in small networks (see the page in
//              docs/algorithms); not proved.
//
// Names: as in cel.hpp; the rules that make the difference are in knowledge_sync.hpp.
//
// Where we differ from `cel`
//   - A node writes its own entry only: nothing on behalf of others, nothing is united.
//   - Versions in place of clocks, defence, greetings and digests: knowledge_sync.hpp.
//   - Own news are never pruned or left to chance: of a version that had to jump nobody else knows.
//   - A link counts when both of its ends claim it.
//   - With a horizon, neighbours compare what both of them hold.
//   - A node may have a priority (`set_priority`), which goes before centrality; all have the same
//     one unless somebody says otherwise.
#pragma once

#include "bellwether/algorithms/moving/knowledge_sync.hpp"
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
        core::field("rho", &Options::rho,
                    "The probability with which a node passes on at once what it has learned of "
                    "others; what is left out comes with the digests."),
        core::field("horizon", &Options::horizon,
                    "How many hops away nodes may be to be known and elected; 0: any number."),
        core::field("digest", &Options::digest, digest_about)};
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
      .title = "cel with its faults repaired: all come to know the component, whatever went wrong",
      .source =
          "ours, after A. Favier, Eventual leader elections in dynamic networks, thesis, Sorbonne "
          "Universite, 2022, chapter 5",
      .idea =
          "As in cel, each node floods its map of the component, and the most central node of the "
          "map leads. But an entry is written by its owner alone, under a version that no earlier "
          "life of it has used; new neighbours are greeted and answer; and neighbours compare "
          "digests of their maps until they are equal.",
      .messages =
          "as in cel, at most one map from each node to its neighbours each time it learns "
          "something; beyond that at most two maps for a new link, and in quiet times one digest "
          "from each node and an answer from each of its neighbours",
      .time =
          "about one delay for each hop that news has to go; a digest period more for each time "
          "that a message is lost",
      .guarantee =
          "once changes cease, and losses do or leave something through, the nodes of a component "
          "know it, name its most central node and fall silent; tested, and its rules "
          "searched in small networks; not proved",
      .differs =
          "ours: owner-only entries, versions that begin at the clock, defence of the own entry, "
          "greetings with answers, digests, no pruning of own news, links that both ends claim",
      .model = {.bears_changes = true,
                .bears_crashes = true,
                .bears_loss = true,
                .bears_reordering = true,
                .bears_duplicates = true,
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

  /// Who has the highest priority leads, the most central one among equals; 0: never. Goes out for
  /// certain, as all news of oneself. Before the start it is part of the first entry.
  void set_priority(Step& step, std::uint32_t priority);
  std::uint32_t priority() const { return sync_.priority(); }

  /// Nobody, where all that are known in the component have priority 0.
  std::optional<core::NodeId> leader() const {
    if (leader_ == id_ && priority() == 0) return std::nullopt;
    return leader_;
  }
  bool awake() const { return sync_.awake(); }
  const Known& known() const { return sync_.known(); }
  const std::vector<core::Port>& confirmed() const { return sync_.confirmed(); }

  /// Whether a message that changes nothing now will change nothing later in the same life of the
  /// node. A map that greets nobody: yes. Its entries are no later than ours, and stay so. If it is
  /// equal to ours, its port is confirmed already, or it comes from a stranger; once ours has
  /// changed, or the stranger's link is told, it is never equal again. A map that greets may have
  /// to be answered, and a digest may have to be, as soon as we know more. Not so with a horizon:
  /// who was beyond it may come nearer.
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
  core::NodeId leader_{};  // follows from what is known; this node itself, where nobody leads
  Options options_;

 public:
  static constexpr auto fields =
      std::tuple{core::field("id", &Cel2::id_), core::field("sync", &Cel2::sync_),
                 core::field("leader", &Cel2::leader_)};
};

}  // namespace bellwether::algorithms
