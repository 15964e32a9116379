// SPDX-License-Identifier: MIT
// Eventual leaders for mobile systems: components know their members, the larger one wins.
//
//   Paper      C. Gomez-Calzado, A. Lafuente, M. Larrea, M. Raynal, "Fault-tolerant leader election
//              in mobile dynamic distributed systems", PRDC 2013; as described, and with the times
//              chosen, in the thesis of A. Favier (2022), 3.2.2 and 5.3.1.
//   Model      Any network, distinct ids, links that come and go, nodes that crash and restart,
//              messages that are lost, duplicated and reordered. Good periods, in which the
//              component is connected and timely, alternate with bad ones. Nodes are not notified
//              of link changes: they detect only silence.
//   Bounds     At most 2m messages per `period` once settled, for m links, or n by radio, where a
//              broadcast is one message, and n - 1 joins per `announce`, each of which costs as
//              much. A leader's crash is detected after `timeout`, which has grown by
//              `timeout_step` with every expiry at this node, false ones included.
//   Guarantee  In a good period that lasts, all nodes of a component eventually name the same one
//              of them. It is the leader of the largest of the components that merged, by what it
//              believes its size to be (ties: the highest id): the oldest node in the sense that
//              later nodes join. Where all begin at once and joins are flooded within a period, it
//              is the highest id.
//
// Names: join, leader; `members` is the set of the component's nodes.
//
// Where we differ. We have the thesis's description, not the paper's pseudo-code; it is silent on
// most of what follows.
//   - A node that is alone is the leader of a component of one: it names itself, never none, and
//     sends joins instead of leader messages.
//   - Joins and leader messages are numbered by their origin and forwarded once, when new. Leader
//     messages are forwarded by followers only.
//   - When a node misses its leader, it removes it from its members and leads the remaining ones
//     itself, until it learns of a larger component or, at the same size, of a higher id. All do
//     so, and the highest id among those with the largest set prevails.
//   - A member that has changed its leader sends a join a period after its last change, and then
//     one every `announce` (ours): the only sign of life of a member that is not a neighbour. A
//     member is lost when its next join is overdue by the member timeout, which grows like the
//     leader's. Each node has one timeout for leaders and one for members, and they never shrink.
//   - 100 ms are less than the period of 102.4 ms, so every follower suspects its first leader once
//     and wrongly; with 600 ms it then waits long enough. We keep the thesis's figures.
//   - A change of the leader is decided by (size, id) only. What a leader believes its size to be
//     lags behind: nodes that were partitioned off still count for up to `announce` and the member
//     timeout.
#pragma once

#include "bellwether/algorithms/option_ranges.hpp"
#include "bellwether/core/facts.hpp"
#include "bellwether/core/property.hpp"

namespace bellwether::algorithms {

class GomezCalzado {
 public:
  static constexpr std::string_view name = "gomez-calzado";

  struct Options {
    core::Duration period = std::chrono::microseconds(102'400);
    core::Duration timeout = std::chrono::milliseconds(100);
    core::Duration timeout_step = std::chrono::milliseconds(500);
    core::Duration announce = std::chrono::microseconds(10'240'000);
    static constexpr auto fields = std::tuple{
        core::option(
            "period", &Options::period, timer_duration,
            "Interval between two leader messages of a leader, or two joins of a lone node."),
        core::option(
            "timeout", &Options::timeout, timer_duration,
            "Initial time that a leader may be silent, or that a member's join may be overdue."),
        core::option("timeout_step", &Options::timeout_step, timer_duration_or_zero,
                     "Amount by which a timeout grows each time it expires."),
        core::option(
            "announce", &Options::announce, timer_duration,
            "Interval between two joins of a member, which show the others that it is alive.")};
    friend bool operator==(const Options&, const Options&) = default;
  };

  struct Join {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "join";
    core::NodeId id{};
    std::uint64_t number = 0;
    static constexpr auto fields =
        std::tuple{core::field("id", &Join::id), core::field("number", &Join::number)};
    friend bool operator==(const Join&, const Join&) = default;
  };
  struct Leader {
    static constexpr std::uint8_t tag = 2;
    static constexpr std::string_view name = "leader";
    core::NodeId id{};
    std::uint64_t size = 0;  // of its component
    std::uint64_t beat = 0;
    static constexpr auto fields =
        std::tuple{core::field("id", &Leader::id), core::field("size", &Leader::size),
                   core::field("beat", &Leader::beat)};
    friend bool operator==(const Leader&, const Leader&) = default;
  };
  using Message = std::variant<Join, Leader>;

  enum class Occasion : std::uint8_t { beat, announce, leader, member };
  friend constexpr auto names_of(Occasion) {
    return std::array<std::string_view, 4>{"beat", "announce", "leader", "member"};
  }
  struct Timer {
    Occasion occasion{};
    core::NodeId who{};  // member: which; else 0
    static constexpr auto fields =
        std::tuple{core::field("occasion", &Timer::occasion), core::field("who", &Timer::who)};
    friend bool operator==(const Timer&, const Timer&) = default;
  };
  using Step = core::Step<Message, Timer>;

  static constexpr core::Facts facts{
      .title =
          "Gomez-Calzado et al.: components know their members; the larger one keeps its leader",
      .source =
          "C. Gomez-Calzado, A. Lafuente, M. Larrea, M. Raynal, Fault-tolerant leader election in "
          "mobile dynamic distributed systems, PRDC 2013",
      .idea =
          "A node that is alone asks to join. A leader floods the size of its component every "
          "period; a node that learns of a larger component joins it. Timers detect lost leaders "
          "and members, and grow with each expiry.",
      .messages =
          "at most 2m per period once settled, for m links, or n by radio, and as many for each "
          "join: n - 1 of them per announce",
      .time =
          "from the start of all: about a period and two floods; after a leader's crash: the "
          "timeout, as grown so far, then at most about a period and a flood",
      .guarantee =
          "in a good period that lasts, all nodes of a component eventually name the same one of "
          "them: the leader of its largest part (ties: the highest id)",
      .differs =
          "read from a description: numbered messages, forwarded once; a node that misses its "
          "leader leads the remaining members; members repeat their joins every announce",
      .model = {.tolerates_changes = true,
                .tolerates_crashes = true,
                .tolerates_loss = true,
                .tolerates_reordering = true,
                .tolerates_duplicates = true,
                .hears_strangers = true},
      .criterion = core::Criterion::oldest};

  GomezCalzado() = default;
  GomezCalzado(core::NodeId id, Options options);

  void start(Step& step) { wake(step); }
  void link_up(Step& step, core::Port) { wake(step); }
  void link_down(Step& step, core::Port) { wake(step); }
  void receive(Step& step, core::Port port, const Message& message);
  void timeout(Step& step, Timer timer);

  std::optional<core::NodeId> leader() const { return leader_.id; }
  const std::map<core::NodeId, std::uint64_t>& members() const { return members_; }
  core::Duration leader_timeout() const { return leader_timeout_; }
  core::Duration member_timeout() const { return member_timeout_; }

  static core::Monitors<GomezCalzado> monitors();

  /// Every unbounded counter, here and in a message, by what it is compared with.
  template <class Visit>
  void for_each_stamp(Visit&& visit) {
    visit(beats_of(leader_.id), leader_.beat);
    visit(beats_of(id_), beats_);
    visit(joins_of(id_), joins_);
    for (auto& [who, number] : members_) visit(joins_of(who), number);
  }
  template <class Visit>
  static void for_each_stamp(Message& message, Visit&& visit) {
    if (auto* join = std::get_if<Join>(&message))
      visit(joins_of(join->id), join->number);
    else if (auto* news = std::get_if<Leader>(&message))
      visit(beats_of(news->id), news->beat);
  }

  friend bool operator==(const GomezCalzado&, const GomezCalzado&) = default;

 private:
  static std::uint64_t beats_of(core::NodeId who) { return 2 * core::raw(who); }
  static std::uint64_t joins_of(core::NodeId who) { return 2 * core::raw(who) + 1; }
  void wake(Step& step);
  void speak(Step& step);
  void announce(Step& step);
  void lose_leader(Step& step);
  void lose_member(Step& step, core::NodeId who);
  void take(Step& step, const Join& m);
  void take(Step& step, const Leader& m);
  void await_join(Step& step, core::NodeId who);
  bool leads() const { return leader_.id == id_; }

  core::NodeId id_{};
  bool awake_ = false;
  Leader leader_;                                  // its last message
  std::map<core::NodeId, std::uint64_t> members_;  // and their last joins; the node itself is one
  std::uint64_t beats_ = 0;                        // own ones
  std::uint64_t joins_ = 0;                        // own ones
  core::Duration leader_timeout_{};
  core::Duration member_timeout_{};
  Options options_;

 public:
  static constexpr auto fields =
      std::tuple{core::field("id", &GomezCalzado::id_),
                 core::field("awake", &GomezCalzado::awake_),
                 core::field("leader", &GomezCalzado::leader_),
                 core::field("members", &GomezCalzado::members_),
                 core::field("beats", &GomezCalzado::beats_),
                 core::field("joins", &GomezCalzado::joins_),
                 core::field("leader_timeout", &GomezCalzado::leader_timeout_),
                 core::field("member_timeout", &GomezCalzado::member_timeout_)};
};

}  // namespace bellwether::algorithms
