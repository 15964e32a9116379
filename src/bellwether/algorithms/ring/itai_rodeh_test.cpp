// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/ring/itai_rodeh.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "bellwether/algorithms/hand_driver_test.hpp"
#include "bellwether/core/codec.hpp"
#include "bellwether/core/print.hpp"

namespace bellwether::algorithms {
namespace {

using State = ItaiRodeh::State;
using Token = ItaiRodeh::Token;
using Leader = ItaiRodeh::Leader;
using Options = ItaiRodeh::Options;
constexpr Travel wild{.min = Duration{1}, .max = Duration{50}};

/// One node whose draws are written down before.
struct Bench {
  ByHand<ItaiRodeh> hand{std::vector<NodeId>(2)};
  std::vector<std::uint64_t> draws;
  std::uint64_t choices = 0;  // that it was last asked for
  ItaiRodeh node;

  Bench(std::uint64_t id, Options options, std::vector<std::uint64_t> will_draw)
      : draws(std::move(will_draw)), node(NodeId{id}, options) {
    hand.draw = [this](std::uint64_t n) {
      choices = n;
      const std::uint64_t number = draws.at(0);
      draws.erase(draws.begin());
      return number - 1;
    };
  }
  std::string sent() const {
    EXPECT_LE(hand.step.sends().size(), 1u);
    if (hand.step.sends().empty()) return "";
    EXPECT_EQ(hand.step.sends()[0].port, Port{0});
    return core::text_of(hand.step.sends()[0].message);
  }
  std::string start() {
    node.start(hand.next());
    return sent();
  }
  std::string take(const ItaiRodeh::Message& message) {
    node.receive(hand.next(), Port{1}, message);
    return sent();
  }
};

TEST(ItaiRodeh, ANodeDrawsAndComparesTokensWithItsDraw) {
  Bench b(0, {.nodes = 4}, {3});
  EXPECT_EQ(b.start(), "token(number=3 round=1 hop=1 bit=true)");
  EXPECT_EQ(b.choices, 4u) << "as many numbers as nodes";
  EXPECT_EQ(b.node.state(), State::active);
  EXPECT_EQ(b.take(Token{2, 1, 1, true}), "") << "smaller: dropped";
  EXPECT_EQ(b.take(Token{3, 1, 2, true}), "token(number=3 round=1 hop=3 bit=false)") << "a tie";
  EXPECT_EQ(b.node.state(), State::active);
  EXPECT_EQ(b.take(Token{4, 1, 2, true}), "token(number=4 round=1 hop=3 bit=true)");
  EXPECT_EQ(b.node.state(), State::passive);
  EXPECT_EQ(b.take(Token{1, 1, 1, false}), "token(number=1 round=1 hop=2 bit=false)")
      << "a passive node passes on what it gets";
  EXPECT_EQ(b.take(Token{3, 1, 4, true}), "") << "its own, and it is out";
  EXPECT_EQ(core::text_of(b.node), "itai-rodeh(id=0 state=passive round=1 number=3 leader=none)");
}

TEST(ItaiRodeh, ALaterRoundBeatsALargerNumber) {
  Bench b(0, {.nodes = 3, .choices = 9}, {9});
  b.start();
  EXPECT_EQ(b.choices, 9u);
  EXPECT_EQ(b.take(Token{1, 2, 1, true}), "token(number=1 round=2 hop=2 bit=true)");
  EXPECT_EQ(b.node.state(), State::passive);
}

TEST(ItaiRodeh, ItsOwnTokenMakesTheLeaderOrTheNextRound) {
  Bench b(7, {.nodes = 3}, {2, 3});
  b.start();
  EXPECT_EQ(b.take(Token{2, 1, 3, false}), "token(number=3 round=2 hop=1 bit=true)") << "a tie";
  EXPECT_EQ(b.take(Token{2, 1, 3, true}), "") << "a duplicate of what is over";
  EXPECT_EQ(b.take(Token{3, 2, 3, true}), "leader(id=7)");
  EXPECT_EQ(b.node.state(), State::leader);
  EXPECT_EQ(b.node.leader(), NodeId{7});
  const ItaiRodeh before = b.node;
  EXPECT_EQ(b.take(Token{3, 2, 3, true}), "");
  EXPECT_EQ(b.take(Token{3, 9, 1, true}), "");
  EXPECT_EQ(b.take(Leader{NodeId{7}}), "");
  EXPECT_EQ(b.node, before);
}

TEST(ItaiRodeh, WhoGetsSomethingBeforeItsStartIsPassive) {
  Bench b(0, {.nodes = 3}, {});
  EXPECT_EQ(b.take(Token{1, 1, 1, true}), "token(number=1 round=1 hop=2 bit=true)");
  EXPECT_EQ(b.start(), "");
  EXPECT_EQ(b.node.state(), State::passive);
  EXPECT_FALSE(b.node.initiator());
  EXPECT_EQ(b.take(Leader{NodeId{5}}), "leader(id=5)");
  EXPECT_EQ(b.take(Leader{NodeId{5}}), "") << "only once";
  EXPECT_EQ(b.node.leader(), NodeId{5});
}

TEST(ItaiRodeh, WhatIsNobodysDoesNotGoRoundForEver) {
  Bench b(0, {.nodes = 3}, {});
  EXPECT_EQ(b.take(Token{1, 1, 3, true}), "");
  EXPECT_EQ(b.take(Token{1, 1, 4'000'000'000, true}), "");
  Bench active(0, {.nodes = 3}, {1});
  active.start();
  EXPECT_EQ(active.take(Token{2, 1, 3, true}), "");
}

TEST(ItaiRodeh, ARingOfOneLeadsAtOnce) {
  HandDriver<ItaiRodeh> driver(ids_of({5}), {.nodes = 1});
  driver.start(0);
  driver.run();
  EXPECT_EQ(driver.node(0).leader(), NodeId{5});
  EXPECT_EQ(driver.sent(), 0u);
}

std::size_t leaders(const HandDriver<ItaiRodeh>& driver) {
  std::size_t count = 0;
  for (NodeIndex i = 0; i < driver.size(); ++i) count += driver.node(i).state() == State::leader;
  return count;
}

TEST(ItaiRodeh, AnonymousOrNamedAnyInitiatorsAnyOrderDuplicatesToo) {
  core::Prng prng(3);
  std::size_t ties = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const auto n = static_cast<NodeIndex>(2 + prng.below(9));
    const bool anonymous = seed % 2 == 0;
    const auto choices = static_cast<std::uint32_t>(prng.below(2) == 0 ? 0 : 2 + prng.below(3));
    Travel travel = wild;
    travel.fifo = prng.chance(0.5);
    travel.duplicates = prng.chance(0.5) ? 0.2 : 0;
    const Options options{n, choices, seed % 3 != 0};
    const auto ids = anonymous ? std::vector<NodeId>(n) : shuffled_ids(n, prng);
    HandDriver<ItaiRodeh> driver(ids, options, travel, seed);
    driver.make_ring();
    for (NodeIndex i = 0; i < n; ++i)
      if (i == 0 || prng.chance(0.7)) driver.start(i, Time{static_cast<int>(prng.below(60))});
    driver.run();  // watched by the properties
    ASSERT_EQ(leaders(driver), 1u) << seed;
    for (NodeIndex i = 0; i < n; ++i) {
      if (driver.node(i).state() != State::leader) continue;
      EXPECT_TRUE(driver.node(i).initiator());
      EXPECT_EQ(driver.leaders_named(driver.id(i)), options.announce ? n : 1);
      ties += driver.node(i).round() - 1;
    }
  }
  EXPECT_GT(ties, 500u) << "draws were repeated";
}

/// Messages of a run in which all start at once, without the announcement, as the draws have it:
/// tokens go as far as the first larger number, and the owners of those that return draw again.
struct Drawn {
  std::size_t rounds = 0;
  std::size_t sent = 0;
};
Drawn run_of(NodeIndex n, std::uint32_t choices, std::uint64_t seed, Travel travel) {
  HandDriver<ItaiRodeh> driver(std::vector<NodeId>(n), {n, choices, false}, travel, seed);
  driver.make_ring();
  driver.start_all();
  driver.run();
  Drawn out{0, driver.sent()};
  for (NodeIndex i = 0; i < n; ++i)
    out.rounds = std::max<std::size_t>(out.rounds, driver.node(i).round());
  return out;
}

TEST(ItaiRodeh, EachRoundIsAnElectionByNumbers) {
  for (NodeIndex n = 2; n <= 12; ++n)
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      const Drawn run = run_of(n, 0, seed, {});
      EXPECT_GE(run.sent, 2 * n - 1 + n * (run.rounds - 1)) << "somebody comes home in each";
      EXPECT_LE(run.sent, run.rounds * n * n) << "nobody goes farther than n hops in any";
    }
}

TEST(ItaiRodeh, HalfOfTheDrawsOfTwoTie) {
  // Two nodes and two numbers: each round ties with probability 1/2, and costs 4 messages then, 3
  // otherwise; 2 rounds on average.
  double rounds = 0, sent = 0;
  constexpr int runs = 20'000;
  for (std::uint64_t seed = 0; seed < runs; ++seed) {
    const Drawn run = run_of(2, 2, seed, {});
    EXPECT_EQ(run.sent, 4 * (run.rounds - 1) + 3);
    rounds += static_cast<double>(run.rounds) / runs;
    sent += static_cast<double>(run.sent) / runs;
  }
  EXPECT_NEAR(rounds, 2, 0.05);
  EXPECT_NEAR(sent, 7, 0.2);
}

TEST(ItaiRodeh, OneInitiatorCostsOneRound) {
  for (NodeIndex n = 2; n < 12; ++n) {
    HandDriver<ItaiRodeh> driver(std::vector<NodeId>(n), {.nodes = n}, wild, n);
    driver.make_ring();
    driver.start(0);
    driver.run();
    EXPECT_EQ(driver.sent(), 2 * n);
    EXPECT_EQ(driver.node(0).state(), State::leader);
    EXPECT_EQ(driver.leaders_named(NodeId{0}), n) << "they have no other names";
  }
}

TEST(ItaiRodeh, TwoWayRings) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    core::Prng prng(seed);
    HandDriver<ItaiRodeh> driver(shuffled_ids(5, prng), {.nodes = 5}, wild, seed);
    driver.make_two_way_ring();
    driver.start_all();
    driver.run();
    EXPECT_EQ(leaders(driver), 1u);
  }
}

/// A ring whose draws are written down before, in the order in which they are drawn.
class DrawnBefore final : public HandDriver<ItaiRodeh> {
 public:
  explicit DrawnBefore(std::deque<std::uint64_t> draws)
      : HandDriver(std::vector<NodeId>(4), {.nodes = 4}), draws_(std::move(draws)) {}

 private:
  std::uint64_t choose(std::uint64_t) override {
    const std::uint64_t number = draws_.at(0);
    draws_.pop_front();
    return number - 1;
  }
  std::deque<std::uint64_t> draws_;
};

TEST(ItaiRodeh, TheRunInTheDocumentation) {
  DrawnBefore ring({2, 3, 1, 3, 1, 2});  // the two tied draw 1 and 2
  ring.make_ring();
  ring.start_all();
  ring.run();
  EXPECT_EQ(ring.sent(), 10u + 6u + 4u);
  EXPECT_EQ(ring.node(3).state(), State::leader);
  EXPECT_EQ(ring.node(3).round(), 2u);
}

/// Nodes as a test puts them, to see that the properties bite.
class Nameless final : public Picture<ItaiRodeh> {
 public:
  using Picture::Picture;
  NodeId id(NodeIndex) const override { return NodeId{0}; }
};

TEST(ItaiRodeh, PropertiesBite) {
  const auto all = ItaiRodeh::monitors();
  ASSERT_EQ(all.size(), 3u);
  Bench leads(0, {.nodes = 2}, {2}), ties(0, {.nodes = 2}, {2}), lost(0, {.nodes = 2}, {1});
  leads.start();
  leads.take(Token{2, 1, 2, true});
  ties.start();
  lost.start();
  lost.take(Token{2, 1, 1, true});
  const Nameless open({leads.node, lost.node});
  for (const NodeIndex i : {0u, 1u}) {
    EXPECT_NO_THROW(all[0]->after(open, {core::Cause::receive, i, {}}));
    EXPECT_NO_THROW(all[1]->after(open, {core::Cause::receive, i, {}}));
  }
  EXPECT_THROW(all[2]->at_rest(open), core::Violation) << "the other has not been told";
  EXPECT_THROW(all[2]->at_rest(Nameless({ties.node, ties.node})), core::Violation);
  lost.take(Leader{NodeId{0}});
  EXPECT_NO_THROW(all[2]->at_rest(Nameless({leads.node, lost.node})));
  // Both name 0, as one leader and one follower would: only their states distinguish them.
  EXPECT_THROW(all[0]->after(Nameless({leads.node, leads.node}), {core::Cause::receive, 1, {}}),
               core::Violation);
  EXPECT_THROW(all[1]->after(Nameless({lost.node, lost.node}), {core::Cause::receive, 1, {}}),
               core::Violation);
}

TEST(ItaiRodeh, MessagesRoundTrip) {
  for (const ItaiRodeh::Message& message :
       {ItaiRodeh::Message(Token{7, 300, 5, false}), ItaiRodeh::Message(Leader{NodeId{0}})})
    EXPECT_EQ(core::decode<ItaiRodeh::Message>(core::encode(message)), message);
}

}  // namespace
}  // namespace bellwether::algorithms
