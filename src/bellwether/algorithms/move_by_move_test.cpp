// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/move_by_move_test.hpp"

namespace bellwether::algorithms {

Moves::Moves(std::unique_ptr<core::Nodes> nodes, Name n) : HandHost(std::move(nodes)) {
  for (Name i = 1; i <= n; ++i) {
    add(core::NodeId{i});
    open(i - 1, {});  // no node has id 0
    for (Name j = 1; j <= n; ++j) open(i - 1, {.far = j - 1, .gone = true});
    be_born(i);
  }
}

Moves::~Moves() = default;

void Moves::wait(core::Duration time) {
  for (core::NodeIndex u = 0; u < size(); ++u) set_clock(u, clock(u) + time);
}

void Moves::down(Name a, Name b) {
  link(a, b).gone = link(b, a).gone = true;
  HandHost::transit().erase(way(a, b));
  HandHost::transit().erase(way(b, a));
}

void Moves::join(Name a, Name b) {
  up(a, b);
  tell_up(a, b);
  tell_up(b, a);
}

void Moves::part(Name a, Name b) {
  down(a, b);
  tell_down(a, b);
  tell_down(b, a);
}

void Moves::crash(Name i) {
  for (Name j = 1; j <= size(); ++j) down(i, j);
  stop(i - 1);
}

void Moves::be_born(Name i) {
  revive(i - 1);
  step(i - 1, core::Call::start());
}

void Moves::deliver(Name from, Name to, std::size_t behind) {
  const core::AnyMessage message = take(way(from, to), behind);
  const bool told = !nodes().facts().model.hears_strangers || link(to, from).up;
  const core::Port port = told ? core::Port{from} : core::stranger;
  step(to - 1, core::Call::receive(port, message.value()));
}

std::size_t Moves::transit(Name from, Name to) const {
  const auto found = HandHost::transit().find(way(from, to));
  return found == HandHost::transit().end() ? 0 : found->second.size();
}

void Moves::drain() {
  for (auto ways = busy(); !ways.empty(); ways = busy())
    deliver(ways[0].first + 1, ways[0].second + 1);
}

bool Moves::fire_any(const core::TimerName& rather) {
  std::optional<std::pair<core::NodeIndex, core::TimerName>> other;
  for (core::NodeIndex u = 0; u < size(); ++u) {
    if (is_armed(u, rather)) return fire(u, rather), true;
    if (!other && !armed(u).empty()) other.emplace(u, armed(u)[0].timer);
  }
  if (other) fire(other->first, other->second);
  return other.has_value();
}

}  // namespace bellwether::algorithms
