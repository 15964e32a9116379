// SPDX-License-Identifier: MIT
// The clocks of nodes, and when nodes start that crash before.
#include "bellwether/sim/probe_test.hpp"

namespace bellwether::sim {
namespace {

TEST_F(SimulationTest, AClockThatJumpsHasAnotherErrorAfterEachRestart) {
  network("ring", 3);
  scenario.clock_skew = 100ms;
  script(2s, ChangeKind::crash, 2);
  script(3s, ChangeKind::restart, 2);
  script(5s, ChangeKind::crash, 2);
  script(6s, ChangeKind::restart, 2);
  const auto errors = [&] {
    std::vector<Duration> out;
    for (const Entry& each : entries(2, {Cause::start})) out.push_back(each.at);
    return out;
  };
  run();
  const auto constant = errors();
  ASSERT_EQ(constant.size(), 3u);
  EXPECT_EQ(constant[2] - constant[1], 3s);
  play.diary.clear();
  scenario.clock_jumps = true;
  run();
  const auto jumping = errors();
  ASSERT_EQ(jumping.size(), 3u);
  EXPECT_NE(jumping[1], constant[1]);
  EXPECT_NE(jumping[2] - jumping[1], 3s);
  EXPECT_LE(std::chrono::abs(jumping[1] - 3s), 100ms);
  EXPECT_LE(std::chrono::abs(jumping[2] - 6s), 100ms);
}

TEST_F(SimulationTest, ClocksAreOffByAConstantWithinTheSkew) {
  network("ring", 60);
  scenario.clock_skew = 100ms;
  on(Cause::start, [](Probe&, Step& step, const Entry&) {
    step.arm(Bell{1}, 1s, 1s);
    step.arm(Bell{3}, 3s, 3s);
  });
  run();
  std::set<Time> offsets;
  for (std::uint64_t node = 1; node <= 60; ++node) {
    EXPECT_GE(entries(node, {Cause::start}).at(0).at, 0ms) << "time begins at 0 everywhere";
    const auto rings = entries(node, {Cause::timeout});
    ASSERT_EQ(rings.size(), 2u);
    EXPECT_EQ(rings[1].at - rings[0].at, 2s);
    offsets.insert(rings[0].at - 1s);
    EXPECT_EQ(simulation->clock(static_cast<NodeIndex>(node - 1)), rings[1].at);
  }
  EXPECT_GE(*offsets.begin(), -100ms);
  EXPECT_LE(*offsets.rbegin(), 100ms);
  EXPECT_LT(*offsets.begin(), -70ms);
  EXPECT_GT(*offsets.rbegin(), 70ms);
}

TEST_F(SimulationTest, ABirthBeforeTheStartIsTheStart) {
  scenario.start = {0, {NodeId{2}}, 1s};
  run();
  const Time due = entries(2, {Cause::start}).at(0).at;
  script(due - 2ms, ChangeKind::crash, 2);
  script(due - 1ms, ChangeKind::restart, 2);
  run();
  EXPECT_EQ(entries(2, {Cause::start}).size(), 1u);
}

TEST_F(SimulationTest, WhoSleepsThroughItsStartStartsWhenItIsBack) {
  scenario.start = {0, {NodeId{2}}, 1s};
  run();
  const Time due = entries(2, {Cause::start}).at(0).at;
  script(due - 1ms, ChangeKind::crash, 2);
  script(due + 1ms, ChangeKind::restart, 2, 0, true);
  run();
  EXPECT_EQ(entries(2, {Cause::start}).size(), 1u);
}

}  // namespace
}  // namespace bellwether::sim
