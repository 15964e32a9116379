// SPDX-License-Identifier: MIT
// A random life of a small network, in which everything happens that a driver may do, in any
// order, and garbage arrives besides. Every step is checked against the contract of a protocol.
#pragma once

#include <deque>
#include <map>

#include "conformance/occasion.hpp"

namespace bellwether::conformance {

class World {
 public:
  World(const Subject& subject, std::uint64_t seed);

  void run(std::size_t steps);

  /// The last steps, for whoever looks for the bug.
  std::string tail() const;

 private:
  struct End {
    std::size_t far;
    bool sends;  // false: it only listens, at the far end of a one-way link
  };
  struct Node {
    NodeId id;
    AnyNode state;
    std::map<Port, End> ends;    // that are up
    std::map<Port, End> asleep;  // lost in a crash, and the node has not been told
    std::vector<core::TimerName> armed;
    std::uint32_t next_port;
    bool started;
    Time clock;
    std::vector<std::pair<Occasion, core::Outcome>> life;
  };

  const core::Model& model() const { return hosted_->facts().model; }
  Node born(std::uint64_t i);
  void build_ring();
  std::size_t any_node() { return prng_.below(nodes_.size()); }
  std::optional<Port> any_port(const std::map<Port, End>& ends);

  // What may happen.
  void happen();
  void start(Node& node);
  void raise(std::size_t u, std::size_t v, bool told);
  void open(std::size_t u, std::size_t v, bool sends, bool told);
  void lower(Node& node);
  void deliver_next();
  void receive(std::size_t u, const AnyMessage& message);
  void receive_damaged(std::size_t u);
  void take(Node& node, Port port, const AnyMessage& message);
  void fire(Node& node);
  void wake(Node& node);
  void restart(std::size_t u);

  static std::vector<Port> sending_ports(const Node& node);
  Occasion occasion_at(const Node& node, Kind kind, Port port, const End* lost);
  void step(Node& node, Kind kind, Port port, const End* lost = nullptr);
  void step(Node& node, Occasion occasion);
  void obey(Node& node, const core::Outcome& outcome);
  void remember(const AnyMessage& message);
  void require_same_life(const Node& node);

  const Subject& subject_;
  core::Prng prng_;
  std::unique_ptr<core::Nodes> hosted_;
  bool one_way_;
  Bench bench_;
  std::vector<Node> nodes_;
  std::map<std::pair<NodeId, NodeId>, std::deque<AnyMessage>> transit_;  // by from, to
  std::vector<AnyMessage> sent_;                                         // some of them
  std::deque<std::string> tail_;
};

}  // namespace bellwether::conformance
