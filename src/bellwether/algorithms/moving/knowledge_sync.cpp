// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/moving/knowledge_sync.hpp"

namespace bellwether::algorithms {

using core::NodeId;

namespace {

/// Whether a node can have sent this: input from the network need not be a map of sets.
bool can_be_sent(const Knowledge& message) {
  const std::vector<MemberView>& views = *message.known;
  for (std::size_t i = 0; i < views.size(); ++i) {
    if (i > 0 && !(views[i - 1].id < views[i].id)) return false;
    if (views[i].clock == 0 || views[i].clock >= end_of_versions) return false;
    if (!is_set(*views[i].neighbours)) return false;
  }
  return is_set(message.greets);
}

/// Whether an entry of `ours` is later, or missing in `theirs`.
bool has_more(const Known& ours, const Known& theirs) {
  if (ours.same(theirs)) return false;
  return std::any_of(ours->begin(), ours->end(), [&](const MemberView& view) {
    const MemberView* other = find(theirs, view.id);
    return !other || other->clock < view.clock;
  });
}

}  // namespace

void KnowledgeSync::begin(core::Time now, const Ids& peers) {
  const auto microseconds = std::chrono::duration_cast<std::chrono::microseconds>(now).count();
  MemberView& own = entry(known_, id_);
  own.clock = static_cast<std::uint64_t>(std::max<std::int64_t>(microseconds, 0)) + 1;
  for (const NodeId peer : peers) insert(own.neighbours, peer);
}

void KnowledgeSync::connect(NodeId peer) {
  if (contains(*own().neighbours, peer)) return;
  MemberView& mine = entry(known_, id_);
  insert(mine.neighbours, peer);
  ++mine.clock;
  changed();
}

bool KnowledgeSync::disconnect(NodeId peer) {
  if (!contains(*own().neighbours, peer)) return false;
  MemberView& mine = entry(known_, id_);
  erase(mine.neighbours, peer);
  ++mine.clock;
  changed();
  return true;
}

bool KnowledgeSync::set_priority(std::uint32_t priority) {
  if (own().effective_priority() == priority) return false;
  MemberView& mine = entry(known_, id_);
  mine.priority = priority;
  if (priority == usual_priority)
    insert(mine.neighbours, id_);
  else
    erase(mine.neighbours, id_);
  if (!awake_) return true;
  ++mine.clock;
  changed();
  return true;
}

void KnowledgeSync::changed() {
  confirmed_.clear();
  if (horizon_ > 0) forget_beyond(known_, id_, Edges::mutual, horizon_);
}

bool KnowledgeSync::defend(std::uint64_t version, const Ids* neighbours, std::uint32_t priority) {
  const MemberView& mine = own();
  const bool other =
      neighbours && (*neighbours != *mine.neighbours || priority != mine.effective_priority());
  if (version < mine.clock || (version == mine.clock && !other)) return false;
  entry(known_, id_).clock = version + 1;
  changed();
  return true;
}

std::optional<KnowledgeSync::News> KnowledgeSync::take(const Knowledge& message) {
  if (known_.same(message.known)) return News{};
  if (!can_be_sent(message)) return std::nullopt;
  News news;
  // Once our version is the latest, merging cannot adopt an entry about us.
  if (const MemberView* quoted = find(message.known, id_))
    news.own = defend(quoted->clock, &*quoted->neighbours, quoted->effective_priority());
  const Known before = known_;
  if (!merge(known_, message.known, Ties::keep)) return news;
  const auto confirmed = confirmed_;
  changed();
  if (known_ == before) {  // everything new is beyond the horizon
    known_ = before;
    confirmed_ = confirmed;
  } else {
    news.others = true;
  }
  return news;
}

void KnowledgeSync::confirm(core::Port port) {
  const auto at = std::lower_bound(confirmed_.begin(), confirmed_.end(), port);
  if (at == confirmed_.end() || *at != port) confirmed_.insert(at, port);
}

bool KnowledgeSync::all_confirmed(std::span<const core::Port> ports) const {
  return std::includes(confirmed_.begin(), confirmed_.end(), ports.begin(), ports.end());
}

/// What both should hold: with a horizon h, the entries within h - 1 hops of the sender.
Known KnowledgeSync::shared_part(const Known& known, NodeId sender) const {
  Known part = known;
  if (horizon_ > 0) forget_beyond(part, sender, Edges::mutual, horizon_ - 1);
  return part;
}

bool KnowledgeSync::agrees(const Known& theirs, NodeId peer) const {
  return shared_part(theirs, peer) == shared_part(known_, peer);
}

/// Whether we know anything that they lack and should hold.
bool KnowledgeSync::exceeds(const Known& theirs, NodeId peer) const {
  if (horizon_ == 0) return has_more(known_, theirs);
  Known wanted = known_;
  forget_beyond(wanted, peer, Edges::mutual, horizon_);
  return has_more(wanted, theirs);
}

std::uint64_t KnowledgeSync::digest_around(NodeId sender) const {
  return core::digest(shared_part(known_, sender));
}

}  // namespace bellwether::algorithms
