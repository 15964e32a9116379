// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/moving/knowledge_updates.hpp"

#include <algorithm>
#include <cmath>

namespace bellwether::algorithms {

core::Duration delta(core::Duration period, double range) {
  if (period > core::Duration{0}) return period;
  const double ms = range > 1 ? 70 * std::log10(range) - 60 : 0;
  return core::Duration{std::llround(std::max(ms, 0.0) * 1e6)};
}

bool are_sets(const std::vector<Updt>& updates) {
  return std::all_of(updates.begin(), updates.end(),
                     [](const Updt& each) { return is_set(each.add) && is_set(each.rmv); });
}

std::vector<Updt> differences(const Known& before, const Known& after) {
  std::vector<Updt> out;
  auto old = before->begin();
  for (const MemberView& view : *after) {
    if (old == before->end() || view.id < old->id) {
      out.push_back({view.id, *view.neighbours, {}, 0, view.clock});
      continue;
    }
    if (view.clock != old->clock)
      out.push_back({view.id, without(*view.neighbours, *old->neighbours),
                     without(*old->neighbours, *view.neighbours), old->clock, view.clock});
    ++old;
  }
  return out;
}

Fit fit(const MemberView* view, const Updt& update) {
  if (!view) return update.old_clk == 0 ? Fit::now : Fit::later;
  if (update.old_clk == view->clock) return Fit::now;
  return update.old_clk > view->clock ? Fit::later : Fit::never;
}

/// Lines 43, 48, 49 and their like in PendingUpdates.
void apply(Known& known, const Updt& update) {
  MemberView& view = entry(known, update.src);  // unknown: no neighbours yet, so `add` is complete
  view.neighbours = core::Shared<Ids>(without(united(*view.neighbours, update.add), update.rmv));
  view.clock = update.new_clk;
}

void wait(std::vector<Updt>& pending, const Updt& update) {
  if (std::find(pending.begin(), pending.end(), update) == pending.end()) pending.push_back(update);
}

}  // namespace bellwether::algorithms
