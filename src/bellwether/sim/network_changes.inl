// SPDX-License-Identifier: MIT
// What happens to the network during a run of Simulation<P>: links that come and go, whose two ends
// are told on their own, and nodes that crash and come back. Included by simulation.hpp only.
#pragma once

namespace bellwether::sim {

template <core::Protocol P, bool observable>
void Simulation<P, observable>::tell_up(End e) {
  const NodeIndex u = links_.owner(e);
  note_told(e);
  if (!alive(u) || links_.up(e)) return close_when_done(e / 2);
  const Port port = links_.raise(e);
  if (links_.one_way() && !links_.up(Links::sister(e))) links_.raise(Links::sister(e));
  step(u, core::Cause::link_up, {port, links_.owner(Links::sister(e))}, nullptr, nullptr,
       [&](P& p, auto& s) { p.link_up(s, port); });
}

template <core::Protocol P, bool observable>
void Simulation<P, observable>::tell_down(End e) {
  const NodeIndex u = links_.owner(e);
  note_told(e);
  if (!alive(u) || !links_.up(e)) return close_when_done(e / 2);
  const Port port = links_.lower(e);
  clear_way(e);
  step(u, core::Cause::link_down, {port, links_.owner(Links::sister(e))}, nullptr, nullptr,
       [&](P& p, auto& s) { p.link_down(s, port); });
  close_when_done(e / 2);
}

/// A radio link whose ends are down, with nobody left to be told, leaves its slot to another.
template <core::Protocol P, bool observable>
void Simulation<P, observable>::close_when_done(std::uint32_t slot) {
  const End e = 2 * slot;
  if (!wireless(e) || wanted_[slot] || notices_due_[slot] > 0) return;
  if (links_.up(e) || links_.up(e + 1)) return;
  incidence_.remove_link(links_, e);
  slots_.close(slot);
}

template <core::Protocol P, bool observable>
void Simulation<P, observable>::note_told(End e) {
  if (wireless(e)) --notices_due_[e / 2];
}

template <core::Protocol P, bool observable>
void Simulation<P, observable>::pull_change() {
  pending_ = changes_ ? changes_->next() : std::nullopt;
  if (pending_) push(std::max(pending_->at, now()), Kind::change, 0, 0);
}

template <core::Protocol P, bool observable>
void Simulation<P, observable>::apply(const world::Change& change) {
  switch (change.kind) {
    case world::ChangeKind::link_up:
      return set_link(change, true);
    case world::ChangeKind::link_down:
      return set_link(change, false);
    case world::ChangeKind::crash:
      return crash(change.ends.a);
    case world::ChangeKind::restart:
      return restart(change.ends.a, change.memory);
    case world::ChangeKind::crash_leader:
      felled_ = most_named();
      return felled_ == nobody ? void() : crash(felled_);
    case world::ChangeKind::restart_leader:
      return felled_ == nobody ? void() : restart(felled_, change.memory);
  }
}

/// The live node that most live nodes name as their leader; ties: the highest id.
template <core::Protocol P, bool observable>
NodeIndex Simulation<P, observable>::most_named() const {
  std::map<core::NodeId, std::pair<std::size_t, NodeIndex>> votes;  // by candidate
  for (NodeIndex u = 0; u < nodes_.size(); ++u)
    if (alive(u)) votes[ids_[u]] = {0, u};
  for (NodeIndex u = 0; u < nodes_.size(); ++u) {
    const auto leader = alive(u) ? nodes_[u].leader() : std::nullopt;
    const auto named = leader ? votes.find(*leader) : votes.end();
    if (named != votes.end()) ++named->second.first;
  }
  NodeIndex most = nobody;
  std::size_t best = 1;
  for (const auto& [id, vote] : votes)
    if (vote.first >= best) {
      best = vote.first;
      most = vote.second;
    }
  return most;
}

/// What is kept for each end or slot, beside the links themselves.
template <core::Protocol P, bool observable>
void Simulation<P, observable>::make_room_for_links() {
  const std::size_t ends = links_.end_count();
  if (changes_ahead_) wanted_.resize(ends / 2, false);
  if (channel_.keeps_order() || (first_radio_end_ != no_end && radio_.keeps_order()))
    last_arrival_.resize(ends);
  if (late_notices()) last_told_.resize(ends);
  if (watching()) transit_.resize(ends);
  if (first_radio_end_ == no_end) return;
  opened_at_.resize(ends / 2);
  notices_due_.resize(ends / 2);
  if (scenario_.radio.burst.on()) bursts_.resize(ends);
}

/// Where the link of a change is kept; made where there is none yet.
template <core::Protocol P, bool observable>
std::uint32_t Simulation<P, observable>::slot_for(const world::Change& change) {
  const bool radio = first_radio_end_ != no_end && slots_.is_radio(change.link);
  const bool up = change.kind == world::ChangeKind::link_up;
  if (radio && !up) return slots_.of(change.link);
  const std::uint32_t slot = radio ? slots_.open(change.link) : change.link;
  if (!radio && 2 * std::size_t{slot} < links_.end_count() &&
      links_.owner(2 * slot) != links_.owner(2 * slot + 1))
    return slot;
  links_.add(slot, change.ends);
  make_room_for_links();
  incidence_.add_link(links_, 2 * slot);
  if (radio) {
    opened_at_[slot] = links_.next_port();
    for (const End e : {2 * slot, 2 * slot + 1}) {
      if (!last_arrival_.empty()) last_arrival_[e] = Time{0};
      if (!bursts_.empty()) bursts_[e] = {};
    }
  }
  return slot;
}

template <core::Protocol P, bool observable>
void Simulation<P, observable>::set_link(const world::Change& change, bool up) {
  const std::uint32_t link = slot_for(change);
  if (wanted_[link] == up) return;
  wanted_[link] = up;
  ++link_changes_;
  ++net_version_;
  if (metrics_) metrics_->link(now(), change.ends.a, change.ends.b, up);
  if (medium_ && wireless(2 * link)) medium_->link(change.ends.a, change.ends.b, up);
  if constexpr (airborne) {
    for (const End e : {2 * link, 2 * link + 1}) up ? raise_in_air(e) : lower_in_air(e);
  } else if (alive(change.ends.a) && alive(change.ends.b)) {
    tell(2 * link, up ? Kind::tell_up : Kind::tell_down);
    if (!links_.one_way()) tell(2 * link + 1, up ? Kind::tell_up : Kind::tell_down);
  }
  close_when_done(link);
}

template <core::Protocol P, bool observable>
void Simulation<P, observable>::raise_in_air(End e) {
  if (alive(links_.owner(e)) && !links_.up(e)) links_.raise(e);
}

template <core::Protocol P, bool observable>
void Simulation<P, observable>::lower_in_air(End e) {
  if (!links_.up(e)) return;
  links_.lower(e);
  clear_way(e);
}

/// What was under way from an end that has gone down is lost.
template <core::Protocol P, bool observable>
void Simulation<P, observable>::clear_way(End e) {
  if (watching()) transit_[e].clear();
  if (replay_) replay_->forget(e);
}

template <core::Protocol P, bool observable>
void Simulation<P, observable>::tell(End e, Kind kind) {
  if (replay_) return tell_as_scheduled(e, kind);
  Time when = now() + notices_.between(scenario_.notify.min, scenario_.notify.max);
  if (late_notices()) last_told_[e] = when = std::max(when, last_told_[e]);
  if (wireless(e)) ++notices_due_[e / 2];
  push(when, kind, e, 0);
}

template <core::Protocol P, bool observable>
void Simulation<P, observable>::crash(NodeIndex u) {
  if (!alive(u)) return;
  ++crashes_;
  ++net_version_;
  fingerprint_.fold(queue_.now(), u);
  if (metrics_) metrics_->alive(now(), u, false);
  switch_radio(u, false);
  for (const End e : incident(u)) {
    if constexpr (airborne) {
      lower_in_air(e);
      continue;
    }
    if (links_.up(e)) {
      const Port port = links_.lower(e);
      if (!links_.one_way() || e % 2 == 0)
        asleep_[u].push_back({port, links_.owner(Links::sister(e))});
      clear_way(e);
    }
    if (wanted_[e / 2] && alive(links_.owner(Links::sister(e))) &&
        (!links_.one_way() || e % 2 == 1))
      tell(Links::sister(e), Kind::tell_down);
  }
  const auto before = nodes_[u].leader();
  alive_[u] = 0;
  if (observable && eyes_) {
    record(u, core::Cause::crash, {}, nullptr, nullptr, before);
    const core::Happening happening{core::Cause::crash, u, std::nullopt};
    inspect([&](core::Monitor<P>& monitor) { monitor.after(*this, happening); });
  }
}

template <core::Protocol P, bool observable>
void Simulation<P, observable>::restart(NodeIndex u, bool memory) {
  if (alive(u)) return;
  alive_[u] = 1;
  ++net_version_;
  if (metrics_) metrics_->alive(now(), u, true);
  switch_radio(u, true);
  fingerprint_.fold(queue_.now(), ~std::uint64_t{u});
  if constexpr (airborne)
    for (const End e : incident(u))
      if (wanted_[e / 2]) raise_in_air(e);
  const auto lost = std::exchange(asleep_[u], {});  // in the order of the links
  if (memory) {
    step(u, core::Cause::restart, {}, nullptr, nullptr, [](P&, auto&) {});
    if (starts_[u] == Start::missed) start(u, core::Cause::start);
    for (const Around& link : lost)
      step(u, core::Cause::link_down, link, nullptr, nullptr,
           [&](P& p, auto& s) { p.link_down(s, link.port); });
    if constexpr (timed)
      for (Armed& a : timers_[u])
        if (a.serial == overdue) {
          a.serial = serials_[u]++ & low_bits;
          push(now(), Kind::timer, u, a.serial);
        }
  } else {
    if constexpr (timed) {
      for (const Armed& a : timers_[u])
        if (a.in_queue()) ++stale_timers_;
      timers_[u].clear();
    }
    nodes_[u] = P(ids_[u], options_);
    start(u, core::Cause::restart);  // a newborn always initiates
  }
  if (metrics_) metrics_->leader(now(), u, nodes_[u].leader());
  note_place(u);
  if constexpr (airborne) return;
  for (const End e : incident(u)) {
    if (!wanted_[e / 2] || !alive(links_.owner(Links::sister(e)))) continue;
    if (!links_.one_way() || e % 2 == 0) tell(e, Kind::tell_up);
    if (!links_.one_way() || e % 2 == 1) tell(Links::sister(e), Kind::tell_up);
  }
}

}  // namespace bellwether::sim
