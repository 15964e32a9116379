// SPDX-License-Identifier: MIT
// A random life of a small network, in which everything happens that a driver may do, in any
// order, and garbage arrives besides. Every step is checked against the contract of a protocol.
#pragma once

#include <set>

#include "conformance/occasion.hpp"

namespace bellwether::conformance {

using core::NodeIndex;

class World : private core::HandHost {
 public:
  World(const Subject& subject, std::uint64_t seed);

  void run(std::size_t steps);

  /// The last steps, to help find the bug.
  std::string tail() const;

 private:
  struct Life {
    AnyNode state;
    bool started = false;
    std::set<Port> asleep;  // lost in a crash, and the node has not been told
    std::vector<std::pair<Occasion, core::Outcome>> steps;
  };

  World(const Subject& subject, core::Prng prng);
  const core::Model& model() const { return nodes().facts().model; }
  void be_born(std::uint64_t i);
  void build_ring();
  NodeIndex any_node() { return static_cast<NodeIndex>(prng_.below(size())); }
  std::vector<Port> listening_ports(NodeIndex u) const;
  std::optional<Port> any_port(NodeIndex u);

  // What may happen.
  void happen();
  void start(NodeIndex u);
  void raise(NodeIndex u, NodeIndex v, bool told);
  void add_end(NodeIndex u, NodeIndex v, bool sends, bool told);
  void lower(NodeIndex u);
  void lose(NodeIndex u, Port port);
  void deliver_next();
  void receive(NodeIndex u, const AnyMessage& message);
  void receive_damaged(NodeIndex u);
  void hand_in(NodeIndex u, Port port, const AnyMessage& message);
  void fire_any(NodeIndex u);
  void wake(NodeIndex u);
  void restart(NodeIndex u);

  Occasion occasion_at(NodeIndex u, const core::Call& call, const core::Surroundings& around);
  core::Outcome play(NodeIndex u, const core::Call& call,
                     const core::Surroundings& around) override;
  void on_stray(NodeIndex u, Port port) override;
  void remember(const AnyMessage& message);
  void require_same_life(NodeIndex u);

  const Subject& subject_;
  core::Prng prng_;
  bool one_way_;
  Bench bench_;
  std::vector<Life> lives_;
  std::vector<AnyMessage> sent_;  // some of them
  std::deque<std::string> tail_;
};

}  // namespace bellwether::conformance
