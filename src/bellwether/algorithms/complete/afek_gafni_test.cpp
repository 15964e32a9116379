// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/complete/afek_gafni.hpp"

#include "bellwether/algorithms/complete/complete_test.hpp"

namespace bellwether::algorithms {
namespace {

using State = AfekGafni::State;
using Capture = AfekGafni::Capture;
using Kill = AfekGafni::Kill;
using Killed = AfekGafni::Killed;
using Captured = AfekGafni::Captured;
using Leader = AfekGafni::Leader;
using Message = AfekGafni::Message;

AfekGafni::Strength strength(std::uint32_t level, std::uint64_t id) {
  return {level, NodeId{id}};
}

TEST(AfekGafni, ACandidateCapturesOneNodeAfterTheOther) {
  ByHand<AfekGafni> hand(ids_of({7, 8}));
  AfekGafni node(NodeId{5}, {});
  node.start(hand.next());
  EXPECT_EQ(sent(hand), std::pair(Port{0}, Message(Capture{strength(1, 5)})));
  node.receive(hand.next(), Port{1}, Captured{strength(1, 5)});  // not the one that was asked
  EXPECT_TRUE(hand.step.sends().empty());
  node.receive(hand.next(), Port{0}, Captured{strength(1, 6)});  // not for us
  EXPECT_TRUE(hand.step.sends().empty());
  node.receive(hand.next(), Port{0}, Captured{strength(1, 5)});
  EXPECT_EQ(sent(hand), std::pair(Port{1}, Message(Capture{strength(2, 5)})));
  EXPECT_EQ(core::text_of(node),
            "afek-gafni(id=5 state=candidate level=2 strongest=(level=0 id=5) owner=none "
            "potential-owner=0 leader=none)");
  node.receive(hand.next(), Port{1}, Captured{strength(2, 5)});
  EXPECT_EQ(sent(hand), std::pair(core::every_port, Message(Leader{NodeId{5}})));
  EXPECT_EQ(node.state(), State::elected);
  EXPECT_EQ(node.leader(), NodeId{5});
  node.receive(hand.next(), Port{1}, Kill{strength(9, 9)});  // no candidate can be this strong
  EXPECT_TRUE(hand.step.sends().empty());
  node.receive(hand.next(), Port{1}, Leader{NodeId{9}});
  EXPECT_EQ(node.leader(), NodeId{5});
}

TEST(AfekGafni, ASleeperIsCapturedByAnybodyAndNeverACandidate) {
  ByHand<AfekGafni> hand(ids_of({1, 2}));
  AfekGafni node(NodeId{5}, {});
  node.receive(hand.next(), Port{1}, Capture{strength(1, 2)});
  EXPECT_EQ(sent(hand), std::pair(Port{1}, Message(Captured{strength(1, 2)})));
  node.start(hand.next());
  EXPECT_TRUE(hand.step.sends().empty());
  EXPECT_FALSE(node.initiator());
}

TEST(AfekGafni, ACandidateDefendsItsOwnNode) {
  ByHand<AfekGafni> hand(ids_of({1, 2, 9}));
  AfekGafni node(NodeId{5}, {});
  node.start(hand.next());
  node.receive(hand.next(), Port{1}, Capture{strength(1, 2)});
  EXPECT_TRUE(hand.step.sends().empty());
  EXPECT_EQ(node.state(), State::candidate);
  node.receive(hand.next(), Port{2}, Capture{strength(1, 9)});
  EXPECT_EQ(sent(hand), std::pair(Port{2}, Message(Captured{strength(1, 9)})));
  EXPECT_EQ(node.state(), State::killed);
  node.receive(hand.next(), Port{0}, Captured{strength(1, 5)});  // the dead capture no node
  EXPECT_TRUE(hand.step.sends().empty());
  EXPECT_EQ(node.level(), 1u);
}

TEST(AfekGafni, AnOwnerDiesOfAStrongerCandidateOnly) {
  ByHand<AfekGafni> hand(ids_of({1, 2}));
  AfekGafni node(NodeId{5}, {});
  node.start(hand.next());
  node.receive(hand.next(), Port{0}, Captured{strength(1, 5)});  // level 2
  node.receive(hand.next(), Port{0}, Kill{strength(2, 4)});
  EXPECT_TRUE(hand.step.sends().empty());
  EXPECT_EQ(node.state(), State::candidate);
  node.receive(hand.next(), Port{0}, Kill{strength(2, 6)});
  EXPECT_EQ(sent(hand), std::pair(Port{0}, Message(Killed{strength(2, 6)})));
  EXPECT_EQ(node.state(), State::killed);
  node.receive(hand.next(), Port{0}, Kill{strength(1, 9)});  // the dead still turn the weak away
  EXPECT_TRUE(hand.step.sends().empty());
  node.receive(hand.next(), Port{0}, Kill{strength(3, 1)});
  EXPECT_EQ(sent(hand), std::pair(Port{0}, Message(Killed{strength(3, 1)})));
}

TEST(AfekGafni, AnOrdinaryNodeHasItsOwnerKilledFirst) {
  ByHand<AfekGafni> hand(ids_of({1, 2, 3}));
  AfekGafni node(NodeId{5}, {});
  node.receive(hand.next(), Port{0}, Capture{strength(2, 1)});
  node.receive(hand.next(), Port{1}, Capture{strength(1, 2)});  // weaker: not worth a message
  EXPECT_TRUE(hand.step.sends().empty());
  node.receive(hand.next(), Port{1}, Capture{strength(2, 2)});
  EXPECT_EQ(sent(hand), std::pair(Port{0}, Message(Kill{strength(2, 2)})));
  node.receive(hand.next(), Port{0}, Killed{strength(2, 2)});
  EXPECT_EQ(sent(hand), std::pair(Port{1}, Message(Captured{strength(2, 2)})));
  node.receive(hand.next(), Port{2}, Capture{strength(2, 3)});
  EXPECT_EQ(sent(hand), std::pair(Port{1}, Message(Kill{strength(2, 3)})));  // the new owner
}

TEST(AfekGafni, AStrongerOneThatComesInTheMeantimeTakesTheNode) {
  ByHand<AfekGafni> hand(ids_of({1, 2, 3}));
  AfekGafni node(NodeId{5}, {});
  node.receive(hand.next(), Port{0}, Capture{strength(1, 1)});
  node.receive(hand.next(), Port{1}, Capture{strength(1, 2)});
  node.receive(hand.next(), Port{2}, Capture{strength(1, 3)});
  EXPECT_EQ(sent(hand), std::pair(Port{0}, Message(Kill{strength(1, 3)})));  // it does not wait
  node.receive(hand.next(), Port{0}, Killed{strength(1, 2)});
  EXPECT_TRUE(hand.step.sends().empty());
  node.receive(hand.next(), Port{1}, Killed{strength(1, 3)});  // not the owner
  EXPECT_TRUE(hand.step.sends().empty());
  node.receive(hand.next(), Port{0}, Killed{strength(1, 3)});
  EXPECT_EQ(sent(hand), std::pair(Port{2}, Message(Captured{strength(1, 3)})));
}

TEST(AfekGafni, AloneItLeadsAtOnce) {
  expect_alone_it_leads_at_once<AfekGafni>();
}

TEST(AfekGafni, OneLeaderInAllSmallNetworks) {
  expect_one_leader_in_all_small_networks<AfekGafni>();
}

TEST(AfekGafni, OneLeaderInAnyRun) {
  expect_one_leader_in_any_run<AfekGafni>(3000);
}

TEST(AfekGafni, OneInitiatorCostsThreeMessagesANode) {
  for (NodeIndex n = 2; n < 30; ++n) {
    core::Prng prng(n);
    const Cost cost = elect<AfekGafni>(shuffled_ids(n, prng), {{0, Time{3}}}, {}, n);
    EXPECT_EQ(cost.messages, 3 * (n - 1));
    EXPECT_EQ(cost.time, Time{2 * (n - 1) + 1});
  }
}

TEST(AfekGafni, TimeIsLinear) {
  core::Prng prng(8);
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const auto n = static_cast<NodeIndex>(2 + prng.below(20));
    std::vector<std::pair<NodeIndex, Time>> starts;
    for (NodeIndex i = 0; i < n; ++i)
      starts.emplace_back(i, Time{static_cast<int>(prng.below(1 + seed % 5 * 10 * n))});
    constexpr int unit = 20;  // the longest delay
    const Cost cost = elect<AfekGafni>(shuffled_ids(n, prng), starts,
                                       {.max = Duration{unit}, .fifo = false}, seed);
    EXPECT_LE(cost.time, Time{unit * (8 * static_cast<int>(n) + 1)}) << "seed " << seed;
  }
}

TEST(AfekGafni, ATournamentOfEqualsCostsTwiceNLogN) {
  for (NodeIndex log = 1; log <= 8; ++log)  // with the announcement
    EXPECT_EQ(cost_of_a_tournament<AfekGafni>(1u << log), 2 * log << log);
}

TEST(AfekGafni, TheBoundIsThatOfThePaper) {
  EXPECT_EQ(AfekGafni::message_bound(1, {}), 0u);
  EXPECT_EQ(AfekGafni::message_bound(2, {}), 4 * 2 + 1u);
  EXPECT_EQ(AfekGafni::message_bound(5, {}), 4 * (5 + 2 + 1 + 1) + 4u);
}

TEST(AfekGafni, TheRunInTheDocumentation) {
  HandDriver<AfekGafni> driver(ids_of({1, 2, 3}), {});
  driver.make_complete();
  driver.start_all();
  driver.run();
  EXPECT_EQ(driver.sent(), 9u);
  EXPECT_EQ(driver.now(), Time{5});
  EXPECT_EQ(named_by_all(driver), NodeId{2});
}

TEST(AfekGafni, MessagesRoundTrip) {
  expect_round_trip<Message>({Capture{strength(1, 2)}, Kill{strength(3, 4)}, Killed{strength(5, 6)},
                              Captured{strength(7, 8)}, Leader{NodeId{9}}});
}

TEST(AfekGafni, PropertiesBite) {
  expect_properties_bite<AfekGafni>();
}

}  // namespace
}  // namespace bellwether::algorithms
