// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/moving/vector_hierarchy.hpp"

#include <algorithm>

namespace bellwether::algorithms {

static_assert(core::Protocol<VectorHierarchy> && core::Described<VectorHierarchy>);
static_assert(core::Hierarchical<VectorHierarchy>);

namespace {

/// With remoteness 1 or more each level has at most half the leaders of the one below.
constexpr std::uint32_t most_levels = 64;

bool before(const HierarchyMember& a, const HierarchyMember& b) {
  return std::pair{a.level, a.id} < std::pair{b.level, b.id};
}

/// Whether a node can have sent this: input from the network need not be valid.
bool can_be_sent(const VectorHierarchy::Update& update) {
  const auto& members = *update.members;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (members[i].level >= most_levels || members[i].steps == 0) return false;
    if (i > 0 && !before(members[i - 1], members[i])) return false;
  }
  return update.leaders->size() <= most_levels;
}

}  // namespace

VectorHierarchy::VectorHierarchy(NodeId id, Options options)
    : heights_(id, heights_options(options)),
      dist_(0),
      rank_(1),
      chain_({id}),
      remoteness_(options.remoteness) {}

void VectorHierarchy::start(Step& step) {
  branches_.reserve(step.ports().size());
  step_heights(step, [&](Height::Step& heights) { heights_.start(heights); });
}

void VectorHierarchy::link_up(Step& step, Port port) {
  step_heights(step, [&](Height::Step& heights) { heights_.link_up(heights, port); });
}

void VectorHierarchy::link_down(Step& step, Port port) {
  std::erase_if(branches_, [&](const Branch& b) { return b.port == port; });
  step_heights(step, [&](Height::Step& heights) { heights_.link_down(heights, port); });
}

void VectorHierarchy::receive(Step& step, Port port, const Message& message) {
  const auto& update = std::get<Update>(message);
  if (!can_be_sent(update)) return;
  step_heights(step, [&](Height::Step& heights) {
    // The height layer receives only heights that are new to it, and so takes the same steps as on
    // its own.
    const HeightTuple* known = heights_.view(port);
    if (!known || update.height.hello || *known != update.height.height)
      heights_.receive(heights, port, Height::Message(update.height));
    if (!heights_.view(port)) return;  // an invalid height
    Branch& from = branch(port);
    from.dist = std::min(update.dist, nowhere);
    from.child = update.child;
    from.members = update.child ? update.members : HierarchyMembers();
    if (pred_ == port && !update.leaders->empty()) pred_chain_ = update.leaders;
  });
}

template <class Act>
void VectorHierarchy::step_heights(Step& step, Act&& act) {
  Height::Step heights;
  heights.begin(step.ports(), step.now());
  const LeaderPair before = heights_.height().lp;
  act(heights);
  if (heights_.height().lp != before) forget();
  refresh(step, heights);
}

/// Under a new leader nothing is known but its id.
void VectorHierarchy::forget() {
  rank_ = root() ? 1 : 0;
  pred_chain_ = {};
  members_ = {};
}

void VectorHierarchy::refresh(Step& step, const Height::Step& heights) {
  const auto old_pred = pred_;
  choose_pred();
  const bool ready = all_told();
  if (ready)
    if (auto now = rise(below()); now != *members_) {
      members_ = HierarchyMembers(std::move(now));
      told_members_ = false;
    }
  if (pred_ != old_pred) told_members_ = false;
  if (auto now = chain(); now != *chain_) {
    chain_ = now == *pred_chain_ ? pred_chain_ : Chain(std::move(now));  // mostly pred's
    for (Branch& b : branches_) b.told_chain = false;
  }
  // The messages of the height layer are merged with ours, by port.
  std::vector<std::pair<Port, bool>> sends;  // and whether it is a hello
  for (const auto& send : heights.sends()) {
    sends.emplace_back(send.port, std::get<Height::Update>(send.message).hello);
    branch(send.port);
  }
  std::sort(sends.begin(), sends.end());
  auto next = sends.begin();
  for (Branch& b : branches_) {
    const bool is_pred = pred_ == b.port;
    const bool is_child = child(b);
    const bool knows_chain = root() || !pred_chain_->empty();
    if (!is_child) b.told_chain = false;
    bool due = is_pred != (old_pred == b.port) || (is_pred && ready && !told_members_) ||
               (is_child && knows_chain && !b.told_chain) || must_hear_dist(b);
    bool hello = false;
    for (; next != sends.end() && next->first == b.port; ++next) {
      due = true;
      hello = hello || next->second;
    }
    if (!due) continue;
    Update update{heights_.update(hello), dist_, is_pred, {}, {}};
    if (is_pred && (ready || told_members_)) update.members = members_;
    if (is_pred) told_members_ = !update.members->empty();
    if (is_child && knows_chain) update.leaders = chain_;
    b.told_chain = is_child && knows_chain;
    b.told_dist = dist_;
    step.send(b.port, std::move(update));
  }
}

/// The nodes above choose their pred by it, and those below wait until we have chosen. The position
/// of a neighbour that has not sent anything yet is unknown.
bool VectorHierarchy::must_hear_dist(const Branch& b) const {
  if (b.told_dist == dist_) return false;
  return !downhill(b.port) || (b.told_dist < nowhere) != (dist_ < nowhere);
}

/// Whether every neighbour follows our leader, and the neighbours above have said whether they are
/// our children and which nodes below them lack a leader. Before that, anything we sent would soon
/// change.
bool VectorHierarchy::all_told() const {
  return std::all_of(branches_.begin(), branches_.end(), [&](const Branch& b) {
    const HeightTuple* theirs = heights_.view(b.port);
    if (!theirs) return true;
    if (theirs->lp != heights_.height().lp) return false;
    return downhill(b.port) || (b.dist < nowhere && (!b.child || !b.members->empty()));
  });
}

bool VectorHierarchy::uphill(Port port) const {
  const HeightTuple* theirs = heights_.view(port);
  return theirs && theirs->lp == heights_.height().lp && heights_.height() < *theirs;
}

bool VectorHierarchy::downhill(Port port) const {
  const HeightTuple* theirs = heights_.view(port);
  return theirs && theirs->lp == heights_.height().lp && *theirs < heights_.height();
}

bool VectorHierarchy::child(const Branch& branch) const {
  return branch.child && !branch.members->empty() && uphill(branch.port);
}

VectorHierarchy::Branch& VectorHierarchy::branch(Port port) {
  const auto at = std::lower_bound(branches_.begin(), branches_.end(), port,
                                   [](const Branch& b, Port p) { return b.port < p; });
  if (at != branches_.end() && at->port == port) return *at;
  Branch fresh;
  fresh.port = port;
  return *branches_.insert(at, fresh);
}

void VectorHierarchy::choose_pred() {
  pred_.reset();
  dist_ = root() ? 0 : nowhere;
  if (root()) return;
  NodeId best{};
  for (const Branch& b : branches_) {
    if (b.dist >= nowhere || !downhill(b.port)) continue;
    const NodeId id = heights_.view(b.port)->id;
    if (pred_ && std::pair{b.dist + 1, id} > std::pair{dist_, best}) continue;
    pred_ = b.port;
    dist_ = b.dist + 1;
    best = id;
  }
}

/// The nodes below that lack a leader, by level.
std::vector<HierarchyMember> VectorHierarchy::below() const {
  std::vector<HierarchyMember> all;
  for (const Branch& b : branches_)
    if (child(b)) all.insert(all.end(), b.members->begin(), b.members->end());
  std::sort(all.begin(), all.end(), [](const HierarchyMember& a, const HierarchyMember& b) {
    return std::tuple{a.level, a.id, b.steps} < std::tuple{b.level, b.id, a.steps};
  });
  // While the tree changes, a node may seem to be in two positions: the farther one counts.
  const auto same = [](const HierarchyMember& a, const HierarchyMember& b) {
    return a.level == b.level && a.id == b.id;
  };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  return all;
}

/// The level that this node leads at, and the nodes that still lack a leader.
std::vector<HierarchyMember> VectorHierarchy::rise(std::vector<HierarchyMember> below) {
  if (root()) {
    rank_ = static_cast<std::uint16_t>(below.empty() ? 1 : below.back().level + 1);
    return {};
  }
  rank_ = 0;
  auto from = below.begin();
  auto to = from;  // those of level `rank_`
  const auto longest = [&] {
    std::uint32_t steps = 0;
    for (to = from; to != below.end() && to->level == rank_; ++to)
      steps = std::max(steps, to->steps);
    return steps;
  };
  while (rank_ + 1u < most_levels && longest() >= remoteness_.of(rank_ + 1u)) {
    from = to;
    ++rank_;
  }
  longest();
  for (auto each = from; each != to; ++each) ++each->steps;
  std::vector<HierarchyMember> up;
  up.reserve(static_cast<std::size_t>(below.end() - from) + 1);
  up.assign(from, below.end());
  const HierarchyMember self{id(), rank_, 1};
  const auto place = std::lower_bound(up.begin(), up.end(), self, before);
  if (place != up.end() && !before(self, *place))
    *place = self;  // outdated information about ourselves has come back
  else
    up.insert(place, self);
  return up;
}

/// It ends with the component's leader, whatever else is known.
std::vector<NodeId> VectorHierarchy::chain() const {
  std::vector<NodeId> all;
  if (root() || !pred_chain_->empty()) all.assign(rank_, id());
  if (pred_chain_->size() > rank_)
    all.insert(all.end(), pred_chain_->begin() + rank_, pred_chain_->end());
  if (all.empty() || all.back() != *leader()) all.push_back(*leader());
  return all;
}

std::vector<NodeId> VectorHierarchy::children(std::uint32_t level) const {
  std::vector<NodeId> out;
  if (level == 0 || level > rank_) return out;
  for (const HierarchyMember& each : below())
    if (each.level + 1 == level) out.push_back(each.id);
  return out;
}

std::optional<Port> VectorHierarchy::next_hop(NodeId id) const {
  for (const Branch& b : branches_)
    if (child(b))
      for (const HierarchyMember& each : *b.members)
        if (each.id == id) return b.port;
  const bool above = std::find(chain_->begin(), chain_->end(), id) != chain_->end();
  return above && id != this->id() ? pred_ : std::nullopt;
}

}  // namespace bellwether::algorithms
