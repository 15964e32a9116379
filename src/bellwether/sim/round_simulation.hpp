// SPDX-License-Identifier: MIT
// The simulator of synchronous protocols: rounds, natively (core/round_run.hpp).
#pragma once

#include "bellwether/core/host.hpp"
#include "bellwether/sim/audience.hpp"
#include "bellwether/sim/population.hpp"
#include "bellwether/sim/wiring.hpp"

namespace bellwether::sim {

class RoundSimulation {
 public:
  RoundSimulation(RunSetup setup, const scenario::Scenario& scenario,
                  std::unique_ptr<core::Nodes> nodes);

  void observe(observe::Observer& observer) { audience_.observe(observer); }
  void on_progress(OnProgress callback) { on_progress_ = std::move(callback); }
  void pace(Pacer* pacer);
  observe::RunReport run();

  const core::Nodes& nodes() const { return *population_.nodes; }
  /// Each node has acted once more: in the last round nothing was left to do.
  std::uint64_t rounds() const { return run_.round; }

 private:
  class Window;  // for the pacer, in round_window.cpp

  void take_turns();
  void close_window();
  bool one_round();
  bool goes_on();
  bool all_alike() const;
  void play_observed();
  void record(NodeIndex u);
  void record_sends(NodeIndex u);
  observe::RunReport report() const;
  Time now() const { return scenario_.rounds.duration * static_cast<std::int64_t>(run_.round); }
  static NodeId peer_of(void* self, Port port);
  static std::uint64_t choose_for(void* self, std::uint64_t n);

  Wiring wiring_;
  Population population_;
  core::RoundRun run_;
  core::Effects effects_;  // of a step that is observed
  bool anonymous_;
  std::uint64_t alike_ = 0;  // rounds after which all nodes were in one and the same state

  const scenario::Scenario scenario_;
  Audience audience_;
  Window* window_ = nullptr;  // the audience's
  OnProgress on_progress_;
  observe::Ended ended_ = observe::Ended::quiescent;
  std::string violation_;
};

}  // namespace bellwether::sim
