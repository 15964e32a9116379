// SPDX-License-Identifier: MIT
// What the tests of elections in complete networks share.
#pragma once

#include <cmath>
#include <iostream>

#include "bellwether/core/prng.hpp"
#include "claims/claims.hpp"

namespace bellwether::claims {

/// A complete network in which every node has its ports in an order of its own, and any ids.
inline Play scrambled(NodeIndex n, std::uint64_t seed) {
  Scenario s = on("complete", n, seed);
  s.network.ids = "random";
  Play play = play_of(s);
  core::Prng prng(seed);
  core::shuffle(play.network.links, prng);
  for (graph::Edge& link : play.network.links)  // ports count what a node begins first
    if (prng.chance(0.5)) std::swap(link.a, link.b);
  play.ids = world::assign_ids(s.network, n, seed);
  return play;
}

/// One run, in which all nodes come to agree.
template <class P>
RunReport elected(const Play& play) {
  const auto simulation = staged<P>(play, {});
  simulation->watch(P::monitors());
  const RunReport r = simulation->run();
  EXPECT_EQ(r.violation, "") << "seed " << play.scenario.seed;
  EXPECT_EQ(r.ended, observe::Ended::quiescent) << "seed " << play.scenario.seed;
  EXPECT_TRUE(r.agreed) << "seed " << play.scenario.seed;
  return r;
}

/// From the first start until the last node knows the leader, in units of the longest delay.
inline double units_taken(const Play& play, const RunReport& report) {
  const auto starts = sim::start_times(play.scenario.start, play.names(), play.scenario.seed);
  const Time first = *std::min_element(starts.begin(), starts.end());
  return (metric(report, "last_leader_change_s") - core::seconds(first)) / core::seconds(unit);
}

/// Any initiators at any time, any delays: by the seed.
inline Play any_play(NodeIndex n, std::uint64_t seed, bool any_order) {
  Play play = scrambled(n, seed);
  play.scenario.start.initiators = seed % 3 == 0 ? 0 : 1 + seed % n;
  play.scenario.start.window = seed % 4 * n * unit;
  random_delays(play.scenario, Duration{1}, unit);
  if (any_order && seed % 2 == 0) play.scenario.channel.order = world::Order::unordered;
  return play;
}

/// The mean over some runs in which all start at once, in parts of n log2 n; printed.
template <class P>
double mean_cost(NodeIndex n, int runs) {
  double sum = 0, most = 0, time = 0;
  for (int seed = 1; seed <= runs; ++seed) {
    Play play = scrambled(n, static_cast<std::uint64_t>(seed));
    random_delays(play.scenario, Duration{1}, unit);
    const RunReport r = elected<P>(play);
    const double messages = static_cast<double>(r.messages) - (n - 1);
    sum += messages;
    most = std::max(most, messages);
    time += units_taken(play, r);
  }
  const double scale = n * std::log2(n);
  std::cout << P::name << ", n = " << n << ", " << runs
            << " runs: " << rounded(sum / runs / scale, 3) << " n log2 n messages on average, "
            << rounded(most / scale, 3) << " at most, without the announcement; time "
            << rounded(time / runs / n, 2) << " n\n";
  return sum / runs / scale;
}

}  // namespace bellwether::claims
