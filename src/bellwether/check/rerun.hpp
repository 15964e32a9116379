// SPDX-License-Identifier: MIT
// A run that the search has found, taken once more with real nodes, one at a time, as the simulator
// would: it becomes a trace with a schedule, to be read, drawn and replayed. The handlers run anew,
// so this is also a check of the search: who leads must be the same in every step.
#pragma once

#include <deque>

#include "bellwether/check/search.hpp"

namespace bellwether::check {

class Rerun {
 public:
  using Time = core::Time;

  /// `hosted`: no nodes yet, but those that will be.
  Rerun(const Plan& plan, const Machine& machine, std::unique_ptr<core::Nodes> hosted);
  /// The way to where the search began, then the path from there. `endless`: it ends in a cycle.
  void run(const Root& root, const Path& path, bool endless);
  observe::Trace take_trace();
  std::size_t setup_steps() const { return setup_steps_; }
  /// How many steps stand before each action of the path; at the end, how many there are.
  const std::vector<std::size_t>& action_steps() const { return action_steps_; }
  std::size_t step_of_action(std::size_t k) const { return action_steps_.at(k); }
  /// Whether real nodes did in each step what the search says.
  bool as_found() const { return as_found_; }

 private:
  struct PendingMessage {
    MessageId tag;  // what the search calls it
    core::AnyMessage message;
    std::size_t row, ordinal;  // in the schedule
    std::size_t step, send;    // in the trace
  };
  struct PendingTimer {
    core::TimerName timer;
    std::size_t ordinal;
  };
  struct NodeState {
    bool alive = true;
    std::vector<std::optional<Port>> ends;  // by socket: the port, while that end is up
    std::vector<std::optional<Port>> asleep;
    std::uint32_t next_port = 0;
    std::vector<PendingTimer> alarms;
    std::vector<std::vector<std::size_t>> untold;  // by socket: ordinals of notices to come
  };

  void begin(const Root& root);
  void act(const PathStep& step);
  void change_network(const PathStep& step);
  void note_change(Number link, NodeIndex u);
  bool wakes(const Action& action, const HandlerCall& c) const;
  void note_told(NodeIndex u, std::size_t socket);
  void arrive(const PathStep& step);
  void hear(Number channel, std::size_t place, const CallTaken* taken, bool keep);
  void call(const CallTaken& taken, const core::AnyMessage* message);
  Port port_of(const HandlerCall& c);
  void handle(const HandlerCall& c, Port port, const core::AnyMessage* message,
              observe::TraceStep& step);
  void skip_time() { now_ += tick; }
  void drain(NodeIndex u, observe::TraceStep& step, const Alternative* end);
  void post(NodeIndex u, std::size_t socket, const core::AnyMessage& message, MessageId tag,
            observe::TraceStep& step);
  void deliver_rest();
  void flush(Number channel);
  bool physical(Number link) const {
    const Wire& w = plan_.links[link];
    return wanted_[link] && nodes_[w.a].alive && nodes_[w.b].alive;
  }
  std::size_t socket_of(NodeIndex u, Port port) const {
    for (std::size_t s = 0; s < nodes_[u].ends.size(); ++s)
      if (nodes_[u].ends[s] == port) return s;
    return nodes_[u].ends.size();
  }
  /// Which list of the schedule has the notices of one end.
  std::size_t notices_row(Number link, NodeIndex u) const {
    return plan_.spec.one_way ? link : 2 * link + (plan_.links[link].a == u ? 0 : 1);
  }
  NodeId id(NodeIndex u) const { return plan_.spec.ids[u]; }

  static NodeId peer_of(void* self, Port port);
  static std::uint64_t choose_for(void* self, std::uint64_t n);

  static constexpr Time tick = std::chrono::milliseconds(1);
  const Plan& plan_;
  const Machine& machine_;
  const std::unique_ptr<core::Nodes> hosted_;  // by index
  std::vector<NodeState> nodes_;               // what is known of them
  std::vector<bool> wanted_;
  std::vector<std::deque<PendingMessage>> flights_;  // by channel
  observe::Trace trace_;
  observe::Schedule schedule_;
  Time now_{};
  std::size_t setup_steps_ = 0;
  std::vector<std::size_t> action_steps_;
  bool waking_ = false;  // in the steps that a node takes when it comes back with its memory
  bool as_found_ = true;
  bool instant_ = false;

  core::Effects effects_;
  std::vector<Port> ports_;
  NodeIndex stepping_ = 0;
  std::pair<Port, NodeIndex> about_{};
  std::vector<std::uint64_t> choices_;
  std::size_t chosen_ = 0;
};

}  // namespace bellwether::check
