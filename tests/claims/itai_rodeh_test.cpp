// SPDX-License-Identifier: MIT
// Itai and Rodeh (1981, 1990): anonymous rings elect with probability one, with O(n log n) messages
// on average.
#include "bellwether/algorithms/ring/itai_rodeh.hpp"

#include <cmath>
#include <iostream>

#include "claims/claims.hpp"

namespace bellwether::claims {
namespace {

using algorithms::ItaiRodeh;

Scenario anonymous_ring(NodeIndex n, std::uint64_t seed) {
  Scenario s = one_way_ring(n, "ascending", seed);
  s.network.anonymous = true;
  return s;
}

/// What is expected when all of n start at once and draw from 1..choices, worked out from the
/// probabilities: a token passes what is not larger, and j of m tie with probability
/// C(m, j) * sum over i of (1/k)^j ((i-1)/k)^(m-j).
class Expected {
 public:
  Expected(NodeIndex n, double choices) : n_(n), k_(choices), messages_(n + 1), rounds_(n + 1) {
    for (NodeIndex m = 2; m <= n; ++m)
      if (m <= most_tied || m == n) fill(m);
  }
  double messages() const { return n_ * messages_[n_]; }
  double rounds() const { return rounds_[n_]; }

 private:
  static constexpr NodeIndex most_tied = 60;  // more have no weight, unless there are few numbers
  double tie(NodeIndex m, NodeIndex j) const {
    double sum = 0;
    for (double i = j == m ? 0 : 1; i < k_; ++i)
      sum += j == m ? 1 : std::exp((m - j) * std::log(i / k_));
    const double ways = std::lgamma(m + 1.0) - std::lgamma(j + 1.0) - std::lgamma(m - j + 1.0);
    return sum * std::exp(ways - j * std::log(k_));
  }
  void fill(NodeIndex m) {
    double hops = 0;  // in gaps between active nodes, per token
    for (double i = 1; i <= k_; ++i) {
      const double q = i / k_;
      hops += (q < 1 ? (1 - std::pow(q, m)) / (1 - q) : m) / k_;
    }
    double messages = hops, rounds = 1;
    for (NodeIndex j = 2; j < m && j <= most_tied; ++j) {
      const double p = tie(m, j);
      messages += p * messages_[j];
      rounds += p * rounds_[j];
    }
    messages_[m] = messages / (1 - tie(m, m));
    rounds_[m] = rounds / (1 - tie(m, m));
  }

  NodeIndex n_;
  double k_;
  std::vector<double> messages_, rounds_;  // of n, by how many are active
};

struct Measured {
  double messages = 0, rounds = 0, error = 0;
};
Measured measured(NodeIndex n, std::uint32_t choices, int runs) {
  Measured out;
  double squares = 0;
  for (int run = 0; run < runs; ++run) {
    Scenario s = anonymous_ring(n, 5000u + static_cast<unsigned>(run));
    set_option(s, "announce", "false");
    set_option(s, "choices", std::to_string(choices));
    const RunReport r = simulate<ItaiRodeh>(s);
    const auto messages = static_cast<double>(r.messages);
    out.messages += messages / runs;
    squares += messages * messages / runs;
    out.rounds += static_cast<double>(units(r.time)) / n / runs;  // a round is n hops
  }
  out.error = std::sqrt((squares - out.messages * out.messages) / (runs - 1));
  return out;
}

double harmonic(NodeIndex n) {
  double sum = 0;
  for (NodeIndex i = 1; i <= n; ++i) sum += 1.0 / i;
  return sum;
}

TEST(ItaiRodehClaims, AveragesAreAsWorkedOut) {
  struct Case {
    NodeIndex n;
    std::uint32_t choices;
    int runs;
  };
  for (const Case& c : {Case{1000, 0, 300}, Case{100, 0, 1500}, Case{10, 0, 4000},
                        Case{10, 2, 4000}, Case{3, 0, 4000}}) {
    const Expected expected(c.n, c.choices == 0 ? c.n : c.choices);
    const Measured m = measured(c.n, c.choices, c.runs);
    std::cout << "itai-rodeh, n = " << c.n << ", numbers 1.." << (c.choices == 0 ? c.n : c.choices)
              << ", " << c.runs << " runs: mean " << rounded(m.messages, 1)
              << " messages, standard error " << rounded(m.error, 1) << ", " << rounded(m.rounds, 2)
              << " rounds; worked out " << rounded(expected.messages(), 1) << " = n (H_n + "
              << rounded(expected.messages() / c.n - harmonic(c.n), 2) << ") and "
              << rounded(expected.rounds(), 2) << "\n";
    EXPECT_NEAR(m.messages, expected.messages(), 0.02 * expected.messages());
    EXPECT_NEAR(m.rounds, expected.rounds(), 0.05 * expected.rounds());
    EXPECT_LT(m.error, 0.01 * expected.messages());
  }
}

TEST(ItaiRodehClaims, AverageIsNLogNAndTwoRoundsAtMost) {
  EXPECT_NEAR(Expected(2, 2).rounds(), 2, 1e-9);
  EXPECT_NEAR(Expected(2, 2).messages(), 7, 1e-9);
  for (NodeIndex n = 3; n <= 300; ++n) {
    const Expected expected(n, n);
    EXPECT_LT(expected.rounds(), 2);
    EXPECT_LT(expected.messages() / n - harmonic(n), n < 10 ? 1.6 : 1.3) << n;
    EXPECT_GT(expected.messages() / n - harmonic(n), 1.21) << n;
  }
  EXPECT_NEAR(Expected(2000, 2000).messages() / 2000 - harmonic(2000), 1.22, 0.005);
  EXPECT_NEAR(Expected(2000, 2000).rounds(), 1.42, 0.005);
}

TEST(ItaiRodehClaims, DelaysInOrderDoNotCount) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Scenario s = anonymous_ring(50, seed);
    const std::uint64_t messages = simulate<ItaiRodeh>(s).messages;
    random_delays(s);
    EXPECT_EQ(simulate<ItaiRodeh>(s).messages, messages) << "seed " << seed;
  }
}

TEST(ItaiRodehClaims, ExactlyOneLeadsAnonymousOrNot) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const auto n = static_cast<NodeIndex>(2 + seed % 9);
    Scenario s = seed % 2 == 0 ? anonymous_ring(n, seed) : one_way_ring(n, "random", seed);
    s.properties = {"all"};
    s.start.initiators = 1 + seed % n;
    s.start.window = (seed % 3) * n * unit;
    if (seed % 5 == 0) set_option(s, "choices", "2");
    random_delays(s, Duration{1}, milliseconds(20));
    if (seed % 4 < 2) s.channel.order = world::Order::unordered;
    if (seed % 7 == 0) s.channel.duplicate = 0.2;
    const RunReport r = simulate<ItaiRodeh>(s);
    EXPECT_EQ(r.violation, "") << "seed " << seed;
    EXPECT_EQ(r.ended, observe::Ended::quiescent) << "seed " << seed;
    EXPECT_TRUE(r.agreed) << "seed " << seed;
    if (seed % 2 == 0) {
      EXPECT_EQ(r.leaders.at(0).leader, NodeId{0}) << "there is no other name";
    }
  }
}

TEST(ItaiRodehClaims, AnybodyMayWin) {
  std::vector<int> wins(6, 0);
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    const RunReport r = simulate<ItaiRodeh>(one_way_ring(5, "ascending", seed));
    ++wins.at(core::raw(r.leaders.at(0).leader.value()));
  }
  for (int id = 1; id <= 5; ++id) EXPECT_NEAR(wins[static_cast<std::size_t>(id)], 300, 75) << id;
}

}  // namespace
}  // namespace bellwether::claims
