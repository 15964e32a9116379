// SPDX-License-Identifier: MIT
// What the tests of claims about one-way rings share: rings whose ids have a given order, and
// random ones.
#pragma once

#include <cmath>
#include <iostream>
#include <map>

#include "bellwether/algorithms/ring/one_way_ring_test.hpp"
#include "claims/claims.hpp"

namespace bellwether::claims {

/// All start together, every message takes one unit.
template <class P>
RunReport run_ring(const std::vector<NodeId>& ids, typename P::Options options) {
  Play play = play_of(one_way_ring(static_cast<NodeIndex>(ids.size()), "ascending"));
  play.ids = ids;
  return staged<P>(play, options)->run();
}

template <class P>
std::uint64_t cost_of(const std::vector<NodeId>& ids, typename P::Options options) {
  return run_ring<P>(ids, options).messages;
}

inline double n_log_n(std::size_t n) {
  const auto size = static_cast<double>(n);
  return size * std::log2(size);
}

/// The mean over random orders, printed; in n log2 n.
template <class P>
double mean_cost(NodeIndex n, int runs, typename P::Options options, const std::string& what) {
  core::Prng prng(n);
  double sum = 0, squares = 0, most = 0;
  for (int run = 0; run < runs; ++run) {
    const auto cost =
        static_cast<double>(cost_of<P>(algorithms::shuffled_ids(n, prng), options)) / n_log_n(n);
    sum += cost;
    squares += cost * cost;
    most = std::max(most, cost);
  }
  const double mean = sum / runs;
  const double error = std::sqrt((squares / runs - mean * mean) / (runs - 1));
  std::cout << what << ", n = " << n << ", " << runs << " orders: mean " << rounded(mean, 3)
            << " n log2 n, standard error " << rounded(error, 3) << ", most " << rounded(most, 3)
            << "\n";
  EXPECT_LT(error, 0.01 * mean);  // so that the line above means something
  return mean;
}

/// The most that climbing from random orders finds, printed; in n log2 n.
template <class P>
double climbed(NodeIndex n, int times, int steps, typename P::Options options,
               const std::string& what) {
  core::Prng prng(n);
  std::uint64_t most = 0;
  for (int i = 0; i < times; ++i)
    most = std::max(most,
                    algorithms::climb(algorithms::shuffled_ids(n, prng), steps, prng,
                                      [&](const auto& ids) { return cost_of<P>(ids, options); }));
  const double found = static_cast<double>(most) / n_log_n(n);
  std::cout << what << ", n = " << n << ": " << most << " messages found by climbing, "
            << rounded(found, 3) << " n log2 n; at most " << P::message_bound(n, options) << "\n";
  EXPECT_LE(most, P::message_bound(n, options));
  return found;
}

/// Random sizes, orders, initiators, starts and delays: the properties hold, the bound is kept, and
/// the run takes at most `time` times n units from the first start, where delays are one unit.
template <class P>
void expect_claims_hold(std::uint64_t runs, std::int64_t time,
                        const core::OptionTexts& options = {}) {
  for (std::uint64_t seed = 0; seed < runs; ++seed) {
    const auto n = static_cast<NodeIndex>(2 + seed * seed % 40);
    Scenario s = one_way_ring(n, "random", seed);
    for (const auto& [name, value] : options) set_option(s, name, value);
    s.properties = {"all"};
    s.start.initiators = 1 + seed % n;
    s.start.window = (seed % 3) * n * unit;
    const bool units_only = seed % 2 == 0;
    if (!units_only) random_delays(s, Duration{1}, milliseconds(20));
    const RunReport r = simulate<P>(s);
    ASSERT_TRUE(r.agreed) << "seed " << seed;
    ASSERT_EQ(r.violation, "") << "seed " << seed;
    ASSERT_LE(r.messages, P::message_bound(n, core::parsed_options<P>(options))) << "seed " << seed;
    if (!units_only) continue;
    const auto starts = sim::start_times(s.start, world::assign_ids(s.network, n, seed), seed);
    const Time first = *std::min_element(starts.begin(), starts.end());
    ASSERT_LE(r.time - first, time * n * unit) << "seed " << seed;
  }
}

}  // namespace bellwether::claims
