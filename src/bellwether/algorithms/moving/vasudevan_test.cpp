// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/moving/vasudevan.hpp"

#include <gtest/gtest.h>

#include "bellwether/algorithms/hand_driver_test.hpp"
#include "bellwether/core/codec.hpp"
#include "bellwether/core/print.hpp"

namespace bellwether::algorithms {
namespace {

using Timer = Vasudevan::Timer;
using ValueSource = Vasudevan::ValueSource;
using Index = Vasudevan::Index;
using Candidate = Vasudevan::Candidate;
using Election = Vasudevan::Election;
using Ack = Vasudevan::Ack;
using Leader = Vasudevan::Leader;
using Probe = Vasudevan::Probe;
using Heartbeat = Vasudevan::Heartbeat;
using std::chrono::milliseconds;
using std::chrono::seconds;

std::string short_text(const Index& i) {
  return std::to_string(i.num) + "." + std::to_string(raw(i.id));
}
std::string short_text(const Candidate& c) {
  return std::to_string(c.value) + "/" + std::to_string(raw(c.id));
}
std::string short_text(const Vasudevan::Message& message) {
  if (const auto* e = std::get_if<Election>(&message)) return "election " + short_text(e->index);
  if (const auto* a = std::get_if<Ack>(&message))
    return "ack " + short_text(a->index) + " " + (a->best ? short_text(*a->best) : "none");
  if (const auto* l = std::get_if<Leader>(&message))
    return "leader " + short_text(l->leader) + " " + short_text(l->index);
  if (const auto* h = std::get_if<Heartbeat>(&message))
    return "heartbeat " + std::to_string(raw(h->leader)) + " " + std::to_string(h->beat);
  return "probe";
}

/// "0:election 1.5, 2:ack 1.9 none, +missing": sends and alarms of a step.
std::string effects(const Vasudevan::Step& step) {
  std::string out;
  for (const auto& send : step.sends())
    out += (send.port == core::every_port ? "*" : std::to_string(raw(send.port))) + ":" +
           short_text(send.message) + ", ";
  for (const auto& alarm : step.alarms())
    out += std::string(alarm.armed ? "+" : "-") + std::string(core::name_of(alarm.timer)) + ", ";
  return out.substr(0, out.size() < 2 ? 0 : out.size() - 2);
}

Election election(std::uint64_t num, std::uint64_t id) {
  return {{num, NodeId{id}}};
}
Ack ack(std::uint64_t num, std::uint64_t id, std::uint64_t best) {
  return {{num, NodeId{id}}, Candidate{best, NodeId{best}}};
}
Ack no_child(std::uint64_t num, std::uint64_t id) {
  return {{num, NodeId{id}}, std::nullopt};
}
Leader leader(std::uint64_t who, std::uint64_t num, std::uint64_t id, std::uint64_t beat = 0) {
  return {{who, NodeId{who}}, {num, NodeId{id}}, beat};
}

/// Node 5 between 3, 7 and 9, on ports 0, 1 and 2.
struct VasudevanByHand : testing::Test {
  ByHand<Vasudevan> hand{ids_of({3, 7, 9})};
  Vasudevan node{NodeId{5}, {}};

  void expect(const std::string& what) { EXPECT_EQ(effects(hand.step), what); }
  void receive(std::uint32_t port, const Vasudevan::Message& m) {
    node.receive(hand.next(), Port{port}, m);
  }
  /// Through an election that 9 has won: index 1.9, the parent was 2.
  void settle() {
    receive(2, election(1, 9));
    receive(0, ack(1, 9, 3));
    receive(1, no_child(1, 9));
    receive(2, leader(9, 1, 9));
    expect("0:leader 9/9 1.9, 1:leader 9/9 1.9, +missing");
  }
};

TEST_F(VasudevanByHand, AnElectionOutAndBack) {
  EXPECT_TRUE(node.asleep());
  node.start(hand.next());
  expect("0:election 1.5, 1:election 1.5, 2:election 1.5");
  EXPECT_EQ(node.leader(), std::nullopt);
  EXPECT_TRUE(node.electing());
  receive(0, ack(1, 5, 3));
  receive(2, ack(1, 5, 9));
  expect("");
  receive(1, no_child(1, 5));
  expect("0:leader 9/9 1.5, 1:leader 9/9 1.5, 2:leader 9/9 1.5, +missing");
  EXPECT_EQ(hand.step.alarms()[0].min, seconds(120));
  EXPECT_EQ(node.leader(), NodeId{9});
  EXPECT_FALSE(node.electing());
}

TEST_F(VasudevanByHand, AChildAcksTheBestOfItsSubtree) {
  receive(1, election(1, 7));
  expect("0:election 1.7, 2:election 1.7");
  receive(2, ack(1, 7, 12));
  receive(0, ack(1, 7, 3));
  expect("1:ack 1.7 12/12");
  EXPECT_EQ(node.leader(), std::nullopt);
  receive(1, leader(20, 1, 7));
  expect("0:leader 20/20 1.7, 2:leader 20/20 1.7, +missing");
}

TEST_F(VasudevanByHand, TheSameElectionFromAnotherIsAckedAtOnce) {
  receive(1, election(1, 7));
  receive(2, election(1, 7));
  expect("2:ack 1.7 none");
  receive(1, election(1, 7));  // twice from the parent
  expect("");
  receive(0, no_child(1, 7));
  receive(2, no_child(1, 7));
  expect("1:ack 1.7 5/5");
  receive(1, election(1, 7));  // which has missed the ack, perhaps
  expect("1:ack 1.7 5/5");
}

TEST_F(VasudevanByHand, AHigherComputationStopsALowerOne) {
  node.start(hand.next());
  receive(1, election(1, 7));
  expect("0:election 1.7, 2:election 1.7");
  receive(0, ack(1, 5, 3));  // of the one that is stopped
  receive(0, election(1, 3));
  expect("");  // ours is on its way to it
  receive(2, election(2, 1));
  expect("0:election 2.1, 1:election 2.1");
  EXPECT_EQ(node.index(), (Index{2, NodeId{1}}));
}

TEST_F(VasudevanByHand, ALowerOneThatDoesNotKnowOursIsTold) {
  hand.ports = {Port{0}, Port{1}};
  node.start(hand.next());
  hand.ports = {Port{0}, Port{1}, Port{2}};
  node.link_up(hand.next(), Port{2});
  expect("2:probe");
  receive(2, election(1, 2));
  expect("2:election 1.5");
  receive(2, election(1, 2));
  expect("");
  receive(0, no_child(1, 5));
  receive(1, no_child(1, 5));
  EXPECT_TRUE(node.electing()) << "it waits for the newcomer, too";
  receive(2, ack(1, 5, 9));
  EXPECT_EQ(node.leader(), NodeId{9});
}

TEST_F(VasudevanByHand, WhoHasAckedAdoptsNoMoreChildren) {
  receive(1, election(2, 7));
  receive(0, no_child(2, 7));
  receive(2, no_child(2, 7));
  receive(0, election(1, 3));
  expect("0:ack 1.3 none");
  receive(0, Probe{});
  expect("");
}

TEST_F(VasudevanByHand, LostChildrenAreNotWaitedFor) {
  receive(1, election(1, 7));
  receive(0, ack(1, 7, 3));
  hand.ports = {Port{0}, Port{1}};
  node.link_down(hand.next(), Port{2});
  expect("1:ack 1.7 5/5");
}

TEST_F(VasudevanByHand, WhoLosesItsParentFinishesAlone) {
  receive(1, election(1, 7));
  hand.ports = {Port{0}, Port{2}};
  node.link_down(hand.next(), Port{1});
  expect("");
  receive(0, ack(1, 7, 3));
  receive(2, ack(1, 7, 9));
  expect("0:leader 9/9 1.7, 2:leader 9/9 1.7, +missing");
}

TEST_F(VasudevanByHand, SoItDoesAfterItsAck) {
  receive(1, election(1, 7));
  receive(0, ack(1, 7, 3));
  receive(2, no_child(1, 7));
  hand.ports = {Port{0}, Port{2}};
  node.link_down(hand.next(), Port{1});
  expect("0:leader 5/5 1.7, 2:leader 5/5 1.7, +heartbeat");
  EXPECT_EQ(node.leader(), NodeId{5});
}

TEST_F(VasudevanByHand, ALeaderMessageBeforeTheAckIsIgnored) {
  receive(1, election(1, 7));
  receive(0, leader(30, 4, 3));
  expect("");
  EXPECT_TRUE(node.electing());
}

TEST_F(VasudevanByHand, AfterTheAckAnyLaterOneWillDo) {
  receive(1, election(2, 7));
  receive(0, ack(2, 7, 8));
  receive(2, no_child(2, 7));
  receive(2, leader(30, 1, 2));
  expect("");                   // earlier
  receive(2, leader(6, 3, 2));  // of a component that does not know of 8
  expect("0:leader 8/8 3.2, 1:leader 8/8 3.2, 2:leader 8/8 3.2, +missing");
}

TEST_F(VasudevanByHand, ComponentsThatMeetKeepTheBetterLeader) {
  settle();
  receive(0, leader(4, 1, 4));
  expect("0:leader 9/9 1.9");  // they do not know
  receive(0, leader(9, 1, 9));
  expect("");
  receive(0, leader(12, 1, 9));
  expect("1:leader 12/12 1.9, 2:leader 12/12 1.9, +missing");
  EXPECT_EQ(node.leader(), NodeId{12});
  receive(0, leader(12, 5, 1));  // a later computation: all are to know
  expect("1:leader 12/12 5.1, 2:leader 12/12 5.1");
  receive(0, leader(11, 6, 1));
  expect("0:leader 12/12 6.1, 1:leader 12/12 6.1, 2:leader 12/12 6.1");
}

TEST_F(VasudevanByHand, AnElectionThatWeArePastIsNotJoined) {
  settle();
  receive(0, election(1, 9));
  expect("0:ack 1.9 none");
  receive(0, election(1, 3));
  expect("0:ack 1.3 none, 0:leader 9/9 1.9");
  receive(0, election(2, 3));
  expect("1:election 2.3, 2:election 2.3, -missing");
}

TEST_F(VasudevanByHand, ANewNeighbourIsToldWhereWeStand) {
  settle();
  receive(0, Probe{});
  expect("0:leader 9/9 1.9");
  node.timeout(hand.next(), Timer::missing);
  expect("0:election 2.5, 1:election 2.5, 2:election 2.5, -missing");
  receive(0, no_child(2, 5));
  receive(0, Probe{});
  expect("0:election 2.5");
}

TEST_F(VasudevanByHand, HeartbeatsAreForwardedOnce) {
  settle();
  receive(1, Heartbeat{NodeId{9}, 1});
  expect("0:heartbeat 9 1, 2:heartbeat 9 1, +missing");
  receive(2, Heartbeat{NodeId{9}, 1});
  expect("");
  receive(2, Heartbeat{NodeId{8}, 7});
  expect("");
}

TEST_F(VasudevanByHand, ALeaderBeatsAndOneThatComesBackGoesOnCounting) {
  hand.ports = {};
  node.start(hand.next());
  expect("+heartbeat");
  EXPECT_EQ(hand.step.alarms()[0].min, seconds(20));
  EXPECT_EQ(node.leader(), NodeId{5});
  hand.ports = {Port{0}};
  node.link_up(hand.next(), Port{0});
  expect("0:probe");
  receive(0, leader(5, 4, 3, 41));
  expect("");
  node.timeout(hand.next(), Timer::heartbeat);
  expect("*:heartbeat 5 42, +heartbeat");
  receive(0, leader(9, 4, 3, 17));
  expect("-heartbeat, +missing");
  node.timeout(hand.next(), Timer::heartbeat);
  expect("");
  receive(0, Heartbeat{NodeId{9}, 17});
  expect("");
}

TEST_F(VasudevanByHand, ASleeperCountsItselfBeforeItFollows) {
  receive(0, leader(3, 1, 3));
  expect("0:leader 5/5 1.3, 1:leader 5/5 1.3, 2:leader 5/5 1.3, +heartbeat");
  EXPECT_EQ(node.leader(), NodeId{5});
}

TEST_F(VasudevanByHand, ValuesAreWhatTheOptionSays) {
  Vasudevan counts{NodeId{5}, {.value = ValueSource::degree}};
  counts.receive(hand.next(), Port{0}, election(1, 3));
  hand.ports = {Port{0}};
  counts.link_down(hand.next(), Port{1});
  counts.link_down(hand.next(), Port{2});
  expect("0:ack 1.3 3/5");  // as many links as when it joined
  Vasudevan own{NodeId{5}, {.value = ValueSource::own}};
  own.set_value(77);
  own.receive(hand.next(), Port{0}, election(1, 3));
  expect("0:ack 1.3 77/5");
  using core::Criterion;
  EXPECT_EQ(Vasudevan::criterion({}), Criterion::highest_id);
  EXPECT_EQ(Vasudevan::criterion({.value = ValueSource::degree}), Criterion::degree);
  EXPECT_EQ(Vasudevan::criterion({.value = ValueSource::own}), Criterion::majority);
}

TEST(Vasudevan, EndlessTimesAreCut) {
  ByHand<Vasudevan> hand(ids_of({3, 7, 9}));
  Vasudevan node{NodeId{5}, {ValueSource::id, Duration::max(), 0xFFFF'FFFF}};
  node.receive(hand.next(), Port{0}, leader(9, 1, 9));
  ASSERT_EQ(hand.step.alarms().size(), 3u);  // alone at first
  EXPECT_GT(hand.step.alarms()[2].min, seconds(1));
  EXPECT_LT(hand.step.alarms()[2].max, Duration::max() / 2);
}

/// A tree and a few more links.
void random_links(HandDriver<Vasudevan>& driver, core::Prng& prng) {
  const NodeIndex n = driver.size();
  for (NodeIndex i = 1; i < n; ++i) driver.link(i, static_cast<NodeIndex>(prng.below(i)));
  for (NodeIndex i = 2; i + 1 < n; i += 3) driver.link(i + 1, i - 2);
}

TEST(Vasudevan, TheHighestIdWinsWhoeverStartsAndHoweverMessagesTravel) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    core::Prng prng(seed);
    const auto n = static_cast<NodeIndex>(1 + seed % 12);
    const auto ids = shuffled_ids(n, prng);
    HandDriver<Vasudevan> driver(
        ids, {}, {milliseconds(1), milliseconds(20), seed % 2 == 0, seed % 3 == 0 ? 0.2 : 0.0},
        seed);
    random_links(driver, prng);
    driver.start(static_cast<NodeIndex>(prng.below(n)));
    for (std::uint64_t more = seed % 4; more > 0; --more)
      driver.start(static_cast<NodeIndex>(prng.below(n)), prng.between(Time{0}, milliseconds(60)));
    driver.run(seconds(10));
    EXPECT_EQ(driver.leaders_named(NodeId{n}), n) << "seed " << seed;
  }
}

TEST(Vasudevan, ADeadLeaderIsReplacedAndOneThatComesBackTakesOver) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    core::Prng prng(seed);
    const NodeIndex n = 8;
    const auto ids = shuffled_ids(n, prng);
    HandDriver<Vasudevan> driver(ids, {}, {milliseconds(1), milliseconds(20)}, seed);
    driver.make_complete();
    driver.start_all();
    driver.run(seconds(50));
    const auto top =
        static_cast<NodeIndex>(std::find(ids.begin(), ids.end(), NodeId{n}) - ids.begin());
    driver.crash(top);
    driver.run(seconds(155));
    EXPECT_EQ(driver.leaders_named(NodeId{n}), n - 1) << "not missed yet";
    driver.run(seconds(170));
    EXPECT_EQ(driver.leaders_named(NodeId{n - 1}), n - 1) << "seed " << seed;
    driver.restart(top);
    driver.run(seconds(171));
    EXPECT_EQ(driver.leaders_named(NodeId{n}), n) << "seed " << seed;
    driver.run(seconds(400));
    EXPECT_EQ(driver.leaders_named(NodeId{n}), n) << "seed " << seed;
  }
}

}  // namespace
}  // namespace bellwether::algorithms
