// SPDX-License-Identifier: MIT
// The schedule of a run, found out from its trace and its scenario alone. It counts notices by the
// rules of observe/trace/schedule.hpp, not by the simulator's code.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "bellwether/observe/trace/trace.hpp"
#include "bellwether/sim/run_spec.hpp"

namespace bellwether::sim {

/// Keeps a run as a trace.
class Recorder final : public observe::Observer {
 public:
  void begin(const observe::RunHeader& header) override { trace.header = header; }
  void step(const observe::StepRecord& r) override { trace.steps.push_back(observe::to_trace(r)); }
  void drop(const observe::DropRecord& r) override {
    trace.drops.push_back({r.at, r.from, r.to, r.message.text(), std::string(r.why), 0});
  }
  void end() override { trace.complete = true; }
  observe::Trace trace;
};

class DeriveSchedule {
 public:
  using Way = std::pair<NodeId, NodeId>;

  /// `outcomes` is the n of every choose(n) of the algorithm, which must arm no timer.
  DeriveSchedule(const scenario::Scenario& scenario, const observe::Trace& trace, bool strangers,
                 std::uint64_t outcomes)
      : trace_(trace), strangers_(strangers) {
    RunSetup setup = make_setup(scenario);
    ids_ = schedule_.ids = setup.ids;
    alive_ = {ids_.begin(), ids_.end()};
    for (const auto& [name, raw] : scenario.options) schedule_.options.emplace_back(name, raw.text);
    for (const auto& link : setup.network.links) add_link(link, true);
    add_starts(start_times(scenario.start, ids_, scenario.seed));
    add_choices(scenario.seed, outcomes);
    while (setup.changes) {
      const auto change = setup.changes->next();
      if (!change || change->at > scenario.stop.time) break;
      add_change(*change);
    }
    follow_steps();
    for (auto& [way, times] : notices_) schedule_.notices.push_back({way.first, way.second, times});
    add_flights();
  }

  const observe::Schedule& schedule() const { return schedule_; }

 private:
  struct Notice {
    std::size_t ordinal;
    bool up;
  };
  struct Copy {  // of a message that was delivered, or died
    std::string message;
    Time at;
    friend auto operator<=>(const Copy&, const Copy&) = default;
  };

  void add_link(const graph::Edge& link, bool up) {
    schedule_.links.emplace_back(ids_[link.a], ids_[link.b]);
    schedule_.up.push_back(up);
  }

  void add_starts(const std::vector<Time>& times) {
    for (std::size_t u = 0; u < ids_.size(); ++u)
      if (times[u] != core::end_of_time) schedule_.starts.push_back({ids_[u], times[u]});
  }

  void add_choices(std::uint64_t seed, std::uint64_t outcomes) {
    for (NodeIndex u = 0; u < ids_.size(); ++u) {
      schedule_.choices.push_back({ids_[u], {}});
      for (std::uint64_t draw = 0; draw < trace_.steps.size(); ++draw)
        schedule_.choices.back().values.push_back(node_choice(seed, u, draw, outcomes));
    }
  }

  void add_change(const world::Change& change) {
    using observe::Upheaval;
    using world::ChangeKind;
    const bool up = change.kind == ChangeKind::link_up;
    const NodeId a = ids_[change.ends.a], b = ids_[change.ends.b];
    const bool link = up || change.kind == ChangeKind::link_down;
    if (link) {
      const auto is = [&](const Way& w) { return w == Way{a, b} || w == Way{b, a}; };
      if (std::none_of(schedule_.links.begin(), schedule_.links.end(), is))
        add_link(change.ends, false);
    }
    const auto kind = up                                 ? Upheaval::link_up
                      : link                             ? Upheaval::link_down
                      : change.kind == ChangeKind::crash ? Upheaval::crash
                                                         : Upheaval::restart;
    schedule_.changes.push_back({change.at, kind, a, link ? b : NodeId{}, change.memory});
  }

  // The rules of observe/trace/schedule.hpp.
  void promise(NodeId node, NodeId peer, bool up) {
    auto& times = notices_[{node, peer}];
    due_[{node, peer}].push_back({times.size(), up});
    times.emplace_back();
  }
  void apply(const observe::Schedule::ScheduledChange& change) {
    using observe::Upheaval;
    const bool link = change.kind == Upheaval::link_up || change.kind == Upheaval::link_down;
    if (link) {
      const bool up = change.kind == Upheaval::link_up;
      const Way way = std::minmax(change.a, change.b);
      if (there_.contains(way) == up) return;
      up ? void(there_.insert(way)) : void(there_.erase(way));
      if (!alive_.contains(change.a) || !alive_.contains(change.b)) return;
      promise(change.a, change.b, up);
      promise(change.b, change.a, up);
      return;
    }
    const bool back = change.kind == Upheaval::restart;
    if (alive_.contains(change.a) == back) return;
    back ? void(alive_.insert(change.a)) : void(alive_.erase(change.a));
    for (const auto& [a, b] : there_) {
      if (a != change.a && b != change.a) continue;
      const NodeId other = a == change.a ? b : a;
      if (!alive_.contains(other)) continue;
      if (back) promise(change.a, other, true);
      promise(other, change.a, back);
    }
  }

  /// Each step that tells of a link is the earliest notice of its kind that is due there; but what
  /// a node learns at once when it comes back is none.
  void follow_steps() {
    for (std::size_t i = 0; i < schedule_.links.size(); ++i) {
      if (!schedule_.up[i]) continue;
      const auto& [a, b] = schedule_.links[i];
      there_.insert(std::minmax(a, b));
      up_.insert({{a, b}, {b, a}});
    }
    std::size_t applied = 0;
    std::map<NodeId, std::set<NodeId>> at_once;  // ends that went down with their node
    for (const observe::TraceStep& step : trace_.steps) {
      const auto& changes = schedule_.changes;
      while (applied < changes.size() && changes[applied].at <= step.at) apply(changes[applied++]);
      if (step.cause == core::Cause::crash) {
        at_once[step.node].clear();
        for (const NodeId peer : ids_)
          if (up_.erase({step.node, peer}) > 0) at_once[step.node].insert(peer);
      }
      const bool up = step.cause == core::Cause::link_up;
      if (!up && step.cause != core::Cause::link_down) continue;
      const Way way{step.node, *step.peer};
      if (!up && !up_.contains(way)) {
        if (at_once[step.node].erase(*step.peer) == 0) throw std::logic_error("a step too many");
        continue;
      }
      up ? void(up_.insert(way)) : void(up_.erase(way));
      auto& due = due_[way];
      while (!due.empty() && due.front().up != up) due.pop_front();  // it was no step
      if (due.empty()) throw std::logic_error("nobody was to be told of this");
      notices_[way][due.front().ordinal] = step.at;
      due.pop_front();
    }
  }

  /// The first arrival of a message is in the trace; the second of a doubled one is found among
  /// what arrived.
  void add_flights() {
    std::map<Way, std::multiset<Copy>> came, died;
    for (const auto& step : trace_.steps)
      if (step.cause == core::Cause::receive)
        came[{*step.peer, step.node}].insert({step.message, step.at});
    for (const auto& drop : trace_.drops)
      if (!strangers_ && drop.why == "the receiver's end is down")
        died[{drop.from, drop.to}].insert({drop.message, drop.at});
    const auto take = [](std::multiset<Copy>& from, const Copy& copy) {
      const auto found = from.find(copy);
      if (found == from.end()) return false;
      from.erase(found);
      return true;
    };
    struct Sent {
      std::string message;
      observe::Schedule::Moments copies;
      bool duplicated;
    };
    std::map<Way, std::vector<Sent>> sent;
    for (const auto& step : trace_.steps)
      for (const auto& send : step.sends) {
        if (send.fate == observe::Fate::no_link) continue;
        const Way way{step.node, send.to};
        Sent message{send.message, {}, send.fate == observe::Fate::duplicated};
        const Copy first{send.message, send.arrives};
        if (send.fate != observe::Fate::lost) message.copies.emplace_back();
        if (send.fate != observe::Fate::lost && (take(came[way], first) || take(died[way], first)))
          message.copies[0] = send.arrives;
        sent[way].push_back(std::move(message));
      }
    for (auto& [way, messages] : sent) {
      schedule_.flights.push_back({way.first, way.second, {}});
      for (Sent& message : messages) {
        if (message.duplicated) message.copies.push_back(second(came[way], message.message));
        schedule_.flights.back().arrivals.push_back(message.copies);
      }
      if (!came[way].empty()) throw std::logic_error("a message came from nowhere");
    }
  }
  static std::optional<Time> second(std::multiset<Copy>& came, const std::string& message) {
    const auto found = came.lower_bound({message, Time{0}});
    if (found == came.end() || found->message != message) return std::nullopt;
    const Time at = found->at;
    came.erase(found);
    return at;
  }

  const observe::Trace& trace_;
  bool strangers_;
  std::vector<NodeId> ids_;
  observe::Schedule schedule_;
  std::set<NodeId> alive_;
  std::set<Way> there_;  // links that are there, the smaller node first
  std::set<Way> up_;     // ends that are up, by node and peer
  std::map<Way, observe::Schedule::Moments> notices_;
  std::map<Way, std::deque<Notice>> due_;
};

}  // namespace bellwether::sim
