// SPDX-License-Identifier: MIT
// What the claims about elections on two-way rings share.
#pragma once

#include <cmath>
#include <iostream>

#include "bellwether/algorithms/ring/ring_orders_test.hpp"
#include "claims/claims.hpp"

namespace bellwether::claims::two_way {

inline Scenario two_way_ring(NodeIndex n, std::string ids, std::uint64_t seed = 1) {
  Scenario s = on("ring", n, seed);
  s.network.ids = std::move(ids);
  return s;
}

inline Scenario quiet_ring(NodeIndex n, std::string ids, std::uint64_t seed = 1) {
  Scenario s = two_way_ring(n, std::move(ids), seed);
  set_option(s, "announce", "false");
  return s;
}

/// A run in which all start at once, on a ring with these ids clockwise.
template <class P>
RunReport played(std::vector<NodeId> ids, bool announce = false, std::uint64_t delays = 0) {
  Play play = play_of(on("ring", static_cast<NodeIndex>(ids.size()), delays));
  play.ids = std::move(ids);
  if (delays > 0) random_delays(play.scenario);
  return staged<P>(play, {.announce = announce})->run();
}

/// The mean number of messages over random orders, all starting, printed per n log2 n and per n.
template <class P>
double mean_cost(NodeIndex n, int runs) {
  double sum = 0, squares = 0;
  for (int seed = 0; seed < runs; ++seed) {
    const auto messages = static_cast<double>(
        simulate<P>(quiet_ring(n, "random", 1000u + static_cast<std::uint64_t>(seed))).messages);
    sum += messages;
    squares += messages * messages;
  }
  const double mean = sum / runs;
  const double error = std::sqrt((squares / runs - mean * mean) / (runs - 1));
  std::cout << P::name << ", n = " << n << ", " << runs << " orders: mean " << rounded(mean, 1)
            << " messages, standard error " << rounded(error, 1) << "; " << rounded(mean / n, 2)
            << " n, " << rounded(mean / n / std::log2(n), 3) << " n log2 n\n";
  EXPECT_LT(error, 0.01 * mean);  // so that the line above means something
  return mean;
}

/// Any initiators, starts and delays: all name the best initiator, nothing goes wrong, and no run
/// costs more than is claimed. The most that a run cost, in percent of the bound.
template <class P>
std::uint64_t expect_within_bound(int runs) {
  std::uint64_t most = 0;
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(runs); ++seed) {
    const auto n = static_cast<NodeIndex>(3 + seed % 9);
    Scenario s = two_way_ring(n, "random", seed);
    s.properties = {"all"};
    s.start.initiators = 1 + seed % n;
    s.start.window = static_cast<int>(seed % 3 * n) * unit;
    random_delays(s, Duration{1}, milliseconds(20));
    if (P::facts.model.tolerates_reordering && seed % 2 == 0)
      s.channel.order = world::Order::unordered;
    const RunReport r = simulate<P>(s);
    const std::uint64_t bound = P::message_bound(n, {});
    EXPECT_TRUE(r.agreed) << "seed " << seed;
    EXPECT_EQ(r.violation, "") << "seed " << seed;
    EXPECT_LE(r.messages, bound) << "seed " << seed;
    EXPECT_GE(r.messages, 2u * n) << "seed " << seed;
    most = std::max(most, 100 * r.messages / bound);
  }
  return most;
}

/// On rings where no node knows which way is clockwise: the links are listed in any order, either
/// end first.
template <class P>
void expect_no_direction_needed(int runs) {
  core::Prng prng(11);
  for (int run = 0; run < runs; ++run) {
    const auto n = static_cast<NodeIndex>(3 + prng.below(20));
    Play play = play_of(on("ring", n, static_cast<std::uint64_t>(run)));
    random_delays(play.scenario);
    core::shuffle(play.network.links, prng);
    for (auto& link : play.network.links)
      if (prng.chance(0.5)) std::swap(link.a, link.b);
    const auto simulation = staged<P>(play, {});
    const RunReport r = simulation->run();
    EXPECT_TRUE(r.agreed) << "run " << run;
    EXPECT_EQ(simulation->node(0).leader(), NodeId{n}) << "run " << run;
    EXPECT_LE(r.messages, P::message_bound(n, {})) << "run " << run;
  }
}

/// The announcement costs n messages and n units, and reaches every node.
template <class P>
void expect_announcement_costs_one_round() {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Scenario s = quiet_ring(30, "random", seed);
    const RunReport alone = simulate<P>(s);
    EXPECT_FALSE(alone.agreed);  // only the winner knows
    set_option(s, "announce", "true");
    const RunReport told = simulate<P>(s);
    EXPECT_EQ(told.messages, alone.messages + 30);
    EXPECT_EQ(told.time, alone.time + 30 * unit);
    EXPECT_TRUE(told.agreed);
    EXPECT_EQ(told.leaders.at(0).leader, NodeId{30});
  }
}

}  // namespace bellwether::claims::two_way
