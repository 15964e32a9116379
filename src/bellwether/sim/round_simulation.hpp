// SPDX-License-Identifier: MIT
// The simulator of synchronous protocols: rounds, natively. A broadcast is kept once, at its
// sender, and every neighbour reads it there; only messages to single ports are kept apart.
#pragma once

#include <algorithm>

#include "bellwether/core/codec.hpp"
#include "bellwether/observe/fingerprint.hpp"
#include "bellwether/sim/aligned.hpp"
#include "bellwether/sim/incidence.hpp"
#include "bellwether/sim/links.hpp"
#include "bellwether/sim/pace.hpp"
#include "bellwether/sim/run_spec.hpp"

namespace bellwether::sim {

template <core::RoundProtocol P>
class RoundSimulation {
 public:
  using Message = typename P::Message;

  RoundSimulation(Stage stage, const scenario::Scenario& scenario, typename P::Options options);

  void observe(observe::Observer& observer) { observers_.push_back(&observer); }
  void on_progress(OnProgress callback) { on_progress_ = std::move(callback); }
  void pace(Pacer* pacer) { pacer_ = pacer; }
  observe::Report run();

  const P& node(NodeIndex u) const { return nodes_[u]; }
  /// Each node has acted once more: in the last round nothing was left to do.
  std::uint64_t rounds() const { return round_; }

 private:
  /// A message to one port.
  struct Single {
    NodeIndex to;
    Port port;  // at the receiver
    Message message;
  };
  using In = core::Received<Message>;

  class Window;  // for the pacer, in round_window.inl
  void take_turns(Window& window);
  bool one_round();
  void gather(NodeIndex u);
  bool all_alike() const;
  void fetch(NodeIndex u) const;
  void drain(NodeIndex u);
  void record(NodeIndex u, std::optional<core::NodeId> before);
  observe::Report report() const;
  Time now() const { return scenario_.rounds.duration * static_cast<std::int64_t>(round_); }
  static core::NodeId peer_of(void* self, Port port);
  static std::uint64_t choose_for(void* self, std::uint64_t n);

  std::vector<P> nodes_;
  Links links_;
  /// The broadcasts of one round: one place per node, and whether it is taken.
  struct Broadcasts {
    explicit Broadcasts(NodeIndex nodes) : message(nodes), there(nodes, 0) {}
    LineVector<Message> message;
    std::vector<unsigned char> there;
  };
  Broadcasts said_, saying_;            // in the last round, and in this one
  std::vector<Single> told_, telling_;  // single messages, sorted by receiver
  std::size_t next_told_ = 0;
  std::vector<In> inbox_;
  core::RoundStepOf<P> step_;
  observe::Fingerprint fingerprint_;
  NodeIndex current_ = 0;
  std::uint64_t round_ = 0;
  std::uint64_t events_ = 0, messages_ = 0, bytes_ = 0, leader_changes_ = 0;
  Time last_leader_change_{};
  bool spoken_ = false;  // somebody sent something in this round
  bool anonymous_;
  std::uint64_t alike_ = 0;  // rounds after which all nodes were in one and the same state

  const scenario::Scenario scenario_;
  std::vector<core::NodeId> ids_;
  std::vector<std::uint64_t> choices_;
  Incidence incidence_;
  std::uint64_t recorded_ = 0;
  std::vector<observe::Observer*> observers_;
  std::vector<observe::SendRecord> sent_;
  OnProgress on_progress_;
  Pacer* pacer_ = nullptr;
  observe::Ended ended_ = observe::Ended::quiescent;
  std::string violation_;
};

template <core::RoundProtocol P>
RoundSimulation<P>::RoundSimulation(Stage stage, const scenario::Scenario& scenario,
                                    typename P::Options options)
    : links_(stage.network),
      said_(stage.network.nodes),
      saying_(stage.network.nodes),
      step_({this, stage.anonymous ? nullptr : &peer_of, &choose_for}),
      anonymous_(stage.anonymous),
      scenario_(scenario),
      ids_(std::move(stage.ids)) {
  nodes_.reserve(ids_.size());
  for (const core::NodeId id : ids_) nodes_.emplace_back(id, options);
}

template <core::RoundProtocol P>
observe::Report RoundSimulation<P>::run() {
  for (auto* observer : observers_)
    observer->begin({std::string(P::name), scenario_.name, scenario_.seed, ids_});
  Window window(*this);
  if (pacer_) pacer_->begin(window);
  try {
    do {
      if (pacer_) take_turns(window);
    } while (one_round());
  } catch (const core::Violation& violation) {
    ended_ = observe::Ended::violation;
    violation_ = violation.what();
  }
  if (pacer_) window.close();
  if (ended_ != observe::Ended::interrupted)
    for (auto* observer : observers_) observer->end();
  return report();
}

template <core::RoundProtocol P>
bool RoundSimulation<P>::one_round() {
  spoken_ = false;
  next_told_ = 0;
  bool halted = true;
  const std::uint64_t limit = scenario_.stop.events ? scenario_.stop.events : ~std::uint64_t{0};
  for (NodeIndex u = 0; u < nodes_.size(); ++u) {
    fetch(u);
    gather(u);
    P& p = nodes_[u];
    current_ = u;
    const auto before = p.leader();
    step_.begin(links_.ports(u), now());
    p.round(step_, inbox_);
    ++events_;
    drain(u);
    halted = halted && p.halted();
    const auto after = p.leader();
    if (before != after) {
      ++leader_changes_;
      last_leader_change_ = now();
      fingerprint_.fold(u, after ? core::raw(*after) : 0);
    }
    if (!observers_.empty()) record(u, before);
  }
  std::swap(said_, saying_);
  std::swap(told_, telling_);
  telling_.clear();
  std::stable_sort(told_.begin(), told_.end(),
                   [](const Single& x, const Single& y) { return x.to < y.to; });
  if (anonymous_ && all_alike()) ++alike_;
  if (halted && !spoken_) return false;
  ++round_;
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

/// Angluin's theorem, seen at work: a deterministic protocol cannot tell the nodes of an anonymous
/// ring apart, so nobody can lead alone.
template <core::RoundProtocol P>
bool RoundSimulation<P>::all_alike() const {
  return std::all_of(nodes_.begin(), nodes_.end(), [&](const P& p) { return p == nodes_[0]; });
}

template <core::RoundProtocol P>
void RoundSimulation<P>::gather(NodeIndex u) {
  inbox_.clear();
  saying_.there[u] = 0;
  // A link that goes both ways carries the neighbour's broadcast back to the port it came from.
  const auto routes = links_.routes(u);
  const auto ports = links_.ports(u);
  if (!links_.one_way())
    for (std::size_t i = 0; i < routes.size(); ++i)
      if (said_.there[routes[i].to]) inbox_.emplace_back(ports[i], said_.message[routes[i].to]);
  const std::size_t broadcasts = inbox_.size();
  while (next_told_ < told_.size() && told_[next_told_].to == u) {
    inbox_.emplace_back(told_[next_told_].port, told_[next_told_].message);
    ++next_told_;
  }
  if (inbox_.size() > broadcasts)
    std::stable_sort(inbox_.begin(), inbox_.end(),
                     [](const In& x, const In& y) { return x.port < y.port; });
}

/// Neighbours lie anywhere in a large network: what the nodes to come will read is asked for ahead.
template <core::RoundProtocol P>
void RoundSimulation<P>::fetch(NodeIndex u) const {
  constexpr NodeIndex stride = 24;
  if (u + 2 * stride < nodes_.size()) links_.fetch(u + 2 * stride);
  if (u + stride >= nodes_.size()) return;
  for (const Route& route : links_.routes(u + stride)) __builtin_prefetch(&said_.message[route.to]);
}

template <core::RoundProtocol P>
void RoundSimulation<P>::drain(NodeIndex u) {
  for (const auto& send : step_.sends()) {
    const std::size_t size = core::encoded_size(send.message);
    const auto routes = links_.routes(u);
    const auto tell = [&](Route route) {
      telling_.push_back({route.to, route.port, send.message});
    };
    std::size_t receivers = routes.size();
    if (send.port != core::every_port) {
      const std::size_t place = links_.place_of(u, send.port);
      receivers = place < routes.size() ? 1 : 0;
      if (receivers == 1) tell(routes[place]);
    } else if (!links_.one_way() && !saying_.there[u]) {
      saying_.there[u] = 1;
      saying_.message[u] = send.message;
    } else {  // the second broadcast of a round, or on one-way links
      for (const Route& route : routes) tell(route);
    }
    // Who sent what decides who receives what: it is enough to remember the former.
    fingerprint_.fold((round_ << 32) + u, core::digest(send.message) + core::raw(send.port));
    messages_ += receivers;
    bytes_ += receivers * size;
    spoken_ = spoken_ || receivers > 0;
  }
}

template <core::RoundProtocol P>
void RoundSimulation<P>::record(NodeIndex u, std::optional<core::NodeId> before) {
  // One record per message received, so that a space-time diagram shows each arrow; the last one,
  // or a bare one, carries what the round sent.
  const Time arrives = now() + scenario_.rounds.duration;
  sent_.clear();
  for (const auto& send : step_.sends()) {
    for (const End e : links_.ends(u))
      if (send.port == core::every_port || links_.port(e) == send.port)
        sent_.push_back({ids_[links_.owner(Links::sister(e))], observe::View::of(send.message),
                         observe::Fate::sent, arrives, links_.owner(Links::sister(e))});
  }
  observe::StepRecord r;
  r.at = now();
  r.node = ids_[u];
  r.place = u;
  r.leader_before = r.leader_after = before;
  const auto finish = [&] {
    r.sends = sent_;
    r.leader_after = nodes_[u].leader();
    if constexpr (core::Described<P>) r.state = observe::View::of(nodes_[u]);
  };
  if (inbox_.empty()) {
    r.cause = round_ == 0 ? core::Cause::start : core::Cause::timeout;
    finish();
    r.number = ++recorded_;
    for (auto* observer : observers_) observer->step(r);
    return;
  }
  for (std::size_t i = 0; i < inbox_.size(); ++i) {
    const End e = links_.end_of(u, inbox_[i].port);
    r.cause = core::Cause::receive;
    r.peer_place = e == no_end ? std::nullopt : std::optional(links_.owner(Links::sister(e)));
    r.peer = r.peer_place ? std::optional(ids_[*r.peer_place]) : std::nullopt;
    r.message = observe::View::of(inbox_[i].message);
    if (i + 1 == inbox_.size()) finish();
    r.number = ++recorded_;
    for (auto* observer : observers_) observer->step(r);
  }
}

template <core::RoundProtocol P>
core::NodeId RoundSimulation<P>::peer_of(void* self, Port port) {
  auto& sim = *static_cast<RoundSimulation*>(self);
  End e = sim.links_.end_of(sim.current_, port);
  if (e == no_end) {
    const auto nodes = static_cast<NodeIndex>(sim.nodes_.size());
    e = sim.incidence_.listening(sim.links_, nodes, sim.current_, port);
  }
  core::invariant(e != no_end, "a protocol asked who is behind a port that it does not have");
  return sim.ids_[sim.links_.owner(Links::sister(e))];
}

template <core::RoundProtocol P>
std::uint64_t RoundSimulation<P>::choose_for(void* self, std::uint64_t n) {
  auto& sim = *static_cast<RoundSimulation*>(self);
  if (sim.choices_.empty()) sim.choices_.resize(sim.nodes_.size());
  return node_choice(sim.scenario_.seed, sim.current_, sim.choices_[sim.current_]++, n);
}

template <core::RoundProtocol P>
observe::Report RoundSimulation<P>::report() const {
  RunTotals totals;
  totals.algorithm = P::name;
  totals.events = events_;
  totals.messages = messages_;
  totals.bytes = bytes_;
  totals.time = std::min(now(), scenario_.stop.time);
  totals.ended = ended_;
  totals.violation = violation_;
  totals.fingerprint = fingerprint_;
  for (End e = 0; e < links_.end_count(); e += 2)
    totals.links.push_back({links_.owner(e), links_.owner(e + 1)});
  for (NodeIndex u = 0; u < nodes_.size(); ++u)
    totals.verdicts.push_back({true, nodes_[u].leader(), core::leads(nodes_[u], ids_[u])});
  totals.metrics = {{"rounds", static_cast<double>(round_)},
                    {"leader_changes", static_cast<double>(leader_changes_)},
                    {"last_leader_change_s", core::seconds(last_leader_change_)}};
  if (anonymous_) totals.metrics.push_back({"rounds_alike", static_cast<double>(alike_)});
  return make_report(std::move(totals), scenario_, ids_);
}

}  // namespace bellwether::sim

#include "bellwether/sim/round_window.inl"
