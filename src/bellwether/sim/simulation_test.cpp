// SPDX-License-Identifier: MIT
// The driver's duties in core/step.hpp, one by one.
#include "bellwether/sim/probe_test.hpp"

namespace bellwether::sim {
namespace {

TEST_F(SimulationTest, StartsEachInitiatorOnceAndTheOthersWakeUpByMessages) {
  network("ring", 6);
  scenario.start = {0, {NodeId{2}, NodeId{4}}, 5ms};
  on(Cause::start, [](Probe&, Step& step, const Entry&) { step.broadcast(Ping{1}); });
  const auto report = run();
  for (std::uint64_t node = 1; node <= 6; ++node) {
    const auto starts = entries(node, {Cause::start});
    ASSERT_EQ(starts.size(), node == 2 || node == 4 ? 1u : 0u);
    if (!starts.empty()) {
      EXPECT_LE(starts[0].at, 5ms);
      EXPECT_EQ(starts[0].ports, first_two) << "up from the first step on";
    }
    EXPECT_EQ(entries(node, {Cause::receive}).size(), node == 3 ? 2u : node % 2);
  }
  EXPECT_EQ(report.ended, Ended::quiescent);
  EXPECT_EQ(report.events, 6u);
  EXPECT_EQ(report.messages, 4u);
  EXPECT_EQ(report.bytes, 4 * core::encoded_size(Ping{1}));
  for (const std::uint64_t count : {0u, 5u}) {
    scenario.start = {count, {}, 0ms};
    run();
    const auto started = [](const Entry& e) { return e.cause == Cause::start; };
    EXPECT_EQ(std::count_if(play.diary.begin(), play.diary.end(), started), count ? 5 : 6);
  }
}

TEST_F(SimulationTest, APortLeadsToItsPeerAndItsAnswerComesBackThere) {
  network("grid", 9);
  std::size_t answers = 0;
  on(Cause::start, [](Probe& me, Step& step, const Entry& e) {
    for (const Port port : e.ports)
      step.send(port, Ping{core::raw(me.id) * 10'000 + core::raw(step.peer(port)) * 100 +
                           core::raw(port)});
  });
  on(Cause::receive, [&](Probe& me, Step& step, const Entry& e) {
    if (e.number < 10'000) {
      ++answers;
      EXPECT_EQ(core::raw(e.port), e.number) << "not the port that it was sent from";
      return;
    }
    EXPECT_EQ(e.number / 10'000, core::raw(step.peer(e.port)));
    EXPECT_EQ(e.number / 100 % 100, core::raw(me.id));
    step.send(e.port, Ping{e.number % 100});
  });
  run();
  EXPECT_EQ(answers, 24u);  // 12 links, both ways
}

TEST_F(SimulationTest, ALinkThatComesBackHasANewPortAtBothEnds) {
  network("ring", 3);
  script(10ms, ChangeKind::link_down, 1, 2);
  script(20ms, ChangeKind::link_up, 1, 2);
  std::map<std::uint64_t, Port> down;
  on(Cause::link_down, [&](Probe& me, Step& step, const Entry& e) {
    EXPECT_EQ(core::raw(step.peer(e.port)), 3 - core::raw(me.id)) << "who was behind it";
    EXPECT_EQ(std::count(e.ports.begin(), e.ports.end(), e.port), 0);
    EXPECT_EQ(e.at, 10ms);
    down[core::raw(me.id)] = e.port;
  });
  on(Cause::link_up, [](Probe& me, Step& step, const Entry& e) {
    EXPECT_EQ(e.port, Port{2});
    EXPECT_EQ(e.ports.back(), Port{2});
    if (me.id == NodeId{1}) step.arm(Bell{}, 1us, 1us);    // when both ends know
    if (me.id == NodeId{2}) step.send(Port{1}, Ping{13});  // the old name of another link
  });
  on(Cause::timeout, [](Probe&, Step& step, const Entry&) {
    step.send(Port{0}, Ping{11});  // the old name leads nowhere
    step.send(Port{2}, Ping{12});
  });
  const auto report = run();
  EXPECT_EQ(down, (std::map<std::uint64_t, Port>{{1, Port{0}}, {2, Port{1}}}));
  EXPECT_EQ(entries(3, {Cause::link_up, Cause::link_down}).size(), 0u);
  ASSERT_EQ(numbers(2, Cause::receive), Numbers{12});
  EXPECT_EQ(entries(2, {Cause::receive})[0].port, Port{2});
  EXPECT_EQ(report.messages, 1u);
  EXPECT_EQ(metric(report, "link_changes"), 2);
}

TEST_F(SimulationTest, WhatIsInFlightDiesWhenTheSendersEndGoesDown) {
  scenario.channel.mean = 10ms;
  script(5ms, ChangeKind::link_down, 1, 2);
  script(6ms, ChangeKind::link_up, 1, 2);
  on(Cause::start,
     [](Probe& me, Step& step, const Entry&) { step.broadcast(Ping{core::raw(me.id)}); });
  on(Cause::link_up,
     [](Probe& me, Step& step, const Entry& e) { step.send(e.port, Ping{10 + core::raw(me.id)}); });
  Keeper seen;
  const auto report = run(&seen);
  EXPECT_EQ(numbers(1, Cause::receive), Numbers{12});
  EXPECT_EQ(numbers(2, Cause::receive), Numbers{11});
  EXPECT_EQ(metric(report, "messages_cut_off"), 2);
  EXPECT_EQ(seen.drops, (std::vector<std::string>{"1>2 ping(number=1): the link went down",
                                                  "2>1 ping(number=2): the link went down"}));
}

TEST_F(SimulationTest, EachEndIsToldOnItsOwnInOrderAndInTime) {
  scenario.notify = {1ms, 6ms};
  for (int i = 1; i <= 200; ++i)
    script(i * 2ms, i % 2 == 1 ? ChangeKind::link_down : ChangeKind::link_up, 1, 2);
  run();
  std::size_t apart = 0;
  const auto ones = entries(1, {Cause::link_up, Cause::link_down});
  const auto twos = entries(2, {Cause::link_up, Cause::link_down});
  ASSERT_EQ(ones.size(), 200u);
  ASSERT_EQ(twos.size(), 200u);
  for (std::size_t i = 0; i < 200; ++i) {
    const Time changed = (static_cast<int>(i) + 1) * 2ms;
    for (const Entry& e : {ones[i], twos[i]}) {
      EXPECT_EQ(e.cause, i % 2 == 0 ? Cause::link_down : Cause::link_up);
      EXPECT_GE(e.at, changed + 1ms);
      EXPECT_LE(e.at, changed + 6ms);
      EXPECT_EQ(core::raw(e.port), (i + 1) / 2);
    }
    apart += ones[i].at != twos[i].at ? 1 : 0;
  }
  EXPECT_GT(apart, 150u);
}

TEST_F(SimulationTest, WhoIsDownTakesNoStepsAndItsNeighboursAreTold) {
  network("line", 3);
  script(10'500us, ChangeKind::crash, 2);
  chatter(20, 1ms);
  Keeper seen;
  const auto report = run(&seen);
  EXPECT_EQ(numbers(2, Cause::receive).size(), 9u) << "those that left up to 9 ms";
  for (const std::uint64_t neighbour : {1u, 3u}) {
    const auto told = entries(neighbour, {Cause::link_down});
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].at, 10'500us);
    EXPECT_TRUE(told[0].ports.empty());
  }
  EXPECT_EQ(seen.drops.size(), 1u) << "the one in flight";
  EXPECT_EQ(metric(report, "crashes"), 1);
  EXPECT_EQ(report.leaders.size(), 2u) << "the ends of the line";
  for (const auto& step : seen.steps) {
    if (step.node == NodeId{2}) {
      EXPECT_LE(step.at, 10'500us);
    }
  }
}

TEST_F(SimulationTest, ARestartWithoutMemoryIsABirth) {
  network("line", 3);
  script(10ms, ChangeKind::crash, 2);
  script(20ms, ChangeKind::restart, 2);
  on(Cause::start, [](Probe& me, Step& step, const Entry&) {
    if (me.id == NodeId{2} && step.now() == 0ms) step.arm(Bell{7}, 15ms, 50ms);
  });
  run();
  const auto own = entries(2, {Cause::start, Cause::link_up, Cause::link_down, Cause::timeout});
  ASSERT_EQ(own.size(), 4u);
  EXPECT_EQ(own[1].cause, Cause::start);
  EXPECT_EQ(own[1].at, 20ms);
  EXPECT_EQ(own[1].age, 0u) << "a fresh value";
  EXPECT_TRUE(own[1].ports.empty()) << "it is told of its links afterwards";
  EXPECT_EQ(own[2].port, Port{2});
  EXPECT_EQ(own[3].port, Port{3});
  EXPECT_EQ(entries(1, {Cause::link_up}).at(0).port, Port{1});
}

TEST_F(SimulationTest, ARestartWithMemoryIsAnAwakening) {
  network("line", 3);
  script(10ms, ChangeKind::crash, 2);
  script(20ms, ChangeKind::restart, 2, 0, true);
  on(Cause::start, [](Probe&, Step& step, const Entry&) {
    step.arm(Bell{5}, 5ms, 5ms);
    step.arm(Bell{15}, 15ms, 15ms);  // expires while node 2 is away
    step.arm(Bell{25}, 25ms, 25ms);
  });
  Numbers peers;
  on(Cause::link_down, [&](Probe& me, Step& step, const Entry& e) {
    if (me.id == NodeId{2}) peers.push_back(core::raw(step.peer(e.port)));
  });
  run();
  std::vector<std::tuple<Cause, Time, std::uint64_t>> got;
  for (const Entry& e : entries(2, {Cause::link_up, Cause::link_down, Cause::timeout}))
    got.emplace_back(e.cause, e.at,
                     e.cause == Cause::timeout ? e.number : std::uint64_t{core::raw(e.port)});
  EXPECT_EQ(entries(2, {Cause::start}).size(), 1u);
  EXPECT_EQ(entries(2, {Cause::timeout}).back().age, 7u) << "what it knew is kept";
  EXPECT_EQ(peers, (Numbers{1, 3})) << "in the order of the links";
  const decltype(got) expected{{Cause::timeout, 5ms, 5},    {Cause::link_down, 20ms, 1},
                               {Cause::link_down, 20ms, 0}, {Cause::timeout, 20ms, 15},
                               {Cause::link_up, 20ms, 2},   {Cause::link_up, 20ms, 3},
                               {Cause::timeout, 25ms, 25}};
  EXPECT_EQ(got, expected);
}

TEST_F(SimulationTest, TimersFireOnceWithinTheirRange) {
  network("ring", 200);
  on(Cause::start, [](Probe&, Step& step, const Entry&) {
    step.arm(Bell{1}, 2ms, 10ms);
    step.arm(Bell{2}, 3ms, 3ms);
    step.arm(Bell{3}, 0ms, 0ms);
  });
  run();
  std::set<Time> moments;
  for (std::uint64_t node = 1; node <= 200; ++node) {
    const auto rings = entries(node, {Cause::timeout});
    ASSERT_EQ(rings.size(), 3u);
    for (const Entry& e : rings) {
      EXPECT_GE(e.at, e.number == 1 ? 2ms : e.number == 2 ? 3ms : 0ms);
      EXPECT_LE(e.at, e.number == 1 ? 10ms : e.number == 2 ? 3ms : 0ms);
      if (e.number == 1) moments.insert(e.at);
    }
  }
  EXPECT_GT(moments.size(), 190u) << "each draws its own";
  EXPECT_LT(*moments.begin(), 2200us);
  EXPECT_GT(*moments.rbegin(), 9800us);
}

TEST_F(SimulationTest, ArmingAgainMovesATimerAndDisarmingStopsIt) {
  scenario.start.nodes = {NodeId{1}};
  on(Cause::start, [](Probe&, Step& step, const Entry&) {
    for (const std::uint64_t i : {1u, 2u, 3u, 4u}) step.arm(Bell{i}, 10ms, 10ms);
    step.arm(Bell{4}, 12ms, 12ms);  // in the same step, the last word counts
    step.disarm(Bell{9});           // never armed
    step.arm(Bell{5}, 5ms, 5ms);
  });
  on(Cause::timeout, [](Probe&, Step& step, const Entry& e) {
    if (e.number != 5) return;
    step.arm(Bell{1}, 20ms, 20ms);  // later
    step.arm(Bell{2}, 1ms, 1ms);    // earlier
    step.disarm(Bell{3});
  });
  const auto report = run();
  std::vector<std::pair<Time, std::uint64_t>> got;
  for (const Entry& e : entries(1, {Cause::timeout})) got.push_back({e.at, e.number});
  EXPECT_EQ(got, (decltype(got){{5ms, 5}, {6ms, 2}, {12ms, 4}, {25ms, 1}}));
  EXPECT_EQ(report.events, 5u);
}

TEST_F(SimulationTest, ChoicesAreInRangeAndEachNodeHasItsOwn) {
  network("ring", 3);
  Numbers quiet, loud;
  const auto collect = [&](Numbers& into, int extra) {
    play.act = nullptr;
    on(Cause::start, [&into, extra](Probe& me, Step& step, const Entry&) {
      for (int i = 0; me.id == NodeId{1} && i < extra; ++i) step.choose(1000);
      for (std::uint64_t n = 1; me.id != NodeId{1} && n < 200; ++n) {
        into.push_back(step.choose(n));
        EXPECT_LT(into.back(), n);
      }
    });
    run();
  };
  collect(quiet, 0);
  collect(loud, 99);
  EXPECT_EQ(quiet, loud) << "more draws at one node do not change another's";
  ASSERT_EQ(quiet.size(), 2u * 199);
  EXPECT_NE(Numbers(quiet.begin(), quiet.begin() + 199), Numbers(quiet.begin() + 199, quiet.end()));
  scenario.seed = 2;
  loud.clear();
  collect(loud, 0);
  EXPECT_NE(quiet, loud);
}

/// When the configuration was quiescent, and whether it was.
class Rests final : public core::Monitor<Probe> {
 public:
  explicit Rests(std::vector<Time>& times) : times_(times) {}
  std::string_view name() const override { return "rests"; }
  std::string_view says() const override { return "at rest, nothing is in transit"; }
  void at_rest(const core::Snapshot<Probe>& all) override {
    times_.push_back(all.clock(0));
    for (NodeIndex u = 0; u < all.size(); ++u)
      for (const auto& channel : all.channels(u))
        core::invariant(channel.transit.empty(), "a message is in transit");
  }

 private:
  std::vector<Time>& times_;
};

TEST_F(SimulationTest, IsAtRestWhenNothingIsToComeButChanges) {
  script(10ms, ChangeKind::crash, 2);
  script(20ms, ChangeKind::restart, 2, 0, true);
  on(Cause::start, [](Probe& me, Step& step, const Entry&) {
    if (me.id == NodeId{2}) step.arm(Bell{1}, 15ms, 15ms);  // expires while node 2 is away
  });
  on(Cause::link_up, [](Probe&, Step& step, const Entry& e) { step.send(e.port, Ping{1}); });
  for (const bool disarm : {false, true}) {
    if (disarm)
      on(Cause::link_down, [](Probe&, Step& step, const Entry&) { step.disarm(Bell{1}); });
    std::vector<Time> times;
    core::Monitors<Probe> monitors;
    monitors.push_back(std::make_unique<Rests>(times));
    const auto report = run(nullptr, std::move(monitors));
    EXPECT_EQ(report.violation, "");
    EXPECT_EQ(numbers(2, Cause::timeout), disarm ? Numbers{} : Numbers{1});
    // At 15 ms the timer of node 2 runs out, but node 2 is down: only its restart is to come.
    EXPECT_EQ(times, (std::vector<Time>{15ms, 21ms})) << "disarm " << disarm;
  }
}

}  // namespace
}  // namespace bellwether::sim
