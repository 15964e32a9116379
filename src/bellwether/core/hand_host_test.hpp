// SPDX-License-Identifier: MIT
// The host of tests: nodes of one protocol, without its type, that are moved by hand. Nothing
// happens unless a test says so: start this node, deliver that message, fire this timer, take a
// link away. Whoever drives nodes in a test stands on it, and says by overriding where messages go,
// when timers expire and what is drawn. Only the oracle of the checker (check/oracle_test.hpp) has
// a driver of its own, on purpose.
#pragma once

#include <algorithm>
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

  friend bool operator==(const Outcome& a, const Outcome& b) {
    const auto same_alarm = [](const Effects::Alarm& x, const Effects::Alarm& y) {
      return x.timer == y.timer && x.armed == y.armed && x.min == y.min && x.max == y.max;
    };
    return a.sends == b.sends && a.halted == b.halted &&
           std::equal(a.alarms.begin(), a.alarms.end(), b.alarms.begin(), b.alarms.end(),
                      same_alarm);
  }
};

/// Single steps, which have no consequences.
class Player {
 public:
  explicit Player(Nodes& nodes) : nodes_(nodes) {}

  Outcome play(NodeIndex u, const Call& call, const Surroundings& around) {
    nodes_.call(u, call, around, effects_);
    Outcome out;
    for (const Effects::Send& send : effects_.sends) {
      out.sends.push_back({send.port, AnyMessage::moved(nodes_.messages(), send.message)});
      invariant(send.bytes == out.sends.back().message.encoded_size(),
                "a message takes other bytes than its driver is told");
    }
    out.alarms = effects_.alarms;
    out.halted = effects_.halted;
    return out;
  }
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
    Port far_port{};    // its name at the other end, where somebody asks for it
    bool up = false;    // its node has been told so
    bool sends = true;  // false: it only listens, at the far end of a one-way link
    bool gone = false;  // the link is down, though this end may not know
    Time latest{};      // when the last message sent here arrives, where messages take time
  };
  struct Armed {
    TimerName timer;
    Time due;
    std::uint64_t number;  // no two are alike, so that one that was moved is known
  };

  explicit HandHost(std::unique_ptr<Nodes> nodes) : hosted_(std::move(nodes)), player_(*hosted_) {}

  // The configuration. No property of a test asks for what is in transit.
  NodeIndex size() const override { return static_cast<NodeIndex>(nodes_.size()); }
  const Nodes& nodes() const override { return *hosted_; }
  NodeIndex place(NodeIndex u) const override { return nodes_[u].place; }
  NodeId id(NodeIndex u) const override { return nodes_[u].id; }
  bool alive(NodeIndex u) const override { return nodes_[u].alive; }
  Time clock(NodeIndex u) const override { return nodes_[u].clock; }
  std::vector<ChannelState> channels(NodeIndex u) const override {
    std::vector<ChannelState> out;
    for (const Port port : ports(u)) {
      const End& near = end(u, port);
      const bool far_up = end(near.far, near.far_port).up;
      out.push_back({near.far, port, far_up ? std::optional(near.far_port) : std::nullopt, {}});
    }
    return out;
  }
  /// A node through its type.
  template <class P>
  const P& as(NodeIndex u) const {
    return static_cast<const Typed<P>&>(*hosted_).node(place(u));
  }
  std::size_t leaders_named(NodeId leader) const {
    std::size_t count = 0;
    for (NodeIndex u = 0; u < size(); ++u) count += alive(u) && this->leader(u) == leader ? 1 : 0;
    return count;
  }

  NodeIndex add(NodeId id) { return adopt(id, hosted_->add(id)); }
  /// A node that is there already.
  NodeIndex adopt(NodeId id, NodeIndex place) {
    nodes_.push_back({id, place, true, {}, {}, {}});
    return size() - 1;
  }
  void set_clock(NodeIndex u, Time now) { nodes_[u].clock = now; }
  /// Its links and timers are gone with it.
  void stop(NodeIndex u) {
    nodes_[u].alive = false;
    nodes_[u].armed.clear();
    for (End& each : nodes_[u].ends) each.up = false;
  }
  /// Back without memory.
  void revive(NodeIndex u) {
    nodes_[u].alive = true;
    hosted_->reset(place(u), id(u));
  }

  /// A new end, under the next port.
  Port open(NodeIndex u, const End& end) {
    nodes_[u].ends.push_back(end);
    return Port{static_cast<std::uint32_t>(nodes_[u].ends.size() - 1)};
  }
  std::vector<End>& ends(NodeIndex u) { return nodes_[u].ends; }
  End& end(NodeIndex u, Port port) { return nodes_[u].ends.at(raw(port)); }
  const End& end(NodeIndex u, Port port) const { return nodes_[u].ends.at(raw(port)); }
  /// Those that are up and can be sent on.
  std::vector<Port> ports(NodeIndex u) const {
    std::vector<Port> out;
    for (std::uint32_t p = 0; p < nodes_[u].ends.size(); ++p)
      if (nodes_[u].ends[p].up && nodes_[u].ends[p].sends) out.push_back(Port{p});
    return out;
  }
  /// The one that is up and leads there.
  std::optional<Port> port_to(NodeIndex u, NodeIndex far) const {
    for (std::uint32_t p = 0; p < nodes_[u].ends.size(); ++p)
      if (nodes_[u].ends[p].up && nodes_[u].ends[p].far == far) return Port{p};
    return std::nullopt;
  }

  /// One step of one node with all that follows from it: the only place in tests that drains what
  /// a handler wants done.
  Outcome step(NodeIndex u, const Call& call) {
    invariant(alive(u), "a step of a node that has crashed");
    const std::vector<Port> up = ports(u);
    stepping_ = u;
    about_ = call.port;
    Outcome outcome = play(u, call, {{this, &peer_of, &choose_for}, up, clock(u)});
    for (const auto& [port, message] : outcome.sends) {
      if (port == every_port)
        for (const Port each : up) on_send(u, each, message);
      else if (std::binary_search(up.begin(), up.end(), port))
        on_send(u, port, message);
      else
        on_stray(u, port);
    }
    for (const Effects::Alarm& alarm : outcome.alarms) on_alarm(u, alarm);
    return outcome;
  }
  Outcome tell_up(NodeIndex u, Port port) {
    end(u, port).up = true;
    return step(u, Call::link_up(port));
  }
  Outcome tell_down(NodeIndex u, Port port) {
    end(u, port).up = false;
    return step(u, Call::link_down(port));
  }

  const std::vector<Armed>& armed(NodeIndex u) const { return nodes_[u].armed; }
  bool is_armed(NodeIndex u, const TimerName& timer) const {
    return std::any_of(armed(u).begin(), armed(u).end(),
                       [&](const Armed& each) { return each.timer == timer; });
  }
  Outcome fire(NodeIndex u, const TimerName& timer) {
    invariant(disarm(u, timer), "no such timer is armed there");
    return step(u, Call::timeout(timer));
  }

  // What is in transit, where it is kept as here: oldest first, by sender and receiver.
  using Way = std::pair<NodeIndex, NodeIndex>;
  std::map<Way, std::deque<AnyMessage>>& transit() { return transit_; }
  const std::map<Way, std::deque<AnyMessage>>& transit() const { return transit_; }
  std::vector<Way> busy() const {
    std::vector<Way> out;
    for (const auto& [way, messages] : transit_)
      if (!messages.empty()) out.push_back(way);
    return out;
  }
  /// Takes the message that is that many behind the oldest one.
  AnyMessage take(Way way, std::size_t behind = 0) {
    std::deque<AnyMessage>& messages = transit_[way];
    invariant(behind < messages.size(), "no such message is in transit");
    AnyMessage message = messages[behind];
    messages.erase(messages.begin() + static_cast<std::ptrdiff_t>(behind));
    return message;
  }

 protected:
  virtual Outcome play(NodeIndex u, const Call& call, const Surroundings& around) {
    return player_.play(place(u), call, around);
  }
  virtual void on_send(NodeIndex u, Port port, const AnyMessage& message) {
    if (!end(u, port).gone) transit_[{u, end(u, port).far}].push_back(message);
  }
  virtual void on_stray(NodeIndex, Port port) {
    throw Violation("it sends on port " + text_of(port) + ", which is not up");
  }
  virtual void on_alarm(NodeIndex u, const Effects::Alarm& alarm) {
    disarm(u, alarm.timer);
    if (alarm.armed)
      nodes_[u].armed.push_back({alarm.timer, clock(u) + delay(alarm.min, alarm.max), ++armings_});
  }
  /// Of a timer. Where nothing is drawn, always the least; and always the first outcome.
  virtual Duration delay(Duration min, Duration) { return min; }
  virtual std::uint64_t choose(std::uint64_t) { return 0; }

  /// False: it was not armed.
  bool disarm(NodeIndex u, const TimerName& timer) {
    return std::erase_if(nodes_[u].armed, [&](const Armed& each) { return each.timer == timer; }) >
           0;
  }
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
  static NodeId peer_of(void* self, Port port) {
    const auto& host = *static_cast<const HandHost*>(self);
    const auto& ends = host.nodes_[host.stepping_].ends;
    invariant(raw(port) < ends.size() && (ends[raw(port)].up || port == host.about_),
              "it asks who is behind a port that is down");
    return host.id(ends[raw(port)].far);
  }
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
