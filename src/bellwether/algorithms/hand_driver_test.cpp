// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/hand_driver_test.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace bellwether::algorithms {

std::vector<NodeId> ids_of(const std::vector<std::uint64_t>& numbers) {
  std::vector<NodeId> ids;
  for (const std::uint64_t number : numbers) ids.push_back(NodeId{number});
  return ids;
}

std::vector<NodeId> shuffled_ids(NodeIndex n, core::Prng& prng) {
  std::vector<std::uint64_t> numbers(n);
  std::iota(numbers.begin(), numbers.end(), std::uint64_t{1});
  core::shuffle(numbers, prng);
  return ids_of(numbers);
}

HandRun::HandRun(std::unique_ptr<core::Nodes> nodes, const std::vector<NodeId>& ids, Travel travel,
                 std::uint64_t seed)
    : HandHost(std::move(nodes)), travel_(travel), prng_(seed), monitors_(hosted().monitors()) {
  for (const NodeId id : ids) add(id);
}

HandRun::~HandRun() = default;

void HandRun::link(NodeIndex a, NodeIndex b, bool one_way) {
  const auto [at_a, at_b] = new_link(a, b);
  end(a, at_a).up = end(b, at_b).up = true;
  end(b, at_b).sends = !one_way;
}

void HandRun::make_ring() {
  for (NodeIndex i = 0; size() > 1 && i < size(); ++i) link(i, (i + 1) % size(), true);
}

void HandRun::make_two_way_ring() {
  const NodeIndex n = size();
  for (NodeIndex i = 0; n > 2 && i < n; ++i) {
    open(i, {(i + 1) % n, Port{1}, true});
    open(i, {(i + n - 1) % n, Port{0}, true});
  }
}

void HandRun::make_complete() {
  for (NodeIndex i = 0; i < size(); ++i)
    for (NodeIndex j = 0; j < i; ++j) link(i, j);
}

void HandRun::join(NodeIndex a, NodeIndex b) {
  const auto [at_a, at_b] = new_link(a, b);
  tell(a, at_a, Cause::link_up);
  tell(b, at_b, Cause::link_up);
}

void HandRun::part(NodeIndex a, NodeIndex b) {
  for (std::uint32_t p = 0; p < ends(a).size(); ++p) {
    if (end(a, Port{p}).far != b || end(a, Port{p}).gone) continue;
    const Port far = end(a, Port{p}).far_port;
    end(a, Port{p}).gone = end(b, far).gone = true;
    tell(a, Port{p}, Cause::link_down);
    tell(b, far, Cause::link_down);
  }
}

void HandRun::start(NodeIndex i, Time at) {
  push(at, {Cause::start, i});
}

void HandRun::start_all() {
  for (NodeIndex i = 0; i < size(); ++i) start(i);
}

void HandRun::crash(NodeIndex i) {
  stop(i);
  for (End& each : ends(i)) {
    if (each.gone) continue;
    each.gone = end(each.far, each.far_port).gone = true;
    tell(each.far, each.far_port, Cause::link_down);
  }
  watch(Cause::crash, i);
}

void HandRun::restart(NodeIndex i) {
  revive(i);
  watch(Cause::restart, i);
  start(i, now_);
  for (NodeIndex j = 0; j < size(); ++j)
    if (j != i && alive(j)) join(i, j);
}

void HandRun::run(Time until) {
  while (!events_.empty() && events_.begin()->first.first <= until) {
    if (++steps_ > 2'000'000) throw std::runtime_error("this run does not end");
    const auto next = events_.begin();
    now_ = next->first.first;
    const Event event = std::move(next->second);
    events_.erase(next);
    happen(event);
  }
  if (!events_.empty()) return;
  for (const auto& monitor : monitors_) monitor->at_rest(*this);
}

std::pair<Port, Port> HandRun::new_link(NodeIndex a, NodeIndex b) {
  const Port at_a{static_cast<std::uint32_t>(ends(a).size())};
  const Port at_b{static_cast<std::uint32_t>(ends(b).size())};
  open(a, {b, at_b});
  open(b, {a, at_a});
  return {at_a, at_b};
}

void HandRun::push(Time at, Event event) {
  events_.emplace(std::pair{at, ++key_}, std::move(event));
}

void HandRun::tell(NodeIndex i, Port port, Cause cause) {
  push(now_ + travel_.news + prng_.between(travel_.min, travel_.max), {cause, i, port});
}

void HandRun::happen(const Event& event) {
  const NodeIndex i = event.node;
  if (!alive(i)) return;
  std::optional<NodeIndex> other;
  if (event.port != core::every_port) other = end(i, event.port).far;
  if (event.cause == Cause::start) {
    step(i, core::Call::start());
  } else if (event.cause == Cause::timeout) {
    const auto same = [&](const Armed& each) { return each.number == event.timer->number; };
    if (std::none_of(armed(i).begin(), armed(i).end(), same)) return;  // moved or disarmed
    fire(i, event.timer->timer);
  } else if (event.cause == Cause::link_up) {
    if (end(i, event.port).gone) return;
    tell_up(i, event.port);
  } else if (event.cause == Cause::link_down) {
    if (!end(i, event.port).up) return;
    tell_down(i, event.port);
  } else {
    const End& here = end(i, event.port);
    if (!here.up || !end(here.far, here.far_port).up) return;  // it is lost with its link
    step(i, core::Call::receive(event.port, event.message.value()));
  }
  watch(event.cause, i, other);
}

void HandRun::on_send(NodeIndex i, Port port, const core::AnyMessage& message) {
  End& e = end(i, port);
  ++sent_;
  if (travel_.loss > 0 && prng_.chance(travel_.loss)) return;
  const int copies = prng_.chance(travel_.duplicates) ? 2 : 1;
  for (int copy = 0; copy < copies; ++copy) {
    Time at = now_ + prng_.between(travel_.min, travel_.max);
    if (travel_.fifo) at = e.latest = std::max(at, e.latest);
    push(at, {Cause::receive, e.far, e.far_port, message});
  }
}

void HandRun::on_alarm(NodeIndex i, const core::Effects::Alarm& alarm) {
  HandHost::on_alarm(i, alarm);
  if (!alarm.armed) return;
  const Armed& set = armed(i).back();
  push(set.due, {Cause::timeout, i, core::every_port, {}, set});
}

void HandRun::watch(Cause cause, NodeIndex i, std::optional<NodeIndex> other) {
  for (const auto& monitor : monitors_) monitor->after(*this, {cause, i, other});
}

}  // namespace bellwether::algorithms
