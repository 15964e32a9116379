// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/moving/flooding.hpp"

#include <gtest/gtest.h>

#include "bellwether/algorithms/hand_driver_test.hpp"
#include "bellwether/core/codec.hpp"
#include "bellwether/core/print.hpp"

namespace bellwether::algorithms {
namespace {

using Timer = Flooding::Timer;
using Leader = Flooding::Leader;
using std::chrono::milliseconds;

/// "*:leader(id=9 value=4 beat=1) *:leader(...) +beat -silence": sends and alarms of a step.
std::string effects(const Flooding::Step& step) {
  std::string out;
  for (const auto& send : step.sends())
    out += (send.port == core::every_port ? "*" : std::to_string(raw(send.port))) + ":" +
           core::text_of(send.message) + " ";
  for (const auto& alarm : step.alarms())
    out += std::string(alarm.armed ? "+" : "-") + std::string(core::name_of(alarm.timer)) + " ";
  if (!out.empty()) out.pop_back();
  return out;
}

Leader news(std::uint64_t id, std::uint64_t value, std::uint64_t beat) {
  return {NodeId{id}, value, beat};
}

/// Node 5 with three links, to 3, 7 and 9.
struct FloodingByHand : testing::Test {
  ByHand<Flooding> hand{ids_of({3, 7, 9})};
  Flooding node{NodeId{5}, {}};
};

TEST_F(FloodingByHand, NamesItselfBeforeItStartsAndAfter) {
  EXPECT_EQ(node.leader(), NodeId{5});
  node.start(hand.next());
  EXPECT_EQ(effects(hand.step), "*:leader(id=5 value=3 beat=1) +beat");
  EXPECT_EQ(hand.step.alarms()[0].min, milliseconds(250));
  EXPECT_EQ(hand.step.alarms()[0].max, milliseconds(250));
  EXPECT_EQ(node.leader(), NodeId{5});
  node.start(hand.next());
  EXPECT_EQ(effects(hand.step), "");
}

TEST_F(FloodingByHand, ALeaderSpeaksEveryPeriod) {
  node.start(hand.next());
  node.timeout(hand.next(), Timer::beat);
  EXPECT_EQ(effects(hand.step), "*:leader(id=5 value=3 beat=2) +beat");
}

TEST_F(FloodingByHand, ABetterLeaderIsFollowedAndPassedOn) {
  node.start(hand.next());
  node.receive(hand.next(), Port{1}, news(2, 4, 7));  // more links, though a smaller id
  EXPECT_EQ(effects(hand.step), "*:leader(id=2 value=4 beat=7) -beat +silence");
  EXPECT_EQ(hand.step.alarms()[1].min, milliseconds(300));
  EXPECT_EQ(node.leader(), NodeId{2});
  node.receive(hand.next(), Port{0}, news(4, 4, 1));  // as many links, a higher id
  EXPECT_EQ(node.leader(), NodeId{4});
}

TEST_F(FloodingByHand, AWeakerLeaderIsIgnored) {
  node.start(hand.next());
  node.receive(hand.next(), Port{0}, news(4, 3, 9));
  EXPECT_EQ(effects(hand.step), "");
  node.receive(hand.next(), Port{0}, news(9, 2, 9));
  EXPECT_EQ(effects(hand.step), "");
  EXPECT_EQ(node.leader(), NodeId{5});
}

TEST_F(FloodingByHand, EachBeatIsForwardedOnce) {
  node.start(hand.next());
  node.receive(hand.next(), Port{1}, news(9, 4, 7));
  node.receive(hand.next(), Port{0}, news(9, 4, 7));
  EXPECT_EQ(effects(hand.step), "");
  node.receive(hand.next(), Port{0}, news(9, 4, 6));
  EXPECT_EQ(effects(hand.step), "");
  node.receive(hand.next(), Port{0}, news(9, 4, 8));
  EXPECT_EQ(effects(hand.step), "*:leader(id=9 value=4 beat=8) +silence");
}

TEST_F(FloodingByHand, TheValueOfTheOwnLeaderMayFall) {
  node.start(hand.next());
  node.receive(hand.next(), Port{1}, news(9, 8, 1));
  node.receive(hand.next(), Port{1}, news(9, 4, 2));
  EXPECT_EQ(node.news(), news(9, 4, 2));
  node.receive(hand.next(), Port{1}, news(9, 2, 3));  // below our own
  EXPECT_EQ(effects(hand.step),
            "*:leader(id=9 value=2 beat=3) "
            "*:leader(id=5 value=3 beat=2) -silence +beat");
  EXPECT_EQ(node.leader(), NodeId{5});
}

// If the old beat were accepted again, three messages would replace each other without end: it is
// above the rival, the rival is above the new beat, and the new beat is later than the old one.
TEST_F(FloodingByHand, AfterAFallOlderBeatsAreNotBelieved) {
  node.start(hand.next());
  node.receive(hand.next(), Port{1}, news(9, 8, 1));
  node.receive(hand.next(), Port{1}, news(9, 4, 2));
  EXPECT_TRUE(effects(hand.step).starts_with("*:leader(id=9 value=4 beat=2)"));
  EXPECT_TRUE(effects(hand.step).ends_with("+forget +silence")) << effects(hand.step);
  node.receive(hand.next(), Port{0}, news(7, 6, 1));
  EXPECT_EQ(node.leader(), NodeId{7});
  node.receive(hand.next(), Port{2}, news(9, 8, 1));
  EXPECT_EQ(effects(hand.step), "");
  EXPECT_EQ(node.leader(), NodeId{7});
  node.receive(hand.next(), Port{2}, news(9, 8, 3));  // it has risen again
  EXPECT_EQ(node.leader(), NodeId{9});
}

TEST_F(FloodingByHand, AFallIsForgottenSoThatANewbornCountsFromOne) {
  node.start(hand.next());
  node.receive(hand.next(), Port{1}, news(9, 8, 6));
  node.receive(hand.next(), Port{1}, news(9, 4, 7));
  node.receive(hand.next(), Port{0}, news(7, 6, 1));
  node.timeout(hand.next(), Timer::forget);
  EXPECT_EQ(effects(hand.step), "");
  node.receive(hand.next(), Port{2}, news(9, 8, 1));
  EXPECT_EQ(node.leader(), NodeId{9});
}

TEST_F(FloodingByHand, SilenceMakesItLead) {
  node.start(hand.next());
  node.receive(hand.next(), Port{1}, news(9, 4, 7));
  node.timeout(hand.next(), Timer::silence);
  EXPECT_EQ(effects(hand.step), "*:leader(id=5 value=3 beat=2) +beat");
  EXPECT_EQ(node.leader(), NodeId{5});
  node.receive(hand.next(), Port{1}, news(9, 4, 7));  // an old beat is believed again
  EXPECT_EQ(node.leader(), NodeId{9});
}

TEST_F(FloodingByHand, AgedTimersDoNothing) {
  node.start(hand.next());
  node.timeout(hand.next(), Timer::silence);
  EXPECT_EQ(effects(hand.step), "");
  node.receive(hand.next(), Port{1}, news(9, 4, 7));
  node.timeout(hand.next(), Timer::beat);
  EXPECT_EQ(effects(hand.step), "");
  EXPECT_EQ(node.leader(), NodeId{9});
}

TEST_F(FloodingByHand, LinksAreCountedWhenTheyChange) {
  hand.ports = {Port{0}};
  node.start(hand.next());
  hand.ports = {Port{0}, Port{1}};
  node.link_up(hand.next(), Port{1});
  EXPECT_EQ(effects(hand.step), "");  // the next beat announces it
  EXPECT_EQ(node.news().value, 2u);
  node.receive(hand.next(), Port{0}, news(3, 2, 1));  // as many, and 5 > 3
  EXPECT_EQ(node.leader(), NodeId{5});
  node.receive(hand.next(), Port{0}, news(7, 2, 1));
  EXPECT_EQ(node.leader(), NodeId{7});
  hand.ports = {Port{0}, Port{1}, Port{2}};
  node.link_up(hand.next(), Port{2});
  EXPECT_EQ(effects(hand.step), "*:leader(id=5 value=3 beat=2) -silence +beat");
  hand.ports = {Port{0}};
  node.link_down(hand.next(), Port{2});
  EXPECT_EQ(node.news().value, 1u);
  node.receive(hand.next(), Port{0}, news(3, 2, 2));
  EXPECT_EQ(node.leader(), NodeId{3});
}

TEST_F(FloodingByHand, WhatIsSaidOfOneselfIsNoNews) {
  node.start(hand.next());
  node.receive(hand.next(), Port{0}, news(5, 100, 100));
  EXPECT_EQ(effects(hand.step), "");
  node.receive(hand.next(), Port{0}, news(9, 4, 1));
  node.receive(hand.next(), Port{0}, news(5, 100, 100));
  EXPECT_EQ(node.leader(), NodeId{9});
}

TEST_F(FloodingByHand, ASleeperIsWokenByWhateverReachesIt) {
  node.receive(hand.next(), Port{0}, news(9, 4, 1));
  EXPECT_EQ(effects(hand.step),
            "*:leader(id=5 value=3 beat=1) *:leader(id=9 value=4 beat=1) +beat -beat +silence");
  Flooding other{NodeId{5}, {}};
  other.link_down(hand.next(), Port{0});
  EXPECT_EQ(effects(hand.step), "*:leader(id=5 value=3 beat=1) +beat");
}

TEST(Flooding, TakesTheMostLinksThenTheHighestId) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    core::Prng prng(seed);
    const auto n = static_cast<NodeIndex>(2 + seed % 9);
    const auto ids = shuffled_ids(n, prng);
    HandDriver<Flooding> driver(ids, {}, {milliseconds(1), milliseconds(3), seed % 2 == 0, 0.1},
                                seed);
    std::vector<std::size_t> degree(n);
    const auto link = [&](NodeIndex a, NodeIndex b) {
      driver.link(a, b);
      ++degree[a];
      ++degree[b];
    };
    for (NodeIndex i = 1; i < n; ++i) link(i, static_cast<NodeIndex>(prng.below(i)));
    NodeIndex best = 0;
    for (NodeIndex i = 1; i < n; ++i)
      if (std::pair{degree[i], ids[i]} > std::pair{degree[best], ids[best]}) best = i;
    driver.start(0);  // one is enough: its news wakes the others
    for (Time at = milliseconds(700); at < milliseconds(3000); at += milliseconds(50)) {
      driver.run(at);
      ASSERT_EQ(driver.leaders_named(ids[best]), n) << "seed " << seed;  // and it stays so
    }
  }
}

TEST(Flooding, MessagesAreSmall) {
  const Flooding::Message m = Leader{NodeId{20000}, 12, 100};
  EXPECT_EQ(core::encoded_size(m), 6u);  // tag, an id of three bytes, value, beat
  EXPECT_EQ(core::decode<Flooding::Message>(core::encode(m)), m);
}

}  // namespace
}  // namespace bellwether::algorithms
