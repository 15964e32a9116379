// SPDX-License-Identifier: MIT
// Which nodes of a tree lead, and at which level: the rule by which places stick. It knows of a
// tree only what a parent and its children tell each other.
//
// Every node is a leader of level 0. A leader of level k - 1 takes part in level k. For one that
// takes part: its reach is the longest way below it, in steps among those that take part, without
// a leader of level k between; it is d steps below its own leader of level k, and D below the root.
// With R = R(k) and least = half of R, rounded down, and at least 1:
//
//   the root leads at all levels. Any other node that takes part
//   starts to lead   if its reach is R: a node above it would be too far away for those below;
//                    or if d <= R < d + reach, so that some below are too far away, and its reach
//                    is `least`, or more and d = R
//   stops            if its reach is less than `least`: too few need it;
//                    or if D + reach <= R: the root reaches all below it, too
//   and stays what it is otherwise, so that most changes move no leader.
//
// Under another root a leader of level 1 stops only when it knows who is above.
#pragma once

#include <cstdint>
#include <vector>

#include "bellwether/algorithms/moving/remoteness.hpp"
#include "bellwether/core/ids.hpp"
#include "bellwether/core/shared.hpp"

namespace bellwether::algorithms {

/// A leader of some level, as a node tells its children.
struct LeaderAbove {
  core::NodeId id{};
  std::uint32_t steps = 0;  // of that level, up to it: more than R, and it is not theirs for long
  std::uint32_t depth = 0;  // of that level, up to the root; R + 1 stands for all that is more
  static constexpr auto fields =
      std::tuple{core::field("id", &LeaderAbove::id), core::field("steps", &LeaderAbove::steps),
                 core::field("depth", &LeaderAbove::depth)};
  friend bool operator==(const LeaderAbove&, const LeaderAbove&) = default;
};
/// L1, L2, ..., Lh. Empty: not known.
using LeadersAbove = core::Shared<std::vector<LeaderAbove>>;
/// What a node tells its parent, by level from 1: the longest way from the parent to a node below
/// that lacks a leader of this level; 0: there is none. Empty: not known yet.
using Reaches = core::Shared<std::vector<std::uint32_t>>;

class HierarchyPlaces {
 public:
  /// With remoteness 1 or more each level has at most half the leaders of the one below.
  static constexpr std::uint32_t most_levels = 64;

  explicit HierarchyPlaces(Remoteness remoteness = {}) : remoteness_(std::move(remoteness)) {}

  /// The root has changed, and with it what the levels end at.
  void crown(bool root);
  /// Decides where to lead. `below`: the greatest of what the children tell, by level; `above`:
  /// what the parent tells. What is to be told to the parent; empty for the root.
  std::vector<std::uint32_t> settle(bool root, std::vector<std::uint32_t> below,
                                    const LeadersAbove& above);
  /// What is to be told to the children.
  std::vector<LeaderAbove> tell(core::NodeId self, bool root, const LeadersAbove& above) const;

  /// A child needs the numbers of those levels only in which it, or a node below it, takes part:
  /// those of which it tells. The ids it needs all.
  static LeadersAbove for_child(const LeadersAbove& told, const Reaches& child);
  static bool same_for_child(const std::vector<LeaderAbove>& a, const std::vector<LeaderAbove>& b,
                             const Reaches& child);

  /// The highest level that it leads at.
  std::uint32_t rank() const { return rank_; }
  const Remoteness& remoteness() const { return remoteness_; }

  static std::uint32_t least(std::uint32_t remoteness) {
    return remoteness < 2 ? 1 : remoteness / 2;
  }

 private:
  bool leads(std::uint32_t level, bool root, std::uint32_t reach, const LeadersAbove& above) const;

  std::uint32_t rank_ = 0;
  std::uint32_t place_ = 0;  // the rank that it would have if it were not the root
  Remoteness remoteness_;

 public:
  static constexpr auto fields = std::tuple{core::field("rank", &HierarchyPlaces::rank_),
                                            core::field("place", &HierarchyPlaces::place_)};
  friend bool operator==(const HierarchyPlaces&, const HierarchyPlaces&) = default;
};

}  // namespace bellwether::algorithms
