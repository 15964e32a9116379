// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/moving/gomez_calzado.hpp"

#include <gtest/gtest.h>

#include "bellwether/algorithms/hand_driver_test.hpp"
#include "bellwether/core/codec.hpp"
#include "bellwether/core/print.hpp"

namespace bellwether::algorithms {
namespace {

using Occasion = GomezCalzado::Occasion;
using Timer = GomezCalzado::Timer;
using Join = GomezCalzado::Join;
using Leader = GomezCalzado::Leader;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr microseconds period(102'400);
constexpr Timer beat{Occasion::beat, {}};
constexpr Timer announce{Occasion::announce, {}};
constexpr Timer silence{Occasion::leader, {}};
constexpr Timer member(std::uint64_t who) {
  return {Occasion::member, NodeId{who}};
}

std::string short_text(const GomezCalzado::Message& message) {
  if (const auto* j = std::get_if<Join>(&message))
    return "join " + std::to_string(raw(j->id)) + " " + std::to_string(j->number);
  const auto& l = std::get<Leader>(message);
  return "leader " + std::to_string(raw(l.id)) + " " + std::to_string(l.size) + " " +
         std::to_string(l.beat);
}

/// "*:join 5 1, +beat, -member 7": sends and alarms of a step.
std::string effects(const GomezCalzado::Step& step) {
  std::string out;
  for (const auto& send : step.sends())
    out += (send.port == core::every_port ? "*" : std::to_string(raw(send.port))) + ":" +
           short_text(send.message) + ", ";
  for (const auto& alarm : step.alarms()) {
    out += std::string(alarm.armed ? "+" : "-") + std::string(core::name_of(alarm.timer.occasion));
    if (alarm.timer.occasion == Occasion::member) out += " " + std::to_string(raw(alarm.timer.who));
    out += ", ";
  }
  return out.substr(0, out.size() < 2 ? 0 : out.size() - 2);
}

/// Node 5 with links to 3, 7 and 9.
struct GomezCalzadoByHand : testing::Test {
  ByHand<GomezCalzado> hand{ids_of({3, 7, 9})};
  GomezCalzado node{NodeId{5}, {}};

  void expect(const std::string& what) { EXPECT_EQ(effects(hand.step), what); }
  void join(std::uint32_t port, std::uint64_t id, std::uint64_t number) {
    node.receive(hand.next(), Port{port}, Join{NodeId{id}, number});
  }
  void leader(std::uint32_t port, std::uint64_t id, std::uint64_t size, std::uint64_t number) {
    node.receive(hand.next(), Port{port}, Leader{NodeId{id}, size, number});
  }
};

TEST_F(GomezCalzadoByHand, ALoneNodeAsksToJoinEveryPeriod) {
  EXPECT_EQ(node.leader(), NodeId{5});
  node.start(hand.next());
  expect("*:join 5 1, +beat");
  EXPECT_EQ(hand.step.alarms()[0].min, period);
  EXPECT_EQ(hand.step.alarms()[0].max, period);
  node.timeout(hand.next(), beat);
  expect("*:join 5 2, +beat");
  EXPECT_EQ(node.leader(), NodeId{5});
}

TEST_F(GomezCalzadoByHand, AJoinIsAddedAndPropagatedOnce) {
  node.start(hand.next());
  join(0, 20, 4);
  expect("*:join 20 4, +member 20");
  EXPECT_EQ(hand.step.alarms()[0].min, milliseconds(10'240 + 100));
  EXPECT_EQ(core::text_of(node.members()), "{5:0,20:4}");
  join(1, 20, 4);
  expect("");
  join(1, 20, 3);
  expect("");
  join(1, 20, 5);
  expect("*:join 20 5, +member 20");
  join(1, 5, 99);  // our own
  expect("");
}

TEST_F(GomezCalzadoByHand, WhoHasMembersSaysHowMany) {
  node.start(hand.next());
  join(0, 20, 4);
  EXPECT_EQ(node.leader(), NodeId{5}) << "20 has not said that it leads";
  node.timeout(hand.next(), beat);
  expect("*:leader 5 2 1, +beat");
}

TEST_F(GomezCalzadoByHand, TheLargerComponentWinsThenTheHigherId) {
  node.start(hand.next());
  join(0, 3, 1);
  node.timeout(hand.next(), beat);  // it leads two
  leader(0, 4, 2, 1);
  expect("");
  leader(1, 7, 2, 1);
  expect("*:leader 7 2 1, -beat, +member 7, +announce, +leader");
  EXPECT_EQ(node.leader(), NodeId{7});
  leader(0, 3, 4, 1);
  expect("*:leader 3 4 1, +announce, +leader");
  EXPECT_EQ(node.leader(), NodeId{3});
  leader(0, 9, 3, 1);
  expect("");
  EXPECT_EQ(core::text_of(node.members()), "{3:1,5:0,7:0}");
}

TEST_F(GomezCalzadoByHand, BeatsOfTheLeaderAreForwardedOnceWhateverTheirSize) {
  node.start(hand.next());
  leader(1, 7, 3, 5);
  EXPECT_EQ(hand.step.alarms()[3].min, milliseconds(100));
  leader(0, 7, 3, 5);
  expect("");
  leader(0, 7, 1, 6);
  expect("*:leader 7 1 6, +leader");
  leader(0, 9, 2, 1);
  EXPECT_EQ(node.leader(), NodeId{9}) << "7 has become smaller";
}

TEST_F(GomezCalzadoByHand, AMemberAnnouncesItselfAPeriodAfterItsChange) {
  node.start(hand.next());
  leader(1, 7, 3, 5);
  EXPECT_EQ(hand.step.alarms()[2].timer, announce);
  EXPECT_EQ(hand.step.alarms()[2].min, period);
  node.timeout(hand.next(), announce);
  expect("*:join 5 2, +announce");
  EXPECT_EQ(hand.step.alarms()[0].min, 100 * period);
  node.timeout(hand.next(), beat);  // no longer its business
  expect("");
}

TEST_F(GomezCalzadoByHand, WhoMissesItsLeaderLeadsTheRestAndBecomesMorePatient) {
  node.start(hand.next());
  join(0, 3, 1);
  leader(1, 7, 3, 5);
  node.timeout(hand.next(), silence);
  expect("*:leader 5 2 1, -member 7, -announce, +beat");
  EXPECT_EQ(node.leader(), NodeId{5});
  EXPECT_EQ(node.leader_timeout(), milliseconds(600));
  node.timeout(hand.next(), silence);
  expect("");
  leader(1, 7, 3, 6);
  EXPECT_EQ(hand.step.alarms().back().min, milliseconds(600));
}

TEST_F(GomezCalzadoByHand, WithoutMembersItIsAloneAgain) {
  node.start(hand.next());
  leader(1, 7, 3, 5);
  node.timeout(hand.next(), silence);
  expect("*:join 5 2, -member 7, -announce, +beat");
}

TEST_F(GomezCalzadoByHand, MembersAreLostButNotTheLeader) {
  node.start(hand.next());
  join(0, 3, 1);
  leader(1, 7, 3, 5);
  node.timeout(hand.next(), member(7));
  expect("+member 7");
  node.timeout(hand.next(), member(3));
  expect("");
  EXPECT_EQ(core::text_of(node.members()), "{5:0,7:0}");
  EXPECT_EQ(node.member_timeout(), milliseconds(600));
  node.timeout(hand.next(), member(3));
  EXPECT_EQ(node.member_timeout(), milliseconds(600)) << "lost once";
  join(0, 3, 1);
  EXPECT_EQ(hand.step.alarms()[0].min, milliseconds(10'240 + 600));
}

TEST_F(GomezCalzadoByHand, ASleeperIsWokenByWhateverReachesIt) {
  join(0, 3, 1);
  expect("*:join 5 1, *:join 3 1, +beat, +member 3");
  GomezCalzado other{NodeId{5}, {}};
  other.link_up(hand.next(), Port{0});
  expect("*:join 5 1, +beat");
  other.link_down(hand.next(), Port{0});
  expect("");
}

TEST_F(GomezCalzadoByHand, TimesStayFinite) {
  const Duration most = Duration::max();
  GomezCalzado slow{NodeId{5}, {most, most, most, most}};
  slow.receive(hand.next(), Port{0}, Leader{NodeId{9}, 2, 1});
  slow.timeout(hand.next(), silence);
  EXPECT_GT(slow.leader_timeout(), seconds(1));
  slow.receive(hand.next(), Port{0}, Join{NodeId{9}, 2});
  EXPECT_GT(hand.step.alarms()[0].min, seconds(1));
}

// The thesis measures 4.56 to 6.58 bytes per message, with ids of three bytes and nothing said of
// tags and numbers.
TEST(GomezCalzado, MessagesAreAsSmallAsTheThesisSays) {
  const NodeId id{20'000};
  ASSERT_EQ(core::encoded_size(id), 3u);
  const auto size = [](const GomezCalzado::Message& m) { return core::encoded_size(m); };
  EXPECT_EQ(size(Join{id, 1}), 5u);
  EXPECT_EQ(size(Join{id, 1000}), 6u);
  EXPECT_EQ(size(Leader{id, 60, 1}), 6u);
  EXPECT_EQ(size(Leader{id, 60, 10'000}), 7u);
}

TEST(GomezCalzado, AllFollowTheHighestIdWhenAllBeginAtOnce) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    core::Prng prng(seed);
    const auto n = static_cast<NodeIndex>(2 + seed % 9);
    const auto ids = shuffled_ids(n, prng);
    HandDriver<GomezCalzado> driver(ids, {}, {milliseconds(1), milliseconds(3), seed % 2 == 0, 0.1},
                                    seed);
    for (NodeIndex i = 1; i < n; ++i) driver.link(i, static_cast<NodeIndex>(prng.below(i)));
    driver.start_all();
    for (Time at = milliseconds(500); at < seconds(5); at += milliseconds(25)) {
      driver.run(at);
      ASSERT_EQ(driver.leaders_named(NodeId{n}), n) << "seed " << seed;
    }
    driver.run(seconds(30));
    for (NodeIndex i = 0; i < n; ++i) {
      EXPECT_EQ(driver.node(i).members().size(), n) << "everybody knows everybody";
      EXPECT_LE(driver.node(i).leader_timeout(), milliseconds(600));
      EXPECT_EQ(driver.node(i).member_timeout(), milliseconds(100));
    }
  }
}

}  // namespace
}  // namespace bellwether::algorithms
