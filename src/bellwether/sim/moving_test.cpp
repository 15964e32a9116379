// SPDX-License-Identifier: MIT
// Networks that move, in the simulator: link notifications, and neighbours that are heard.
#include <gtest/gtest.h>

#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/graph/components.hpp"
#include "bellwether/sim/simulation_of.hpp"
#include "bellwether/world/proximity.hpp"

namespace bellwether::sim {
namespace {

using namespace std::chrono_literals;
using scenario::Detect;
using scenario::Scenario;

/// Greets on every link again and again, and holds its driver to its duties: what comes in on a
/// port comes from the node that the port was announced for, while it is up.
class Witness {
 public:
  static constexpr std::string_view name = "witness";
  struct Options {
    static constexpr std::tuple<> fields{};
    friend bool operator==(const Options&, const Options&) = default;
  };
  struct Greeting {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "greeting";
    core::NodeId from{};
    std::vector<std::uint8_t> ballast;  // too large to travel inline
    static constexpr auto fields = std::tuple{core::field("from", &Greeting::from)};
    friend bool operator==(const Greeting&, const Greeting&) = default;
  };
  using Message = std::variant<Greeting>;
  enum class Timer : std::uint8_t { greet };
  friend constexpr auto names_of(Timer) { return std::array<std::string_view, 1>{"greet"}; }
  using Step = core::Step<Message, Timer>;

  Witness() = default;
  Witness(core::NodeId id, Options) : id_(id) {}
  void start(Step& step) {
    for (const Port port : step.ports()) know(step, port);
    step.arm(Timer::greet, 0ms, 50ms);
  }
  void link_up(Step& step, Port port) {
    core::invariant(!peers_.contains(port), "a port came up twice");
    know(step, port);
  }
  void link_down(Step& step, Port port) {
    core::invariant(peers_.contains(port), "an unknown port went down");
    core::invariant(step.peer(port) == peers_.at(port), "a port that went down has changed hands");
    peers_.erase(port);
  }
  void receive(Step& step, Port port, const Message& message) {
    if (!peers_.contains(port)) know(step, port);  // not started yet
    core::invariant(std::get<Greeting>(message).from == peers_.at(port),
                    "a message came in on somebody else's port");
    core::invariant(std::get<Greeting>(message).from != id_, "a node heard itself");
    ++heard_;
  }
  void timeout(Step& step, Timer) {
    core::invariant(std::is_sorted(step.ports().begin(), step.ports().end()), "ports ascend");
    core::invariant(step.ports().size() == peers_.size(), "every port was announced");
    step.broadcast(Greeting{id_, {}});
    for (const Port port : step.ports()) step.send(port, Greeting{id_, {}});
    step.arm(Timer::greet, 50ms, 50ms);
  }
  std::optional<core::NodeId> leader() const { return id_; }
  friend bool operator==(const Witness&, const Witness&) = default;

 private:
  void know(Step& step, Port port) { peers_[port] = step.peer(port); }

  core::NodeId id_{};
  std::map<Port, core::NodeId> peers_;
  std::uint64_t heard_ = 0;
};

Scenario waypoint(NodeIndex nodes, double side, double range, Duration time) {
  Scenario s;
  s.network.topology = "radio";
  s.network.nodes = nodes;
  s.mobility.model = world::MobilityModel::random_waypoint;
  s.mobility.width = s.mobility.height = side;
  s.mobility.speed_min = 20;
  s.mobility.speed_max = 60;
  s.mobility.pause = 0s;
  s.radio.range = range;
  s.stop.time = time;
  s.metrics.on = scenario::MetricsMode::off;
  return s;
}

observe::RunReport witnessed(const Scenario& s) {
  SimulationOf<Witness> simulation(make_setup(s), s, {});
  return simulation.run();
}

double metric(const observe::RunReport& report, std::string_view name) {
  for (const auto& each : report.metrics)
    if (each.name == name) return each.value;
  ADD_FAILURE() << "no metric " << name;
  return 0;
}

TEST(Moving, SlotsAreUsedAgain) {
  Slots slots(2, 1);
  EXPECT_FALSE(slots.is_radio(1));
  EXPECT_TRUE(slots.is_radio(2));
  EXPECT_EQ(slots.of(2), 2u);
  EXPECT_EQ(slots.open(3), 3u);
  EXPECT_EQ(slots.open(2), 4u);  // the old one has a notification pending
  EXPECT_EQ(slots.of(2), 4u);
  slots.close(2);
  EXPECT_EQ(slots.open(4), 2u);
  EXPECT_EQ(slots.size(), 5u);
}

TEST(Moving, PortsAndMessagesNeverChangeHands) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Scenario s = waypoint(40, 400, 90, 60s);
    s.seed = seed;
    s.radio.delay = seed % 2 ? world::Delay::poisson : world::Delay::uniform;
    if (seed % 3 == 0) s.notify = {0ms, 500ms};
    if (seed % 4 == 0) s.channel.order = world::Order::unordered;
    if (seed % 2 == 0) {
      s.changes.crashes.rate = 2;
      s.changes.crashes.down = 700ms;
      s.changes.crashes.memory = seed % 4 == 0;
      s.changes.crashes.until = 60s;
    }
    const auto report = witnessed(s);
    EXPECT_EQ(report.violation, "") << "seed " << seed;
    EXPECT_EQ(report.ended, observe::Ended::deadline);
    EXPECT_GT(metric(report, "link_changes"), 500);
  }
}

TEST(Moving, TheSameSeedGivesTheSameRun) {
  Scenario s = waypoint(30, 300, 90, 20s);
  EXPECT_EQ(witnessed(s).fingerprint, witnessed(s).fingerprint);
  const auto one = witnessed(s).fingerprint;
  s.seed = 2;
  EXPECT_NE(witnessed(s).fingerprint, one);
}

/// What the simulator believes at the end is what the places say.
TEST(Moving, TheLinksAtTheEndAreThoseOfThePlaces) {
  Scenario s = waypoint(50, 400, 80, 33s);
  const auto report = witnessed(s);
  world::Network network;
  network.nodes = 50;
  auto motion = world::make_motion(s.mobility, network, s.seed);
  std::vector<world::Point> places;
  for (NodeIndex u = 0; u < 50; ++u) {
    world::Leg leg = motion->next(u);
    while (leg.end <= s.stop.time) leg = motion->next(u);
    places.push_back(leg.at(s.stop.time));
  }
  std::vector<graph::Edge> links;
  for (NodeIndex u = 0; u < 50; ++u)
    for (NodeIndex v = u + 1; v < 50; ++v)
      if (std::hypot(places[u].x - places[v].x, places[u].y - places[v].y) <= 80)
        links.push_back({u, v});
  EXPECT_EQ(report.links, links.size());
  EXPECT_EQ(report.leaders.size(), graph::components(50, links).count);
}

/// Which node hears which other, counted by each.
class Listener {
 public:
  static constexpr std::string_view name = "listener";
  static constexpr bool airborne = true;
  struct Options {
    static constexpr std::tuple<> fields{};
    friend bool operator==(const Options&, const Options&) = default;
  };
  struct Call {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "call";
    core::NodeId from{};
    static constexpr auto fields = std::tuple{core::field("from", &Call::from)};
    friend bool operator==(const Call&, const Call&) = default;
  };
  using Message = std::variant<Call>;
  enum class Timer : std::uint8_t { call };
  friend constexpr auto names_of(Timer) { return std::array<std::string_view, 1>{"call"}; }
  using Step = core::Step<Message, Timer>;

  Listener() = default;
  Listener(core::NodeId id, Options) : id_(id) {}
  void start(Step& step) { step.arm(Timer::call, 0ms, 100ms); }
  void link_up(Step&, Port) {
    throw core::Violation("a shared medium gives no link notifications");
  }
  void link_down(Step&, Port) {
    throw core::Violation("a shared medium gives no link notifications");
  }
  void receive(Step& step, Port port, const Message& message) {
    core::invariant(step.ports().size() == 1 && step.ports()[0] == port, "the air is one port");
    ++heard[std::get<Call>(message).from];
  }
  void timeout(Step& step, Timer) {
    step.broadcast(Call{id_});
    step.arm(Timer::call, 90ms, 110ms);
  }
  std::optional<core::NodeId> leader() const { return id_; }
  friend bool operator==(const Listener&, const Listener&) = default;

  std::map<core::NodeId, int> heard;

 private:
  core::NodeId id_{};
};

/// A road without vehicles to speak of: towers in a row, servers wired to all of them.
Scenario towers(world::RadioModel model) {
  Scenario s;
  s.network.topology = "highway";
  s.network.nodes = 5;
  s.network.towers = 3;
  s.network.servers = 1;
  s.mobility.model = world::MobilityModel::highway;
  s.mobility.width = 1000;
  s.mobility.height = 40;
  s.radio.model = model;
  s.radio.range = 1;  // so that no two hear each other
  s.neighbours.detect = Detect::probes;
  s.stop.time = 10s;
  return s;
}

TEST(Moving, WiresAndRadioAreOneNetwork) {
  for (const auto model : {world::RadioModel::ideal, world::RadioModel::csma}) {
    const Scenario s = towers(model);
    SimulationOf<Listener> simulation(make_setup(s), s, {});
    const auto report = simulation.run();
    ASSERT_EQ(report.violation, "");
    // Node 1 drives, 2 to 4 are towers, 5 is the server.
    const auto& server = simulation.node(4).heard;
    EXPECT_EQ(server.size(), 3u);
    for (NodeIndex tower : {1u, 2u, 3u}) {
      EXPECT_TRUE(server.contains(simulation.id(tower)));
      EXPECT_TRUE(simulation.node(tower).heard.contains(simulation.id(4)));
      for (NodeIndex other : {1u, 2u, 3u})
        if (other != tower) {
          EXPECT_FALSE(simulation.node(tower).heard.contains(simulation.id(other)));
        }
    }
  }
}

/// Each frame ends at the very instant at which the other node begins to send its own.
class EndsAsAnotherBegins : public world::Medium {
 public:
  void link(NodeIndex, NodeIndex, bool) override {}
  void send(NodeIndex u, std::uint32_t frame, std::size_t, Time,
            world::MediumEffects& effects) override {
    ++counts_.sent;
    if (on_air_) {
      effects.heard.push_back({*on_air_, u});
      effects.done.push_back(*on_air_);
    }
    on_air_ = frame;
  }
  void wake(NodeIndex, std::uint32_t, Time, world::MediumEffects&) override {}
  void power(NodeIndex, bool, Time, world::MediumEffects&) override {}
  Energy energy(NodeIndex, Time) const override { return {}; }
  const FrameCounts& counts() const override { return counts_; }

 private:
  std::optional<std::uint32_t> on_air_;
  FrameCounts counts_;
};

// A step that sends and arms a timer: what is heard meanwhile must not take the timer away.
TEST(Moving, WhatIsHeardAsAFrameIsSentWaitsUntilTheStepIsOver) {
  Scenario s = waypoint(2, 50, 100, 10s);
  s.radio.model = world::RadioModel::csma;
  s.neighbours.detect = Detect::probes;
  RunSetup setup = make_setup(s);
  setup.medium = std::make_unique<EndsAsAnotherBegins>();
  SimulationOf<Listener> simulation(std::move(setup), s, {});
  const auto report = simulation.run();
  EXPECT_NEAR(metric(report, "frames_sent"), 2 * 100, 10);
  int heard = 0;
  for (NodeIndex u = 0; u < 2; ++u)
    for (const auto& [from, times] : simulation.node(u).heard) heard += times;
  EXPECT_EQ(heard, static_cast<int>(metric(report, "frames_sent")) - 1);
}

/// On the air every node in range hears a broadcast, and it is counted once.
TEST(Moving, ABroadcastByRadioIsOneMessage) {
  Scenario s = waypoint(20, 50, 100, 10s);  // all hear all
  s.neighbours.detect = Detect::probes;
  SimulationOf<Listener> simulation(make_setup(s), s, {});
  const auto report = simulation.run();
  EXPECT_EQ(report.links, 190u);
  EXPECT_NEAR(static_cast<double>(report.messages), 20 * 100, 60);
  int heard = 0;
  for (NodeIndex u = 0; u < 20; ++u) {
    EXPECT_EQ(simulation.node(u).heard.size(), 19u);
    for (const auto& [from, times] : simulation.node(u).heard) heard += times;
  }
  EXPECT_NEAR(heard, 19 * static_cast<int>(report.messages), 19 * 20);  // but those on their way
}

TEST(Moving, ASharedMediumLosesFramesAndSpendsEnergy) {
  Scenario s = waypoint(30, 200, 60, 20s);
  s.radio.model = world::RadioModel::csma;
  s.neighbours.detect = Detect::probes;
  s.metrics.on = scenario::MetricsMode::on;
  SimulationOf<Listener> simulation(make_setup(s), s, {});
  simulation->measure({core::Criterion::majority, {}, s.stop.time, {}, true});
  const auto report = simulation.run();
  EXPECT_GT(metric(report, "delivery_ratio"), 0.9);
  EXPECT_LT(metric(report, "delivery_ratio"), 1);
  EXPECT_GT(metric(report, "frames_lost_overlap"), 0);
  EXPECT_GT(metric(report, "power_mean_w"), 0.5);
  EXPECT_LT(metric(report, "power_mean_w"), 0.6);
  const double seconds = metric(report, "radio_idle_mean_s") + metric(report, "radio_busy_mean_s") +
                         metric(report, "radio_receive_mean_s") +
                         metric(report, "radio_transmit_mean_s");
  EXPECT_NEAR(seconds, 20, 1e-6);
}

TEST(Moving, ACrashedNodeIsSilentAndDeaf) {
  for (const auto model : {world::RadioModel::ideal, world::RadioModel::csma}) {
    Scenario s = waypoint(10, 50, 100, 20s);
    s.radio.model = model;
    s.neighbours.detect = Detect::probes;
    s.changes.script = {{5s, world::ChangeKind::crash, core::NodeId{3}, {}, false, {}}};
    SimulationOf<Listener> simulation(make_setup(s), s, {});
    simulation.run();
    EXPECT_FALSE(simulation.alive(2));
    for (const auto& [from, times] : simulation.node(2).heard) EXPECT_NEAR(times, 50, 8);
    EXPECT_NEAR(simulation.node(0).heard.at(core::NodeId{3}), 50, 8);
    EXPECT_NEAR(simulation.node(0).heard.at(core::NodeId{4}), 200, 12);
  }
}

TEST(Moving, LossyRadioLosesItsShare) {
  Scenario s = waypoint(20, 50, 100, 100s);
  s.radio.model = world::RadioModel::lossy;
  s.neighbours.detect = Detect::probes;
  const auto share = [&] {
    SimulationOf<Listener> simulation(make_setup(s), s, {});
    const auto report = simulation.run();
    return metric(report, "messages_lost") / (19 * static_cast<double>(report.messages));
  };
  s.radio.loss = 0.2;
  EXPECT_NEAR(share(), 0.2, 0.01);
  s.radio.loss = 0;
  s.radio.burst = {900ms, 100ms, 0, 1};
  EXPECT_NEAR(share(), 0.1, 0.01);
}

/// Heights need ordered reliable links: the layers make them out of a radio that loses in bursts.
TEST(Moving, HeightsAgreeOverARadioThatLoses) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Scenario s = waypoint(30, 400, 120, 60s);
    s.seed = seed;
    s.mobility.model = world::MobilityModel::still;
    s.radio.model = world::RadioModel::lossy;
    s.radio.loss = 0.05;
    s.radio.burst = {5s, 200ms, 0, 0.9};
    s.neighbours = {Detect::probes, 100ms, 1500ms, 10ms, true, 50ms};
    const auto report = simulate(catalogue::algorithm("height"), s, {});
    EXPECT_TRUE(report.agreed) << "seed " << seed;
  }
}

TEST(Moving, TheLeaderFallsAndAnotherRises) {
  Scenario s = waypoint(25, 200, 100, 60s);
  s.mobility.model = world::MobilityModel::still;
  s.neighbours.detect = Detect::probes;
  s.changes.crashes.leader_every = 10s;
  s.changes.crashes.down = 5s;
  s.changes.crashes.until = 55s;
  s.metrics.on = scenario::MetricsMode::on;
  const auto report = simulate(catalogue::algorithm("topology-aware"), s, {});
  EXPECT_EQ(metric(report, "crashes"), 5);
  EXPECT_EQ(metric(report, "leader_crashes"), 5);
  EXPECT_EQ(metric(report, "elections_done"), 5);
  // A neighbour is lost after 450 ms, and then the news has to spread.
  EXPECT_GT(metric(report, "election_time_mean_s"), 0.1);
  EXPECT_LT(metric(report, "election_time_mean_s"), 2);
}

TEST(Moving, WhatIsDeployedIsSimulated) {
  for (const char* algorithm : {"drumbeat", "cel-2", "height", "hierarchy", "vasudevan"}) {
    Scenario s = waypoint(20, 200, 100, 60s);
    s.mobility.model = world::MobilityModel::still;
    s.radio.model = world::RadioModel::lossy;
    s.radio.loss = 0.05;
    s.neighbours.stack = scenario::LayerStack::deployed;
    s.neighbours.period = 100ms;
    s.neighbours.timeout = 1500ms;
    EXPECT_TRUE(simulate(catalogue::algorithm(algorithm), s, {}).agreed) << algorithm;
  }
}

TEST(Moving, WhatCannotBeDeployedIsRefused) {
  const auto refused = [](std::string_view algorithm) -> std::string {
    Scenario s;
    s.neighbours.stack = scenario::LayerStack::deployed;
    s.beyond_model = true;
    try {
      simulate(catalogue::algorithm(algorithm), s, {});
    } catch (const core::Problem& bad) {
      return bad.what();
    }
    return "nothing";
  };
  EXPECT_EQ(refused("flood-max"),
            "neighbours.stack: flood-max cannot be deployed: needs synchronous rounds; deployed "
            "machines have no common clock");
  EXPECT_TRUE(refused("lelann").starts_with("neighbours.stack: lelann cannot be deployed: "));
}

TEST(Moving, AStrangeMixIsRefusedInOneSentence) {
  const auto refused = [](const Scenario& x, std::string_view algorithm) -> std::string {
    try {
      scenario::validate(x);
      simulate(catalogue::algorithm(algorithm), x, {});
    } catch (const core::Problem& bad) {
      return bad.what();
    }
    return "nothing";
  };
  Scenario s = waypoint(10, 100, 0, 10s);
  EXPECT_TRUE(refused(s, "height").starts_with("radio.range: a network that moves needs"));
  s.radio.range = 50;
  s.radio.model = world::RadioModel::csma;
  EXPECT_TRUE(
      refused(s, "height").starts_with("radio.model: a shared medium gives no link notifications"));
  s.neighbours.detect = Detect::probes;
  EXPECT_TRUE(refused(s, "height").ends_with("write [neighbours] reliable = true"));
  s.neighbours.reliable = true;
  EXPECT_EQ(refused(s, "height"), "nothing");
  EXPECT_TRUE(refused(s, "cel").ends_with("tolerates loss and reordering itself; remove reliable"));
  s.neighbours.reliable = false;
  EXPECT_NE(refused(s, "lelann"), "nothing");
  s.changes.partitions.push_back({1s, true, {}, {}});
  EXPECT_TRUE(
      refused(s, "cel").starts_with("mobility.model: positions decide which nodes are linked"));
}

}  // namespace
}  // namespace bellwether::sim
