// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/rounds/afek_gafni_sync.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "bellwether/algorithms/hand_driver_test.hpp"
#include "bellwether/algorithms/rounds/hand_rounds_test.hpp"
#include "bellwether/core/codec.hpp"
#include "bellwether/core/print.hpp"

namespace bellwether::algorithms {
namespace {

using State = AfekGafniSync::State;
using Capture = AfekGafniSync::Capture;
using Ack = AfekGafniSync::Ack;
using Leader = AfekGafniSync::Leader;
using Message = AfekGafniSync::Message;

/// One node with eight links, round by round.
struct Bench {
  ByHand<AfekGafniSync> hand{std::vector<NodeId>(8)};
  AfekGafniSync node{NodeId{5}, {}};

  std::vector<std::pair<Port, Message>> round(Letters<Message> inbox = {}) {
    node.round(hand.next(), inbox);
    std::vector<std::pair<Port, Message>> out;
    for (const auto& send : hand.step.sends()) out.emplace_back(send.port, send.message);
    return out;
  }
};
using Sent = std::vector<std::pair<Port, Message>>;
const Sent nothing;

TEST(AfekGafniSync, ACandidateAsksTwiceAsManyEachTime) {
  Bench b;
  const auto captures = [](std::uint32_t level, std::uint32_t from, std::uint32_t to) {
    Sent out;
    for (std::uint32_t p = from; p < to; ++p) out.emplace_back(Port{p}, Capture{level, NodeId{5}});
    return out;
  };
  const auto acks = [](std::uint32_t from, std::uint32_t to) {
    Letters<Message> out;
    for (std::uint32_t p = from; p < to; ++p) out.push_back({Port{p}, Ack{}});
    return out;
  };
  EXPECT_EQ(b.round(), captures(0, 0, 1));
  EXPECT_EQ(b.round(), nothing);
  EXPECT_EQ(b.round(acks(0, 1)), captures(2, 1, 3));
  EXPECT_EQ(b.round(), nothing);
  EXPECT_EQ(b.round(acks(1, 3)), captures(4, 3, 7));
  EXPECT_EQ(b.round(), nothing);
  EXPECT_EQ(b.round(acks(3, 7)), captures(6, 7, 8));  // there is no more
  EXPECT_EQ(core::text_of(b.node),
            "afek-gafni-sync(id=5 state=candidate level=7 traversed=8 asked=1 owner-id=5 "
            "leader=none)");
  EXPECT_EQ(b.round(), nothing);
  EXPECT_EQ(b.round(acks(7, 8)), (Sent{{core::every_port, Leader{NodeId{5}}}}));
  EXPECT_EQ(b.node.state(), State::elected);
  EXPECT_TRUE(b.node.halted());
  EXPECT_EQ(b.round({{Port{0}, Leader{NodeId{9}}}}), nothing);  // what is over is over
  EXPECT_EQ(b.node.leader(), NodeId{5});
}

TEST(AfekGafniSync, ACandidateThatOneNodeRefusesHasLost) {
  Bench b;
  b.round();
  b.round();
  b.round({{Port{0}, Ack{}}});  // asks two
  b.round();
  EXPECT_EQ(b.round({{Port{1}, Ack{}}}), nothing);
  EXPECT_EQ(b.node.state(), State::lost);
  EXPECT_FALSE(b.node.halted());  // it still answers others
  EXPECT_EQ(b.round({{Port{4}, Capture{4, NodeId{6}}}}), (Sent{{Port{4}, Ack{}}}));
  EXPECT_EQ(b.round({{Port{4}, Leader{NodeId{6}}}}), nothing);
  EXPECT_EQ(b.node.leader(), NodeId{6});
}

TEST(AfekGafniSync, ANodeYieldsToTheStrongestOnly) {
  Bench b;
  b.round();
  EXPECT_EQ(b.round({{Port{1}, Capture{0, NodeId{4}}}}), nothing);  // its own candidate is stronger
  b.round();
  EXPECT_EQ(b.round({{Port{2}, Capture{2, NodeId{7}}},
                     {Port{3}, Capture{2, NodeId{9}}},
                     {Port{4}, Capture{2, NodeId{8}}}}),
            (Sent{{Port{3}, Ack{}}}));
  EXPECT_EQ(b.node.owner_id(), NodeId{9});
  b.round();
  EXPECT_EQ(b.round({{Port{5}, Capture{4, NodeId{8}}}}), nothing);
  b.round();
  EXPECT_EQ(b.round({{Port{6}, Capture{4, NodeId{10}}}}), nothing);  // not of this level
  b.round();
  EXPECT_EQ(b.round({{Port{6}, Capture{8, NodeId{10}}}}), (Sent{{Port{6}, Ack{}}}));
}

TEST(AfekGafniSync, TheLargestIdLeads) {
  for (std::uint32_t n = 1; n <= 40; ++n)
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      core::Prng prng(seed);
      const auto ids = shuffled_ids(n, prng);
      Arcs arcs = both_ways(complete_arcs(n));
      core::shuffle(arcs, prng);  // every node has its ports in an order of its own
      HandRounds<AfekGafniSync> rounds(ids, arcs, {});
      rounds.run();
      EXPECT_EQ(rounds.leaders_named(NodeId{n}), n) << "n " << n << " seed " << seed;
      EXPECT_LE(rounds.sent(), AfekGafniSync::message_bound(n, {}))
          << "n " << n << " seed " << seed;
      // 2 ceil(log2 n) of capturing and answering, the announcement, one to hear it.
      EXPECT_EQ(rounds.rounds(),
                2u * static_cast<unsigned>(std::bit_width(n - 1)) + (n > 1 ? 2 : 1));
    }
}

TEST(AfekGafniSync, AllOrdersOfFiveIds) {
  std::vector<std::uint64_t> numbers{1, 2, 3, 4, 5};
  std::size_t most = 0, least = 1000, runs = 0;
  do {
    HandRounds<AfekGafniSync> rounds(ids_of(numbers), both_ways(complete_arcs(5)), {});
    rounds.run();
    EXPECT_EQ(rounds.leaders_named(NodeId{5}), 5u);
    most = std::max(most, rounds.sent());
    least = std::min(least, rounds.sent());
    ++runs;
  } while (std::next_permutation(numbers.begin(), numbers.end()));
  EXPECT_EQ(runs, 120u);
  EXPECT_EQ(least, 16u);
  EXPECT_EQ(most, 26u);
}

/// Ports with which half of the candidates get through each turn, the largest possible number: a
/// candidate that is to go on asks the next smaller ids, one that is to lose asks larger ones. Ids
/// rise.
Arcs bad_order(std::uint32_t n) {
  Arcs arcs;
  for (std::uint32_t u = 0; u < n; ++u) {
    const std::uint32_t above = n - 1 - u;
    const std::uint32_t turns =
        above == 0 ? 31u : static_cast<unsigned>(std::countr_zero(above)) + 1;
    const std::uint32_t taken = std::min(u, (1u << turns) - 1);
    for (std::uint32_t d = 1; d <= taken; ++d) arcs.emplace_back(u, u - d);
    for (std::uint32_t v = u + 1; v < n; ++v) arcs.emplace_back(u, v);
    for (std::uint32_t d = taken + 1; d <= u; ++d) arcs.emplace_back(u, u - d);
  }
  return arcs;
}

TEST(AfekGafniSync, ABadOrderCostsThreeTimesNLogN) {
  for (std::uint32_t log = 1; log <= 8; ++log) {
    const std::uint32_t n = 1u << log;
    std::vector<std::uint64_t> numbers(n);
    std::iota(numbers.begin(), numbers.end(), std::uint64_t{1});
    HandRounds<AfekGafniSync> rounds(ids_of(numbers), bad_order(n), {});
    rounds.run();
    EXPECT_EQ(rounds.leaders_named(NodeId{n}), n);
    EXPECT_EQ(rounds.sent(), 3 * n * log - 2 * n + 2);  // with the announcement
    EXPECT_LE(rounds.sent(), AfekGafniSync::message_bound(n, {}));
  }
}

TEST(AfekGafniSync, TheBound) {
  EXPECT_EQ(AfekGafniSync::message_bound(1, {}), 0u);
  EXPECT_EQ(AfekGafniSync::message_bound(2, {}), 3u * 2 - 2 + 1);
  EXPECT_EQ(AfekGafniSync::message_bound(8, {}), 3u * 8 * 3 - 8 + 7);
  EXPECT_EQ(AfekGafniSync::message_bound(9, {}), 3u * 9 * 4 - 9 + 8);
}

TEST(AfekGafniSync, TheRunInTheDocumentation) {
  // Each node's ports lead to the next ids, round the circle.
  HandRounds<AfekGafniSync> rounds(ids_of({1, 2, 3, 4}), both_ways(complete_arcs(4)), {});
  rounds.round();
  EXPECT_EQ(rounds.sent(), 4u);
  rounds.round();
  EXPECT_EQ(rounds.sent(), 4u + 1);
  rounds.round();
  EXPECT_EQ(rounds.sent(), 5u + 2);
  rounds.round();
  EXPECT_EQ(rounds.sent(), 7u + 2);
  rounds.run();
  EXPECT_EQ(rounds.sent(), 9u + 3);
  EXPECT_EQ(rounds.leaders_named(NodeId{4}), 4u);
}

TEST(AfekGafniSync, MessagesRoundTrip) {
  for (const Message& each :
       {Message(Capture{2, NodeId{3}}), Message(Ack{}), Message(Leader{NodeId{4}})})
    EXPECT_EQ(core::decode<Message>(core::encode(each)), each);
}

}  // namespace
}  // namespace bellwether::algorithms
