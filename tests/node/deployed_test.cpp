// SPDX-License-Identifier: MIT
// What is deployed can be simulated: a day that a daemon recorded is played in the daemon's engine
// and, step by step, in the nodes that the simulator makes of the same scenario. Both send the same
// bytes, name the same leader, and are in the same state.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "bellwether/core/hand_host_test.hpp"
#include "bellwether/node/air_test.hpp"
#include "bellwether/node/config.hpp"
#include "bellwether/node/recorder.hpp"
#include "bellwether/scenario/scenario.hpp"
#include "bellwether/sim/simulate.hpp"

namespace bellwether {
namespace {

using core::Duration;
using core::NodeId;
using core::Time;
using layers::Probed;
using node::CallKind;
using namespace std::chrono_literals;

/// What a user would write to simulate this node.
scenario::Scenario scenario_of(const node::EngineSpec& spec) {
  const auto quoted = [](Duration d) { return '"' + core::to_text(d) + "\"\n"; };
  std::string text = "algorithm = \"" + spec.algorithm + "\"\n[neighbours]\nstack = \"deployed\"\n";
  text += "period = " + quoted(spec.probes.period) + "timeout = " + quoted(spec.probes.timeout);
  text += "[options]\n";
  for (const auto& [name, option] : spec.options) text += name + " = \"" + option + "\"\n";
  scenario::Scenario out = scenario::parse_scenario(text, "deployed.toml");
  scenario::validate(out);
  out.radio.mtu = spec.probes.mtu;  // shorter in some recordings than a scenario may ask for
  return out;
}

std::unique_ptr<core::Nodes> simulated(const node::EngineSpec& spec) {
  const scenario::Scenario s = scenario_of(spec);
  const core::Algorithm& algorithm = catalogue::algorithm(s.algorithm);
  return layers::stack(algorithm, sim::options_for(algorithm, s, {}),
                       sim::stack_spec(algorithm, s));
}

/// One simulated node that gets the calls that a daemon got. Its timers and draws are its own: it
/// shares nothing with the engine but the layers.
class SimulatedNode : private core::HandHost {
 public:
  explicit SimulatedNode(const node::EngineSpec& spec)
      : HandHost(simulated(spec)), spec_(spec), draws_(spec.seed) {
    add(spec.self);
    open(0, {.far = 0, .up = true});  // the air
  }

  void tell(const node::EngineCall& call) {
    set_clock(0, call.at);
    const auto message = [&](const Probed::Message& m) { run(core::Call::receive(air_, &m)); };
    switch (call.kind) {
      case CallKind::start:  // the usual priority need not be set
        if (spec_.priority != core::usual_priority) run(core::Call::set_priority(spec_.priority));
        return run(core::Call::start());
      case CallKind::hear:
        return hear(call.who, call.body);
      case CallKind::see:
        return message(Probed::Probe{call.who});
      case CallKind::alarm:
        return ring();
      case CallKind::lose:
        return message(Probed::Bye{call.who});
      case CallKind::farewell:
        if (nodes().can().tree) run(core::Call::set_priority(0));
        return sent.push_back(core::encode(Probed::Message(Probed::Bye{spec_.self})));
      case CallKind::priority:
        return run(core::Call::set_priority(static_cast<std::uint32_t>(call.number)));
      case CallKind::slack:
        slack_[{}] = Duration{static_cast<std::int64_t>(call.number)};
        return;
      case CallKind::slack_of:
        slack_[call.who] = Duration{static_cast<std::int64_t>(call.number)};
        return;
    }
  }
  std::optional<NodeId> leader() const { return HandHost::leader(0); }
  std::string state() const { return nodes().text(0); }

  std::vector<core::Bytes> sent;

 private:
  void hear(NodeId from, const core::Bytes& body) {
    const auto message = nodes().decode(body);
    if (!message) return;
    const auto& m = message->as<Probed::Message>();
    if (std::visit([](const auto& each) { return each.from; }, m) != from) return;
    run(core::Call::receive(air_, &m));
  }
  void ring() {
    for (;;) {
      const auto first =
          std::min_element(armed(0).begin(), armed(0).end(),
                           [&](const Armed& a, const Armed& b) { return rings(a) < rings(b); });
      if (first == armed(0).end() || rings(*first) > clock(0)) return;
      const core::TimerName timer = first->timer;
      fire(0, timer);
    }
  }
  /// A late node hears the others late.
  Time rings(const Armed& armed) const {
    const auto slack = [&](NodeId who) {
      const auto at = slack_.find(who);
      return at == slack_.end() ? Duration{0} : at->second;
    };
    if (nodes().is_silence(armed.timer)) {  // of anyone: the latest one counts
      Duration latest{};
      for (const auto& [who, its] : slack_)
        if (who != NodeId{}) latest = std::max(latest, its);
      return armed.due + slack({}) + latest;
    }
    const auto silent = Probed::silent_neighbour(armed.timer);
    return silent ? armed.due + slack({}) + slack(*silent) : armed.due;
  }
  void run(const core::Call& call) { step(0, call); }
  void on_send(core::NodeIndex, core::Port, const core::AnyMessage& message) override {
    sent.emplace_back();
    core::ByteSink sink{sent.back()};
    message.walk_into(sink);
  }
  Duration delay(Duration min, Duration max) override { return draws_.between(min, max); }
  std::uint64_t choose(std::uint64_t n) override { return draws_.below(n); }

  static constexpr core::Port air_{0};
  node::EngineSpec spec_;
  core::Prng draws_;
  std::map<NodeId, Duration> slack_;  // of this node: under no id
};

/// Plays a recording in both; returns the number of its calls.
std::size_t play(std::istream& in, const std::string& name) {
  std::string line;
  std::getline(in, line);
  const node::EngineSpec spec = node::read_header(line);
  const auto engine = node::make_engine(catalogue::all(), spec);
  SimulatedNode simulated(spec);
  std::size_t calls = 0;
  while (std::getline(in, line) && line.ends_with('}')) {
    const std::string place = name + ":" + std::to_string(calls + 2);
    const node::Recorded recorded = node::read_call(line);
    EXPECT_EQ(node::answer_to(recorded.call, *engine), recorded.answer) << place;
    simulated.tell(recorded.call);
    EXPECT_EQ(engine->outgoing(), simulated.sent) << place;
    EXPECT_EQ(engine->leader(), simulated.leader()) << place;
    EXPECT_EQ(engine->state_text(), simulated.state()) << place;
    if (testing::Test::HasFailure()) return 0;
    engine->outgoing().clear();
    simulated.sent.clear();
    ++calls;
  }
  return calls;
}

TEST(Deployed, ARecordedDayIsTheSameInTheEngineAndInASimulation) {
  std::size_t days = 0;
  const std::filesystem::path tests = BELLWETHER_SOURCE_DIR "/tests";
  for (const auto& folder : {tests / "node/testdata", tests / "fuzz/corpus/recording"})
    for (const auto& each : std::filesystem::directory_iterator(folder)) {
      if (each.path().extension() == ".md") continue;
      std::ifstream in(each.path());
      EXPECT_GT(play(in, each.path().filename().string()), 40u) << each.path();
      ++days;
    }
  EXPECT_EQ(days, 11u);
}

/// Some seconds of engines in a network that is made up: they lose each other, meet, and leave.
TEST(Deployed, AnElectionWithATreeIsTheSameInTheEngineAndInASimulation) {
  node::Air air("drumbeat", 5);
  node::make_line(air, 5);
  air.pass(3s);
  air.link(1, 2, false);
  air.pass(2s);
  air.link(1, 2);
  air.tell_node(0, {air.now, CallKind::slack, {}, 50'000'000, {}});
  air.tell_node(1, {air.now, CallKind::slack_of, NodeId{1}, 100'000'000, {}});
  air.tell_node(2, {air.now, CallKind::priority, {}, 40, {}});
  air.pass(2s);
  air.tell_node(4, {air.now, CallKind::farewell, {}, 0, {}});
  air.link(3, 4, false);
  air.tell_node(3, {air.now, CallKind::lose, NodeId{5}, 0, {}});
  air.pass(3s);
  for (std::size_t i = 0; i < 5; ++i) {
    std::istringstream in(air.tapes[i]);
    EXPECT_GT(play(in, "node " + std::to_string(i + 1)), 100u);
  }
}

TEST(Deployed, AnElectionGetsTheLayersOfTheDaemon) {
  node::EngineSpec spec;
  spec.self = NodeId{7};
  for (const std::string& name : node::suitable_names(catalogue::all())) {
    spec.algorithm = name;
    const auto nodes = simulated(spec);
    EXPECT_TRUE(nodes->can().airborne) << name;
    const bool tree = catalogue::algorithm(name).tree;
    EXPECT_EQ(nodes->can().map, !tree) << name;
    EXPECT_EQ(nodes->can().list, tree) << name;
  }
  const node::Config config;
  EXPECT_EQ(config.most_members, layers::deployed_limits.members);
  EXPECT_EQ(config.most_neighbours, layers::deployed_limits.neighbours);
}

TEST(Deployed, BeatsOfATreeServeAsProbesAndSetTheTimeout) {
  const core::Algorithm& drumbeat = catalogue::algorithm("drumbeat");
  const auto probes = [&](Duration timeout, const core::OptionTexts& options = {}) {
    return layers::deployed_probes(drumbeat, options, 100ms, timeout, 1400);
  };
  EXPECT_EQ(probes(300ms).spare, 3u);
  EXPECT_EQ(probes(300ms).timeout, 700ms) << "two waves and a period";
  EXPECT_EQ(probes(2s).timeout, 2s);
  EXPECT_EQ(probes(300ms, {{"wave", "2"}}).timeout, 500ms);
  const auto options = layers::deployed_options(drumbeat, {{"jitter", "1 ms"}}, probes(300ms));
  EXPECT_EQ(options.at("period"), "100 ms");
  EXPECT_EQ(options.at("slack"), "20 ms");
  EXPECT_EQ(options.at("jitter"), "1 ms") << "as it was given";
  // What was not given does not contradict what was.
  const auto with = [&](const core::OptionTexts& given) {
    return layers::deployed_options(drumbeat, given, probes(300ms));
  };
  EXPECT_EQ(with({{"jitter", "40 ms"}}).at("slack"), "40 ms");
  EXPECT_EQ(with({{"slack", "2 ms"}}).at("jitter"), "2 ms");
  EXPECT_EQ(with({{"period", "1 s"}}).at("slack"), "200 ms");
  EXPECT_EQ(with({{"slack", "none"}}).at("slack"), "none") << "is refused where nodes are made";
  const auto height = layers::deployed_probes(catalogue::algorithm("height"), {}, 100ms, 300ms, 1);
  EXPECT_EQ(height.spare, 0u);
  EXPECT_EQ(height.timeout, 300ms);
}

TEST(Deployed, ANodeThatIsSimulatedWithOtherLayersIsAnotherOne) {
  node::EngineSpec spec;
  spec.algorithm = "height";
  scenario::Scenario s = scenario_of(spec);
  const core::Algorithm& height = catalogue::algorithm("height");
  EXPECT_NE(sim::stack_spec(height, s).map, nullptr);
  s.neighbours.stack = scenario::LayerStack::chosen;
  s.neighbours.detect = scenario::Detect::probes;
  EXPECT_EQ(sim::stack_spec(height, s).map, nullptr);
  EXPECT_FALSE(sim::stack_spec(height, s).reliable);
}

}  // namespace
}  // namespace bellwether
