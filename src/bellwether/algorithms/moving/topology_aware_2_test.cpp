// SPDX-License-Identifier: MIT
// What is particular to the repaired Topology Aware, and the traces in which the published one
// fails. The rules that it shares are in knowledge_sync_test.
#include "bellwether/algorithms/moving/topology_aware_2.hpp"

#include <gtest/gtest.h>

#include "bellwether/algorithms/hand_driver_test.hpp"
#include "bellwether/algorithms/move_by_move_test.hpp"
#include "bellwether/core/print.hpp"

namespace bellwether::algorithms {
namespace {

using Timer = TopologyAware2::Timer;
using World = MoveByMove<TopologyAware2>;
using std::chrono::milliseconds;

std::string text(const std::vector<Updt>& updates) {
  std::string out;
  for (const Updt& u : updates) {
    out += (out.empty() ? "<" : " <") + core::text_of(u.src);
    for (const NodeId id : u.add) out += ",+" + core::text_of(id);
    for (const NodeId id : u.rmv) out += ",-" + core::text_of(id);
    out += "," + core::text_of(u.old_clk) + ">" + core::text_of(u.new_clk) + ">";
  }
  return out;
}
std::string known(const TopologyAware2& node) {
  return to_text(node.known());
}
MemberView view(std::uint64_t id, std::uint64_t clock,
                const std::vector<std::uint64_t>& neighbours) {
  return {NodeId{id}, clock, core::Shared<Ids>(ids_of(neighbours))};
}

/// Node 5 between 3 and 7, on ports 0 and 1.
struct TopologyAware2ByHand : testing::Test {
  ByHand<TopologyAware2> hand{ids_of({3, 7})};
  TopologyAware2 node{NodeId{5}, {}};

  /// Awake and alone, at version 1.
  void wake() {
    hand.ports = {};
    node.start(hand.next());
    hand.ports = {Port{0}, Port{1}};
  }
  void receive(std::uint64_t src, const std::vector<std::uint64_t>& add,
               const std::vector<std::uint64_t>& rmv, std::uint64_t from, std::uint64_t to) {
    node.receive(hand.next(), Port{0},
                 UpdatesMessage{{Updt{NodeId{src}, ids_of(add), ids_of(rmv), from, to}}});
  }
  /// Whether the last step armed the timer of the updates.
  bool armed() const {
    return std::any_of(hand.step.alarms().begin(), hand.step.alarms().end(), [](const auto& each) {
      return each.timer == Timer::updates && each.armed && each.min == TopologyAware2::period({}) &&
             each.max == each.min;
    });
  }
};

TEST_F(TopologyAware2ByHand, ChangesAreGatheredForDelta) {
  node.start(hand.next());
  EXPECT_FALSE(armed());
  hand.ports = {Port{0}};
  node.link_down(hand.next(), Port{1});
  EXPECT_EQ(known(node), "5:2{3,5}");
  EXPECT_TRUE(hand.step.sends().empty());
  EXPECT_TRUE(armed());
  node.receive(hand.next(), Port{0}, Knowledge{Known({view(3, 6, {1, 3, 5})}), {}});
  EXPECT_FALSE(armed()) << "it is awake already";
  EXPECT_EQ(text(node.updates()), "<5,-7,1>2> <3,+1,+3,+5,0>6>");
  node.timeout(hand.next(), Timer::updates);
  ASSERT_EQ(hand.step.sends().size(), 1u);
  EXPECT_EQ(hand.step.sends()[0].port, core::every_port);
  EXPECT_EQ(text(std::get<UpdatesMessage>(hand.step.sends()[0].message).updates),
            "<5,-7,1>2> <3,+1,+3,+5,0>6>");
  EXPECT_TRUE(node.updates().empty());
  node.receive(hand.next(), Port{0}, Knowledge{Known({view(3, 8, {3, 5})}), {}});
  EXPECT_EQ(text(node.updates()), "<3,-1,6>8>");
}

TEST_F(TopologyAware2ByHand, AWholeViewReplacesAnyOlderOne) {  // TA-2
  wake();
  receive(3, {3, 5}, {}, 0, 4);
  EXPECT_EQ(known(node), "3:4{3,5} 5:1{5}");
  receive(3, {3, 9}, {}, 0, 6);
  EXPECT_EQ(known(node), "3:6{3,9} 5:1{5}") << "replaced, not united";
  receive(3, {3}, {}, 0, 6);
  receive(3, {3}, {}, 0, 5);
  EXPECT_EQ(known(node), "3:6{3,9} 5:1{5}") << "but not a later one";
  EXPECT_EQ(text(node.updates()), "<3,+3,+5,0>4> <3,+3,+9,0>6>");
}

TEST_F(TopologyAware2ByHand, WhatHadToWaitIsPassedOn) {  // TA-1
  wake();
  receive(3, {8}, {}, 4, 5);
  receive(3, {8}, {}, 4, 5);
  receive(9, {1}, {}, 7, 9);
  EXPECT_EQ(text(node.pending()), "<3,+8,4>5> <9,+1,7>9>");
  receive(3, {3}, {}, 0, 4);
  EXPECT_EQ(known(node), "3:5{3,8} 5:1{5}");
  EXPECT_EQ(text(node.updates()), "<3,+3,0>4> <3,+8,4>5>");
  node.receive(hand.next(), Port{0}, Knowledge{Known({view(9, 7, {9})}), {}});
  EXPECT_EQ(text(node.pending()), "");
  EXPECT_EQ(text(node.updates()), "<3,+3,0>4> <3,+8,4>5> <9,+9,0>7> <9,+1,7>9>");
}

TEST_F(TopologyAware2ByHand, UpdatesInTheOrderOfTheirVersions) {
  wake();
  receive(3, {3, 5}, {}, 0, 4);
  receive(3, {9}, {5}, 4, 5);
  EXPECT_EQ(known(node), "3:5{3,9} 5:1{5}");
  receive(3, {9}, {5}, 4, 5);
  receive(3, {7}, {}, 3, 4);
  EXPECT_EQ(known(node), "3:5{3,9} 5:1{5}") << "old";
  EXPECT_EQ(text(node.updates()), "<3,+3,+5,0>4> <3,+9,-5,4>5>");
}

TEST_F(TopologyAware2ByHand, NoListChangesTheOwnEntry) {
  node.start(hand.next());
  receive(5, {9}, {3}, 1, 4);
  EXPECT_EQ(known(node), "5:5{3,5,7}") << "a version that it never had";
  ASSERT_EQ(hand.step.sends().size(), 1u);
  EXPECT_EQ(hand.step.sends()[0].port, core::every_port);
  EXPECT_EQ(hand.step.sends()[0].message, TopologyAware2::Message(Knowledge{node.known(), {}}));
  receive(5, {9}, {3}, 4, 5);
  receive(5, {3, 5, 7}, {}, 0, 5);
  EXPECT_TRUE(hand.step.sends().empty());
  receive(5, {5}, {}, 0, 5);
  EXPECT_EQ(known(node), "5:6{3,5,7}") << "this version, with other neighbours";
  EXPECT_TRUE(node.updates().empty() && node.pending().empty());
}

TEST_F(TopologyAware2ByHand, RefusesListsThatNoNodeSends) {
  node.start(hand.next());
  const TopologyAware2 before = node;
  receive(3, {5, 3}, {}, 0, 2);
  receive(3, {}, {5, 5}, 0, 2);
  receive(3, {3}, {}, 2, 2);
  receive(3, {3}, {}, 3, 2);
  receive(3, {3}, {}, 0, 0);
  receive(3, {3}, {}, 0, end_of_versions);
  EXPECT_EQ(node, before);
}

TEST_F(TopologyAware2ByHand, DegreeIsTheOtherCriterion) {
  // A star 1 of three leaves with a tail 5-6-7-8-9.
  const Known map({view(1, 1, {1, 2, 3, 4, 5}), view(2, 1, {1, 2}), view(3, 1, {1, 3}),
                   view(4, 1, {1, 4}), view(6, 1, {5, 6, 7}), view(7, 1, {6, 7, 8}),
                   view(8, 1, {7, 8, 9}), view(9, 1, {8, 9})});
  hand.peers = ids_of({1, 6});
  TopologyAware2 by_degree{NodeId{5}, {.criterion = Measure::degree}};
  node.receive(hand.next(), Port{0}, Knowledge{map, {}});
  by_degree.receive(hand.next(), Port{0}, Knowledge{map, {}});
  EXPECT_EQ(node.leader(), NodeId{5});
  EXPECT_EQ(by_degree.leader(), NodeId{1});
  EXPECT_EQ(TopologyAware2::criterion({}), core::Criterion::closeness);
  EXPECT_EQ(TopologyAware2::criterion({.criterion = Measure::degree}), core::Criterion::degree);
}

// The traces in which Topology Aware fails as published: see topology_aware_test.

/// All of them know the same, and no node waits for anything.
void expect_one_mind(const World& world, const std::vector<std::uint32_t>& nodes,
                     const std::string& all) {
  for (const std::uint32_t each : nodes) {
    EXPECT_EQ(known(world[each]), all) << each;
    EXPECT_FALSE(world.armed(each, Timer::updates) || world.armed(each, Timer::digest)) << each;
  }
}
void make_star(World& world) {
  world.join(1, 2);
  world.settle();
  world.join(1, 3);
  world.settle();
  expect_one_mind(world, {1, 2, 3}, "1:3{1,2,3} 2:2{1,2} 3:2{1,3}");
}

TEST(TopologyAware2Repairs, TA1WhatWaitedIsPassedOn) {
  World world(3);
  make_star(world);
  world.join(2, 3);
  world.deliver(2, 1);
  world.deliver(3, 2);
  world.part(2, 3);
  world.task(2);
  world.task(3);
  // What 2 and 1 have to say to each other because of greetings is lost.
  while (world.transit(1, 2) > 0) world.lose(1, 2);
  world.deliver(3, 1, 1);  // overtakes
  EXPECT_EQ(text(world[1].pending()), "<3,-2,3>4>");
  while (world[1].pending().size() > 0) world.deliver(2, 1);
  world.task(1);
  while (world.transit(1, 2) > 0) world.deliver(1, 2);
  EXPECT_EQ(to_text(Known({*find(world[2].known(), NodeId{3})})), "3:4{1,3}") << "no digest yet";
  world.settle();
  expect_one_mind(world, {1, 2, 3}, "1:3{1,2,3} 2:4{1,2} 3:4{1,3}");
  EXPECT_EQ(leaders(world, {1, 2, 3}), "1 1 1");
}

TEST(TopologyAware2Repairs, TA2AWholeViewIsTaken) {
  World world(3);
  world.join(1, 3);
  world.settle();
  world.part(1, 3);
  world.join(1, 2);
  world.deliver(2, 1);
  world.join(2, 3);
  world.deliver(1, 2);
  world.settle();
  expect_one_mind(world, {1, 2, 3}, "1:4{1,2} 2:3{1,2,3} 3:4{2,3}");
  EXPECT_EQ(leaders(world, {1, 2, 3}), "2 2 2");
}

TEST(TopologyAware2Repairs, TA3ANewbornBeginsAboveItsFormerLife) {
  World world(4);
  for (const std::uint32_t each : {1, 2, 3}) {
    world.join(each, each + 1);
    world.settle();
  }
  world.part(2, 3);
  world.task(3);
  world.deliver(3, 4);
  world.task(4);
  world.crash(2);  // before its task was due
  world.tell_down(1, 2);
  world.task(1);
  world.wait(milliseconds(1));
  world.be_born(2);
  world.join(1, 2);
  world.deliver(1, 2);
  EXPECT_EQ(to_text(Known({*find(world[2].known(), NodeId{2})})), "2:1002{1,2}");
  world.settle();
  EXPECT_EQ(leaders(world, {1, 2}), "2 2");
  EXPECT_EQ(leaders(world, {3, 4}), "4 4");
}

TEST(TopologyAware2Repairs, TA4WhoIsGreetedAnswers) {
  World world(3);
  make_star(world);
  world.crash(2);
  world.wait(milliseconds(1));
  world.be_born(2);
  world.up(1, 2);
  world.tell_up(2, 1);  // 1 has noticed nothing
  world.deliver(2, 1);
  world.deliver(1, 2);
  EXPECT_EQ(leaders(world, {1, 2}), "1 1") << "and that without a digest";
  world.settle();
  expect_one_mind(world, {1, 2, 3}, "1:3{1,2,3} 2:1002{1,2} 3:2{1,3}");
}

TEST(TopologyAware2Repairs, TA5ALostMessageIsMadeGoodByADigest) {
  World world(2);
  world.up(1, 2);
  world.tell_up(1, 2);
  world.deliver(1, 2);
  world.tell_up(2, 1);
  world.lose(2, 1);
  EXPECT_EQ(leaders(world, {1, 2}), "1 2");
  world.settle();
  expect_one_mind(world, {1, 2}, "1:2{1,2} 2:2{1,2}");
  EXPECT_EQ(leaders(world, {1, 2}), "2 2");
}

TEST(TopologyAware2Repairs, TA6ABlipThatNobodySaw) {
  World world(2);
  world.join(1, 2);
  world.down(1, 2);
  world.up(1, 2);
  world.settle();
  expect_one_mind(world, {1, 2}, "1:2{1,2} 2:2{1,2}");
}

TEST(TopologyAware2Repairs, TA7ALinkCountsIfBothEndsClaimIt) {
  World world(2);
  world.join(1, 2);
  world.settle();
  world.part(1, 2);
  world.settle();
  EXPECT_EQ(known(world[1]), "1:3{1} 2:2{1,2}") << "2 still claims it here";
  EXPECT_EQ(leaders(world, {1, 2}), "1 2");
}

TEST(TopologyAware2Repairs, R1VersionsOfANewLifeAreLater) {
  World world(3);
  world.join(1, 3);
  world.settle();
  world.part(1, 3);
  world.join(2, 3);
  world.deliver(2, 3);
  world.crash(1);
  world.wait(milliseconds(1));
  world.be_born(1);
  world.join(1, 2);
  world.settle();
  expect_one_mind(world, {1, 2, 3}, "1:1002{1,2} 2:3{1,2,3} 3:4{2,3}");
  EXPECT_EQ(leaders(world, {1, 2, 3}), "2 2 2");
}

}  // namespace
}  // namespace bellwether::algorithms
