// SPDX-License-Identifier: MIT
// Theorem 1: once changes cease, every component is leader-oriented. Tried on every labelled graph
// of up to four nodes and every change of one link, from rest and in the middle of the first
// election; then on pairs of changes that interfere.
#include <set>

#include "claims/height_churn.hpp"

namespace bellwether::claims {
namespace {

using Clock = Height::ClockKind;

std::vector<graph::Edge> pairs(NodeIndex n) {
  std::vector<graph::Edge> out;
  for (NodeIndex a = 0; a < n; ++a)
    for (NodeIndex b = a + 1; b < n; ++b) out.push_back({a, b});
  return out;
}

/// Which end of the changed link was notified first.
class FirstTold final : public core::Monitor<Height> {
 public:
  explicit FirstTold(std::set<NodeIndex>& first) : first_(first) {}
  std::string_view name() const override { return "first-told"; }
  std::string_view says() const override { return "writes down who was told first"; }
  void after(const core::Snapshot<Height>&, const core::Happening& event) override {
    const bool flip = event.cause == core::Cause::link_up || event.cause == core::Cause::link_down;
    if (flip && !std::exchange(seen_, true)) first_.insert(event.node);
  }

 private:
  std::set<NodeIndex>& first_;
  bool seen_ = false;
};

/// The graph whose links are the bits of `mask`, with delays and notices from the seed.
Play graph_play(NodeIndex n, unsigned mask, std::uint64_t seed) {
  Play play;
  play.scenario.seed = seed;
  random_delays(play.scenario);
  play.scenario.notify = {Duration{0}, milliseconds(20)};
  play.network.nodes = n;
  const auto all = pairs(n);
  for (std::size_t i = 0; i < all.size(); ++i)
    if ((mask >> i & 1) != 0) play.network.links.push_back(all[i]);
  return play;
}

void flip(Play& play, Time at, graph::Edge link, bool up) {
  if (up)
    play.join(at, link.a, link.b);
  else
    play.cut(at, link.a, link.b);
}

struct Case {
  Time at;  // of the change
  Clock clock;
  bool hello;
  std::uint64_t seeds;
};

/// Every graph of n nodes, every change of one link, both orders in which its ends are notified.
std::size_t every_change(NodeIndex n, const Case& c) {
  const auto all = pairs(n);
  std::size_t runs = 0;
  for (unsigned mask = 0; mask < 1u << all.size(); ++mask)
    for (std::size_t i = 0; i < all.size(); ++i) {
      std::set<NodeIndex> first;
      for (std::uint64_t seed = 0; seed < c.seeds || (first.size() < 2 && seed < 64); ++seed) {
        Play play = graph_play(n, mask, seed * 1000 + mask);
        flip(play, c.at, all[i], (mask >> i & 1) == 0);
        const auto simulation = staged<Height>(play, {.clock = c.clock, .hello = c.hello});
        simulation->watch(watched(c.hello && c.at > seconds(1)));
        simulation->watch(std::make_unique<FirstTold>(first));
        const RunReport report = simulation->run();
        ++runs;
        expect_theorem1(*simulation, report);
        if (testing::Test::HasFailure()) {
          ADD_FAILURE() << n << " nodes, links " << mask << ", change " << i << ", seed " << seed;
          return runs;
        }
      }
      EXPECT_EQ(first, (std::set{all[i].a, all[i].b})) << "both orders were to be seen";
    }
  return runs;
}

TEST(HeightTheorem1, EveryChangeOfEveryGraphUpToFourNodes) {
  for (const Clock clock : {Clock::logical, Clock::perfect, Clock::hybrid})
    for (const bool hello : {true, false})
      for (NodeIndex n = 2; n <= 4; ++n)
        EXPECT_GE(every_change(n, {seconds(100), clock, hello, 4}), 4 * n * (n - 1) / 2);
}

TEST(HeightTheorem1, SoInTheMiddleOfTheFirstElection) {
  for (const Clock clock : {Clock::logical, Clock::perfect, Clock::hybrid})
    for (const bool hello : {true, false})
      for (NodeIndex n = 2; n <= 4; ++n)
        for (const Time at : {Time{milliseconds(0)}, Time{milliseconds(6)}})
          EXPECT_GE(every_change(n, {at, clock, hello, 4}), 4 * n * (n - 1) / 2);
}

TEST(HeightTheorem1, ThreeChangesThatInterfere) {
  const auto all = pairs(4);
  core::Prng prng(4);
  for (int run = 0; run < 6000; ++run) {
    const auto mask = static_cast<unsigned>(1 + prng.below(63));
    Play play = graph_play(4, mask, static_cast<std::uint64_t>(run));
    unsigned now = mask;
    Time at = seconds(100);
    for (int k = 0; k < 3; ++k) {  // within the time that notices and messages take
      const std::size_t i = prng.below(all.size());
      now ^= 1u << i;
      flip(play, at, all[i], (now >> i & 1) != 0);
      at += prng.between(Duration{0}, milliseconds(15));
    }
    const auto simulation = staged<Height>(
        play, {.clock = run % 2 == 0 ? Clock::logical : Clock::perfect, .hello = run % 3 != 0});
    simulation->watch(watched(false));
    const RunReport report = simulation->run();
    expect_theorem1(*simulation, report);
    ASSERT_FALSE(HasFailure()) << "run " << run;
  }
}

// The sources do not claim this: their nodes never fail.
TEST(HeightTheorem1, CrashesAreBorneWithMemoryAndWithout) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Scenario s = restless(seed);
    s.changes.crashes = {5, milliseconds(100), seed % 2 == 0, Time{0}, seconds(2)};
    sim::SimulationOf<Height> simulation(
        core::hosted<Height>(
            {.clock = seed % 3 == 0 ? Clock::logical : Clock::perfect,
             .rejoin = seed % 5 == 0 ? Height::Rejoin::yield : Height::Rejoin::take_over}),
        sim::make_setup(s), s);
    simulation.watch(watched(false));
    const RunReport report = simulation.run();
    EXPECT_GT(metric(report, "crashes"), 0);
    expect_theorem1(simulation, report);
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace bellwether::claims
