// SPDX-License-Identifier: MIT
// Means over time: of a whole run, and of each interval of it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "bellwether/core/time.hpp"

namespace bellwether::observe {

using core::Duration;
using core::Time;

/// Leaders of a hierarchy are counted up to this level.
inline constexpr std::size_t most_ranks = 8;

/// What holds for a while. Which time counts for a quantity says weight_of().
enum class Level : unsigned char {
  wrong,
  without_leader,
  mean_size,
  longest_path,
  median_path,
  relative_path,
  mean_diameter,
  largest_diameter,
  remoteness_max,
  remoteness_mean,
  live,
  components,
  largest_size,
  leaders,  // of level 1; those of the levels above follow it
};
inline constexpr std::size_t levels = static_cast<std::size_t>(Level::leaders) + most_ranks;
constexpr Level leaders_of(std::size_t level) {
  return static_cast<Level>(static_cast<std::size_t>(Level::leaders) + level - 1);
}

/// What must exist for a quantity to have a value.
enum class Basis : unsigned char { live_node, path, wide_component, cluster, always };
inline constexpr std::size_t weights = 5;

constexpr Basis weight_of(Level level) {
  if (level <= Level::mean_size) return Basis::live_node;
  if (level <= Level::relative_path) return Basis::path;
  if (level <= Level::largest_diameter) return Basis::wide_component;
  if (level <= Level::remoteness_mean) return Basis::cluster;
  return Basis::always;
}

/// What happens in no time.
enum class Count : unsigned char { messages, message_bytes, beacons, beacon_bytes, leader_changes };
inline constexpr std::size_t counts = 5;

struct LevelValues {
  std::array<double, levels> value{};
  std::array<bool, weights> exists{};  // by Basis
  double& operator[](Level level) { return value[static_cast<std::size_t>(level)]; }
  bool& operator[](Basis weight) { return exists[static_cast<std::size_t>(weight)]; }
};

/// Integrals and counts over some time.
struct Sums {
  std::array<double, levels> area{};             // value times nanoseconds
  std::array<std::int64_t, weights> duration{};  // nanoseconds
  std::array<std::uint64_t, counts> count{};
  double components_at_end = 0;  // of an interval

  Sums& operator+=(const Sums& other);
  double area_of(Level level) const { return area[static_cast<std::size_t>(level)]; }
  std::int64_t duration_of(Basis weight) const {
    return duration[static_cast<std::size_t>(weight)];
  }
  std::uint64_t count_of(Count what) const { return count[static_cast<std::size_t>(what)]; }
  /// Not a number where no time counts.
  double mean(Level level) const;
};

class Timeline {
 public:
  Timeline(Duration interval, Time warm_up);

  /// These values hold from the last `to` until `to`.
  void add(Time to, const LevelValues& values);
  void count(Count what, std::uint64_t by = 1) {
    open_.count[static_cast<std::size_t>(what)] += by;
  }
  /// The next time at which an interval or the warm-up ends.
  Time next_cut() const { return warm_up_ > at_ && warm_up_ < row_end_ ? warm_up_ : row_end_; }
  /// No more will come. What was counted at the very end belongs to the last interval.
  void finish();

  Time now() const { return at_; }
  Duration interval() const { return interval_; }
  const std::vector<Sums>& rows() const { return rows_; }
  /// From the end of the warm-up.
  const Sums& total() const { return total_; }

 private:
  void close_row();

  Duration interval_;
  Time warm_up_;
  Time at_{};
  Time row_end_;
  double components_ = 0;  // as of the last values
  std::vector<Sums> rows_;
  Sums early_;  // of the open interval, before the end of the warm-up
  Sums open_;
  Sums total_;
};

}  // namespace bellwether::observe
