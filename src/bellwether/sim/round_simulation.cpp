// SPDX-License-Identifier: MIT
#include "bellwether/sim/round_simulation.hpp"

#include <algorithm>

namespace bellwether::sim {

RoundSimulation::RoundSimulation(Stage stage, const scenario::Scenario& scenario,
                                 std::unique_ptr<core::Nodes> nodes)
    : wiring_(stage, scenario),
      population_(stage, scenario, std::move(nodes)),
      kind_(population_.nodes->messages()),
      said_(kind_, stage.network.nodes),
      saying_(kind_, stage.network.nodes),
      anonymous_(stage.anonymous),
      scenario_(scenario) {
  surroundings_.hooks = {this, stage.anonymous ? nullptr : &peer_of, &choose_for};
}

observe::Report RoundSimulation::run() {
  audience_.begin(
      {std::string(nodes().name()), scenario_.name, scenario_.seed, population_.ids});
  if (audience_.paced()) audience_.begin_pace();
  try {
    do {
      if (audience_.paced()) take_turns();
    } while (one_round());
  } catch (const core::Violation& violation) {
    ended_ = observe::Ended::violation;
    violation_ = violation.what();
  }
  if (audience_.paced()) close_window();
  if (ended_ != observe::Ended::interrupted) audience_.end();
  return report();
}

/// Neighbours lie anywhere in a large network: what the nodes to come will read is asked for ahead.
/// Inlined by force: else g++ 12 leaves the calls out (core/port_table.hpp).
[[gnu::always_inline]] inline void RoundSimulation::fetch(NodeIndex u) const {
  constexpr NodeIndex stride = 24;
  const NodeIndex n = population_.size();
  if (u + 2 * stride < n) wiring_.links.fetch(u + 2 * stride);
  if (u + stride >= n) return;
  for (const Route& route : wiring_.links.routes(u + stride))
    __builtin_prefetch(said_.at(route.to));
}

bool RoundSimulation::one_round() {
  spoken_ = false;
  next_told_ = 0;
  bool halted = true;
  core::Nodes& all = *population_.nodes;
  const NodeIndex n = population_.size();
  surroundings_.now = now();
  for (NodeIndex u = 0; u < n; ++u) {
    fetch(u);
    gather(u);
    current_ = u;
    surroundings_.ports = wiring_.links.ports(u);
    const std::span<const core::Incoming> reached = inbox_;
    all.call(u, core::Call::round(reached), surroundings_, effects_);
    ++events_;
    drain(u);
    halted = halted && effects_.halted;
    if (effects_.leader_changed) note_leader(u);
    if (audience_.observed()) record(u);
  }
  said_.swap(saying_);
  std::swap(told_, telling_);
  telling_.clear();
  std::stable_sort(told_.begin(), told_.end(),
                   [](const Single& x, const Single& y) { return x.to < y.to; });
  if (anonymous_ && all_alike()) ++alike_;
  if (halted && !spoken_) return false;
  ++round_;
  return goes_on();
}

bool RoundSimulation::goes_on() {
  const std::uint64_t limit = scenario_.stop.events ? scenario_.stop.events : ~std::uint64_t{0};
  if (events_ >= limit) {
    ended_ = observe::Ended::event_limit;
  } else if (now() > scenario_.stop.time) {
    ended_ = observe::Ended::deadline;
  } else if (on_progress_ && !on_progress_({now(), events_, messages_})) {
    ended_ = observe::Ended::interrupted;
  } else {
    return true;
  }
  return false;
}

void RoundSimulation::note_leader(NodeIndex u) {
  const auto leader = population_.leader(u);
  ++leader_changes_;
  last_leader_change_ = now();
  fingerprint_.fold(u, leader ? core::raw(*leader) : 0);
}

/// Angluin's theorem, seen at work: a deterministic protocol cannot tell the nodes of an anonymous
/// ring apart, so nobody can lead alone.
bool RoundSimulation::all_alike() const {
  for (NodeIndex u = 1; u < population_.size(); ++u)
    if (!nodes().same(u, 0)) return false;
  return true;
}

void RoundSimulation::gather(NodeIndex u) {
  inbox_.clear();
  saying_.clear(u);
  // A link that goes both ways carries the neighbour's broadcast back to the port it came from.
  const auto routes = wiring_.links.routes(u);
  const auto ports = wiring_.links.ports(u);
  if (!wiring_.links.one_way())
    for (std::size_t i = 0; i < routes.size(); ++i)
      if (said_.has(routes[i].to)) inbox_.push_back({ports[i], said_.at(routes[i].to)});
  const std::size_t broadcasts = inbox_.size();
  while (next_told_ < told_.size() && told_[next_told_].to == u) {
    inbox_.push_back({told_[next_told_].port, told_[next_told_].message.value()});
    ++next_told_;
  }
  if (inbox_.size() > broadcasts)
    std::stable_sort(inbox_.begin(), inbox_.end(), [](const auto& x, const auto& y) {
      return x.port < y.port;
    });
}

void RoundSimulation::drain(NodeIndex u) {
  for (const core::Effects::Send& send : effects_.sends) {
    const auto routes = wiring_.links.routes(u);
    const auto tell = [&](Route route) {
      telling_.push_back({route.to, route.port, core::AnyMessage::copy_of(kind_, send.message)});
    };
    std::size_t receivers = routes.size();
    if (send.port != core::every_port) {
      const std::size_t place = wiring_.links.place_of(u, send.port);
      receivers = place < routes.size() ? 1 : 0;
      if (receivers == 1) tell(routes[place]);
    } else if (!wiring_.links.one_way() && !saying_.has(u)) {
      saying_.put(u, send.message);
    } else {  // the second broadcast of a round, or on one-way links
      for (const Route& route : routes) tell(route);
    }
    // Who sent what decides who receives what: it is enough to remember the former.
    fingerprint_.fold((round_ << 32) + u,
                      core::digest_of(kind_, send.message) + core::raw(send.port));
    messages_ += receivers;
    bytes_ += receivers * send.bytes;
    spoken_ = spoken_ || receivers > 0;
  }
}

void RoundSimulation::record_sends(NodeIndex u) {
  const Time arrives = now() + scenario_.rounds.duration;
  for (const core::Effects::Send& send : effects_.sends)
    for (const End e : wiring_.links.ends(u))
      if (send.port == core::every_port || wiring_.links.port(e) == send.port) {
        const NodeIndex to = wiring_.far(e);
        audience_.sent({population_.ids[to], observe::View::of_message(kind_, send.message),
                        observe::Fate::sent, arrives, to});
      }
}

/// One record per message received, so that a space-time diagram shows each arrow; the last one, or
/// a bare one, carries what the round sent.
void RoundSimulation::record(NodeIndex u) {
  observe::StepRecord r;
  r.at = now();
  r.node = population_.ids[u];
  r.place = u;
  r.leader_before = r.leader_after = effects_.leader_before;
  const auto finish = [&] {
    record_sends(u);
    r.leader_after = population_.leader(u);
    if (nodes().can().described) r.state = observe::View::of_state(nodes(), u);
    audience_.step(r);
  };
  if (inbox_.empty()) {
    r.cause = round_ == 0 ? core::Cause::start : core::Cause::timeout;
    return finish();
  }
  for (std::size_t i = 0; i < inbox_.size(); ++i) {
    const End e = wiring_.links.end_of(u, inbox_[i].port);
    r.cause = core::Cause::receive;
    r.peer_place = e == no_end ? std::nullopt : std::optional(wiring_.far(e));
    r.peer = r.peer_place ? std::optional(population_.ids[*r.peer_place]) : std::nullopt;
    r.message = observe::View::of_message(kind_, inbox_[i].message);
    i + 1 == inbox_.size() ? finish() : audience_.step(r);
  }
}

NodeId RoundSimulation::peer_of(void* self, Port port) {
  auto& sim = *static_cast<RoundSimulation*>(self);
  const End e = sim.wiring_.behind(sim.current_, port);
  core::invariant(e != no_end, "a protocol asked who is behind a port that it does not have");
  return sim.population_.ids[sim.wiring_.far(e)];
}

std::uint64_t RoundSimulation::choose_for(void* self, std::uint64_t n) {
  auto& sim = *static_cast<RoundSimulation*>(self);
  return sim.population_.draw(sim.current_, n);
}

observe::Report RoundSimulation::report() const {
  RunTotals totals;
  totals.algorithm = nodes().name();
  totals.events = events_;
  totals.messages = messages_;
  totals.bytes = bytes_;
  totals.time = std::min(now(), scenario_.stop.time);
  totals.ended = ended_;
  totals.violation = violation_;
  totals.fingerprint = fingerprint_;
  for (End e = 0; e < wiring_.links.end_count(); e += 2)
    totals.links.push_back({wiring_.links.owner(e), wiring_.links.owner(e + 1)});
  for (NodeIndex u = 0; u < population_.size(); ++u)
    totals.verdicts.push_back(
        {true, population_.leader(u), nodes().leads(u, population_.ids[u])});
  totals.metrics = {{"rounds", static_cast<double>(round_)},
                    {"leader_changes", static_cast<double>(leader_changes_)},
                    {"last_leader_change_s", core::seconds(last_leader_change_)}};
  if (anonymous_) totals.metrics.push_back({"rounds_alike", static_cast<double>(alike_)});
  return make_report(std::move(totals), scenario_, population_.ids);
}

}  // namespace bellwether::sim
