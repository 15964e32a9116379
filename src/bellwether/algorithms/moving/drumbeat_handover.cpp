// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/moving/drumbeat_handover.hpp"

#include <algorithm>
#include <utility>

namespace bellwether::algorithms {
namespace {

constexpr std::uint32_t window = 10;      // waves for which a count is remembered, at least
constexpr std::uint32_t settling = 3;     // complete waves before the first trial: the median lags
constexpr std::uint32_t trial_waves = 3;  // of which the first one only spreads the distances
constexpr std::uint32_t confirmed = 2;    // waves in which the one on trial must be nearer
constexpr std::uint32_t heir_waves = 4;   // after which an heir that does not lead is given up
constexpr std::uint32_t calm_waves = 10;
constexpr std::uint32_t turns = 12;
constexpr std::uint32_t calm_for_corners = 3;  // waves: where nodes move, it is not worth it
constexpr std::uint32_t corners = 4;
constexpr std::uint32_t corner_waves = 2;  // until all nodes know how far away it is

/// The same but for a hundredth.
bool is_close(std::uint64_t a, std::uint64_t b) {
  return 100 * (std::max(a, b) - std::min(a, b)) <= b;
}

}  // namespace

void BeatHandover::begin(std::uint32_t weight) {
  *this = {};
  turn_ = turns - 1;
  peak_ = before_ = weight;
}

void BeatHandover::weigh(std::uint32_t count) {
  if (count == peak_ && count == before_) {  // nothing to be remembered
    weighed_ = 0;
    return;
  }
  peak_ = std::max(peak_, count);
  if (++weighed_ < window) return;
  before_ = std::exchange(peak_, count);
  weighed_ = 0;
}

/// Nearly all nodes were counted.
bool BeatHandover::is_complete(const SubtreeReport& all) const {
  return std::uint64_t{all.count} * 10 >= std::uint64_t{weight()} * 7;
}

void BeatHandover::observe(const SubtreeReport& all) {
  if (is_complete(all)) complete_ = std::min(complete_ + 1, settling);
  const bool is_same = is_close(all.count, count_) && is_close(all.far, far_);
  if (!is_same) runner_up_ = nobody;
  calm_ = is_same ? std::min(calm_ + 1, calm_waves) : 0;
  if (calm_ < calm_waves) failed_ = 0;
  count_ = all.count;
  far_ = all.far;
}

void BeatHandover::note_candidate(const WaveNews& news, core::NodeId candidate) {
  switch (news.quest()) {
    case Quest::median:
      median_ = candidate;
      break;
    case Quest::farthest:
      farthest_ = candidate;
      break;
    case Quest::hub:
      hub_ = candidate;
      break;
    case Quest::corner:
    case Quest::centre:
      break;
  }
}

void BeatHandover::name_deputy(const BeatTree& tree, WaveNews& news) const {
  const TreeNeighbour* best = nullptr;
  const TreeNeighbour* present = nullptr;
  for (const TreeNeighbour* child : tree.children()) {
    if (child->spot.priority == 0) continue;
    if (best == nullptr || child->spot.priority > best->spot.priority) best = child;
    if (child->id == news.deputy) present = child;
  }
  const bool is_provisional = count_ == 0;
  const bool stays = !is_provisional && present != nullptr &&
                     present->spot.priority == best->spot.priority &&
                     2 * present->report.count >= best->report.count;
  news.deputy = stays ? present->id : best == nullptr ? nobody : best->id;
}

void BeatHandover::hand_over(WaveNews& news, core::NodeId heir) {
  news.trial = heir;
  news.aim = Aim::heir;
  tried_ = 0;
}

void BeatHandover::on_echo(const BeatTree& tree, WaveNews& news, core::NodeId self,
                           std::uint32_t priority, std::uint32_t led,
                           const HandoverOptions& options) {
  const SubtreeReport& all = tree.report();
  news.count = all.count;
  news.depth = std::max(all.height + all.height / 4 + 2, news.depth - (news.depth + 7) / 8);
  if (!news.has_heir()) weigh(all.count);
  name_deputy(tree, news);
  observe(all);
  const bool is_eligible = all.top == priority && all.best < BeatTree::unknown;
  const core::NodeId candidate = is_eligible && all.candidate != self ? all.candidate : nobody;
  note_candidate(news, candidate);
  ++tried_;
  if (news.has_heir()) {
    if (tried_ >= heir_waves) next_trial(tree, news, priority);
    return;
  }
  if (all.top > priority && all.candidate != nobody && all.candidate != self)
    return hand_over(news, all.candidate);
  if (news.is_at_corner() || news.aim == Aim::centre)
    return on_corner(tree, news, candidate, priority);
  if (news.trial == nobody) return next_trial(tree, news, priority);
  if (tried_ > 1) note_runner_up(all, news.trial);
  if (tried_ > 1 && is_nearer(all, led, options)) ++won_;
  if (won_ >= confirmed)
    runner_up_ != nobody&& runner_up_ != news.trial ? try_runner_up(news)
                                                    : hand_over(news, news.trial);
  else if (tried_ >= trial_waves + won_)
    next_trial(tree, news, priority);
}

/// Where nothing changes: 2 %, and more in a deep tree, where a handover takes longer.
bool BeatHandover::is_lasting_gain(const SubtreeReport& all) {
  if (all.trial_far >= all.far) return false;
  const std::uint64_t gained = all.far - all.trial_far;
  return gained * 50 * 64 >= std::uint64_t{all.far} * (64 + std::min(all.height, 64U));
}

/// The nearest one that was on trial since the network became calm. One that is hardly nearer is
/// none: it would be tried again and again.
void BeatHandover::note_runner_up(const SubtreeReport& all, core::NodeId trial) {
  if (!is_lasting_gain(all) || (runner_up_ != nobody && all.trial_far >= runner_up_far_)) return;
  runner_up_ = trial;
  runner_up_far_ = all.trial_far;
}

void BeatHandover::try_runner_up(WaveNews& news) {
  tried_ = won_ = 0;
  news.trial = std::exchange(runner_up_, nobody);
}

/// The corner is measured, and the next one found; or, after the last, the centre.
void BeatHandover::on_corner(const BeatTree& tree, WaveNews& news, core::NodeId candidate,
                             std::uint32_t priority) {
  if (news.is_at_corner() && tried_ < corner_waves) return;
  tried_ = 0;
  if (candidate == nobody) return next_trial(tree, news, priority);
  if (news.aim == Aim::centre) {
    news.aim = Aim::lead;
    news.trial = candidate;
  } else if (++corners_ < corners) {
    news.aim = Aim::corner;
    news.trial = candidate;
  } else {
    news.aim = Aim::centre;
    news.trial = nobody;
  }
}

bool BeatHandover::is_nearer(const SubtreeReport& all, std::uint32_t led,
                             const HandoverOptions& options) const {
  if (!is_complete(all) || all.trial_far >= all.far) return false;
  if (calm_ >= calm_waves) return is_lasting_gain(all);
  const std::uint64_t gained = all.far - all.trial_far;
  return gained * 8 >= all.far && gained * 100 * std::min(led, options.tenure) >=
                                      std::uint64_t{options.gain} * all.count * options.tenure;
}

/// Whose turn it is to be tried; nobody where there is no such node. Where nothing changes, median
/// and hub are what they were in the first turns, and lighter children have the hub's other turns.
core::NodeId BeatHandover::contender(const BeatTree& tree, std::uint32_t priority) const {
  const bool is_calm = calm_ == calm_waves;
  if (turn_ % 4 < 2 && is_calm && turn_ > 1) return nobody;
  if (turn_ % 4 == 0) return median_;
  if (turn_ % 4 == 1 || (turn_ % 4 == 3 && !is_calm)) return hub_;
  std::uint32_t lighter = turn_ / 4 + (turn_ % 4 == 3 ? turns / 4 : 0);
  for (const TreeNeighbour* child : tree.children())
    if (child->spot.priority == priority && lighter-- == 0) return child->id;
  return nobody;
}

void BeatHandover::next_trial(const BeatTree& tree, WaveNews& news, std::uint32_t priority) {
  tried_ = won_ = corners_ = 0;
  news.trial = nobody;
  news.aim = Aim::lead;
  if (complete_ < settling || count_ < 3) return;
  if (calm_ < calm_for_corners) cornered_ = false;
  if (turn_ != turns - 1 && calm_ >= calm_for_corners && !std::exchange(cornered_, true) &&
      farthest_ != nobody) {
    news.trial = farthest_;
    news.aim = Aim::first_corner;
    return;
  }
  if (calm_ == calm_waves && runner_up_ != nobody) return try_runner_up(news);
  // Where nothing changes, one round is enough.
  for (std::uint32_t i = 0; i < turns && failed_ < turns && news.trial == nobody; ++i) {
    turn_ = (turn_ + 1) % turns;
    if (calm_ == calm_waves) ++failed_;
    news.trial = contender(tree, priority);
  }
}

bool BeatHandover::give_way(const BeatTree& tree, WaveNews& news, std::uint32_t priority) {
  if (news.has_heir()) return true;  // one at a time
  name_deputy(tree, news);
  for (const TreeNeighbour* child : tree.children()) {
    if (child->id != news.deputy || child->spot.priority <= priority) continue;
    hand_over(news, news.deputy);
    return true;
  }
  return false;
}

}  // namespace bellwether::algorithms
