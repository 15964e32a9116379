// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/topology_aware.hpp"

#include <algorithm>
#include <cmath>

#include "bellwether/algorithms/knowledge_properties.hpp"

namespace bellwether::algorithms {

static_assert(core::Protocol<TopologyAware> && core::Described<TopologyAware>);

core::Duration TopologyAware::period(const Options& options) {
  if (options.period > core::Duration{0}) return options.period;
  const double ms = options.range > 1 ? 70 * std::log10(options.range) - 60 : 0;
  return core::Duration{std::llround(std::max(ms, 0.0) * 1e6)};
}

void TopologyAware::start(Step& step) {
  wake(step);
}

/// All links that are up are connections, once. Whether that was now.
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
  View& own = entry(known_, id_);
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
  View& own = entry(known_, id_);
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
  if (merge(known_, message.known, Ties::keep)) {
    auto old = before->begin();
    for (const View& view : *known_) {
      if (old == before->end() || view.id < old->id) {
        updates_.push_back({view.id, *view.neighbours, {}, 0, view.clock});
        continue;
      }
      if (view.clock != old->clock)
        updates_.push_back({view.id, without(*view.neighbours, *old->neighbours),
                            without(*old->neighbours, *view.neighbours), old->clock, view.clock});
      ++old;
    }
  }
  pending_updates();
}

/// Lines 39 to 53.
void TopologyAware::take(const UpdatesMessage& message) {
  const auto is_wrong = [](const Updt& each) { return !is_set(each.add) || !is_set(each.rmv); };
  if (std::any_of(message.updates.begin(), message.updates.end(), is_wrong)) return;
  const auto wait = [this](const Updt& each) {
    if (std::find(pending_.begin(), pending_.end(), each) == pending_.end())
      pending_.push_back(each);
  };
  for (const Updt& each : message.updates) {
    const View* view = find(known_, each.src);
    if (!view && each.old_clk != 0) {
      wait(each);
    } else if (!view || each.old_clk == view->clock) {
      apply(each);
      updates_.push_back(each);
    } else if (each.old_clk > view->clock) {
      wait(each);
    }
  }
  pending_updates();
}

/// Lines 43, 48, 49 and their like in PendingUpdates.
void TopologyAware::apply(const Updt& update) {
  View& view = entry(known_, update.src);  // unknown: no neighbours yet, so that `add` is all
  view.neighbours = core::Shared<Ids>(without(united(*view.neighbours, update.add), update.rmv));
  view.clock = update.new_clk;
}

/// Lines 54 to 65. What is applied here is not passed on: as published (TA-1).
void TopologyAware::pending_updates() {
  bool again = !pending_.empty();
  while (std::exchange(again, false)) {
    std::erase_if(pending_, [&](const Updt& each) {
      const View* view = find(known_, each.src);
      const bool fits = view ? each.old_clk == view->clock : each.old_clk == 0;
      if (fits) {
        apply(each);
        return again = true;
      }
      return view && each.old_clk < view->clock;
    });
  }
}

/// What follows from a change: the task, if it slept, and the leader.
void TopologyAware::after(Step& step, const Known& before, bool had_updates) {
  if (!had_updates && !updates_.empty())
    step.arm(Timer::updates, period(options_), period(options_));
  if (!known_.same(before)) leader_ = leader_of(known_, id_, options_.edges, options_.criterion);
}

core::Monitors<TopologyAware> TopologyAware::monitors() {
  core::Monitors<TopologyAware> all;
  all.push_back(std::make_unique<ClocksRise<TopologyAware>>());
  return all;
}

}  // namespace bellwether::algorithms
