// SPDX-License-Identifier: MIT
// What happens to the network during a run of Simulation<P>: links that come and go, whose two ends
// are told on their own, and nodes that crash and come back. Included by simulation.hpp only.
#pragma once

namespace bellwether::sim {

template <core::Protocol P, bool observable>
void Simulation<P, observable>::tell_up(End e) {
  const NodeIndex u = links_.owner(e);
  if (!alive(u) || links_.up(e)) return;
  const Port port = links_.raise(e);
  if (links_.one_way() && !links_.up(Links::sister(e))) links_.raise(Links::sister(e));
  step(u, core::Cause::link_up, {port, e}, nullptr, nullptr,
       [&](P& p, auto& s) { p.link_up(s, port); });
}

template <core::Protocol P, bool observable>
void Simulation<P, observable>::tell_down(End e) {
  const NodeIndex u = links_.owner(e);
  if (!alive(u) || !links_.up(e)) return;
  const Port port = links_.lower(e);
  if (watching()) transit_[e].clear();
  step(u, core::Cause::link_down, {port, e}, nullptr, nullptr,
       [&](P& p, auto& s) { p.link_down(s, port); });
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
  }
}

template <core::Protocol P, bool observable>
void Simulation<P, observable>::set_link(const world::Change& change, bool up) {
  const std::uint32_t link = change.link;
  if (link >= wanted_.size()) {
    wanted_.resize(link + 1, false);
  }
  if (2 * std::size_t{link} >= links_.end_count() ||
      links_.owner(2 * link) == links_.owner(2 * link + 1)) {
    links_.add(link, change.ends);
    if (channel_.keeps_order()) last_arrival_.resize(links_.end_count());
    if (late_notices()) last_told_.resize(links_.end_count());
    if (watching()) transit_.resize(links_.end_count());
    incidence_.add_link(links_, 2 * link);
  }
  if (wanted_[link] == up) return;
  wanted_[link] = up;
  ++link_changes_;
  if (!alive(change.ends.a) || !alive(change.ends.b)) return;
  tell(2 * link, up ? Kind::tell_up : Kind::tell_down);
  if (!links_.one_way()) tell(2 * link + 1, up ? Kind::tell_up : Kind::tell_down);
}

template <core::Protocol P, bool observable>
void Simulation<P, observable>::tell(End e, Kind kind) {
  Time when = now() + notices_.between(scenario_.notify.min, scenario_.notify.max);
  if (late_notices()) last_told_[e] = when = std::max(when, last_told_[e]);
  push(when, kind, e, 0);
}

template <core::Protocol P, bool observable>
void Simulation<P, observable>::crash(NodeIndex u) {
  if (!alive(u)) return;
  ++crashes_;
  fingerprint_.fold(queue_.now(), u);
  for (const End e : incident(u)) {
    if (links_.up(e)) {
      const Port port = links_.lower(e);
      if (!links_.one_way() || e % 2 == 0) asleep_[u].push_back({port, e});
      if (watching()) transit_[e].clear();
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
  fingerprint_.fold(queue_.now(), ~std::uint64_t{u});
  auto lost = std::exchange(asleep_[u], {});
  if (memory) {
    step(u, core::Cause::restart, {}, nullptr, nullptr, [](P&, auto&) {});
    std::sort(lost.begin(), lost.end(), [](auto& x, auto& y) { return x.port < y.port; });
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
        if (a.serial != overdue) ++stale_timers_;  // an overdue one has left the queue
      timers_[u].clear();
    }
    nodes_[u] = P(ids_[u], options_);
    start(u, core::Cause::restart);  // a newborn always initiates
  }
  for (const End e : incident(u)) {
    if (!wanted_[e / 2] || !alive(links_.owner(Links::sister(e)))) continue;
    if (!links_.one_way() || e % 2 == 0) tell(e, Kind::tell_up);
    if (!links_.one_way() || e % 2 == 1) tell(Links::sister(e), Kind::tell_up);
  }
}

}  // namespace bellwether::sim
