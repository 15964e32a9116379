// SPDX-License-Identifier: MIT
// A driver moved by hand: FIFO queues, states, armed timers, clocks. Nothing happens unless the
// script says so, and everything that happens is told.
#pragma once

#include <algorithm>
#include <deque>
#include <map>

#include "bellwether/core/protocol.hpp"
#include "golden/pretty.hpp"
#include "golden/stage.hpp"

namespace bellwether::golden {

template <core::Protocol P>
class Interaction final : public Stage {
 public:
  using Message = typename P::Message;
  using Timer = typename P::Timer;

  explicit Interaction(const std::vector<NodeId>& ids, typename P::Options options = {})
      : options_(options) {
    for (const NodeId id : ids)
      if (!nodes_.emplace(id, Node{P(id, options), true, 0, {}, Time{}}).second)
        throw BadScript("there are two nodes " + text(id));
  }

  /// For tests that look closer than text does.
  const P& node(NodeId id) const { return known(id).state; }

  void link(NodeId a, NodeId b) override {
    if (begun_) throw BadScript("`link` comes before the first step; later, use `up`");
    known(a), known(b);
    if (a == b) throw BadScript("a link joins two nodes");
    for (const auto& [x, y] : links_)
      if ((x == a && y == b) || (x == b && y == a))
        throw BadScript("there is a link between " + text(a) + " and " + text(b) + " already");
    links_.emplace_back(a, b);
  }

  void start(std::span<const NodeId> some) override {
    begin();
    for (const NodeId id : some) {
      living(id);
      if (some.size() > 1) tell(text(id) + " starts");
      step(id, some.size() > 1 ? "  " : "", [](P& p, auto& s) { p.start(s); });
    }
  }
  void start_all() override {
    std::vector<NodeId> all;
    for (const auto& [id, node] : nodes_)
      if (node.alive) all.push_back(id);
    start(all);
  }

  void up(NodeId at, NodeId peer) override {
    begin();
    living(at), known(peer);
    if (at == peer) throw BadScript("a link joins two nodes");
    End& end = ends_[{at, peer}];
    if (end.up) throw BadScript(text(at) + " has a link to " + text(peer) + " already");
    raise(at, end);
    about_ = end.port;
    step(at, "", [&](P& p, auto& s) { p.link_up(s, end.port); });
  }

  void down(NodeId at, NodeId peer) override {
    begin();
    living(at);
    End& end = linked(at, peer);
    end.up = false;
    lose_all(at, peer);
    about_ = end.port;
    step(at, "", [&](P& p, auto& s) { p.link_down(s, end.port); });
  }

  void deliver(NodeId from, NodeId to, bool all = false) override {
    begin();
    std::size_t count = all ? queue(from, to).size() : 1;
    for (; count > 0; --count) deliver_one(from, to);
  }

  void lose(NodeId from, NodeId to) override { tell_lost(from, to, next(from, to)); }

  void settle(bool quietly = false) override {
    begin();
    quiet_ = quietly;
    std::size_t delivered = 0;
    while (true) {
      std::vector<std::pair<NodeId, NodeId>> busy;
      for (const auto& [way, messages] : transit_)
        if (!messages.empty()) busy.push_back(way);
      if (busy.empty()) break;
      for (const auto& [from, to] : busy) deliver_one(from, to);
      delivered += busy.size();
      if (delivered > 10'000) throw BadScript("this network does not settle");
    }
    quiet_ = false;
    if (quietly) tell(std::to_string(delivered) + " delivered");
    if (!quietly && delivered == 0) tell("nothing");
  }

  void set_time(std::optional<NodeId> at, Time now) override {
    if (at) known(*at).now = now;
    for (auto& [id, node] : nodes_)
      if (!at) node.now = now;
  }

  void fire(NodeId at, std::string_view timer) override {
    Node& node = living(at);
    const auto found = std::find_if(node.armed.begin(), node.armed.end(),
                                    [&](const Timer& t) { return core::text_of(t) == timer; });
    if (found == node.armed.end())
      throw BadScript("node " + text(at) + " has not armed the timer " + std::string(timer));
    const Timer fired = *found;
    node.armed.erase(found);
    step(at, "", [&](P& p, auto& s) { p.timeout(s, fired); });
  }

  void crash(NodeId id) override {
    begin();
    Node& node = living(id);
    node.alive = false;
    node.armed.clear();
    for (auto& [way, end] : ends_)
      if (way.first == id) end.up = false;
    bool lost = false;
    for (auto& [way, messages] : transit_)
      if (way.first == id) lost = lose_all(way.first, way.second) || lost;
    if (!lost) tell("nothing");
  }

  void restart(NodeId id) override {
    Node& node = known(id);
    if (node.alive) throw BadScript("node " + text(id) + " has not crashed");
    node.alive = true;
    node.state = P(id, options_);
    step(id, "", [](P& p, auto& s) { p.start(s); });
  }

  void show_all() override {
    for (const auto& [id, node] : nodes_) show_node(id, node, false);
  }
  void show(NodeId id) override { show_node(id, known(id), true); }

  void transit() override {
    bool any = false;
    for (const auto& [way, messages] : transit_)
      for (const Message& message : messages) {
        tell(text(way.first, way.second) + " " + message_text(message));
        any = true;
      }
    if (!any) tell("nothing");
  }

 private:
  struct Node {
    P state;
    bool alive;
    std::uint32_t next_port;
    std::vector<Timer> armed;
    Time now;
  };
  struct End {
    Port port{};
    bool up = false;
  };
  using Way = std::pair<NodeId, NodeId>;  // from, to

  Node& known(NodeId id) { return const_cast<Node&>(std::as_const(*this).known(id)); }
  const Node& known(NodeId id) const {
    const auto found = nodes_.find(id);
    if (found == nodes_.end()) throw BadScript("there is no node " + text(id));
    return found->second;
  }
  Node& living(NodeId id) {
    Node& node = known(id);
    if (!node.alive) throw BadScript("node " + text(id) + " has crashed");
    return node;
  }
  End& linked(NodeId at, NodeId peer) {
    const auto found = ends_.find({at, peer});
    if (found == ends_.end() || !found->second.up)
      throw BadScript(text(at) + " has no link to " + text(peer));
    return found->second;
  }
  std::deque<Message>& queue(NodeId from, NodeId to) {
    known(from), known(to);
    auto& messages = transit_[{from, to}];
    if (messages.empty()) throw BadScript("nothing is in transit " + text(from, to));
    return messages;
  }
  Message next(NodeId from, NodeId to) {
    auto& messages = queue(from, to);
    Message message = std::move(messages.front());
    messages.pop_front();
    return message;
  }

  /// The first step: from here on links have ports. A node's ports count first the links that it
  /// begins, then those that it ends, as in the simulator.
  void begin() {
    if (std::exchange(begun_, true)) return;
    for (const auto& [a, b] : links_) raise(a, ends_[{a, b}]);
    for (const auto& [a, b] : links_) raise(b, ends_[{b, a}]);
  }
  void raise(NodeId at, End& end) { end = {Port{known(at).next_port++}, true}; }

  void tell_lost(NodeId from, NodeId to, const Message& message) {
    tell("lost " + text(from, to) + " " + message_text(message));
  }
  bool lose_all(NodeId from, NodeId to) {
    const auto messages = std::exchange(transit_[{from, to}], {});
    for (const Message& message : messages) tell_lost(from, to, message);
    return !messages.empty();
  }

  void deliver_one(NodeId from, NodeId to) {
    const Message message = next(from, to);
    if (!quiet_) tell(text(from, to) + " " + message_text(message));
    const auto end = ends_.find({to, from});
    if (end == ends_.end() || !end->second.up) {
      if (!quiet_) tell("  dropped: " + text(to) + " has no link to " + text(from));
      return;
    }
    about_ = end->second.port;
    step(to, "  ", [&](P& p, auto& s) { p.receive(s, end->second.port, message); });
  }

  Around around(NodeId id) const {
    Around out;
    for (const auto& [way, end] : ends_)
      if (way.first == id && end.up) out.emplace_back(end.port, way.second);
    std::sort(out.begin(), out.end());
    return out;
  }

  template <class Handler>
  void step(NodeId id, const std::string& indent, Handler&& handler) {
    begin();
    Node& node = known(id);
    const Around links = around(id);
    std::vector<Port> ports;
    for (const auto& [port, peer] : links) ports.push_back(port);
    stepping_ = id;
    const auto before = node.state.leader();
    step_.begin(ports, node.now);
    handler(node.state, step_);
    about_.reset();
    drain(id, node, links, indent);
    const auto after = node.state.leader();
    if (before != after)
      tell((quiet_ ? text(id) + ": " : indent) + "leader " + core::text_of(after) + ", was " +
           core::text_of(before));
    else if (step_.sends().empty() && step_.alarms().empty() && !quiet_)
      tell(indent + "nothing");
  }

  void drain(NodeId id, Node& node, const Around& links, const std::string& indent) {
    std::vector<std::pair<std::string, std::string>> lines;  // receivers, message
    const auto post = [&](NodeId peer, const Message& message) {
      transit_[{id, peer}].push_back(message);
      const std::string what = message_text(message);
      if (!lines.empty() && lines.back().second == what)
        lines.back().first += "," + text(peer);
      else
        lines.emplace_back(text(peer), what);
    };
    for (const auto& send : step_.sends()) {
      bool sent = send.port == core::every_port;
      for (const auto& [port, peer] : links) {
        if (port != send.port && send.port != core::every_port) continue;
        post(peer, send.message);
        sent = true;
      }
      if (!sent) throw BadScript("a bug: node " + text(id) + " sends where it has no link");
    }
    for (const auto& [receivers, what] : lines)
      if (!quiet_) tell(indent + "sends " + text(id) + "->" + receivers + " " + what);
    for (const auto& alarm : step_.alarms()) set(node, alarm, indent);
  }

  void set(Node& node, const typename core::StepOf<P>::Alarm& alarm, const std::string& indent) {
    std::erase(node.armed, alarm.timer);
    std::string line = (alarm.armed ? "arms " : "disarms ") + core::text_of(alarm.timer);
    if (alarm.armed) {
      node.armed.push_back(alarm.timer);
      line += ", " + core::to_text(alarm.min);
      if (alarm.max != alarm.min) line += " to " + core::to_text(alarm.max);
    }
    if (!quiet_) tell(indent + line);
  }

  void show_node(NodeId id, const Node& node, bool closely) {
    if (!node.alive) return tell(text(id) + ": crashed");
    std::string line = text(id) + ": leader " + core::text_of(node.state.leader());
    const std::string state = state_text(node.state, node.now, around(id), closely);
    if (!state.empty()) line += ", " + state;
    tell(line);
    if (closely)
      for (const Timer& timer : node.armed) tell("  armed: " + core::text_of(timer));
  }

  /// Strict: a node may ask who is behind a port that is up, or that the step is about.
  static NodeId peer_of(void* self, Port port) {
    auto& here = *static_cast<Interaction*>(self);
    for (const auto& [way, end] : here.ends_)
      if (way.first == here.stepping_ && end.port == port && (end.up || port == here.about_))
        return way.second;
    throw BadScript("a bug: node " + text(here.stepping_) + " asks who is behind a lost link");
  }
  /// Scripts know no chance: always the first outcome.
  static std::uint64_t choose(void*, std::uint64_t) { return 0; }

  typename P::Options options_;
  std::map<NodeId, Node> nodes_;
  std::vector<Way> links_;   // from the beginning
  std::map<Way, End> ends_;  // of the first node, towards the second
  std::map<Way, std::deque<Message>> transit_;
  core::StepOf<P> step_{core::DriverHooks{this, &Interaction::peer_of, &Interaction::choose}};
  NodeId stepping_{};
  std::optional<Port> about_;
  bool begun_ = false;
  bool quiet_ = false;
};

}  // namespace bellwether::golden
