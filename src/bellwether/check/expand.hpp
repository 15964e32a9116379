// SPDX-License-Identifier: MIT
// From one state to all that may follow it.
#pragma once

#include "bellwether/check/machine.hpp"

namespace bellwether::check {

/// What happens between two states.
struct Action {
  ActionKind kind{};
  std::uint16_t choice = 0;  // which of the outcomes
  NodeIndex node = 0;        // start, tell, fire, crash, restart
  Number at = 0;    // tell: the port; fire: the place of the alarm; deliver, lose, duplicate:
                    // the channel; flip: the link
  Number what = 0;  // deliver, lose, duplicate: the message
  friend bool operator==(const Action&, const Action&) = default;
};

/// Changes of the network, losses and duplicates: they may happen, but need not.
constexpr bool is_fault(ActionKind kind) {
  return kind >= ActionKind::flip;
}

class Successors {
 public:
  virtual ~Successors() = default;
  /// `broken`: the number of a breach, when the step broke an invariant or a property.
  virtual void take(const Action& action, const Number* slots, Number broken) = 0;
};

/// One handler call of an action, or, without a handler, only something that happened.
struct HandlerCall {
  NodeIndex node;
  core::Cause cause;
  std::optional<Occurrence> what;
  std::optional<NodeIndex> peer;
};
struct CallTaken {
  HandlerCall call;
  const Alternative* end;  // null where no handler ran
};
struct CallUnderWay {
  const HandlerCall* call;
  const Alternative* end;
};

/// What there is to do in a state.
struct Situation {
  bool quiet = true;  // no message, no notice, no timer that is not late
  bool rest = true;   // quiet, and no late timer either
};

/// One thread's way of making successors; it remembers what it has asked.
class Expander {
 public:
  Expander(const Plan& plan, Machine& machine, Contents& contents);

  /// All that may follow; with `reduce`, enough of it to meet every quiescent state and every
  /// infinite run. Returns what there is to do.
  Situation expand(const Number* slots, Successors& out, bool reduce);
  Situation situation(const Number* slots) const;
  /// While a successor is taken: the calls that the action was made of.
  std::vector<CallTaken> taken() const {
    std::vector<CallTaken> copy;
    for (const CallUnderWay& each : taken_) copy.push_back({*each.call, each.end});
    return copy;
  }
  /// States as they are, not as their canonical twins.
  void stay_exact() { exact_ = true; }

  bool met_transit_limit() const { return overflow_; }
  std::uint64_t bytes() const { return outcomes_.bytes() + pushes_.bytes() + drops_.bytes(); }

  bool physical(const Number* slots, const Wire& wire, LinkState state) const {
    return state.wanted && facts(slots[wire.a]).alive && facts(slots[wire.b]).alive;
  }
  /// Whether an end of a link has a notification pending.
  bool untold(const Number* slots, NodeIndex u, std::uint8_t port) const;

 private:
  const LocalFacts& facts(LocalId local) const { return machine_.facts(local); }
  const Outcome& outcome(LocalId local, const Occurrence& what);
  Number push(Number content, MessageId message);
  Number drop(Number content, std::size_t place);
  bool conducts(const Number* slots, const PortWiring& socket) const;

  // What may happen, by kind.
  void node_actions(const Number* slots, NodeIndex u, Successors& out);
  void tell(const Number* slots, NodeIndex u, std::uint8_t port, Successors& out);
  void arrivals(const Number* slots, Number channel, ActionKind kind, Successors& out);
  void deliver(const Number* slots, Number channel, std::size_t place, ActionKind kind,
               Successors& out);
  void fire_late(const Number* slots, Successors& out);
  void faults(const Number* slots, Successors& out);
  void scripted(const Number* slots, Budget left, Successors& out);
  void flip(const Number* slots, Number link, Budget left, Successors& out);
  void crash(const Number* slots, NodeIndex u, Budget left, Successors& out);
  void restart(const Number* slots, NodeIndex u, Budget left, Successors& out);
  bool note_change(StateVector& slots, Number link, NodeIndex u);

  // Partial orders.
  bool faults_left(const Number* slots) const;
  std::optional<NodeIndex> persistent(const Number* slots);
  unsigned count_actions(const Number* slots, NodeIndex u) const;
  bool may_fire(const LocalFacts& local, std::size_t alarm) const;

  // Carrying it out: a chain of calls, each of which may end in several ways.
  void begin(const Number* slots);
  void run(const Number* before, const Action& action, Successors& out);
  void run_from(std::size_t call, StateVector& here, const Number* before, Action& action,
                Successors& out);
  void apply(Number* slots, NodeIndex u, const Alternative& chosen);
  void emit(StateVector& slots, const Number* before, const Action& action, Successors& out,
            Number broken);
  void absorb(StateVector& slots, const Number* before);
  Number absorbed(Number content, LocalId local, std::uint8_t port);
  Number note(Number* slots, const HandlerCall& call);
  Number note_rest(Number* slots);

  const Plan& plan_;
  Machine& machine_;
  Contents& contents_;
  Memo outcomes_, pushes_, drops_, absorbed_;
  std::vector<const Outcome*> found_;
  std::vector<StateVector> stack_;  // [0]: before the first call; then one for each call
  std::vector<HandlerCall> calls_;
  std::vector<CallUnderWay> taken_;
  std::uint64_t attempts_ = 0;
  bool exact_ = false;
  const bool calm_;  // links never change
  bool overflow_ = false;
  bool cut_ = false;  // the successor under way met a limit
};

}  // namespace bellwether::check
