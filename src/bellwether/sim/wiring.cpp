// SPDX-License-Identifier: MIT
#include "bellwether/sim/wiring.hpp"

#include <algorithm>

namespace bellwether::sim {

Wiring::Wiring(const RunSetup& setup, const scenario::Scenario& scenario)
    : links(setup.network, setup.up),
      nodes_(setup.network.nodes),
      changes_(setup.has_changes),
      first_radio_end_(setup.moves ? 2 * setup.wired : no_end),
      notify_(scenario.notify),
      notices_(core::stream(scenario.seed, "notify")) {
  if (setup.has_changes) {
    wanted_ = setup.up;
    wanted_.resize(links.end_count() / 2, true);
    asleep_.resize(nodes_);
  }
  if (setup.moves) {
    const auto all = static_cast<std::uint32_t>(setup.network.links.size());
    slots_ = Slots(setup.wired, all - setup.wired);
    links.share_ports();
    if (setup.has_crashes) incident(0);  // while every slot still has its first link
  }
  make_room();
}

/// What is kept for each end or slot, beside the links themselves.
void Wiring::make_room() {
  const std::size_t ends = links.end_count();
  if (changes_) wanted_.resize(ends / 2, false);
  if (notify_.max > Duration{0}) last_told_.resize(ends);
  if (!moves()) return;
  opened_at_.resize(ends / 2);
  notices_due_.resize(ends / 2);
}

End Wiring::behind(NodeIndex u, Port port) {
  const End e = links.end_of(u, port);
  return e == no_end && links.one_way() ? incidence_.listening(links, nodes_, u, port) : e;
}

std::uint32_t Wiring::slot_for(const world::Change& change, bool& made) {
  made = false;
  const bool radio = moves() && slots_.is_radio(change.link);
  const bool up = change.kind == world::ChangeKind::link_up;
  if (radio && !up) return slots_.of(change.link);
  const std::uint32_t slot = radio ? slots_.open(change.link) : change.link;
  if (!radio && 2 * std::size_t{slot} < links.end_count() &&
      links.owner(2 * slot) != links.owner(2 * slot + 1))
    return slot;
  links.add(slot, change.ends);
  make_room();
  incidence_.add_link(links, 2 * slot);
  if (radio) opened_at_[slot] = links.next_port();
  made = true;
  return slot;
}

void Wiring::close_when_done(std::uint32_t slot) {
  const End e = 2 * slot;
  if (!wireless(e) || wanted_[slot] || notices_due_[slot] > 0) return;
  if (links.up(e) || links.up(e + 1)) return;
  incidence_.remove_link(links, e);
  slots_.close(slot);
}

Time Wiring::notice(End e, Time now) {
  Time when = now + notices_.between(notify_.min, notify_.max);
  if (notify_.max > Duration{0}) last_told_[e] = when = std::max(when, last_told_[e]);
  if (wireless(e)) ++notices_due_[e / 2];
  return when;
}

}  // namespace bellwether::sim
