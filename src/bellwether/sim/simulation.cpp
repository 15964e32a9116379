// SPDX-License-Identifier: MIT
#include "bellwether/sim/simulation.hpp"

#include <algorithm>

namespace bellwether::sim {

constexpr std::uint64_t plain_batch = 256;  // messages of one moment, handed over at once

Simulation::Simulation(RunSetup setup, const scenario::Scenario& scenario,
                       std::unique_ptr<core::Nodes> nodes)
    : agenda_(Mail::payload_bytes(nodes->messages())),
      wiring_(setup, scenario),
      population_(setup, scenario, std::move(nodes)),
      mail_(population_.nodes->messages()),
      airborne_(can().airborne),
      timers_(can().timers ? size() : 0, agenda_),
      air_(setup, scenario),
      scenario_(scenario),
      changes_(std::move(setup.changes)) {
  surroundings_.hooks = {this, setup.anonymous ? nullptr : &peer_of, &choose_for};
  // Only plain runs, whose links stay, and rounds go by routes.
  if (wiring_.changes() || wiring_.moves()) wiring_.links.drop_routes();
  if (setup.schedule)
    replay_ = std::make_unique<Replay>(*setup.schedule, wiring_.links, population_.ids);
}

void Simulation::watch(core::PropertyMonitors monitors) {
  audience_.watch(std::move(monitors));
  if (audience_.watching()) mail_.watch(wiring_.links.end_count());
}

void Simulation::measure(const observe::MetricsSetup& spec) {
  std::vector<graph::Edge> links;
  for (End e = 0; e < wiring_.links.end_count(); e += 2)
    links.push_back({wiring_.links.owner(e), wiring_.links.owner(e + 1)});
  metrics_ = std::make_unique<observe::Metrics>(spec, population_.ids, links);
  for (NodeIndex u = 0; u < size(); ++u)
    if (const auto leader = population_.leader(u)) metrics_->leader(Time{0}, u, leader);
  for (NodeIndex u = 0; u < size(); ++u) note_rank(u);
  for (NodeIndex u = size() - population_.absent; u < size(); ++u)
    metrics_->alive(Time{0}, u, false);
}

observe::RunReport Simulation::run() {
  looked_at_ = audience_.watching() || audience_.observed();
  // Drawn in every run, so that a run is the same on both paths.
  const Duration delay = air_.wires.delay(now());
  if (can_run_plainly()) begin_plain_run(delay);
  if (audience_.paced()) begin_pace();  // an observer sees how it begins
  begin();
  if (air_.medium && metrics_) agenda_.push(metrics_->interval(), EventKind::sample, 0, 0);
  try {
    pull_change();
    loop();
  } catch (const core::Violation& violation) {
    ending_.ended = observe::Ended::violation;
    ending_.violation = violation.what();
    ending_.time = now();
  }
  // What a schedule leaves open is not done.
  if (replay_ && ending_.ended == observe::Ended::quiescent && !at_rest())
    ending_.ended = observe::Ended::deadline;
  ending_.over = true;
  if (audience_.paced()) audience_.end_pace(ending_.ended, ending_.violation);
  if (ending_.ended != observe::Ended::interrupted) audience_.end();
  agenda_.queue().release();  // the report needs room, too
  return report();
}

void Simulation::begin() {
  if (audience_.observed()) {
    observe::RunHeader header{std::string(all().name()), scenario_.name, scenario_.seed,
                              population_.ids};
    if (replay_) header.schedule = replay_->schedule();
    audience_.begin(header);
  }
  if (replay_) {
    for (const auto& [u, when] : replay_->starts()) agenda_.push(when, EventKind::start, u, 0);
    return;
  }
  for (NodeIndex u = size() - population_.absent; u < size(); ++u) switch_radio(u, false);
  auto present = population_.ids;
  present.resize(present.size() - population_.absent);
  const auto starts = start_times(scenario_.start, present, scenario_.seed);
  for (NodeIndex u = 0; u < starts.size(); ++u)
    if (starts[u] != core::end_of_time) agenda_.push(starts[u], EventKind::start, u, 0);
}

void Simulation::loop() {
  const std::uint64_t deadline = Agenda::at(scenario_.stop.time);
  const std::uint64_t limit = scenario_.stop.events ? scenario_.stop.events : ~std::uint64_t{0};
  std::uint64_t handled = 0;    // steps, and whatever causes none
  std::uint64_t next_look = 0;  // soon: what was asked to stop while it was set up stops here
  while (!agenda_.queue().empty()) {
    const EventQueue::Batch batch = agenda_.queue().take(
        plain_ ? std::min<std::uint64_t>(plain_batch, limit - counts_.events) : 1);
    if (batch[0].time > deadline) {
      ending_.ended = observe::Ended::deadline;
      ending_.time = scenario_.stop.time;
      return;
    }
    plain_ ? all().deliver(batch, *plain_) : handle(batch[0]);
    if (counts_.events >= limit) [[unlikely]] {
      ending_.ended = observe::Ended::event_limit;
      ending_.time = now();
      return;
    }
    handled += batch.size();
    if (handled < next_look || !on_progress_) continue;
    next_look = handled + 4096;
    if (!on_progress_({now(), counts_.events, counts_.messages})) {
      ending_.ended = observe::Ended::interrupted;
      break;
    }
  }
  ending_.time = now();
}

void Simulation::handle(const QueuedEvent& event) {
  switch (kind_of(event)) {
    case EventKind::deliver:
      deliver(event);
      break;
    case EventKind::timer:
      expire(event.subject, low_detail(event));
      break;
    case EventKind::tell_up:
      tell_up(event.subject);
      break;
    case EventKind::tell_down:
      tell_down(event.subject);
      break;
    case EventKind::start:
      start_when_due(event.subject);
      break;
    case EventKind::medium:
      run_medium(event.subject, low_detail(event));
      break;
    case EventKind::sample:
      if (event.subject == pace_mark) return pace_turn(low_detail(event));
      sample_energy();
      agenda_.push(now() + metrics_->interval(), EventKind::sample, 0, 0);
      break;
    case EventKind::change: {
      const world::Change change = *pending_;
      pending_.reset();
      apply(change);
      if (!pending_) pull_change();  // a watcher may have asked meanwhile
      break;
    }
  }
  // Here, and not after each step: a change may take several, and a message may die without one.
  if (audience_.watching() && at_rest()) audience_.at_rest(*this);
}

bool Simulation::at_rest() const {
  return agenda_.queue().size() == timers_.stale() + (pending_ ? 1 : 0) + turns_.queued &&
         (!replay_ || replay_rests());
}

/// Once in the life of a node: a restart may have come first, or the node may be down.
void Simulation::start_when_due(NodeIndex u) {
  auto& starts = population_.starts;
  if (starts.empty() || (alive(u) && starts[u] == Population::StartState::awaited))
    start(u, core::Cause::start);
  else if (!alive(u) && starts[u] == Population::StartState::awaited)
    starts[u] = Population::StartState::missed;
}

void Simulation::start(NodeIndex u, core::Cause cause) {
  if (!population_.starts.empty()) population_.starts[u] = Population::StartState::done;
  step(u, cause, {}, core::Call::start());
}

void Simulation::expire(NodeIndex u, std::uint32_t serial) {
  const auto timer = timers_.expire(u, serial, alive(u));
  if (!timer) return;
  core::DigestSink digest;
  timer->walk_into(digest);
  fingerprint_.fold(agenda_.queue().now(), (std::uint64_t{u} << 32) + digest.state);
  step(u, core::Cause::timeout, {}, core::Call::timeout(*timer));
}

void Simulation::deliver(const QueuedEvent& event) {
  const End from = event.subject;
  const End to = Links::sister(from);
  const NodeIndex u = wiring_.links.owner(to);
  const void* message = mail_.in(event);
  const Ticket ticket = mail_.ticket_in(event);
  // Sent on an incarnation of the link that is no more: it was lost with it.
  const bool current =
      wiring_.links.up(from) && wiring_.links.port(from) == Port{low_detail(event)};
  if (current && audience_.watching()) mail_.arrives(from, message);
  std::optional<Port> in;
  if (replay_)
    in = way_in(to);
  else if (current && wiring_.links.up(to) && alive(u))
    in = airborne_ ? the_air[0] : wiring_.links.port(to);
  if (in) {
    if (!mail_.small()) effects_.digest = mail_.digest(ticket);
    step(u, core::Cause::receive, {*in, wiring_.links.owner(from)},
         core::Call::receive(*in, message));
  } else {
    refuse(event, message, current);
  }
  if (!mail_.small()) mail_.release(ticket);
}

/// A message is lost on its way.
void Simulation::refuse(const QueuedEvent& event, const void* message, bool current) {
  ++counts_.stale;
  // Where another link has the slot, its former ends are no longer known.
  if (!audience_.observed() || !wiring_.knows(event.subject, low_detail(event))) return;
  const NodeIndex from = wiring_.links.owner(event.subject);
  const NodeIndex to = wiring_.far(event.subject);
  audience_.drop({now(), id(from), id(to), observe::View::of_message(mail_.kind(), message),
                  current ? "the receiver's end is down" : "the link went down", from, to});
}

void Simulation::step(NodeIndex u, core::Cause cause, Around around, const core::Call& call) {
  current_ = u;
  about_ = around;
  surroundings_.ports = ports_of(u);
  surroundings_.now = clock(u);
  const bool received = call.handler == core::Call::Handler::receive;
  try {
    all().call(u, call, surroundings_, effects_);
  } catch (...) {
    if (received) note_delivery(u, call.port);
    throw;
  }
  if (received) note_delivery(u, call.port);
  ++counts_.events;
  drain(u);
  if (effects_.leader_changed) note_leader(u, population_.leader(u));
  note_rank(u);
  if (looked_at_) {
    record(u, cause, around, call,
           effects_.leader_changed ? effects_.leader_before : population_.leader(u));
    audience_.after(*this,
                    {cause, u, around.peer == nobody ? std::nullopt : std::optional(around.peer)});
  }
  if (air_.medium) after_medium();  // what is heard at this instant waits until the step is over
}

void Simulation::note_leader(NodeIndex u, std::optional<NodeId> leader) {
  if (metrics_) metrics_->leader(now(), u, leader);
  ++counts_.leader_changes;
  counts_.last_leader_change = now();
  fingerprint_.fold(u, leader ? core::raw(*leader) : 0);
}

void Simulation::measure_rank(NodeIndex u) {
  const auto leaders = all().leaders(u);
  metrics_->placed(now(), u, all().rank(u),
                   leaders.empty() ? std::nullopt : std::optional(leaders.front()));
}

void Simulation::drain(NodeIndex u) {
  const bool observed = audience_.observed();
  for (const core::Effects::Send& send : effects_.sends) {
    const bool to_all = airborne_ || send.port == core::every_port;
    const End one = to_all ? no_end : wiring_.links.end_of(u, send.port);
    if (!to_all && one == no_end) {
      if (observed)
        audience_.sent({id(u), observe::View::of_message(mail_.kind(), send.message),
                        observe::Fate::no_link, now(), u});
      continue;
    }
    Ticket ticket = 0;
    const void* message = send.message;
    // One receiver is ourselves, until all are served: a message that is lost leaves, too. Records
    // of this step show the message where it was written.
    if (!mail_.small()) {
      ticket = mail_.keep(send.message, !observed);
      if (!observed) message = mail_.look(ticket);
    }
    if (to_all) {
      send_to_all(u, send, message, ticket);
    } else {
      count(u, message, send.bytes);
      post(one, send.port, message, ticket);
    }
    if (!mail_.small()) mail_.release(ticket);
  }
  if (!can().timers) return;
  for (const core::Effects::Alarm& alarm : effects_.alarms) set_alarm(u, alarm);
}

/// When an alarm expires; end_of_time: never.
void Simulation::set_alarm(NodeIndex u, const core::Effects::Alarm& alarm) {
  if (!alarm.armed) return timers_.disarm(u, alarm.timer);
  if (replay_) {
    const Time due = std::max(replay_->alarm(u).value_or(core::end_of_time), now());
    return timers_.arm(u, alarm.timer, due);
  }
  // The draw is a node's own: one more timer at one node does not shift another's.
  const auto spread = static_cast<std::uint64_t>((alarm.max - alarm.min).count()) + 1;
  const Duration wait =
      alarm.max <= alarm.min
          ? alarm.min
          : alarm.min + Duration{static_cast<std::int64_t>(choose_for(this, spread))};
  timers_.arm(u, alarm.timer, now() + std::max(wait, Duration{0}));
}

void Simulation::count(NodeIndex u, const void* message, std::size_t bytes) {
  const bool beacon = can().beacons && all().is_beacon(message);
  if (beacon) {
    ++counts_.beacons;
    counts_.beacon_bytes += bytes;
  } else {
    ++counts_.messages;
    counts_.bytes += bytes;
  }
  if (metrics_) metrics_->sent(now(), u, bytes, beacon);
}

/// A wire carries a message to one; by radio it is sent once, for all receivers.
void Simulation::send_to_all(NodeIndex u, const core::Effects::Send& send, const void* message,
                             Ticket ticket) {
  const auto ends = wiring_.links.ends(u);
  const auto ports = wiring_.links.ports(u);
  bool on_air = false;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const bool wireless = wiring_.wireless(ends[i]);
    if (!wireless) count(u, message, send.bytes);
    on_air = on_air || wireless;
    if (!air_.medium || !wireless) post(ends[i], ports[i], message, ticket);
  }
  const bool radio = wiring_.moves() && air_.has_radio(u);
  if ((airborne_ && radio) || on_air) count(u, message, send.bytes);
  if (air_.medium && radio) transmit(u, message, ticket, send.bytes);
}

void Simulation::post(End e, Port port, const void* message, Ticket ticket) {
  if (replay_) return post_as_scheduled(e, port, message, ticket);
  const bool wireless = wiring_.wireless(e);
  world::ChannelModel& channel = air_.channel_of(wireless);
  auto fate = observe::Fate::sent;
  Time arrives = now() + channel.delay(now());
  if (!channel.plain() || air_.has_bursts()) {
    if (channel.loses() || (air_.has_bursts() && wireless && air_.burst_loses(e, now()))) {
      ++counts_.lost;
      fate = observe::Fate::lost;
    } else if (channel.doubles()) {
      ++counts_.duplicated;
      fate = observe::Fate::duplicated;
    }
    if (channel.keeps_order() && fate != observe::Fate::lost) arrives = air_.in_order(e, arrives);
  }
  if (fate != observe::Fate::lost) schedule_delivery(e, port, message, ticket, arrives);
  if (fate == observe::Fate::duplicated) {
    Time again = now() + channel.delay(now());
    if (channel.keeps_order()) again = air_.in_order(e, again);
    schedule_delivery(e, port, message, ticket, again);
  }
  if (audience_.observed()) record_send(e, message, fate, arrives);
}

void Simulation::record_send(End e, const void* message, observe::Fate fate, Time arrives) {
  const NodeIndex to = wiring_.far(e);
  audience_.sent({id(to), observe::View::of_message(mail_.kind(), message), fate, arrives, to});
}

void Simulation::record(NodeIndex u, core::Cause cause, Around around, const core::Call& call,
                        std::optional<NodeId> before) {
  if (!audience_.observed()) return;
  using Handler = core::Call::Handler;
  observe::StepRecord r;
  r.at = now();
  r.node = id(u);
  r.cause = cause;
  r.node_index = u;
  if (around.peer != nobody) {
    r.peer = id(around.peer);
    r.peer_index = around.peer;
  }
  if (call.handler == Handler::receive)
    r.message = observe::View::of_message(mail_.kind(), call.message);
  if (call.handler == Handler::timeout) r.timer = observe::View::of_timer(all(), *call.timer);
  r.leader_before = before;
  r.leader_after = population_.leader(u);
  if (can().described) r.state = observe::View::of_state(all(), u);
  audience_.step(r);
}

NodeId Simulation::peer_of(void* self, Port port) {
  auto& sim = *static_cast<Simulation*>(self);
  // The port that this step is about may be down already, or only listen.
  if (port == sim.about_.port && sim.about_.peer != nobody) return sim.id(sim.about_.peer);
  const End e = sim.wiring_.behind(sim.current_, port);
  core::invariant(e != no_end, "a protocol asked who is behind a port that it does not have");
  return sim.id(sim.wiring_.far(e));
}

std::uint64_t Simulation::choose_for(void* self, std::uint64_t n) {
  auto& sim = *static_cast<Simulation*>(self);
  if (sim.replay_) return sim.replay_->choice(sim.current_, n);
  return sim.population_.draw(sim.current_, n);
}

std::vector<core::ChannelState> Simulation::channels(NodeIndex i) const {
  std::vector<core::ChannelState> out;
  for (const End e : wiring_.links.ends(i)) {
    const End far = Links::sister(e);
    core::ChannelState state{wiring_.links.owner(far), wiring_.links.port(e), {}, {}};
    if (wiring_.links.up(far) && alive(state.to)) state.far_port = wiring_.links.port(far);
    if (mail_.watched())
      for (const core::AnyMessage& m : mail_.from(e)) state.transit.push_back(m.value());
    out.push_back(std::move(state));
  }
  return out;
}

observe::RunReport Simulation::report() const {
  RunTotals totals;
  totals.algorithm = nodes().name();
  totals.events = counts_.events;
  totals.messages = counts_.messages;
  totals.bytes = counts_.bytes;
  totals.time = ending_.time;
  totals.ended = ending_.ended;
  totals.violation = ending_.violation;
  totals.fingerprint = fingerprint_;
  // By now a large network fills the memory: no more of it than needed.
  totals.links.reserve(wiring_.links.end_count() / 2);
  totals.verdicts.reserve(size());
  for (End e = 0; e < wiring_.links.end_count(); e += 2)
    if (wiring_.wanted(e / 2))
      totals.links.push_back({wiring_.links.owner(e), wiring_.links.owner(e + 1)});
  for (NodeIndex u = 0; u < size(); ++u)
    totals.verdicts.push_back({alive(u), population_.leader(u), nodes().leads(u, id(u))});
  const auto number = [](std::uint64_t v) { return static_cast<double>(v); };
  totals.metrics = {{"leader_changes", number(counts_.leader_changes)},
                    {"last_leader_change_s", core::seconds(counts_.last_leader_change)},
                    {"link_changes", number(counts_.link_changes)},
                    {"crashes", number(counts_.crashes)},
                    {"messages_lost", number(counts_.lost)},
                    {"messages_doubled", number(counts_.duplicated)},
                    {"messages_cut_off", number(counts_.stale)}};
  if (airborne_) {
    totals.metrics.push_back({"beacons", number(counts_.beacons)});
    totals.metrics.push_back({"beacon_bytes", number(counts_.beacon_bytes)});
  }
  add_radio_metrics(totals);
  return make_report(std::move(totals), scenario_, population_.ids);
}

}  // namespace bellwether::sim
