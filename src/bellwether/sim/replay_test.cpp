// SPDX-License-Identifier: MIT
// Runs that follow a schedule: drawn runs, found out and run again, and each rule of
// observe/trace/schedule.hpp by hand.
#include "bellwether/sim/replay.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/observe/trace/compare.hpp"
#include "bellwether/sim/derive_schedule_test.hpp"
#include "bellwether/sim/simulation_of.hpp"

namespace bellwether::sim {
namespace {

using namespace std::chrono_literals;
using core::Cause;
using observe::Ended;
using observe::Schedule;
using observe::Upheaval;
using world::ChangeKind;

double metric(const observe::RunReport& report, std::string_view name) {
  for (const auto& m : report.metrics)
    if (m.name == name) return m.value;
  return -1;
}

/// The header of a trace that goes through a file.
observe::RunHeader through_a_file(const observe::RunHeader& header) {
  std::stringstream file;
  observe::TraceWriter writer(file);
  writer.begin(header);
  return observe::read_trace(file, "t.jsonl").header;
}

/// Steps without what the channel made of what was sent.
std::vector<observe::TraceStep> stripped(std::vector<observe::TraceStep> steps) {
  for (auto& step : steps)
    for (auto& send : step.sends)
      if (send.fate != observe::Fate::no_link) send = {send.to, send.message};
  return steps;
}

struct Both {
  observe::RunReport recorded, replayed;
  std::size_t steps = 0;
};

/// Runs the scenario, finds its schedule, and demands the same steps from a run that follows it.
Both run_again(std::string_view name, const scenario::Scenario& scenario) {
  const core::Algorithm& algorithm = catalogue::algorithm(name);
  Recorder recorder;
  Both both;
  both.recorded = simulate(algorithm, scenario, {{&recorder}, {}});
  observe::RunHeader header = recorder.trace.header;
  header.schedule =
      DeriveSchedule(scenario, recorder.trace, algorithm.facts.model.hears_strangers, 1000)
          .schedule();
  EXPECT_EQ(observe::fault_of(*header.schedule), "");
  header = through_a_file(header);
  scenario::Scenario again = replay_scenario(header, {"t.jsonl", 1});
  again.properties = scenario.properties;
  Recorder replay;
  observe::StepComparer comparer(recorder.trace);
  both.replayed = simulate(algorithm, again, {{&replay, &comparer}, {}, &*header.schedule});
  both.steps = recorder.trace.steps.size();
  EXPECT_EQ(replay.trace.header.schedule, header.schedule);
  EXPECT_EQ(stripped(replay.trace.steps), stripped(recorder.trace.steps));
  const auto verdict = comparer.verdict();
  EXPECT_TRUE(verdict.as_recorded()) << verdict.recorded << "\n" << verdict.taken;
  // The digest covers the time at which a run ends: here, that of its last step.
  if (!recorder.trace.steps.empty() && both.recorded.time == recorder.trace.steps.back().at) {
    EXPECT_EQ(both.replayed.fingerprint, both.recorded.fingerprint);
  }
  return both;
}

scenario::Scenario changing(std::uint64_t seed) {
  scenario::Scenario s;
  s.seed = seed;
  s.network.topology = "erdos-renyi";
  s.network.nodes = 8;
  s.network.degree = 3;
  s.network.ids = "random";
  s.channel.delay = world::Delay::uniform;
  s.start.window = 20ms;
  s.changes.links.rate = 20;
  s.changes.links.down = 100ms;
  s.changes.links.until = 2s;
  s.changes.crashes.rate = 5;
  s.changes.crashes.down = 200ms;
  s.changes.crashes.memory = seed % 2 == 0;
  s.changes.crashes.until = 2s;
  s.changes.script = {{500ms, ChangeKind::link_up, NodeId{1}, NodeId{2}},
                      {510ms, ChangeKind::link_up, NodeId{2}, NodeId{3}},
                      {700ms, ChangeKind::link_down, NodeId{1}, NodeId{2}},
                      {710ms, ChangeKind::crash, NodeId{4}},
                      {711ms, ChangeKind::restart, NodeId{4}, {}, seed % 3 == 0}};
  s.stop.time = 4s;
  return s;
}

TEST(Replay, OfHeightTakesTheSameSteps) {
  std::size_t steps = 0, digests = 0;
  double crashes = 0, cut = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    auto s = changing(seed);
    if (seed % 4 != 0) s.notify.max = 30ms;
    s.properties = {"all"};
    s.options["rejoin"] = {seed % 5 == 0 ? "yield" : "take-over", "here"};
    const Both both = run_again("height", s);
    EXPECT_EQ(both.replayed.violation, both.recorded.violation);
    EXPECT_EQ(both.replayed.ended, both.recorded.ended);
    steps += both.steps;
    digests += both.replayed.fingerprint == both.recorded.fingerprint ? 1 : 0;
    crashes += metric(both.recorded, "crashes");
    cut += metric(both.recorded, "messages_cut_off");
    if (HasFailure()) return;
  }
  EXPECT_GT(steps, 10'000u);
  EXPECT_GT(digests, 30u);
  EXPECT_GT(crashes, 100);
  EXPECT_GT(cut, 100);
}

TEST(Replay, OfCelTakesTheSameSteps) {
  std::size_t steps = 0, digests = 0;
  double lost = 0, duplicated = 0, crashes = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    auto s = changing(seed);
    s.algorithm = "cel";
    s.notify.max = seed % 4 != 0 ? 30ms : 0ms;
    s.channel.loss = 0.1;
    s.channel.duplicate = 0.1;
    s.channel.order = seed % 2 == 0 ? world::Order::unordered : world::Order::fifo;
    s.options["rho"] = {"0.7", "here"};
    const Both both = run_again("cel", s);
    steps += both.steps;
    digests += both.replayed.fingerprint == both.recorded.fingerprint ? 1 : 0;
    lost += metric(both.recorded, "messages_lost");
    duplicated += metric(both.recorded, "messages_doubled");
    crashes += metric(both.recorded, "crashes");
    if (HasFailure()) return;
  }
  EXPECT_GT(steps, 10'000u);
  EXPECT_GT(digests, 20u);
  EXPECT_GT(lost, 500);
  EXPECT_GT(duplicated, 500);
  EXPECT_GT(crashes, 100);
}

TEST(Replay, WithOneArrivalLessTakesOtherSteps) {
  const auto s = changing(3);
  Recorder recorder;
  simulate(catalogue::algorithm("height"), s, {{&recorder}, {}});
  auto header = recorder.trace.header;
  header.schedule = DeriveSchedule(s, recorder.trace, false, 1000).schedule();
  header.schedule->flights[0].arrivals[0] = {};
  observe::StepComparer comparer(recorder.trace);
  simulate(catalogue::algorithm("height"), replay_scenario(header, ""),
           {{&comparer}, {}, &*header.schedule});
  EXPECT_FALSE(comparer.verdict().as_recorded());
}

TEST(Replay, RefusesWhatItCannotFollow) {
  observe::RunHeader header{"flood-max", "by hand", 1, {NodeId{1}}, Schedule{}};
  header.schedule->ids = header.nodes;
  const auto refusal = [&](std::string_view algorithm) -> std::string {
    try {
      simulate(catalogue::algorithm(algorithm), replay_scenario(header, {"t.jsonl", 1}),
               {{}, {}, &*header.schedule});
    } catch (const core::Problem& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(refusal("flood-max"),
            "t.jsonl:1: algorithm: flood-max runs in synchronous rounds, which no schedule can "
            "steer; run it from a scenario");
  EXPECT_EQ(refusal("height"), "none");
  header.schedule->options = {{"clock", "stopped"}};
  EXPECT_EQ(refusal("height"),
            "t.jsonl:1: options.clock: must be one of logical, perfect, hybrid, not \"stopped\"");
  header.schedule->alarms = {{NodeId{2}, {}}};
  EXPECT_THROW(make_setup(*header.schedule), core::Problem);
}

// By hand, with a protocol that only writes down what it sees.

struct Note {
  static constexpr std::uint8_t tag = 1;
  static constexpr std::string_view name = "note";
  std::uint64_t number = 0;
  static constexpr auto fields = std::tuple{core::field("number", &Note::number)};
  friend bool operator==(const Note&, const Note&) = default;
};
struct Bell {
  std::uint64_t number = 0;
  static constexpr auto fields = std::tuple{core::field("number", &Bell::number)};
  friend bool operator==(const Bell&, const Bell&) = default;
};

/// At its start it sends notes 1, 2, 3 to all, arms three bells and moves the second, and draws
/// twice. It answers every message and every notification with one more note.
template <bool strangers>
class Scribe {
 public:
  static constexpr std::string_view name = "scribe";
  static constexpr core::Facts facts = [] {
    core::Facts known{};
    known.model.hears_strangers = strangers;
    return known;
  }();
  using Message = Note;
  using Timer = Bell;
  using Step = core::Step<Message, Timer>;
  struct Options {
    bool rings = false;
    static constexpr auto fields = std::tuple{core::field("rings", &Options::rings)};
  };

  Scribe() = default;
  Scribe(NodeId id, Options options) : id_(id), rings_(options.rings) {}
  void start(Step& step) {
    for (std::uint64_t n = 1; n <= 3; ++n) step.broadcast(Note{10 * core::raw(id_) + n});
    draws_ = {step.choose(10), step.choose(1), step.choose(10), step.choose(3)};
    if (!rings_) return;
    for (std::uint64_t n = 1; n <= 3; ++n) step.arm(Bell{n}, 1ms, 2ms);
    step.arm(Bell{2}, 1ms, 2ms);
  }
  void link_up(Step&, Port port) { port_ = core::raw(port); }
  void link_down(Step&, Port port) { port_ = core::raw(port); }
  void receive(Step& step, Port port, const Note&) {
    port_ = core::raw(port);
    EXPECT_NE(step.peer(port), id_);
  }
  void timeout(Step& step, Bell bell) {
    if (bell.number == 1) step.disarm(Bell{3});
  }
  std::optional<NodeId> leader() const { return std::nullopt; }
  friend bool operator==(const Scribe&, const Scribe&) = default;

 private:
  NodeId id_{};
  bool rings_ = false;
  std::vector<std::uint64_t> draws_;
  std::uint32_t port_ = 0;

 public:
  static constexpr auto fields =
      std::tuple{core::field("draws", &Scribe::draws_), core::field("port", &Scribe::port_)};
};

/// Counts quiescent configurations, and the most messages in transit from the first node.
template <class P>
class Onlooker final : public core::Monitor<P> {
 public:
  Onlooker(int& rests, std::vector<std::size_t>& transit) : rests_(rests), transit_(transit) {}
  std::string_view name() const override { return "onlooker"; }
  std::string_view says() const override { return "nothing"; }
  void after(const core::Snapshot<P>& all, const core::Happening&) override {
    std::size_t count = 0;
    for (const auto& channel : all.channels(0)) count += channel.transit.size();
    transit_.push_back(count);
  }
  void at_rest(const core::Snapshot<P>&) override { ++rests_; }

 private:
  int& rests_;
  std::vector<std::size_t>& transit_;
};

constexpr NodeId one{1}, two{2}, three{3};

/// Nodes 1, 2 and 3 in a line, linked 1-2 and 2-3.
class ReplayByHand : public testing::Test {
 protected:
  ReplayByHand() {
    schedule.ids = {one, two, three};
    schedule.links = {{one, two}, {two, three}};
    schedule.up = {true, true};
  }
  /// "5ms 2 receive 1 note(number=11) (draws=[] port=0)" for each step.
  template <bool strangers = false>
  std::vector<std::string> run(bool rings = false) {
    using P = Scribe<strangers>;
    scenario::Scenario s;
    s.stop.time = observe::latest_time;
    Recorder recorder;
    SimulationOf<P> simulation(make_setup(schedule), s, {rings});
    simulation.observe(recorder);
    core::Monitors<P> monitors;
    rests = 0;
    transit.clear();
    monitors.push_back(std::make_unique<Onlooker<P>>(rests, transit));
    simulation.watch(std::move(monitors));
    report = simulation.run();
    std::vector<std::string> out;
    for (const auto& step : recorder.trace.steps)
      out.push_back(core::to_text(step.at) + ' ' + std::to_string(core::raw(step.node)) + ' ' +
                    observe::happened(step) + ' ' + step.state);
    drops.clear();
    for (const auto& drop : recorder.trace.drops) drops.push_back(drop.message);
    return out;
  }
  using Lines = std::vector<std::string>;

  Schedule schedule;
  observe::RunReport report;
  int rests = 0;
  std::vector<std::size_t> transit;  // from node 1, after each step
  Lines drops;
};

TEST_F(ReplayByHand, WithoutAnythingDoesNothing) {
  EXPECT_EQ(run(), Lines{});
  EXPECT_EQ(report.ended, Ended::quiescent);
}

TEST_F(ReplayByHand, MessagesArriveWhenTheScheduleSays) {
  schedule.starts = {{one, 1ms}};
  schedule.flights = {{one, two, {{9ms}, {3ms, 4ms}, {}}}};
  EXPECT_EQ(run(), (Lines{"1 ms 1 start scribe(draws=[0,0,0,0] port=0)",
                          "3 ms 2 from 1: note(number=12) scribe(draws=[] port=1)",
                          "4 ms 2 from 1: note(number=12) scribe(draws=[] port=1)",
                          "9 ms 2 from 1: note(number=11) scribe(draws=[] port=1)"}));
  EXPECT_EQ(transit, (std::vector<std::size_t>{3, 2, 1, 0}));
  EXPECT_EQ(report.ended, Ended::quiescent);
  EXPECT_EQ(rests, 1);
  EXPECT_EQ(metric(report, "messages_lost"), 1);
  EXPECT_EQ(metric(report, "messages_doubled"), 1);
}

TEST_F(ReplayByHand, WhatIsNotMentionedIsUnderWayUntilItsLinkGoesDown) {
  schedule.starts = {{one, 1ms}};
  schedule.flights = {{one, two, {{2ms, {}}}}};  // and two more
  EXPECT_EQ(run().size(), 2u);
  EXPECT_EQ(transit, (std::vector<std::size_t>{4, 3}));
  EXPECT_EQ(rests, 0) << "messages are under way";
  EXPECT_EQ(report.ended, Ended::deadline);
  schedule.changes = {{5ms, Upheaval::link_down, one, two, false}};
  schedule.notices = {{one, two, {6ms}}};
  EXPECT_EQ(run().size(), 3u);
  EXPECT_EQ(transit, (std::vector<std::size_t>{4, 3, 0}));
  EXPECT_EQ(rests, 0) << "node 2 does not know yet";
  schedule.notices.push_back({two, one, {7ms}});
  EXPECT_EQ(run().size(), 4u);
  EXPECT_EQ(rests, 1);
  EXPECT_EQ(report.ended, Ended::quiescent);
}

TEST_F(ReplayByHand, ATimeThatHasPassedMeansAtOnce) {
  schedule.starts = {{one, 5ms}};
  schedule.flights = {{one, two, {{1ms}, {}, {}}}};
  EXPECT_EQ(run().back(), "5 ms 2 from 1: note(number=11) scribe(draws=[] port=1)");
}

TEST_F(ReplayByHand, AMessageArrivesWhateverHasBecomeOfTheEnds) {
  schedule.starts = {{one, 1ms}};
  schedule.changes = {{2ms, Upheaval::link_down, two, one, false}};
  schedule.notices = {{one, two, {3ms}}, {two, one, {5ms}}};
  schedule.flights = {{one, two, {{4ms}, {6ms}, {}}}};
  const Lines known{"1 ms 1 start scribe(draws=[0,0,0,0] port=0)",
                    "3 ms 1 link down: 2 scribe(draws=[0,0,0,0] port=0)",
                    "4 ms 2 from 1: note(number=11) scribe(draws=[] port=1)",
                    "5 ms 2 link down: 1 scribe(draws=[] port=1)"};
  EXPECT_EQ(run(), known) << "the end was up at the receiver, under its old name";
  EXPECT_EQ(drops, Lines{"note(number=12)"});
  Lines heard = known;
  heard.push_back("6 ms 2 from 1: note(number=12) scribe(draws=[] port=" +
                  std::to_string(core::raw(core::stranger)) + ')');
  EXPECT_EQ(run<true>(), heard);
  EXPECT_EQ(drops, Lines{});
  schedule.changes.push_back({5500us, Upheaval::crash, two, {}, false});
  heard.back() = "5.5 ms 2 crash scribe(draws=[] port=1)";
  EXPECT_EQ(run<true>(), heard) << "nobody is there to hear it";
  EXPECT_EQ(drops, Lines{"note(number=12)"});
}

TEST_F(ReplayByHand, LinksThatAreNotUpAtFirstComeUpWithTheNextPorts) {
  schedule.links = {{three, one}, {one, two}, {two, three}};
  schedule.up = {false, true, true};
  schedule.changes = {{1ms, Upheaval::link_up, one, three, false},
                      {2ms, Upheaval::link_up, one, three, false},  // it is up already
                      {3ms, Upheaval::link_down, one, three, false},
                      {4ms, Upheaval::link_up, one, three, false}};
  schedule.notices = {{one, three, {5ms, 6ms, 7ms}}, {three, one, {{}, 8ms, 9ms}}};
  EXPECT_EQ(run(), (Lines{"5 ms 1 link up: 3 scribe(draws=[] port=1)",
                          "6 ms 1 link down: 3 scribe(draws=[] port=1)",
                          "7 ms 1 link up: 3 scribe(draws=[] port=2)",
                          "9 ms 3 link up: 1 scribe(draws=[] port=1)"}))
      << "a notice of what an end knows already is no step";
  EXPECT_EQ(rests, 1) << "when all is known";
}

TEST_F(ReplayByHand, CrashesAndRestartsTakeTheirOrdinals) {
  schedule.changes = {{1ms, Upheaval::crash, two, {}, false},
                      {2ms, Upheaval::link_down, one, two, false},  // no node is notified
                      {3ms, Upheaval::link_up, one, two, false},
                      {4ms, Upheaval::restart, two, {}, true},
                      {20ms, Upheaval::crash, two, {}, false},
                      {21ms, Upheaval::restart, two, {}, false}};
  schedule.notices = {{one, two, {10ms, 11ms, 22ms, 23ms}},
                      {two, one, {12ms, 24ms}},
                      {two, three, {{}, 25ms}},
                      {three, two, {{}, {}, 26ms, 27ms}}};
  EXPECT_EQ(
      run(),
      (Lines{"1 ms 2 crash scribe(draws=[] port=0)", "4 ms 2 restart scribe(draws=[] port=0)",
             "4 ms 2 link down: 1 scribe(draws=[] port=1)",
             "4 ms 2 link down: 3 scribe(draws=[] port=0)",
             "10 ms 1 link down: 2 scribe(draws=[] port=0)",
             "11 ms 1 link up: 2 scribe(draws=[] port=1)",
             "12 ms 2 link up: 1 scribe(draws=[] port=2)", "20 ms 2 crash scribe(draws=[] port=2)",
             "21 ms 2 restart scribe(draws=[0,0,0,0] port=0)",
             "22 ms 1 link down: 2 scribe(draws=[] port=1)",
             "23 ms 1 link up: 2 scribe(draws=[] port=2)",
             "24 ms 2 link up: 1 scribe(draws=[0,0,0,0] port=3)",
             "25 ms 2 link up: 3 scribe(draws=[0,0,0,0] port=4)",
             "26 ms 3 link down: 2 scribe(draws=[] port=0)",
             "27 ms 3 link up: 2 scribe(draws=[] port=1)"}));
}

TEST_F(ReplayByHand, AlarmsRingWhenTheScheduleSays) {
  schedule.links.clear();
  schedule.up.clear();
  schedule.starts = {{one, 1ms}};
  // Bells 1, 2, 3, and 2 again: it moves.
  const Lines start{"1 ms 1 start scribe(draws=[0,0,0,0] port=0)"};
  const auto rings = [&](Schedule::Moments times, const Lines& later) {
    schedule.alarms = {{one, std::move(times)}};
    Lines all = start;
    for (const auto& each : later) all.push_back(each + " scribe(draws=[0,0,0,0] port=0)");
    EXPECT_EQ(run(true), all);
  };
  rings({9ms, 5ms, 7ms, 8ms},
        {"7 ms 1 timeout (number=3)", "8 ms 1 timeout (number=2)", "9 ms 1 timeout (number=1)"});
  EXPECT_EQ(rests, 1);
  rings({9ms, 5ms, 7ms, 3ms},
        {"3 ms 1 timeout (number=2)", "7 ms 1 timeout (number=3)", "9 ms 1 timeout (number=1)"});
  rings({9ms, 5ms, {}, {}}, {"9 ms 1 timeout (number=1)"});
  EXPECT_EQ(rests, 0) << "bell 2 is armed";
  EXPECT_EQ(report.ended, Ended::deadline);
  rings({9ms, {}, {}, 4ms}, {"4 ms 1 timeout (number=2)", "9 ms 1 timeout (number=1)"});
  EXPECT_EQ(rests, 1) << "bell 3 was disarmed";
  rings({}, {});
  EXPECT_EQ(rests, 0);
  schedule.changes = {{5ms, Upheaval::crash, one, {}, false}};
  run(true);
  EXPECT_EQ(rests, 1) << "a dead node waits for nothing";
}

TEST_F(ReplayByHand, AnAlarmOfADeadNodeRingsWhenItIsBackWithItsMemory) {
  schedule.starts = {{one, 1ms}};
  schedule.alarms = {{one, {4ms, {}, {}, {}}}};
  schedule.changes = {{3ms, Upheaval::crash, one, {}, false},
                      {5ms, Upheaval::restart, one, {}, true}};
  EXPECT_EQ(run(true).back(), "5 ms 1 timeout (number=1) scribe(draws=[0,0,0,0] port=0)");
  schedule.changes[1].memory = false;
  EXPECT_EQ(run(true).back(), "5 ms 1 restart scribe(draws=[0,0,0,0] port=0)");
}

TEST_F(ReplayByHand, OrdinalsGoOnCountingAfterARestart) {
  schedule.starts = {{two, 1ms}};
  schedule.changes = {{5ms, Upheaval::crash, two, {}, false},
                      {6ms, Upheaval::restart, two, {}, false}};
  schedule.alarms = {{two, {2ms, {}, {}, {}, {}, {}, {}, 9ms}}};
  schedule.choices = {{two, {7, 99, 2, 1, 2, 99}}};
  schedule.notices = {{two, one, {7ms}}};
  EXPECT_EQ(run(true), (Lines{"1 ms 2 start scribe(draws=[7,0,9,2] port=0)",
                              "2 ms 2 timeout (number=1) scribe(draws=[7,0,9,2] port=0)",
                              "5 ms 2 crash scribe(draws=[7,0,9,2] port=0)",
                              "6 ms 2 restart scribe(draws=[1,0,2,2] port=0)",
                              "7 ms 2 link up: 1 scribe(draws=[1,0,2,2] port=2)",
                              "9 ms 2 timeout (number=2) scribe(draws=[1,0,2,2] port=2)"}));
}

TEST_F(ReplayByHand, OneWayLinksCarryAndTellOneEndOnly) {
  schedule.one_way = true;
  schedule.links = {{one, two}, {two, one}};
  schedule.starts = {{one, 1ms}, {two, 1ms}};
  schedule.changes = {{5ms, Upheaval::link_down, two, one, false}};
  schedule.flights = {{one, two, {{2ms}, {}, {}}}, {two, one, {{}, {3ms}, {}}}};
  schedule.notices = {{two, one, {6ms}}};
  EXPECT_EQ(run(), (Lines{"1 ms 1 start scribe(draws=[0,0,0,0] port=0)",
                          "1 ms 2 start scribe(draws=[0,0,0,0] port=0)",
                          "2 ms 2 from 1: note(number=11) scribe(draws=[0,0,0,0] port=1)",
                          "3 ms 1 from 2: note(number=22) scribe(draws=[0,0,0,0] port=1)",
                          "6 ms 2 link down: 1 scribe(draws=[0,0,0,0] port=0)"}));
  EXPECT_EQ(rests, 2);
}

}  // namespace
}  // namespace bellwether::sim
