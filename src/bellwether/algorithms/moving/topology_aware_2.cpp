// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/moving/topology_aware_2.hpp"

#include "bellwether/algorithms/moving/knowledge_properties.hpp"

namespace bellwether::algorithms {

static_assert(core::Protocol<TopologyAware2> && core::Described<TopologyAware2>);

namespace {

/// Whether a node can have sent these: sets, and versions that rise.
bool can_be_sent(const std::vector<Updt>& updates) {
  const auto rises = [](const Updt& each) {
    return each.old_clk < each.new_clk && each.new_clk < end_of_versions;
  };
  return are_sets(updates) && std::all_of(updates.begin(), updates.end(), rises);
}

/// A whole view replaces any older one (TA-2).
Fit fit_or_replace(const MemberView* view, const Updt& update) {
  if (update.old_clk != 0 || !view) return fit(view, update);
  return update.new_clk > view->clock ? Fit::now : Fit::never;
}

}  // namespace

void TopologyAware2::start(Step& step) {
  const Known before = known();
  wake(step);
  after(step, before, !updates_.empty());
}

bool TopologyAware2::wake(Step& step) {
  return sync_.wake(step);
}

void TopologyAware2::link_up(Step& step, core::Port port) {
  const Known before = known();
  if (!wake(step)) sync_.link_up(step, port);  // otherwise this link is among those that are up
  after(step, before, !updates_.empty());
}

void TopologyAware2::link_down(Step& step, core::Port port) {
  const Known before = known();
  const bool had_updates = !updates_.empty();
  if (!wake(step) && sync_.link_down(step, port)) {  // otherwise that link was never greeted
    const std::uint64_t version = sync_.own().clock;
    updates_.push_back({id_, {}, {step.peer(port)}, version - 1, version});
  }
  after(step, before, had_updates);
}

void TopologyAware2::receive(Step& step, core::Port port, const Message& message) {
  const Known before = known();
  const bool had_updates = !updates_.empty();
  wake(step);
  std::visit([&](const auto& chosen) { take(step, port, chosen); }, message);
  after(step, before, had_updates);
}

void TopologyAware2::timeout(Step& step, Timer timer) {
  if (timer == Timer::digest)
    sync_.ask(step);
  else if (!updates_.empty())
    step.broadcast(UpdatesMessage{std::exchange(updates_, {})});
  sync_.watch(step, options_.digest);
}

/// Lines 28 to 38.
void TopologyAware2::take(Step& step, core::Port port, const Knowledge& message) {
  const Known before = known();
  const auto news = sync_.take(message);
  if (!news) return;
  if (news->others)
    for (Updt& each : differences(before, known()))
      if (each.src != id_) updates_.push_back(std::move(each));
  pending_updates();
  if (news->own) step.broadcast(Knowledge{known(), {}});
  sync_.answer(step, port, message, news->own);
}

/// Lines 39 to 53.
void TopologyAware2::take(Step& step, core::Port, const UpdatesMessage& message) {
  if (!can_be_sent(message.updates)) return;
  bool defended = false;
  for (const Updt& each : message.updates) {
    if (each.src == id_) {  // only a whole view contains the neighbours of this version
      const Ids* neighbours = each.old_clk == 0 ? &each.add : nullptr;
      defended = sync_.defend(each.new_clk, neighbours) || defended;
      continue;
    }
    const Fit fits = fit_or_replace(find(known(), each.src), each);
    if (fits == Fit::now) apply(each);
    if (fits == Fit::later) wait(pending_, each);
  }
  pending_updates();
  if (defended) step.broadcast(Knowledge{known(), {}});
}

void TopologyAware2::take(Step& step, core::Port port, const Digest& message) {
  sync_.compare(step, port, message);
}

/// What is applied is forwarded, also if it was pending (TA-1).
void TopologyAware2::apply(const Updt& update) {
  Known& known = sync_.edit();
  if (update.old_clk == 0) entry(known, update.src).neighbours = {};
  algorithms::apply(known, update);
  updates_.push_back(update);
}

/// Lines 54 to 65.
void TopologyAware2::pending_updates() {
  take_pending(known(), pending_, [this](const Updt& each) { apply(each); });
}

/// The consequences of a change: wakes the tasks, if they slept, and updates the leader.
void TopologyAware2::after(Step& step, const Known& before, bool had_updates) {
  if (!had_updates && !updates_.empty())
    step.arm(Timer::updates, period(options_), period(options_));
  if (!known().same(before))
    leader_ = leader_of(step.cache(), known(), id_, Edges::mutual, options_.criterion);
  sync_.watch(step, options_.digest);
}

core::Monitors<TopologyAware2> TopologyAware2::monitors() {
  core::Monitors<TopologyAware2> all;
  all.push_back(std::make_unique<ClocksRise<TopologyAware2>>());
  all.push_back(std::make_unique<OwnEntry<TopologyAware2>>());
  return all;
}

}  // namespace bellwether::algorithms
