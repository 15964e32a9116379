// SPDX-License-Identifier: MIT
// The host of tests: nodes of one protocol, without its type, that are moved by hand. Nothing
// happens unless a test says so: start this node, deliver that message, fire this timer, take a
// link away. Drivers of nodes in tests build on it, and say by overriding where messages go,
// when timers expire and what is drawn. Only the oracle of the checker (check/oracle_test.hpp) has
// a driver of its own, on purpose.
#pragma once

#include <deque>
#include <map>

#include "bellwether/core/typed.hpp"

namespace bellwether::core {

/// What a step did, as a value.
struct Outcome {
  struct Send {
    Port port;  // every_port for a broadcast
    AnyMessage message;
    friend bool operator==(const Send&, const Send&) = default;
  };
  std::vector<Send> sends;
  std::vector<Effects::Alarm> alarms;
  bool halted = false;  // rounds

  friend bool operator==(const Outcome& a, const Outcome& b);
};

/// Single steps, which have no consequences.
class Player {
 public:
  explicit Player(Nodes& nodes) : nodes_(nodes) {}

  Outcome play(NodeIndex u, const Call& call, const Surroundings& around);
  /// What came of the last one beside what it wants done.
  const Effects& effects() const { return effects_; }

 private:
  Nodes& nodes_;
  Effects effects_;
};

class HandHost : public Configuration {
 public:
  /// One end of a link, under one port of its node.
  struct End {
    NodeIndex far = 0;
    Port far_port{};    // its name at the other end, where a test needs it
    bool up = false;    // its node has been notified
    bool sends = true;  // false: it only listens, at the far end of a one-way link
    bool gone = false;  // the link is down, though this end may not know
    Time latest{};      // when the last message sent here arrives, where messages take time
  };
  struct Armed {
    TimerName timer;
    Time due;
    std::uint64_t number;  // no two are alike, so that one that was moved is known
  };

  explicit HandHost(std::unique_ptr<Nodes> nodes);
  HandHost(const HandHost&) = delete;
  HandHost& operator=(const HandHost&) = delete;
  ~HandHost() override;

  // The configuration. No property of a test asks for what is in transit.
  NodeIndex size() const override { return static_cast<NodeIndex>(nodes_.size()); }
  const Nodes& nodes() const override { return *hosted_; }
  NodeIndex place(NodeIndex u) const override { return nodes_[u].place; }
  NodeId id(NodeIndex u) const override { return nodes_[u].id; }
  bool alive(NodeIndex u) const override { return nodes_[u].alive; }
  Time clock(NodeIndex u) const override { return nodes_[u].clock; }
  std::vector<ChannelState> channels(NodeIndex u) const override;
  /// A node through its type.
  template <class P>
  const P& as(NodeIndex u) const {
    return static_cast<const Typed<P>&>(*hosted_).node(place(u));
  }
  std::size_t leaders_named(NodeId leader) const;

  NodeIndex add(NodeId id) { return adopt(id, hosted_->add(id)); }
  /// A node that is there already.
  NodeIndex adopt(NodeId id, NodeIndex place);
  void set_clock(NodeIndex u, Time now) { nodes_[u].clock = now; }
  /// Its links and timers are gone with it.
  void stop(NodeIndex u);
  /// Back without memory.
  void revive(NodeIndex u);

  /// A new end, under the next port.
  Port open(NodeIndex u, const End& end);
  std::vector<End>& ends(NodeIndex u) { return nodes_[u].ends; }
  End& end(NodeIndex u, Port port) { return nodes_[u].ends.at(raw(port)); }
  const End& end(NodeIndex u, Port port) const { return nodes_[u].ends.at(raw(port)); }
  /// Those that are up and can be sent on.
  std::vector<Port> ports(NodeIndex u) const;
  /// The one that is up and leads there.
  std::optional<Port> port_to(NodeIndex u, NodeIndex far) const;

  /// One step of one node with all that follows from it: the only place in tests that drains what
  /// a handler wants done.
  Outcome step(NodeIndex u, const Call& call);
  Outcome tell_up(NodeIndex u, Port port);
  Outcome tell_down(NodeIndex u, Port port);

  const std::vector<Armed>& armed(NodeIndex u) const { return nodes_[u].armed; }
  bool is_armed(NodeIndex u, const TimerName& timer) const;
  Outcome fire(NodeIndex u, const TimerName& timer);

  // What is in transit, where it is kept as here: oldest first, by sender and receiver.
  using Way = std::pair<NodeIndex, NodeIndex>;
  std::map<Way, std::deque<AnyMessage>>& transit() { return transit_; }
  const std::map<Way, std::deque<AnyMessage>>& transit() const { return transit_; }
  std::vector<Way> busy() const;
  /// Takes the message that is that many behind the oldest one.
  AnyMessage take(Way way, std::size_t behind = 0);

 protected:
  virtual Outcome play(NodeIndex u, const Call& call, const Surroundings& around);
  virtual void on_send(NodeIndex u, Port port, const AnyMessage& message);
  virtual void on_stray(NodeIndex, Port port);
  virtual void on_alarm(NodeIndex u, const Effects::Alarm& alarm);
  /// Of a timer. Where nothing is drawn, always the least; and always the first outcome.
  virtual Duration delay(Duration min, Duration) { return min; }
  virtual std::uint64_t choose(std::uint64_t) { return 0; }

  /// False: it was not armed.
  bool disarm(NodeIndex u, const TimerName& timer);
  Nodes& hosted() { return *hosted_; }

 private:
  struct Node {
    NodeId id;
    NodeIndex place;
    bool alive;
    Time clock;
    std::vector<End> ends;  // by port
    std::vector<Armed> armed;
  };

  /// Strict: a node may ask who is behind a port that is up, or that the step is about.
  static NodeId peer_of(void* self, Port port);
  static std::uint64_t choose_for(void* self, std::uint64_t n) {
    return static_cast<HandHost*>(self)->choose(n);
  }

  std::unique_ptr<Nodes> hosted_;
  Player player_;
  std::vector<Node> nodes_;
  std::map<Way, std::deque<AnyMessage>> transit_;
  NodeIndex stepping_ = 0;
  Port about_ = every_port;
  std::uint64_t armings_ = 0;
};

/// Nodes of a protocol whose type is known.
template <class P>
std::unique_ptr<Nodes> nodes_of(typename P::Options options) {
  return std::make_unique<Typed<P>>(std::move(options));
}

}  // namespace bellwether::core
