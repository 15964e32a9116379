// SPDX-License-Identifier: MIT
// A probe that does in a simulation what a test tells it, and notes each of its steps.
#pragma once

#include "bellwether/sim/simulation_of.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "bellwether/observe/trace/trace.hpp"

namespace bellwether::sim {

using namespace std::chrono_literals;
using core::Cause;
using observe::Ended;
using world::ChangeKind;

struct Ping {
  static constexpr std::uint8_t tag = 1;
  static constexpr std::string_view name = "ping";
  std::uint64_t number = 0;
  static constexpr auto fields = std::tuple{core::field("number", &Ping::number)};
  friend bool operator==(const Ping&, const Ping&) = default;
};
struct Bell {
  std::uint64_t number = 0;
  static constexpr auto fields = std::tuple{core::field("number", &Bell::number)};
  friend bool operator==(const Bell&, const Bell&) = default;
};

/// One step, as the node saw it.
struct Entry {
  std::uint64_t node;
  Cause cause;
  Time at;                  // by the node's clock
  Port port;                // receive, link events
  std::uint64_t number;     // of the message or timer
  std::vector<Port> ports;  // those that were up
  std::uint64_t age;        // steps of this value before
};

class Probe {
 public:
  using Message = Ping;
  using Timer = Bell;
  using Step = core::Step<Message, Timer>;
  using Act = std::function<void(Probe&, Step&, const Entry&)>;
  /// What a test has to say, and what it wants to know.
  struct Play {
    Act act;
    std::vector<Entry> diary;
  };
  static constexpr std::string_view name = "probe";
  struct Options {
    Play* play = nullptr;
    static constexpr std::tuple<> fields{};
  };

  Probe() = default;
  Probe(NodeId own, Options options) : id(own), play_(options.play) {}
  void start(Step& step) { note(step, Cause::start); }
  void link_up(Step& step, Port port) { note(step, Cause::link_up, port); }
  void link_down(Step& step, Port port) { note(step, Cause::link_down, port); }
  void receive(Step& step, Port port, const Ping& m) { note(step, Cause::receive, port, m.number); }
  void timeout(Step& step, Bell t) { note(step, Cause::timeout, core::every_port, t.number); }
  std::optional<NodeId> leader() const { return std::nullopt; }
  friend bool operator==(const Probe&, const Probe&) = default;

  NodeId id{};

 private:
  void note(Step& step, Cause cause, Port port = core::every_port, std::uint64_t number = 0) {
    const Entry entry{core::raw(id), cause,  step.now(),
                      port,          number, {step.ports().begin(), step.ports().end()},
                      age_++};
    play_->diary.push_back(entry);
    if (play_->act) play_->act(*this, step, entry);
  }
  Play* play_ = nullptr;
  std::uint64_t age_ = 0;
};
using Step = Probe::Step;
using Numbers = std::vector<std::uint64_t>;

/// Keeps every step and every drop as text.
class Keeper final : public observe::Observer {
 public:
  void step(const observe::StepRecord& r) override { steps.push_back(observe::to_trace(r)); }
  void drop(const observe::DropRecord& r) override {
    drops.push_back(std::to_string(core::raw(r.from)) + ">" + std::to_string(core::raw(r.to)) +
                    " " + r.message.text() + ": " + std::string(r.why));
  }
  std::vector<observe::TraceStep> steps;
  std::vector<std::string> drops;
};

class SimulationTest : public testing::Test {
 protected:
  SimulationTest() { network("line", 2); }
  void network(std::string topology, NodeIndex nodes) {
    scenario.network.topology = std::move(topology);
    scenario.network.nodes = nodes;
  }
  void script(Time at, ChangeKind kind, std::uint64_t a, std::uint64_t b = 0, bool memory = false) {
    scenario.changes.script.push_back({at, kind, NodeId{a}, NodeId{b}, memory});
  }
  void on(Cause cause, Probe::Act act) {
    play.act = [cause, act, before = play.act](Probe& me, Step& step, const Entry& entry) {
      if (before) before(me, step, entry);
      if (entry.cause == cause) act(me, step, entry);
    };
  }
  /// Node 1 sends pings 0, 1, 2, ... to port 0, one every `pause`.
  void chatter(std::uint64_t count, Duration pause) {
    on(Cause::start, [=](Probe& me, Step& step, const Entry&) {
      if (me.id == NodeId{1}) step.arm(Bell{0}, pause, pause);
    });
    on(Cause::timeout, [=](Probe&, Step& step, const Entry& e) {
      step.send(Port{0}, Ping{e.number});
      if (e.number + 1 < count) step.arm(Bell{e.number + 1}, pause, pause);
    });
  }
  /// A new run of the scenario; `seen` keeps what observers see, where a test asks for it.
  observe::RunReport run(Keeper* seen = nullptr, core::Monitors<Probe> monitors = {}) {
    play.diary.clear();
    simulation = std::make_unique<SimulationOf<Probe>>(make_setup(scenario), scenario,
                                                       Probe::Options{&play});
    if (seen) simulation->observe(*seen);
    simulation->watch(std::move(monitors));
    return simulation->run();
  }
  std::vector<Entry> entries(std::uint64_t node, std::set<Cause> causes) const {
    std::vector<Entry> out;
    for (const Entry& e : play.diary)
      if (e.node == node && causes.contains(e.cause)) out.push_back(e);
    return out;
  }
  Numbers numbers(std::uint64_t node, Cause cause) const {
    Numbers out;
    for (const Entry& e : entries(node, {cause})) out.push_back(e.number);
    return out;
  }
  static double metric(const observe::RunReport& report, std::string_view name) {
    for (const auto& m : report.metrics)
      if (m.name == name) return m.value;
    ADD_FAILURE() << "no metric " << name;
    return -1;
  }

  scenario::Scenario scenario;
  Probe::Play play;
  std::unique_ptr<SimulationOf<Probe>> simulation;
};

const std::vector<Port> first_two{Port{0}, Port{1}};

}  // namespace bellwether::sim
