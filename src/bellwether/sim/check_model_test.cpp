// SPDX-License-Identifier: MIT
// From a scenario to a report: what is refused, how a run ends, what is said of it.
#include <gtest/gtest.h>

#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/sim/simulation_of.hpp"

namespace bellwether::sim {
namespace {

using namespace std::chrono_literals;
using observe::Ended;
using scenario::Scenario;
using world::ChangeKind;

Scenario scenario_of(std::string topology, NodeIndex nodes) {
  Scenario scenario;
  scenario.network.topology = std::move(topology);
  scenario.network.nodes = nodes;
  return scenario;
}

/// The complaint of whatever `attempt` does; empty when there is none.
template <class Attempt>
std::string complaint(Attempt&& attempt) {
  try {
    attempt();
  } catch (const core::Problem& bad) {
    return bad.what();
  }
  return "";
}

std::string refused(const core::Model& model, const Scenario& scenario) {
  return complaint([&] { check_model("solo", model, scenario, make_setup(scenario)); });
}

/// A complaint that begins like this, and names a cure.
void expect_refused(const core::Model& model, const Scenario& scenario, std::string_view begins) {
  const std::string said = refused(model, scenario);
  EXPECT_TRUE(said.starts_with(begins)) << said;
  EXPECT_NE(said.find(';'), std::string::npos) << said;
}

TEST(CheckModel, WhatFitsIsNotRefused) {
  EXPECT_EQ(refused({}, scenario_of("grid", 9)), "");
  EXPECT_EQ(refused({.shape = core::Shape::ring}, scenario_of("ring", 5)), "");
  EXPECT_EQ(refused({.shape = core::Shape::complete}, scenario_of("complete", 5)), "");
  EXPECT_EQ(refused({.shape = core::Shape::complete}, scenario_of("ring", 3)), "") << "it is both";
  Scenario wild = scenario_of("ring", 5);
  wild.network.one_way = true;
  wild.network.anonymous = true;
  wild.channel = {.order = world::Order::unordered, .loss = 0.1, .duplicate = 0.1};
  wild.changes.links.rate = wild.changes.crashes.rate = 1;
  wild.changes.markov.birth = 0.1;
  wild.changes.partitions = {{1s, true, {}}};
  const core::Model bold{.needs_ids = false,
                         .tolerates_one_way = true,
                         .tolerates_changes = true,
                         .tolerates_crashes = true,
                         .tolerates_loss = true,
                         .tolerates_reordering = true,
                         .tolerates_duplicates = true};
  EXPECT_EQ(refused(bold, wild), "");
}

TEST(CheckModel, ShapesAreChecked) {
  expect_refused({.shape = core::Shape::ring}, scenario_of("grid", 9),
                 "network.topology: solo needs a ring; ");
  expect_refused({.shape = core::Shape::complete}, scenario_of("ring", 5),
                 "network.topology: solo needs a complete network; ");
  Scenario placed = scenario_of("grid", 9);
  placed.where["network.topology"] = "grid.toml:3";
  expect_refused({.shape = core::Shape::ring}, placed, "grid.toml:3: network.topology: solo needs");
}

TEST(CheckModel, NamesAndDirectionsAreChecked) {
  Scenario scenario = scenario_of("ring", 5);
  scenario.network.anonymous = true;
  expect_refused({}, scenario, "network.anonymous: solo needs nodes with ids; ");
  EXPECT_EQ(refused({.needs_ids = false}, scenario), "");
  scenario.network.anonymous = false;
  scenario.network.one_way = true;
  expect_refused({}, scenario, "network.one_way: solo needs links that go both ways; ");
  EXPECT_EQ(refused({.tolerates_one_way = true}, scenario), "");
}

TEST(CheckModel, CrashesAreChecked) {
  Scenario scenario = scenario_of("ring", 5);
  scenario.changes.crashes.rate = 1;
  expect_refused({}, scenario, "crashes.rate: solo assumes that nodes do not crash; ");
  expect_refused({.tolerates_changes = true}, scenario,
                 "crashes.rate: solo assumes that nodes do not");
  EXPECT_EQ(refused({.tolerates_crashes = true}, scenario), "") << "the links as such stay";
  scenario.changes = {};
  scenario.changes.script = {{1s, ChangeKind::crash, NodeId{1}}};
  expect_refused({.tolerates_changes = true}, scenario,
                 "change: solo assumes that nodes do not crash");
  EXPECT_EQ(refused({.tolerates_crashes = true}, scenario), "");
}

TEST(CheckModel, ChangesAreChecked) {
  Scenario scenario = scenario_of("ring", 5);
  const auto expect_both = [&](const std::string& key) {
    expect_refused({}, scenario, key + ": solo assumes that links do not change; ");
    EXPECT_EQ(refused({.tolerates_changes = true}, scenario), "") << key;
    scenario.changes = {};
  };
  scenario.changes.links.rate = 1;
  expect_both("churn.rate");
  scenario.changes.script = {{1s, ChangeKind::link_down, NodeId{1}, NodeId{2}}};
  expect_both("change");
  scenario.changes.partitions = {{1s, false, {{NodeId{1}}}}};
  expect_both("change");
  scenario.changes.markov.birth = 0.5;
  expect_both("markov.birth");
}

TEST(CheckModel, TheKeyThatWasGivenIsBlamed) {
  Scenario scenario = scenario_of("ring", 5);
  scenario.changes.markov.death = 0.5;
  scenario.where["markov.death"] = "m.toml:5";
  expect_refused({}, scenario, "m.toml:5: markov.death: solo assumes that links do not change; ");
}

TEST(CheckModel, WhoBearsCrashesNeedNotBearChanges) {
  const core::Model model{.tolerates_crashes = true};
  Scenario scenario = scenario_of("ring", 5);
  scenario.changes.crashes.rate = 1;
  scenario.changes.links.rate = 1;
  expect_refused(model, scenario, "churn.rate: solo assumes that links do not change; ");
  scenario.changes = {};
  scenario.changes.script = {{1s, ChangeKind::crash, NodeId{1}},
                             {2s, ChangeKind::link_down, NodeId{2}, NodeId{3}}};
  expect_refused(model, scenario, "change: solo assumes that links do not change; ");
}

TEST(CheckModel, ChannelsAreChecked) {
  Scenario scenario = scenario_of("ring", 5);
  const auto expect_only = [&](std::string_view begins, const core::Model& bearing) {
    expect_refused({}, scenario, begins);
    EXPECT_EQ(refused(bearing, scenario), "");
    EXPECT_EQ(refused({.synchronous = true}, scenario), "") << "rounds have no channel";
    scenario.channel = {};
  };
  scenario.channel.loss = 0.1;
  expect_only("channel.loss: solo assumes that nothing is lost ", {.tolerates_loss = true});
  scenario.channel.duplicate = 0.1;
  expect_only("channel.duplicate: solo assumes that nothing arrives twice; ",
              {.tolerates_duplicates = true});
  scenario.channel.order = world::Order::unordered;
  expect_only("channel.order: solo needs messages in order ", {.tolerates_reordering = true});
}

/// A token walks from port 0 to port 0; every node names the leader that the option gives.
class Walker {
 public:
  static constexpr std::string_view name = "walker";
  struct Options {
    std::uint64_t hops = 100;         // until it stops,
    std::uint64_t limit = 1'000'000;  // or breaks an invariant
    std::uint64_t nodes = 0;          // filled in by the driver
    NodeId leads{};                   // 0: none
    bool curious = false;             // asks who sent the token
    static constexpr auto fields =
        std::tuple{core::field("hops", &Options::hops), core::field("limit", &Options::limit),
                   core::field("nodes", &Options::nodes), core::field("leads", &Options::leads),
                   core::field("curious", &Options::curious)};
    friend bool operator==(const Options&, const Options&) = default;
  };
  struct Token {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "token";
    std::uint64_t hops = 0;
    static constexpr auto fields = std::tuple{core::field("hops", &Token::hops)};
    friend bool operator==(const Token&, const Token&) = default;
  };
  using Message = std::variant<Token>;
  using Timer = core::NoTimer;
  using Step = core::Step<Message, Timer>;

  Walker() = default;
  Walker(NodeId, Options options) : options_(options) {}
  void start(Step& step) { step.send(Port{0}, Token{1}); }
  void link_up(Step&, Port) {}
  void link_down(Step&, Port) {}
  void receive(Step& step, Port port, const Message& message) {
    seen = std::get<Token>(message).hops;
    if (options_.curious) step.peer(port);
    core::invariant(seen < options_.limit, "the token has walked too far");
    if (seen < options_.hops) step.send(Port{0}, Token{seen + 1});
  }
  void timeout(Step&, Timer) {}
  std::optional<NodeId> leader() const {
    return options_.leads == NodeId{} ? std::nullopt : std::optional(options_.leads);
  }
  static core::Monitors<Walker> monitors();
  friend bool operator==(const Walker&, const Walker&) = default;

  std::uint64_t seen = 0;

 private:
  Options options_;
};

class ShortWalk final : public core::Monitor<Walker> {
 public:
  std::string_view name() const override { return "short-walk"; }
  std::string_view says() const override { return "no token walks more than 60 hops"; }
  void after(const core::Snapshot<Walker>& all, const core::Happening& h) override {
    core::invariant(all.node(h.node).seen <= 60, "a token has walked more than 60 hops");
  }
};

core::Monitors<Walker> Walker::monitors() {
  core::Monitors<Walker> all;
  all.push_back(std::make_unique<ShortWalk>());
  return all;
}

Scenario walk(std::string hops) {
  Scenario scenario = scenario_of("ring", 5);
  scenario.start.nodes = {NodeId{1}};
  scenario.options["hops"] = {std::move(hops), "--set"};
  return scenario;
}

TEST(Simulate, ABrokenInvariantEndsTheRunAndShowsTheStepsBefore) {
  Scenario scenario = walk("100");
  scenario.options["limit"] = {"50", "--set"};
  const auto report = simulate<Walker>(scenario, {});
  EXPECT_EQ(report.ended, Ended::violation);
  EXPECT_EQ(report.violation, "the token has walked too far");
  EXPECT_EQ(report.time, 50ms);
  ASSERT_EQ(report.last_steps.size(), 20u);
  const std::string& last = report.last_steps.back();
  EXPECT_NE(last.find("token(hops=49)"), std::string::npos) << last;
  EXPECT_NE(last.find("49 ms"), std::string::npos) << last;
  EXPECT_FALSE(report.agreed);
}

TEST(Simulate, ABrokenPropertyIsNamed) {
  Scenario scenario = walk("100");
  EXPECT_EQ(simulate<Walker>(scenario, {}).ended, Ended::quiescent) << "nobody asked";
  for (const char* asked : {"short-walk", "all"}) {
    scenario.properties = {asked};
    const auto report = simulate<Walker>(scenario, {});
    EXPECT_EQ(report.ended, Ended::violation);
    EXPECT_EQ(report.violation, "short-walk: a token has walked more than 60 hops");
    EXPECT_NE(report.last_steps.back().find("token(hops=61)"), std::string::npos);
  }
  scenario.properties = {"agreement"};
  EXPECT_EQ(simulate<Walker>(scenario, {}).violation,
            "agreement: a component of 5 nodes does not agree on a leader");
  scenario.properties = {"short-wall"};
  const auto run = [&] { simulate<Walker>(scenario, {}); };
  EXPECT_TRUE(complaint(run).starts_with("properties: ")) << complaint(run);
  EXPECT_NE(complaint(run).find("short-walk"), std::string::npos) << complaint(run);
}

TEST(Simulate, NobodyHasANameInAnAnonymousNetwork) {
  Scenario scenario = walk("10");
  scenario.start = {1, {}, 0ms};
  scenario.network.anonymous = true;
  EXPECT_EQ(simulate<Walker>(scenario, {}).violation, "");
  scenario.options["curious"] = {"true", "--set"};
  const auto report = simulate<Walker>(scenario, {});
  EXPECT_EQ(report.ended, Ended::violation);
  EXPECT_EQ(report.violation, "nodes of an anonymous network have no ids");
}

TEST(Simulate, EndsAtRestAtTheDeadlineOrAtTheLimit) {
  Scenario scenario = walk("100");
  auto report = simulate<Walker>(scenario, {});
  EXPECT_EQ(report.ended, Ended::quiescent);
  EXPECT_EQ(report.events, 101u);
  EXPECT_EQ(report.messages, 100u);
  EXPECT_EQ(report.time, 100ms);
  scenario.stop.time = 50'500us;
  report = simulate<Walker>(scenario, {});
  EXPECT_EQ(report.ended, Ended::deadline);
  EXPECT_EQ(report.events, 51u);
  EXPECT_EQ(report.time, 50'500us);
  scenario.stop.time = 50ms;
  EXPECT_EQ(simulate<Walker>(scenario, {}).events, 51u) << "what falls on the deadline counts";
  scenario.stop.events = 30;
  report = simulate<Walker>(scenario, {});
  EXPECT_EQ(report.ended, Ended::event_limit);
  EXPECT_EQ(report.events, 30u);
  EXPECT_EQ(report.time, 29ms);
}

TEST(Simulate, CanBeInterrupted) {
  const Scenario scenario = walk("1000000");
  std::vector<Progress> looks;
  const auto report = simulate<Walker>(scenario, {{}, [&](const Progress& p) {
                                                    looks.push_back(p);
                                                    return looks.size() < 3;
                                                  }});
  EXPECT_EQ(report.ended, Ended::interrupted);
  ASSERT_EQ(looks.size(), 3u);
  for (std::size_t i = 1; i < 3; ++i) {
    EXPECT_GT(looks[i].events, looks[i - 1].events);
    EXPECT_GT(looks[i].at, looks[i - 1].at);
    EXPECT_GT(looks[i].messages, looks[i - 1].messages);
  }
  EXPECT_EQ(report.events, looks[2].events);
  EXPECT_EQ(report.time, looks[2].at);
}

TEST(Simulate, OptionsAreReadOrRefused) {
  Scenario scenario = walk("7");
  EXPECT_EQ(simulate<Walker>(scenario, {}).messages, 7u);
  scenario.options = {{"hop", {"7", "w.toml:4"}}};
  const auto run = [&] { simulate<Walker>(scenario, {}); };
  EXPECT_TRUE(complaint(run).starts_with("w.toml:4: options.hop: ")) << complaint(run);
  EXPECT_NE(complaint(run).find("hops"), std::string::npos) << complaint(run);
  scenario.options = {{"hops", {"many", "w.toml:4"}}};
  EXPECT_EQ(complaint(run), "w.toml:4: options.hops: must be a whole number from 0, not \"many\"");
  scenario.options.clear();
  const auto nodes = [&] {
    const auto walker = core::algorithm_of<Walker>();
    return options_for(walker, scenario, make_setup(scenario)).at("nodes");
  };
  EXPECT_EQ(nodes(), "5");
  scenario.options["nodes"] = {"0", "w.toml:4"};
  EXPECT_EQ(nodes(), "5");
  scenario.options["nodes"] = {"3", "w.toml:4"};
  EXPECT_EQ(nodes(), "3") << "who says something knows better";
}

TEST(Simulate, ReportsEachComponentAndWhetherItAgrees) {
  Scenario scenario = walk("1");
  scenario.network.nodes = 6;
  scenario.options["leads"] = {"2", "--set"};
  auto report = simulate<Walker>(scenario, {});
  EXPECT_TRUE(report.agreed);
  ASSERT_EQ(report.leaders.size(), 1u);
  EXPECT_EQ(report.leaders[0].leader, NodeId{2});
  EXPECT_EQ(report.links, 6u);
  scenario.changes.partitions = {{1ms, false, {{NodeId{1}, NodeId{2}}}}};
  report = simulate<Walker>(scenario, {});
  EXPECT_FALSE(report.agreed);
  ASSERT_EQ(report.leaders.size(), 2u);
  EXPECT_EQ(report.leaders[0].size, 2u);
  EXPECT_TRUE(report.leaders[0].agreed);
  EXPECT_EQ(report.leaders[1].size, 4u);
  EXPECT_FALSE(report.leaders[1].agreed) << "their leader is none of them";
  EXPECT_EQ(report.links, 4u);
  EXPECT_EQ(report.metrics.at(0).name, "components");
  EXPECT_EQ(report.metrics.at(0).value, 2);
  scenario.changes = {};
  scenario.changes.script = {{1ms, ChangeKind::crash, NodeId{2}}};
  report = simulate<Walker>(scenario, {});
  EXPECT_FALSE(report.agreed) << "their leader is gone";
  EXPECT_EQ(report.leaders.at(0).size, 5u);
}

/// Counts what it is handed.
class Counter final : public observe::Observer {
 public:
  void begin(const observe::RunHeader& h) override { nodes = h.nodes.size(); }
  void step(const observe::StepRecord& r) override {
    ++steps;
    in_order = in_order && r.number == steps;
    for (const auto& send : r.sends) sends += send.fate != observe::Fate::no_link ? 1 : 0;
  }
  void drop(const observe::DropRecord&) override { ++drops; }
  void end() override { ended = true; }
  std::uint64_t steps = 0, sends = 0, drops = 0, nodes = 0;
  bool ended = false;
  bool in_order = true;  // steps were numbered 1, 2, 3, ...
};

double metric(const observe::RunReport& report, std::string_view name) {
  for (const auto& m : report.metrics)
    if (m.name == name) return m.value;
  return 0;
}

/// Who looks on sees everything and changes nothing.
void expect_unmoved(std::string_view name, Scenario scenario) {
  SCOPED_TRACE(name);
  const core::Algorithm& algorithm = catalogue::algorithm(name);
  scenario.stop.time = 20s;
  const auto plain = simulate(algorithm, scenario, {});
  EXPECT_EQ(simulate(algorithm, scenario, {}).fingerprint, plain.fingerprint);
  Counter counter;
  const auto observed = simulate(algorithm, scenario, {{&counter}, {}});
  EXPECT_EQ(observed.fingerprint, plain.fingerprint);
  EXPECT_EQ(observed.events, plain.events);
  EXPECT_TRUE(counter.ended);
  EXPECT_EQ(counter.nodes, plain.nodes);
  EXPECT_EQ(counter.sends, plain.messages);
  if (!algorithm.rounds) {
    EXPECT_EQ(static_cast<double>(counter.steps),
              static_cast<double>(plain.events) + metric(plain, "crashes"));
  }
  EXPECT_EQ(static_cast<double>(counter.drops), metric(plain, "messages_cut_off"));
  scenario.properties = {"all"};
  const auto watched = simulate(algorithm, scenario, {});
  EXPECT_EQ(watched.violation, "");
  EXPECT_EQ(watched.fingerprint, plain.fingerprint);
  scenario.seed = 99;
  scenario.network.ids = "random";
  EXPECT_NE(simulate(algorithm, scenario, {}).fingerprint, plain.fingerprint);
}

TEST(Simulate, WhoLooksOnSeesEverythingAndChangesNothing) {
  expect_unmoved("chang-roberts", scenario_of("ring", 20));
  expect_unmoved("lelann", scenario_of("ring", 20));
  expect_unmoved("flood-max", scenario_of("grid", 25));
  Scenario crashing = scenario_of("complete", 8);
  crashing.changes.crashes = {2, 500ms, false, 0s, 5s};
  expect_unmoved("bully", crashing);
  expect_unmoved("height", scenario_of("torus", 25));
  Scenario moving = scenario_of("grid", 16);
  moving.channel = {.delay = world::Delay::uniform};
  moving.notify.max = 5ms;
  moving.changes.links = {20, 50ms, 0s, 2s};
  moving.changes.crashes = {5, 50ms, true, 0s, 2s};
  expect_unmoved("height", moving);
}

TEST(Simulate, RecordsAreNumberedFromOne) {
  Scenario scenario = walk("30");
  Counter counter;
  simulate<Walker>(scenario, {{&counter}, {}});
  EXPECT_TRUE(counter.in_order);
  scenario.changes.script = {{10ms, ChangeKind::crash, NodeId{4}}};
  Counter again;
  simulate<Walker>(scenario, {{&again}, {}});
  EXPECT_TRUE(again.in_order) << "a crash has the number of the step before it";
}

TEST(Simulate, TakesEveryAlgorithmOfTheCatalogue) {
  for (const core::Algorithm& algorithm : catalogue::all()) {
    SCOPED_TRACE(algorithm.name);
    Scenario scenario = scenario_of("ring", 3);  // it is complete, too
    scenario.stop.time = 10s;
    const auto report = simulate(algorithm, scenario, {});
    EXPECT_EQ(report.algorithm, algorithm.name);
    EXPECT_GT(report.events, 0u);
  }
}

}  // namespace
}  // namespace bellwether::sim
