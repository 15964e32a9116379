// SPDX-License-Identifier: MIT
#include "bellwether/view/trace_playback.hpp"

#include <algorithm>

#include "bellwether/view/observed_run.hpp"

namespace bellwether::view {
namespace {

class TracePlayback final : public ObservedRun {
 public:
  TracePlayback(const observe::Trace& trace, sim::Pacer& watcher, observe::Observer& observer)
      : trace_(trace), watcher_(watcher), observer_(observer) {
    for (const NodeId id : trace.header.nodes) seat(id);
  }

  void play() {
    watcher_.setup(setup());
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

  bool at_rest() const override { return over_; }
  sim::Progress progress() const override { return {now_, steps_, messages_}; }

 private:
  void take_turns(Time next) {
    while (due_ < next) {
      now_ = std::max(now_, due_);
      due_ = core::end_of_time;
      watcher_.turn(*this);
    }
    now_ = std::max(now_, next);
  }

  void take(const observe::TraceStep& step) {
    const NodeIndex u = place(step.node);
    if (step.cause == core::Cause::crash || step.cause == core::Cause::restart)
      set_alive(u, step.cause == core::Cause::restart);
    if (step.peer) link(u, place(*step.peer), step.cause != core::Cause::link_down);
    seats_[u].leader = step.leader_after;
    seats_[u].state.clear();
    core::write_json(seats_[u].state, step.state);
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
    record.node_index = u;
    record.cause = step.cause;
    record.peer = step.peer;
    if (step.peer) record.peer_index = place(*step.peer);
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
  std::uint64_t steps_ = 0, messages_ = 0;
  bool over_ = false;
};

}  // namespace

void play_trace(const observe::Trace& trace, sim::Pacer& watcher, observe::Observer& observer) {
  TracePlayback(trace, watcher, observer).play();
}

}  // namespace bellwether::view
