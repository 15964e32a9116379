// SPDX-License-Identifier: MIT
// Flooding: the node with the most neighbours announces itself periodically, and all nodes forward
// it.
//
//   Paper      A. Favier, thesis (2022), 4.3.1 and 4.3.2: a variant of Vasudevan, Kurose, Towsley,
//              "Design and analysis of a leader election algorithm for mobile ad hoc networks",
//              ICNP 2004, in which every node names a leader at any time. Also a variant of Lynch's
//              OptFloodMax.
//   Model      Any network, distinct ids, links that come and go, with both ends notified (the
//              thesis's probe system), nodes that crash and restart. Messages may be lost,
//              duplicated and reordered.
//   Bounds     At most 2m messages per `period` once settled, for m links, and n by radio, where a
//              broadcast is one message; more while several lead. After the crash of a leader: at
//              most `timeout` until it is missed, then about a period and the time that a flood
//              takes.
//   Guarantee  In a component that does not change and loses nothing, all nodes eventually name the
//              one with the most links (ties: the highest id) and keep it, if `timeout` exceeds
//              `period` by more than the delays of two beats to one node differ, and if no beat of
//              a leader that is gone still circulates. No more than that: see below.
//
// Names: leader messages; `value` is the number of links, alpha is `period`, beta = 1 message in
// `timeout`.
//
// Where we differ
//   - Each leader message has a sequence number, its beat. A node forwards beats of its own leader
//     once, when they are new (the thesis's controlled flooding, 2.8): without it, a message would
//     never stop going round a cycle.
//   - Only the beat of the present leader is stored. A node that gives up its leader and then
//     receives an old beat of it follows it once more. Where a beat takes longer round a cycle than
//     `timeout`, the nodes may follow a dead leader permanently; the claims show an example.
//     Storing all beats would prevent this, but exclude leaders that restart without memory.
//   - News of a leader that is weaker than the node's own is dropped. News of the node's own leader
//     is adopted with its value, also when the value has fallen. Of two values of one node the
//     later wins. After a fall, older beats of that node are ignored for up to `timeout`, whichever
//     leader is followed then. Otherwise an old beat replaces a rival, the rival the new beat, and
//     the new beat the old one, without end, and they multiply at every branch.
//   - A node whose own value is above that of its leader takes over, whether its own value has
//     risen or the leader's has fallen. The thesis says which node should lead, not when this is
//     checked.
//   - A leader that learns of a better one follows it and stops sending. A node that becomes leader
//     sends a beat at once and not a period later; a change of value is sent with the next beat.
#pragma once

#include <map>

#include "bellwether/algorithms/option_ranges.hpp"
#include "bellwether/core/facts.hpp"
#include "bellwether/core/property.hpp"

namespace bellwether::algorithms {

class Flooding {
 public:
  static constexpr std::string_view name = "flooding";

  struct Options {
    core::Duration period = std::chrono::milliseconds(250);
    core::Duration timeout = std::chrono::milliseconds(300);
    static constexpr auto fields = std::tuple{
        core::option("period", &Options::period, timer_duration,
                     "Interval between two messages of a leader."),
        core::option("timeout", &Options::timeout, timer_duration,
                     "Time to wait for the leader's next message before the node leads itself.")};
    friend bool operator==(const Options&, const Options&) = default;
  };

  struct Leader {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "leader";
    core::NodeId id{};
    std::uint64_t value = 0;
    std::uint64_t beat = 0;  // grows with each message of this leader
    static constexpr auto fields =
        std::tuple{core::field("id", &Leader::id), core::field("value", &Leader::value),
                   core::field("beat", &Leader::beat)};
    friend bool operator==(const Leader&, const Leader&) = default;
  };
  using Message = std::variant<Leader>;

  enum class Timer : std::uint8_t { beat, silence, forget };
  friend constexpr auto names_of(Timer) {
    return std::array<std::string_view, 3>{"beat", "silence", "forget"};
  }
  using Step = core::Step<Message, Timer>;

  static constexpr core::Facts facts{
      .title = "Favier's flooding: the node with the most neighbours leads; never without a leader",
      .source =
          "A. Favier, thesis (2022), section 4.3.1, after Vasudevan, Kurose, Towsley, ICNP 2004",
      .idea =
          "A leader floods its id and its number of links every period. A node that learns of a "
          "better leader follows it and forwards the news; a node that hears nothing of its leader "
          "for a while declares itself leader.",
      .messages = "at most 2m per period once settled, for m links; by radio at most n",
      .time =
          "after a leader's crash: timeout until it is missed, then at most about a period and a "
          "flood",
      .guarantee =
          "while nothing changes and nothing is lost, all nodes eventually name the node with the "
          "most links (ties: the highest id), provided timeout > period + the spread of delays; a "
          "beat that travels round a cycle for longer than timeout can keep a dead leader alive",
      .differs =
          "a beat number, so that news is forwarded once; weaker news is dropped; a node that "
          "outranks its leader takes over at once",
      .model = {.tolerates_changes = true,
                .tolerates_crashes = true,
                .tolerates_loss = true,
                .tolerates_reordering = true,
                .tolerates_duplicates = true,
                .hears_strangers = true},
      .criterion = core::Criterion::degree};

  Flooding() = default;
  Flooding(core::NodeId id, Options options) : id_(id), leader_{id, 0, 0}, options_(options) {}

  void start(Step& step) { wake(step); }
  void link_up(Step& step, core::Port) { count_links(step); }
  void link_down(Step& step, core::Port) { count_links(step); }
  void receive(Step& step, core::Port port, const Message& message);
  void timeout(Step& step, Timer timer);

  std::optional<core::NodeId> leader() const { return leader_.id; }
  /// The last message of its leader, or its own.
  const Leader& news() const { return leader_; }
  bool leads() const { return leader_.id == id_; }

  static core::Monitors<Flooding> monitors();

  /// Every unbounded counter, here and in a message, by what it is compared with.
  template <class Visit>
  void for_each_stamp(Visit&& visit) {
    visit(core::raw(leader_.id), leader_.beat);
    visit(core::raw(id_), beats_);
    for (auto& [who, beat] : fallen_) visit(core::raw(who), beat);
  }
  template <class Visit>
  static void for_each_stamp(Message& message, Visit&& visit) {
    auto& news = std::get<Leader>(message);
    visit(core::raw(news.id), news.beat);
  }

  friend bool operator==(const Flooding&, const Flooding&) = default;

 private:
  void wake(Step& step);
  void count_links(Step& step);
  void speak(Step& step);
  bool outranks_leader(const Step& step) const;
  bool fresh(const Leader& news) const;

  core::NodeId id_{};
  bool awake_ = false;
  Leader leader_;
  std::uint64_t beats_ = 0;  // own ones, since the last start
  // The beat with which the value of a leader has fallen: older ones of it are ignored.
  std::map<core::NodeId, std::uint64_t> fallen_;
  Options options_;

 public:
  static constexpr auto fields =
      std::tuple{core::field("id", &Flooding::id_), core::field("awake", &Flooding::awake_),
                 core::field("leader", &Flooding::leader_), core::field("beats", &Flooding::beats_),
                 core::field("fallen", &Flooding::fallen_)};
};

}  // namespace bellwether::algorithms
