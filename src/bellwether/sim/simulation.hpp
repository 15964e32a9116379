// SPDX-License-Identifier: MIT
// The simulator of asynchronous protocols: one queue, one loop, nodes in one vector. A run of a
// hundred nodes and a run of a million use the same code, and so do all algorithms: it sees nodes
// through core/host.hpp only.
#pragma once

#include "bellwether/core/configuration.hpp"
#include "bellwether/core/fingerprint.hpp"
#include "bellwether/observe/metrics/metrics.hpp"
#include "bellwether/sim/agenda.hpp"
#include "bellwether/sim/air.hpp"
#include "bellwether/sim/audience.hpp"
#include "bellwether/sim/mail.hpp"
#include "bellwether/sim/population.hpp"
#include "bellwether/sim/replay.hpp"
#include "bellwether/sim/timers.hpp"
#include "bellwether/sim/wiring.hpp"

namespace bellwether::sim {

/// The one port of nodes that need no links from their driver: it stands for all nodes nearby.
inline constexpr std::array<Port, 1> the_air{Port{0}};

class Simulation final : public core::Configuration {
 public:
  Simulation(RunSetup setup, const scenario::Scenario& scenario,
             std::unique_ptr<core::Nodes> nodes);

  /// Observers and monitors are attached before run().
  void observe(observe::Observer& observer) { audience_.observe(observer); }
  void watch(core::PropertyMonitors monitors);
  void on_progress(OnProgress callback) { on_progress_ = std::move(callback); }
  void measure(const observe::MetricsSetup& spec);
  void pace(Pacer* pacer);

  observe::RunReport run();

  // Configuration: what monitors and tests read.
  NodeIndex size() const override { return population_.size(); }
  const core::Nodes& nodes() const override { return *population_.nodes; }
  NodeIndex place(NodeIndex i) const override { return i; }
  NodeId id(NodeIndex i) const override { return population_.ids[i]; }
  bool alive(NodeIndex i) const override { return population_.is_alive(i); }
  Time clock(NodeIndex i) const override { return population_.clock(i, now()); }
  std::vector<core::ChannelState> channels(NodeIndex i) const override;

 private:
  using Ticket = Mail::Ticket;
  class Window;  // for the pacer, in window.cpp

  /// Behind the metrics of a report.
  struct RunCounts : core::Totals {
    std::uint64_t beacons = 0, beacon_bytes = 0, link_changes = 0, crashes = 0;
    std::uint64_t lost = 0, duplicated = 0, stale = 0;
  };
  /// How the run ended.
  struct Ending {
    observe::Ended ended = observe::Ended::quiescent;
    std::string violation;
    Time time{};
    bool over = false;
  };
  /// The pacer's turns.
  struct Turns {
    bool begun = false;        // changes are asked for
    std::uint32_t serial = 0;  // of the turn that counts
    std::size_t queued = 0;
  };

  void begin();  // tells observers, and who starts when
  void begin_pace();
  void pace_turn(std::uint32_t serial);

  // The loop.
  void loop();
  void handle(const QueuedEvent& event);
  void deliver(const QueuedEvent& event);
  void refuse(const QueuedEvent& event, const void* message, bool current);
  void tell_up(End e);
  void tell_down(End e);
  void start_when_due(NodeIndex u);
  void start(NodeIndex u, core::Cause cause);
  void expire(NodeIndex u, std::uint32_t serial);

  // One step of one node, and its effects.
  void step(NodeIndex u, core::Cause cause, Around around, const core::Call& call);
  void drain(NodeIndex u);
  void send_to_all(NodeIndex u, const core::Effects::Send& send, const void* message,
                   Ticket ticket);
  void post(End e, Port port, const void* message, Ticket ticket);
  void count(NodeIndex u, const void* message, std::size_t bytes);
  void schedule_delivery(End e, Port port, const void* message, Ticket ticket, Time arrives) {
    if (audience_.watching()) mail_.leaves(e, message);
    mail_.put(agenda_.push(arrives, EventKind::deliver, e, core::raw(port)), message, ticket);
  }
  void set_alarm(NodeIndex u, const core::Effects::Alarm& alarm);
  void record(NodeIndex u, core::Cause cause, Around around, const core::Call& call,
              std::optional<NodeId> before);
  void record_send(End e, const void* message, observe::Fate fate, Time arrives);
  void note_leader(NodeIndex u, std::optional<NodeId> leader);
  /// Where in the hierarchy u is, if there is one.
  void note_rank(NodeIndex u) {
    if (metrics_ && can().ranked) measure_rank(u);
  }
  void measure_rank(NodeIndex u);
  void note_delivery(NodeIndex u, Port in) {
    fingerprint_.fold(agenda_.queue().now(),
                      ((std::uint64_t{u} << 32) | core::raw(in)) + effects_.digest);
  }

  // The plain run, in plain_run.cpp.
  bool can_run_plainly() const;
  void begin_plain_run(Duration delay);

  // The shared medium, in radio.cpp.
  void transmit(NodeIndex u, const void* message, Ticket ticket, std::size_t bytes);
  void run_medium(NodeIndex u, std::uint32_t serial);
  void push_wakes();
  void after_medium();
  void hear(NodeIndex u, Ticket ticket);
  void switch_radio(NodeIndex u, bool on);
  void sample_energy();
  void add_radio_metrics(RunTotals& totals) const;

  // The schedule, in follow_schedule.cpp.
  void post_as_scheduled(End e, Port port, const void* message, Ticket ticket);
  void tell_as_scheduled(End e, EventKind kind);
  std::optional<Port> way_in(End to) const;
  bool replay_rests() const;

  // Changes of the network, in network_changes.cpp.
  void pull_change();
  void apply(const world::Change& change);
  std::uint32_t slot_for(const world::Change& change);
  void set_link(const world::Change& change, bool up);
  void raise_in_air(End e);
  void lower_in_air(End e);
  void clear_way(End e);
  void crash(NodeIndex u);
  void lose_links(NodeIndex u);
  void restart(NodeIndex u, bool memory);
  void restart_with_memory(NodeIndex u, const std::vector<Around>& lost);
  void tell(End e, EventKind kind);

  observe::RunReport report() const;
  Time now() const { return agenda_.now(); }
  core::Nodes& all() { return *population_.nodes; }
  const core::Capabilities& can() const { return population_.can; }
  std::span<const Port> ports_of(NodeIndex u) const {
    return airborne_ ? std::span<const Port>(the_air) : wiring_.links.ports(u);
  }
  bool at_rest() const;
  static NodeId peer_of(void* self, Port port);
  static std::uint64_t choose_for(void* self, std::uint64_t n);

  // Hot first.
  Agenda agenda_;
  Wiring wiring_;
  Population population_;
  Mail mail_;
  core::Effects effects_;  // of the present step
  core::Surroundings surroundings_;
  std::optional<core::PlainRun> plain_;  // see plain_run.cpp
  core::Fingerprint fingerprint_;
  NodeIndex current_ = 0;
  Around about_;
  const bool airborne_;
  bool looked_at_ = false;  // the run is observed or watched
  RunCounts counts_;
  Timers timers_;
  Air air_;
  Audience audience_;
  const scenario::Scenario scenario_;
  std::unique_ptr<world::Changes> changes_;
  std::optional<world::Change> pending_;
  std::optional<NodeIndex> crashed_leader_;  // the last one
  std::unique_ptr<observe::Metrics> metrics_;
  std::unique_ptr<Replay> replay_;  // null: everything is drawn
  OnProgress on_progress_;
  Turns turns_;
  Ending ending_;
};

}  // namespace bellwether::sim
