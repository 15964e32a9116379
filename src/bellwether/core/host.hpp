// SPDX-License-Identifier: MIT
// The place where protocols meet drivers: the nodes of one protocol, without its type. Simulator,
// layers, search and daemon know this class and nothing else of a protocol, and are compiled once;
// Typed<P> (typed.hpp) is what stands behind it, in one small source for each algorithm.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bellwether/core/any_message.hpp"
#include "bellwether/core/facts.hpp"
#include "bellwether/core/ids.hpp"
#include "bellwether/core/inbox.hpp"
#include "bellwether/core/member_list.hpp"
#include "bellwether/core/plain_run.hpp"
#include "bellwether/core/round_run.hpp"
#include "bellwether/core/step.hpp"
#include "bellwether/core/time.hpp"
#include "bellwether/core/timer_name.hpp"
#include "bellwether/core/tree_place.hpp"

namespace bellwether::core {

class Configuration;
class PropertyMonitor;
class Relabelling;

/// One call of one handler.
struct Call {
  enum class Handler : unsigned char {
    none,  // nothing is called: a node comes back with its memory
    start,
    link_up,
    link_down,
    farewell,  // link_down, since the node behind the port leaves
    receive,
    timeout,
    round,
    set_priority
  };
  Handler handler;
  Port port = every_port;
  union {
    const void* message;  // receive
    const TimerName* timer;
    const std::span<const Incoming>* inbox;
    std::uint32_t priority;
  };

  static Call nothing() { return Call(Handler::none); }
  static Call start() { return Call(Handler::start); }
  static Call link_up(Port port) { return Call(Handler::link_up, port); }
  static Call link_down(Port port) { return Call(Handler::link_down, port); }
  static Call farewell(Port port) { return Call(Handler::farewell, port); }
  static Call receive(Port port, const void* message) {
    return Call(Handler::receive, port, message);
  }
  static Call timeout(const TimerName& timer) {
    Call call(Handler::timeout);
    call.timer = &timer;
    return call;
  }
  static Call round(const std::span<const Incoming>& inbox) {
    Call call(Handler::round);
    call.inbox = &inbox;
    return call;
  }
  static Call set_priority(std::uint32_t priority) {
    Call call(Handler::set_priority);
    call.priority = priority;
    return call;
  }

 private:
  explicit Call(Handler h, Port p = every_port, const void* m = nullptr)
      : handler(h), port(p), message(m) {}
};

/// What a handler can see.
struct Surroundings {
  DriverHooks hooks;
  std::span<const Port> ports;  // those that are up now, ascending
  Time now{};                   // this node's clock
};

/// What a handler wants done, and what came of it. Messages lie where they are until the next call.
struct Effects {
  // Both have constructors, so that they are built where they will lie.
  struct Send {
    Send(Port p, std::uint32_t wire_bytes, void* m) : port(p), bytes(wire_bytes), message(m) {}
    Port port;            // every_port for a broadcast
    std::uint32_t bytes;  // that it takes on the wire
    void* message;        // may be moved from
  };
  struct Alarm {
    Alarm(const TimerName& name, bool on, Duration from, Duration to)
        : timer(name), armed(on), min(from), max(to) {}
    TimerName timer;
    bool armed;  // false: disarm
    Duration min;
    Duration max;
  };
  std::vector<Send> sends;
  std::vector<Alarm> alarms;
  bool inner = false;  // of a node that a layer carries: sizes are not needed
  // Whom the node named before. A layer names no leader of its own, and asks only where it has
  // called the node inside: once in each of its own calls.
  bool leader_asked = false;
  std::optional<NodeId> leader_before;  // where it was asked
  bool leader_changed = false;
  bool halted = false;       // rounds: the node needs no other unless something reaches it
  std::uint64_t digest = 0;  // of a small message that was received
};

/// Everything that a driver may ask of a protocol beyond the handlers, and whether it is there.
struct Capabilities {
  bool rounds = false;  // `round(step, inbox)` in place of the other handlers
  bool timers = false;
  bool described = false;       // it has `fields`: its state can be printed and searched
  bool airborne = false;        // needs no links from its driver: a layer detects neighbours
  bool ranked = false;          // rank(), leaders()
  bool heights = false;         // height(): links lead from the higher node to the lower
  bool priorities = false;      // set_priority(step, priority)
  bool map = false;             // known()
  bool list = false;            // member_list()
  bool tree = false;            // tree_place()
  bool silence_timers = false;  // is_silence(timer)
  bool beacons = false;         // is_beacon(message)
  bool stamps = false;          // for_each_stamp(visit): readings of clocks that can be renumbered
  bool forgets = false;         // forget_unused(): dead parts of a state can be cleared
  bool symmetric = false;       // ids and ports are compared for equality only
  bool lasting_no_ops = false;  // no_op_lasts(message, options, restarts)
};

/// Where the nodes lie, for those who ask for memory ahead.
struct Layout {
  const std::byte* first;
  std::size_t stride;
};

class Nodes {
 public:
  Nodes() { scratch_.inner = true; }
  Nodes(const Nodes&) = delete;
  Nodes& operator=(const Nodes&) = delete;
  virtual ~Nodes();

  // Which protocol, with which options.
  virtual std::string_view name() const = 0;
  virtual const Facts& facts() const = 0;
  virtual const Capabilities& can() const = 0;
  virtual Criterion criterion() const = 0;
  virtual ClockUse clock_use() const = 0;
  /// The most messages that are claimed for that many nodes and links.
  virtual std::optional<std::uint64_t> message_bound(std::uint64_t nodes,
                                                     std::uint64_t links) const = 0;
  virtual std::vector<std::unique_ptr<PropertyMonitor>> monitors() = 0;
  /// Those that are watched only where they are asked for by name.
  virtual std::vector<std::unique_ptr<PropertyMonitor>> monitors_on_request() = 0;

  // The nodes.
  virtual NodeIndex add(NodeId id) = 0;
  virtual void reserve(NodeIndex nodes) = 0;
  /// As it was made: without memory.
  virtual void reset(NodeIndex u, NodeId id) = 0;
  virtual NodeIndex copy(NodeIndex u) = 0;
  virtual void assign(NodeIndex u, NodeIndex from) = 0;
  virtual void remove(NodeIndex u) = 0;
  virtual Layout layout() const = 0;

  /// One step of one node.
  virtual void call(NodeIndex u, const Call& what, const Surroundings& around, Effects& out) = 0;

  /// Many steps at once, of protocols with small messages and without timers: large networks spend
  /// their time on little else.
  virtual void deliver(const EventQueue::Batch& batch, PlainRun& run) = 0;

  /// A whole round of all nodes, of protocols that proceed in rounds.
  virtual void play(RoundRun& run) = 0;

  virtual std::optional<NodeId> leader(NodeIndex u) const = 0;
  virtual bool leads(NodeIndex u, NodeId id) const = 0;
  virtual bool halted(NodeIndex u) const = 0;  // rounds
  virtual std::uint32_t rank(NodeIndex u) const = 0;
  virtual std::vector<NodeId> leaders(NodeIndex u) const = 0;
  /// 1: a is higher, 2: b is; 0: neither.
  virtual int higher(NodeIndex a, NodeIndex b) const = 0;
  virtual const Known* known(NodeIndex u) const = 0;
  /// Null where no list is kept.
  virtual const MemberList* member_list(NodeIndex u) const = 0;
  virtual std::optional<TreePlace> tree_place(NodeIndex u) const = 0;
  /// The neighbours that a layer has detected; null where none does.
  virtual const std::vector<NodeId>* detected(NodeIndex u) const = 0;

  virtual bool same(NodeIndex a, NodeIndex b) const = 0;
  virtual void walk(NodeIndex u, DigestSink& sink) const = 0;
  virtual void walk(NodeIndex u, ByteSink& sink) const = 0;
  virtual void walk(NodeIndex u, CountSink& sink) const = 0;
  virtual void print(NodeIndex u, Form form, std::string& out) const = 0;

  // Messages and timers.
  virtual const MessageKind& messages() const = 0;
  virtual bool is_beacon(const void* message) const = 0;
  virtual bool is_silence(const TimerName& timer) const = 0;
  virtual bool read(Reader& in, AnyMessage& message) const = 0;
  virtual void print(const TimerName& timer, Form form, std::string& out) const = 0;

  // For a search: readings of clocks by group, and other names for the same.
  using Visit = void (*)(void* context, std::uint64_t group, std::uint64_t& magnitude);
  virtual void for_each_stamp(NodeIndex u, Visit visit, void* context) = 0;
  virtual void for_each_stamp(void* message, Visit visit, void* context) const = 0;
  /// Numbers with which readings are only compared, also of those to come, which are above.
  virtual void for_each_bound(NodeIndex u, Visit visit, void* context) = 0;
  /// What no later step reads before it is written again becomes what it is at the start.
  virtual void forget_unused(NodeIndex u) = 0;
  virtual void relabel(NodeIndex u, const Relabelling& names) = 0;
  virtual void relabel(void* message, const Relabelling& names) const = 0;
  virtual TimerName relabelled(const TimerName& timer, const Relabelling& names) const = 0;
  /// A message that changes nothing now never will, in this life of a node; `restarts`: nodes may
  /// come back without memory.
  virtual bool no_op_lasts(const void* message, bool restarts) const = 0;

  // What follows from these.
  std::uint64_t digest(NodeIndex u) const;
  std::string text(NodeIndex u, Form form = Form::text) const;
  std::string text(const TimerName& timer, Form form = Form::text) const;
  /// Nothing on garbage.
  std::optional<AnyMessage> decode(std::span<const std::uint8_t> bytes) const;

  /// For a layer that carries these nodes inside its own: used between two of its calls.
  Effects& scratch() { return scratch_; }

 private:
  Effects scratch_;
};

/// One node of another protocol, as a regular value: what a layer carries.
class AnyNode {
 public:
  AnyNode() = default;
  AnyNode(Nodes& nodes, NodeId id) : nodes_(&nodes), at_(nodes.add(id)) {}
  AnyNode(const AnyNode& other) : nodes_(other.nodes_), at_(nodes_ ? nodes_->copy(other.at_) : 0) {}
  AnyNode(AnyNode&& other) noexcept
      : nodes_(std::exchange(other.nodes_, nullptr)), at_(other.at_) {}
  AnyNode& operator=(AnyNode other) noexcept {
    std::swap(nodes_, other.nodes_);
    std::swap(at_, other.at_);
    return *this;
  }
  ~AnyNode() {
    if (nodes_) nodes_->remove(at_);
  }

  /// What came of it; valid until the next call of any node beside it.
  Effects& call(const Call& what, const Surroundings& around) {
    Effects& out = nodes_->scratch();
    nodes_->call(at_, what, around, out);
    return out;
  }
  Nodes& nodes() const { return *nodes_; }
  NodeIndex index() const { return at_; }
  std::optional<NodeId> leader() const { return nodes_->leader(at_); }
  bool is_described() const { return nodes_ != nullptr && nodes_->can().described; }

  template <class Sink>
  void walk_into(Sink& sink) const {
    nodes_->walk(at_, sink);
  }
  void print_into(std::string& out) const { nodes_->print(at_, Form::text, out); }
  void json_into(std::string& out) const { nodes_->print(at_, Form::json, out); }

  friend bool operator==(const AnyNode& a, const AnyNode& b) {
    return a.nodes_ == b.nodes_ && (!a.nodes_ || a.nodes_->same(a.at_, b.at_));
  }

 private:
  Nodes* nodes_ = nullptr;
  NodeIndex at_ = 0;
};

/// A timer of the node inside, among those of a layer.
class AnyTimer {
 public:
  AnyTimer() = default;
  AnyTimer(const Nodes& nodes, const TimerName& name) : nodes_(&nodes), name_(name) {}
  const TimerName& name() const { return name_; }
  bool is_silence() const { return nodes_->is_silence(name_); }

  template <class Sink>
  void walk_into(Sink& sink) const {
    name_.walk_into(sink);
  }
  void print_into(std::string& out) const { nodes_->print(name_, Form::text, out); }
  void json_into(std::string& out) const { nodes_->print(name_, Form::json, out); }
  bool read_from(Reader& in);

  friend bool operator==(const AnyTimer& a, const AnyTimer& b) { return a.name_ == b.name_; }

 private:
  const Nodes* nodes_ = nullptr;
  TimerName name_;
};

}  // namespace bellwether::core
