// SPDX-License-Identifier: MIT
// Which runs of an experiment are still to be made. What is planned follows from the results alone,
// never from which run was faster: so the same rows come out on one core and on many.
#pragma once

#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "bellwether/experiment/experiment.hpp"
#include "bellwether/experiment/row.hpp"

namespace bellwether::experiment {

struct Task {
  std::uint32_t point = 0;
  std::uint64_t seed = 0;
  friend auto operator<=>(const Task&, const Task&) = default;
};

class SweepPlan {
 public:
  /// `found`: what there is already.
  SweepPlan(const Experiment& experiment, std::size_t points, std::span<const Row> found);

  /// Nothing: wait until more is known, or finished().
  std::optional<Task> next();
  /// Its worker is lost: it waits for another.
  void again(Task task) { waiting_.push_front(task); }
  /// More may be planned now.
  void done(const Row& row);

  bool finished() const { return done_ == planned_; }
  std::size_t planned() const { return planned_; }
  std::size_t done() const { return done_; }

 private:
  /// The seeds of a point come in waves: whether another one is needed is decided when all of the
  /// last have come in.
  struct At {
    std::uint64_t planned = 0;
    std::uint64_t done = 0;
    std::vector<double> values;  // of the metric that decides, by seed
  };
  bool take(const Row& row);
  void look(std::uint32_t point);
  void add_wave(std::uint32_t point, std::uint64_t runs);
  bool narrow(const At& at) const;

  Repeat repeat_;
  std::optional<std::size_t> column_;
  std::vector<At> at_;
  std::deque<Task> waiting_;
  std::size_t planned_ = 0;
  std::size_t done_ = 0;
};

}  // namespace bellwether::experiment
