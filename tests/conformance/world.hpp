// SPDX-License-Identifier: MIT
// A random life of a small network, in which everything happens that a driver may do, in any
// order, and garbage arrives besides. Every step is checked against the contract of a protocol.
#pragma once

#include <deque>
#include <map>

#include "conformance/occasion.hpp"

namespace bellwether::conformance {

template <core::Protocol P>
class World {
 public:
  using Message = typename P::Message;
  using Timer = typename P::Timer;

  explicit World(std::uint64_t seed)
      : prng_(core::stream(seed, P::name)),
        options_(any_options<typename P::Options>(prng_)),
        one_way_(P::facts.model.bears_one_way && prng_.below(2) == 0),
        bench_(!P::facts.model.needs_ids && prng_.below(2) == 0) {
    const std::uint64_t n = 1 + prng_.below(5);
    for (std::uint64_t i = 0; i < n; ++i) nodes_.push_back(born(i));
    if (prng_.below(2) == 0)
      build_ring();
    else
      for (std::uint64_t links = prng_.below(2 * n); links > 0; --links)
        raise(any_node(), any_node(), false);
  }

  void run(std::size_t steps) {
    for (std::size_t i = 0; i < steps; ++i) happen();
    for (const Node& node : nodes_) require_same_life(node);
  }

  /// The last steps, for whoever looks for the bug.
  std::string tail() const {
    std::string out;
    for (const std::string& line : tail_) out += line + '\n';
    return out;
  }

 private:
  struct End {
    std::size_t far;
    bool sends;  // false: it only listens, at the far end of a one-way link
  };
  struct Node {
    NodeId id;
    P state;
    std::map<Port, End> ends;    // that are up
    std::map<Port, End> asleep;  // lost in a crash, and the node has not been told
    std::vector<Timer> armed;
    std::uint32_t next_port;
    bool started;
    Time clock;
    std::vector<std::pair<Occasion<P>, Effects<P>>> life;
  };

  Node born(std::uint64_t i) {
    // Small ids, as they occur in arbitrary messages, or any others; all distinct.
    const std::uint64_t id = prng_.below(4) == 0 ? prng_.next() / 8 * 8 + i : i + 1;
    const Time clock{static_cast<std::int64_t>(prng_.below(1000)) - 100};
    return {NodeId{id}, P(NodeId{id}, options_), {}, {}, {}, 0, false, clock, {}};
  }

  /// The first port leads clockwise at every node.
  void build_ring() {
    const std::size_t n = nodes_.size();
    for (std::size_t i = 0; i < n; ++i) open(i, (i + 1) % n, true, false);
    for (std::size_t i = 0; i < n; ++i) open((i + 1) % n, i, !one_way_, false);
  }

  std::size_t any_node() { return prng_.below(nodes_.size()); }
  std::optional<Port> any_port(const std::map<Port, End>& ends) {
    if (ends.empty()) return std::nullopt;
    return std::next(ends.begin(), static_cast<std::ptrdiff_t>(prng_.below(ends.size())))->first;
  }

  void happen() {
    const std::size_t u = any_node();
    Node& node = nodes_[u];
    node.clock += Time{static_cast<std::int64_t>(
        prng_.below(64) == 0 ? prng_.below(std::uint64_t{1} << 40) : prng_.below(10))};
    const std::uint64_t what = prng_.below(100);
    if (what < 8) return start(node);
    if (what < 20) return raise(u, any_node(), true);
    if (what < 25) return lower(node);
    if (what < 79) return deliver_next();
    if (what < 85) return receive(u, core::arbitrary<Message>(prng_));
    if (what < 89) return receive_damaged(u);
    if (what < 98) return fire(node);
    if (what < 99) return wake(node);
    if (prng_.below(2) == 0) restart(u);
  }

  void start(Node& node) {
    if (std::exchange(node.started, true)) return;
    step(node, Kind::start, core::every_port);
  }

  /// A link from u to v. The other end mostly hears of it, too, and mostly at once.
  void raise(std::size_t u, std::size_t v, bool told) {
    open(u, v, true, told);
    if (prng_.below(5) != 0) open(v, u, !one_way_, told);
  }
  void open(std::size_t u, std::size_t v, bool sends, bool told) {
    Node& node = nodes_[u];
    for (const auto& [port, end] : node.ends)
      if (end.far == v) return;
    if (u == v) return;
    const Port port{node.next_port++};
    node.ends[port] = {v, sends};
    if (told && sends) step(node, Kind::link_up, port);
  }

  void lower(Node& node) {
    const auto port = any_port(node.ends);
    if (!port) return;
    const End end = node.ends.at(*port);
    node.ends.erase(*port);
    transit_[{node.id, nodes_[end.far].id}].clear();
    if (end.sends) step(node, Kind::link_down, *port, &end);
  }

  void deliver_next() {
    std::vector<std::pair<NodeId, NodeId>> busy;
    for (const auto& [way, messages] : transit_)
      if (!messages.empty()) busy.push_back(way);
    if (busy.empty()) return;
    const auto way = busy[prng_.below(busy.size())];
    auto& messages = transit_[way];
    // Mostly in order; where an algorithm bears it, also in another, or twice.
    std::size_t which = 0;
    if (P::facts.model.bears_reordering && prng_.below(4) == 0)
      which = prng_.below(messages.size());
    const Message message = messages[which];
    if (!P::facts.model.bears_duplicates || prng_.below(8) != 0)
      messages.erase(messages.begin() + static_cast<std::ptrdiff_t>(which));
    for (Node& node : nodes_)
      for (const auto& [port, end] : node.ends)
        if (node.id == way.second && nodes_[end.far].id == way.first)
          return take(node, port, message);
  }

  void receive(std::size_t u, const Message& message) {
    if (const auto port = any_port(nodes_[u].ends)) take(nodes_[u], *port, message);
  }
  void receive_damaged(std::size_t u) {
    if (sent_.empty()) return;
    if (const auto message = damaged(sent_[prng_.below(sent_.size())], prng_)) receive(u, *message);
  }
  void take(Node& node, Port port, const Message& message) {
    // Where a link only listens, a ring is not closed: no driver builds that for its algorithms.
    if (P::facts.model.shape == core::Shape::ring && sending_ports(node).empty()) return;
    Occasion<P> occasion = occasion_at(node, Kind::receive, port, nullptr);
    occasion.message = message;
    step(node, std::move(occasion));
  }

  void fire(Node& node) {
    if (node.armed.empty()) return;
    const std::size_t which = prng_.below(node.armed.size());
    Occasion<P> occasion = occasion_at(node, Kind::timeout, core::every_port, nullptr);
    occasion.timer = node.armed[which];
    node.armed.erase(node.armed.begin() + static_cast<std::ptrdiff_t>(which));
    step(node, std::move(occasion));
  }

  /// A crash and a comeback with memory: all links are gone, and the node is told one by one.
  void wake(Node& node) {
    node.asleep = std::exchange(node.ends, {});
    while (!node.asleep.empty()) {
      const auto [port, end] = *node.asleep.begin();
      node.asleep.erase(port);
      transit_[{node.id, nodes_[end.far].id}].clear();
      if (end.sends) step(node, Kind::link_down, port, &end);
    }
  }

  void restart(std::size_t u) {
    Node& node = nodes_[u];
    require_same_life(node);
    node.state = P(node.id, options_);
    node.ends.clear();
    node.armed.clear();
    node.life.clear();
    node.started = false;
    start(node);
  }

  static std::vector<Port> sending_ports(const Node& node) {
    std::vector<Port> ports;
    for (const auto& [port, end] : node.ends)
      if (end.sends) ports.push_back(port);
    return ports;
  }

  Occasion<P> occasion_at(const Node& node, Kind kind, Port port, const End* lost) {
    Occasion<P> o;
    o.kind = kind;
    o.port = port;
    o.ports = sending_ports(node);
    for (const auto& [each, end] : node.ends) o.peers.emplace_back(each, nodes_[end.far].id);
    if (lost) o.peers.emplace_back(port, nodes_[lost->far].id);
    o.now = node.clock;
    o.choices = prng_.next();
    return o;
  }

  void step(Node& node, Kind kind, Port port, const End* lost = nullptr) {
    step(node, occasion_at(node, kind, port, lost));
  }

  void step(Node& node, Occasion<P> occasion) {
    tail_.push_back(core::text_of(node.id) + ": " + text(occasion));
    if (tail_.size() > 12) tail_.pop_front();
    const P before = node.state;
    P twin = before;
    const auto leader = before.leader();
    require(before == node.state && node.state.leader() == leader, "a copy is not equal");

    Effects<P> effects = bench_.play(node.state, occasion);
    const bool kept = twin == before && before.leader() == leader;
    require(kept, "a step has changed a copy of the node");
    const P after = node.state;
    require(bench_.play(twin, occasion) == effects, "the same step has other effects");
    require(twin == node.state, "the same step leads to another state");
    require(node.state == after, "the step of a copy has changed the node");
    require(twin.leader() == node.state.leader(), "equal states name different leaders");
    require_fields(before, node.state);
    require_fields(twin, node.state);
    obey(node, effects);
    node.life.emplace_back(std::move(occasion), std::move(effects));
  }

  /// What `fields` tells of two states of one node is equal exactly when they are.
  static void require_fields(const P& a, const P& b) {
    if constexpr (core::Described<P>) {
      if (a == b)
        require(core::digest(a) == core::digest(b), "equal states have different digests");
      else
        require(core::encode(a) != core::encode(b), "`fields` leaves out what has changed");
    }
  }

  void obey(Node& node, const Effects<P>& effects) {
    const std::vector<Port> ports = sending_ports(node);
    for (const auto& send : effects.sends) {
      require_round_trip(send.message);
      if (sent_.size() < 64)
        sent_.push_back(send.message);
      else
        sent_[prng_.below(64)] = send.message;
      const bool all = send.port == core::every_port;
      // What a node has not been told of, it cannot know.
      require(all || node.asleep.contains(send.port) ||
                  std::find(ports.begin(), ports.end(), send.port) != ports.end(),
              "it sends on port " + core::text_of(send.port) + ", which is not up");
      for (const Port port : ports)
        if (all || port == send.port)
          transit_[{node.id, nodes_[node.ends.at(port).far].id}].push_back(send.message);
    }
    for (const auto& alarm : effects.alarms) {
      require(core::Duration{0} <= alarm.min && alarm.min <= alarm.max,
              "a timer expires between " + core::text_of(alarm.min) + " and " +
                  core::text_of(alarm.max));
      std::erase(node.armed, alarm.timer);
      if (alarm.armed) node.armed.push_back(alarm.timer);
    }
  }

  /// All of it once more, from the cradle.
  void require_same_life(const Node& node) {
    P again(node.id, options_);
    for (const auto& [occasion, effects] : node.life)
      require(bench_.play(again, occasion) == effects, "the same life has other effects");
    require(again == node.state, "the same life leads to another state");
    require_fields(again, node.state);
  }

  core::Prng prng_;
  typename P::Options options_;
  bool one_way_;
  Bench<P> bench_;
  std::vector<Node> nodes_;
  std::map<std::pair<NodeId, NodeId>, std::deque<Message>> transit_;  // by from, to
  std::vector<Message> sent_;                                         // some of them
  std::deque<std::string> tail_;
};

}  // namespace bellwether::conformance
