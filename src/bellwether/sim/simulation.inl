// SPDX-License-Identifier: MIT
// The body of Simulation<P>; included by simulation.hpp only.
#pragma once

#include <algorithm>

namespace bellwether::sim {

template <core::Protocol P, bool observable>
Simulation<P, observable>::Simulation(Stage stage, const scenario::Scenario& scenario,
                                      typename P::Options options)
    : links_(stage.network, stage.up),
      channel_(scenario.channel, scenario.seed),
      radio_(stage.radio, scenario.seed, 1),
      first_radio_end_(stage.moves ? 2 * stage.wired : no_end),
      step_({this, stage.anonymous ? nullptr : &peer_of, &choose_for}),
      changes_ahead_(stage.has_changes),
      alive_(stage.network.nodes, 1),
      scenario_(scenario),
      options_(options),
      absent_(stage.absent),
      ids_(std::move(stage.ids)),
      offsets_(clock_offsets(scenario.clock_skew, stage.network.nodes, scenario.seed)),
      changes_(std::move(stage.changes)),
      has_radio_(std::move(stage.has_radio)),
      notices_(core::stream(scenario.seed, "notify")),
      burst_draws_(core::stream(scenario.seed, "burst")) {
  const NodeIndex n = stage.network.nodes;
  nodes_.reserve(n);
  for (NodeIndex i = 0; i < n; ++i) nodes_.emplace_back(ids_[i], options_);
  if constexpr (timed) {
    timers_.resize(n);
    serials_.resize(n);
  }
  if (stage.has_changes) {
    wanted_ = stage.up;
    wanted_.resize(links_.end_count() / 2, true);
    asleep_.resize(n);
    starts_.resize(n, Start::awaited);
  }
  for (NodeIndex u = n - absent_; u < n; ++u) {
    alive_[u] = 0;
    starts_[u] = Start::missed;
  }
  if (stage.moves) {
    const auto all = static_cast<std::uint32_t>(stage.network.links.size());
    slots_ = Slots(stage.wired, all - stage.wired);
    links_.share_ports();
    if (stage.has_crashes) incident(0);  // while every slot still has its first link
    if (scenario.radio.model == world::RadioModel::csma) {
      medium_ = stage.medium ? std::move(stage.medium)
                             : std::make_unique<world::Csma>(scenario.radio, n, scenario.seed);
      for (std::uint32_t i = stage.wired; i < all; ++i)
        medium_->link(stage.network.links[i].a, stage.network.links[i].b, true);
    }
  }
  if (stage.schedule) replay_ = std::make_unique<Replay>(*stage.schedule, links_, ids_);
  make_room_for_links();
}

template <core::Protocol P, bool observable>
void Simulation<P, observable>::watch(core::Monitors<P> monitors) {
  for (auto& monitor : monitors) monitors_.push_back(std::move(monitor));
  if (watching()) transit_.resize(links_.end_count());
}

template <core::Protocol P, bool observable>
void Simulation<P, observable>::measure(const observe::MetricsSpec& spec) {
  std::vector<graph::Edge> links;
  for (End e = 0; e < links_.end_count(); e += 2)
    links.push_back({links_.owner(e), links_.owner(e + 1)});
  metrics_ = std::make_unique<observe::Metrics>(spec, ids_, links);
  for (NodeIndex u = 0; u < nodes_.size(); ++u)
    if (const auto leader = nodes_[u].leader()) metrics_->leader(Time{0}, u, leader);
  for (NodeIndex u = 0; u < nodes_.size(); ++u) note_place(u);
  for (NodeIndex u = size() - absent_; u < size(); ++u) metrics_->alive(Time{0}, u, false);
}

template <core::Protocol P, bool observable>
observe::Report Simulation<P, observable>::run() {
  eyes_ = watching() || observed();
  plain_ = travels_inline<Message> && channel_.plain() && !changes_ahead_ && !eyes_ && !airborne &&
           first_radio_end_ == no_end && !metrics_ && !pacer_;
  plain_delay_ = at(channel_.delay(now()));
  if (pacer_) begin_pace();  // whoever watches sees how it begins
  begin();
  if (medium_ && metrics_) push(metrics_->interval(), Kind::sample, 0, 0);
  try {
    pull_change();
    if (plain_)
      loop([this](const Event& event) { handle_plainly(event); });
    else
      loop([this](const Event& event) { handle(event); });
  } catch (const core::Violation& violation) {
    ended_ = observe::Ended::violation;
    violation_ = violation.what();
    end_time_ = now();
  }
  // What a schedule leaves open is not done.
  if (replay_ && ended_ == observe::Ended::quiescent && !at_rest())
    ended_ = observe::Ended::deadline;
  over_ = true;
  if (pacer_) pacer_->end(*window_, ended_, violation_);
  // A trace without an end says that the run was cut short.
  if (ended_ != observe::Ended::interrupted)
    for (auto* observer : observers_) observer->end();
  queue_.release();  // the report needs room, too
  return report();
}

template <core::Protocol P, bool observable>
void Simulation<P, observable>::begin() {
  if (!observers_.empty()) {
    observe::RunHeader header{std::string(P::name), scenario_.name, scenario_.seed, ids_};
    if (replay_) header.schedule = replay_->schedule();
    for (auto* observer : observers_) observer->begin(header);
  }
  if (replay_) {
    for (const auto& [u, when] : replay_->starts()) push(when, Kind::start, u, 0);
    return;
  }
  for (NodeIndex u = size() - absent_; u < size(); ++u) switch_radio(u, false);
  auto present = ids_;
  present.resize(ids_.size() - absent_);
  const auto starts = start_times(scenario_.start, present, scenario_.seed);
  for (NodeIndex u = 0; u < starts.size(); ++u)
    if (starts[u] != core::end_of_time) push(starts[u], Kind::start, u, 0);
}

template <core::Protocol P, bool observable>
template <class Handle>
void Simulation<P, observable>::loop(Handle&& handle_one) {
  const std::uint64_t deadline = at(scenario_.stop.time);
  const std::uint64_t limit = scenario_.stop.events ? scenario_.stop.events : ~std::uint64_t{0};
  const bool many = plain_ && nodes_.size() > 4096;  // more than fits the nearer caches
  constexpr std::size_t stride = 12;                 // how far ahead to look
  std::uint64_t handled = 0;                         // steps, and whatever causes none
  std::uint64_t next_look = 4096;
  while (!queue_.empty()) {
    const std::span<const Event> batch = queue_.take(plain_ ? 256 : 1);
    if (batch.front().time > deadline) {
      ended_ = observe::Ended::deadline;
      end_time_ = scenario_.stop.time;
      return;
    }
    if (many) fetch(batch.first(std::min(batch.size(), stride)));
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (many && i + stride < batch.size()) fetch(batch.subspan(i + stride, 1));
      handle_one(batch[i]);
      if (events_ >= limit) [[unlikely]] {
        ended_ = observe::Ended::event_limit;
        end_time_ = now();
        return;
      }
    }
    handled += batch.size();
    if (handled < next_look || !on_progress_) continue;
    next_look = handled + 4096;
    if (!on_progress_({now(), events_, messages_})) {
      ended_ = observe::Ended::interrupted;
      break;
    }
  }
  end_time_ = now();
}

template <core::Protocol P, bool observable>
void Simulation<P, observable>::handle(const Event& event) {
  switch (event.kind()) {
    case Kind::deliver:
      deliver(event);
      break;
    case Kind::timer:
      fire(event.subject, event.detail & low_bits);
      break;
    case Kind::tell_up:
      tell_up(event.subject);
      break;
    case Kind::tell_down:
      tell_down(event.subject);
      break;
    case Kind::start:
      start_when_due(event.subject);
      break;
    case Kind::medium:
      run_medium(event.subject, event.detail & low_bits);
      break;
    case Kind::sample:
      if (event.subject == pace_mark) return pace_turn(event.detail & low_bits);
      sample_energy();
      push(now() + metrics_->interval(), Kind::sample, 0, 0);
      break;
    case Kind::change: {
      const world::Change change = *pending_;
      pending_.reset();
      apply(change);
      if (!pending_) pull_change();  // a watcher may have asked meanwhile
      break;
    }
  }
  // Here, and not after each step: a change may take several, and a message may die without one.
  if (watching() && at_rest())
    inspect([this](core::Monitor<P>& monitor) { monitor.at_rest(*this); });
}

/// Once in the life of a node: a restart may have come first, or the node may be down.
template <core::Protocol P, bool observable>
void Simulation<P, observable>::start_when_due(NodeIndex u) {
  if (starts_.empty() || (alive(u) && starts_[u] == Start::awaited))
    start(u, core::Cause::start);
  else if (!alive(u) && starts_[u] == Start::awaited)
    starts_[u] = Start::missed;
}

template <core::Protocol P, bool observable>
void Simulation<P, observable>::start(NodeIndex u, core::Cause cause) {
  if (!starts_.empty()) starts_[u] = Start::done;
  step(u, cause, {}, nullptr, nullptr, [](P& p, auto& s) { p.start(s); });
}

template <core::Protocol P, bool observable>
void Simulation<P, observable>::deliver(const Event& event) {
  const End from = event.subject;
  const End to = Links::sister(from);
  const NodeIndex u = links_.owner(to);
  const Message* message;
  if constexpr (travels_inline<Message>) {
    message = &event.payload;
  } else {
    message = &slab_.look(event.payload);
  }
  // Sent on an incarnation of the link that is no more: it was lost with it.
  const bool current = links_.up(from) && links_.port(from) == Port{event.detail & low_bits};
  if (current && watching()) {
    auto& way = transit_[from];
    way.erase(std::find(way.begin(), way.end(), *message));
  }
  std::optional<Port> in_at;
  if (replay_)
    in_at = way_in(to);
  else if (current && links_.up(to) && alive(u))
    in_at = airborne ? the_air[0] : links_.port(to);
  if (in_at) {
    const Port in = *in_at;
    Ticket ticket = 0;
    if constexpr (!travels_inline<Message>) ticket = event.payload;
    note_delivery(u, in, event.time, digest_of(*message, ticket));
    step(u, core::Cause::receive, {in, links_.owner(from)}, message, nullptr,
         [&](P& p, auto& s) { p.receive(s, in, *message); });
  } else {
    ++stale_;
    const bool named = slots_.size() == 0 || (event.detail & low_bits) >= opened_at_[from / 2];
    if (observed() && named)  // else nobody knows any more between whom it was
      for (auto* observer : observers_)
        observer->drop({now(), ids_[links_.owner(from)], ids_[u], observe::View::of(*message),
                        current ? "the receiver's end is down" : "the link went down",
                        links_.owner(from), u});
  }
  if constexpr (!travels_inline<Message>) slab_.release(event.payload);
}

template <core::Protocol P, bool observable>
template <class Call>
void Simulation<P, observable>::step(NodeIndex u, core::Cause cause, Around around,
                                     const Message* message, const Timer* timer, Call&& call) {
  P& p = nodes_[u];
  current_ = u;
  around_ = around;
  const auto before = p.leader();
  step_.begin(ports_of(u), clock_of(u));
  call(p, step_);
  ++events_;
  drain(u);
  if (before != p.leader()) note_leader(u);
  note_place(u);
  if (observable && eyes_) {
    record(u, cause, around, message, timer, before);
    const core::Happening happening{
        cause, u, around.peer == nobody ? std::nullopt : std::optional(around.peer)};
    inspect([&](core::Monitor<P>& monitor) { monitor.after(*this, happening); });
  }
}

template <core::Protocol P, bool observable>
void Simulation<P, observable>::note_leader(NodeIndex u) {
  const auto leader = nodes_[u].leader();
  if (metrics_) metrics_->leader(now(), u, leader);
  ++leader_changes_;
  last_leader_change_ = now();
  fingerprint_.fold(u, leader ? core::raw(*leader) : 0);
}

/// Where in the hierarchy u is, if there is one.
template <core::Protocol P, bool observable>
void Simulation<P, observable>::note_place(NodeIndex u) {
  if constexpr (core::Ranked<P>) {
    if (!metrics_) return;
    const auto& leaders = nodes_[u].leaders();
    metrics_->placed(now(), u, nodes_[u].rank(),
                     leaders.empty() ? std::nullopt : std::optional(leaders.front()));
  }
}

template <core::Protocol P, bool observable>
void Simulation<P, observable>::drain(NodeIndex u) {
  if (plain_) return drain_plainly(u);
  for (auto& send : step_.sends()) {
    const std::size_t size = core::encoded_size(send.message);
    const bool all = airborne || send.port == core::every_port;
    const End one = all ? no_end : links_.end_of(u, send.port);
    if (!all && one == no_end) {
      if (observed())
        sent_.push_back(
            {ids_[u], observe::View::of(send.message), observe::Fate::no_link, now(), u});
      continue;
    }
    Ticket ticket = 0;
    // One receiver is ourselves, until all are served: a message that is lost leaves, too.
    if constexpr (!travels_inline<Message>) ticket = keep(send.message);
    if (all) {
      send_to_all(u, send.message, ticket, size);
    } else {
      count(u, send.message, size);
      post(one, send.port, send.message, ticket);
    }
    if constexpr (!travels_inline<Message>) slab_.release(ticket);
  }
  for (const auto& alarm : step_.alarms()) arm(u, alarm);
}

template <core::Protocol P, bool observable>
typename Simulation<P, observable>::Ticket Simulation<P, observable>::keep(const Message& message) {
  const Ticket ticket = slab_.keep(message, 1);
  if (digests_.size() <= ticket) digests_.resize(ticket + 1);
  digests_[ticket] = core::digest(message);
  return ticket;
}

template <core::Protocol P, bool observable>
void Simulation<P, observable>::count(NodeIndex u, const Message& message, std::size_t bytes) {
  bool beacon = false;
  if constexpr (requires { P::is_beacon(message); }) beacon = P::is_beacon(message);
  if (beacon) {
    ++beacons_;
    beacon_bytes_ += bytes;
  } else {
    ++messages_;
    bytes_ += bytes;
  }
  if (metrics_) metrics_->sent(now(), u, bytes, beacon);
}

/// A wire carries a message to one; by radio it is sent once, whoever hears it.
template <core::Protocol P, bool observable>
void Simulation<P, observable>::send_to_all(NodeIndex u, const Message& message, Ticket ticket,
                                            std::size_t bytes) {
  const auto ends = links_.ends(u);
  const auto ports = links_.ports(u);
  bool on_air = false;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (!wireless(ends[i])) count(u, message, bytes);
    on_air = on_air || wireless(ends[i]);
    if (!medium_ || !wireless(ends[i])) post(ends[i], ports[i], message, ticket);
  }
  const bool radio = first_radio_end_ != no_end && (has_radio_.empty() || has_radio_[u] != 0);
  if ((airborne && radio) || on_air) count(u, message, bytes);
  if (medium_ && radio) transmit(u, message, ticket, bytes);
}

template <core::Protocol P, bool observable>
void Simulation<P, observable>::post(End e, Port port, const Message& message, Ticket ticket) {
  if (replay_) return post_as_scheduled(e, port, message, ticket);
  world::Channel& channel = channel_of(e);
  auto fate = observe::Fate::sent;
  Time arrives = now() + channel.delay(now());
  if (!channel.plain() || !bursts_.empty()) {
    if (channel.loses() || lost_on_the_way(e)) {
      ++lost_;
      fate = observe::Fate::lost;
    } else if (channel.doubles()) {
      ++doubled_;
      fate = observe::Fate::doubled;
    }
    if (channel.keeps_order() && fate != observe::Fate::lost)
      last_arrival_[e] = arrives = std::max(arrives, last_arrival_[e]);
  }
  if (fate != observe::Fate::lost) schedule_delivery(e, port, message, ticket, arrives);
  if (fate == observe::Fate::doubled) {
    Time again = now() + channel.delay(now());
    if (channel.keeps_order()) last_arrival_[e] = again = std::max(again, last_arrival_[e]);
    schedule_delivery(e, port, message, ticket, again);
  }
  if (observed())
    sent_.push_back({ids_[links_.owner(Links::sister(e))], observe::View::of(message), fate,
                     arrives, links_.owner(Links::sister(e))});
}

template <core::Protocol P, bool observable>
void Simulation<P, observable>::schedule_delivery(End e, Port port, const Message& message,
                                                  Ticket ticket, Time arrives) {
  if (watching()) transit_[e].push_back(message);
  if constexpr (travels_inline<Message>) {
    push(arrives, Kind::deliver, e, core::raw(port)).payload = message;
  } else {
    slab_.share(ticket);
    push(arrives, Kind::deliver, e, core::raw(port)).payload = ticket;
  }
}

template <core::Protocol P, bool observable>
void Simulation<P, observable>::record(NodeIndex u, core::Cause cause, Around around,
                                       const Message* message, const Timer* timer,
                                       std::optional<core::NodeId> before) {
  if (!observed()) return;
  observe::StepRecord r;
  r.number = ++recorded_;
  r.at = now();
  r.node = ids_[u];
  r.cause = cause;
  r.place = u;
  if (around.peer != nobody) {
    r.peer = ids_[around.peer];
    r.peer_place = around.peer;
  }
  if (message) r.message = observe::View::of(*message);
  if (timer) r.timer = observe::View::of(*timer);
  r.sends = sent_;
  r.leader_before = before;
  r.leader_after = nodes_[u].leader();
  if constexpr (core::Described<P>) r.state = observe::View::of(nodes_[u]);
  for (auto* observer : observers_) observer->step(r);
  sent_.clear();
}

template <core::Protocol P, bool observable>
template <class Look>
void Simulation<P, observable>::inspect(Look&& look) {
  for (std::size_t i = 0; i < monitors_.size(); ++i) {
    try {
      look(*monitors_[i]);
    } catch (const core::Violation& violation) {
      const auto sentence = std::string(monitors_[i]->name()) + ": " + violation.what();
      if (!pacer_) throw core::Violation(sentence);
      monitors_.erase(monitors_.begin() + static_cast<std::ptrdiff_t>(i--));
      pacer_->broken(*window_, sentence);
    }
  }
}

template <core::Protocol P, bool observable>
core::NodeId Simulation<P, observable>::peer_of(void* self, Port port) {
  auto& sim = *static_cast<Simulation*>(self);
  // The port that this step is about may be down already, or only listen.
  if (port == sim.around_.port && sim.around_.peer != nobody) return sim.ids_[sim.around_.peer];
  End e = sim.links_.end_of(sim.current_, port);
  if (e == no_end && sim.links_.one_way())
    e = sim.incidence_.listening(sim.links_, sim.size(), sim.current_, port);
  core::invariant(e != no_end, "a protocol asked who is behind a port that it does not have");
  return sim.ids_[sim.links_.owner(Links::sister(e))];
}

template <core::Protocol P, bool observable>
std::uint64_t Simulation<P, observable>::choose_for(void* self, std::uint64_t n) {
  auto& sim = *static_cast<Simulation*>(self);
  if (sim.replay_) return sim.replay_->choice(sim.current_, n);
  if (sim.choices_.empty()) sim.choices_.resize(sim.nodes_.size());
  return node_choice(sim.scenario_.seed, sim.current_, sim.choices_[sim.current_]++, n);
}

template <core::Protocol P, bool observable>
std::vector<core::ChannelView<typename P::Message>> Simulation<P, observable>::channels(
    NodeIndex i) const {
  std::vector<core::ChannelView<Message>> out;
  for (const End e : links_.ends(i)) {
    const End far = Links::sister(e);
    core::ChannelView<Message> view{links_.owner(far), links_.port(e), {}, {}};
    if (links_.up(far) && alive(view.to)) view.far_port = links_.port(far);
    if (!transit_.empty())
      for (const Message& m : transit_[e]) view.transit.push_back(&m);
    out.push_back(std::move(view));
  }
  return out;
}

template <core::Protocol P, bool observable>
observe::Report Simulation<P, observable>::report() const {
  RunTotals totals;
  totals.algorithm = P::name;
  totals.events = events_;
  totals.messages = messages_;
  totals.bytes = bytes_;
  totals.time = end_time_;
  totals.ended = ended_;
  totals.violation = violation_;
  totals.fingerprint = fingerprint_;
  // By now a large network fills the memory: no more of it than needed.
  totals.links.reserve(links_.end_count() / 2);
  totals.verdicts.reserve(nodes_.size());
  for (End e = 0; e < links_.end_count(); e += 2)
    if (wanted_.empty() || wanted_[e / 2])
      totals.links.push_back({links_.owner(e), links_.owner(e + 1)});
  for (NodeIndex u = 0; u < nodes_.size(); ++u)
    totals.verdicts.push_back({alive(u), nodes_[u].leader(), core::leads(nodes_[u], ids_[u])});
  const auto number = [](std::uint64_t v) { return static_cast<double>(v); };
  totals.metrics = {{"leader_changes", number(leader_changes_)},
                    {"last_leader_change_s", core::seconds(last_leader_change_)},
                    {"link_changes", number(link_changes_)},
                    {"crashes", number(crashes_)},
                    {"messages_lost", number(lost_)},
                    {"messages_doubled", number(doubled_)},
                    {"messages_cut_off", number(stale_)}};
  if (airborne) {
    totals.metrics.push_back({"beacons", number(beacons_)});
    totals.metrics.push_back({"beacon_bytes", number(beacon_bytes_)});
  }
  add_radio_metrics(totals);
  return make_report(std::move(totals), scenario_, ids_);
}

}  // namespace bellwether::sim
