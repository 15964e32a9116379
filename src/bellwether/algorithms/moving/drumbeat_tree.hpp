// SPDX-License-Identifier: MIT
// The tree of a leader, as one node sees it. A wave goes down: each node tells where it is (its
// parent, its hops), and thereby its neighbours learn who their children are. The echo comes up:
// each node sums up what its children report. Nothing here sends, waits or draws.
//
//   Parent      of the neighbours that are nearest to the leader the present one, unless another
//               has twice as many nodes below it: so inner nodes are few, and most nodes are
//               leaves, which can be silent.
//   Median      S(v), the sum of the tree distances from v, is S(parent) + n - 2 c(v), where c(v)
//               nodes are below v: it goes down with the wave, and the node with the least comes up
//               with the echo.
//   Centre      of the whole network: the node whose farthest corner is nearest. Corners are found
//               one by one: the node that is farthest from the nearest corner so far is the next.
//   Hub         the node whose neighbours have the most neighbours.
//   Trial       each node is one hop farther from the node on trial than its nearest neighbour. The
//               sum of these distances comes up beside the sum of those to the leader.
#pragma once

#include <vector>

#include "bellwether/algorithms/moving/drumbeat_messages.hpp"

namespace bellwether::algorithms {

/// A neighbour, as it was heard last.
struct TreeNeighbour {
  static constexpr std::uint8_t no_wave = 4;   // it has not reported
  static constexpr std::uint8_t old_wave = 5;  // its report is three waves old

  core::NodeId id{};
  core::NodeId leader{};
  core::NodeId trial{};  // of its spot
  TreeSpot spot;
  SubtreeReport report;
  core::NodeId report_trial{};  // of its report
  std::uint8_t wave = 0;        // of its spot
  std::uint8_t reported = no_wave;
  std::uint8_t age = 0;  // in waves
  static constexpr auto fields =
      std::tuple{core::field("id", &TreeNeighbour::id),
                 core::field("leader", &TreeNeighbour::leader),
                 core::field("trial", &TreeNeighbour::trial),
                 core::field("spot", &TreeNeighbour::spot),
                 core::field("report", &TreeNeighbour::report),
                 core::field("report_trial", &TreeNeighbour::report_trial),
                 core::field("wave", &TreeNeighbour::wave),
                 core::field("reported", &TreeNeighbour::reported),
                 core::field("age", &TreeNeighbour::age)};
  friend bool operator==(const TreeNeighbour&, const TreeNeighbour&) = default;
};

class BeatTree {
 public:
  static constexpr std::uint32_t unknown = 1U << 30;

  BeatTree() = default;
  explicit BeatTree(core::NodeId self) : self_(self), leader_(self) {}

  /// Another leader: its tree is not known yet.
  void begin(core::NodeId leader);
  /// A wave begins: what was heard before is one wave older, but for what was heard of this one.
  void begin_wave(const WaveNews& before, const WaveNews& news);
  void on_spot(core::NodeId from, core::NodeId leader, const WaveNews& news, const TreeSpot& spot);
  /// A report for the wave of that number; false where it is not from a child.
  bool on_report(core::NodeId from, core::NodeId parent, std::uint8_t wave,
                 const SubtreeReport& report, const WaveNews& news);
  void lose(core::NodeId neighbour);

  /// This node leads.
  void place_root(const WaveNews& news, std::uint32_t priority);
  /// This node follows: finds its place. `again`: in the same wave, among those who are in it.
  void place(const WaveNews& news, std::uint32_t priority, bool again);
  /// Sums up what is below.
  void gather(const WaveNews& news);

  const TreeSpot& spot() const { return spot_; }
  const SubtreeReport& report() const { return report_; }
  bool is_leaf() const { return report_.count == 1; }
  bool has_neighbours() const { return !near_.empty(); }
  /// For searches: see Drumbeat::forget_unused. What a leader has summed up its properties read.
  void forget_unused(bool leads);
  bool has_children() const;
  bool awaits_report(std::uint8_t wave) const;
  bool is_misplaced(const WaveNews& news) const;
  /// Who can take over from this node while its own tree is not known: of the neighbours in the
  /// tree of the leader the one with the most nodes below it. Not the leader: it may be lost.
  core::NodeId provisional_deputy() const;
  /// Those with the most nodes below them first.
  std::vector<const TreeNeighbour*> children() const;

  friend bool operator==(const BeatTree&, const BeatTree&) = default;

 private:
  bool is_fresh(const TreeNeighbour& near) const;
  bool is_child(const TreeNeighbour& near) const;
  static bool is_heard(const TreeNeighbour& near, const WaveNews& news);
  bool may_be_parent(const TreeNeighbour& near, const WaveNews& news) const;
  bool may_replace_parent(const TreeNeighbour& near, const WaveNews& news) const;
  const TreeNeighbour* choose_parent(const WaveNews& news, bool again) const;
  std::uint32_t links() const;
  std::uint32_t measure(const TreeNeighbour* parent, const WaveNews& news) const;
  std::uint32_t tree_sum(const TreeNeighbour* parent, const WaveNews& news) const;
  std::uint32_t offer(const WaveNews& news) const;
  std::uint32_t trial_hops(core::NodeId trial) const;
  std::uint32_t trial_far(const TreeNeighbour& child, core::NodeId trial) const;
  void note_corner(Aim aim);
  TreeNeighbour& neighbour(core::NodeId id);

  core::NodeId self_{};
  core::NodeId leader_{};
  TreeSpot spot_;
  SubtreeReport report_;
  std::vector<TreeNeighbour> near_;   // ascending by id
  std::uint32_t nearest_corner_ = 0;  // hops
  std::uint32_t farthest_corner_ = unknown;

 public:
  static constexpr auto fields =
      std::tuple{core::field("spot", &BeatTree::spot_), core::field("report", &BeatTree::report_),
                 core::field("near", &BeatTree::near_),
                 core::field("nearest_corner", &BeatTree::nearest_corner_),
                 core::field("farthest_corner", &BeatTree::farthest_corner_)};
};

}  // namespace bellwether::algorithms
