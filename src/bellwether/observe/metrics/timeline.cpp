// SPDX-License-Identifier: MIT
#include "bellwether/observe/metrics/timeline.hpp"

#include <algorithm>
#include <limits>

#include "bellwether/core/invariant.hpp"

namespace bellwether::observe {

Sums& Sums::operator+=(const Sums& other) {
  for (std::size_t i = 0; i < levels; ++i) area[i] += other.area[i];
  for (std::size_t i = 0; i < weights; ++i) duration[i] += other.duration[i];
  for (std::size_t i = 0; i < counts; ++i) count[i] += other.count[i];
  return *this;
}

double Sums::mean(Level level) const {
  const std::int64_t time = duration_of(weight_of(level));
  if (time == 0) return std::numeric_limits<double>::quiet_NaN();
  return area_of(level) / static_cast<double>(time);
}

Timeline::Timeline(Duration interval, Time warm_up)
    : interval_(interval), warm_up_(warm_up), row_end_(interval) {
  core::invariant(interval > Duration{0}, "an interval of a series takes some time");
  core::invariant(warm_up >= Time{0}, "a warm-up does not end before the run begins");
}

void Timeline::add(Time to, const LevelValues& values) {
  while (at_ < to) {
    const Time cut = std::min(to, next_cut());
    const std::int64_t passed = (cut - at_).count();
    for (std::size_t w = 0; w < weights; ++w)
      if (values.exists[w]) open_.duration[w] += passed;
    for (std::size_t i = 0; i < levels; ++i)
      open_.area[i] += values.value[i] * static_cast<double>(passed);
    components_ = values.value[static_cast<std::size_t>(Level::components)];
    at_ = cut;
    if (at_ == row_end_) close_row();
    if (at_ == warm_up_) {
      early_ += open_;
      open_ = {};
      total_ = {};
    }
  }
}

void Timeline::close_row() {
  total_ += open_;
  early_ += open_;
  early_.components_at_end = components_;
  rows_.push_back(early_);
  early_ = open_ = {};
  // Beyond the end of time there is no further interval.
  row_end_ = core::end_of_time - row_end_ > interval_ ? row_end_ + interval_ : core::end_of_time;
}

void Timeline::finish() {
  const bool begun = rows_.empty() ? at_ > Time{0} : row_end_ - interval_ < at_;
  if (begun) {
    close_row();
    return;
  }
  total_ += open_;
  early_ += open_;
  if (!rows_.empty()) rows_.back() += early_;
}

}  // namespace bellwether::observe
