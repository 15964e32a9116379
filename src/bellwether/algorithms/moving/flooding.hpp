// SPDX-License-Identifier: MIT
// Flooding: the node with the most neighbours says so all the time, and everybody repeats it.
//
//   Paper      A. Favier, thesis (2022), 4.3.1 and 4.3.2: a variant of Vasudevan, Kurose, Towsley,
//              "Design and analysis of a leader election algorithm for mobile ad hoc networks",
//              ICNP 2004, that names somebody at any time. Also a variant of Lynch's OptFloodMax.
//   Model      Any network, distinct ids, links that come and go and are told to both ends (the
//              thesis's probe system), nodes that crash and come back. Messages may be lost,
//              doubled and overtaken.
//   Bounds     At most 2m messages per `period` once settled, for m links, and n by radio, where a
//              broadcast is one message; more while several lead. After the crash of a leader: at
//              most `timeout` until it is missed, then about a period and the time that a flood
//              takes.
//   Guarantee  In a component that does not change and loses nothing, all nodes come to name the
//              one with the most links (ties: the highest id) and keep to it, if `timeout` exceeds
//              `period` by more than the delays of two beats to one node differ, and if no beat of
//              a leader that is gone still circulates. No more than that: see below.
//
// Names: leader messages; `value` is the number of links, alpha is `period`, beta = 1 message in
// `timeout`.
//
// Where we differ
//   - Each leader message bears a number, its beat. Beats of the own leader are forwarded once,
//     when they are new (the thesis's controlled flooding, 2.8): without one, a message would
//     go round a cycle for ever.
//   - Only the beat of the present leader is remembered. Whoever gives up its leader and then meets
//     an old beat of it believes once more. Where a beat takes longer round a cycle than `timeout`,
//     a dead leader can haunt it for ever; the claims show one. Remembering all beats would cure
//     this and shut out leaders that come back without memory.
//   - News of a leader that is weaker than one's own is dropped. News of the own leader is taken
//     with its value, also when it has fallen. Two values of one node do not fight: the later wins.
//     After a fall, older beats of that node are not believed for up to `timeout`, whoever is
//     followed then. Or else an old beat above a rival, the rival above the new beat, and the new
//     beat after the old one chase each other for ever, and multiply wherever ways part.
//   - A node whose own value is above that of its leader takes over, whether its own value has
//     risen or the leader's has fallen. The thesis says who ought to lead, not when this is looked
//     at.
//   - A leader that hears of a better one follows it and falls silent. Whoever becomes a leader
//     speaks at once and not a period later; a change of value is told with the next beat.
#pragma once

#include <map>

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
        core::field("period", &Options::period, "How often a leader says that it leads."),
        core::field("timeout", &Options::timeout,
                    "How long a node waits for its leader's next message before it leads itself.")};
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
      .title = "the node with the most neighbours, by repeated flooding; never without a leader",
      .source =
          "A. Favier, thesis (2022), section 4.3.1, after Vasudevan, Kurose, Towsley, ICNP 2004",
      .idea =
          "A leader floods its id and its number of links every period. Who hears of a better "
          "leader follows it and passes the news on; who hears nothing of its leader for a while "
          "makes itself one.",
      .messages = "at most 2m per period once settled, for m links; by radio at most n",
      .time =
          "after a leader's crash: timeout until it is missed, then at most about a period and a "
          "flood",
      .guarantee =
          "while nothing changes and nothing is lost, all come to name the node with the most "
          "links (ties: the highest id), provided timeout > period + the spread of delays; a beat "
          "that travels round a cycle for longer than timeout can keep a dead leader alive",
      .differs =
          "a beat number, so that news is forwarded once; weaker news is dropped; who outranks "
          "its leader takes over at once",
      .model = {.bears_changes = true,
                .bears_crashes = true,
                .bears_loss = true,
                .bears_reordering = true,
                .bears_duplicates = true,
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
  /// What this node last heard of its leader, or says of itself.
  const Leader& news() const { return leader_; }
  bool leads() const { return leader_.id == id_; }

  static core::Monitors<Flooding> monitors();

  /// Every number that counts on for ever, here and in a message, by what it is compared with.
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
  std::uint64_t beats_ = 0;  // own ones, in this life
  // The beat with which the value of a leader has fallen: older ones of it are not believed.
  std::map<core::NodeId, std::uint64_t> fallen_;
  Options options_;

 public:
  static constexpr auto fields =
      std::tuple{core::field("id", &Flooding::id_), core::field("awake", &Flooding::awake_),
                 core::field("leader", &Flooding::leader_), core::field("beats", &Flooding::beats_),
                 core::field("fallen", &Flooding::fallen_)};
};

}  // namespace bellwether::algorithms
