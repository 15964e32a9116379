// SPDX-License-Identifier: MIT
// The protocol as the search sees it: numbered states of one node, numbered messages, and what
// follows when something happens in such a state. A handler runs once for each state of a node
// and each occurrence, however often they are met in the search: protocols are pure, so what
// followed once follows always. The handlers are the compiled ones of the simulator and the
// daemon; only here, in typed_machine.hpp, does the search know their type.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "bellwether/check/plan.hpp"
#include "bellwether/check/pool.hpp"
#include "bellwether/core/facts.hpp"
#include "bellwether/core/property.hpp"

namespace bellwether::check {

using LocalId = Number;  // a state of one node: protocol, ports that are up, armed timers
using MessageId = Number;

/// What can happen to a node, as one handler call.
struct Occurrence {
  enum class Kind : std::uint8_t { start, link_up, link_down, receive, timeout };
  Kind kind{};
  bool unknown = false;  // receive: the node has not been told of the link
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
  Number broken = 0;                   // a sentence, when an invariant did not hold
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

struct AlarmFacts {
  Duration min;
  Duration max;
  Duration left;        // late ones
  bool late;            // longer than anything under way
  std::uint64_t timer;  // a digest of its name
};

/// What the search asks of a state of a node again and again.
struct LocalFacts {
  bool alive = false;
  bool started = false;
  Number ports = 0;  // those that are up, as bits
  std::optional<NodeId> leader;
  std::vector<AlarmFacts> alarms;  // in the order of arming
  std::vector<std::uint64_t> stamps;
};

/// Any number of threads may ask; what is new is found out under a lock.
class Machine {
 public:
  virtual ~Machine() = default;

  /// The node as constructed, with these ports up; it has not started.
  virtual LocalId newborn(NodeIndex node, Number ports) = 0;
  virtual const Outcome& outcome(LocalId local, Occurrence what) = 0;
  const LocalFacts& facts(LocalId local) const { return facts_[local]; }
  /// A node that is down. It remembers, or not.
  virtual LocalId crashed(LocalId local, bool memory) = 0;
  /// Up again: with its memory, its timers and the ports it had, or as a newborn without any.
  virtual LocalId revived(LocalId local, bool memory) = 0;
  /// So much time has passed: late alarms have less left.
  virtual LocalId elapsed(LocalId local, Duration time) = 0;
  /// A message that changes nothing now never will, in this life of the node.
  virtual bool no_op_lasts(MessageId message) const = 0;
  virtual bool absorbs() const = 0;  // whether there is any such message

  /// Renumbers the readings of clocks in the order they have, and picks one of the states that
  /// are the same but for the names of nodes. Whether it may have changed anything.
  virtual bool canonical(Number* slots) = 0;
  virtual bool has_canonical() const = 0;
  virtual std::uint64_t symmetries() const = 0;
  /// The reading of the clock that all share, in this state.
  virtual Number now(const Number* slots) const = 0;

  /// Watches a step: what the properties remember after it. Throws core::Violation, whose sentence
  /// begins with the name of the property and a colon.
  virtual Number watch(Number memory, const Number* slots, const core::Happening& what) = 0;
  /// The same for a state in which nothing is left to do.
  virtual Number watch_rest(Number memory, const Number* slots) = 0;
  /// Whether steps of different nodes can change places. Not so where a property looks on, where
  /// all read one clock, or where readings are renumbered after each step.
  virtual bool steps_commute() const = 0;

  /// Whether what every election owes holds in a state: nothing, or how it does not.
  virtual std::optional<std::string> disagreement(const Number* slots) = 0;

  /// Sentences have numbers from 1.
  virtual Number say(const std::string& sentence) = 0;
  virtual const std::string& sentence(Number broken) const = 0;
  virtual std::uint64_t bytes() const = 0;  // about

 protected:
  Pool<LocalFacts> facts_;
};

}  // namespace bellwether::check
