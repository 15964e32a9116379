// SPDX-License-Identifier: MIT
// Frederickson and Lynch (1987): O(n) messages, O(n 2^u) rounds, with u the smallest id.
#include "bellwether/algorithms/rounds/frederickson_lynch.hpp"

#include <bit>
#include <iostream>

#include "claims/in_rounds.hpp"

namespace bellwether::claims {
namespace {

using algorithms::FredericksonLynch;

RunReport quiet(Scenario s, bool first_phase) {
  set_option(s, "announce", "false");
  set_option(s, "first_phase", first_phase ? "true" : "false");
  return simulate<FredericksonLynch>(s);
}

TEST(FredericksonLynchClaims, FewerThanThreeNMessagesOrTwoNWithoutTheFirstPhase) {
  std::uint64_t most = 0, most_of_book = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const auto n = static_cast<NodeIndex>(2 + seed % 60);
    const Scenario s = one_way_ring(n,
                                    seed % 20 == 0   ? "ascending"
                                    : seed % 20 == 1 ? "descending"
                                                     : "random",
                                    seed);
    const RunReport r = quiet(s, true);
    EXPECT_LE(r.messages, 3u * n - 3);
    EXPECT_GE(r.messages, 2u * n - 1);
    const RunReport book = quiet(s, false);
    EXPECT_LE(book.messages, 2u * n - static_cast<unsigned>(std::popcount(n)));
    EXPECT_GE(book.messages, n);
    most = std::max(most, 100 * r.messages / n);
    most_of_book = std::max(most_of_book, 100 * book.messages / n);
  }
  std::cout << "frederickson-lynch, 2000 rings of 2 to 61 nodes: at most "
            << rounded(static_cast<double>(most) / 100, 2) << " n messages, "
            << rounded(static_cast<double>(most_of_book) / 100, 2)
            << " n without the first phase\n";
  EXPECT_GT(most, 200u);
  EXPECT_GT(most_of_book, 130u);
}

TEST(FredericksonLynchClaims, RoundsWhereIdsBeginAtOne) {
  for (const NodeIndex n : {2, 3, 10, 100, 1000, 2000}) {
    const Scenario s = one_way_ring(n, "random", n);
    const RunReport r = simulate<FredericksonLynch>(s);
    EXPECT_EQ(metric(r, "rounds"), 2.0 * (n - 1) + 1 + n);
    EXPECT_LE(r.messages, 3u * n - 3 + n);
    EXPECT_TRUE(r.agreed);
    EXPECT_EQ(r.leaders.at(0).leader, NodeId{1});
    const RunReport alone = quiet(s, true);
    EXPECT_EQ(alone.messages + n, r.messages);
    EXPECT_EQ(metric(alone, "last_leader_change_s"), core::seconds((2 * (n - 1) + 1) * unit));
    const RunReport book = quiet(s, false);
    EXPECT_EQ(metric(book, "last_leader_change_s"), core::seconds(2 * n * unit));
  }
}

TEST(FredericksonLynchClaims, RoundsDoubleWithTheSmallestId) {
  for (const NodeIndex n : {2, 5, 20})
    for (const std::uint64_t least : {0, 1, 2, 5, 10}) {
      const Scenario s = one_way_ring(n, "random", least);
      const RunReport r = in_rounds<FredericksonLynch>(s, ids_from(s, least), {});
      const std::uint64_t step = std::uint64_t{1} << least;
      EXPECT_EQ(metric(r, "rounds"), static_cast<double>((n - 1) * step + 1 + n));
      EXPECT_LE(r.messages, 3u * n - 3 + n);
      EXPECT_TRUE(r.agreed);
      const RunReport book =
          in_rounds<FredericksonLynch>(s, ids_from(s, least), {.first_phase = false});
      EXPECT_EQ(metric(book, "rounds"), static_cast<double>(n * step + n));
      EXPECT_LT(book.messages, 2u * n + n);
    }
}

TEST(FredericksonLynchClaims, TokensOfLargeIdsStandStill) {
  Scenario s = one_way_ring(5, "random");
  s.stop.time = 100'000 * unit;
  const RunReport r = in_rounds<FredericksonLynch>(s, ids_from(s, 70), {});
  EXPECT_EQ(r.ended, observe::Ended::deadline);
  EXPECT_EQ(r.messages, 5u) << "the first phase, and then nothing for a long time";
  std::vector<NodeId> ids = ids_from(s, 70);
  for (NodeId& id : ids)
    if (id == NodeId{70}) id = NodeId{3};  // one fast one is enough
  const RunReport fast = in_rounds<FredericksonLynch>(s, ids, {});
  EXPECT_EQ(fast.ended, observe::Ended::quiescent);
  EXPECT_TRUE(fast.agreed);
  EXPECT_EQ(fast.leaders.at(0).leader, NodeId{3});
  EXPECT_EQ(fast.messages, 5u + 4 + 5) << "nobody else gets beyond the first hop";
}

}  // namespace
}  // namespace bellwether::claims
