// SPDX-License-Identifier: MIT
// Engines of an election that builds a tree: no map runs beside it, and its beats are the probes.
#include <sstream>

#include "bellwether/layers/listed.hpp"
#include "bellwether/node/air_test.hpp"

namespace bellwether::node {
namespace {

std::string complaint_of(const std::string& tape) {
  std::istringstream in(tape);
  return replay(in, "tape", catalogue::all()).difference;
}

TEST(EngineTree, ALineAgreesAndKnowsItsMembers) {
  Air air("drumbeat", 5);
  make_line(air, 5);
  air.pass(6s);  // the leader is in the middle now
  const auto leader = air.node(0).leader();
  ASSERT_TRUE(leader && air.agree(raw(*leader)));
  for (std::size_t i = 0; i < 5; ++i) {
    const Engine& node = air.node(i);
    EXPECT_EQ(node.members(), 5u);
    EXPECT_EQ(node.routes().all().size(), 5u);
    EXPECT_EQ(node.hops_to_leader(), node.routes().find(*leader)->hops);
    EXPECT_EQ(node.routes().links().size(), 4u) << "the links of the tree";
  }
  EXPECT_EQ(air.node(0).routes().find(NodeId{5})->hops, 4u);
  EXPECT_EQ(air.node(4).routes().next_hop(NodeId{1}), NodeId{4});
  EXPECT_FALSE(air.node(0).next_hop(NodeId{9}));
}

TEST(EngineTree, BeatsAreTheProbes) {
  Air air("drumbeat", 4);
  make_line(air, 4);
  air.pass(10s);
  air.sent = 0;
  air.pass(10s);
  // Ten beats a second of each node that is no leaf, its part in waves, and one list.
  EXPECT_LT(air.sent, 4u * 10 * (10 + 3 + 1));
  std::size_t probes = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    air.node(i).outgoing().clear();
    air.node(i).alarm(air.now + 100ms);
    for (const core::Bytes& body : air.node(i).outgoing()) probes += body == air.node(i).probe();
  }
  EXPECT_EQ(probes, 0u);
}

TEST(EngineTree, TheNextHopToTheLeaderIsTheParentInItsTree) {
  Air air("drumbeat", 3);
  make_line(air, 3);
  air.pass(3s);
  const auto leader = air.node(0).leader();
  ASSERT_TRUE(leader && air.agree(raw(*leader)));
  for (std::size_t i = 0; i < 3; ++i) {
    if (NodeId{i + 1} == *leader) continue;
    EXPECT_EQ(air.node(i).next_hop(*leader), air.node(i).routes().next_hop(*leader));
  }
}

/// The leader is silent for longer than beats are waited for, and all know that somebody is late.
TEST(EngineTree, ALateMachineIsNoReasonToElect) {
  for (const bool own : {true, false}) {
    Air air("drumbeat", 3);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < i; ++j) air.link(i, j);
    air.pass(3s);
    const auto leader = air.node(0).leader();
    ASSERT_TRUE(leader && air.agree(raw(*leader)));
    const std::size_t silent = raw(*leader) - 1;
    for (std::size_t i = 0; i < 3; ++i) {
      if (i == silent) continue;
      air.link(i, silent, false);
      if (own)
        air.node(i).set_slack(air.now, 400ms);
      else
        air.node(i).set_slack(air.now, NodeId{9}, 400ms);  // any neighbour may be the late one
    }
    air.pass(400ms);
    EXPECT_TRUE(air.agree(raw(*leader))) << own;
    air.pass(700ms);
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_EQ(air.node(i).leader() == leader, i == silent) << own;
  }
}

TEST(EngineTree, ASilentLeaderIsReplacedWithinABeatAndItsSlack) {
  Air air("drumbeat", 3);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < i; ++j) air.link(i, j);
  air.pass(3s);
  const auto leader = air.node(0).leader();
  ASSERT_TRUE(leader && air.agree(raw(*leader)));
  for (std::size_t i = 0; i < 3; ++i) air.link(i, raw(*leader) - 1, false);
  air.pass(140ms);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(air.node(i).leader() == leader, i + 1 == raw(*leader)) << i;
}

/// In time and in frames: the first flood names the heir, in the second one it leads.
TEST(EngineTree, AGoodbyeTakesTwoFloods) {
  constexpr std::size_t nodes = 9;
  Air air("drumbeat", nodes, {{"taps", "0"}});
  make_line(air, nodes);
  air.link(nodes - 1, 0);
  air.pass(20s);
  const auto leader = air.node(0).leader();
  ASSERT_TRUE(leader && air.agree(raw(*leader)));
  const std::size_t gone = raw(*leader) - 1;
  air.sent = 0;
  air.tell_node(gone, {air.now, CallKind::farewell, {}, 0, {}});
  const Duration flood = nodes * 3ms / 16;  // a new leader's beat is passed on after this per hop
  air.pass(2 * flood);
  const auto next = air.node((gone + 1) % nodes).leader();
  ASSERT_TRUE(next);
  EXPECT_NE(next, leader);
  for (std::size_t i = 1; i < nodes; ++i)
    EXPECT_EQ(air.node((gone + i) % nodes).leader(), next) << i;
  EXPECT_LE(air.sent, 2 * nodes + 1) << "and the goodbye itself";
}

/// Before it says goodbye, it makes itself ineligible: what that sends leaves first.
TEST(EngineTree, AFarewellBeginsWithThePriority) {
  Air air("drumbeat", 2);
  make_line(air, 2);
  air.pass(2s);
  Engine& node = air.node(0);
  node.outgoing().clear();
  node.farewell(air.now);
  ASSERT_FALSE(node.outgoing().empty());
  EXPECT_EQ(node.outgoing().back(),
            core::encode(layers::Probed::Message(layers::Probed::Bye{NodeId{1}})));
  EXPECT_EQ(node.routes().find(NodeId{1})->priority, 0u);
}

TEST(EngineTree, ARecordingReplaysToTheByte) {
  Air air("drumbeat", 4);
  make_line(air, 4);
  air.pass(2s);
  air.link(1, 2, false);
  air.pass(1s);
  air.link(1, 2);
  air.pass(2s);
  air.tell_node(0, {air.now, CallKind::slack, {}, 5'000'000, {}});
  air.tell_node(0, {air.now, CallKind::farewell, {}, 0, {}});
  EXPECT_NE(air.tapes[0].find("\"spare\":3"), std::string::npos);
  for (const std::string& tape : air.tapes) EXPECT_EQ(complaint_of(tape), "");
}

TEST(EngineTree, TheListIsLimited) {
  EngineSpec spec;
  spec.algorithm = "drumbeat";
  spec.self = NodeId{1};
  spec.limits.members = 3;
  const auto node = make_engine(catalogue::all(), spec);
  node->start(1s);
  const auto hear = [&](std::uint64_t id) {
    const layers::Listed::Message names =
        layers::Listed::MemberNames{{{NodeId{id}, 2, 1, {}, 100}}};
    const layers::Probed::Data data{NodeId{2}, {}, core::AnyMessage::of(names)};
    return node->on_frame(1s, NodeId{2}, core::encode(layers::Probed::Message(data)));
  };
  EXPECT_EQ(hear(8), FrameResult::taken);
  EXPECT_EQ(hear(9), FrameResult::taken);
  EXPECT_EQ(hear(10), FrameResult::too_many);
  EXPECT_EQ(hear(9), FrameResult::taken);
  EXPECT_EQ(node->routes().all().size(), 3u);
}

}  // namespace
}  // namespace bellwether::node
