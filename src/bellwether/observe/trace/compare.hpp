// SPDX-License-Identifier: MIT
// Whether a run takes the steps of a recorded one: what makes a replay worth its name.
#pragma once

#include "bellwether/observe/metrics/run_report.hpp"
#include "bellwether/observe/trace/trace.hpp"

namespace bellwether::observe {

/// Whether two steps are the same but for numbers, times, and what the channel made of what was
/// sent: node, cause, peer, message, timer, what was sent to whom, leader and state. What was sent
/// on no link has no receiver and does not count.
bool same_step(const TraceStep& x, const TraceStep& y);

/// Compares each step with the recorded one until the first that differs.
class StepComparer : public Observer {
 public:
  explicit StepComparer(const Trace& recorded) : recorded_(recorded) {}
  void step(const StepRecord& record) override;
  /// After the run. A recording that was cut short may be followed by further steps.
  ReplayComparison verdict() const;

 private:
  const Trace& recorded_;
  std::uint64_t same_ = 0;
  std::optional<TraceStep> different_;
};

}  // namespace bellwether::observe
