// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/moving/topology_aware.hpp"

#include <gtest/gtest.h>

#include "bellwether/algorithms/hand_driver_test.hpp"
#include "bellwether/algorithms/move_by_move_test.hpp"
#include "bellwether/core/print.hpp"

namespace bellwether::algorithms {
namespace {

using Updt = TopologyAware::Updt;
using KnownMessage = TopologyAware::KnownMessage;
using UpdatesMessage = TopologyAware::UpdatesMessage;
using World = MoveByMove<TopologyAware>;

/// "<3,+{2},-{},1>2>": an update as the counterexamples write it.
std::string text(const Updt& u) {
  const auto list = [](const Ids& ids) {
    std::string out = core::text_of(ids);
    out.front() = '{';
    out.back() = '}';
    return out;
  };
  return "<" + core::text_of(u.src) + ",+" + list(u.add) + ",-" + list(u.rmv) + "," +
         core::text_of(u.old_clk) + ">" + core::text_of(u.new_clk) + ">";
}
std::string text(const std::vector<Updt>& updates) {
  std::string out;
  for (const Updt& each : updates) out += (out.empty() ? "" : " ") + text(each);
  return out;
}
std::string known(const TopologyAware& node) {
  return to_text(node.known());
}

MemberView view(std::uint64_t id, std::uint32_t clock,
                const std::vector<std::uint64_t>& neighbours) {
  return {NodeId{id}, clock, core::Shared<Ids>(ids_of(neighbours))};
}
UpdatesMessage one(std::uint64_t src, const std::vector<std::uint64_t>& add,
                   const std::vector<std::uint64_t>& rmv, std::uint32_t old_clk,
                   std::uint32_t new_clk) {
  return {{Updt{NodeId{src}, ids_of(add), ids_of(rmv), old_clk, new_clk}}};
}

/// Node 5 between 3 and 7, on ports 0 and 1.
struct TopologyAwareByHand : testing::Test {
  ByHand<TopologyAware> hand{ids_of({3, 7})};
  TopologyAware node{NodeId{5}, {}};

  /// Awake and alone.
  void wake() {
    hand.ports = {};
    node.start(hand.next());
    hand.ports = {Port{0}, Port{1}};
  }
};

TEST_F(TopologyAwareByHand, BeginsAlone) {
  EXPECT_EQ(known(node), "5:0{5}");
  EXPECT_EQ(node.leader(), NodeId{5});
  wake();
  EXPECT_EQ(known(node), "5:0{5}");
  EXPECT_TRUE(hand.step.sends().empty());
}

TEST_F(TopologyAwareByHand, LinksThatAreUpAreConnectionsWithOneBroadcast) {
  node.start(hand.next());
  EXPECT_EQ(known(node), "5:2{3,5,7}");
  ASSERT_EQ(hand.step.sends().size(), 1u);
  EXPECT_EQ(hand.step.sends()[0].port, core::every_port);
  EXPECT_EQ(hand.step.sends()[0].message, TopologyAware::Message(KnownMessage{node.known()}));
  EXPECT_TRUE(hand.step.alarms().empty());
  EXPECT_EQ(node.leader(), NodeId{5});  // 3 and 7 have not said that they are there
  node.start(hand.next());
  EXPECT_EQ(known(node), "5:2{3,5,7}");
}

TEST_F(TopologyAwareByHand, WhoWasNotStartedWakesByWhatReachesIt) {
  node.receive(hand.next(), Port{0}, KnownMessage{Known({view(3, 1, {3, 5})})});
  EXPECT_EQ(known(node), "3:1{3,5} 5:2{3,5,7}");
  TopologyAware other{NodeId{5}, {}};
  other.link_up(hand.next(), Port{1});
  EXPECT_EQ(known(other), "5:2{3,5,7}");
  TopologyAware third{NodeId{5}, {}};
  hand.ports = {Port{1}};
  third.link_down(hand.next(), Port{0});
  EXPECT_EQ(known(third), "5:1{5,7}");
  EXPECT_EQ(text(third.updates()), "");
}

TEST_F(TopologyAwareByHand, AConnectionSendsAllThatIsKnown) {  // lines 20 to 23
  wake();
  node.link_up(hand.next(), Port{1});
  EXPECT_EQ(known(node), "5:1{5,7}");
  ASSERT_EQ(hand.step.sends().size(), 1u);
  EXPECT_EQ(hand.step.sends()[0].message, TopologyAware::Message(KnownMessage{node.known()}));
  EXPECT_EQ(text(node.updates()), "");
}

TEST_F(TopologyAwareByHand, ADisconnectionWaitsForTheTask) {  // lines 12 to 16 and 24 to 27
  node.start(hand.next());
  hand.ports = {Port{0}};
  node.link_down(hand.next(), Port{1});
  EXPECT_EQ(known(node), "5:3{3,5}");
  EXPECT_EQ(text(node.updates()), "<5,+{},-{7},2>3>");
  EXPECT_TRUE(hand.step.sends().empty());
  ASSERT_EQ(hand.step.alarms().size(), 1u);
  EXPECT_EQ(hand.step.alarms()[0].min, TopologyAware::period({}));
  EXPECT_EQ(hand.step.alarms()[0].max, TopologyAware::period({}));
  hand.ports = {};
  node.link_down(hand.next(), Port{0});
  EXPECT_TRUE(hand.step.alarms().empty()) << "the task is awake already";
  EXPECT_EQ(text(node.updates()), "<5,+{},-{7},2>3> <5,+{},-{3},3>4>");
  hand.ports = {Port{0}};
  node.timeout(hand.next(), TopologyAware::Timer::updates);
  ASSERT_EQ(hand.step.sends().size(), 1u);
  EXPECT_EQ(text(std::get<UpdatesMessage>(hand.step.sends()[0].message).updates),
            "<5,+{},-{7},2>3> <5,+{},-{3},3>4>");
  EXPECT_EQ(text(node.updates()), "");
  EXPECT_TRUE(hand.step.alarms().empty());
}

TEST_F(TopologyAwareByHand, KnowledgeBringsWhatIsNewAndWhatIsLater) {  // lines 28 to 38
  node.start(hand.next());
  node.receive(hand.next(), Port{0},
               KnownMessage{Known({view(1, 4, {1, 3}), view(3, 6, {1, 3, 5})})});
  EXPECT_EQ(known(node), "1:4{1,3} 3:6{1,3,5} 5:2{3,5,7}");
  EXPECT_EQ(text(node.updates()), "<1,+{1,3},-{},0>4> <3,+{1,3,5},-{},0>6>");
  EXPECT_EQ(hand.step.alarms().size(), 1u);
  EXPECT_TRUE(hand.step.sends().empty());
  EXPECT_EQ(node.leader(), NodeId{3});
  node.timeout(hand.next(), TopologyAware::Timer::updates);
  // 1 is older, 3 is later, of 5 the clock is the same: its content does not matter.
  node.receive(hand.next(), Port{0},
               KnownMessage{Known({view(1, 3, {1}), view(3, 8, {3, 5, 9}), view(5, 2, {5})})});
  EXPECT_EQ(known(node), "1:4{1,3} 3:8{3,5,9} 5:2{3,5,7}");
  EXPECT_EQ(text(node.updates()), "<3,+{9},-{1},6>8>");
}

TEST_F(TopologyAwareByHand, UpdatesAreAppliedInTheOrderOfTheirClocks) {  // lines 39 to 65
  wake();
  const auto receive = [&](const UpdatesMessage& message) {
    node.receive(hand.next(), Port{0}, message);
  };
  receive(one(3, {3, 5}, {}, 0, 2));  // line 42: a whole view of an unknown node
  EXPECT_EQ(known(node), "3:2{3,5} 5:0{5}");
  EXPECT_EQ(text(node.updates()), "<3,+{3,5},-{},0>2>");
  receive(one(3, {9}, {5}, 2, 3));  // line 47
  EXPECT_EQ(known(node), "3:3{3,9} 5:0{5}");
  receive(one(3, {8}, {}, 4, 5));  // line 51: too early
  receive(one(3, {8}, {}, 4, 5));
  receive(one(9, {8}, {}, 1, 2));  // line 45: of an unknown node
  EXPECT_EQ(known(node), "3:3{3,9} 5:0{5}");
  EXPECT_EQ(text(node.pending()), "<3,+{8},-{},4>5> <9,+{8},-{},1>2>");
  receive(one(3, {1}, {}, 1, 2));  // old
  receive(one(3, {1}, {}, 0, 7));  // a whole view of a known node is old, too (TA-2)
  EXPECT_EQ(known(node), "3:3{3,9} 5:0{5}");
  receive(one(3, {}, {9}, 3, 4));  // lines 60 to 63: the one that waited follows
  EXPECT_EQ(known(node), "3:5{3,8} 5:0{5}");
  EXPECT_EQ(text(node.pending()), "<9,+{8},-{},1>2>");
  EXPECT_EQ(text(node.updates()),
            "<3,+{3,5},-{},0>2> <3,+{9},-{5},2>3> <3,+{},-{9},3>4>");  // but is not queued (TA-1)
  node.receive(hand.next(), Port{0}, KnownMessage{Known({view(9, 4, {9})})});  // lines 64 and 65
  EXPECT_EQ(text(node.pending()), "");
}

TEST_F(TopologyAwareByHand, WhatWaitsIsAppliedToTheEnd) {
  wake();
  for (const std::uint32_t clock : {3u, 2u, 1u})
    node.receive(hand.next(), Port{0}, one(3, {10 + clock}, {}, clock, clock + 1));
  EXPECT_EQ(node.pending().size(), 3u);
  node.receive(hand.next(), Port{0}, one(3, {3}, {}, 0, 1));
  EXPECT_EQ(known(node), "3:4{3,11,12,13} 5:0{5}");
  EXPECT_TRUE(node.pending().empty());
}

TEST_F(TopologyAwareByHand, RefusesWhatIsNoSet) {
  wake();
  node.receive(hand.next(), Port{0}, one(3, {5, 3}, {}, 0, 2));
  node.receive(hand.next(), Port{0}, one(5, {}, {5, 5}, 0, 2));
  EXPECT_EQ(known(node), "5:0{5}");
}

TEST_F(TopologyAwareByHand, DegreeIsTheOtherCriterion) {
  // A star 1 of three leaves with a tail 5-6-7-8-9.
  const Known map({view(1, 1, {1, 2, 3, 4, 5}), view(2, 1, {1, 2}), view(3, 1, {1, 3}),
                   view(4, 1, {1, 4}), view(5, 1, {1, 5, 6}), view(6, 1, {5, 6, 7}),
                   view(7, 1, {6, 7, 8}), view(8, 1, {7, 8, 9}), view(9, 1, {8, 9})});
  TopologyAware by_degree{NodeId{5}, {.criterion = Measure::degree}};
  wake();
  hand.ports = {};
  by_degree.start(hand.next());
  node.receive(hand.next(), Port{0}, KnownMessage{map});
  by_degree.receive(hand.next(), Port{0}, KnownMessage{map});
  EXPECT_EQ(node.leader(), NodeId{5});
  EXPECT_EQ(by_degree.leader(), NodeId{1});
  EXPECT_EQ(TopologyAware::criterion({}), core::Criterion::closeness);
  EXPECT_EQ(TopologyAware::criterion({.criterion = Measure::degree}), core::Criterion::degree);
}

TEST(TopologyAware, DeltaFollowsFromTheRange) {
  using std::chrono::milliseconds;
  EXPECT_EQ(TopologyAware::period({.range = 10}), milliseconds(10));
  EXPECT_EQ(TopologyAware::period({.range = 100}), milliseconds(80));
  EXPECT_EQ(TopologyAware::period({.range = 7}), Duration(0));
  EXPECT_EQ(TopologyAware::period({.range = -1}), Duration(0));
  EXPECT_EQ(TopologyAware::period({.period = milliseconds(33), .range = 100}), milliseconds(33));
}

/// Figure 4.1: h-k-i and j-g, with the clocks that the text gives.
void make_two_components(World& world) {
  constexpr std::uint32_t g = 7, h = 8, i = 9, j = 10, k = 11;
  world.join(h, k);
  world.settle();
  for (int n = 0; n < 6; ++n) {
    world.join(i, k);
    world.settle();
    world.part(i, k);
    world.settle();
  }
  world.join(i, k);
  world.settle();
  for (int n = 0; n < 11; ++n) n % 2 == 0 ? world.join(g, j) : world.part(g, j);
  world.settle();
  for (int n = 11; n < 22; ++n) world.tell_up(j, g);  // seen again and again
  world.settle();
}

/// Figures 4.1 to 4.9: two components, and the link i-j comes up. The clocks of the figures are
/// arbitrary; those that the text gives are 13 and 14 for i, 22 and 23 for j.
TEST(TopologyAwareFigures, ExecutionExample) {
  constexpr std::uint32_t g = 7, h = 8, i = 9, j = 10, k = 11;
  World world(11);
  make_two_components(world);
  // 4.1
  EXPECT_EQ(known(world[i]), "8:1{8,11} 9:13{9,11} 11:14{8,9,11}");
  EXPECT_EQ(world[h].known(), world[i].known());
  EXPECT_EQ(world[k].known(), world[i].known());
  EXPECT_EQ(leaders(world, {h, i, k}), "11 11 11");
  EXPECT_EQ(known(world[g]), "7:11{7,10} 10:22{7,10}");
  EXPECT_EQ(world[j].known(), world[g].known());
  EXPECT_EQ(leaders(world, {g, j}), "10 10");
  // 4.2: the probe system of i detects j.
  world.up(i, j);
  world.tell_up(i, j);
  EXPECT_EQ(known(world[i]), "8:1{8,11} 9:14{9,10,11} 11:14{8,9,11}");
  // 4.3: i broadcasts what it knows; that of j detects i.
  EXPECT_EQ(world.transit(i, j), 1u);
  EXPECT_EQ(world.transit(i, k), 1u);
  world.tell_up(j, i);
  EXPECT_EQ(known(world[j]), "7:11{7,10} 10:23{7,9,10}");
  // 4.4: j has broadcast, and hears from i; it leads no longer. k hears from i as well.
  EXPECT_EQ(world.transit(j, i), 1u);
  EXPECT_EQ(world.transit(j, g), 1u);
  world.deliver(i, j);
  EXPECT_EQ(world[j].leader(), NodeId{i});
  EXPECT_EQ(text(world[j].updates()),
            "<8,+{8,11},-{},0>1> <9,+{9,10,11},-{},0>14> <11,+{8,9,11},-{},0>14>");
  world.deliver(i, k);
  EXPECT_EQ(text(world[k].updates()), "<9,+{10},-{},13>14>");
  // 4.5: i and g hear from j.
  world.deliver(j, i);
  world.deliver(j, g);
  EXPECT_EQ(world[i].leader(), NodeId{i});
  EXPECT_EQ(text(world[i].updates()), "<7,+{7,10},-{},0>11> <10,+{7,9,10},-{},0>23>");
  EXPECT_EQ(text(world[g].updates()), "<10,+{9},-{},22>23>");
  // 4.6: the tasks of k, i and g; h hears from k.
  world.task(k);
  world.deliver(k, h);
  EXPECT_EQ(text(world[h].updates()), "<9,+{10},-{},13>14>");
  world.task(i);
  world.task(g);
  // 4.7: k hears from i; the task of h.
  world.deliver(i, k);
  EXPECT_EQ(text(world[k].updates()), "<7,+{7,10},-{},0>11> <10,+{7,9,10},-{},0>23>");
  world.task(h);
  // 4.8: the task of k. 4.9: h hears from k.
  world.task(k);
  world.deliver(k, h);
  EXPECT_EQ(known(world[h]), "7:11{7,10} 8:1{8,11} 9:14{9,10,11} 10:23{7,9,10} 11:14{8,9,11}");
  EXPECT_EQ(leaders(world, {h, i, j, k}), "9 9 9 9");
  // The text considers the update of j useless. It is not: g learns of h, i and k only from it.
  EXPECT_EQ(world[g].leader(), NodeId{j});
  world.task(j);
  world.settle();
  for (const std::uint32_t each : {g, i, j, k}) EXPECT_EQ(world[each].known(), world[h].known());
  EXPECT_EQ(leaders(world, {g, h, i, j, k}), "9 9 9 9 9");
}

TEST(TopologyAwareLife, ClocksRise) {
  live_through_changes<TopologyAware>({.period = Duration{15}});
}

// Where it fails as published. Each trace ends in a quiescent but wrong state.

void make_star(World& world) {
  world.join(1, 2);
  world.settle();
  world.join(1, 3);
  world.settle();
  for (const std::uint32_t each : {1, 2, 3})
    ASSERT_EQ(known(world[each]), "1:2{1,2,3} 2:1{1,2} 3:1{1,3}");
}

TEST(TopologyAwareFails, TA1WhatWaitedIsNeverPassedOn) {
  for (const Edges edges : {Edges::directed, Edges::either}) {
    World world(3, {.edges = edges});
    make_star(world);
    world.join(2, 3);
    world.deliver(2, 1);
    world.deliver(3, 2);
    world.part(2, 3);
    world.task(2);
    world.task(3);
    world.deliver(3, 1, 1);  // overtakes
    EXPECT_EQ(text(world[1].pending()), "<3,+{},-{2},2>3>");
    world.deliver(2, 1);
    EXPECT_EQ(text(world[1].pending()), "");
    world.task(1);
    world.deliver(1, 3);
    world.task(3);
    world.settle();
    EXPECT_EQ(known(world[1]), "1:2{1,2,3} 2:3{1,2} 3:3{1,3}");
    EXPECT_EQ(known(world[2]), "1:2{1,2,3} 2:3{1,2} 3:2{1,2,3}");
    EXPECT_EQ(leaders(world, {1, 2, 3}), "1 3 1");
  }
}

TEST(TopologyAwareFails, TA2AWholeViewIsThrownAway) {
  World world(3);
  world.join(1, 3);
  world.settle();
  world.part(1, 3);
  world.join(1, 2);
  world.deliver(2, 1);
  world.join(2, 3);
  world.deliver(1, 2);
  world.deliver(2, 1);
  world.deliver(2, 3);
  world.deliver(3, 2);
  world.task(2);
  world.deliver(2, 1);
  world.task(1);
  world.task(3);
  world.settle();
  EXPECT_EQ(known(world[2]), "1:3{1,2} 2:2{1,2,3} 3:3{2,3}");
  EXPECT_EQ(known(world[3]), "1:1{1,3} 2:2{1,2,3} 3:3{2,3}");
  EXPECT_EQ(leaders(world, {1, 2, 3}), "2 2 3");
}

TEST(TopologyAwareFails, TA3ANewbornBelievesWhatIsSaidOfIt) {
  for (const Edges edges : {Edges::directed, Edges::either, Edges::mutual}) {
    World world(4, {.edges = edges});
    for (const std::uint32_t each : {1, 2, 3}) {
      world.join(each, each + 1);
      world.settle();
    }
    ASSERT_EQ(known(world[4]), "1:1{1,2} 2:2{1,2,3} 3:2{2,3,4} 4:1{3,4}");
    world.part(2, 3);
    world.task(3);
    world.deliver(3, 4);
    world.task(4);
    world.crash(2);  // before its task was due
    world.tell_down(1, 2);
    world.task(1);
    world.be_born(2);
    world.join(1, 2);
    world.deliver(1, 2);
    EXPECT_EQ(known(world[2]), "1:3{1,2} 2:2{1,2,3} 3:2{2,3,4} 4:1{3,4}");
    world.settle();
    EXPECT_EQ(leaders(world, {1, 2}), "3 3");  // outside their component
  }
}

TEST(TopologyAwareFails, TA4AFastRestartThatNobodyNoticed) {
  World world(3);
  make_star(world);
  world.crash(2);
  world.be_born(2);
  world.up(1, 2);
  world.tell_up(2, 1);
  world.settle();
  EXPECT_EQ(known(world[2]), "2:1{1,2}");
  EXPECT_EQ(leaders(world, {1, 2, 3}), "1 2 1");
}

TEST(TopologyAwareFails, TA5OneLostMessage) {
  for (const Edges edges : {Edges::directed, Edges::mutual}) {
    World world(2, {.edges = edges});
    world.up(1, 2);
    world.tell_up(1, 2);
    world.deliver(1, 2);
    world.tell_up(2, 1);
    world.lose(2, 1);
    world.settle();
    EXPECT_EQ(known(world[1]), "1:1{1,2}");
    EXPECT_EQ(leaders(world, {1, 2}), "1 2");
  }
}

TEST(TopologyAwareFails, TA6ABlipThatNobodySaw) {
  World world(2);
  world.join(1, 2);
  world.down(1, 2);
  world.up(1, 2);
  world.settle();
  EXPECT_EQ(leaders(world, {1, 2}), "1 2");
}

TEST(TopologyAwareFails, TA7ALinkThatOneEndClaims) {
  for (const Edges edges : {Edges::directed, Edges::either, Edges::mutual}) {
    World world(2, {.edges = edges});
    world.join(1, 2);
    world.settle();
    world.part(1, 2);
    world.settle();
    EXPECT_EQ(leaders(world, {1, 2}), edges == Edges::either ? "2 2" : "1 2");
  }
}

}  // namespace
}  // namespace bellwether::algorithms
