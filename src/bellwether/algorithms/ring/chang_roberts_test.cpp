// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/ring/chang_roberts.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "bellwether/algorithms/hand_driver_test.hpp"
#include "bellwether/core/codec.hpp"
#include "bellwether/core/digest.hpp"
#include "bellwether/core/print.hpp"

namespace bellwether::algorithms {
namespace {

using State = ChangRoberts::State;
using Token = ChangRoberts::Token;
using Leader = ChangRoberts::Leader;
constexpr Travel wild{.min = Duration{1}, .max = Duration{50}};
constexpr ChangRoberts::Options quiet{.announce = false};

/// Messages of a run in which all start, without the announcement.
std::size_t cost(const std::vector<NodeId>& ids, ChangRoberts::Options options = quiet,
                 Travel travel = {}) {
  HandDriver<ChangRoberts> driver(ids, options, travel, raw(ids.front()));
  driver.make_ring();
  driver.start_all();
  driver.run();
  return driver.sent();
}

std::vector<NodeId> counting(NodeIndex n, bool up) {
  std::vector<std::uint64_t> numbers(n);
  std::iota(numbers.begin(), numbers.end(), std::uint64_t{1});
  if (!up) std::reverse(numbers.begin(), numbers.end());
  return ids_of(numbers);
}

TEST(ChangRoberts, IsSmall) {
  EXPECT_LE(sizeof(ChangRoberts), 32u);
  EXPECT_EQ(sizeof(ChangRoberts::Message), 16u);
}

TEST(ChangRoberts, AnInitiatorDropsWhatIsWorse) {
  ByHand<ChangRoberts> hand(ids_of({8, 9}));
  ChangRoberts node(NodeId{5}, {});
  node.start(hand.next());
  ASSERT_EQ(hand.step.sends().size(), 1u);
  EXPECT_EQ(hand.step.sends()[0].port, Port{0});
  EXPECT_EQ(hand.step.sends()[0].message, ChangRoberts::Message(Token{NodeId{5}}));
  EXPECT_EQ(core::text_of(node), "chang-roberts(id=5 state=cand initiator=true leader=none)");

  node.receive(hand.next(), Port{1}, Token{NodeId{4}});
  EXPECT_TRUE(hand.step.sends().empty());
  EXPECT_EQ(node.state(), State::cand);

  node.receive(hand.next(), Port{1}, Token{NodeId{6}});
  ASSERT_EQ(hand.step.sends().size(), 1u);
  EXPECT_EQ(hand.step.sends()[0].message, ChangRoberts::Message(Token{NodeId{6}}));
  EXPECT_EQ(node.state(), State::lost);

  node.receive(hand.next(), Port{1}, Token{NodeId{3}});  // having lost, it still drops
  EXPECT_TRUE(hand.step.sends().empty());
}

TEST(ChangRoberts, TheSmallestWinsWhenAskedTo) {
  ByHand<ChangRoberts> hand(ids_of({8}));
  ChangRoberts node(NodeId{5}, {.extremum = Extremum::min});
  node.start(hand.next());
  node.receive(hand.next(), Port{1}, Token{NodeId{6}});
  EXPECT_TRUE(hand.step.sends().empty());
  node.receive(hand.next(), Port{1}, Token{NodeId{4}});
  EXPECT_EQ(hand.step.sends().size(), 1u);
}

TEST(ChangRoberts, ARelayPassesAllOnAndNeverInitiates) {
  ByHand<ChangRoberts> hand(ids_of({8}));
  ChangRoberts node(NodeId{5}, {});
  node.receive(hand.next(), Port{1}, Token{NodeId{3}});
  EXPECT_EQ(hand.step.sends().size(), 1u);
  EXPECT_EQ(node.state(), State::lost);
  node.start(hand.next());  // though 3 is worse: 3 may already lead
  EXPECT_TRUE(hand.step.sends().empty());
  EXPECT_FALSE(node.initiator());
  node.receive(hand.next(), Port{1}, Token{NodeId{2}});
  EXPECT_EQ(hand.step.sends().size(), 1u);
}

TEST(ChangRoberts, ItsOwnTokenMakesTheLeader) {
  ByHand<ChangRoberts> hand(ids_of({8}));
  ChangRoberts node(NodeId{5}, {});
  node.start(hand.next());
  node.receive(hand.next(), Port{1}, Token{NodeId{5}});
  ASSERT_EQ(hand.step.sends().size(), 1u);
  EXPECT_EQ(hand.step.sends()[0].message, ChangRoberts::Message(Leader{NodeId{5}}));
  EXPECT_EQ(node.leader(), NodeId{5});
  EXPECT_EQ(node.state(), State::leader);
  const ChangRoberts before = node;
  node.receive(hand.next(), Port{1}, Leader{NodeId{5}});
  EXPECT_TRUE(hand.step.sends().empty());
  node.receive(hand.next(), Port{1}, Token{NodeId{5}});  // a duplicate
  EXPECT_TRUE(hand.step.sends().empty());
  EXPECT_EQ(node, before);
  EXPECT_EQ(core::digest(node), core::digest(before));
}

TEST(ChangRoberts, ARingOfOneLeadsAtOnce) {
  HandDriver<ChangRoberts> driver(ids_of({5}), {});
  driver.start(0);
  driver.run();
  EXPECT_EQ(driver.node(0).leader(), NodeId{5});
  EXPECT_EQ(driver.sent(), 0u);
}

TEST(ChangRoberts, CostsAtWorstAndAtBest) {
  for (NodeIndex n = 2; n <= 40; ++n) {
    // Clockwise downhill, every token meets a larger id only at the top: 1 + 2 + ... + n.
    EXPECT_EQ(cost(counting(n, false)), n * (n + 1) / 2);
    EXPECT_EQ(cost(counting(n, false), quiet, wild), n * (n + 1) / 2);
    // Uphill, every token but the winner's is dropped at the next node.
    EXPECT_EQ(cost(counting(n, true)), 2 * n - 1);
    EXPECT_EQ(cost(counting(n, true), {}, wild), 2 * n - 1 + n);
    // The other extremum turns the ring around.
    EXPECT_EQ(cost(counting(n, true), {Extremum::min, false}), n * (n + 1) / 2);
    EXPECT_EQ(cost(counting(n, false), {Extremum::min, false}), 2 * n - 1);
  }
}

TEST(ChangRoberts, TheRunInTheDocumentation) {
  EXPECT_EQ(cost(ids_of({3, 1, 4, 2})), 8u);
  EXPECT_EQ(cost(ids_of({3, 1, 4, 2}), {}), 12u);
}

TEST(ChangRoberts, CostsNHarmonicOnAverage) {
  // Over all 720 orders of six ids: 6 (1 + 1/2 + ... + 1/6) = 14.7 each, exactly.
  std::vector<std::uint64_t> numbers{1, 2, 3, 4, 5, 6};
  std::size_t total = 0, runs = 0;
  do {
    total += cost(ids_of(numbers));
    ++runs;
  } while (std::next_permutation(numbers.begin(), numbers.end()));
  EXPECT_EQ(runs, 720u);
  EXPECT_EQ(total, 10'584u);
}

TEST(ChangRoberts, AnyInitiatorsAnyOrderDuplicatesToo) {
  core::Prng prng(3);
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const auto n = static_cast<NodeIndex>(2 + prng.below(10));
    const Extremum extremum = seed % 2 == 0 ? Extremum::max : Extremum::min;
    const bool announce = seed % 3 != 0;
    const Travel travel{.min = Duration{1},
                        .max = Duration{50},
                        .fifo = prng.chance(0.5),
                        .duplicates = prng.chance(0.5) ? 0.2 : 0};
    const auto ids = shuffled_ids(n, prng);
    HandDriver<ChangRoberts> driver(ids, {extremum, announce}, travel, seed);
    driver.make_ring();
    for (NodeIndex i = 0; i < n; ++i)
      if (i == 0 || prng.chance(0.4)) driver.start(i, Time{static_cast<int>(prng.below(60))});
    driver.run();  // watched by the properties
    const auto best = best_initiator<ChangRoberts>(driver);
    ASSERT_TRUE(best.has_value());
    EXPECT_EQ(driver.leaders_named(*best), announce ? n : 1);
  }
}

TEST(ChangRoberts, OneInitiatorCostsOneRound) {
  for (NodeIndex n = 2; n < 12; ++n) {
    HandDriver<ChangRoberts> driver(counting(n, true), {});
    driver.make_ring();
    driver.start(0);  // the worst id of all, and the only initiator
    driver.run();
    EXPECT_EQ(driver.sent(), 2 * n);
    EXPECT_EQ(driver.leaders_named(NodeId{1}), n);
  }
}

TEST(ChangRoberts, TimeIsTwiceTheRingLessOne) {
  constexpr NodeIndex n = 9;
  for (const bool announce : {false, true}) {
    HandDriver<ChangRoberts> driver(counting(n, true), {.announce = announce});
    driver.make_ring();
    driver.start(n - 1, Time{n - 1});  // just before the first token gets there
    driver.start(0);
    driver.run();
    EXPECT_EQ(driver.now(), Time{2 * n - 1 + (announce ? n : 0)});
    EXPECT_EQ(driver.node(n - 1).state(), State::leader);
  }
}

TEST(ChangRoberts, PropertiesBite) {
  ByHand<ChangRoberts> hand({});
  ChangRoberts one(NodeId{1}, quiet), two(NodeId{2}, quiet);
  one.start(hand.next());  // alone, so it leads
  const auto all = ChangRoberts::monitors();
  ASSERT_EQ(all.size(), 3u);
  const Picture<ChangRoberts> fine({one, two});
  all[0]->after(fine, {core::Cause::start, 0, {}});
  all[0]->after(fine, {core::Cause::start, 0, {}});
  for (const auto& each : all) EXPECT_NO_THROW(each->at_rest(fine));

  ByHand<ChangRoberts> pair(ids_of({1}));
  two.start(pair.next());
  const Picture<ChangRoberts> overlooked({one, two});  // 2 is an initiator, too, and does not lead
  EXPECT_THROW(all[1]->at_rest(overlooked), core::Violation);
  EXPECT_THROW(all[2]->at_rest(overlooked), core::Violation);
  two.receive(pair.next(), Port{0}, Token{NodeId{2}});
  EXPECT_THROW(all[0]->after(Picture<ChangRoberts>({one, two}), {core::Cause::receive, 1, {}}),
               core::Violation);
}

}  // namespace
}  // namespace bellwether::algorithms
