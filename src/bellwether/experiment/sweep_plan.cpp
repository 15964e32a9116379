// SPDX-License-Identifier: MIT
#include "bellwether/experiment/sweep_plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "bellwether/experiment/statistics.hpp"

namespace bellwether::experiment {

SweepPlan::SweepPlan(const Experiment& experiment, std::size_t points, std::span<const Row> found)
    : repeat_(experiment.repeat), at_(points) {
  if (!repeat_.until.empty()) column_ = column(repeat_.until);
  for (std::uint32_t point = 0; point < points; ++point) add_wave(point, repeat_.runs);
  // Every point once, then every point again: so that there is something to see early.
  std::stable_sort(waiting_.begin(), waiting_.end(),
                   [](const Task& a, const Task& b) { return a.seed < b.seed; });
  // What is there already is taken in the order of the seeds, wave by wave, as it was made.
  std::vector<const Row*> old;
  for (const Row& row : found)
    if (row.point < points) old.push_back(&row);
  std::sort(old.begin(), old.end(), [](const Row* a, const Row* b) {
    return std::pair{a->point, a->seed} < std::pair{b->point, b->seed};
  });
  for (const Row* row : old)
    if (take(*row)) look(row->point);
  std::set<Task> there;
  for (const Row* row : old) there.insert({row->point, row->seed});
  std::erase_if(waiting_, [&](const Task& task) { return there.contains(task); });
}

std::optional<Task> SweepPlan::next() {
  if (waiting_.empty()) return std::nullopt;
  const Task task = waiting_.front();
  waiting_.pop_front();
  return task;
}

void SweepPlan::done(const Row& row) {
  if (take(row)) look(row.point);
}

/// False: it was not planned.
bool SweepPlan::take(const Row& row) {
  At& at = at_[row.point];
  const std::uint64_t place = row.seed - repeat_.seed;
  if (row.seed < repeat_.seed || place >= at.planned) return false;
  ++at.done;
  ++done_;
  if (column_) at.values[place] = row.values[*column_];
  return true;
}

void SweepPlan::look(std::uint32_t point) {
  const At& at = at_[point];
  if (!column_ || at.done < at.planned || at.planned >= repeat_.at_most || narrow(at)) return;
  const std::uint64_t more = std::max<std::uint64_t>(2, at.planned / 2);
  add_wave(point, std::min(more, repeat_.at_most - at.planned));
}

void SweepPlan::add_wave(std::uint32_t point, std::uint64_t runs) {
  At& at = at_[point];
  for (std::uint64_t i = 0; i < runs; ++i)
    waiting_.push_back({point, repeat_.seed + at.planned + i});
  at.planned += runs;
  planned_ += runs;
  if (column_) at.values.resize(at.planned, std::numeric_limits<double>::quiet_NaN());
}

bool SweepPlan::narrow(const At& at) const {
  const Estimate found = estimate(at.values, repeat_.interval, repeat_.confidence);
  return found.runs >= 2 && found.half_width() <= repeat_.within * std::abs(found.mean);
}

}  // namespace bellwether::experiment
