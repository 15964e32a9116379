// SPDX-License-Identifier: MIT
// What happens to the network during a run: links that come and go, whose two ends are notified on
// their own, and nodes that crash and come back.
#include "bellwether/sim/simulation.hpp"

namespace bellwether::sim {

void Simulation::tell_up(End e) {
  Links& links = wiring_.links;
  const NodeIndex u = links.owner(e);
  wiring_.note_told(e);
  if (!alive(u) || links.up(e)) return wiring_.close_when_done(e / 2);
  const Port port = links.raise(e);
  if (links.one_way() && !links.up(Links::sister(e))) links.raise(Links::sister(e));
  step(u, core::Cause::link_up, {port, wiring_.far(e)}, core::Call::link_up(port));
}

void Simulation::tell_down(End e) {
  const NodeIndex u = wiring_.links.owner(e);
  wiring_.note_told(e);
  if (!alive(u) || !wiring_.links.up(e)) return wiring_.close_when_done(e / 2);
  const Port port = wiring_.links.lower(e);
  clear_way(e);
  step(u, core::Cause::link_down, {port, wiring_.far(e)}, core::Call::link_down(port));
  wiring_.close_when_done(e / 2);
}

void Simulation::pull_change() {
  pending_ = changes_ ? changes_->next() : std::nullopt;
  if (pending_) agenda_.push(std::max(pending_->at, now()), EventKind::change, 0, 0);
}

void Simulation::apply(const world::Change& change) {
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
      crashed_leader_ = population_.most_named();
      return crashed_leader_ ? crash(*crashed_leader_) : void();
    case world::ChangeKind::restart_leader:
      return crashed_leader_ ? restart(*crashed_leader_, change.memory) : void();
  }
}

/// Where the link of a change is kept; made where there is none yet.
std::uint32_t Simulation::slot_for(const world::Change& change) {
  bool made = false;
  const std::uint32_t slot = wiring_.slot_for(change, made);
  if (!made) return slot;
  const std::size_t ends = wiring_.links.end_count();
  air_.make_room(ends);
  if (audience_.watching()) mail_.watch(ends);
  if (wiring_.wireless(2 * slot)) air_.begin_anew(slot);
  return slot;
}

void Simulation::set_link(const world::Change& change, bool up) {
  const std::uint32_t link = slot_for(change);
  if (wiring_.wanted(link) == up) return;
  wiring_.want(link, up);
  ++counts_.link_changes;
  ++wiring_.version;
  if (metrics_) metrics_->link(now(), change.ends.a, change.ends.b, up);
  if (air_.medium && wiring_.wireless(2 * link))
    air_.medium->link(change.ends.a, change.ends.b, up);
  if (airborne_) {
    for (const End e : {2 * link, 2 * link + 1}) up ? raise_in_air(e) : lower_in_air(e);
  } else if (alive(change.ends.a) && alive(change.ends.b)) {
    tell(2 * link, up ? EventKind::tell_up : EventKind::tell_down);
    if (!wiring_.links.one_way())
      tell(2 * link + 1, up ? EventKind::tell_up : EventKind::tell_down);
  }
  wiring_.close_when_done(link);
}

void Simulation::raise_in_air(End e) {
  if (alive(wiring_.links.owner(e)) && !wiring_.links.up(e)) wiring_.links.raise(e);
}

void Simulation::lower_in_air(End e) {
  if (!wiring_.links.up(e)) return;
  wiring_.links.lower(e);
  clear_way(e);
}

/// What was under way from an end that has gone down is lost.
void Simulation::clear_way(End e) {
  if (audience_.watching()) mail_.clear(e);
  if (replay_) replay_->forget(e);
}

void Simulation::tell(End e, EventKind kind) {
  if (replay_) return tell_as_scheduled(e, kind);
  agenda_.push(wiring_.notice(e, now()), kind, e, 0);
}

void Simulation::crash(NodeIndex u) {
  if (!alive(u)) return;
  ++counts_.crashes;
  ++wiring_.version;
  fingerprint_.fold(agenda_.queue().now(), u);
  if (metrics_) metrics_->alive(now(), u, false);
  switch_radio(u, false);
  lose_links(u);
  const auto before = population_.leader(u);
  population_.alive[u] = 0;
  if (!looked_at_) return;
  record(u, core::Cause::crash, {}, core::Call::nothing(), before);
  audience_.after(*this, {core::Cause::crash, u, std::nullopt});
}

/// All ends of a node that crashes go down; its neighbours are notified as of any lost link.
void Simulation::lose_links(NodeIndex u) {
  Links& links = wiring_.links;
  for (const End e : wiring_.incident(u)) {
    if (airborne_) {
      lower_in_air(e);
      continue;
    }
    if (links.up(e)) {
      const Port port = links.lower(e);
      if (!links.one_way() || e % 2 == 0) wiring_.sleep(u, {port, wiring_.far(e)});
      clear_way(e);
    }
    if (wiring_.wanted(e / 2) && alive(wiring_.far(e)) && (!links.one_way() || e % 2 == 1))
      tell(Links::sister(e), EventKind::tell_down);
  }
}

void Simulation::restart(NodeIndex u, bool memory) {
  if (alive(u)) return;
  population_.alive[u] = 1;
  population_.jump_clock(u, now());
  ++wiring_.version;
  if (metrics_) metrics_->alive(now(), u, true);
  switch_radio(u, true);
  fingerprint_.fold(agenda_.queue().now(), ~std::uint64_t{u});
  if (airborne_)
    for (const End e : wiring_.incident(u))
      if (wiring_.wanted(e / 2)) raise_in_air(e);
  const auto lost = wiring_.wake(u);  // in the order of the links
  if (memory) {
    restart_with_memory(u, lost);
  } else {
    if (can().timers) timers_.forget(u);
    all().reset(u, id(u));
    start(u, core::Cause::restart);  // without memory, a node always initiates
  }
  if (metrics_) metrics_->leader(now(), u, population_.leader(u));
  note_rank(u);
  if (airborne_) return;
  const bool one_way = wiring_.links.one_way();
  for (const End e : wiring_.incident(u)) {
    if (!wiring_.wanted(e / 2) || !alive(wiring_.far(e))) continue;
    if (!one_way || e % 2 == 0) tell(e, EventKind::tell_up);
    if (!one_way || e % 2 == 1) tell(Links::sister(e), EventKind::tell_up);
  }
}

void Simulation::restart_with_memory(NodeIndex u, const std::vector<Around>& lost) {
  step(u, core::Cause::restart, {}, core::Call::nothing());
  if (population_.starts[u] == Population::StartState::missed) start(u, core::Cause::start);
  for (const Around& link : lost)
    step(u, core::Cause::link_down, link, core::Call::link_down(link.port));
  if (can().timers) timers_.wake(u);
}

}  // namespace bellwether::sim
