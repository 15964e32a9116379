// SPDX-License-Identifier: MIT
// What is particular to the repaired CEL, and the traces in which the published one fails. The
// rules that it shares are in knowledge_sync_test.
#include "bellwether/algorithms/moving/cel_2.hpp"

#include <gtest/gtest.h>

#include "bellwether/algorithms/hand_driver_test.hpp"
#include "bellwether/algorithms/move_by_move_test.hpp"
#include "bellwether/core/print.hpp"

namespace bellwether::algorithms {
namespace {

using World = MoveByMove<Cel2>;
using std::chrono::milliseconds;

std::string known(const Cel2& node) {
  return to_text(node.known());
}
MemberView view(std::uint64_t id, std::uint64_t clock,
                const std::vector<std::uint64_t>& neighbours) {
  return {NodeId{id}, clock, core::Shared<Ids>(ids_of(neighbours))};
}

/// Node 5 between 3 and 7, on ports 0 and 1.
struct Cel2ByHand : testing::Test {
  ByHand<Cel2> hand{ids_of({3, 7})};
  Cel2 node{NodeId{5}, {}};

  void receive(std::vector<MemberView> views, const std::vector<std::uint64_t>& greets = {}) {
    node.receive(hand.next(), Port{0}, Knowledge{Known(std::move(views)), ids_of(greets)});
  }
  /// Whether the last step broadcast all that is known, without greetings, and nothing else.
  bool told() const {
    return hand.step.sends().size() == 1 && hand.step.sends()[0].port == core::every_port &&
           hand.step.sends()[0].message == Cel2::Message(Knowledge{node.known(), {}});
  }
};

TEST_F(Cel2ByHand, ANodeWritesNoEntryButItsOwn) {
  node.start(hand.next());
  EXPECT_EQ(known(node), "5:1{3,5,7}");
  hand.ports = {Port{0}};
  node.link_down(hand.next(), Port{1});
  EXPECT_EQ(known(node), "5:2{3,5}");
  EXPECT_TRUE(told());
}

TEST_F(Cel2ByHand, WhatIsLearnedIsToldUnlessASmallerNeighbourDoes) {
  node.start(hand.next());
  receive({view(7, 2, {3, 5, 7})});
  EXPECT_TRUE(told());
  receive({view(3, 2, {3, 5, 7})});
  EXPECT_TRUE(hand.step.sends().empty()) << "3 has the same neighbours and is smaller";
  receive({view(9, 1, {9})}, {5});
  ASSERT_EQ(hand.step.sends().size(), 1u) << "but who greets is answered";
  EXPECT_EQ(hand.step.sends()[0].port, Port{0});
}

TEST_F(Cel2ByHand, OwnNewsAreNeitherPrunedNorLeftToChance) {
  node = Cel2{NodeId{5}, {.rho = 0}};
  node.start(hand.next());
  receive({view(3, 2, {3, 5, 7})});
  EXPECT_TRUE(hand.step.sends().empty());
  receive({view(5, 8, {5})});
  EXPECT_TRUE(told());
  hand.ports = {Port{0}};
  node.link_down(hand.next(), Port{1});
  EXPECT_TRUE(told());
}

TEST_F(Cel2ByHand, WhoHasToldAllDoesNotAnswerBesides) {
  node.start(hand.next());
  receive({view(9, 1, {9})}, {5});
  EXPECT_TRUE(told());
}

/// Nodes 1..n in a line, with both ends of each link notified at once, and drained.
void make_line(World& world, std::uint32_t n) {
  for (std::uint32_t i = 1; i < n; ++i) {
    world.join(i, i + 1);
    world.settle();
  }
}
/// All of them know the same, and no node waits for anything.
void expect_one_mind(const World& world, const std::vector<std::uint32_t>& nodes,
                     const std::string& all) {
  for (const std::uint32_t each : nodes) {
    EXPECT_EQ(known(world[each]), all) << each;
    EXPECT_FALSE(world.armed(each)) << each;
  }
}

TEST(Cel2Page, ARun) {
  World world(4);
  make_line(world, 3);
  expect_one_mind(world, {1, 2, 3}, "1:2{1,2} 2:3{1,2,3} 3:2{2,3}");
  EXPECT_EQ(leaders(world, {1, 2, 3}), "2 2 2");
  world.up(3, 4);
  world.tell_up(3, 4);
  EXPECT_EQ(known(world[3]), "1:2{1,2} 2:3{1,2,3} 3:3{2,3,4}");
  world.deliver(3, 4);  // a stranger
  EXPECT_EQ(known(world[4]), "1:2{1,2} 2:3{1,2,3} 3:3{2,3,4} 4:1{4}");
  EXPECT_EQ(world.transit(4, 3), 0u);
  world.tell_up(4, 3);
  world.deliver(4, 3);
  EXPECT_EQ(world[3].known(), world[4].known());
  EXPECT_EQ(world.transit(3, 4), 1u) << "3 has learned something and tells all";
  world.settle();
  expect_one_mind(world, {1, 2, 3, 4}, "1:2{1,2} 2:3{1,2,3} 3:3{2,3,4} 4:2{3,4}");
  EXPECT_EQ(leaders(world, {1, 2, 3, 4}), "3 3 3 3");
}

// Priorities.

TEST_F(Cel2ByHand, APriorityIsAChangeOfTheOwnEntry) {
  node = Cel2{NodeId{5}, {.rho = 0}};
  node.start(hand.next());
  EXPECT_EQ(node.priority(), 100u);
  receive({view(3, 2, {3, 5, 7}), view(7, 2, {3, 5, 7})});
  EXPECT_EQ(node.leader(), NodeId{7});
  node.receive(hand.next(), Port{0}, Digest{core::digest(node.known()), false});
  node.receive(hand.next(), Port{1}, Digest{core::digest(node.known()), false});
  EXPECT_EQ(node.confirmed().size(), 2u);
  node.set_priority(hand.next(), 101);
  EXPECT_EQ(known(node), "3:2{3,5,7} 5:2{3,7}@101 7:2{3,5,7}");
  EXPECT_TRUE(told()) << "for certain, though gossip passes nothing on";
  EXPECT_EQ(hand.step.alarms().size(), 1u) << "until the others have confirmed it";
  EXPECT_TRUE(node.confirmed().empty());
  EXPECT_EQ(node.priority(), 101u);
  EXPECT_EQ(node.leader(), NodeId{5});
  const Cel2 before = node;
  node.set_priority(hand.next(), 101);
  EXPECT_EQ(node, before);
  EXPECT_TRUE(hand.step.sends().empty() && hand.step.alarms().empty());
  node.set_priority(hand.next(), 100);
  EXPECT_EQ(known(node), "3:2{3,5,7} 5:3{3,5,7} 7:2{3,5,7}");
  EXPECT_EQ(node.leader(), NodeId{7});
}

TEST_F(Cel2ByHand, BeforeTheStartItIsPartOfTheFirstEntry) {
  node.set_priority(hand.next(), 0);
  EXPECT_TRUE(hand.step.sends().empty() && hand.step.alarms().empty());
  EXPECT_FALSE(node.awake());
  EXPECT_EQ(known(node), "5:0{}@0");
  EXPECT_EQ(node.leader(), std::nullopt);
  node.start(hand.next());
  EXPECT_EQ(known(node), "5:1{3,7}@0");
  EXPECT_EQ(node.leader(), std::nullopt);
  receive({view(3, 2, {3, 5})});
  EXPECT_EQ(node.leader(), NodeId{3});
  EXPECT_EQ(Cel2().priority(), 100u);
  EXPECT_EQ(Cel2().leader(), NodeId{});
}

TEST_F(Cel2ByHand, APriorityIsDefended) {
  node.start(hand.next());
  node.set_priority(hand.next(), 7);
  EXPECT_EQ(known(node), "5:2{3,7}@7");
  receive({{NodeId{5}, 2, core::Shared<Ids>(ids_of({3, 7})), 7}});
  EXPECT_EQ(known(node), "5:2{3,7}@7");
  receive({{NodeId{5}, 1, core::Shared<Ids>(ids_of({3, 7})), 8}});
  EXPECT_EQ(known(node), "5:2{3,7}@7") << "an old version says nothing";
  receive({{NodeId{5}, 2, core::Shared<Ids>(ids_of({3, 7})), 8}});
  EXPECT_EQ(known(node), "5:3{3,7}@7");
  EXPECT_TRUE(told());
  receive({view(5, 3, {3, 5, 7})});
  EXPECT_EQ(known(node), "5:4{3,7}@7");
  EXPECT_TRUE(told());
  receive({view(5, 4, {3, 7})});
  EXPECT_EQ(known(node), "5:5{3,7}@7") << "no node writes this of itself";
}

TEST_F(Cel2ByHand, WhoHasAPriorityIsSparedNothing) {
  node.start(hand.next());
  receive({view(3, 2, {3, 5, 7}), view(7, 2, {3, 5, 7})});
  EXPECT_TRUE(hand.step.sends().empty()) << "3 has the same neighbours";
  node.set_priority(hand.next(), 1);
  receive({view(3, 3, {3, 7}), view(7, 3, {3, 5, 7})});
  EXPECT_TRUE(told()) << "3 has the same set, but does not know us";
}

TEST(Cel2Priorities, TheHighestLeadsAndThenTheMostCentral) {
  World world(5);
  make_line(world, 5);
  EXPECT_EQ(leaders(world, {1, 2, 3, 4, 5}), "3 3 3 3 3");
  const std::string usual = known(world[1]);
  world.set_priority(1, 200);
  world.settle();
  EXPECT_EQ(leaders(world, {1, 2, 3, 4, 5}), "1 1 1 1 1");
  world.set_priority(4, 200);
  world.set_priority(5, 200);
  world.settle();
  EXPECT_EQ(leaders(world, {1, 2, 3, 4, 5}), "4 4 4 4 4") << "the most central of the three";
  for (const std::uint32_t i : {1, 4, 5}) world.set_priority(i, 100);
  world.settle();
  EXPECT_EQ(leaders(world, {1, 2, 3, 4, 5}), "3 3 3 3 3");
  expect_one_mind(world, {1, 2, 3, 4, 5}, "1:4{1,2} 2:3{1,2,3} 3:3{2,3,4} 4:5{3,4,5} 5:4{4,5}");
  EXPECT_EQ(usual, "1:2{1,2} 2:3{1,2,3} 3:3{2,3,4} 4:3{3,4,5} 5:2{4,5}");
}

TEST(Cel2Priorities, WhoHasNoneNeverLeads) {
  World world(4);
  make_line(world, 3);
  world.set_priority(2, 0);
  EXPECT_EQ(world[2].leader(), NodeId{3}) << "at once";
  world.settle();
  EXPECT_EQ(leaders(world, {1, 2, 3}), "3 3 3");
  world.set_priority(3, 0);
  world.settle();
  EXPECT_EQ(leaders(world, {1, 2, 3}), "1 1 1");
  world.set_priority(1, 0);
  world.settle();
  EXPECT_EQ(leaders(world, {1, 2, 3}), "- - -");
  expect_one_mind(world, {1, 2, 3}, "1:3{2}@0 2:4{1,3}@0 3:3{2}@0");
  world.join(3, 4);  // who may lead
  world.settle();
  EXPECT_EQ(leaders(world, {1, 2, 3, 4}), "4 4 4 4");
  world.part(2, 3);
  world.settle();
  EXPECT_EQ(leaders(world, {1, 2, 3, 4}), "- - 4 4");
  world.set_priority(2, 100);
  world.settle();
  EXPECT_EQ(leaders(world, {1, 2, 3, 4}), "2 2 4 4");
}

TEST(Cel2Priorities, ALostOneIsMadeGoodByADigest) {
  World world(3);
  make_line(world, 3);
  world.set_priority(1, 300);
  world.lose(1, 2);
  EXPECT_EQ(leaders(world, {1, 2, 3}), "1 2 2");
  world.settle();
  EXPECT_EQ(leaders(world, {1, 2, 3}), "1 1 1");
  expect_one_mind(world, {1, 2, 3}, "1:3{2}@300 2:3{1,2,3} 3:2{2,3}");
}

/// The leader of `self` by a search of its own, from what the world is like.
std::optional<NodeId> plain_leader(std::uint32_t self,
                                   const std::set<std::pair<std::uint32_t, std::uint32_t>>& links,
                                   const std::map<std::uint32_t, std::uint32_t>& priorities) {
  const auto distances = [&](std::uint32_t from) {
    std::map<std::uint32_t, std::uint64_t> out{{from, 0}};
    for (std::deque<std::uint32_t> next{from}; !next.empty(); next.pop_front())
      for (const auto& [a, b] : links)
        if (a == next.front() || b == next.front())
          if (const auto other = a + b - next.front();
              out.emplace(other, out[next.front()] + 1).second)
            next.push_back(other);
    return out;
  };
  std::tuple<std::uint32_t, std::int64_t, std::uint32_t> best{0, 0, 0};
  for (const auto& [u, distance] : distances(self)) {
    std::int64_t sum = 0;
    for (const auto& [v, far] : distances(u)) sum += static_cast<std::int64_t>(far);
    best = std::max(best, {priorities.at(u), -sum, u});
  }
  if (std::get<0>(best) == 0) return std::nullopt;
  return NodeId{std::get<2>(best)};
}

TEST(Cel2Priorities, WhateverHappensAllAgreeInTheEnd) {
  constexpr std::uint32_t n = 7;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    core::Prng prng(seed);
    World world(n);
    std::set<std::pair<std::uint32_t, std::uint32_t>> links;
    std::map<std::uint32_t, std::uint32_t> priorities;
    for (std::uint32_t i = 1; i <= n; ++i) priorities[i] = 100;
    for (int move = 0; move < 120; ++move) {
      const auto a = static_cast<std::uint32_t>(1 + prng.below(n));
      const auto b = static_cast<std::uint32_t>(1 + prng.below(n));
      const std::uint64_t what = prng.below(20);
      if (what == 0) {
        world.set_priority(a, priorities[a] = static_cast<std::uint32_t>(prng.below(3) * 100));
      } else if (a == b) {
        if (world.armed(a)) world.task(a);
      } else if (what < 3 && links.insert(std::minmax(a, b)).second) {
        world.join(a, b);
      } else if (what == 3 && links.erase(std::minmax(a, b)) != 0) {
        world.part(a, b);
      } else if (const std::size_t many = world.transit(a, b); many > 0) {
        const std::size_t behind = prng.below(many);
        what < 7 ? world.lose(a, b, behind) : world.deliver(a, b, behind);
      }
    }
    world.settle();
    for (std::uint32_t i = 1; i <= n; ++i) {
      ASSERT_EQ(world[i].priority(), priorities[i]) << "seed " << seed;
      ASSERT_EQ(world[i].leader(), plain_leader(i, links, priorities))
          << "seed " << seed << " node " << i << " " << known(world[i]);
    }
  }
}

// The traces in which CEL fails as published: see cel_test.

TEST(Cel2Repairs, CEL1NobodyBelievesWhatIsSaidOfIt) {
  World world(2);
  world.up(1, 2);
  world.tell_up(2, 1);
  world.deliver(2, 1);
  world.down(1, 2);  // before 1 has seen it
  world.tell_down(2, 1);
  world.settle();
  EXPECT_EQ(known(world[1]), "1:1{1} 2:2{1,2}");
  EXPECT_EQ(leaders(world, {1, 2}), "1 2");
}

TEST(Cel2Repairs, CEL2ALiveLinkStays) {
  World world(4);
  world.join(2, 3);
  world.settle();
  world.join(1, 4);
  world.settle();
  world.up(1, 2);
  world.tell_up(1, 2);
  world.deliver(1, 4);
  world.up(2, 4);
  world.tell_up(4, 2);
  world.deliver(4, 2);
  world.tell_up(2, 1);
  world.drain();  // 4 keeps asking until 2 is notified of it
  world.tell_up(2, 4);
  world.settle();
  expect_one_mind(world, {1, 2, 3, 4}, "1:3{1,2,4} 2:4{1,2,3,4} 3:2{2,3} 4:3{1,2,4}");
  EXPECT_EQ(leaders(world, {1, 2, 3, 4}), "2 2 2 2");
}

TEST(Cel2Repairs, CEL3ADeadNodeIsForgotten) {
  World world(3);
  world.join(1, 3);
  world.settle();
  world.join(2, 3);
  world.settle();
  world.crash(3);
  world.tell_down(2, 3);
  world.up(1, 2);
  world.tell_up(1, 2);
  world.deliver(1, 2);
  world.tell_down(1, 3);
  world.tell_up(2, 1);
  world.settle();
  expect_one_mind(world, {1, 2}, "1:4{1,2} 2:4{1,2} 3:3{1,2,3}");
  EXPECT_EQ(leaders(world, {1, 2}), "2 2");
}

TEST(Cel2Repairs, CEL4ANewbornBeginsAboveItsFormerLife) {
  World world(4);
  make_line(world, 4);
  world.part(2, 3);
  world.deliver(3, 4);
  world.crash(2);
  world.tell_down(1, 2);
  world.wait(milliseconds(1));
  world.be_born(2);
  world.join(1, 2);
  world.settle();
  EXPECT_EQ(to_text(Known({*find(world[1].known(), NodeId{2})})), "2:1002{1,2}");
  EXPECT_EQ(leaders(world, {1, 2}), "2 2");
  EXPECT_EQ(leaders(world, {3, 4}), "4 4");
}

TEST(Cel2Repairs, CEL5WhoIsGreetedAnswers) {
  World world(3);
  world.join(1, 2);
  world.settle();
  world.join(1, 3);
  world.settle();
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

TEST(Cel2Repairs, CEL6ALostMessageIsMadeGoodByADigest) {
  World world(3);
  world.join(1, 2);
  world.settle();
  world.join(1, 3);
  world.settle();
  world.down(1, 2);
  world.tell_down(1, 2);
  world.lose(1, 3);
  world.tell_down(2, 1);
  EXPECT_TRUE(world.armed(1));
  world.task(1);
  world.lose(1, 3);  // the digest, too
  EXPECT_TRUE(world.armed(1));
  world.settle();
  expect_one_mind(world, {1, 3}, "1:4{1,3} 2:2{1,2} 3:2{1,3}");
  EXPECT_EQ(leaders(world, {1, 3}), "3 3");
}

/// Defending an entry is not enough: 3 would keep the entry of 1 from before its restart.
TEST(Cel2Repairs, R1VersionsOfANewLifeAreLater) {
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

TEST(Cel2Repairs, WhatGossipLeftOutComesWithADigest) {
  World world(5, {.rho = 0});
  make_line(world, 5);
  EXPECT_EQ(leaders(world, {1, 2, 3, 4, 5}), "3 3 3 3 3");
  expect_one_mind(world, {1, 2, 3, 4, 5}, known(world[1]));
}

// With a horizon.

TEST(Cel2Horizon, AChangeStaysInItsSurroundings) {
  World world(12, {.horizon = 3});
  make_line(world, 12);
  for (std::uint32_t i = 1; i <= 12; ++i) {
    const std::uint32_t low = i > 3 ? i - 3 : 1;
    const std::uint32_t high = std::min(i + 3, 12u);
    ASSERT_EQ(world[i].known()->size(), high - low + 1);
    EXPECT_EQ(world[i].known()->front().id, NodeId{low});
    EXPECT_EQ(world[i].leader(), NodeId{(low + high + 1) / 2});
  }
  std::vector<Known> before;
  for (std::uint32_t i = 1; i <= 12; ++i) before.push_back(world[i].known());
  world.part(1, 2);
  world.settle();
  for (std::uint32_t i = 1; i <= 12; ++i) EXPECT_EQ(world[i].known() == before[i - 1], i > 5) << i;
}

TEST(Cel2Horizon, WhatIsBeyondIsNoNews) {
  ByHand<Cel2> hand{ids_of({3, 7})};
  Cel2 node{NodeId{5}, {.horizon = 1}};
  node.start(hand.next());
  node.receive(hand.next(), Port{1}, Knowledge{Known({view(7, 2, {5, 7, 9})}), {}});
  const Cel2 before = node;
  const Cel2::Message beyond = Knowledge{Known({view(9, 1, {7, 9})}), {}};
  node.receive(hand.next(), Port{1}, beyond);
  EXPECT_EQ(node, before);
  EXPECT_TRUE(hand.step.sends().empty());
  EXPECT_TRUE(Cel2::no_op_lasts(beyond, {}, true));
  EXPECT_FALSE(Cel2::no_op_lasts(beyond, {.horizon = 1}, true)) << "9 may come nearer";
}

/// What node u should know: the nodes within `hops`, and their entries.
std::vector<NodeId> surroundings(const HandDriver<Cel2>& driver, NodeIndex u, std::uint32_t hops) {
  std::set<NodeIndex> near{u};
  for (std::uint32_t hop = 0; hop < hops; ++hop)
    for (const NodeIndex v : std::set(near))
      for (const auto& channel : driver.channels(v)) near.insert(channel.to);
  std::set<NodeId> ids;
  for (const NodeIndex v : near) ids.insert(driver.id(v));
  return {ids.begin(), ids.end()};
}

TEST(Cel2Horizon, WhateverHappensAllKnowTheirSurroundingsInTheEnd) {
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    core::Prng prng(seed);
    const auto horizon = static_cast<std::uint32_t>(1 + prng.below(4));
    HandDriver<Cel2> driver(
        shuffled_ids(9, prng), {.horizon = horizon, .digest = milliseconds(1)},
        {.min = Duration(1000), .max = Duration(200'000), .fifo = seed % 2 == 0, .loss = 0.1},
        seed);
    for (NodeIndex i = 1; i < 9; ++i) driver.link(i, i - 1);
    driver.start_all();
    for (int i = 1; i < 30; ++i) {
      driver.run(Time(i * 100'000));
      const auto a = static_cast<NodeIndex>(prng.below(9));
      const auto b = static_cast<NodeIndex>(prng.below(9));
      if (a != b) prng.below(3) == 0 ? driver.join(a, b) : driver.part(a, b);
    }
    driver.run();
    for (NodeIndex i = 0; i < 9; ++i) {
      const std::vector<NodeId> near = surroundings(driver, i, horizon);
      ASSERT_EQ(driver.node(i).known()->size(), near.size()) << "seed " << seed << " node " << i;
      for (const NodeId id : near) ASSERT_TRUE(find(driver.node(i).known(), id)) << seed;
    }
  }
}

TEST(Cel2Life, ClocksRiseWithAHorizon) {
  live_through_changes<Cel2>({.horizon = 2});
}

}  // namespace
}  // namespace bellwether::algorithms
