// SPDX-License-Identifier: MIT
// A leader beats, and every node passes each beat on once: who hears the beat has a leader. The way
// the beats come is a tree, which counts the nodes and their distances; by it the leader hands over
// to a node that is nearer to all.
//
//   Source     Ours.
//   Model      Any network, distinct ids, links that come and go, nodes that crash and restart with
//              or without memory, messages that are lost, duplicated and reordered. Nodes read
//              their clock at the start only.
//   Bounds     n messages per `period` by radio, fewer where leaves of the tree are silent, of a
//              constant size: a beat has one id, a wave five. Each `wave`-th beat has an echo: at
//              most n more. A node keeps one entry for each neighbour and the last beats of 16
//              leaders. After a silent crash of the leader: with taps, period / (taps + 1) + slack
//              and a flood; else period + slack and a flood.
//   Guarantee  Once changes cease, all nodes of a component eventually name the same one of them:
//              of those with the highest priority one to which the sum of the distances is nearly
//              the least. A node of priority 0 is not eligible.
//
// The parts: claims and beats (drumbeat.cpp), the tree (drumbeat_tree.hpp), weight, deputy, trial
// and handover (drumbeat_handover.hpp), patience (drumbeat_patience.hpp), what was accepted
// (drumbeat_seen.hpp).
// docs/algorithms/drumbeat.md has the rules in pseudo-code and the argument why they converge.
//
// Names: claim, beat, wave, echo, tap, mute.
#pragma once

#include "bellwether/algorithms/moving/drumbeat_handover.hpp"
#include "bellwether/algorithms/moving/drumbeat_patience.hpp"
#include "bellwether/algorithms/moving/drumbeat_seen.hpp"
#include "bellwether/algorithms/option_ranges.hpp"
#include "bellwether/core/facts.hpp"
#include "bellwether/core/option_rows.hpp"
#include "bellwether/core/property.hpp"
#include "bellwether/core/tree_place.hpp"

namespace bellwether::algorithms {

class Drumbeat {
 public:
  static constexpr std::string_view name = "drumbeat";

  struct Options {
    core::Duration period = std::chrono::milliseconds(50);
    core::Duration jitter = std::chrono::milliseconds(3);
    core::Duration slack = std::chrono::milliseconds(16);
    std::uint32_t patience = 4;
    std::uint32_t wave = 3;
    std::uint32_t taps = 3;
    core::Duration tenure = std::chrono::seconds(7);
    std::uint32_t gain = 50;
    static constexpr auto fields = std::tuple{
        core::option("period", &Options::period, timer_duration,
                     "Interval between two beats of a leader."),
        core::option("jitter", &Options::jitter, timer_duration,
                     "Longest time after which a node passes a beat on."),
        core::option("slack", &Options::slack, timer_duration,
                     "Time by which a beat may be late before its leader is lost."),
        core::option("patience", &Options::patience, core::OptionRange<std::uint32_t>{1, 100},
                     "Largest number of periods that a node waits for a beat, where beats are "
                     "often late."),
        core::option("wave", &Options::wave, core::OptionRange<std::uint32_t>{1, 1000},
                     "Number of beats from one wave to the next."),
        core::option("taps", &Options::taps, core::OptionRange<std::uint32_t>{0, 100},
                     "Number of signs of life to the neighbours of a leader between two beats."),
        core::option("tenure", &Options::tenure, timer_duration,
                     "Time after which a leader hands over for `gain`; before that, for more."),
        core::option("gain", &Options::gain, core::OptionRange<std::uint32_t>{1, 100'000},
                     "Hundredths of a hop by which the next leader must be nearer to a node on "
                     "average, where nodes move.")};
    friend bool operator==(const Options&, const Options&) = default;
  };

  struct Beat {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "beat";
    BeatClaim claim;
    static constexpr auto fields = std::tuple{core::field("claim", &Beat::claim)};
    friend bool operator==(const Beat&, const Beat&) = default;
  };
  struct WaveBeat {  // a beat that has an echo
    static constexpr std::uint8_t tag = 2;
    static constexpr std::string_view name = "wave";
    BeatClaim claim;
    WaveNews news;
    TreeSpot spot;  // of the sender
    static constexpr auto fields =
        std::tuple{core::field("claim", &WaveBeat::claim), core::field("news", &WaveBeat::news),
                   core::field("spot", &WaveBeat::spot)};
    friend bool operator==(const WaveBeat&, const WaveBeat&) = default;
  };
  struct Echo {
    static constexpr std::uint8_t tag = 3;
    static constexpr std::string_view name = "echo";
    std::uint8_t wave = 0;
    core::NodeId parent{};
    SubtreeReport report;
    static constexpr auto fields =
        std::tuple{core::field("wave", &Echo::wave), core::field("parent", &Echo::parent),
                   core::field("report", &Echo::report)};
    friend bool operator==(const Echo&, const Echo&) = default;
  };
  struct Tap {  // a leader to its neighbours: I am alive
    static constexpr std::uint8_t tag = 4;
    static constexpr std::string_view name = "tap";
    static constexpr std::tuple<> fields{};
    friend bool operator==(const Tap&, const Tap&) = default;
  };
  struct Mute {  // a neighbour of a leader to the deputy: I do not hear it any more
    static constexpr std::uint8_t tag = 5;
    static constexpr std::string_view name = "mute";
    core::NodeId leader{};
    static constexpr auto fields = std::tuple{core::field("leader", &Mute::leader)};
    friend bool operator==(const Mute&, const Mute&) = default;
  };
  using Message = std::variant<Beat, WaveBeat, Echo, Tap, Mute>;

  enum class Timer : std::uint8_t { beat, tap, relay, answer, echo, call, watch, silence, hope };
  friend constexpr auto names_of(Timer) {
    return std::array<std::string_view, 9>{"beat", "tap",   "relay",   "answer", "echo",
                                           "call", "watch", "silence", "hope"};
  }
  enum class State : std::uint8_t { asleep, leads, follows, hopes, idle };
  friend constexpr auto names_of(State) {
    return std::array<std::string_view, 5>{"asleep", "leads", "follows", "hopes", "idle"};
  }
  using Step = core::Step<Message, Timer>;

  static constexpr core::Facts facts{
      .title = "the beat of a central leader, passed on by all nodes; messages of constant size",
      .source = "Bellwether, 2026",
      .idea =
          "A leader beats; each node passes each beat on once. The way of the beats is a tree, "
          "which counts the nodes and their distances: a leader hands over to a node that is "
          "nearer to all, and a deputy takes over when the leader falls silent.",
      .messages = "by radio at most n per period and n per wave, each of constant size",
      .time =
          "from the start of all: a flood; after a leader's silent crash: the period and the "
          "slack, "
          "or a part of these with taps, and a flood",
      .guarantee =
          "once changes cease, one leader in each component: of the highest priority, and nearly "
          "the most central node",
      .differs = "nowhere: this is the source",
      .model = {.tolerates_changes = true,
                .tolerates_crashes = true,
                .tolerates_loss = true,
                .tolerates_reordering = true,
                .tolerates_duplicates = true,
                .hears_strangers = true,
                .clock = core::ClockUse::at_start},
      .criterion = core::Criterion::majority};

  static std::optional<core::OptionConflict> conflict(const Options& options);

  Drumbeat() = default;
  Drumbeat(core::NodeId id, Options options);

  void start(Step& step) { wake(step); }
  void link_up(Step& step, core::Port) { wake(step); }
  void link_down(Step& step, core::Port port);
  void receive(Step& step, core::Port port, const Message& message);
  void timeout(Step& step, Timer timer);
  void set_priority(Step& step, std::uint32_t priority);

  std::optional<core::NodeId> leader() const;
  std::optional<core::TreePlace> tree_place() const;
  /// Timers that wait for another node's silence.
  static bool is_silence(Timer timer) { return timer >= Timer::watch; }

  State state() const { return state_; }
  const BeatClaim& claim() const { return claim_; }
  const WaveNews& news() const { return news_; }
  const BeatTree& tree() const { return tree_; }
  const BeatHandover& handover() const { return handover_; }
  std::uint32_t priority() const { return priority_; }

  static core::Monitors<Drumbeat> monitors();

  template <class Visit>
  void for_each_stamp(Visit&& visit) {
    visit(core::raw(claim_.leader), claim_.beat);
    visit(core::raw(id_), beats_);
  }
  template <class Visit>
  void for_each_bound(Visit&& visit) {
    seen_.for_each_bound(visit);
  }
  void forget_unused();
  template <class Visit>
  static void for_each_stamp(Message& message, Visit&& visit) {
    if (auto* wave = std::get_if<WaveBeat>(&message))
      visit(core::raw(wave->claim.leader), wave->claim.beat);
    else if (auto* beat = std::get_if<Beat>(&message))
      visit(core::raw(beat->claim.leader), beat->claim.beat);
  }

  friend bool operator==(const Drumbeat&, const Drumbeat&) = default;

 private:
  // Claims and beats.
  void wake(Step& step);
  void lead(Step& step, std::uint32_t weight);
  void succeed(Step& step);
  void retire(Step& step);
  void speak(Step& step);
  void on_claim(Step& step, const BeatClaim& claim, const WaveBeat* wave);
  bool is_better(const BeatClaim& claim) const;
  void answer(Step& step, const BeatClaim& claim);
  bool is_reborn(const BeatClaim& claim) const;
  void remind(Step& step, const BeatClaim& claim);
  void follow(Step& step, const BeatClaim& claim, const WaveBeat* wave);
  void relay(Step& step);
  void repeat_claim(Step& step);
  void forget_leader();
  static void disarm_all(Step& step);
  // Patience.
  PatienceTimes times() const;
  void learn_patience(Step& step, const BeatClaim& claim, const WaveBeat* wave);
  void forget_lateness(Step& step);
  void await_beat(Step& step);
  void on_silence(Step& step);
  // Taps: the neighbours of a leader watch it, so that its deputy can succeed it early.
  core::Duration tap_interval() const { return options_.period / (options_.taps + 1); }
  void tap(Step& step);
  void watch(Step& step, core::NodeId from);
  void forget_witnesses();
  void miss(Step& step);
  void on_mute(Step& step, const Mute& mute);
  void succeed_if_mute(Step& step);
  // The tree.
  void begin_wave(const WaveNews& news);
  void begin_echo(Step& step);
  void await_reports(Step& step);
  void on_spot(Step& step, core::NodeId from, const WaveBeat& wave);
  void hasten_echo(Step& step);
  void on_echo(Step& step, core::NodeId from, const Echo& echo);
  void echo(Step& step);
  core::Duration slot() const { return 3 * options_.jitter; }
  core::Duration echo_limit() const;
  HandoverOptions handover_options() const;

  core::NodeId id_{};
  State state_ = State::asleep;
  std::uint32_t priority_ = core::usual_priority;
  BeatClaim claim_;           // the last beat of the leader; of this node, if it leads
  std::uint64_t beats_ = 0;   // of this node, in all its lives
  SeenBeats seen_;            // of other leaders
  bool is_wave_ = false;      // the last beat was a wave
  bool relayed_ = false;      // ... and was passed on
  bool answered_ = false;     // somebody was told of it
  std::uint8_t copies_ = 0;   // that were heard of it
  std::uint8_t unheard_ = 0;  // own beats that no neighbour has passed on

  BeatPatience patience_;
  bool called_ = false;         // for the next beat
  bool missed_ = false;         // the next sign of life of the leader
  std::uint8_t witnesses_ = 0;  // neighbours that miss it, too
  std::uint32_t lenience_ = 0;  // taps that may be missing

  BeatTree tree_;
  WaveNews news_;
  bool echoed_ = true;        // the wave of `news_`
  bool placed_ = false;       // its place in it is found
  bool said_leaf_ = false;    // ... with the wave itself
  std::uint8_t repeats_ = 0;  // of the echo

  BeatHandover handover_;     // of a leader
  std::uint32_t phase_ = 0;   // beats since the last wave
  std::uint32_t tapped_ = 0;  // taps since the last beat
  std::uint32_t led_ = 0;     // beats
  Options options_;

 public:
  static constexpr auto fields = std::tuple{core::field("id", &Drumbeat::id_),
                                            core::field("state", &Drumbeat::state_),
                                            core::field("priority", &Drumbeat::priority_),
                                            core::field("claim", &Drumbeat::claim_),
                                            core::field("beats", &Drumbeat::beats_),
                                            core::field("seen", &Drumbeat::seen_),
                                            core::field("is_wave", &Drumbeat::is_wave_),
                                            core::field("relayed", &Drumbeat::relayed_),
                                            core::field("answered", &Drumbeat::answered_),
                                            core::field("copies", &Drumbeat::copies_),
                                            core::field("unheard", &Drumbeat::unheard_),
                                            core::field("patience", &Drumbeat::patience_),
                                            core::field("called", &Drumbeat::called_),
                                            core::field("missed", &Drumbeat::missed_),
                                            core::field("witnesses", &Drumbeat::witnesses_),
                                            core::field("lenience", &Drumbeat::lenience_),
                                            core::field("tree", &Drumbeat::tree_),
                                            core::field("news", &Drumbeat::news_),
                                            core::field("echoed", &Drumbeat::echoed_),
                                            core::field("placed", &Drumbeat::placed_),
                                            core::field("said_leaf", &Drumbeat::said_leaf_),
                                            core::field("repeats", &Drumbeat::repeats_),
                                            core::field("handover", &Drumbeat::handover_),
                                            core::field("phase", &Drumbeat::phase_),
                                            core::field("tapped", &Drumbeat::tapped_),
                                            core::field("led", &Drumbeat::led_)};
};

}  // namespace bellwether::algorithms
