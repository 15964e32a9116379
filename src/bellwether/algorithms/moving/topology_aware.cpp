// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/moving/topology_aware.hpp"

#include "bellwether/algorithms/moving/knowledge_properties.hpp"

namespace bellwether::algorithms {

static_assert(core::Protocol<TopologyAware> && core::Described<TopologyAware>);

void TopologyAware::start(Step& step) {
  wake(step);
}

/// Treats all links that are up as connections, once; says whether it did so now.
bool TopologyAware::wake(Step& step) {
  if (std::exchange(awake_, true)) return false;
  if (step.ports().empty()) return true;
  const Known before = known_;
  for (const core::Port port : step.ports()) connect(step.peer(port));
  step.broadcast(KnownMessage{known_});
  after(step, before, !updates_.empty());
  return true;
}

/// Lines 21 and 22.
void TopologyAware::connect(core::NodeId peer) {
  MemberView& own = entry(known_, id_);
  insert(own.neighbours, peer);
  ++own.clock;
}

void TopologyAware::link_up(Step& step, core::Port port) {
  if (wake(step)) return;  // this link is among those that are up
  const Known before = known_;
  connect(step.peer(port));
  step.broadcast(KnownMessage{known_});
  after(step, before, !updates_.empty());
}

void TopologyAware::link_down(Step& step, core::Port port) {
  if (wake(step)) return;  // that link was never a connection
  const Known before = known_;
  const bool had_updates = !updates_.empty();
  const core::NodeId peer = step.peer(port);
  MemberView& own = entry(known_, id_);
  updates_.push_back({id_, {}, {peer}, own.clock, own.clock + 1});
  erase(own.neighbours, peer);
  ++own.clock;
  after(step, before, had_updates);
}

void TopologyAware::receive(Step& step, core::Port, const Message& message) {
  wake(step);
  const Known before = known_;
  const bool had_updates = !updates_.empty();
  std::visit([&](const auto& chosen) { take(chosen); }, message);
  after(step, before, had_updates);
}

void TopologyAware::timeout(Step& step, Timer) {
  if (updates_.empty()) return;
  step.broadcast(UpdatesMessage{std::exchange(updates_, {})});
}

/// Lines 28 to 38.
void TopologyAware::take(const KnownMessage& message) {
  const Known before = known_;
  if (merge(known_, message.known, Ties::keep))
    for (Updt& each : differences(before, known_)) updates_.push_back(std::move(each));
  pending_updates();
}

/// Lines 39 to 53.
void TopologyAware::take(const UpdatesMessage& message) {
  if (!are_sets(message.updates)) return;
  for (const Updt& each : message.updates) {
    const Fit fits = fit(find(known_, each.src), each);
    if (fits == Fit::later) wait(pending_, each);
    if (fits != Fit::now) continue;
    apply(known_, each);
    updates_.push_back(each);
  }
  pending_updates();
}

/// Lines 54 to 65. What is applied here is not forwarded: as published (TA-1).
void TopologyAware::pending_updates() {
  take_pending(known_, pending_, [this](const Updt& each) { apply(known_, each); });
}

/// The consequences of a change: wakes the task, if it slept, and updates the leader.
void TopologyAware::after(Step& step, const Known& before, bool had_updates) {
  if (!had_updates && !updates_.empty())
    step.arm(Timer::updates, period(options_), period(options_));
  if (!known_.same(before))
    leader_ = leader_of(step.cache(), known_, id_, options_.edges, options_.criterion);
}

core::Monitors<TopologyAware> TopologyAware::monitors() {
  core::Monitors<TopologyAware> all;
  all.push_back(std::make_unique<ClocksRise<TopologyAware>>());
  return all;
}

}  // namespace bellwether::algorithms
