// SPDX-License-Identifier: MIT
// Who looks on at a run: observers get records, monitors see configurations, a pacer has turns.
// None of them touches nodes or queue, but for the changes that a pacer applies in its turn.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "bellwether/core/configuration.hpp"
#include "bellwether/observe/trace/record.hpp"
#include "bellwether/sim/pace.hpp"

namespace bellwether::sim {

class Audience {
 public:
  void observe(observe::Observer& observer) { observers_.push_back(&observer); }
  void watch(core::PropertyMonitors monitors);
  void pace(Pacer* pacer, std::unique_ptr<RunView> window) {
    pacer_ = pacer;
    window_ = std::move(window);
  }

  bool watching() const { return !monitors_.empty(); }
  bool observed() const { return !observers_.empty(); }
  bool paced() const { return pacer_ != nullptr; }

  void begin(const observe::RunHeader& header);
  /// A message was handed to the channel in the present step.
  void sent(const observe::SendRecord& record) { sent_.push_back(record); }
  void step(observe::StepRecord& record);
  void drop(const observe::DropRecord& record);
  /// A trace without an end says that the run was cut short.
  void end();

  void after(const core::Configuration& all, const core::Happening& what);
  void at_rest(const core::Configuration& all);

  void begin_pace() { pacer_->begin(*window_); }
  void turn() { pacer_->turn(*window_); }
  void end_pace(observe::Ended ended, const std::string& violation) {
    pacer_->end(*window_, ended, violation);
  }

 private:
  void inspect(const std::function<void(core::PropertyMonitor&)>& look);

  std::vector<observe::Observer*> observers_;
  core::PropertyMonitors monitors_;
  std::vector<observe::SendRecord> sent_;
  std::uint64_t recorded_ = 0;
  Pacer* pacer_ = nullptr;
  std::unique_ptr<RunView> window_;
};

}  // namespace bellwether::sim
