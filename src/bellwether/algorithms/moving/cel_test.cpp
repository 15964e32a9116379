// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/moving/cel.hpp"

#include <gtest/gtest.h>

#include "bellwether/algorithms/hand_driver_test.hpp"
#include "bellwether/algorithms/move_by_move_test.hpp"
#include "bellwether/core/codec.hpp"
#include "bellwether/core/print.hpp"

namespace bellwether::algorithms {
namespace {

using Knowledge = Cel::Knowledge;
using World = MoveByMove<Cel>;

std::string known(const Cel& node) {
  return to_text(node.known());
}
MemberView view(std::uint64_t id, std::uint32_t clock,
                const std::vector<std::uint64_t>& neighbours) {
  return {NodeId{id}, clock, core::Shared<Ids>(ids_of(neighbours))};
}

/// Node 5 between 3 and 7, on ports 0 and 1. `draw` is what choose says.
struct CelByHand : testing::Test {
  ByHand<Cel> hand{ids_of({3, 7})};
  Cel node{NodeId{5}, {}};
  std::uint64_t draw = 0;
  int draws = 0;

  CelByHand() {
    hand.draw = [this](std::uint64_t n) {
      EXPECT_EQ(n, 1000u);
      ++draws;
      return draw;
    };
  }
  /// Awake and alone.
  void wake() {
    hand.ports = {};
    node.start(hand.next());
    hand.ports = {Port{0}, Port{1}};
  }
  void receive(std::vector<MemberView> views) {
    node.receive(hand.next(), Port{0}, Knowledge{Known(std::move(views))});
  }
  /// Whether the last step broadcast all that is known, and nothing else.
  bool sent() const {
    if (hand.step.sends().empty()) return false;
    EXPECT_EQ(hand.step.sends().size(), 1u);
    EXPECT_EQ(hand.step.sends()[0].port, core::every_port);
    EXPECT_EQ(hand.step.sends()[0].message, Cel::Message(Knowledge{node.known()}));
    return true;
  }
};

TEST_F(CelByHand, BeginsAlone) {  // lines 5 to 7
  EXPECT_EQ(known(node), "5:0{5}");
  EXPECT_EQ(node.leader(), NodeId{5});
  wake();
  EXPECT_EQ(known(node), "5:0{5}");
  EXPECT_FALSE(sent());
}

TEST_F(CelByHand, ConnectionOfAnUnknownNode) {  // lines 9 to 13 and 17
  wake();
  node.link_up(hand.next(), Port{1});
  EXPECT_EQ(known(node), "5:1{5,7} 7:1{5,7}");
  EXPECT_TRUE(sent());
  EXPECT_EQ(node.leader(), NodeId{7});
}

TEST_F(CelByHand, ConnectionOfAKnownNode) {  // lines 14 to 17
  wake();
  receive({view(7, 4, {7, 9}), view(9, 2, {7, 9})});
  node.link_up(hand.next(), Port{1});
  EXPECT_EQ(known(node), "5:1{5,7} 7:5{5,7,9} 9:2{7,9}");
  EXPECT_TRUE(sent());
}

TEST_F(CelByHand, Disconnection) {  // lines 18 to 23
  node.start(hand.next());
  EXPECT_EQ(known(node), "3:1{3,5} 5:2{3,5,7} 7:1{5,7}");
  hand.ports = {Port{0}};
  node.link_down(hand.next(), Port{1});
  EXPECT_EQ(known(node), "3:1{3,5} 5:3{3,5} 7:2{7}");
  EXPECT_TRUE(sent());
  EXPECT_EQ(node.leader(), NodeId{5});
}

TEST_F(CelByHand, LinksThatAreUpAreConnectionsWithOneBroadcast) {
  node.start(hand.next());
  EXPECT_EQ(known(node), "3:1{3,5} 5:2{3,5,7} 7:1{5,7}");
  EXPECT_TRUE(sent());
  node.start(hand.next());
  EXPECT_FALSE(sent());
  EXPECT_EQ(known(node), "3:1{3,5} 5:2{3,5,7} 7:1{5,7}");
}

TEST_F(CelByHand, WhoWasNotStartedWakesByWhatReachesIt) {
  node.link_up(hand.next(), Port{1});
  EXPECT_EQ(known(node), "3:1{3,5} 5:2{3,5,7} 7:1{5,7}");
  Cel lost{NodeId{5}, {}};
  hand.ports = {Port{1}};
  lost.link_down(hand.next(), Port{0});
  EXPECT_EQ(known(lost), "5:1{5,7} 7:1{5,7}");
  Cel told{NodeId{5}, {}};
  told.receive(hand.next(), Port{1}, Knowledge{Known({view(9, 1, {9})})});
  EXPECT_EQ(known(told), "5:1{5,7} 7:1{5,7} 9:1{9}");
}

TEST_F(CelByHand, WhatIsNewOrLaterReplaces) {  // lines 26 to 28
  node.start(hand.next());
  receive({view(1, 8, {1, 3}), view(3, 6, {1, 3, 5})});
  EXPECT_EQ(known(node), "1:8{1,3} 3:6{1,3,5} 5:2{3,5,7} 7:1{5,7}");
  EXPECT_TRUE(sent());
  receive({view(1, 7, {1}), view(3, 5, {3})});  // older
  EXPECT_FALSE(sent());
  EXPECT_EQ(known(node), "1:8{1,3} 3:6{1,3,5} 5:2{3,5,7} 7:1{5,7}");
}

TEST_F(CelByHand, EqualClocksUnite) {  // lines 30 and 31
  node.start(hand.next());
  receive({view(7, 1, {5, 9})});
  EXPECT_EQ(known(node), "3:1{3,5} 5:2{3,5,7} 7:1{5,7,9}");
  EXPECT_TRUE(sent());
  receive({view(7, 1, {5, 9})});
  EXPECT_FALSE(sent()) << "nothing was updated";
}

TEST_F(CelByHand, NeighboursOfTheNewcomersAreUpdatedToo) {  // lines 35 to 41
  node.start(hand.next());
  // 9 is new: its neighbours 3 (same clock) and 7 (later) follow; of 11 there is no entry.
  receive({view(3, 1, {3, 9}), view(7, 4, {7, 9}), view(9, 2, {3, 7, 9, 11})});
  EXPECT_EQ(known(node), "3:1{3,5,9} 5:2{3,5,7} 7:4{7,9} 9:2{3,7,9,11}");
}

TEST_F(CelByHand, ANodeBelievesWhatIsSaidOfIt) {  // as published: CEL-1, CEL-2
  node.start(hand.next());
  receive({view(5, 3, {5, 9})});
  EXPECT_EQ(known(node), "3:1{3,5} 5:3{5,9} 7:1{5,7}");
}

TEST_F(CelByHand, ASmallerNeighbourWithTheSameNeighboursSparesIt) {  // lines 42 to 46
  node.start(hand.next());
  receive({view(3, 2, {3, 5, 7})});
  EXPECT_FALSE(sent());
  EXPECT_EQ(known(node), "3:2{3,5,7} 5:2{3,5,7} 7:1{5,7}");
}

TEST_F(CelByHand, ALargerOneOrOneWithOthersDoesNot) {
  node.start(hand.next());
  receive({view(7, 2, {3, 5, 7})});  // the same, but larger
  EXPECT_TRUE(sent());
  receive({view(3, 2, {3, 5, 7, 9})});  // smaller, but one more
  EXPECT_TRUE(sent());
  Cel other{NodeId{5}, {}};
  hand.ports = {Port{1}};
  other.start(hand.next());
  other.receive(hand.next(), Port{1}, Knowledge{Known({view(2, 1, {5, 7})})});  // no neighbour
  EXPECT_EQ(hand.step.sends().size(), 1u);
}

TEST_F(CelByHand, GossipsWithProbabilityRho) {  // line 47
  node = Cel{NodeId{5}, {.rho = 0.7}};
  node.start(hand.next());
  EXPECT_EQ(hand.step.sends().size(), 1u) << "its own news is certain";
  EXPECT_EQ(draws, 0);
  std::uint64_t id = 10;
  const auto passes_on = [&](double rho, std::uint64_t drawn) {
    draw = drawn;
    Cel copy{NodeId{5}, {.rho = rho}};
    hand.ports = {Port{1}};  // so that there is no smaller node
    copy.start(hand.next());
    copy.receive(hand.next(), Port{1}, Knowledge{Known({view(++id, 1, {id})})});
    return hand.step.sends().size() == 1;
  };
  EXPECT_TRUE(passes_on(0.7, 0));
  EXPECT_TRUE(passes_on(0.7, 699));
  EXPECT_FALSE(passes_on(0.7, 700));
  EXPECT_FALSE(passes_on(0.7, 999));
  EXPECT_EQ(draws, 4);
  EXPECT_TRUE(passes_on(1, 999));
  EXPECT_TRUE(passes_on(7, 999));
  EXPECT_FALSE(passes_on(0, 0));
  EXPECT_FALSE(passes_on(-1, 0));
  EXPECT_EQ(draws, 4) << "what is certain is not drawn";
}

TEST_F(CelByHand, NobodyDrawsWhoIsSpared) {
  node = Cel{NodeId{5}, {.rho = 0.7}};
  node.start(hand.next());
  node.receive(hand.next(), Port{0}, Knowledge{Known({view(3, 2, {3, 5, 7})})});
  EXPECT_EQ(draws, 0);
}

TEST_F(CelByHand, RefusesWhatIsNoMap) {
  wake();
  receive({view(9, 1, {9}), view(8, 1, {8})});
  receive({view(9, 1, {9, 8})});
  EXPECT_EQ(known(node), "5:0{5}");
}

TEST_F(CelByHand, TheHorizonHidesWhatIsFar) {
  node = Cel{NodeId{5}, {.horizon = 2}};
  node.start(hand.next());
  // 7-9-11-13: 9 is two hops away, 11 three.
  const std::vector<MemberView> line{view(7, 2, {5, 7, 9}), view(9, 2, {7, 9, 11}),
                                     view(11, 2, {9, 11, 13}), view(13, 1, {11, 13})};
  receive(line);
  EXPECT_EQ(known(node), "3:1{3,5} 5:2{3,5,7} 7:2{5,7,9} 9:2{7,9,11}");
  EXPECT_TRUE(sent());
  EXPECT_EQ(node.leader(), NodeId{7});
  receive(line);
  EXPECT_FALSE(sent()) << "what is beyond is no news";
  hand.ports = {Port{0}};
  node.link_down(hand.next(), Port{1});
  EXPECT_EQ(known(node), "3:1{3,5} 5:3{3,5}");
  EXPECT_TRUE(sent());
}

/// Nodes 1..n in a line, with both ends of each link notified at once, and drained.
void make_line(World& world, std::uint32_t n) {
  for (std::uint32_t i = 1; i < n; ++i) {
    world.join(i, i + 1);
    world.settle();
  }
}

TEST(CelHorizon, AChangeStaysInItsSurroundings) {
  World world(12, {.horizon = 3});
  make_line(world, 12);
  for (std::uint32_t i = 1; i <= 12; ++i) {
    const std::uint32_t low = i > 3 ? i - 3 : 1;
    const std::uint32_t high = std::min(i + 3, 12u);
    ASSERT_EQ(world[i].known()->size(), high - low + 1);
    EXPECT_EQ(world[i].known()->front().id, NodeId{low});
    EXPECT_EQ(world[i].leader(), NodeId{(low + high + 1) / 2});
  }
  std::vector<Cel> before;
  for (std::uint32_t i = 1; i <= 12; ++i) before.push_back(world[i]);
  world.part(1, 2);
  world.settle();
  for (std::uint32_t i = 1; i <= 12; ++i) EXPECT_EQ(world[i] == before[i - 1], i > 5) << i;
}

TEST(CelPage, ARun) {
  World world(4);
  make_line(world, 3);
  for (const std::uint32_t each : {1, 2, 3})
    EXPECT_EQ(known(world[each]), "1:1{1,2} 2:2{1,2,3} 3:1{2,3}");
  EXPECT_EQ(leaders(world, {1, 2, 3}), "2 2 2");
  world.up(3, 4);
  world.tell_up(3, 4);
  EXPECT_EQ(known(world[3]), "1:1{1,2} 2:2{1,2,3} 3:2{2,3,4} 4:1{3,4}");
  world.tell_up(4, 3);
  EXPECT_EQ(known(world[4]), "3:1{3,4} 4:1{3,4}");
  world.deliver(3, 4);
  EXPECT_EQ(world[4].known(), world[3].known());
  world.settle();
  EXPECT_EQ(leaders(world, {1, 2, 3, 4}), "3 3 3 3");
}

TEST(CelLife, ClocksRise) {
  live_through_changes<Cel>({});
}

// Where it fails as published. Each trace ends in a quiescent but wrong state.

TEST(CelFails, CEL1ANodeAdoptsTheClaimOfANeighbour) {
  World world(2);
  world.up(1, 2);
  world.tell_up(2, 1);
  world.deliver(2, 1);
  world.down(1, 2);  // before 1 has seen it
  world.tell_down(2, 1);
  world.settle();
  EXPECT_EQ(known(world[1]), "1:1{1,2} 2:1{1,2}");
  EXPECT_EQ(leaders(world, {1, 2}), "2 2");
}

TEST(CelFails, CEL2ALiveLinkDisappears) {
  for (const Edges edges : {Edges::directed, Edges::mutual}) {
    World world(4, {.edges = edges});
    world.join(2, 3);
    world.settle();
    world.join(1, 4);
    world.settle();
    world.up(1, 2);
    world.tell_up(1, 2);
    EXPECT_EQ(known(world[1]), "1:2{1,2,4} 2:1{1,2} 4:1{1,4}");
    world.deliver(1, 4);
    world.up(2, 4);
    world.tell_up(4, 2);
    world.deliver(4, 2);
    EXPECT_EQ(find(world[2].known(), NodeId{2})->neighbours, core::Shared<Ids>(ids_of({1, 2, 4})));
    world.tell_up(2, 1);
    world.settle();
    world.tell_up(2, 4);
    world.settle();
    for (const std::uint32_t each : {1, 2, 3, 4}) {
      EXPECT_EQ(to_text(Known({*find(world[each].known(), NodeId{2})})), "2:4{1,2,4}") << each;
      EXPECT_EQ(to_text(Known({*find(world[each].known(), NodeId{3})})), "3:1{2,3}") << each;
    }
    EXPECT_EQ(leaders(world, {1, 2, 3, 4}), "4 4 3 4");
  }
}

TEST(CelFails, CEL3ADeadNodeIsElectedForEver) {
  for (const Edges edges : {Edges::directed, Edges::either, Edges::mutual}) {
    World world(3, {.edges = edges});
    world.join(1, 3);
    world.settle();
    world.join(2, 3);
    world.settle();
    ASSERT_EQ(known(world[1]), "1:1{1,3} 2:1{2,3} 3:2{1,2,3}");
    world.crash(3);
    world.tell_down(2, 3);
    EXPECT_EQ(known(world[2]), "1:1{1,3} 2:2{2} 3:3{1,3}");
    world.up(1, 2);
    world.tell_up(1, 2);
    world.deliver(1, 2);
    world.tell_down(1, 3);
    world.tell_up(2, 1);
    world.deliver(1, 2);
    world.deliver(2, 1);
    world.settle();
    for (const std::uint32_t each : {1, 2})
      EXPECT_EQ(known(world[each]), "1:3{1,2,3} 2:3{1,2,3} 3:3{1,2,3}");
    EXPECT_EQ(leaders(world, {1, 2}), "3 3");
  }
}

TEST(CelFails, CEL4ANewbornBelievesWhatIsSaidOfIt) {
  World world(4);
  make_line(world, 4);
  world.part(2, 3);
  world.deliver(3, 4);
  world.crash(2);
  world.tell_down(1, 2);
  world.be_born(2);
  world.join(1, 2);
  world.settle();
  EXPECT_EQ(leaders(world, {1, 2}), "3 3");  // outside their component
}

TEST(CelFails, CEL5AFastRestartThatNobodyNoticed) {
  World world(3);
  world.join(1, 2);
  world.settle();
  world.join(1, 3);
  world.settle();
  world.crash(2);
  world.be_born(2);
  world.up(1, 2);
  world.tell_up(2, 1);
  world.settle();
  EXPECT_EQ(leaders(world, {1, 2, 3}), "1 2 1");
}

TEST(CelFails, CEL6OneLostMessage) {
  for (const Edges edges : {Edges::directed, Edges::either, Edges::mutual}) {
    World world(3, {.edges = edges});
    world.join(1, 2);
    world.settle();
    world.join(1, 3);
    world.settle();
    world.down(1, 2);
    world.tell_down(1, 2);
    world.lose(1, 3);
    world.tell_down(2, 1);
    world.settle();
    EXPECT_EQ(leaders(world, {1, 3}), "3 1");
  }
}

TEST(Cel, KnowledgeTakesAboutAsManyBytesAsInTheThesis) {
  // 60 nodes; as many neighbours as the thesis's radio has within 80 m, 4.8 on average, or fewer.
  // Its figure there is 1323 bytes.
  for (const std::uint64_t degree : {2u, 4u, 5u}) {
    std::vector<MemberView> views;
    for (std::uint64_t i = 0; i < 60; ++i) {
      Ids neighbours;
      for (std::uint64_t d = 0; d <= degree; ++d)  // itself among them
        neighbours.push_back(NodeId{20'000 + (i + d) % 60});
      std::sort(neighbours.begin(), neighbours.end());
      views.push_back({NodeId{20'000 + i}, 100, core::Shared<Ids>(std::move(neighbours))});
    }
    const std::size_t bytes = core::encoded_size(Cel::Message(Knowledge{Known(views)}));
    EXPECT_EQ(bytes, 2 + 60 * (3 + 1 + 1 + 3 * (degree + 1)));
    EXPECT_GT(bytes, 263u);
    EXPECT_LT(bytes, 1500u);
  }
}

}  // namespace
}  // namespace bellwether::algorithms
