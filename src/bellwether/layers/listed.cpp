// SPDX-License-Identifier: MIT
#include "bellwether/layers/listed.hpp"

#include "bellwether/core/members.hpp"

namespace bellwether::layers {
namespace {

using namespace std::chrono_literals;

constexpr Duration refresh = 1s;
constexpr Duration refresh_jitter = 50ms;
constexpr Duration between_news = 100ms;
/// Those who have learnt the same at the same moment do not all speak at once.
constexpr Duration first_news = 50ms;
constexpr std::size_t others = Listed::most_records - 1;  // of a refresh

// No network is that wide, and no clock that late: what says so was not written by a node.
constexpr std::uint32_t farthest = 1u << 16;
constexpr std::uint64_t latest = std::uint64_t{1} << 62;

std::uint64_t first_stamp(core::Time now) {
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  return 2 * static_cast<std::uint64_t>(std::max<std::int64_t>(ms, 0)) + 2;
}

/// Refreshes in which every one of that many members is mentioned once.
std::uint32_t round_of(std::size_t members) {
  return static_cast<std::uint32_t>((members - 1 + others - 1) / others);
}

}  // namespace

Listed::Listed(NodeId id, const Options& options)
    : id_(id),
      most_members_(std::max<std::size_t>(options.most_members, 1)),
      priority_(core::usual_priority),
      entries_{{{id, 0, 0, std::nullopt, priority_}, std::nullopt, 0, false}},
      inner_(*options.inner, id) {
  show();
}

void Listed::start(Step& step) {
  ListEntry& mine = own();
  mine.record.stamp = std::max(mine.record.stamp, first_stamp(step.now()));
  step.arm(RefreshTime{}, Duration{0}, refresh);
  announce(step, mine);
  run(step, core::Call::start());
}

/// A stranger gets to know this node at once.
void Listed::link_up(Step& step, Port port) {
  const ListEntry* peer = find(step.peer(port));
  if (peer == nullptr || peer->record.gone()) announce(step, own());
  run(step, core::Call::link_up(port));
}

void Listed::link_down(Step& step, Port port) {
  lose_route(step.peer(port));
  run(step, core::Call::link_down(port));
}

void Listed::farewell(Step& step, Port port) {
  const NodeId peer = step.peer(port);
  lose_route(peer);
  if (ListEntry* entry = find(peer); entry != nullptr && !entry->record.gone())
    lose_member(step, *entry);
  run(step, core::Call::farewell(port));
}

void Listed::receive(Step& step, Port port, const Message& message) {
  if (const auto* names = std::get_if<MemberNames>(&message))
    on_names(step, step.peer(port), *names);
  else
    run(step, core::Call::receive(port, std::get<OfElection>(message).body.value()));
}

void Listed::timeout(Step& step, const Timer& timer) {
  if (std::holds_alternative<RefreshTime>(timer))
    send_refresh(step);
  else if (std::holds_alternative<NewsTime>(timer))
    send_news(step);
  else
    run(step, core::Call::timeout(std::get<InnerTimer>(timer).timer.name()));
}

void Listed::set_priority(Step& step, std::uint32_t priority) {
  priority_ = priority;
  run(step, core::Call::set_priority(priority));
}

Listed::ListEntries::iterator Listed::at_or_after(NodeId id) {
  return std::lower_bound(entries_.begin(), entries_.end(), id,
                          [](const ListEntry& e, NodeId wanted) { return e.record.id < wanted; });
}

Listed::ListEntry* Listed::find(NodeId id) {
  const auto at = at_or_after(id);
  return at != entries_.end() && at->record.id == id ? &*at : nullptr;
}

void Listed::on_names(Step& step, NodeId from, const MemberNames& names) {
  if (names.records.size() > most_records) return;
  for (const MemberRecord& record : names.records) on_record(step, from, record);
  show();
}

void Listed::on_record(Step& step, NodeId from, const MemberRecord& record) {
  if (record.hops >= farthest || record.stamp >= latest) return;
  if (record.id == id_) return on_own_record(step, record);
  if (ListEntry* entry = find(record.id))
    update(step, from, *entry, record);
  else if (!record.gone())
    add(step, from, record);
}

/// An earlier life of this node had a later clock, or others take it for gone.
void Listed::on_own_record(Step& step, const MemberRecord& record) {
  ListEntry& mine = own();
  if (record.stamp <= mine.record.stamp) return;
  mine.record.stamp = record.stamp + 2 - record.stamp % 2;
  announce(step, mine);
}

void Listed::add(Step& step, NodeId from, const MemberRecord& record) {
  if (entries_.size() >= most_members_ && !make_room()) {
    ++list_.refused;
    return;
  }
  ListEntry entry{record, from, 0, false};
  ++entry.record.hops;
  announce(step, *entries_.insert(at_or_after(record.id), std::move(entry)));
  changed_ = true;
  if (record.id == from) welcome(step);
}

void Listed::update(Step& step, NodeId from, ListEntry& entry, const MemberRecord& record) {
  MemberRecord& kept = entry.record;
  if (record.stamp < kept.stamp) {
    if (kept.gone()) entry.age = 0;
    // Its sender does not know that it is gone, or has begun anew with an earlier clock.
    if (kept.gone() || record.id == from) announce(step, entry);
    return;
  }
  if (record.stamp == kept.stamp && (record.gone() || record.hops + 1 >= kept.hops)) return;
  if (record.gone()) {
    if (kept.gone())
      kept.stamp = record.stamp;
    else
      lose_member(step, entry), kept.stamp = record.stamp;
    return;
  }
  const bool back = kept.gone();
  const bool news = back || kept.parent != record.parent || kept.priority != record.priority;
  const bool nearer = kept.hops != record.hops + 1 || entry.via != from;
  if (record.stamp > kept.stamp) entry.age = 0;
  kept = record;
  ++kept.hops;
  entry.via = from;
  changed_ = changed_ || news || nearer;
  if (news) announce(step, entry);
  if (back && record.id == from) welcome(step);
}

/// A neighbour that was no member knows none of the others, perhaps.
void Listed::welcome(Step& step) {
  for (ListEntry& each : entries_)
    if (!each.record.gone()) announce(step, each);
}

void Listed::lose_route(NodeId neighbour) {
  for (ListEntry& each : entries_) {
    if (each.via != neighbour) continue;
    each.via.reset();
    each.age = 0;
    changed_ = true;
  }
}

void Listed::lose_member(Step& step, ListEntry& entry) {
  entry.record.stamp += 1;
  entry.record.parent.reset();
  entry.via.reset();
  entry.age = 0;
  changed_ = true;
  announce(step, entry);
}

/// Whoever has been gone for the longest time makes room for a member.
bool Listed::make_room() {
  const auto oldest = std::max_element(
      entries_.begin(), entries_.end(), [](const ListEntry& a, const ListEntry& b) {
        return std::pair(a.record.gone(), a.age) < std::pair(b.record.gone(), b.age);
      });
  if (!oldest->record.gone()) return false;
  entries_.erase(oldest);
  return true;
}

/// The next ones behind the last of the last time, while there is room for them.
template <class Wanted>
void Listed::fill(MemberNames& out, NodeId& last, Wanted&& wanted) {
  const auto next =
      std::upper_bound(entries_.begin(), entries_.end(), last,
                       [](NodeId id, const ListEntry& e) { return id < e.record.id; });
  const auto begin = static_cast<std::size_t>(next - entries_.begin());
  for (std::size_t i = 0; i < entries_.size() && out.records.size() < most_records; ++i) {
    ListEntry& each = entries_[(begin + i) % entries_.size()];
    if (!wanted(each)) continue;
    out.records.push_back(each.record);
    each.unsaid = false;
    last = each.record.id;
  }
}

void Listed::send_refresh(Step& step) {
  grow_older(step);
  raise_stamp();
  MemberNames out{{own().record}};
  own().unsaid = false;
  fill(out, last_refreshed_,
       [&](const ListEntry& each) { return each.record.id != id_ && !each.record.gone(); });
  step.broadcast(std::move(out));
  step.arm(RefreshTime{}, refresh - refresh_jitter, refresh + refresh_jitter);
  show();
}

void Listed::send_news(Step& step) {
  MemberNames out;
  fill(out, last_news_, [](const ListEntry& each) { return each.unsaid; });
  calling_ = !out.records.empty();
  if (!calling_) return;
  step.broadcast(std::move(out));
  step.arm(NewsTime{}, between_news, between_news);
}

/// By one refresh. The header has the argument for these times.
void Listed::grow_older(Step& step) {
  std::size_t members = 0;
  std::uint32_t farthest_member = 0;
  for (const ListEntry& each : entries_) {
    if (each.record.gone()) continue;
    ++members;
    farthest_member = std::max(farthest_member, each.record.hops);
  }
  const std::uint32_t round = round_of(members);
  const auto patience = [&](std::uint32_t hops) { return (hops + 5) * round + 3; };
  for (ListEntry& each : entries_) {
    const std::uint32_t hops = each.record.hops;
    if (each.record.id == id_) continue;
    ++each.age;
    if (!each.record.gone() && each.age > (each.via ? patience(hops) : hops * round + 3))
      lose_member(step, each);
  }
  std::erase_if(entries_, [&](const ListEntry& each) {
    return each.record.gone() && each.age > 2 * patience(farthest_member);
  });
}

/// It leaves with the next news.
void Listed::announce(Step& step, ListEntry& entry) {
  entry.unsaid = true;
  if (calling_) return;
  calling_ = true;
  step.arm(NewsTime{}, Duration{0}, first_news);
}

void Listed::raise_stamp() {
  own().record.stamp += 2;
}

/// One step of the election, on the ports of this layer. It may have moved this node in the tree;
/// while it is in no tree, the parent that it had is shown.
void Listed::run(Step& step, const core::Call& what) {
  const core::Effects& effects = inner_.call(what, surroundings_of(step));
  for (const core::Effects::Send& send : effects.sends)
    step.send(send.port, OfElection{taken(inner_.nodes(), send)});
  pass_alarms_on(step, inner_.nodes(), effects);
  MemberRecord& mine = own().record;
  const auto place = inner_.nodes().tree_place(inner_.index());
  const auto parent = place ? std::optional(place->parent) : mine.parent;
  if (mine.parent != parent || mine.priority != priority_) {
    mine.parent = parent;
    mine.priority = priority_;
    raise_stamp();
    announce(step, own());
    changed_ = true;
  }
  show();
}

void Listed::show() {
  if (!changed_ && list_.version > 0) return;
  changed_ = false;
  list_.all.clear();
  for (const auto& [record, via, age, unsaid] : entries_)
    if (!record.gone())
      list_.all.push_back({record.id, record.hops, via, record.parent, record.priority});
  ++list_.version;
}

}  // namespace bellwether::layers
