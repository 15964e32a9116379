// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/moving/drumbeat_tree.hpp"

#include <algorithm>

namespace bellwether::algorithms {
namespace {

constexpr std::uint8_t fresh = 4;    // waves: who was heard in these counts as a neighbour
constexpr std::uint8_t kept = 2;     // ... and as a child, whom the next wave may count again
constexpr std::uint32_t remote = 8;  // added to a distance that is not known

std::uint32_t trial_distance(const TreeSpot& spot) {
  return spot.trial_hops == 0 ? spot.hops + remote : spot.trial_hops - 1;
}

/// The report of a node without children, which offers this.
SubtreeReport report_of(core::NodeId id, const TreeSpot& spot, std::uint32_t offer) {
  SubtreeReport out;
  out.far = spot.hops;
  out.top = spot.priority;
  out.best = spot.priority == 0 ? BeatTree::unknown : offer;
  out.candidate = spot.priority == 0 ? nobody : id;
  out.trial_hops = spot.trial_hops;
  out.trial_far = trial_distance(spot);
  return out;
}

/// What a leaf offers, which has told only its spot.
std::uint32_t offer_of_leaf(const TreeSpot& spot, Quest quest) {
  if (quest == Quest::hub) return BeatTree::unknown;
  return quest == Quest::farthest ? BeatTree::unknown - 1 - spot.hops : spot.measure;
}

/// Whether the candidate of one subtree is to be preferred to that of another.
bool is_preferred(const SubtreeReport& a, const SubtreeReport& b) {
  if (a.top != b.top) return a.top > b.top;
  return std::pair{a.best, a.candidate} < std::pair{b.best, b.candidate};
}

auto place_of(auto& near, core::NodeId id) {
  return std::lower_bound(
      near.begin(), near.end(), id,
      [](const TreeNeighbour& n, core::NodeId wanted) { return n.id < wanted; });
}

}  // namespace

TreeNeighbour& BeatTree::neighbour(core::NodeId id) {
  const auto at = place_of(near_, id);
  if (at != near_.end() && at->id == id) return *at;
  TreeNeighbour& added = *near_.insert(at, TreeNeighbour{});
  added.id = id;
  return added;
}

void BeatTree::begin(core::NodeId leader) {
  leader_ = leader;
  spot_ = {};
  report_ = {};
}

void BeatTree::begin_wave(const WaveNews& before, const WaveNews& news) {
  const bool is_over = news.trial != before.trial || news.aim != before.aim;
  if (is_over && before.is_at_corner()) note_corner(before.aim);
  for (TreeNeighbour& near : near_) {
    const bool is_ahead = near.age == 0 && near.wave == news.wave;
    if (!is_ahead && near.age <= fresh) ++near.age;
    if (near.reported == (news.wave + 1) % 4) near.reported = TreeNeighbour::old_wave;
  }
}

void BeatTree::on_spot(core::NodeId from, core::NodeId leader, const WaveNews& news,
                       const TreeSpot& spot) {
  TreeNeighbour& near = neighbour(from);
  if (near.leader != leader || spot.parent != self_) near.reported = TreeNeighbour::no_wave;
  if (spot.below > 1 && near.report.count == 1) near.reported = TreeNeighbour::no_wave;
  near.leader = leader;
  near.trial = news.trial;
  near.spot = spot;
  near.wave = news.wave;
  near.age = 0;
  if (spot.parent != self_ || spot.below > 1) return;
  // A leaf reports with its spot.
  near.report = report_of(from, spot, offer_of_leaf(spot, news.quest()));
  near.reported = news.wave;
  near.report_trial = news.trial;
}

bool BeatTree::on_report(core::NodeId from, core::NodeId parent, std::uint8_t wave,
                         const SubtreeReport& report, const WaveNews& news) {
  const auto at = place_of(near_, from);
  if (at == near_.end() || at->id != from) return false;
  if (wave == news.wave && at->trial == news.trial) at->spot.trial_hops = report.trial_hops;
  at->spot.parent = parent;
  if (parent != self_) return false;
  at->report = report;
  at->reported = wave;
  at->report_trial = wave == news.wave ? news.trial : nobody;
  return true;
}

void BeatTree::lose(core::NodeId neighbour) {
  std::erase_if(near_, [&](const TreeNeighbour& near) { return near.id == neighbour; });
}

void BeatTree::forget_unused(bool leads) {
  if (!leads) report_ = {.height = report_.height, .count = report_.count};
  for (TreeNeighbour& near : near_) {
    near.report.trial_hops = 0;  // is in its spot
    if (near.reported == TreeNeighbour::no_wave) {
      near.report = {.count = near.report.count};
      near.report_trial = nobody;
    } else if (near.reported == TreeNeighbour::old_wave) {
      near.report.top = near.report.best = 0;
      near.report.candidate = nobody;
    }
    if (near.age > kept)  // no parent, no child
      near.spot = {.measure = near.spot.measure, .trial_hops = near.spot.trial_hops};
    if (near.age <= fresh) continue;
    near.spot = {};
    near.trial = nobody;
    near.wave = 0;
  }
}

bool BeatTree::is_fresh(const TreeNeighbour& near) const {
  return near.leader == leader_ && near.age <= fresh;
}

bool BeatTree::is_child(const TreeNeighbour& near) const {
  return near.spot.parent == self_ && near.leader == leader_ && near.age <= kept;
}

/// Of this wave. Who was not may have another parent by now, which counts it, too.
bool BeatTree::is_heard(const TreeNeighbour& near, const WaveNews& news) {
  return near.age == 0 || near.reported == news.wave;
}

/// In the wave that is under way, or in the one before and nearer to the leader than this node was.
/// While nothing changes, no node so chooses one that is below it; where links come and go, parents
/// may form a cycle for a wave, and its nodes are not counted in that one.
bool BeatTree::may_be_parent(const TreeNeighbour& near, const WaveNews& news) const {
  const bool is_in_tree = near.id == leader_ || near.spot.parent != nobody;
  if (near.leader != leader_ || near.spot.parent == self_ || !is_in_tree) return false;
  if (near.age == 0) return near.wave == news.wave;
  return near.age == 1 && near.spot.hops < spot_.hops;
}

/// One that this wave has brought, so that the link is there, and that is not below this node.
bool BeatTree::may_replace_parent(const TreeNeighbour& near, const WaveNews& news) const {
  return near.age == 0 && may_be_parent(near, news) && near.spot.hops <= spot_.hops;
}

const TreeNeighbour* BeatTree::choose_parent(const WaveNews& news, bool again) const {
  const auto key = [](const TreeNeighbour& n) {
    return std::pair{n.spot.hops, unknown - n.spot.below};
  };
  const TreeNeighbour* best = nullptr;
  const TreeNeighbour* present = nullptr;
  for (const TreeNeighbour& near : near_) {
    if (again ? !may_replace_parent(near, news) : !may_be_parent(near, news)) continue;
    if (best == nullptr || key(near) < key(*best)) best = &near;
    if (near.id == spot_.parent) present = &near;
  }
  const bool stays = present != nullptr && present->spot.hops == best->spot.hops &&
                     2 * present->spot.below >= best->spot.below;
  return stays ? present : best;
}

/// What this node has told of its place is no longer so: its parent is not in this wave, and
/// another neighbour is; or it is no leaf.
bool BeatTree::is_misplaced(const WaveNews& news) const {
  if (spot_.below == 1 && has_children()) return true;
  const auto parent = place_of(near_, spot_.parent);
  if (parent != near_.end() && parent->id == spot_.parent && parent->age == 0) return false;
  return std::any_of(near_.begin(), near_.end(),
                     [&](const auto& near) { return may_replace_parent(near, news); });
}

std::uint32_t BeatTree::links() const {
  return static_cast<std::uint32_t>(std::count_if(
      near_.begin(), near_.end(), [this](const auto& near) { return is_fresh(near); }));
}

std::uint32_t BeatTree::trial_hops(core::NodeId trial) const {
  if (trial == nobody) return 0;
  if (trial == self_) return 1;
  std::uint32_t least = 0;
  for (const TreeNeighbour& near : near_) {
    const std::uint32_t its = near.spot.trial_hops;
    if (!is_fresh(near) || near.trial != trial || its == 0) continue;
    least = least == 0 ? its + 1 : std::min(least, its + 1);
  }
  return least;
}

void BeatTree::place_root(const WaveNews& news, std::uint32_t priority) {
  const std::uint32_t measure = news.quest() == Quest::hub ? links() : report_.far;
  spot_ = {nobody, 0, report_.count, measure, trial_hops(news.trial), priority};
}

void BeatTree::place(const WaveNews& news, std::uint32_t priority, bool again) {
  const TreeNeighbour* parent = choose_parent(news, again);
  if (parent != nullptr || !again) spot_.parent = parent == nullptr ? nobody : parent->id;
  spot_.hops = parent == nullptr ? std::max(spot_.hops, 1U) : parent->spot.hops + 1;
  spot_.below = std::max(report_.count, has_children() ? 2U : 1U);
  spot_.trial_hops = trial_hops(news.trial);
  spot_.measure = measure(parent, news);
  spot_.priority = priority;
}

/// What this node says with the wave, for the quest of the wave.
std::uint32_t BeatTree::measure(const TreeNeighbour* parent, const WaveNews& news) const {
  switch (news.quest()) {
    case Quest::median:
      return tree_sum(parent, news);
    case Quest::hub:
      return links();
    case Quest::farthest:
      return 0;
    case Quest::corner:
    case Quest::centre:
      break;
  }
  return offer(news);
}

/// The sum of the distances in the tree from here to all nodes.
std::uint32_t BeatTree::tree_sum(const TreeNeighbour* parent, const WaveNews& news) const {
  if (parent == nullptr || parent->wave != news.wave) return unknown;
  const std::uint32_t its = parent->spot.measure;
  const std::uint32_t below = report_.count;
  const bool is_possible = its < unknown && below < news.count && its + news.count > 2 * below;
  return is_possible ? its + news.count - 2 * below : unknown;
}

/// How good a candidate this node is, for the quest of the wave: the less, the better.
std::uint32_t BeatTree::offer(const WaveNews& news) const {
  switch (news.quest()) {
    case Quest::median:
      return spot_.measure;
    case Quest::farthest:
      return unknown - 1 - std::min(spot_.hops, unknown / 2);
    case Quest::corner: {
      const std::uint32_t far = std::min(spot_.trial_hops, unknown / 2);
      const bool is_first = news.aim == Aim::first_corner;
      return unknown - 1 - (is_first ? far : std::min(far, nearest_corner_));
    }
    case Quest::centre:
      return farthest_corner_;
    case Quest::hub:
      break;
  }
  std::uint32_t reached = 0;
  for (const TreeNeighbour& near : near_)
    if (is_fresh(near) && near.wave == news.wave) reached += near.spot.measure;
  return unknown - 1 - std::min(reached, unknown / 2);
}

/// The corner on trial has been measured: how far from here is it?
void BeatTree::note_corner(Aim aim) {
  const bool is_first = aim == Aim::first_corner;
  const std::uint32_t far = spot_.trial_hops == 0 ? unknown : spot_.trial_hops;
  nearest_corner_ = is_first ? far % unknown : std::min(nearest_corner_, far);
  farthest_corner_ = is_first ? far : std::max(farthest_corner_, far);
}

/// Where a child has not summed up its distances to this one: what they are at most, by the tree.
std::uint32_t BeatTree::trial_far(const TreeNeighbour& child, core::NodeId trial) const {
  const SubtreeReport& report = child.report;
  if (child.report_trial == trial) return report.trial_far;
  std::uint32_t from_child = child.spot.hops + remote;
  if (child.trial == trial && child.spot.trial_hops > 0)
    from_child = child.spot.trial_hops - 1;
  else if (spot_.trial_hops > 0)
    from_child = spot_.trial_hops;
  const std::uint32_t to_child = report.count * child.spot.hops;
  return report.count * from_child + report.far - std::min(report.far, to_child);
}

void BeatTree::gather(const WaveNews& news) {
  spot_.trial_hops = trial_hops(news.trial);
  SubtreeReport all = report_of(self_, spot_, offer(news));
  for (const TreeNeighbour& near : near_) {
    if (!is_child(near) || !is_heard(near, news)) continue;
    if (near.reported == TreeNeighbour::no_wave) {  // a new child: what it had below it
      all.count += near.spot.below;
      all.far += near.spot.below * (near.spot.hops + 1) - 1;
      all.trial_far += near.spot.below * (trial_distance(near.spot) + 1) - 1;
      continue;
    }
    all.count += near.report.count;
    all.far += near.report.far;
    all.trial_far += trial_far(near, news.trial);
    all.height = std::max(all.height, near.report.height + 1);
    if (near.reported != news.wave || !is_preferred(near.report, all)) continue;
    all.top = near.report.top;
    all.best = near.report.best;
    all.candidate = near.report.candidate;
  }
  report_ = all;
}

bool BeatTree::has_children() const {
  return std::any_of(near_.begin(), near_.end(),
                     [this](const auto& near) { return is_child(near) && near.age <= 1; });
}

bool BeatTree::awaits_report(std::uint8_t wave) const {
  return std::any_of(near_.begin(), near_.end(), [&](const auto& near) {
    return is_child(near) && near.age <= 1 && near.reported != wave;
  });
}

core::NodeId BeatTree::provisional_deputy() const {
  const auto rank = [](const TreeNeighbour& near) {
    return std::pair{near.spot.priority, near.spot.below};
  };
  const TreeNeighbour* best = nullptr;
  for (const TreeNeighbour& near : near_) {
    const bool is_in_tree = near.leader == leader_ && near.age <= kept;
    if (!is_in_tree || near.id == leader_ || near.spot.priority == 0) continue;
    if (best == nullptr || rank(near) > rank(*best)) best = &near;
  }
  return best == nullptr ? nobody : best->id;
}

std::vector<const TreeNeighbour*> BeatTree::children() const {
  std::vector<const TreeNeighbour*> out;
  for (const TreeNeighbour& near : near_)
    if (is_child(near)) out.push_back(&near);
  std::stable_sort(out.begin(), out.end(),
                   [](const auto* a, const auto* b) { return a->report.count > b->report.count; });
  return out;
}

}  // namespace bellwether::algorithms
