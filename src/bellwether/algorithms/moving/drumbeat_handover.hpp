// SPDX-License-Identifier: MIT
// What a leader concludes from the echo of each wave: its weight, its deputy, and whether another
// node should lead because the nodes are nearer to it.
//
//   Weight    the most nodes that were counted in this window of waves and the one before: it does
//             not fall while a window lasts, so that two leaders do not give way to each other.
//   Deputy    the child with the most nodes below it; it stays while it has half as many.
//   Trial     by turns the median of the tree, its hub, a child, and the hub again; where nothing
//             changes, also the centre between four corners, which are found one after the other.
//             All nodes measure their distance to the one on trial. If their sum is less by enough
//             in two waves, it is the heir. Where nothing changes, a little is enough, since the
//             gain lasts. Where nodes move, it takes `gain` hops on average after `tenure`, and
//             before that more, in inverse proportion to the time that this leader has led.
#pragma once

#include "bellwether/algorithms/moving/drumbeat_tree.hpp"

namespace bellwether::algorithms {

struct HandoverOptions {
  std::uint32_t gain = 0;    // hundredths of a hop
  std::uint32_t tenure = 0;  // beats
};

class BeatHandover {
 public:
  void begin(std::uint32_t weight);
  /// The sums of a wave are there. `led`: beats that this node has led.
  void on_echo(const BeatTree& tree, WaveNews& news, core::NodeId self, std::uint32_t priority,
               std::uint32_t led, const HandoverOptions& options);
  /// This node shall lead no longer: to an heir that is on its way, or else to its deputy, if that
  /// has a higher priority.
  bool give_way(const BeatTree& tree, WaveNews& news, std::uint32_t priority);
  /// This node has no neighbours.
  void on_alone() { peak_ = before_ = 1; }

  /// The last wave began a window.
  bool is_window_new() const { return weighed_ == 0; }
  std::uint32_t weight() const { return std::max(peak_, before_); }

  friend bool operator==(const BeatHandover&, const BeatHandover&) = default;

 private:
  void weigh(std::uint32_t count);
  bool is_complete(const SubtreeReport& all) const;
  void observe(const SubtreeReport& all);
  void note_candidate(const WaveNews& news, core::NodeId candidate);
  void name_deputy(const BeatTree& tree, WaveNews& news) const;
  void hand_over(WaveNews& news, core::NodeId heir);
  bool is_nearer(const SubtreeReport& all, std::uint32_t led, const HandoverOptions& options) const;
  static bool is_lasting_gain(const SubtreeReport& all);
  void note_runner_up(const SubtreeReport& all, core::NodeId trial);
  void try_runner_up(WaveNews& news);
  void on_corner(const BeatTree& tree, WaveNews& news, core::NodeId candidate,
                 std::uint32_t priority);
  core::NodeId contender(const BeatTree& tree, std::uint32_t priority) const;
  void next_trial(const BeatTree& tree, WaveNews& news, std::uint32_t priority);

  std::uint32_t peak_ = 1;      // most that was counted in this window
  std::uint32_t before_ = 1;    // ... and in the one before
  std::uint32_t weighed_ = 0;   // waves of this window
  std::uint32_t count_ = 0;     // of the last wave
  std::uint32_t far_ = 0;       // of the last wave
  std::uint32_t complete_ = 0;  // waves that counted nearly all, up to a limit
  std::uint32_t calm_ = 0;      // waves in a row in which nothing changed
  core::NodeId median_{};       // candidates of the last waves
  core::NodeId farthest_{};
  core::NodeId hub_{};
  std::uint32_t turn_ = 0;
  std::uint32_t failed_ = 0;  // turns in a row while nothing changed
  std::uint32_t tried_ = 0;   // waves of this trial
  std::uint32_t won_ = 0;     // ... in which it was nearer
  core::NodeId runner_up_{};  // of the trials while nothing changed
  std::uint32_t runner_up_far_ = 0;
  std::uint32_t corners_ = 0;  // that were found in this round
  bool cornered_ = false;      // since the network became calm

 public:
  static constexpr auto fields =
      std::tuple{core::field("peak", &BeatHandover::peak_),
                 core::field("before", &BeatHandover::before_),
                 core::field("weighed", &BeatHandover::weighed_),
                 core::field("count", &BeatHandover::count_),
                 core::field("far", &BeatHandover::far_),
                 core::field("complete", &BeatHandover::complete_),
                 core::field("calm", &BeatHandover::calm_),
                 core::field("median", &BeatHandover::median_),
                 core::field("farthest", &BeatHandover::farthest_),
                 core::field("hub", &BeatHandover::hub_),
                 core::field("turn", &BeatHandover::turn_),
                 core::field("failed", &BeatHandover::failed_),
                 core::field("tried", &BeatHandover::tried_),
                 core::field("won", &BeatHandover::won_),
                 core::field("runner_up", &BeatHandover::runner_up_),
                 core::field("runner_up_far", &BeatHandover::runner_up_far_),
                 core::field("corners", &BeatHandover::corners_),
                 core::field("cornered", &BeatHandover::cornered_)};
};

}  // namespace bellwether::algorithms
