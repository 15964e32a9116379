// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/moving/hierarchy.hpp"

#include <algorithm>

namespace bellwether::algorithms {

static_assert(core::Protocol<Hierarchy> && core::Described<Hierarchy>);
static_assert(core::Ranked<Hierarchy>);

Hierarchy::Hierarchy(NodeId id, Options options)
    : heights_(id, heights_options(options)), places_(options.remoteness) {
  places_.crown(true);
  told_ = LeadersAbove(places_.tell(id, true, {}));
}

void Hierarchy::start(Step& step) {
  branches_.reserve(step.ports().size());
  step_heights(step, [&](Height::Step& heights) { heights_.start(heights); });
}

void Hierarchy::link_up(Step& step, Port port) {
  step_heights(step, [&](Height::Step& heights) { heights_.link_up(heights, port); });
}

void Hierarchy::link_down(Step& step, Port port) {
  std::erase_if(branches_, [&](const Branch& b) { return b.port == port; });
  step_heights(step, [&](Height::Step& heights) { heights_.link_down(heights, port); });
}

void Hierarchy::receive(Step& step, Port port, const Message& message) {
  const auto& update = std::get<Update>(message);
  if (update.reaches->size() > HierarchyPlaces::most_levels ||
      update.leaders->size() > HierarchyPlaces::most_levels)
    return;  // nobody can have sent this
  step_heights(step, [&](Height::Step& heights) {
    // The height layer receives only heights that are new to it, and so takes the same steps as on
    // its own.
    const HeightTuple* known = heights_.view(port);
    if (!known || update.height.hello || *known != update.height.height)
      heights_.receive(heights, port, Height::Message(update.height));
    if (!heights_.view(port)) return;  // an invalid height
    hear(branch(port), update);
  });
}

void Hierarchy::hear(Branch& from, const Update& update) {
  from.depth = std::min(update.depth, nowhere);
  from.child = update.child;
  from.asks = update.child && (from.asks || update.asks);
  const std::size_t levels = from.reaches->size();
  from.reaches = update.child ? update.reaches : Reaches();
  if (from.reaches->size() > levels) from.has_leaders = false;  // it lacks numbers
  if (pred_ != from.port || update.leaders->empty()) return;
  above_ = update.leaders;
  doubts_ = false;
  if (asked_) answer();
}

/// Who waits is told in this step.
void Hierarchy::answer() {
  asked_ = false;
  for (Branch& b : branches_)
    if (b.asks) b.asks = b.has_leaders = false;
}

template <class Act>
void Hierarchy::step_heights(Step& step, Act&& act) {
  Height::Step heights;
  heights.begin(step.ports(), step.now());
  const HeightTuple before = heights_.height();
  act(heights);
  const bool followed = heights_.height().lp != before.lp;
  if (followed) follow();
  const bool agreed = all_follow();
  choose_pred(agreed, !followed && heights_.height().rl != before.rl);
  if (root()) answer();
  const bool ready = agreed && all_told();
  if (ready) settle();
  tell();
  send(step, heights, {agreed, ready});
}

/// Another leader: who leads stays; what is above is not known any more.
void Hierarchy::follow() {
  depth_ = root() ? 0 : nowhere;
  places_.crown(root());
  above_ = {};
  reaches_ = {};
  told_reaches_ = doubts_ = asked_ = false;
  for (Branch& b : branches_) b.asks = b.has_leaders = false;
}

/// It stays while it is downhill, once it has told who is above; and before all neighbours follow
/// our leader, since then another would be chosen soon.
void Hierarchy::choose_pred(bool agreed, bool raised) {
  const std::optional<Port> old = pred_;
  const bool stays = old && downhill(*old) && (!agreed || !above_->empty());
  if (root())
    pred_.reset();
  else if (!stays)
    pred_ = nearest();
  if (pred_ && (pred_ != old || above_->empty()))
    depth_ = std::min(depth_, std::min(branch(*pred_).depth, nowhere - 1) + 1);
  if (raised) doubts_ = true;
  if (pred_ == old) return;
  if (old && uphill(*old)) doubts_ = true;
  above_ = {};
  told_reaches_ = asked_ = false;
}

/// Downhill, lowest id first.
std::optional<Port> Hierarchy::nearest() const {
  std::optional<Port> best;
  std::pair<std::uint32_t, NodeId> least{};
  for (const Branch& b : branches_) {
    if (!downhill(b.port)) continue;
    const std::pair key{b.depth, heights_.view(b.port)->id};
    if (best && least < key) continue;
    best = b.port;
    least = key;
  }
  return best;
}

void Hierarchy::settle() {
  std::vector<std::uint32_t> below;
  for (const Branch& b : branches_) {
    if (!child(b)) continue;
    const auto& theirs = *b.reaches;
    if (below.size() < theirs.size()) below.resize(theirs.size());
    for (std::size_t i = 0; i < theirs.size(); ++i) below[i] = std::max(below[i], theirs[i]);
  }
  auto now = places_.settle(root(), std::move(below), above_);
  if (now == *reaches_) return;
  reaches_ = Reaches(std::move(now));
  told_reaches_ = false;
}

void Hierarchy::tell() {
  auto now = places_.tell(id(), root(), above_);
  if (now == *told_) return;
  for (Branch& b : branches_)
    if (!HierarchyPlaces::same_for_child(*told_, now, b.reaches)) b.has_leaders = false;
  told_ = now == *above_ ? above_ : LeadersAbove(std::move(now));  // mostly pred's
}

/// The messages of the height layer are merged with ours, by port.
void Hierarchy::send(Step& step, const Height::Step& heights, Readiness readiness) {
  std::vector<std::pair<Port, bool>> sends;  // and whether it is a hello
  for (const auto& send : heights.sends()) {
    sends.emplace_back(send.port, std::get<Height::Update>(send.message).hello);
    branch(send.port);
  }
  std::sort(sends.begin(), sends.end());
  auto next = sends.begin();
  for (Branch& b : branches_) {
    if (!child(b)) b.has_leaders = false;
    const News news = news_for(b, readiness);
    bool due = news.any();
    bool hello = false;
    for (; next != sends.end() && next->first == b.port; ++next) {
      due = true;
      hello = hello || next->second;
    }
    if (due) send(step, b, news, hello, readiness);
  }
}

Hierarchy::News Hierarchy::news_for(const Branch& b, Readiness readiness) const {
  News news;
  const bool is_pred = pred_ == b.port;
  // A neighbour uphill knows that it cannot be our pred.
  news.child = b.told_child != is_pred && downhill(b.port);
  news.asks = is_pred && !asked_ && waits();
  news.reaches = is_pred && readiness.below && !told_reaches_;
  news.leaders = child(b) && readiness.below && !told_->empty() && !b.has_leaders && !b.asks;
  news.depth = readiness.around && b.told_depth != depth_ && depth_ < nowhere && uphill(b.port);
  return news;
}

void Hierarchy::send(Step& step, Branch& b, const News& news, bool hello, Readiness readiness) {
  Update update{heights_.update(hello), depth_, pred_ == b.port, news.asks, {}, {}};
  b.told_depth = depth_;
  b.told_child = update.child;
  if (update.child) {
    if (readiness.below || told_reaches_) update.reaches = reaches_;
    told_reaches_ = !update.reaches->empty();
    asked_ = asked_ || news.asks;
  }
  if (news.leaders) {
    update.leaders = HierarchyPlaces::for_child(told_, b.reaches);
    b.has_leaders = true;
  }
  step.send(b.port, std::move(update));
}

bool Hierarchy::waits() const {
  return doubts_ || std::any_of(branches_.begin(), branches_.end(),
                                [&](const Branch& b) { return b.asks && child(b); });
}

/// Whether every neighbour follows our leader. Before that, anything we told would soon change.
bool Hierarchy::all_follow() const {
  return std::all_of(branches_.begin(), branches_.end(), [&](const Branch& b) {
    const HeightTuple* theirs = heights_.view(b.port);
    return !theirs || theirs->lp == heights_.height().lp;
  });
}

/// Whether the children have reported.
bool Hierarchy::all_told() const {
  return std::all_of(branches_.begin(), branches_.end(), [&](const Branch& b) {
    return !b.child || !b.reaches->empty() || !heights_.view(b.port) || downhill(b.port);
  });
}

bool Hierarchy::uphill(Port port) const {
  const HeightTuple* theirs = heights_.view(port);
  return theirs && theirs->lp == heights_.height().lp && heights_.height() < *theirs;
}

bool Hierarchy::downhill(Port port) const {
  const HeightTuple* theirs = heights_.view(port);
  return theirs && theirs->lp == heights_.height().lp && *theirs < heights_.height();
}

bool Hierarchy::child(const Branch& branch) const {
  return branch.child && !branch.reaches->empty() && uphill(branch.port);
}

Hierarchy::Branch& Hierarchy::branch(Port port) {
  const auto at = std::lower_bound(branches_.begin(), branches_.end(), port,
                                   [](const Branch& b, Port p) { return b.port < p; });
  if (at != branches_.end() && at->port == port) return *at;
  Branch fresh;
  fresh.port = port;
  return *branches_.insert(at, fresh);
}

/// None, where one of them is too far away: it is about to be replaced.
std::vector<NodeId> Hierarchy::leaders() const {
  std::vector<NodeId> ids;
  if (told_->empty() || told_->back().id != *leader()) return ids;
  ids.reserve(told_->size());
  for (std::size_t k = 1; k <= told_->size(); ++k) {
    if ((*told_)[k - 1].steps > remoteness().of(k)) return {};
    ids.push_back((*told_)[k - 1].id);
  }
  return ids;
}

}  // namespace bellwether::algorithms
