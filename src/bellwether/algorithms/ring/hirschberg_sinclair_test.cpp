// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/ring/hirschberg_sinclair.hpp"

#include "bellwether/algorithms/ring/ring_orders_test.hpp"
#include "bellwether/algorithms/ring/two_way_ring_test.hpp"

namespace bellwether::algorithms {
namespace {

using namespace two_way;
using Election = HirschbergSinclair;
using Probe = Election::Probe;
using Reply = Election::Reply;
using Leader = Election::Leader;
using Message = Election::Message;
using Hand = ByHand<Election>;

/// 2^K with K = ceil(log2 n): how far the winner's last probes may go.
std::uint64_t last_distance(std::uint64_t n) {
  return std::bit_ceil(n);
}

/// What 8n(1 + ceil(log2 n)) comes to.
std::uint64_t published(std::uint64_t n) {
  return 8 * n * (1 + static_cast<std::uint64_t>(std::bit_width(n - 1)));
}

/// Messages when all start at once and every message takes one unit, counted node by node: in each
/// phase a probe goes to the next better node or as far as it may, and so far its reply comes back.
std::uint64_t counted(const std::vector<NodeId>& ids) {
  const std::uint64_t n = ids.size();
  const auto to_better = [&](std::uint64_t i, std::uint64_t way) {
    for (std::uint64_t d = 1; d < n; ++d)
      if (ids[(i + way * d) % n] > ids[i]) return d;
    return n;
  };
  std::uint64_t messages = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::uint64_t right = to_better(i, 1), left = to_better(i, n - 1);
    std::uint64_t distance = 1;
    while (distance < n) {
      messages += 2 * std::min(right, distance) + 2 * std::min(left, distance);
      if (std::min(right, left) <= distance) break;
      distance *= 2;
    }
    if (distance >= n) messages += 2 * n;  // no node stops the winner's
  }
  return messages;
}

TEST(HirschbergSinclair, AnInitiatorRefusesWhatIsWorse) {
  Hand hand(ids_of({8, 9}));
  Election node(NodeId{5}, {});
  node.start(hand.next());
  ASSERT_EQ(hand.step.sends().size(), 2u);
  for (std::uint32_t p = 0; p < 2; ++p) {
    EXPECT_EQ(hand.step.sends()[p].port, Port{p});
    EXPECT_EQ(hand.step.sends()[p].message, Message(Probe{NodeId{5}, 1}));
  }
  EXPECT_EQ(core::text_of(node),
            "hirschberg-sinclair(id=5 standing=active initiator=true distance=1 oks=0 "
            "leader=none)");

  node.receive(hand.next(), Port{1}, Probe{NodeId{4}, 7});
  ASSERT_EQ(hand.step.sends().size(), 1u);
  EXPECT_EQ(hand.step.sends()[0].port, Port{1});  // back to where it came from
  EXPECT_EQ(hand.step.sends()[0].message, Message(Reply{NodeId{4}, false}));
  EXPECT_EQ(node.ring_state(), RingState::active);

  node.receive(hand.next(), Port{0}, Probe{NodeId{6}, 7});
  ASSERT_EQ(hand.step.sends().size(), 1u);
  EXPECT_EQ(hand.step.sends()[0].port, Port{1});
  EXPECT_EQ(hand.step.sends()[0].message, Message(Probe{NodeId{6}, 6}));
  EXPECT_EQ(node.ring_state(), RingState::passive);

  node.receive(hand.next(), Port{0}, Probe{NodeId{3}, 1});  // having lost, it still refuses
  ASSERT_EQ(hand.step.sends().size(), 1u);
  EXPECT_EQ(hand.step.sends()[0].message, Message(Reply{NodeId{3}, false}));
}

TEST(HirschbergSinclair, TheLastOnTheWayAnswers) {
  for (const std::uint64_t left : {0u, 1u}) {  // no node sends 0
    Hand hand(ids_of({8, 9}));
    Election node(NodeId{5}, {});
    node.receive(hand.next(), Port{0}, Probe{NodeId{3}, left});
    ASSERT_EQ(hand.step.sends().size(), 1u);
    EXPECT_EQ(hand.step.sends()[0].port, Port{0});
    EXPECT_EQ(hand.step.sends()[0].message, Message(Reply{NodeId{3}, true}));
    EXPECT_EQ(node.ring_state(), RingState::passive);
    node.start(hand.next());  // though 3 is worse: 3 may already lead
    EXPECT_TRUE(hand.step.sends().empty());
    EXPECT_FALSE(node.initiator());
  }
}

TEST(HirschbergSinclair, TwoOksDoubleTheDistance) {
  Hand hand(ids_of({8, 9}));
  Election node(NodeId{5}, {});
  node.start(hand.next());
  for (std::uint64_t distance = 2; distance <= 64; distance *= 2) {
    node.receive(hand.next(), Port{0}, Reply{NodeId{5}, true});
    EXPECT_TRUE(hand.step.sends().empty());
    node.receive(hand.next(), Port{1}, Reply{NodeId{5}, true});
    ASSERT_EQ(hand.step.sends().size(), 2u);
    for (const auto& send : hand.step.sends())
      EXPECT_EQ(send.message, Message(Probe{NodeId{5}, distance}));
  }
}

TEST(HirschbergSinclair, ANoIsTheEnd) {
  Hand hand(ids_of({8, 9}));
  Election node(NodeId{5}, {});
  node.start(hand.next());
  node.receive(hand.next(), Port{0}, Reply{NodeId{5}, true});
  node.receive(hand.next(), Port{1}, Reply{NodeId{5}, false});
  EXPECT_TRUE(hand.step.sends().empty());
  EXPECT_EQ(node.ring_state(), RingState::passive);
  node.receive(hand.next(), Port{1}, Reply{NodeId{5}, true});
  EXPECT_TRUE(hand.step.sends().empty());
}

TEST(HirschbergSinclair, RepliesToOthersArePassedOn) {
  for (const bool ok : {false, true}) {
    Hand hand(ids_of({8, 9}));
    Election node(NodeId{5}, {});
    node.start(hand.next());
    const Election before = node;
    node.receive(hand.next(), Port{0}, Reply{NodeId{3}, ok});
    ASSERT_EQ(hand.step.sends().size(), 1u);
    EXPECT_EQ(hand.step.sends()[0].port, Port{1});
    EXPECT_EQ(hand.step.sends()[0].message, Message(Reply{NodeId{3}, ok}));
    EXPECT_EQ(node, before);
  }
}

TEST(HirschbergSinclair, ItsOwnProbeMakesTheLeader) {
  Hand hand(ids_of({8, 9}));
  Election node(NodeId{5}, {});
  node.start(hand.next());
  node.receive(hand.next(), Port{1}, Probe{NodeId{5}, 2});
  ASSERT_EQ(hand.step.sends().size(), 1u);
  EXPECT_EQ(hand.step.sends()[0].message, Message(Leader{NodeId{5}}));
  EXPECT_EQ(node.ring_state(), RingState::leader);
  const Election before = node;
  node.receive(hand.next(), Port{0}, Probe{NodeId{5}, 2});  // from the other side
  EXPECT_TRUE(hand.step.sends().empty());
  EXPECT_EQ(node, before);
}

TEST(HirschbergSinclair, TheSmallestWinsWhenAskedTo) {
  Hand hand(ids_of({8, 9}));
  Election node(NodeId{5}, {.extremum = Extremum::min});
  node.start(hand.next());
  node.receive(hand.next(), Port{1}, Probe{NodeId{6}, 4});
  EXPECT_EQ(hand.step.sends().at(0).message, Message(Reply{NodeId{6}, false}));
  node.receive(hand.next(), Port{1}, Probe{NodeId{4}, 4});
  EXPECT_EQ(hand.step.sends().at(0).message, Message(Probe{NodeId{4}, 3}));
}

TEST(HirschbergSinclair, NewsGoRound) {
  expect_news_go_round<Election>();
}

TEST(HirschbergSinclair, ARingOfOneLeadsAtOnce) {
  expect_alone_leads_at_once<Election>();
}

TEST(HirschbergSinclair, CountsOfAllOrders) {
  // The most over all orders, and what the bound allows.
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> most_and_bound{
      {26, 26}, {40, 40}, {62, 62}, {80, 88}, {96, 96}, {112, 112}};
  for (NodeIndex n = 3; n <= 8; ++n) {
    std::uint64_t most = 0, least = published(n);
    for_each_order(n, [&](const std::vector<NodeId>& ids) {
      const std::uint64_t messages = n < 8 ? cost<Election>(ids) : counted(ids);
      ASSERT_EQ(messages, counted(ids));
      most = std::max(most, messages);
      least = std::min(least, messages);
    });
    EXPECT_EQ(most, most_and_bound[n - 3].first) << n;
    EXPECT_EQ(Election::message_bound(n, quiet), most_and_bound[n - 3].second) << n;
    EXPECT_EQ(least, 6 * n + 4 * last_distance(n) - 8) << n;
  }
}

TEST(HirschbergSinclair, TheBoundIsBelowThePublishedOne) {
  for (std::uint64_t n = 3; n <= 5000; ++n) {
    EXPECT_LE(Election::message_bound(n, quiet), published(n));
    const std::uint64_t phases = static_cast<std::uint64_t>(std::bit_width(n - 1)) + 1;
    EXPECT_LE(Election::message_bound(n, quiet), 6 * n * phases);
    EXPECT_EQ(Election::message_bound(n, {}), Election::message_bound(n, quiet) + n);
  }
}

TEST(HirschbergSinclair, DelaysOnlySaveMessages) {
  core::Prng prng(5);
  for (int i = 0; i < 300; ++i) {
    const auto ids = shuffled_ids(static_cast<NodeIndex>(3 + prng.below(30)), prng);
    EXPECT_EQ(cost<Election>(ids), counted(ids));
    EXPECT_LE(cost<Election>(ids, quiet, wild), counted(ids));
  }
}

TEST(HirschbergSinclair, BestWhereIdsRise) {
  for (NodeIndex n = 3; n <= 40; ++n)
    for (const bool up : {false, true}) {
      EXPECT_EQ(cost<Election>(counting(n, up)), 6 * n + 4 * last_distance(n) - 8);
      EXPECT_EQ(cost<Election>(counting(n, up), {}), 7 * n + 4 * last_distance(n) - 8);
    }
}

TEST(HirschbergSinclair, FarPeaksAreBad) {
  // Each doubling of the ring is one phase more, of nearly 6n messages the further apart they are.
  const auto per_node = [](NodeIndex m, NodeIndex j) {
    const auto ids = ring_orders::far_peaks(m, j);
    EXPECT_LE(counted(ids), Election::message_bound(ids.size(), quiet));
    return static_cast<double>(counted(ids)) / static_cast<double>(ids.size());
  };
  for (NodeIndex j = 2; j <= 7; ++j) {
    const double gap = (1 << j) + 1;
    EXPECT_NEAR(per_node(5, j) - per_node(4, j), 2 + 4 * (gap - 1) / gap, 0.05) << j;
  }
  EXPECT_EQ(cost<Election>(ring_orders::far_peaks(5, 4)), counted(ring_orders::far_peaks(5, 4)));
}

TEST(HirschbergSinclair, OneInitiatorProbesAlone) {
  for (NodeIndex n = 3; n < 20; ++n) {
    HandDriver<Election> driver(counting(n, true), {});
    driver.make_two_way_ring();
    driver.start(0);  // the worst id of all, and the only initiator
    driver.run();
    EXPECT_EQ(driver.sent(), 4 * (last_distance(n) - 1) + 3 * n);
    EXPECT_EQ(driver.leaders_named(NodeId{1}), n);
  }
}

TEST(HirschbergSinclair, TimeFromTheWinnersStart) {
  core::Prng prng(7);
  for (NodeIndex n = 3; n <= 40; ++n) {
    const auto time = static_cast<int>(2 * last_distance(n) - 2 + n);
    EXPECT_LE(time, 5 * static_cast<int>(n) - 6);
    for (const bool announce : {false, true}) {
      HandDriver<Election> driver(shuffled_ids(n, prng), {.announce = announce});
      driver.make_two_way_ring();
      driver.start_all();
      driver.run();
      EXPECT_EQ(driver.now(), Time{time + static_cast<int>(announce ? n : 0)});
    }
  }
}

TEST(HirschbergSinclair, AnyInitiatorsAnyDelays) {
  expect_best_initiator_wins<Election>(wild);
  expect_best_initiator_wins<Election>({.max = Duration{50}, .fifo = false});
  expect_best_initiator_wins<Election>({.max = Duration{50}, .fifo = false, .duplicates = 0.2});
}

TEST(HirschbergSinclair, TheRunInTheDocumentation) {
  EXPECT_EQ(cost<Election>(ids_of({3, 1, 4, 2})), 40u);
  EXPECT_EQ(cost<Election>(ids_of({3, 1, 4, 2}), {}), 44u);
}

TEST(HirschbergSinclair, Codec) {
  expect_round_trips<Election>(
      {Probe{NodeId{5}, 64}, Reply{NodeId{5}, true}, Reply{NodeId{6}, false}, Leader{NodeId{7}}});
}

}  // namespace
}  // namespace bellwether::algorithms
