// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/complete/bully.hpp"

#include <gtest/gtest.h>

#include "bellwether/algorithms/hand_driver_test.hpp"
#include "bellwether/core/codec.hpp"
#include "bellwether/core/options.hpp"
#include "bellwether/core/print.hpp"

namespace bellwether::algorithms {
namespace {

using State = Bully::State;
using Timer = Bully::Timer;
using Election = Bully::Election;
using Reply = Bully::Reply;
using Leader = Bully::Leader;
using std::chrono::milliseconds;

/// Delays of 1 to 10 and waits that fit: 25 > 2 x 10 and 50 > 25 + 2 x 10.
constexpr Travel bounded{.min = Duration{1}, .max = Duration{10}};
constexpr Bully::Options fitting{Duration{25}, Duration{50}};

/// "0:election 2:leader +reply -leader": sends and alarms of a step.
std::string effects(const Bully::Step& step) {
  std::string out;
  for (const auto& send : step.sends())
    out += std::to_string(raw(send.port)) + ":" +
           std::string(std::visit([](const auto& m) { return m.name; }, send.message)) + " ";
  for (const auto& alarm : step.alarms())
    out += std::string(alarm.armed ? "+" : "-") + std::string(core::name_of(alarm.timer)) + " ";
  if (!out.empty()) out.pop_back();
  return out;
}

/// Node 5 between 3, 7 and 9, on ports 0, 1 and 2.
struct BullyByHand : testing::Test {
  ByHand<Bully> hand{ids_of({3, 7, 9})};
  Bully node{NodeId{5}, {}};
};

TEST_F(BullyByHand, StartAsksTheLargerOnes) {
  node.start(hand.next());
  EXPECT_EQ(effects(hand.step), "1:election 2:election +reply");
  EXPECT_EQ(hand.step.alarms()[0].min, milliseconds(200));
  EXPECT_EQ(hand.step.alarms()[0].max, milliseconds(200));
  EXPECT_EQ(core::text_of(node), "bully(id=5 state=wait_reply L=none)");
}

TEST_F(BullyByHand, NoReplyMakesItTheLeader) {
  node.start(hand.next());
  node.timeout(hand.next(), Timer::reply);
  EXPECT_EQ(effects(hand.step), "0:leader -reply");
  EXPECT_EQ(node.leader(), NodeId{5});
  EXPECT_EQ(node.state(), State::idle);
}

TEST_F(BullyByHand, AReplyMakesItWaitAndAnotherChangesNothing) {
  node.start(hand.next());
  node.receive(hand.next(), Port{1}, Reply{});
  EXPECT_EQ(effects(hand.step), "-reply +leader");
  EXPECT_EQ(hand.step.alarms()[1].min, std::chrono::seconds(1));
  EXPECT_EQ(node.state(), State::wait_leader);
  node.receive(hand.next(), Port{2}, Reply{});
  EXPECT_EQ(effects(hand.step), "");
  node.receive(hand.next(), Port{2}, Leader{});
  EXPECT_EQ(effects(hand.step), "-leader");
  EXPECT_EQ(node.leader(), NodeId{9});
}

TEST_F(BullyByHand, ALeaderThatNeverComesMeansAskingAgain) {
  node.start(hand.next());
  node.receive(hand.next(), Port{1}, Reply{});
  node.timeout(hand.next(), Timer::leader);
  EXPECT_EQ(effects(hand.step), "1:election 2:election +reply");
  EXPECT_EQ(node.state(), State::wait_reply);
}

TEST_F(BullyByHand, ALateReplyToALeaderIsIgnoredAndTheLeaderMessageTaken) {
  node.start(hand.next());
  node.timeout(hand.next(), Timer::reply);
  node.receive(hand.next(), Port{2}, Reply{});
  EXPECT_EQ(effects(hand.step), "");
  EXPECT_EQ(node.leader(), NodeId{5});
  node.receive(hand.next(), Port{2}, Leader{});
  EXPECT_EQ(node.leader(), NodeId{9});
}

TEST_F(BullyByHand, RepliesInEveryState) {
  node.receive(hand.next(), Port{0}, Election{});
  EXPECT_EQ(effects(hand.step), "0:reply 1:election 2:election +reply");
  node.receive(hand.next(), Port{0}, Election{});
  EXPECT_EQ(effects(hand.step), "0:reply");
  node.receive(hand.next(), Port{1}, Reply{});
  node.receive(hand.next(), Port{0}, Election{});
  EXPECT_EQ(effects(hand.step), "0:reply");
}

TEST_F(BullyByHand, WhoNamesALiveLeaderOnlyReplies) {
  node.receive(hand.next(), Port{2}, Leader{});
  node.receive(hand.next(), Port{0}, Election{});
  EXPECT_EQ(effects(hand.step), "0:reply");
  EXPECT_EQ(node.state(), State::idle);
  EXPECT_EQ(node.leader(), NodeId{9});
}

TEST_F(BullyByHand, ALeaderThatIsAskedSaysSo) {
  node.start(hand.next());
  node.timeout(hand.next(), Timer::reply);
  node.receive(hand.next(), Port{0}, Election{});
  EXPECT_EQ(effects(hand.step), "0:reply 0:leader");
}

TEST_F(BullyByHand, AskingDoesNotShakeALiveLeaderButSilenceDoes) {
  node.receive(hand.next(), Port{1}, Leader{});
  node.link_up(hand.next(), Port{2});
  EXPECT_EQ(effects(hand.step), "1:election 2:election +reply");
  EXPECT_EQ(node.leader(), NodeId{7});
  node.receive(hand.next(), Port{2}, Reply{});
  EXPECT_EQ(node.leader(), NodeId{7});
  node.timeout(hand.next(), Timer::leader);
  EXPECT_EQ(node.leader(), std::nullopt);
}

TEST_F(BullyByHand, AReplyEndsItsOwnLead) {
  node.start(hand.next());
  node.timeout(hand.next(), Timer::reply);
  node.link_up(hand.next(), Port{1});
  EXPECT_EQ(node.leader(), NodeId{5});
  node.receive(hand.next(), Port{1}, Reply{});
  EXPECT_EQ(node.leader(), std::nullopt);
}

TEST_F(BullyByHand, TheLossOfTheLeaderStartsAnElection) {
  node.receive(hand.next(), Port{2}, Leader{});
  hand.ports = {Port{0}, Port{2}};
  node.link_down(hand.next(), Port{1});
  EXPECT_EQ(effects(hand.step), "");
  EXPECT_EQ(node.leader(), NodeId{9});
  hand.ports = {Port{0}};
  node.link_down(hand.next(), Port{2});  // no larger node is left
  EXPECT_EQ(effects(hand.step), "0:leader");
  EXPECT_EQ(node.leader(), NodeId{5});
}

TEST_F(BullyByHand, TheLossOfTheLeaderDuringAnElectionIsNoSecondOne) {
  node.receive(hand.next(), Port{1}, Leader{});
  node.link_up(hand.next(), Port{2});
  EXPECT_EQ(node.state(), State::wait_reply);
  hand.ports = {Port{0}, Port{2}};
  node.link_down(hand.next(), Port{1});
  EXPECT_EQ(effects(hand.step), "");
  EXPECT_EQ(node.leader(), std::nullopt);
}

TEST_F(BullyByHand, LeaderMessagesFromBelow) {
  node.receive(hand.next(), Port{0}, Leader{});  // from 3: bullied
  EXPECT_EQ(effects(hand.step), "1:election 2:election +reply");
  node.receive(hand.next(), Port{0}, Leader{});
  EXPECT_EQ(effects(hand.step), "");
  node.receive(hand.next(), Port{2}, Leader{});
  EXPECT_EQ(effects(hand.step), "-reply");
  node.receive(hand.next(), Port{1}, Leader{});  // from 7, while 9 is linked: old news
  EXPECT_EQ(node.leader(), NodeId{9});
}

TEST_F(BullyByHand, WhoWaitsTakesAnyLeaderAboveItself) {
  node.receive(hand.next(), Port{2}, Leader{});
  node.start(hand.next());
  node.receive(hand.next(), Port{1}, Leader{});  // 9 may be dead though its link seems up
  EXPECT_EQ(node.leader(), NodeId{7});
  node.receive(hand.next(), Port{2}, Leader{});  // or it was only slower
  EXPECT_EQ(node.leader(), NodeId{9});
}

TEST_F(BullyByHand, ALeaderIntroducesItselfToALateLink) {
  hand.ports = {};
  node.start(hand.next());
  EXPECT_EQ(effects(hand.step), "");
  EXPECT_EQ(node.leader(), NodeId{5});
  hand.ports = {Port{0}};
  node.link_up(hand.next(), Port{0});
  EXPECT_EQ(effects(hand.step), "0:leader");
  hand.ports = {Port{0}, Port{1}};
  node.link_up(hand.next(), Port{1});  // 7 might lead
  EXPECT_EQ(effects(hand.step), "1:election +reply");
  hand.ports = {Port{0}, Port{1}, Port{2}};
  node.link_up(hand.next(), Port{2});  // and so might 9
  EXPECT_EQ(effects(hand.step), "2:election +reply");
  node.receive(hand.next(), Port{2}, Leader{});
  node.link_up(hand.next(), Port{1});  // below the leader that is known
  EXPECT_EQ(effects(hand.step), "");
}

TEST_F(BullyByHand, ASleeperIsWokenByALink) {
  hand.ports = {Port{0}};
  node.link_up(hand.next(), Port{0});
  EXPECT_EQ(effects(hand.step), "0:leader");
  EXPECT_EQ(node.leader(), NodeId{5});
}

TEST(Bully, TheHighestOfAllCostsOneMessageEach) {
  for (NodeIndex n = 1; n <= 12; ++n) {
    core::Prng prng(n);
    const auto ids = shuffled_ids(n, prng);
    HandDriver<Bully> driver(ids, fitting);
    driver.make_complete();
    for (NodeIndex i = 0; i < n; ++i)
      if (ids[i] == NodeId{n}) driver.start(i);
    driver.run();
    EXPECT_EQ(driver.sent(), n - 1);
    EXPECT_EQ(driver.leaders_named(NodeId{n}), n);
    EXPECT_EQ(driver.now(), Time{n == 1 ? 0 : 1});
  }
}

TEST(Bully, AQuestionIsAnsweredWithinTwoDelays) {
  for (NodeIndex n = 2; n <= 24; ++n) {
    core::Prng prng(n);
    const auto ids = shuffled_ids(n, prng);
    HandDriver<Bully> driver(ids, fitting);
    driver.make_complete();
    for (NodeIndex i = 0; i < n; ++i)
      if (ids[i] == NodeId{1}) driver.start(i);
    driver.run(Time{2});
    EXPECT_EQ(driver.leaders_named(NodeId{n}), n);
    driver.run();
    EXPECT_EQ(driver.leaders_named(NodeId{n}), n);
    // All but the highest ask all above them and get replies. The highest notifies all when first
    // asked, and each of the other askers once more.
    EXPECT_EQ(driver.sent(), n * (n - 1) + (n - 1) + (n - 2));
  }
}

TEST(Bully, AllAskingOnceCostsTheSquareAndALittle) {
  for (NodeIndex n = 1; n <= 24; ++n) {
    core::Prng prng(n);
    HandDriver<Bully> together(shuffled_ids(n, prng), fitting);
    together.make_complete();
    together.start_all();
    together.run();
    EXPECT_EQ(together.sent(), n * n + n - 2);

    // With one more, whose crash every node detects at its own time.
    auto ids = shuffled_ids(n, prng);
    ids.push_back(NodeId{n + 1});
    HandDriver<Bully> after(ids, fitting, bounded, n);
    after.make_complete();
    after.start(n);
    after.run();
    const std::size_t before = after.sent();
    after.crash(n);
    after.run();
    EXPECT_EQ(after.leaders_named(NodeId{n}), n);
    EXPECT_LE(after.sent() - before, n * n + n - 2);
  }
}

TEST(Bully, LeadersThatCrashInTurnCostACube) {
  constexpr NodeIndex n = 12;
  core::Prng prng(5);
  const auto ids = shuffled_ids(n, prng);
  HandDriver<Bully> driver(ids, fitting, bounded);
  driver.make_complete();
  driver.start_all();
  std::size_t bound = 0;
  for (NodeIndex live = n; live > 0; --live) {
    driver.run();
    bound += live * live + live - 2;
    EXPECT_EQ(driver.leaders_named(NodeId{live}), live);
    EXPECT_LE(driver.sent(), bound);
    for (NodeIndex i = 0; i < n; ++i)
      if (ids[i] == NodeId{live}) driver.crash(i);
  }
}

TEST(Bully, DeadNodesThatSeemLinkedCostTheReplyTimeout) {
  Travel travel;
  travel.news = Duration{1000};
  HandDriver<Bully> driver(ids_of({1, 2, 3, 4}), fitting, travel);
  driver.make_complete();
  driver.crash(3);
  driver.start(0);
  driver.run(Time{1 + 25});
  EXPECT_EQ(driver.leaders_named(NodeId{3}), 1u);  // itself
  driver.run(Time{1 + 25 + 1});
  EXPECT_EQ(driver.leaders_named(NodeId{3}), 3u);
  driver.run();
  EXPECT_EQ(driver.leaders_named(NodeId{3}), 3u);
}

TEST(Bully, TheNextHighestFollowsACrashedLeader) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    HandDriver<Bully> driver(ids_of({4, 1, 5, 3, 2}), fitting, bounded, seed);
    driver.make_complete();
    driver.start_all();
    driver.run();
    EXPECT_EQ(driver.leaders_named(NodeId{5}), 5u);
    driver.crash(2);
    driver.run();
    EXPECT_EQ(driver.leaders_named(NodeId{4}), 4u);
    driver.crash(0);
    driver.run(driver.now() + Duration{static_cast<int>(seed % 20)});
    driver.crash(3);  // the next in line, perhaps during the election
    driver.run();
    EXPECT_EQ(driver.leaders_named(NodeId{2}), 2u);
    driver.restart(2);
    driver.run();
    EXPECT_EQ(driver.leaders_named(NodeId{5}), 3u);
    driver.restart(0);  // a smaller one restarts and learns which node leads
    driver.run();
    EXPECT_EQ(driver.leaders_named(NodeId{5}), 4u);
  }
}

/// Crashes, restarts and links that come and go at random; then all nodes are linked again.
void shake(std::uint64_t seed, Bully::Options options, Travel travel) {
  core::Prng prng(seed);
  const auto n = static_cast<NodeIndex>(2 + prng.below(5));
  HandDriver<Bully> driver(shuffled_ids(n, prng), options, travel, seed);
  driver.make_complete();
  for (NodeIndex i = 0; i < n; ++i)
    if (i == 0 || prng.chance(0.5)) driver.start(i, Time{static_cast<int>(prng.below(40))});
  std::vector<std::pair<NodeIndex, NodeIndex>> parted;
  for (std::uint64_t k = prng.below(8); k > 0; --k) {
    driver.run(driver.now() + Duration{static_cast<int>(prng.below(60))});
    const auto a = static_cast<NodeIndex>(prng.below(n));
    const auto b = static_cast<NodeIndex>((a + 1 + prng.below(n - 1)) % n);
    if (!driver.alive(a)) {
      driver.restart(a);  // linked to all live nodes
      std::erase_if(parted, [a](const auto& each) { return each.first == a || each.second == a; });
    } else if (prng.chance(0.5)) {
      driver.crash(a);
      std::erase_if(parted, [a](const auto& each) { return each.first == a || each.second == a; });
    } else if (driver.alive(b)) {
      driver.part(a, b);
      parted.emplace_back(a, b);
    }
  }
  driver.run(driver.now() + Duration{static_cast<int>(prng.below(60))});
  for (const auto& [a, b] : parted) {
    driver.part(a, b);  // it may have been partitioned twice
    driver.join(a, b);
  }
  driver.run();  // the property speaks once all are linked
  NodeId highest{};
  std::size_t alive = 0, named = 0;
  for (NodeIndex i = 0; i < n; ++i) {
    if (!driver.alive(i)) continue;
    ++alive;
    named += driver.node(i).leader() ? 1 : 0;
    highest = std::max(highest, driver.id(i));
  }
  if (named == 0) return;  // the node that asked is dead
  EXPECT_EQ(driver.leaders_named(highest), alive) << "seed " << seed;
}

TEST(Bully, SettlesAfterAnyFaults) {
  Travel blind = bounded;  // to crashes, for longer than elections take
  blind.news = Duration{80};
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    shake(seed, fitting, bounded);
    shake(seed, fitting, blind);
  }
}

TEST(Bully, BearsReordering) {
  Travel travel = bounded;
  travel.fifo = false;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) shake(seed, fitting, travel);
}

TEST(Bully, TooShortAReplyTimeoutIsRepairedByTheNextMessage) {
  // A node may lead for a while though a larger one is alive; the wait for the leader must be long.
  for (std::uint64_t seed = 0; seed < 3000; ++seed)
    shake(seed, {Duration{5}, Duration{50}}, bounded);
}

TEST(Bully, PropertiesBite) {
  HandDriver<Bully> apart(ids_of({1, 2}), fitting);
  apart.start_all();
  EXPECT_NO_THROW(apart.run());  // two leaders, but they cannot know of each other
  apart.link(0, 1);              // now they could, and they are not notified
  EXPECT_THROW(apart.run(), core::Violation);
  HandDriver<Bully> asleep(ids_of({1, 2}), fitting);
  asleep.make_complete();
  EXPECT_NO_THROW(asleep.run());
}

TEST(Bully, OptionsAndMessages) {
  const auto rows = core::option_rows<Bully::Options>();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].default_text, "200 ms");
  EXPECT_EQ(rows[1].default_text, "1 s");
  for (const Bully::Message message : {Bully::Message(Election{}), Bully::Message(Leader{})})
    EXPECT_EQ(core::decode<Bully::Message>(core::encode(message)), message);
  EXPECT_EQ(core::encode(Bully::Message(Reply{})), core::Bytes{2});
}

}  // namespace
}  // namespace bellwether::algorithms
