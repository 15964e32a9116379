// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/rounds/peleg.hpp"

#include <gtest/gtest.h>

#include "bellwether/algorithms/hand_driver_test.hpp"
#include "bellwether/algorithms/rounds/random_networks_test.hpp"
#include "bellwether/core/codec.hpp"
#include "bellwether/core/print.hpp"

namespace bellwether::algorithms {
namespace {

using Best = Peleg::Best;
using Leader = Peleg::Leader;

/// One node and its next round.
struct Bench {
  ByHand<Peleg> hand{ids_of({1, 2, 3})};
  Peleg node;

  explicit Bench(std::uint64_t id) : node(NodeId{id}, {}) {}
  /// What it sends in a round with this inbox, as text with the port before.
  std::string round(const Letters<Peleg::Message>& inbox = {}) {
    node.round(hand.next(), inbox);
    std::string out;
    for (const auto& send : hand.step.sends())
      out += (send.port == core::every_port ? "all" : core::text_of(send.port)) + ":" +
             core::text_of(send.message) + " ";
    return out;
  }
  std::string from_all(const Peleg::Message& message) {
    return round({{Port{0}, message}, {Port{1}, message}, {Port{2}, message}});
  }
};

TEST(Peleg, AnIdSpreadsAndDistancesComeBack) {
  Bench b(5);
  EXPECT_EQ(b.round(), "all:best(x=5 d=0) ");
  EXPECT_EQ(b.round({{Port{0}, Best{NodeId{3}, 0}}, {Port{1}, Best{NodeId{7}, 0}}}),
            "all:best(x=7 d=1) ")
      << "7 is its neighbour";
  EXPECT_EQ(b.round({{Port{0}, Best{NodeId{7}, 2}}, {Port{1}, Best{NodeId{7}, 1}}}),
            "all:best(x=7 d=2) ")
      << "7 has somebody at distance 2";
  EXPECT_EQ(b.round({{Port{0}, Best{NodeId{6}, 9}}, {Port{1}, Best{NodeId{7}, 1}}}),
            "all:best(x=7 d=2) ")
      << "distances from others do not count";
  EXPECT_EQ(core::text_of(b.node), "peleg(u=5 x=7 d=2 c=1 leader=none)");
  for (int i = 0; i < 5; ++i) b.from_all(Best{NodeId{7}, 2});
  EXPECT_FALSE(b.node.leader()) << "it is not for 5 to decide";
  EXPECT_EQ(b.round({{Port{0}, Best{NodeId{8}, 4}}, {Port{1}, Best{NodeId{7}, 9}}}),
            "all:best(x=8 d=5) ");
}

TEST(Peleg, TwoRoundsWithoutNewsMakeTheLeader) {
  Bench b(9);
  b.round();
  EXPECT_EQ(b.from_all(Best{NodeId{3}, 0}), "all:best(x=9 d=0) ");
  EXPECT_EQ(b.from_all(Best{NodeId{9}, 1}), "all:best(x=9 d=1) ");
  EXPECT_EQ(b.from_all(Best{NodeId{9}, 1}), "all:best(x=9 d=1) ");
  EXPECT_FALSE(b.node.halted());
  EXPECT_EQ(b.from_all(Best{NodeId{9}, 1}), "0:leader(id=9) 1:leader(id=9) 2:leader(id=9) ");
  EXPECT_EQ(b.node.leader(), NodeId{9});
  EXPECT_EQ(b.node.distance(), 1u);
  const Peleg before = b.node;
  EXPECT_EQ(b.from_all(Leader{NodeId{9}}), "");
  EXPECT_EQ(b.node, before);
}

TEST(Peleg, TheNewsGoesOnWhereItDidNotComeFrom) {
  Bench b(4);
  b.round();
  EXPECT_EQ(b.round({{Port{0}, Best{NodeId{9}, 2}}, {Port{1}, Leader{NodeId{9}}}}),
            "0:leader(id=9) 2:leader(id=9) ");
  EXPECT_EQ(b.node.leader(), NodeId{9});
  EXPECT_TRUE(b.node.halted());
}

TEST(Peleg, OneNodeLeadsInItsFirstRound) {
  HandRounds<Peleg> rounds(ids_of({5}), {}, {});
  EXPECT_FALSE(rounds.round());
  EXPECT_EQ(rounds.node(0).leader(), NodeId{5});
  EXPECT_EQ(rounds.sent(), 0u);
}

/// Rounds and messages of a run, all predicted from the distances to the leader.
void expect_elected(const std::vector<NodeId>& ids, const Arcs& arcs) {
  const auto n = static_cast<std::uint32_t>(ids.size());
  const auto leader =
      static_cast<std::uint32_t>(std::max_element(ids.begin(), ids.end()) - ids.begin());
  const auto far = distances(n, arcs, leader);
  const std::uint64_t r = *std::max_element(far.begin(), far.end());
  HandRounds<Peleg> rounds(ids, arcs, {});
  while (rounds.rounds() < 2 * r + 2) {
    rounds.round();
    for (std::uint32_t i = 0; i < n; ++i) ASSERT_FALSE(rounds.node(i).leader());
  }
  EXPECT_EQ(rounds.sent(), (2 * r + 2) * arcs.size());
  for (std::uint64_t k = 0; k <= r; ++k) {
    rounds.round();
    for (std::uint32_t i = 0; i < n; ++i)
      ASSERT_EQ(rounds.node(i).leader().has_value(), far[i] <= k) << "the news goes a hop a round";
  }
  EXPECT_EQ(rounds.rounds(), 3 * r + 3) << "after 3r + 2 rounds, with the inbox of the next";
  rounds.run();
  EXPECT_EQ(rounds.leaders_named(ids[leader]), n);
  EXPECT_EQ(rounds.node(leader).distance(), r) << "the leader knows how far its network reaches";
  std::uint64_t expected = (2 * r + 2) * arcs.size();
  for (const auto& [a, b] : arcs)  // while it waits for the news, and the news itself
    expected += far[a] + (far[b] + 1 == far[a] ? 0 : 1);
  EXPECT_EQ(rounds.sent(), expected);
  EXPECT_LE(rounds.sent(), 6 * (r + 1) * (arcs.size() / 2));
  EXPECT_LE(rounds.sent(), Peleg::message_bound(n, arcs.size() / 2, {}));
}

TEST(Peleg, AllOrdersOfSmallNetworks) {
  for (std::uint32_t n = 2; n <= 6; ++n) {
    std::vector<std::uint64_t> numbers(n);
    std::iota(numbers.begin(), numbers.end(), std::uint64_t{1});
    do {
      const auto ids = ids_of(numbers);
      expect_elected(ids, both_ways(line_arcs(n)));
      expect_elected(ids, both_ways(star_arcs(n)));
      expect_elected(ids, both_ways(complete_arcs(n)));
      if (n > 2) expect_elected(ids, both_ways(ring_arcs(n)));
    } while (std::next_permutation(numbers.begin(), numbers.end()));
  }
}

TEST(Peleg, RandomNetworks) {
  core::Prng prng(4);
  for (int run = 0; run < 1500; ++run) {
    const auto n = static_cast<std::uint32_t>(2 + prng.below(14));
    const auto ids = shuffled_ids(n, prng);
    expect_elected(ids, both_ways(any_links(n, prng)));
  }
}

TEST(Peleg, TheRunInTheDocumentation) {
  HandRounds<Peleg> rounds(ids_of({2, 4, 1, 3}), both_ways(line_arcs(4)), {});
  rounds.run();
  EXPECT_EQ(rounds.sent(), 6u * 6 + 5 + 3);
  EXPECT_EQ(rounds.leaders_named(NodeId{4}), 4u);
}

TEST(Peleg, MessagesRoundTrip) {
  for (const Peleg::Message& message :
       {Peleg::Message(Best{NodeId{77}, 5}), Peleg::Message(Leader{NodeId{79}})})
    EXPECT_EQ(core::decode<Peleg::Message>(core::encode(message)), message);
}

}  // namespace
}  // namespace bellwether::algorithms
