// SPDX-License-Identifier: MIT
#include "bellwether/experiment/tune.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "bellwether/core/problem.hpp"
#include "bellwether/experiment/tune_runs.hpp"

namespace bellwether::experiment {
namespace {

using namespace std::chrono_literals;

const BeatOptions start{50ms, 4, 20ms, 4ms};

/// A network in which failover grows with period and slack, traffic falls with the period, and less
/// than 20 ms of slack makes false elections.
BeatSample simple_network(const BeatOptions& options) {
  const double period = core::seconds(options.period);
  const double slack = core::seconds(options.slack);
  BeatSample out;
  out.failover_median_s = period + slack;
  out.failover_p95_s = 2 * period + slack;
  out.false_elections_per_h = options.slack < 20ms ? 100 : 0;
  out.calm_h = 1;
  out.bytes_per_s = 10 / period;
  out.wrong_share = 0.001;
  return out;
}

/// Counts what it was asked for.
struct FakeMeasurer {
  std::set<std::pair<BeatOptions, std::uint64_t>> made;
  std::function<BeatSample(const BeatOptions&)> network = simple_network;
  std::size_t left = 1000;  // batches until it is interrupted

  std::optional<std::vector<std::vector<BeatSample>>> operator()(
      std::span<const BeatOptions> options, std::uint64_t first, std::uint64_t count) {
    if (left-- == 0) return std::nullopt;
    std::vector<std::vector<BeatSample>> out;
    for (const BeatOptions& each : options) {
      out.emplace_back(count, network(each));
      for (std::uint64_t run = first; run < first + count; ++run)
        EXPECT_TRUE(made.insert({each, run}).second) << "measured twice";
    }
    return out;
  }
};

TuneRequest request(Wish wish, std::optional<double> bound = std::nullopt) {
  TuneRequest out;
  out.grid = grid_around(start, false);
  out.wish = wish;
  out.most_bytes_per_s = bound;
  return out;
}

TuneRanking tuned(const TuneRequest& request, FakeMeasurer measurer = {}) {
  return tune(request, std::ref(measurer)).value();
}

Expectation measured(const BeatOptions& options) {
  const std::vector<BeatSample> samples(8, simple_network(options));
  return expectation(options, samples);
}

TEST(Tune, RespectsTheBound) {
  for (const Wish wish : {Wish::fast, Wish::frugal, Wish::steady}) {
    const TuneRanking all = tuned(request(wish, 110));
    EXPECT_LE(all.front().bytes_per_s.mean, 110) << core::name_of(wish);
    EXPECT_TRUE(meets(request(wish, 110), all.front()));
    // What is beyond the bound was measured, too, and stands behind all that is within.
    EXPECT_FALSE(meets(request(wish, 110), all.back()));
  }
}

TEST(Tune, FastIsTheFastestFailover) {
  FakeMeasurer measurer;
  measurer.network = [](const BeatOptions& options) {
    BeatSample out = simple_network(options);
    out.failover_p95_s += 4 * core::seconds(options.slack);
    return out;
  };
  const BeatOptions best = tuned(request(Wish::fast, 110), measurer).front().options;
  EXPECT_EQ(best.period, 100ms);
  EXPECT_EQ(best.slack, 5ms);
}

TEST(Tune, SteadyHasNoFalseElectionsAndIsThenTheFastest) {
  const BeatOptions best = tuned(request(Wish::steady)).front().options;
  EXPECT_EQ(best.period, 20ms);
  EXPECT_EQ(best.slack, 20ms);
}

TEST(Tune, FrugalIsTheLeastTrafficWithFailoverBelowASecond) {
  const TuneRanking all = tuned(request(Wish::frugal));
  EXPECT_LT(all.front().failover_p95_s.mean, quick_failover_s);
  EXPECT_EQ(all.front().options.period, 300ms);  // 500 ms would take 1.02 s
}

TEST(Tune, BeginsWithTheDefaultsWhereAnOptionMakesNoDifference) {
  // Patience changes nothing in this network.
  EXPECT_EQ(tuned(request(Wish::fast)).front().options.patience, start.patience);
  EXPECT_EQ(tuned(request(Wish::steady)).front().options.patience, start.patience);
}

TEST(Tune, WhereNothingFitsTheNearestIsFirst) {
  const TuneRanking all = tuned(request(Wish::fast, 5));
  EXPECT_FALSE(meets(request(Wish::fast, 5), all.front()));
  EXPECT_EQ(all.front().options.period, 1s);  // the least traffic that there is
}

TEST(Tune, OnlyTheBestGetAllRuns) {
  TuneRequest asked = request(Wish::steady);
  FakeMeasurer measurer;
  const TuneRanking all = tune(asked, std::ref(measurer)).value();
  EXPECT_LE(measurer.made.size(), planned_measurements(asked));
  EXPECT_EQ(all.front().runs, asked.runs);
  EXPECT_EQ(all.back().runs, asked.first_runs);
  for (const Expectation& each : best_of(all)) EXPECT_EQ(each.runs, asked.runs);
  EXPECT_LE(all.size(), asked.most_candidates);
}

TEST(Tune, MeasuresWhatIsOneStepFromTheProposal) {
  TuneRequest asked = request(Wish::fast);
  asked.grid.slacks = {20ms};
  const TuneRanking all = tuned(asked);
  for (const BeatOptions& each : neighbours_of(all.front().options, asked.grid))
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const Expectation& other) {
      return other.options == each && other.runs == asked.runs;
    })) << core::to_text(each.period);
}

TEST(Tune, AStepThatIsBetterWithAllRunsIsTaken) {
  TuneRequest asked = request(Wish::fast);
  asked.most_candidates = asked.grid.periods.size();  // no room to climb
  const BeatOptions best = tuned(asked).front().options;
  EXPECT_EQ(best.period, 20ms);
  EXPECT_EQ(best.slack, 5ms);  // two steps from the start
}

TEST(Tune, OneRunIsEnough) {
  TuneRequest asked = request(Wish::fast);
  asked.runs = 1;
  EXPECT_EQ(tuned(asked).front().runs, 1u);
}

TEST(Tune, EndsWhenInterrupted) {
  for (const std::size_t batches : {0u, 1u, 2u}) {
    FakeMeasurer measurer;
    measurer.left = batches;
    EXPECT_FALSE(tune(request(Wish::fast), std::ref(measurer)));
  }
}

TEST(Tune, ANetworkWithoutFailoversIsRankedAllTheSame) {
  FakeMeasurer measurer;
  measurer.network = [](const BeatOptions& options) {
    BeatSample out = simple_network(options);
    out.failover_median_s = out.failover_p95_s = std::nan("");
    return out;
  };
  const TuneRanking all = tuned(request(Wish::frugal), measurer);
  EXPECT_FALSE(meets(request(Wish::frugal), all.front()));
  EXPECT_EQ(all.front().failover_p95_s.runs, 0u);
}

TEST(TuneRanking, AmongFailoversThatAreNearlyAsFastTheSteadiestIsTheBest) {
  Expectation hasty = measured({50ms, 4, 10ms, 4ms}), calm = measured({50ms, 4, 20ms, 4ms});
  hasty.failover_p95_s.mean = 0.120;
  calm.failover_p95_s.mean = 0.131;
  TuneRanking both{hasty, calm};
  rank(both, request(Wish::fast));
  EXPECT_EQ(both.front().options, calm.options);
  both[0].failover_p95_s.mean = 0.140;
  rank(both, request(Wish::fast));
  EXPECT_EQ(both.front().options, hasty.options);
}

TEST(TuneRanking, TiesInTrafficAreBrokenByFailover) {
  Expectation slow = measured({200ms, 4, 40ms, 4ms}), quick = measured({200ms, 4, 20ms, 4ms});
  slow.bytes_per_s.mean = 50.1;
  quick.bytes_per_s.mean = 50.3;
  TuneRanking both{slow, quick};
  rank(both, request(Wish::frugal));
  EXPECT_EQ(both.front().options, quick.options);
  both[0].bytes_per_s.mean = 51.2;
  rank(both, request(Wish::frugal));
  EXPECT_EQ(both.front().options, slow.options);
}

TEST(TuneRanking, RatesThatAreNearlyAsLowAsTheLowestAreEqual) {
  Expectation slow = measured({100ms, 4, 20ms, 4ms}), fast = measured({50ms, 4, 20ms, 4ms});
  slow.calm_h = fast.calm_h = 1;
  slow.false_elections_per_h.mean = 100;
  fast.false_elections_per_h.mean = 140;
  TuneRanking both{slow, fast};
  rank(both, request(Wish::steady));
  EXPECT_EQ(both.front().options, fast.options);
  both[0].false_elections_per_h.mean = 160;
  rank(both, request(Wish::steady));
  EXPECT_EQ(both.front().options, slow.options);
}

TEST(TuneRanking, ARateThatCanHardlyBeSeenIsAsGoodAsNone) {
  Expectation none = measured({100ms, 4, 20ms, 4ms}), rare = measured({50ms, 4, 20ms, 4ms});
  rare.false_elections_per_h.mean = 0.1;  // one in 8 h could be chance
  TuneRanking both{none, rare};
  rank(both, request(Wish::steady));
  EXPECT_EQ(both.front().options, rare.options);
  both[0].false_elections_per_h.mean = 1;
  rank(both, request(Wish::steady));
  EXPECT_EQ(both.front().options, none.options);
}

TEST(TuneRanking, ARateWithinTheIntervalOfTheLowestIsAsLow) {
  Expectation slow = measured({100ms, 4, 20ms, 4ms}), fast = measured({50ms, 4, 20ms, 4ms});
  slow.false_elections_per_h = {8, 9, 0, 28, 20};
  fast.false_elections_per_h = {8, 26, 10, 42, 20};
  TuneRanking both{slow, fast};
  rank(both, request(Wish::steady));
  EXPECT_EQ(both.front().options, fast.options);
  both[1].false_elections_per_h.high = 20;
  rank(both, request(Wish::steady));
  EXPECT_EQ(both.front().options, slow.options);
}

TEST(TuneRanking, SteadyPrefersAFailoverBelowASecondWhereThereIsOne) {
  Expectation slow = measured({700ms, 4, 20ms, 4ms}), quick = measured({50ms, 4, 10ms, 4ms});
  TuneRanking both{slow, quick};
  rank(both, request(Wish::steady));
  EXPECT_EQ(both.front().options, quick.options) << "although it has false elections";
  EXPECT_TRUE(meets(request(Wish::steady), both.back()));
  EXPECT_FALSE(meets(request(Wish::frugal), both.back()));
}

TEST(TuneRanking, OptionsThatMakeNoDifferenceAreListedOnce) {
  const TuneRanking all{measured({50ms, 4, 20ms, 4ms}), measured({50ms, 6, 20ms, 4ms}),
                        measured({70ms, 4, 20ms, 4ms})};
  const TuneRanking best = best_of(all);
  ASSERT_EQ(best.size(), 2u);
  EXPECT_EQ(best[0].options, all[0].options);
  EXPECT_EQ(best[1].options, all[2].options);
}

TEST(Expectation, NoEventIsNoProofThatThereAreNone) {
  const Expectation e = measured(start);
  EXPECT_EQ(e.false_elections_per_h.mean, 0);
  EXPECT_DOUBLE_EQ(e.false_elections_per_h.high, 3.0 / 8);  // eight runs of an hour
}

TEST(BeatGrid, StepsAreOneAtATime) {
  const BeatGrid grid = grid_around(start, true);
  const auto steps = neighbours_of(start, grid);
  EXPECT_EQ(steps.size(), 8u);
  EXPECT_EQ(neighbours_of(start, grid_around(start, false)).size(), 6u);
  // A jitter of more than half of the period is not tried.
  for (const BeatOptions& each : neighbours_of({20ms, 4, 20ms, 8ms}, grid))
    EXPECT_LE(each.jitter, 10ms);
  // Options that a scenario has are on the grid, whatever they are.
  EXPECT_EQ(neighbours_of({55ms, 5, 33ms, 4ms}, grid_around({55ms, 5, 33ms, 4ms}, false)).size(),
            6u);
}

/// Options that drumbeat refuses are not tried.
TEST(BeatGrid, NoStepContradictsItself) {
  BeatGrid grid = grid_around(start, true);
  EXPECT_TRUE(is_sound({20ms, 4, 20ms, 5ms}, grid));
  EXPECT_FALSE(is_sound({100ms, 4, 5ms, 8ms}, grid)) << "slack below jitter";
  grid.taps = 4;
  EXPECT_TRUE(is_sound({20ms, 4, 20ms, 4ms}, grid));
  EXPECT_FALSE(is_sound({20ms, 4, 20ms, 5ms}, grid)) << "taps every 4 ms";
}

TEST(BeatGrid, SlackIsAtLeastTheLatenessOfAMachine) {
  const BeatGrid grid = grid_around(start, false, 34ms);
  EXPECT_EQ(grid.slacks.front(), 40ms);
  EXPECT_EQ(grid.start.slack, 40ms);
  EXPECT_EQ(grid_around(start, false, 10s).slacks, std::vector<core::Duration>{160ms});
}

TEST(Quantile, LiesBetweenTwoValuesInProportion) {
  EXPECT_DOUBLE_EQ(quantile({3, 1, 2}, 0.5), 2);
  EXPECT_DOUBLE_EQ(quantile({1, 2}, 0.5), 1.5);
  EXPECT_DOUBLE_EQ(quantile({1, 2, 3, 4, 5}, 0.95), 4.8);
  EXPECT_TRUE(std::isnan(quantile({}, 0.5)));
}

scenario::Scenario parsed(const std::string& more) {
  return scenario::parse_scenario(
      "algorithm = \"cel-2\"\n[network]\ntopology = \"radio\"\nnodes = "
      "8\n[radio]\nmodel = \"ideal\"\nrange = 100\n" +
          more,
      "my.toml");
}
const std::string moving =
    "[mobility]\nmodel = \"random-walk\"\nwidth = 200\nheight = 150\n[neighbours]\ndetect = "
    "\"probes\"\n";
const std::string minutes = "[stop]\ntime = \"300 s\"\n";

TEST(TuneScenarios, KeepTheNetworkAndHoldItStillWhereItIsCalm) {
  const TuneScenarios all = tune_scenarios(
      parsed(moving + "[crashes]\nrate = 0.1\n[options]\ndigest = \"1 s\"\n" + minutes));
  EXPECT_EQ(all.runs().size(), 3u);
  for (const TuneRun run : all.runs()) {
    EXPECT_EQ(all.of(run).algorithm, "drumbeat");
    EXPECT_TRUE(all.of(run).options.empty());  // those of cel-2
    EXPECT_EQ(all.of(run).radio.range, 100);
  }
  EXPECT_LT(all.as_is.stop.time, 300s);
  EXPECT_LT(all.crashes.stop.time, 300s);
  EXPECT_EQ(all.as_is.changes.crashes.rate, 0.1);
  EXPECT_EQ(all.as_is.changes.crashes.leader_every, 0s);
  EXPECT_GT(all.crashes.changes.crashes.leader_every, 0s);
  EXPECT_EQ(all.crashes.mobility.model, world::MobilityModel::random_walk);
  EXPECT_FALSE(all.calm.changes.any());
  EXPECT_EQ(all.calm.mobility.model, world::MobilityModel::still);
  EXPECT_EQ(all.calm.mobility.height, 150);
}

TEST(TuneScenarios, OneRunServesAsBothWhereNothingChanges) {
  const std::string still = "[mobility]\nmodel = \"still\"\nwidth = 200\nheight = 150\n";
  EXPECT_EQ(tune_scenarios(parsed(still + minutes)).runs().size(), 2u);
  EXPECT_EQ(tune_scenarios(parsed(still + minutes + "[crashes]\nrate = 0.1\n")).runs().size(), 3u);
}

TEST(TuneScenarios, RefuseWhatHasNoRoomForCrashes) {
  const auto complaint = [](const scenario::Scenario& scenario) -> std::string {
    try {
      tune_scenarios(scenario);
    } catch (const core::Problem& problem) {
      return problem.what();
    }
    return "";
  };
  EXPECT_NE(complaint(parsed(moving + "[stop]\ntime = \"10 s\"\n")).find("stop.time"),
            std::string::npos);
  scenario::Scenario large = parsed(moving + minutes);
  large.network.nodes = 100'000;
  EXPECT_NE(complaint(large).find("network.nodes"), std::string::npos);
  EXPECT_EQ(complaint(parsed(moving + minutes)), "");
}

TEST(TuneScenarios, AFailoverThatDoesNotEndCountsAsTheWholeTime) {
  const TuneScenarios all = tune_scenarios(parsed(moving + minutes));
  std::vector<Row> rows(3);
  for (Row& each : rows) each.values.assign(columns().size(), 1);
  // crashes, elections done, mean time
  rows[1].series = {{8, {0, 0, 0}}, {16, {1, 1, 0.1}}, {24, {1, 1, 0.2}}, {32, {1, 0, 0}}};
  const BeatSample sample = beat_sample(all, rows);
  EXPECT_DOUBLE_EQ(sample.failover_median_s, 0.2);
  EXPECT_GT(sample.failover_p95_s, 3);
  EXPECT_DOUBLE_EQ(sample.false_elections_per_h, 3600);
}

TEST(TuneScenarios, TakeTheOptionsThatAreMeasured) {
  const scenario::Scenario s =
      with_beat(tune_scenarios(parsed(moving + minutes)).calm, {70ms, 3, 10ms, 2ms}, 9);
  EXPECT_EQ(s.options.at("period").text, "70 ms");
  EXPECT_EQ(s.options.at("patience").text, "3");
  EXPECT_EQ(s.options.at("slack").text, "10 ms");
  EXPECT_EQ(s.options.at("jitter").text, "2 ms");
  EXPECT_EQ(s.seed, 9u);
}

}  // namespace
}  // namespace bellwether::experiment
