// SPDX-License-Identifier: MIT
// One election with its layers, driven by the clock and by what is heard. It is as pure as what it
// drives: time, randomness and frames are handed in, frames are taken out. The same calls give the
// same answers, so a recording of them replays (replay.hpp).
#pragma once

#include <map>
#include <memory>
#include <string>

#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/core/prng.hpp"
#include "bellwether/layers/deployed.hpp"
#include "bellwether/node/control.hpp"
#include "bellwether/node/routes.hpp"

namespace bellwether::node {

/// What an engine is made from. A recording begins with it.
struct EngineSpec {
  std::string algorithm;
  NodeId self{};
  std::uint64_t seed = 0;
  layers::ProbeOptions probes;
  core::OptionTexts options;  // of the algorithm
  std::uint32_t priority = core::usual_priority;
  layers::ProbeLimits limits = layers::deployed_limits;
};

/// What became of a body that was heard.
enum class Heard : unsigned char { taken, garbage, too_many };

class Engine {
 public:
  /// Throws Problem on an option that the algorithm does not have.
  Engine(const core::Algorithm& algorithm, const EngineSpec& spec);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  ~Engine();

  void start(Time now);
  /// A body that `from` sent.
  Heard hear(Time now, NodeId from, std::span<const std::uint8_t> body);
  /// `from` is there, without a body.
  void see(Time now, NodeId from);
  /// All timers that are due. Silence counts only beyond the slack.
  void alarm(Time now);
  std::optional<Time> next_alarm() const;
  /// A neighbour has left, or has restarted.
  void lose(Time now, NodeId neighbour);
  void farewell(Time now);
  /// The body that says no more than: I am here.
  core::Bytes probe() const;
  /// False where the algorithm has no priorities.
  bool set_priority(Time now, std::uint32_t priority);
  bool has_priorities() const;
  /// This node is late by so much, or a neighbour says that it is: give the others more time.
  void set_slack(Duration own) { slack_ = own; }
  void set_slack(NodeId neighbour, Duration its);

  std::optional<NodeId> leader() const;
  std::vector<NodeId> chain() const;                // of a hierarchy; else empty
  std::vector<NodeId> neighbours() const;           // ascending
  const Routes& routes() const { return routes_; }  // as of the last step
  std::string state_text() const;

  /// Bodies to be sent to whoever hears, to be taken out after each call.
  std::vector<core::Bytes>& outgoing() { return outgoing_; }

 private:
  struct Armed {
    core::TimerName timer;
    std::optional<NodeId> silent;  // the neighbour whose silence it waits for
    Time due;
  };

  const layers::Probed& probed() const;
  void receive(Time now, const layers::Probed::Message& message);
  void run(Time now, const core::Call& call);
  /// One call of a step, which settle() ends.
  void perform(Time now, const core::Call& call);
  void settle(Time now);
  void arm(Time now, const core::Effects::Alarm& alarm);
  Time rings(const Armed& armed) const;

  EngineSpec spec_;
  core::Prng random_;
  std::unique_ptr<core::Nodes> nodes_;  // one
  core::Effects effects_;
  std::vector<core::Effects::Alarm> alarms_;  // of the present step
  std::vector<Armed> armed_;
  Duration slack_{};
  std::map<NodeId, Duration> slack_of_;
  Routes routes_;
  std::vector<core::Bytes> outgoing_;
};

using layers::unsuitable_because;

/// The names of those that can run on real machines.
std::vector<std::string> suitable_names(const catalogue::Algorithms& algorithms);

/// An algorithm that a node can run. Throws Problem with the nearest name, or with why it cannot
/// be run.
const core::Algorithm& find_suitable(const catalogue::Algorithms& algorithms,
                                     const std::string& name);

/// Throws Problem on an option that the algorithm does not have.
std::unique_ptr<Engine> make_engine(const catalogue::Algorithms& algorithms,
                                    const EngineSpec& spec);

}  // namespace bellwether::node
