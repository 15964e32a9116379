// SPDX-License-Identifier: MIT
// The three clocks of the height algorithm under churn. Any clock that preserves causality will do;
// clocks that are nearly right and do not preserve it will not.
#include <algorithm>

#include "claims/height_churn.hpp"

namespace bellwether::claims {
namespace {

using Clock = Height::ClockKind;

void expect_all_holds(const Scenario& s, Height::Options options) {
  sim::SimulationOf<Height> simulation(core::hosted<Height>(options), sim::make_setup(s), s);
  simulation.watch(watched(false));
  const RunReport report = simulation.run();
  SCOPED_TRACE("seed " + std::to_string(s.seed) + ", skew " + core::to_text(s.clock_skew));
  expect_theorem1(simulation, report);
}

TEST(HeightClocks, CausalClocksKeepEveryProperty) {
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    for (const Clock clock : {Clock::logical, Clock::perfect, Clock::hybrid})
      for (const bool hello : {true, false})
        expect_all_holds(restless(seed), {.clock = clock, .hello = hello});
}

TEST(HeightClocks, HybridClocksBearAnyError) {
  for (const Duration skew : {Duration{1}, Duration{milliseconds(5)}, Duration{milliseconds(500)},
                              Duration{seconds(1000)}})
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
      Scenario s = restless(seed);
      s.clock_skew = skew;
      expect_all_holds(s, {.clock = Clock::hybrid});
    }
}

/// A hybrid clock is never behind its own clock, and ahead of all clocks by less than one tick an
/// event.
class NearTheTime final : public core::Monitor<Height> {
 public:
  std::string_view name() const override { return "near-the-time"; }
  std::string_view says() const override { return "a hybrid clock stays near the local clocks"; }
  void after(const core::Snapshot<Height>& all, const core::Happening& event) override {
    // A start greets over every link, and each greeting is an event.
    ticks_ += event.cause == core::Cause::start ? std::ssize(all.channels(event.node)) : 1;
    const auto clock = static_cast<std::int64_t>(all.node(event.node).time_at({}));
    Time latest{};
    for (NodeIndex u = 0; u < all.size(); ++u) latest = std::max(latest, all.clock(u));
    core::invariant(clock <= latest.count() + ticks_, "it has run ahead");
    if (event.cause != core::Cause::start)
      core::invariant(clock >= all.clock(event.node).count(), "it has fallen behind");
  }

 private:
  std::int64_t ticks_ = 0;
};

TEST(HeightClocks, HybridClocksStayNearTheTime) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Scenario s = restless(seed);
    s.clock_skew = milliseconds(seed);
    sim::SimulationOf<Height> simulation(core::hosted<Height>({.clock = Clock::hybrid}),
                                         sim::make_setup(s), s);
    simulation.watch(std::make_unique<NearTheTime>());
    EXPECT_EQ(simulation.run().violation, "") << "seed " << seed;
  }
}

/// How many of 50 restless networks break a property when global clocks are off by up to `skew`.
int broken(const std::string& property, Duration skew) {
  int count = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Scenario s = restless(seed);
    s.properties = {property};
    s.clock_skew = skew;
    set_option(s, "clock", "perfect");
    const RunReport r = simulate<Height>(s);
    if (r.ended != observe::Ended::violation) continue;
    EXPECT_TRUE(r.violation.starts_with(property + ": ")) << r.violation;
    EXPECT_FALSE(r.last_steps.empty());
    ++count;
  }
  return count;
}

TEST(HeightClocks, GlobalClocksThatAreOffBreakTheAlgorithmItself) {
  // Causality is lost (A); so leader pairs and levels come out of order (B), deltas contradict each
  // other (E), nodes stay sinks (I), and in the end components do not even agree.
  for (const char* property : {"A", "B", "E", "I", "theorem-1", "agreement"}) {
    EXPECT_GT(broken(property, milliseconds(500)), 0) << property;
    EXPECT_EQ(broken(property, Duration{0}), 0) << property;
  }
  EXPECT_GT(broken("A", milliseconds(50)), 0);
}

}  // namespace
}  // namespace bellwether::claims
