// SPDX-License-Identifier: MIT
// The epoch, the fencing token: a number that goes with each answer to "who leads?". The guard of a
// resource stores the highest epoch it has seen and rejects anything lower: a former leader.
//
// It never decreases at a node and grows whenever the node's leader changes, also to none.
// Nodes that name the same leader agree on the highest epoch that any of them has; so
// when two components become one, the leader that stays is lifted above the one that goes, by those
// who leave that one. Two components that have not met know nothing of each other: their leaders
// may well have the same epoch.
//
// A pure state machine: its driver hands in what arrives. Given to the constructor what it
// had reached before, it does not fall back over a restart either.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>

#include "bellwether/core/ids.hpp"

namespace bellwether::node {

using core::NodeId;

class Fence {
 public:
  /// No epoch gets that high. A higher one from a neighbour is not believed.
  static constexpr std::uint64_t most = std::uint64_t{1} << 62;

  explicit Fence(std::uint64_t at_least = 0) : epoch_(std::min(at_least, most)) {}

  /// My leader is now this one.
  void lead(std::optional<NodeId> leader);
  /// A neighbour says who leads for it, and at which epoch.
  void on_frame(NodeId from, std::optional<NodeId> leader, std::uint64_t epoch);
  /// It is no neighbour any more, so what it said no longer counts.
  void on_neighbour_lost(NodeId neighbour) { heard_.erase(neighbour); }

  std::uint64_t epoch() const { return epoch_; }
  std::optional<NodeId> leader() const { return leader_; }

 private:
  struct Claim {
    std::optional<NodeId> leader;
    std::uint64_t epoch = 0;
  };

  void agree(const Claim& word);

  std::uint64_t epoch_;
  std::optional<NodeId> leader_;
  std::map<NodeId, Claim> heard_;  // the last word of each neighbour
};

}  // namespace bellwether::node
