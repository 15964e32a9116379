// SPDX-License-Identifier: MIT
// The epoch: a number that goes with each answer to "who leads?". Whoever guards a resource
// remembers the highest epoch seen and turns away whoever comes with a lower one: a leader of
// yesterday.
//
// It never decreases at a node and grows whenever the node's leader changes, to somebody or to
// nobody. Nodes that name the same leader agree on the highest epoch that any of them has; so
// when two components become one, the leader that stays is lifted above the one that goes, by those
// who leave that one. Two components that have not met know nothing of each other: their leaders
// may well have the same epoch.
//
// A pure state machine: whoever drives it hands in what is heard. Given to the constructor what it
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
  /// Nobody counts that far. A neighbour that says more is not believed.
  static constexpr std::uint64_t most = std::uint64_t{1} << 62;

  explicit Fence(std::uint64_t at_least = 0) : epoch_(std::min(at_least, most)) {}

  /// My leader is now this one.
  void lead(std::optional<NodeId> leader);
  /// A neighbour says who leads for it, and at which epoch.
  void hear(NodeId from, std::optional<NodeId> leader, std::uint64_t epoch);
  /// It is no neighbour any more, so what it said no longer counts.
  void lose(NodeId neighbour) { heard_.erase(neighbour); }

  std::uint64_t epoch() const { return epoch_; }
  std::optional<NodeId> leader() const { return leader_; }

 private:
  struct Word {
    std::optional<NodeId> leader;
    std::uint64_t epoch = 0;
  };

  void agree(const Word& word);

  std::uint64_t epoch_;
  std::optional<NodeId> leader_;
  std::map<NodeId, Word> heard_;  // the last word of each neighbour
};

}  // namespace bellwether::node
