// SPDX-License-Identifier: MIT
// Distances within one component of a network that changes: all pairs, a machine word per node and
// number of hops, up to 64 nodes; beyond that the diameter and the distances that are asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bellwether/graph/graph.hpp"

namespace bellwether::observe {

/// One word per node fits all nodes.
inline constexpr std::uint32_t small_size = 64;

/// At most 64 nodes. `around` has one word for each node: its neighbours and itself.
class SmallHops {
 public:
  using BitRow = std::span<const std::uint64_t>;

  /// False: they do not hang together; then nothing may be asked.
  bool build(BitRow around, bool with_farness);
  /// One link between a and b has come or gone, and `around` says so already. Returns the nodes
  /// some of whose distances have changed; nothing if they do not hang together any more.
  std::optional<std::uint64_t> update(BitRow around, std::uint32_t a, std::uint32_t b, bool up);

  std::uint32_t diameter() const { return diameter_; }
  std::span<const std::uint64_t> farness() const { return farness_; }
  std::uint32_t distance(std::uint32_t u, std::uint32_t v) const {
    std::uint32_t k = 0;
    while ((within(k, u) >> v & 1) == 0) ++k;
    return k;
  }

 private:
  std::uint64_t within(std::uint32_t k, std::uint32_t u) const {
    return within_[std::size_t{k} * size_ + u];
  }
  std::uint64_t at(std::uint32_t k, std::uint32_t u) const {
    return k == 0 ? within(0, u) : within(k, u) & ~within(k - 1, u);
  }
  std::uint64_t cut_off(BitRow around, std::uint32_t a, std::uint32_t b) const;
  bool search(BitRow around, std::uint32_t from);
  void find_diameter();

  std::uint32_t size_ = 0;
  std::uint64_t all_ = 0;
  std::uint32_t kept_ = 0;  // numbers of hops for which there are words
  std::uint32_t diameter_ = 0;
  bool with_farness_ = false;
  std::vector<std::uint64_t> within_;  // for each number of hops and each node: the nodes within
  std::vector<std::uint32_t> reach_;   // for each node: how far the farthest is
  std::vector<std::uint64_t> farness_;
};

/// Any number of nodes.
class LargeHops {
 public:
  /// False: they are not connected; then nothing may be queried.
  bool build(graph::Graph links);

  std::uint32_t diameter() const { return diameter_; }
  std::uint32_t distance(std::uint32_t u, std::uint32_t v) { return u == v ? 0 : from(v)[u]; }

 private:
  using DistanceRow = std::vector<std::uint32_t>;  // distances from one node
  const DistanceRow& from(std::uint32_t v);

  graph::Graph links_;
  std::uint32_t diameter_ = 0;
  std::vector<DistanceRow> rows_;  // by node; empty until first queried
};

/// One of the two, as the size demands.
class Hops {
 public:
  bool small() const { return small_; }
  /// Of few nodes: for each the sum of its distances; only when it was asked for.
  std::span<const std::uint64_t> farness() const { return few_.farness(); }
  std::uint32_t diameter() const { return small_ ? few_.diameter() : many_.diameter(); }
  std::uint32_t distance(std::uint32_t u, std::uint32_t v) {
    return small_ ? few_.distance(u, v) : many_.distance(u, v);
  }
  SmallHops& few() {
    small_ = true;
    return few_;
  }
  LargeHops& many() {
    small_ = false;
    return many_;
  }

 private:
  bool small_ = true;
  SmallHops few_;
  LargeHops many_;
};

}  // namespace bellwether::observe
