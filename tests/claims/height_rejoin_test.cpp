// SPDX-License-Identifier: MIT
// What a node that was alone for a moment does when it comes back: it takes over, as published, or
// it yields.
#include <cmath>
#include <iostream>

#include "claims/height_churn.hpp"

namespace bellwether::claims {
namespace {

using Rejoin = Height::Rejoin;

std::vector<std::uint64_t> leaders(const std::vector<HeightTuple>& heights) {
  std::vector<std::uint64_t> out;
  for (const HeightTuple& h : heights) out.push_back(core::raw(h.lp.lid));
  return out;
}

Play line(NodeIndex n) {
  Play play;
  play.network.nodes = n;
  for (NodeIndex u = 0; u + 1 < n; ++u) play.network.links.push_back({u, u + 1});
  return play;
}

TEST(HeightRejoin, ANodeThatWasAloneTakesOverOrYields) {
  const std::vector<Flip> flips{{false, {3, 4}}, {true, {3, 4}}};
  const Told over = tell(line(5), {}, flips);
  EXPECT_EQ(leaders(over.chapters[1].before), (std::vector<std::uint64_t>{1, 1, 1, 1, 1}));
  EXPECT_EQ(leaders(over.chapters[2].before), (std::vector<std::uint64_t>{1, 1, 1, 1, 5}));
  EXPECT_EQ(leaders(over.end), (std::vector<std::uint64_t>{5, 5, 5, 5, 5}));
  EXPECT_EQ(over.report.violation, "");

  const Told yields = tell(line(5), {.rejoin = Rejoin::yield}, flips);
  EXPECT_EQ(leaders(yields.chapters[2].before), (std::vector<std::uint64_t>{1, 1, 1, 1, 5}));
  EXPECT_EQ(leaders(yields.end), (std::vector<std::uint64_t>{1, 1, 1, 1, 1}));
  EXPECT_EQ(yields.report.violation, "");
}

TEST(HeightRejoin, ALeaderThatWasAloneFollowsItsSuccessor) {
  const std::vector<Flip> flips{{false, {0, 1}}, {true, {0, 1}}};
  for (const Rejoin rejoin : {Rejoin::take_over, Rejoin::yield}) {
    const Told told = tell(line(4), {.rejoin = rejoin}, flips);
    const auto parted = leaders(told.chapters[2].before);
    EXPECT_EQ(parted[0], 1u);
    EXPECT_NE(parted[1], 1u);
    // Both were elected at the same loss; the others needed a search first and are more recent.
    EXPECT_EQ(leaders(told.end), std::vector<std::uint64_t>(4, parted[1]));
  }
}

TEST(HeightRejoin, YieldingKeepsTheTheorem) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Scenario s = restless(seed);
    sim::SimulationOf<Height> simulation(
        core::hosted<Height>(
            {.clock = seed % 2 == 0 ? Height::ClockKind::logical : Height::ClockKind::perfect,
             .rejoin = Rejoin::yield}),
        sim::make_setup(s), s);
    simulation.watch(watched());  // C, I and Theorem 1; the others retire
    const RunReport report = simulation.run();
    expect_theorem1(simulation, report);
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
}

struct Mean {
  double value = 0;
  double error = 0;  // standard error
};

Mean mean_of(const std::vector<double>& values) {
  double sum = 0, squares = 0;
  for (const double v : values) {
    sum += v;
    squares += v * v;
  }
  const auto n = static_cast<double>(values.size());
  const double mean = sum / n;
  return {mean, std::sqrt(std::max(0.0, squares / n - mean * mean) / (n - 1))};
}

/// What happens from a moment on, when the first election is over.
class Later final : public observe::Observer {
 public:
  explicit Later(Time from) : from_(from) {}
  void step(const observe::StepRecord& r) override {
    if (r.at < from_) return;
    leader_changes += r.leader_before != r.leader_after ? 1 : 0;
    messages += static_cast<double>(r.sends.size());
  }
  double leader_changes = 0;
  double messages = 0;

 private:
  Time from_;
};

// The figures in docs/algorithms/height.md are these.
TEST(HeightRejoin, HowManyLeaderChangesYieldingSaves) {
  std::vector<double> changes[2], messages[2], saved;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (const int yields : {0, 1}) {
      Scenario s = on("geometric", 60, seed);
      s.network.degree = 6;
      random_delays(s);
      s.notify = {Duration{0}, milliseconds(20)};
      s.changes.links = {5, seconds(1), seconds(1), seconds(61)};
      s.stop.time = seconds(120);
      set_option(s, "rejoin", yields != 0 ? "yield" : "take-over");
      Later later(seconds(1));
      const RunReport r = simulate<Height>(s, {{&later}, {}});
      EXPECT_EQ(r.ended, observe::Ended::quiescent);
      EXPECT_TRUE(r.agreed);
      changes[yields].push_back(later.leader_changes / 60);
      messages[yields].push_back(later.messages / 60);
    }
    saved.push_back(changes[0].back() - changes[1].back());
  }
  for (const int yields : {0, 1}) {
    const Mean c = mean_of(changes[yields]), m = mean_of(messages[yields]);
    std::cout << "rejoin = " << (yields != 0 ? "yield" : "take-over") << ": " << rounded(c.value, 2)
              << " +- " << rounded(c.error, 2) << " leader changes a node, " << rounded(m.value, 1)
              << " +- " << rounded(m.error, 1) << " messages a node\n";
  }
  const Mean difference = mean_of(saved);
  EXPECT_GT(difference.value, 4 * difference.error);
  EXPECT_GT(mean_of(changes[0]).value, 1.5 * mean_of(changes[1]).value);
  EXPECT_LT(mean_of(messages[1]).value, mean_of(messages[0]).value);
}

}  // namespace
}  // namespace bellwether::claims
