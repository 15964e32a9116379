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
enum class FrameResult : unsigned char { taken, garbage, too_many };

/// The calls that change an engine. A decorator of an engine has the same ones: recorder.hpp.
class EngineInputs {
 public:
  virtual ~EngineInputs() = default;

  virtual void start(Time now) = 0;
  /// A body that `from` sent.
  virtual FrameResult on_frame(Time now, NodeId from, std::span<const std::uint8_t> body) = 0;
  /// `from` is there, without a body.
  virtual void on_probe(Time now, NodeId from) = 0;
  /// All timers that are due. Silence counts only beyond the slack.
  virtual void alarm(Time now) = 0;
  /// A neighbour has left, or has restarted.
  virtual void on_neighbour_lost(Time now, NodeId neighbour) = 0;
  virtual void farewell(Time now) = 0;
  /// False where the algorithm has no priorities.
  virtual bool set_priority(Time now, std::uint32_t priority) = 0;
  /// By how much this node is late, or a neighbour says that it is: give the others more time.
  virtual void set_slack(Time now, Duration own) = 0;
  virtual void set_slack(Time now, NodeId neighbour, Duration its) = 0;
};

class Engine final : public EngineInputs {
 public:
  /// Throws Problem on an option that the algorithm does not have.
  Engine(const core::Algorithm& algorithm, const EngineSpec& spec);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  ~Engine() override;

  void start(Time now) override;
  FrameResult on_frame(Time now, NodeId from, std::span<const std::uint8_t> body) override;
  void on_probe(Time now, NodeId from) override;
  void alarm(Time now) override;
  void on_neighbour_lost(Time now, NodeId neighbour) override;
  void farewell(Time now) override;
  bool set_priority(Time now, std::uint32_t priority) override;
  void set_slack(Time now, Duration own) override;
  void set_slack(Time now, NodeId neighbour, Duration its) override;

  std::optional<Time> next_alarm() const;
  /// The body that says no more than: I am here.
  core::Bytes probe() const;
  bool has_priorities() const;
  std::optional<NodeId> leader() const;
  std::vector<NodeId> chain() const;                // of a hierarchy; else empty
  std::vector<NodeId> neighbours() const;           // ascending
  const Routes& routes() const { return routes_; }  // as of the last step
  /// The neighbour towards a member. Towards the leader it is the parent in its tree, if there is
  /// one: a list of members is older.
  std::optional<NodeId> next_hop(NodeId member) const;
  std::optional<std::uint32_t> hops_to_leader() const;
  std::uint64_t members() const;  // of the component; the leader has counted them, if it can
  std::string state_text() const;

  /// Bodies to be sent to all neighbours, to be taken out after each call.
  std::vector<core::Bytes>& outgoing() { return outgoing_; }

 private:
  struct Deadline {
    core::TimerName timer;
    std::optional<NodeId> silent;  // the neighbour whose silence it waits for
    bool silence;                  // the election waits for the silence of any other
    Time due;
  };

  const layers::Probed& probed() const;
  void receive(Time now, const layers::Probed::Message& message);
  void run(Time now, const core::Call& call);
  /// One call of a step, which settle() ends.
  void perform(Time now, const core::Call& call);
  void settle(Time now);
  void arm(Time now, const core::Effects::Alarm& alarm);
  Time rings(const Deadline& armed) const;

  EngineSpec spec_;
  core::Prng random_;
  std::unique_ptr<core::Nodes> nodes_;  // one
  core::Effects effects_;
  std::vector<core::Effects::Alarm> alarms_;  // of the present step
  std::vector<Deadline> armed_;
  Duration slack_{};
  std::map<NodeId, Duration> slack_of_;
  Routes routes_;
  std::vector<core::Bytes> outgoing_;
};

using layers::unsuitable_because;

/// The names of those that can run on real machines.
std::vector<std::string> suitable_names(const catalogue::Algorithms& algorithms);

/// Those of them that have priorities, and so can resign and pause.
std::vector<std::string> prioritized_names(const catalogue::Algorithms& algorithms);
/// What to do about an algorithm that has none: use one of these.
std::string use_another_algorithm();

/// An algorithm that a node can run. Throws Problem with the nearest name, or with why it cannot
/// be run.
const core::Algorithm& find_suitable(const catalogue::Algorithms& algorithms,
                                     const std::string& name);

/// Throws Problem on an option that the algorithm does not have.
std::unique_ptr<Engine> make_engine(const catalogue::Algorithms& algorithms,
                                    const EngineSpec& spec);

}  // namespace bellwether::node
