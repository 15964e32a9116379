// SPDX-License-Identifier: MIT
// The protocol as the search sees it: numbered states of one node, numbered messages, and what
// follows when something happens in such a state. A handler runs once for each state of a node
// and each occurrence, however often they are met in the search: protocols are pure, so what
// followed once follows always. The handlers are the compiled ones of the simulator and the
// daemon.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "bellwether/check/contents.hpp"
#include "bellwether/check/judge.hpp"
#include "bellwether/check/local_state.hpp"
#include "bellwether/check/messages.hpp"
#include "bellwether/check/watch.hpp"

namespace bellwether::check {

using LocalId = Number;  // a state of one node: protocol, ports that are up, armed timers

/// What can happen to a node, as one handler call.
struct Occurrence {
  enum class Kind : std::uint8_t { start, link_up, link_down, receive, timeout };
  Kind kind{};
  bool unknown = false;  // receive: the node has not been notified of the link
  std::uint8_t port = 0;
  Number what = 0;  // receive: the message; timeout: the place of the alarm
  Number now = 0;   // the reading of a clock that all share, where the protocol reads one
};

struct Sent {
  std::uint8_t port;
  MessageId message;
};

/// One way in which a step can end: several where the protocol chooses.
struct Alternative {
  LocalId next = 0;
  std::vector<Sent> sends;
  std::vector<std::uint64_t> choices;  // that lead here
  Number broken = 0;                   // a breach, when an invariant did not hold
  friend bool operator==(const Alternative& a, const Alternative& b) {
    return a.next == b.next && a.broken == b.broken && a.sends.size() == b.sends.size() &&
           std::equal(a.sends.begin(), a.sends.end(), b.sends.begin(),
                      [](auto& x, auto& y) { return x.port == y.port && x.message == y.message; });
  }
};

struct Outcome {
  std::vector<Alternative> alternatives;
  bool no_op = false;  // nothing changes and nothing is sent
};

class StateView;
class StampRanks;

/// Any number of threads may ask; what is new is found out under a lock.
class Machine {
 public:
  Machine(const Plan& plan, std::unique_ptr<core::Nodes> nodes, core::PropertyMonitors monitors,
          const JudgeSpec& judge);
  /// Before the first question that needs it.
  void read_channels_from(Contents& contents) { contents_ = &contents; }
  void use_symmetries(std::vector<std::vector<NodeIndex>> all) { symmetries_ = std::move(all); }

  /// The node as constructed, with these ports up; it has not started.
  LocalId initial_state(NodeIndex node, Number ports);
  const Outcome& outcome(LocalId local, const Occurrence& what);
  const LocalFacts& facts(LocalId local) const { return facts_[local]; }
  /// A node that is down. It remembers, or not.
  LocalId crashed(LocalId local, bool memory);
  /// Up again: with its memory, its timers and the ports it had, or restarted without memory.
  LocalId revived(LocalId local, bool memory);
  /// `time` has passed: late alarms have less left.
  LocalId elapsed(LocalId local, Duration time);
  /// A message that changes nothing now never will, in this life of the node.
  bool no_op_lasts(MessageId message) const { return messages_.no_op_lasts(message); }
  /// Whether there is any such message.
  bool absorbs() const { return can_.lasting_no_ops; }

  /// Renumbers the readings of clocks in the order they have, and picks one of the states that
  /// are the same but for the names of nodes. Whether it may have changed anything.
  bool canonical(Number* slots);
  bool has_canonical() const { return ranks_ || symmetries_.size() > 1; }
  std::uint64_t symmetries() const { return std::max<std::size_t>(1, symmetries_.size()); }
  /// The reading of the clock that all share, in this state.
  Number now(const Number* slots) const {
    return clock_ == core::ClockUse::always ? latest(slots) + 1 : 0;
  }

  /// Watches a step: what the properties remember after it. Throws Breach.
  Number watch(Number memory, const Number* slots, const core::Happening& what);
  /// The same for a state in which nothing is left to do.
  Number watch_rest(Number memory, const Number* slots);
  /// Shows a state to `look`, which must not ask the machine for what is new.
  void show(const Number* slots, const std::function<void(const core::Configuration&)>& look);
  /// Whether steps of different nodes can change places. Not so where a property looks on, where
  /// all read one clock, or where readings are renumbered after each step.
  bool steps_commute() const {
    return !watcher_.watches() && clock_ != core::ClockUse::always && !ranks_;
  }

  /// Whether what every election owes holds in a state: nothing, or how it does not.
  std::optional<Breach> disagreement(const Number* slots) const {
    return judge_.at_rest(*this, slots);
  }

  /// Breaches have numbers from 1.
  Number note(Breach breach);
  const Breach& breach(Number broken) const { return breaches_[broken]; }
  std::uint64_t bytes() const;  // approximately

 private:
  friend class StateView;
  /// A state of a node, and where what its protocol holds stands among `nodes_`.
  struct StoredState {
    LocalState state;
    NodeIndex at = 0;
  };
  struct OutcomeKey {
    Number local, what, now, rest;
    friend bool operator==(const OutcomeKey&, const OutcomeKey&) = default;
  };
  struct HashKey {
    std::size_t operator()(const OutcomeKey& k) const {
      return core::mix(std::uint64_t{k.local} << 32 | k.what, std::uint64_t{k.now} << 32 | k.rest);
    }
  };
  core::Time clock_of(const LocalState& local, Number now) const;

  /// A state that is known: what its protocol holds stands in `draft_` then, to be changed.
  LocalState taken_up(LocalId id);
  /// The number of a state whose protocol holds what stands in `draft_`.
  LocalId number_of(LocalState&& local);
  Outcome find_out(LocalId id, const Occurrence& what);
  void call(LocalState& local, const Occurrence& what);
  Alternative collect(LocalState&& local);
  bool next_choices();

  Number latest(const Number* slots) const;
  bool compress(Number* slots);
  LocalId restamped(LocalId id, StampRanks& ranks);
  MessageId restamped_message(MessageId id, StampRanks& ranks);
  bool pick_twin(Number* slots);
  StateVector twin_of(const StateVector& original, const std::vector<NodeIndex>& to);

  static NodeId peer_of(void* self, Port port);
  static std::uint64_t choose_for(void* self, std::uint64_t n);

  const Plan& plan_;
  const std::unique_ptr<core::Nodes> nodes_;
  const core::Capabilities can_;
  const core::ClockUse clock_;
  const bool ranks_;  // readings of clocks are renumbered
  Watcher watcher_;
  Judge judge_;
  Contents* contents_ = nullptr;
  std::vector<std::vector<NodeIndex>> symmetries_;

  std::mutex mutex_;
  NodeIndex draft_;  // among `nodes_`: what is being changed
  const std::size_t node_bytes_;
  Pool<StoredState> locals_;
  Pool<LocalFacts> facts_;
  std::unordered_multimap<std::uint64_t, LocalId> local_numbers_;  // by digest
  Messages messages_;
  Pool<Outcome> outcomes_;
  std::unordered_map<OutcomeKey, Number, HashKey> outcome_numbers_;
  Pool<Breach> breaches_;

  // What was renumbered before: a number and the ranks of its readings.
  std::unordered_map<std::string, Number> restamped_locals_, restamped_messages_;

  // Of the handler that runs.
  core::Effects effects_;
  std::vector<Port> ports_;
  NodeIndex stepping_ = 0;
  std::size_t about_ = 0;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> choices_;  // value, out of how many
  std::size_t chosen_ = 0;
};

}  // namespace bellwether::check
