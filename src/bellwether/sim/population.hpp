// SPDX-License-Identifier: MIT
// Who takes part in a run: the nodes, their ids, who is alive, what their clocks say.
#pragma once

#include <memory>
#include <vector>

#include "bellwether/core/host.hpp"
#include "bellwether/sim/run_spec.hpp"

namespace bellwether::sim {

struct Population {
  enum class StartState : unsigned char { awaited, done, missed };

  Population(RunSetup& setup, const scenario::Scenario& scenario,
             std::unique_ptr<core::Nodes> made);

  NodeIndex size() const { return static_cast<NodeIndex>(ids.size()); }
  bool is_alive(NodeIndex u) const { return alive[u] != 0; }
  std::optional<NodeId> leader(NodeIndex u) const { return nodes->leader(u); }
  /// What `now()` says at a node.
  Time clock(NodeIndex u, Time now) const {
    return offsets.empty() ? now : std::max(Time{0}, now + offsets[u]);
  }
  void jump_clock(NodeIndex u, Time now) {
    if (clock_jumps > Duration{0}) offsets[u] = clock_offset_after(clock_jumps, u, now, seed);
  }
  /// The next draw of a node: its own, so that one more at one node does not shift another's.
  std::uint64_t draw(NodeIndex u, std::uint64_t n) {
    if (choices.empty()) choices.resize(ids.size());
    return node_choice(seed, u, choices[u]++, n);
  }
  /// The live node that most live nodes name as their leader; ties: the highest id.
  std::optional<NodeIndex> most_named() const;

  std::unique_ptr<core::Nodes> nodes;
  core::Capabilities can;
  std::vector<NodeId> ids;
  std::vector<unsigned char> alive;
  std::vector<Duration> offsets;       // of clocks; empty: none is off
  Duration clock_jumps{};              // at a restart, to an error of at most this
  std::vector<StartState> starts;      // by node, while the world may change
  std::vector<std::uint32_t> choices;  // draws so far, by node
  std::uint64_t seed;
  NodeIndex absent;  // the last nodes: not there at the beginning
};

}  // namespace bellwether::sim
