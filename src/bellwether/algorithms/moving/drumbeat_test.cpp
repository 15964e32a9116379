// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/moving/drumbeat.hpp"

#include <gtest/gtest.h>

#include "bellwether/algorithms/hand_driver_test.hpp"
#include "bellwether/core/codec.hpp"

namespace bellwether::algorithms {
namespace {

using Beat = Drumbeat::Beat;
using WaveBeat = Drumbeat::WaveBeat;
using Echo = Drumbeat::Echo;
using Tap = Drumbeat::Tap;
using Mute = Drumbeat::Mute;
using State = Drumbeat::State;
using Timer = Drumbeat::Timer;
using core::NodeId;
using core::Port;
using std::chrono::milliseconds;

/// Node 5 with links to 3, 7 and 9 by the ports 0, 1 and 2.
struct DrumbeatByHand : testing::Test {
  ByHand<Drumbeat> hand{ids_of({3, 7, 9})};
  Drumbeat node{NodeId{5}, {}};

  void beat(std::uint32_t port, std::uint64_t leader, std::uint64_t number, std::uint32_t weight,
            std::uint32_t priority = core::usual_priority) {
    node.receive(hand.next(), Port{port},
                 Beat{BeatClaim::of(NodeId{leader}, number, weight, priority)});
  }
  void wave(std::uint32_t port, std::uint64_t leader, std::uint64_t number, const WaveNews& news,
            const TreeSpot& spot, std::uint32_t weight = 9) {
    node.receive(
        hand.next(), Port{port},
        WaveBeat{BeatClaim::of(NodeId{leader}, number, weight, core::usual_priority), news, spot});
  }
  void timeout(Timer timer) { node.timeout(hand.next(), timer); }
  void start() { node.start(hand.next()); }

  template <class M>
  const M* sent() const {
    for (const auto& send : hand.step.sends())
      if (const auto* found = std::get_if<M>(&send.message)) return found;
    return nullptr;
  }
  bool is_silent() const { return hand.step.sends().empty(); }
  std::optional<core::Duration> armed(Timer timer) const {
    std::optional<core::Duration> out;
    for (const auto& alarm : hand.step.alarms())
      if (alarm.timer == timer) out = alarm.armed ? std::optional(alarm.max) : std::nullopt;
    return out;
  }
  /// A follower of 9, which is its neighbour and has counted nine nodes.
  void follow_nine(NodeId deputy = NodeId{7}) {
    start();
    wave(2, 9, 100, {1, 9, deputy, nobody, Aim::lead}, {nobody, 0, 9, 0, 0});
    timeout(Timer::relay);
  }
};

TEST_F(DrumbeatByHand, StartsAsALeaderOfItself) {
  start();
  EXPECT_EQ(node.leader(), NodeId{5});
  ASSERT_NE(sent<WaveBeat>(), nullptr);
  EXPECT_EQ(sent<WaveBeat>()->claim.weight(), 1U);
  EXPECT_EQ(armed(Timer::beat), milliseconds(50));
}

TEST_F(DrumbeatByHand, FollowsTheHigherRankAndPassesItOnOnce) {
  start();
  beat(2, 9, 100, 4);
  EXPECT_EQ(node.leader(), NodeId{9});
  EXPECT_FALSE(armed(Timer::beat).has_value());
  EXPECT_EQ(armed(Timer::silence), milliseconds(66));
  timeout(Timer::relay);
  ASSERT_NE(sent<Beat>(), nullptr);
  EXPECT_EQ(sent<Beat>()->claim.leader, NodeId{9});
  beat(1, 9, 100, 4);  // the same once more
  EXPECT_FALSE(armed(Timer::relay).has_value());
}

TEST_F(DrumbeatByHand, RankIsPriorityThenWeightThenId) {
  start();
  beat(2, 9, 100, 4);
  beat(1, 7, 100, 4);  // the same weight, a lower id
  EXPECT_EQ(node.leader(), NodeId{9});
  beat(1, 7, 101, 5);
  EXPECT_EQ(node.leader(), NodeId{7});
  beat(0, 3, 100, 1, 101);
  EXPECT_EQ(node.leader(), NodeId{3});
  beat(2, 9, 101, 1000, 99);
  EXPECT_EQ(node.leader(), NodeId{3});
}

TEST_F(DrumbeatByHand, AnOldBeatIsNotAcceptedTwice) {
  start();
  beat(2, 9, 100, 4);
  timeout(Timer::silence);
  EXPECT_EQ(node.leader(), NodeId{5});
  beat(2, 9, 100, 4);
  EXPECT_EQ(node.leader(), NodeId{5});
  beat(2, 9, 101, 4);
  EXPECT_EQ(node.leader(), NodeId{9});
}

TEST_F(DrumbeatByHand, WhoIsBehindIsAnsweredOncePerBeat) {
  start();
  beat(2, 9, 100, 4);
  beat(0, 3, 100, 1);
  EXPECT_TRUE(armed(Timer::answer).has_value());
  beat(1, 7, 100, 1);
  EXPECT_FALSE(armed(Timer::answer).has_value());
  timeout(Timer::answer);
  ASSERT_NE(sent<Beat>(), nullptr);
  EXPECT_EQ(sent<Beat>()->claim.leader, NodeId{9});
}

TEST_F(DrumbeatByHand, ALateBeatIsCalledForAndMakesPatient) {
  start();
  beat(2, 9, 100, 4);
  timeout(Timer::call);
  ASSERT_NE(sent<Beat>(), nullptr);
  EXPECT_EQ(sent<Beat>()->claim.beat, 100U);
  beat(2, 9, 101, 4);
  EXPECT_GT(*armed(Timer::silence), milliseconds(66));
}

TEST_F(DrumbeatByHand, PatienceIsBounded) {
  start();
  std::uint64_t number = 100;
  beat(2, 9, number, 4);
  for (int i = 0; i < 1000; ++i) {
    timeout(Timer::call);
    beat(2, 9, ++number, 4);
  }
  EXPECT_LE(*armed(Timer::silence), milliseconds(250));
  EXPECT_GE(*armed(Timer::silence), milliseconds(200));
}

TEST_F(DrumbeatByHand, TheDeputySucceedsASilentLeader) {
  follow_nine(NodeId{5});
  timeout(Timer::silence);
  EXPECT_EQ(node.leader(), NodeId{5});
  ASSERT_NE(sent<WaveBeat>(), nullptr);
  // Above 9 of weight 9: all who still follow it leave.
  EXPECT_GT(rank_of(sent<WaveBeat>()->claim), (BeatRank{core::usual_priority, 9, NodeId{9}}));
}

TEST_F(DrumbeatByHand, OthersNameTheDeputyAndLeadOnlyWhenItIsSilentToo) {
  follow_nine(NodeId{7});
  timeout(Timer::silence);
  EXPECT_EQ(node.state(), State::hopes);
  EXPECT_EQ(node.leader(), NodeId{7});
  EXPECT_TRUE(is_silent());
  timeout(Timer::hope);
  EXPECT_EQ(node.leader(), NodeId{5});
}

TEST_F(DrumbeatByHand, ALeafThatHasHeardABeatTwiceIsSilent) {
  follow_nine();
  beat(2, 9, 101, 9);
  beat(1, 9, 101, 9);
  timeout(Timer::relay);
  EXPECT_TRUE(is_silent());
  beat(2, 9, 102, 9);
  timeout(Timer::relay);
  EXPECT_NE(sent<Beat>(), nullptr);
}

TEST_F(DrumbeatByHand, TheHeirLeadsAtOnceWithAHigherRank) {
  follow_nine();
  wave(2, 9, 101, {2, 9, NodeId{7}, NodeId{5}, Aim::heir}, {nobody, 0, 9, 0, 0});
  EXPECT_EQ(node.leader(), NodeId{5});
  ASSERT_NE(sent<WaveBeat>(), nullptr);
  EXPECT_EQ(sent<WaveBeat>()->claim.weight(), 10U);
}

TEST_F(DrumbeatByHand, TellsItsPlaceInTheTree) {
  follow_nine();
  ASSERT_NE(sent<WaveBeat>(), nullptr);
  EXPECT_EQ(sent<WaveBeat>()->spot.parent, NodeId{9});
  EXPECT_EQ(sent<WaveBeat>()->spot.hops, 1U);
  EXPECT_EQ(node.tree_place(), (core::TreePlace{NodeId{9}, 1, 9}));
}

TEST_F(DrumbeatByHand, EchoesWhenItsChildrenHaveReported) {
  follow_nine();
  wave(0, 9, 100, {1, 9, NodeId{7}, nobody, Aim::lead}, {NodeId{5}, 2, 3, 0, 0});
  timeout(Timer::echo);
  ASSERT_NE(sent<WaveBeat>(), nullptr);  // as a leaf it was heard by its parent
  EXPECT_EQ(sent<WaveBeat>()->spot.below, 2U);
  timeout(Timer::echo);
  EXPECT_GT(*armed(Timer::echo), milliseconds(27));  // 3 has two more below it: wait
  SubtreeReport report;
  report.count = 3;
  report.far = 8;
  report.height = 1;
  node.receive(hand.next(), Port{0}, Echo{1, NodeId{5}, report});
  EXPECT_EQ(armed(Timer::echo), milliseconds(3));
  timeout(Timer::echo);
  ASSERT_NE(sent<Echo>(), nullptr);
  EXPECT_EQ(sent<Echo>()->parent, NodeId{9});
  EXPECT_EQ(sent<Echo>()->report.count, 4U);
  EXPECT_EQ(sent<Echo>()->report.far, 9U);
  EXPECT_EQ(sent<Echo>()->report.height, 2U);
}

TEST_F(DrumbeatByHand, AChildThatLeavesIsWaitedForNoLonger) {
  follow_nine();
  wave(0, 9, 100, {1, 9, NodeId{7}, nobody, Aim::lead}, {NodeId{5}, 2, 3, 0, 0});
  timeout(Timer::echo);
  timeout(Timer::echo);
  EXPECT_GT(*armed(Timer::echo), milliseconds(27));
  wave(0, 9, 100, {1, 9, NodeId{7}, nobody, Aim::lead}, {NodeId{7}, 2, 3, 0, 0});
  EXPECT_EQ(armed(Timer::echo), milliseconds(3));
}

TEST_F(DrumbeatByHand, AParentThatIsNotInTheWaveIsReplaced) {
  follow_nine();
  // 7 brings the next wave; 9, nearer to the leader, was a neighbour in the one before.
  wave(1, 9, 101, {2, 9, NodeId{7}, nobody, Aim::lead}, {NodeId{9}, 1, 2, 0, 0});
  timeout(Timer::relay);
  EXPECT_EQ(sent<WaveBeat>()->spot.parent, NodeId{9});
  timeout(Timer::echo);
  ASSERT_NE(sent<WaveBeat>(), nullptr);
  EXPECT_EQ(sent<WaveBeat>()->spot.parent, NodeId{7});
  EXPECT_EQ(sent<WaveBeat>()->spot.hops, 2U);
}

TEST_F(DrumbeatByHand, AParentOfAnOldWaveIsNotChosen) {
  follow_nine();
  wave(1, 9, 101, {2, 9, NodeId{7}, nobody, Aim::lead}, {NodeId{9}, 1, 2, 0, 0});
  timeout(Timer::relay);
  wave(1, 9, 102, {3, 9, NodeId{7}, nobody, Aim::lead}, {NodeId{9}, 1, 2, 0, 0});
  timeout(Timer::relay);
  EXPECT_EQ(sent<WaveBeat>()->spot.parent, NodeId{7});
}

TEST_F(DrumbeatByHand, WhoHasNoPlaceInTheTreeIsNoParent) {
  follow_nine();
  wave(1, 9, 101, {2, 9, NodeId{7}, nobody, Aim::lead}, {nobody, 1, 2, 0, 0});
  wave(1, 9, 102, {3, 9, NodeId{7}, nobody, Aim::lead}, {nobody, 1, 2, 0, 0});
  timeout(Timer::relay);
  EXPECT_EQ(sent<WaveBeat>()->spot.parent, nobody);
  EXPECT_EQ(node.tree_place(), std::nullopt);
}

TEST_F(DrumbeatByHand, AWaveThatCameAsABeatFirstIsPassedOnAsAWave) {
  follow_nine();
  beat(1, 9, 101, 9);
  timeout(Timer::relay);
  wave(2, 9, 101, {2, 9, NodeId{7}, nobody, Aim::lead}, {nobody, 0, 9, 0, 0});
  EXPECT_TRUE(armed(Timer::relay).has_value());
  timeout(Timer::relay);
  ASSERT_NE(sent<WaveBeat>(), nullptr);
  EXPECT_EQ(sent<WaveBeat>()->spot.parent, NodeId{9});
}

TEST_F(DrumbeatByHand, WhoMovedAwayFromTheLeaderIsNoWitness) {
  follow_nine(NodeId{5});
  node.receive(hand.next(), Port{2}, Tap{});
  timeout(Timer::watch);
  beat(1, 9, 101, 9);  // by 7: the leader is alive
  node.receive(hand.next(), Port{0}, Mute{NodeId{9}});
  node.receive(hand.next(), Port{1}, Mute{NodeId{9}});
  EXPECT_EQ(node.leader(), NodeId{9});
}

TEST_F(DrumbeatByHand, ALeafDoesNotEcho) {
  follow_nine();
  timeout(Timer::echo);
  EXPECT_TRUE(is_silent());
}

TEST_F(DrumbeatByHand, TheDeputySucceedsEarlyOnlyWithTwoWitnesses) {
  follow_nine(NodeId{5});
  node.receive(hand.next(), Port{2}, Tap{});
  EXPECT_EQ(armed(Timer::watch), core::Duration(milliseconds(50)) / 4 + milliseconds(8));
  timeout(Timer::watch);
  EXPECT_EQ(node.leader(), NodeId{9});
  node.receive(hand.next(), Port{0}, Mute{NodeId{9}});
  EXPECT_EQ(node.leader(), NodeId{9});
  node.receive(hand.next(), Port{1}, Mute{NodeId{9}});
  EXPECT_EQ(node.leader(), NodeId{5});
}

TEST_F(DrumbeatByHand, ASignOfLifeTakesWitnessesBackAndMakesLenient) {
  follow_nine(NodeId{5});
  node.receive(hand.next(), Port{2}, Tap{});
  timeout(Timer::watch);
  node.receive(hand.next(), Port{0}, Mute{NodeId{9}});
  node.receive(hand.next(), Port{2}, Tap{});
  EXPECT_GT(*armed(Timer::watch), milliseconds(60));
  node.receive(hand.next(), Port{0}, Mute{NodeId{9}});
  node.receive(hand.next(), Port{1}, Mute{NodeId{9}});
  EXPECT_EQ(node.leader(), NodeId{9});
}

TEST_F(DrumbeatByHand, ANeighbourOfTheLeaderTellsTheDeputy) {
  follow_nine(NodeId{7});
  node.receive(hand.next(), Port{2}, Tap{});
  timeout(Timer::watch);
  ASSERT_NE(sent<Mute>(), nullptr);
  EXPECT_EQ(sent<Mute>()->leader, NodeId{9});
}

TEST_F(DrumbeatByHand, ANodeThatIsNotEligibleNamesNoLeaderAndFollowsAny) {
  node.set_priority(hand.next(), 0);
  start();
  EXPECT_EQ(node.leader(), std::nullopt);
  EXPECT_TRUE(is_silent());
  beat(0, 3, 100, 1, 1);
  EXPECT_EQ(node.leader(), NodeId{3});
  timeout(Timer::silence);
  EXPECT_EQ(node.leader(), std::nullopt);
  node.set_priority(hand.next(), 100);
  EXPECT_EQ(node.leader(), NodeId{5});
}

TEST_F(DrumbeatByHand, AHigherPriorityLeadsAtOnce) {
  follow_nine();
  node.set_priority(hand.next(), 101);
  EXPECT_EQ(node.leader(), NodeId{5});
  EXPECT_EQ(sent<WaveBeat>()->claim.priority(), 101U);
}

TEST_F(DrumbeatByHand, ALeaderThatResignsNamesItsDeputyAsHeir) {
  start();
  wave(0, 5, 1, {1, 1, nobody, nobody, Aim::lead}, {NodeId{5}, 1, 1, 0, 0});
  timeout(Timer::echo);
  node.set_priority(hand.next(), 1);
  ASSERT_NE(sent<WaveBeat>(), nullptr);
  EXPECT_TRUE(sent<WaveBeat>()->news.has_heir());
  EXPECT_EQ(sent<WaveBeat>()->news.trial, NodeId{3});
}

TEST_F(DrumbeatByHand, ALeaderThatNobodyHearsGivesWay) {
  start();
  wave(0, 3, 100, {1, 1, nobody, nobody, Aim::lead}, {nobody, 0, 1, 0, 0}, 1);  // of a lower rank
  for (int i = 0; i < 15; ++i) timeout(Timer::beat);
  beat(0, 3, 101, 1);
  EXPECT_EQ(node.leader(), NodeId{5});
  timeout(Timer::beat);
  timeout(Timer::beat);
  beat(0, 3, 102, 1);
  EXPECT_EQ(node.leader(), NodeId{3});
}

TEST_F(DrumbeatByHand, ALeaderThatIsHeardStays) {
  start();
  wave(0, 3, 100, {1, 1, nobody, nobody, Aim::lead}, {nobody, 0, 1, 0, 0}, 1);
  for (int i = 0; i < 40; ++i) {
    timeout(Timer::beat);
    beat(1, 5, 1, 1);  // a neighbour passes it on
  }
  beat(0, 3, 101, 1);
  EXPECT_EQ(node.leader(), NodeId{5});
}

TEST_F(DrumbeatByHand, BeatsOfAnEarlierLifeAreOvertaken) {
  start();
  beat(0, 5, 1'000'000, 1);
  timeout(Timer::beat);
  const Beat* spoken = sent<Beat>();
  EXPECT_EQ(spoken ? spoken->claim.beat : sent<WaveBeat>()->claim.beat, 1'000'001U);
}

TEST_F(DrumbeatByHand, ALeaderWhoseClockWentBackIsRemindedOfItsLastBeat) {
  start();
  beat(2, 9, 10'000, 4);
  timeout(Timer::silence);
  EXPECT_EQ(node.leader(), NodeId{5});
  beat(2, 9, 400, 4);  // of its next life
  ASSERT_NE(sent<Beat>(), nullptr);
  EXPECT_EQ(sent<Beat>()->claim, BeatClaim::of(NodeId{9}, 10'000, 4, core::usual_priority));
  beat(2, 9, 401, 4);
  EXPECT_TRUE(is_silent()) << "once per beat of its own";
  timeout(Timer::beat);
  beat(2, 9, 402, 4);
  EXPECT_NE(sent<Beat>(), nullptr);
  beat(2, 9, 10'001, 4);
  EXPECT_EQ(node.leader(), NodeId{9});
}

TEST_F(DrumbeatByHand, AHandoverIsNotOvertakenByAnother) {
  start();
  wave(0, 5, 1, {1, 1, nobody, nobody, Aim::lead}, {NodeId{5}, 1, 1, 0, 0});
  timeout(Timer::echo);
  node.set_priority(hand.next(), 1);
  wave(1, 5, 1, {1, 1, nobody, nobody, Aim::lead}, {NodeId{5}, 1, 1, 0, 0, 200});
  node.set_priority(hand.next(), 0);
  ASSERT_NE(sent<WaveBeat>(), nullptr);
  EXPECT_EQ(sent<WaveBeat>()->news.trial, NodeId{3}) << "still on its way";
}

TEST_F(DrumbeatByHand, WithoutNeighboursALeaderWeighsOne) {
  follow_nine(NodeId{5});
  timeout(Timer::silence);
  EXPECT_EQ(node.claim().weight(), 10U);
  for (const std::uint32_t port : {0, 1, 2}) {
    std::erase(hand.ports, Port{port});
    node.link_down(hand.next(), Port{port});
  }
  timeout(Timer::beat);
  EXPECT_EQ(node.claim().weight(), 1U);
}

TEST(SeenBeats, RemembersTheLastSixteenLeaders) {
  SeenBeats seen;
  for (std::uint64_t leader = 1; leader <= 17; ++leader) seen.add(NodeId{leader}, 10 + leader);
  EXPECT_EQ(seen.last(NodeId{1}), 0U);
  EXPECT_EQ(seen.last(NodeId{2}), 12U);
  seen.add(NodeId{2}, 20);
  seen.add(NodeId{18}, 1);
  EXPECT_EQ(seen.last(NodeId{2}), 20U);
  EXPECT_EQ(seen.last(NodeId{3}), 0U);
}

TEST(DrumbeatMessages, APriorityIsOnTheWireOnlyWhereItIsUnusual) {
  const auto usual = core::encode(BeatClaim::of(NodeId{7}, 300, 4, core::usual_priority));
  const auto other = core::encode(BeatClaim::of(NodeId{7}, 300, 4, 5));
  EXPECT_EQ(usual.size() + 1, other.size());
}

}  // namespace
}  // namespace bellwether::algorithms
