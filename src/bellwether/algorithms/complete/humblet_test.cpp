// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/complete/humblet.hpp"

#include "bellwether/algorithms/complete/complete_test.hpp"
#include "bellwether/core/print.hpp"

namespace bellwether::algorithms {
namespace {

using State = Humblet::State;
using Fight = Humblet::Fight;
using Winner = Humblet::Winner;
using Leader = Humblet::Leader;
using Message = Humblet::Message;

TEST(Humblet, CapturesOneNodeAfterTheOther) {
  ByHand<Humblet> hand(ids_of({7, 8, 9}));
  Humblet node(NodeId{5}, {});
  node.start(hand.next());
  EXPECT_EQ(sent(hand), std::pair(Port{0}, Message(Humblet::Test{1, NodeId{5}})));
  node.receive(hand.next(), Port{0}, Winner{NodeId{5}});
  EXPECT_EQ(sent(hand), std::pair(Port{1}, Message(Humblet::Test{2, NodeId{5}})));
  node.receive(hand.next(), Port{0}, Winner{NodeId{5}});  // not the one that was tested
  EXPECT_TRUE(hand.step.sends().empty());
  node.receive(hand.next(), Port{1}, Winner{NodeId{5}});
  EXPECT_EQ(sent(hand), std::pair(Port{2}, Message(Humblet::Test{3, NodeId{5}})));
  EXPECT_EQ(node.state(), State::active);
  node.receive(hand.next(), Port{2}, Winner{NodeId{5}});
  EXPECT_EQ(sent(hand), std::pair(core::every_port, Message(Leader{NodeId{5}})));
  EXPECT_EQ(node.state(), State::leader);
  EXPECT_EQ(node.leader(), NodeId{5});
  EXPECT_EQ(core::text_of(node),
            "humblet(id=5 state=leader size=4 master=none contender=none waiting=[] leader=5)");
}

TEST(Humblet, ASleeperYieldsToAnybodyAndNeverInitiates) {
  ByHand<Humblet> hand(ids_of({1, 2}));
  Humblet node(NodeId{5}, {});
  node.receive(hand.next(), Port{1}, Humblet::Test{1, NodeId{2}});
  EXPECT_EQ(sent(hand), std::pair(Port{1}, Message(Winner{NodeId{2}})));
  EXPECT_EQ(node.state(), State::stopped);
  node.start(hand.next());
  EXPECT_TRUE(hand.step.sends().empty());
  EXPECT_FALSE(node.initiator());
}

TEST(Humblet, AnActiveNodeFightsForItself) {
  ByHand<Humblet> hand(ids_of({1, 2, 9}));
  Humblet node(NodeId{5}, {});
  node.start(hand.next());
  node.receive(hand.next(), Port{1}, Humblet::Test{1, NodeId{2}});  // as large, but a smaller id
  EXPECT_TRUE(hand.step.sends().empty());
  EXPECT_EQ(node.state(), State::active);
  node.receive(hand.next(), Port{2}, Humblet::Test{1, NodeId{9}});
  EXPECT_EQ(sent(hand), std::pair(Port{2}, Message(Winner{NodeId{9}})));
  EXPECT_EQ(node.state(), State::stopped);
  node.receive(hand.next(), Port{0}, Winner{NodeId{5}});  // too late: it captures no more
  EXPECT_TRUE(hand.step.sends().empty());
  EXPECT_EQ(node.size(), 1u);
}

TEST(Humblet, AMasterFightsForItsNodes) {
  ByHand<Humblet> hand(ids_of({1, 2, 9}));
  Humblet node(NodeId{5}, {});
  node.start(hand.next());
  node.receive(hand.next(), Port{0}, Winner{NodeId{5}});  // size 2
  node.receive(hand.next(), Port{0}, Fight{1, NodeId{9}});
  EXPECT_EQ(sent(hand), std::pair(Port{0}, Message(Winner{NodeId{5}})));
  EXPECT_EQ(node.state(), State::active);
  node.receive(hand.next(), Port{0}, Fight{2, NodeId{9}});
  EXPECT_EQ(sent(hand), std::pair(Port{0}, Message(Winner{NodeId{9}})));
  EXPECT_EQ(node.state(), State::stopped);
  node.receive(hand.next(), Port{0}, Fight{1, NodeId{10}});  // it still defends what it owns
  EXPECT_EQ(sent(hand), std::pair(Port{0}, Message(Winner{NodeId{5}})));
}

TEST(Humblet, ACapturedNodeAsksItsMasterOneTestAtATime) {
  ByHand<Humblet> hand(ids_of({1, 2, 3}));
  Humblet node(NodeId{5}, {});
  node.receive(hand.next(), Port{0}, Humblet::Test{1, NodeId{1}});
  node.receive(hand.next(), Port{1}, Humblet::Test{1, NodeId{2}});
  EXPECT_EQ(sent(hand), std::pair(Port{0}, Message(Fight{1, NodeId{2}})));
  node.receive(hand.next(), Port{2}, Humblet::Test{1, NodeId{3}});
  EXPECT_TRUE(hand.step.sends().empty());                 // 3 waits
  node.receive(hand.next(), Port{2}, Winner{NodeId{2}});  // not from its master
  EXPECT_TRUE(hand.step.sends().empty());
  node.receive(hand.next(), Port{0}, Winner{NodeId{2}});
  ASSERT_EQ(hand.step.sends().size(), 2u);
  EXPECT_EQ(hand.step.sends()[0].port, Port{1});
  EXPECT_EQ(hand.step.sends()[0].message, Message(Winner{NodeId{2}}));
  EXPECT_EQ(hand.step.sends()[1].port, Port{1});  // 3 has to fight the new master
  EXPECT_EQ(hand.step.sends()[1].message, Message(Fight{1, NodeId{3}}));
  node.receive(hand.next(), Port{1}, Winner{NodeId{2}});  // 3 has lost, and is not notified
  EXPECT_TRUE(hand.step.sends().empty());
  EXPECT_EQ(core::text_of(node),
            "humblet(id=5 state=stopped size=0 master=1 contender=none waiting=[] leader=none)");
}

TEST(Humblet, TheNewsIsBelievedByAllButTheLeader) {
  ByHand<Humblet> hand(ids_of({1}));
  Humblet node(NodeId{5}, {});
  node.receive(hand.next(), Port{0}, Leader{NodeId{1}});
  EXPECT_EQ(node.leader(), NodeId{1});
  Humblet winner(NodeId{6}, {});
  winner.start(hand.next());
  winner.receive(hand.next(), Port{0}, Winner{NodeId{6}});
  winner.receive(hand.next(), Port{0}, Leader{NodeId{1}});
  winner.receive(hand.next(), Port{0}, Fight{99, NodeId{99}});
  EXPECT_EQ(sent(hand), std::pair(Port{0}, Message(Winner{NodeId{6}})));
  EXPECT_EQ(winner.leader(), NodeId{6});
}

TEST(Humblet, AloneItLeadsAtOnce) {
  expect_alone_it_leads_at_once<Humblet>();
}

TEST(Humblet, OneLeaderInAllSmallNetworks) {
  expect_one_leader_in_all_small_networks<Humblet>();
}

TEST(Humblet, OneLeaderInAnyRun) {
  expect_one_leader_in_any_run<Humblet>(3000);
}

TEST(Humblet, OneInitiatorCostsThreeMessagesANode) {
  for (NodeIndex n = 2; n < 30; ++n) {
    core::Prng prng(n);
    const Cost cost = elect<Humblet>(shuffled_ids(n, prng), {{0, Time{3}}}, {}, n);
    EXPECT_EQ(cost.messages, 3 * (n - 1));
    EXPECT_EQ(cost.time, Time{2 * (n - 1) + 1});
  }
}

TEST(Humblet, ATournamentOfEqualsCostsTwiceNLogN) {
  for (NodeIndex log = 1; log <= 8; ++log)  // with the announcement
    EXPECT_EQ(cost_of_a_tournament<Humblet>(1u << log), 2 * log << log);
}

TEST(Humblet, TheBoundIsThatOfThePaper) {
  EXPECT_EQ(Humblet::message_bound(1, {}), 0u);
  EXPECT_EQ(Humblet::message_bound(2, {}), 4 * 2 + 1u);
  EXPECT_EQ(Humblet::message_bound(5, {}), 4 * (5 + 2 + 1 + 1) + 4u);
}

TEST(Humblet, TheRunInTheDocumentation) {
  HandDriver<Humblet> driver(ids_of({1, 2, 3}), {});
  driver.make_complete();
  driver.start_all();
  driver.run();
  EXPECT_EQ(driver.sent(), 10u);
  EXPECT_EQ(driver.now(), Time{5});
  EXPECT_EQ(named_by_all(driver), NodeId{2});
}

TEST(Humblet, MessagesRoundTrip) {
  expect_round_trip<Message>(
      {Humblet::Test{3, NodeId{4}}, Fight{5, NodeId{6}}, Winner{NodeId{7}}, Leader{NodeId{8}}});
}

TEST(Humblet, PropertiesBite) {
  expect_properties_bite<Humblet>();
}

}  // namespace
}  // namespace bellwether::algorithms
