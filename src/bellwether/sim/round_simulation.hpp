// SPDX-License-Identifier: MIT
// The simulator of synchronous protocols: rounds, natively. A broadcast is kept once, at its
// sender, and every neighbour reads it there; only messages to single ports are kept apart.
#pragma once

#include "bellwether/core/host.hpp"
#include "bellwether/core/fingerprint.hpp"
#include "bellwether/sim/audience.hpp"
#include "bellwether/sim/board.hpp"
#include "bellwether/sim/population.hpp"
#include "bellwether/sim/wiring.hpp"

namespace bellwether::sim {

class RoundSimulation {
 public:
  RoundSimulation(Stage stage, const scenario::Scenario& scenario,
                  std::unique_ptr<core::Nodes> nodes);

  void observe(observe::Observer& observer) { audience_.observe(observer); }
  void on_progress(OnProgress callback) { on_progress_ = std::move(callback); }
  void pace(Pacer* pacer);
  observe::Report run();

  const core::Nodes& nodes() const { return *population_.nodes; }
  /// Each node has acted once more: in the last round nothing was left to do.
  std::uint64_t rounds() const { return round_; }

 private:
  /// A message to one port.
  struct Single {
    NodeIndex to;
    Port port;  // at the receiver
    core::AnyMessage message;
  };
  class Window;  // for the pacer, in round_window.cpp

  void take_turns();
  void close_window();
  bool one_round();
  bool goes_on();
  void gather(NodeIndex u);
  bool all_alike() const;
  void fetch(NodeIndex u) const;
  void drain(NodeIndex u);
  void note_leader(NodeIndex u);
  void record(NodeIndex u);
  void record_sends(NodeIndex u);
  observe::Report report() const;
  Time now() const { return scenario_.rounds.duration * static_cast<std::int64_t>(round_); }
  static NodeId peer_of(void* self, Port port);
  static std::uint64_t choose_for(void* self, std::uint64_t n);

  Wiring wiring_;
  Population population_;
  const core::MessageKind& kind_;
  Board said_, saying_;                 // in the last round, and in this one
  std::vector<Single> told_, telling_;  // single messages, sorted by receiver
  std::size_t next_told_ = 0;
  std::vector<core::Incoming> inbox_;
  core::Effects effects_;
  core::Surroundings surroundings_;
  core::Fingerprint fingerprint_;
  NodeIndex current_ = 0;
  std::uint64_t round_ = 0;
  std::uint64_t events_ = 0, messages_ = 0, bytes_ = 0, leader_changes_ = 0;
  Time last_leader_change_{};
  bool spoken_ = false;  // somebody sent something in this round
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
