// SPDX-License-Identifier: MIT
#include "bellwether/view/reel.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace bellwether::view {
namespace {

using core::NodeId;
using core::NodeIndex;
using core::Time;

class Reel final : public sim::Inside {
 public:
  Reel(const observe::Trace& trace, sim::Pacer& watcher, observe::Observer& observer)
      : trace_(trace),
        watcher_(watcher),
        observer_(observer),
        nodes_(trace.header.nodes.size()),
        alive_(nodes_, true),
        leaders_(nodes_),
        states_(nodes_) {
    for (NodeIndex u = 0; u < nodes_; ++u) places_.emplace(trace.header.nodes[u], u);
  }

  void play() {
    watcher_.begin(*this);
    auto drop = trace_.drops.begin();
    for (const observe::TraceStep& step : trace_.steps) {
      take_turns(step.at);
      for (; drop != trace_.drops.end() && drop->at <= step.at; ++drop) tell(*drop);
      take(step);
    }
    take_turns(now_ + core::Duration{1});
    over_ = true;
    watcher_.end(*this, trace_.complete ? observe::Ended::quiescent : observe::Ended::interrupted,
                 {});
  }

  Time now() const override { return now_; }
  NodeIndex size() const override { return static_cast<NodeIndex>(nodes_); }
  bool alive(NodeIndex u) const override { return alive_[u]; }
  std::optional<NodeId> leader(NodeIndex u) const override { return leaders_[u]; }
  bool leads(NodeIndex u) const override {
    return alive_[u] && leaders_[u] == trace_.header.nodes[u];
  }
  std::string state(NodeIndex u) const override {
    std::string out;
    core::write_json(out, states_[u]);
    return out;
  }
  std::vector<sim::TimerDue> timers(NodeIndex) const override { return {}; }
  std::vector<NodeId> believed_neighbours(NodeIndex u) const override {
    std::vector<NodeId> out;
    for (const auto& [a, b] : links_)
      if (a == u || b == u) out.push_back(trace_.header.nodes[a == u ? b : a]);
    return out;
  }
  bool ranked() const override { return false; }
  std::uint32_t rank(NodeIndex) const override { return 0; }
  std::optional<NodeId> head(NodeIndex) const override { return std::nullopt; }
  bool has_heights() const override { return false; }
  int higher(NodeIndex, NodeIndex) const override { return 0; }
  std::vector<sim::LiveLink> links() const override {
    std::vector<sim::LiveLink> out;
    for (const auto& [a, b] : links_)
      if (alive_[a] && alive_[b]) out.push_back({a, b, false});
    return out;
  }
  std::uint64_t links_version() const override { return version_; }
  bool at_rest() const override { return over_; }
  sim::Progress progress() const override { return {now_, steps_, messages_}; }
  bool takes_changes() const override { return false; }
  void apply(const world::Change&) override {}
  void pace_at(Time at) override { due_ = at; }

 private:
  void take_turns(Time next) {
    while (due_ < next) {
      now_ = std::max(now_, due_);
      due_ = core::end_of_time;
      watcher_.turn(*this);
    }
    now_ = std::max(now_, next);
  }
  void link(NodeIndex a, NodeIndex b, bool up) {
    const std::pair ends{std::min(a, b), std::max(a, b)};
    if (up ? links_.insert(ends).second : links_.erase(ends) > 0) ++version_;
  }
  NodeIndex place(NodeId id) const {
    const auto found = places_.find(id);
    return found == places_.end() ? 0 : found->second;
  }

  void take(const observe::TraceStep& step) {
    const NodeIndex u = place(step.node);
    if (step.cause == core::Cause::crash || step.cause == core::Cause::restart) {
      alive_[u] = step.cause == core::Cause::restart;
      ++version_;
    }
    if (step.peer) link(u, place(*step.peer), step.cause != core::Cause::link_down);
    leaders_[u] = step.leader_after;
    states_[u] = step.state;
    std::vector<observe::SendRecord> sends;
    for (const observe::TraceSend& send : step.sends) {
      if (send.fate != observe::Fate::no_link) link(u, place(send.to), true);
      sends.push_back({send.to, observe::View::of(send.message), send.fate,
                       send.fate == observe::Fate::sent ? send.arrives : step.at, place(send.to)});
      ++messages_;
    }
    ++steps_;
    observe::StepRecord record;
    record.number = step.number;
    record.at = step.at;
    record.node = step.node;
    record.place = u;
    record.cause = step.cause;
    record.peer = step.peer;
    if (step.peer) record.peer_place = place(*step.peer);
    if (!step.message.empty()) record.message = observe::View::of(step.message);
    if (!step.timer.empty()) record.timer = observe::View::of(step.timer);
    record.sends = sends;
    record.leader_before = step.leader_before;
    record.leader_after = step.leader_after;
    record.state = observe::View::of(step.state);
    observer_.step(record);
  }
  void tell(const observe::TraceDrop& drop) {
    observer_.drop({drop.at, drop.from, drop.to, observe::View::of(drop.message), drop.why,
                    place(drop.from), place(drop.to)});
  }

  const observe::Trace& trace_;
  sim::Pacer& watcher_;
  observe::Observer& observer_;
  std::size_t nodes_;
  std::map<NodeId, NodeIndex> places_;
  std::vector<bool> alive_;
  std::vector<std::optional<NodeId>> leaders_;
  std::vector<std::string> states_;
  std::set<std::pair<NodeIndex, NodeIndex>> links_;
  std::uint64_t version_ = 0, steps_ = 0, messages_ = 0;
  Time now_{};
  Time due_ = core::end_of_time;
  bool over_ = false;
};

}  // namespace

void play_reel(const observe::Trace& trace, sim::Pacer& watcher, observe::Observer& observer) {
  sim::Stage stage;
  stage.ids = trace.header.nodes;
  stage.network.nodes = static_cast<NodeIndex>(stage.ids.size());
  watcher.stage(stage);
  Reel(trace, watcher, observer).play();
}

}  // namespace bellwether::view
