// SPDX-License-Identifier: MIT
// What nodes of `drumbeat` tell each other. Each part has a constant size: a few numbers and ids,
// in a network of any size.
#pragma once

#include <compare>

#include "bellwether/core/fields.hpp"
#include "bellwether/core/ids.hpp"
#include "bellwether/core/members.hpp"

namespace bellwether::algorithms {

inline constexpr core::NodeId nobody{0};

/// Of two numbers of beats; half of all numbers are later than any, so that none is the last.
inline bool is_later(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::int64_t>(a - b) > 0;
}

/// A leader, the number of its beat, and what decides between two leaders.
struct BeatClaim {
  core::NodeId leader{};
  std::uint64_t beat = 0;  // begins at the leader's clock: higher in each of its lives
  // Twice the weight; the lowest bit says that a priority follows. A priority in every beat would
  // be a tenth of all bytes.
  std::uint32_t stature = 2;
  std::uint32_t unusual = 0;

  static BeatClaim of(core::NodeId leader, std::uint64_t beat, std::uint32_t weight,
                      std::uint32_t priority) {
    const bool usual = priority == core::usual_priority;
    return {leader, beat, 2 * weight + (usual ? 0 : 1), usual ? 0 : priority};
  }
  bool is_unusual() const { return stature % 2 == 1; }
  std::uint32_t weight() const { return stature / 2; }  // about the size of the component
  std::uint32_t priority() const { return is_unusual() ? unusual : core::usual_priority; }

  static constexpr auto fields =
      std::tuple{core::field("leader", &BeatClaim::leader), core::field("beat", &BeatClaim::beat),
                 core::field("stature", &BeatClaim::stature),
                 core::field_when("priority", &BeatClaim::unusual, &BeatClaim::is_unusual)};
  friend bool operator==(const BeatClaim& a, const BeatClaim& b) {
    return a.leader == b.leader && a.beat == b.beat && a.stature == b.stature &&
           a.priority() == b.priority();
  }
};

/// Of two leaders the one with the higher rank remains.
struct BeatRank {
  std::uint32_t priority = 0;
  std::uint32_t weight = 0;
  core::NodeId leader{};
  friend auto operator<=>(const BeatRank&, const BeatRank&) = default;
};
inline BeatRank rank_of(const BeatClaim& claim) {
  return {claim.priority(), claim.weight(), claim.leader};
}

/// What a wave looks for among the nodes: a candidate for a trial, or a corner of the network.
enum class Quest : std::uint8_t { median, farthest, hub, corner, centre };

/// What the node on trial is tried for.
enum class Aim : std::uint8_t {
  lead,          // it may be nearer to all than the leader
  first_corner,  // it is far away: whoever is not far from any corner is in the centre
  corner,        // ... from the corners before, too
  centre,        // nobody is on trial: the corners are known
  heir           // it leads from now on
};

/// What a leader tells all nodes with a wave.
struct WaveNews {
  std::uint8_t wave = 0;    // counted modulo 4
  std::uint32_t count = 1;  // nodes that the wave before has counted
  core::NodeId deputy{};    // leads when the leader falls silent
  core::NodeId trial{};     // all nodes measure their distance to this one
  Aim aim = Aim::lead;      // of the trial
  std::uint32_t depth = 0;  // of the tree, so that each node knows how long its children may take

  bool has_heir() const { return aim == Aim::heir; }
  bool is_at_corner() const { return aim == Aim::first_corner || aim == Aim::corner; }
  Quest quest() const {
    if (is_at_corner()) return Quest::corner;
    if (aim == Aim::centre) return Quest::centre;
    return wave % 2 == 0 ? Quest::median : wave == 1 ? Quest::farthest : Quest::hub;
  }
  static constexpr auto fields =
      std::tuple{core::field("wave", &WaveNews::wave),     core::field("count", &WaveNews::count),
                 core::field("deputy", &WaveNews::deputy), core::field("trial", &WaveNews::trial),
                 core::field("aim", &WaveNews::aim),       core::field("depth", &WaveNews::depth)};
  friend bool operator==(const WaveNews&, const WaveNews&) = default;
};

/// Where a node is in the tree of its leader.
struct TreeSpot {
  core::NodeId parent{};
  std::uint32_t hops = 0;   // to the leader
  std::uint32_t below = 1;  // nodes of its subtree that the wave before has counted, with itself
  // By the quest of the wave: the sum of the tree distances from here; the number of neighbours;
  // how good a corner or centre this node is.
  std::uint32_t measure = 0;
  std::uint32_t trial_hops = 0;  // 1 + hops to the one on trial; 0: not known
  std::uint32_t priority = core::usual_priority;
  static constexpr auto fields = std::tuple{core::field("parent", &TreeSpot::parent),
                                            core::field("hops", &TreeSpot::hops),
                                            core::field("below", &TreeSpot::below),
                                            core::field("measure", &TreeSpot::measure),
                                            core::field("trial_hops", &TreeSpot::trial_hops),
                                            core::field("priority", &TreeSpot::priority)};
  friend bool operator==(const TreeSpot&, const TreeSpot&) = default;
};

/// What the echo of a wave tells of a subtree.
struct SubtreeReport {
  std::uint32_t height = 0;
  std::uint32_t count = 1;
  std::uint32_t far = 0;         // sum of the hops to the leader
  std::uint32_t top = 0;         // highest priority
  std::uint32_t best = 0;        // least value that a candidate offers
  core::NodeId candidate{};      // who offers it
  std::uint32_t trial_hops = 0;  // of the sender, as in its spot
  std::uint32_t trial_far = 0;   // sum of the hops to the one on trial
  static constexpr auto fields = std::tuple{core::field("height", &SubtreeReport::height),
                                            core::field("count", &SubtreeReport::count),
                                            core::field("far", &SubtreeReport::far),
                                            core::field("top", &SubtreeReport::top),
                                            core::field("best", &SubtreeReport::best),
                                            core::field("candidate", &SubtreeReport::candidate),
                                            core::field("trial_hops", &SubtreeReport::trial_hops),
                                            core::field("trial_far", &SubtreeReport::trial_far)};
  friend bool operator==(const SubtreeReport&, const SubtreeReport&) = default;
};

}  // namespace bellwether::algorithms
