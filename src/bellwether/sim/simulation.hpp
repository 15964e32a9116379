// SPDX-License-Identifier: MIT
// The simulator of asynchronous protocols: one queue, one loop, nodes in one vector. A run of a
// hundred nodes and a run of a million use the same code.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <type_traits>

#include "bellwether/core/codec.hpp"
#include "bellwether/core/hierarchical.hpp"
#include "bellwether/core/property.hpp"
#include "bellwether/observe/fingerprint.hpp"
#include "bellwether/observe/metrics.hpp"
#include "bellwether/sim/event_queue.hpp"
#include "bellwether/sim/incidence.hpp"
#include "bellwether/sim/links.hpp"
#include "bellwether/sim/pace.hpp"
#include "bellwether/sim/replay.hpp"
#include "bellwether/sim/run_spec.hpp"
#include "bellwether/sim/slab.hpp"
#include "bellwether/sim/slots.hpp"
#include "bellwether/world/csma.hpp"
#include "bellwether/world/radio.hpp"

namespace bellwether::sim {

/// A protocol that needs no links from its driver, only what is heard: a layer detects neighbours.
/// Its one port stands for all who are near, and never changes.
template <class P>
inline constexpr bool is_airborne = requires {
  requires P::airborne;
};
inline constexpr std::array<Port, 1> the_air{Port{0}};

/// `observable = false` leaves observers and monitors out at compile time: what the benchmark of
/// their cost compares with.
template <core::Protocol P, bool observable = true>
class Simulation final : public core::Snapshot<P> {
 public:
  using Message = typename P::Message;
  using Timer = typename P::Timer;

  Simulation(Stage stage, const scenario::Scenario& scenario, typename P::Options options);

  /// Observers and monitors are attached before run().
  void observe(observe::Observer& observer) { observers_.push_back(&observer); }
  void watch(core::Monitors<P> monitors);
  void on_progress(OnProgress callback) { on_progress_ = std::move(callback); }
  void measure(const observe::MetricsSpec& spec);
  void pace(Pacer* pacer) { pacer_ = pacer; }

  observe::Report run();

  // Snapshot: what monitors and tests read.
  NodeIndex size() const override { return static_cast<NodeIndex>(nodes_.size()); }
  const P& node(NodeIndex i) const override { return nodes_[i]; }
  core::NodeId id(NodeIndex i) const override { return ids_[i]; }
  bool alive(NodeIndex i) const override { return alive_[i] != 0; }
  Time clock(NodeIndex i) const override { return clock_of(i); }
  std::vector<core::ChannelView<Message>> channels(NodeIndex i) const override;

 private:
  enum class Kind : std::uint32_t {
    deliver,
    timer,
    tell_up,
    tell_down,
    start,
    change,
    medium,
    sample
  };
  static constexpr bool airborne = is_airborne<P>;
  static constexpr NodeIndex nobody = ~NodeIndex{0};
  using Ticket = std::uint32_t;
  using Payload = std::conditional_t<travels_inline<Message>, Message, Ticket>;
  static constexpr bool timed = !std::is_same_v<Timer, core::NoTimer>;
  static constexpr std::uint32_t low_bits = (1u << 29) - 1;
  static constexpr std::uint32_t pace_mark = 1;  // subject of a sample that is a pacer's turn
  static constexpr std::uint32_t overdue = ~0u;  // a serial: expired while its node was down

  struct Event {
    std::uint64_t time;
    std::uint32_t subject;  // deliver: the sender's end; tell: the end; others: the node
    // The kind in the top three bits; deliver: the sender's port; timer, medium: serial.
    std::uint32_t detail;
    Payload payload;
    Kind kind() const { return static_cast<Kind>(detail >> 29); }
  };
  /// A timer that is put off again and again, as those that wait for silence are, keeps the event
  /// it has: that one comes too early, sees so, and goes back into the queue.
  struct Armed {
    Timer timer;
    std::uint32_t serial;
    Time due;
    Time queued;  // when its event comes; end_of_time: it has none, and never expires
    bool in_queue() const { return serial != overdue && queued != core::end_of_time; }
  };
  struct Around {  // the link that the present step is about
    Port port = core::every_port;
    NodeIndex peer = nobody;
  };

  void begin();  // tells observers, and who starts when
  class Window;  // for the pacer, in window.inl
  void begin_pace();
  void pace_turn(std::uint32_t serial);

  // The loop.
  template <class Handle>
  void loop(Handle&& handle_one);
  void handle(const Event& event);
  void deliver(const Event& event);
  void tell_up(End e);
  void tell_down(End e);
  void start_when_due(NodeIndex u);
  void start(NodeIndex u, core::Cause cause);

  // One step of one node, and its effects.
  template <class Call>
  void step(NodeIndex u, core::Cause cause, Around around, const Message* message,
            const Timer* timer, Call&& call);
  void drain(NodeIndex u);
  void send_to_all(NodeIndex u, const Message& message, Ticket ticket, std::size_t bytes);
  void post(End e, Port port, const Message& message, Ticket ticket);
  void count(NodeIndex u, const Message& message, std::size_t bytes);
  void schedule_delivery(End e, Port port, const Message& message, Ticket ticket, Time arrives);
  void record(NodeIndex u, core::Cause cause, Around around, const Message* message,
              const Timer* timer, std::optional<core::NodeId> before);
  template <class Look>
  void inspect(Look&& look);

  void note_leader(NodeIndex u);
  void note_place(NodeIndex u);
  void note_delivery(NodeIndex u, Port in, std::uint64_t time, std::uint64_t digest) {
    fingerprint_.fold(time, ((std::uint64_t{u} << 32) | core::raw(in)) + digest);
  }
  /// A large message is walked through once, whatever the number of those who get it.
  std::uint64_t digest_of(const Message& message, Ticket ticket) const {
    if constexpr (travels_inline<Message>)
      return core::digest(message);
    else
      return digests_[ticket];
  }
  Ticket keep(const Message& message);

  // Timers, in timers.inl.
  using Alarm = typename core::StepOf<P>::Alarm;
  Time due_of(NodeIndex u, const Alarm& alarm);
  void arm(NodeIndex u, const Alarm& alarm);
  void fire(NodeIndex u, std::uint32_t serial);

  // The plain run, in plain_run.inl.
  void handle_plainly(const Event& event);
  void drain_plainly(NodeIndex u);
  void fetch(std::span<const Event> batch) const;

  // The shared medium, in radio.inl.
  bool wireless(End e) const { return e >= first_radio_end_; }
  world::Channel& channel_of(End e) { return wireless(e) ? radio_ : channel_; }
  bool lost_on_the_way(End e);
  void transmit(NodeIndex u, const Message& message, Ticket ticket, std::size_t bytes);
  void run_medium(NodeIndex u, std::uint32_t serial);
  void after_medium();
  void hear(NodeIndex u, Ticket ticket);
  void switch_radio(NodeIndex u, bool on);
  void sample_energy();

  // The schedule, in replay.inl.
  void post_as_scheduled(End e, Port port, const Message& message, Ticket ticket);
  void tell_as_scheduled(End e, Kind kind);
  std::optional<Port> way_in(End to) const;
  bool replay_rests() const;

  // Changes of the network.
  std::uint32_t slot_for(const world::Change& change);
  void close_when_done(std::uint32_t slot);
  void raise_in_air(End e);
  void lower_in_air(End e);
  void clear_way(End e);
  void pull_change();
  void apply(const world::Change& change);
  void set_link(const world::Change& change, bool up);
  void crash(NodeIndex u);
  void restart(NodeIndex u, bool memory);
  NodeIndex most_named() const;
  void tell(End e, Kind kind);
  void note_told(End e);
  void make_room_for_links();
  void add_radio_metrics(RunTotals& totals) const;
  const std::vector<End>& incident(NodeIndex u) { return incidence_.of(links_, size(), u); }

  observe::Report report() const;

  Time now() const { return Time{static_cast<std::int64_t>(queue_.now())}; }
  Time clock_of(NodeIndex u) const {
    return offsets_.empty() ? now() : std::max(Time{0}, now() + offsets_[u]);
  }
  static std::uint64_t at(Time t) { return static_cast<std::uint64_t>(t.count()); }
  Event& push(Time t, Kind kind, std::uint32_t subject, std::uint32_t detail) {
    Event& event = queue_.push(at(t));
    event.subject = subject;
    event.detail = static_cast<std::uint32_t>(kind) << 29 | detail;
    return event;
  }
  static core::NodeId peer_of(void* self, Port port);
  static std::uint64_t choose_for(void* self, std::uint64_t n);
  bool late_notices() const { return scenario_.notify.max > Duration{0}; }
  bool watching() const { return observable && !monitors_.empty(); }
  bool observed() const { return observable && !observers_.empty(); }
  std::span<const Port> ports_of(NodeIndex u) const {
    if constexpr (airborne)
      return the_air;
    else
      return links_.ports(u);
  }
  bool at_rest() const {
    return queue_.size() == stale_timers_ + (pending_ ? 1 : 0) + paces_ &&
           (!replay_ || replay_rests());
  }

  // Hot first.
  EventQueue<Event> queue_;
  LineVector<P> nodes_;
  Links links_;
  world::Channel channel_;
  world::Channel radio_;  // what radio links do to messages, unless the medium is shared
  End first_radio_end_ = no_end;
  core::StepOf<P> step_;
  observe::Fingerprint fingerprint_;
  bool changes_ahead_;  // the world will change
  bool plain_ = false;  // see plain_run.inl
  bool eyes_ = false;   // somebody observes or watches
  std::uint64_t plain_delay_ = 0;
  std::vector<unsigned char> alive_;
  Slab<Message> slab_;
  NodeIndex current_ = 0;
  Around around_;
  std::uint64_t events_ = 0;
  std::uint64_t messages_ = 0;
  std::uint64_t recorded_ = 0;
  std::uint64_t bytes_ = 0;

  const scenario::Scenario scenario_;
  const typename P::Options options_;
  const NodeIndex absent_;  // the last nodes: not there at the beginning
  std::vector<core::NodeId> ids_;
  std::vector<Duration> offsets_;
  std::unique_ptr<world::Changes> changes_;
  std::vector<unsigned char> has_radio_;  // by node; empty: all
  std::optional<world::Change> pending_;
  std::vector<bool> wanted_;        // links that the world keeps up
  std::vector<Time> last_arrival_;  // by end; where our own doing keeps the order
  std::vector<Time> last_told_;     // by end; notices come in the order of the changes
  core::Prng notices_;
  std::vector<std::vector<Armed>> timers_;
  std::vector<std::uint32_t> serials_;
  std::size_t stale_timers_ = 0;
  std::vector<std::uint32_t> choices_;  // draws so far, by node
  Incidence incidence_;
  Slots slots_;
  std::vector<std::uint32_t> opened_at_;       // by slot: ports below belong to a former link
  std::vector<std::uint32_t> notices_due_;     // by slot
  std::vector<world::GilbertElliott> bursts_;  // by end
  core::Prng burst_draws_;
  std::unique_ptr<world::Medium> medium_;
  world::MediumEffects medium_out_;
  std::vector<world::MediumEffects::Heard> heard_;
  std::vector<std::uint64_t> digests_;  // by ticket
  std::vector<NodeIndex> frame_from_;   // by ticket, while a frame is in the air
  std::unique_ptr<observe::Metrics> metrics_;
  std::unique_ptr<Replay> replay_;  // null: everything is drawn
  enum class Start : unsigned char { awaited, done, missed };
  std::vector<Start> starts_;                 // by node, while the world may change
  NodeIndex felled_ = nobody;                 // the leader that fell last
  std::vector<std::vector<Around>> asleep_;   // ports of crashed nodes, for those who remember
  std::vector<std::deque<Message>> transit_;  // by end, while somebody watches
  core::Monitors<P> monitors_;
  std::vector<observe::Observer*> observers_;
  std::vector<observe::SendRecord> sent_;
  OnProgress on_progress_;
  Pacer* pacer_ = nullptr;
  std::unique_ptr<Window> window_;
  bool begun_ = false;  // changes are asked for
  bool over_ = false;
  std::uint32_t pace_serial_ = 0;  // of the turn that counts
  std::size_t paces_ = 0;          // in the queue
  std::uint64_t net_version_ = 0;  // differs where live links do
  observe::Ended ended_ = observe::Ended::quiescent;
  std::string violation_;
  Time end_time_{};

  // Counters behind the metrics.
  std::uint64_t leader_changes_ = 0;
  Time last_leader_change_{};
  std::uint64_t lost_ = 0, doubled_ = 0, stale_ = 0, link_changes_ = 0, crashes_ = 0;
  std::uint64_t beacons_ = 0, beacon_bytes_ = 0;
};

}  // namespace bellwether::sim

#include "bellwether/sim/network_changes.inl"
#include "bellwether/sim/plain_run.inl"
#include "bellwether/sim/radio.inl"
#include "bellwether/sim/replay.inl"
#include "bellwether/sim/simulation.inl"
#include "bellwether/sim/timers.inl"
#include "bellwether/sim/window.inl"
