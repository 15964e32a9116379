// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/rounds/frederickson_lynch.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "bellwether/algorithms/hand_driver_test.hpp"
#include "bellwether/algorithms/rounds/hand_rounds_test.hpp"
#include "bellwether/core/codec.hpp"
#include "bellwether/core/print.hpp"

namespace bellwether::algorithms {
namespace {

using State = FredericksonLynch::State;
using Token = FredericksonLynch::Token;
using Leader = FredericksonLynch::Leader;
using Options = FredericksonLynch::Options;
constexpr Options quiet{.announce = false};
constexpr Options book{.first_phase = false, .announce = false};

/// One node and its next round.
struct Bench {
  ByHand<FredericksonLynch> hand{ids_of({8, 9})};
  FredericksonLynch node;

  Bench(std::uint64_t id, Options options) : node(NodeId{id}, options) {}
  /// What it sends in a round with this inbox, as text.
  std::string round(std::vector<FredericksonLynch::Message> messages = {}) {
    Letters<FredericksonLynch::Message> inbox;
    for (const auto& message : messages) inbox.push_back({Port{1}, message});
    node.round(hand.next(), inbox);
    EXPECT_LE(hand.step.sends().size(), 1u);
    if (hand.step.sends().empty()) return "";
    EXPECT_EQ(hand.step.sends()[0].port, Port{0});
    return core::text_of(hand.step.sends()[0].message);
  }
};

TEST(FredericksonLynch, WhoBeginsByItselfSendsAtOnceAndSlowsOthersDown) {
  Bench b(5, {});
  EXPECT_EQ(b.round(), "token(id=5 first=true)");
  EXPECT_EQ(b.node.state(), State::active);
  EXPECT_TRUE(b.node.halted()) << "its token is under way";
  EXPECT_EQ(b.round({Token{NodeId{7}, true}}), "") << "a larger one is dropped";
  EXPECT_TRUE(b.node.halted());
  EXPECT_EQ(b.round({Token{NodeId{2}, true}}), "");
  EXPECT_FALSE(b.node.halted()) << "a token waits here";
  EXPECT_EQ(core::text_of(b.node),
            "frederickson-lynch(id=5 state=active smallest=2 waits=2 leader=none)");
  EXPECT_EQ(b.round(), "");
  EXPECT_EQ(b.round(), "");
  EXPECT_EQ(b.round(), "token(id=2 first=false)") << "2^2 - 1 rounds after it came";
  EXPECT_TRUE(b.node.halted());
  EXPECT_EQ(b.round({Token{NodeId{3}, false}}), "") << "2 has come by";
  EXPECT_EQ(b.round({Token{NodeId{5}, false}}), "") << "5 itself has no chance, either";
  EXPECT_FALSE(b.node.leader());
}

TEST(FredericksonLynch, AFasterTokenDropsTheOneThatWaits) {
  Bench b(9, {});
  b.round();
  b.round({Token{NodeId{4}, true}});
  EXPECT_EQ(b.round({Token{NodeId{1}, false}}), "");
  EXPECT_EQ(b.round(), "token(id=1 first=false)");
  for (int i = 0; i < 40; ++i) EXPECT_EQ(b.round(), "") << "4 is gone";
}

TEST(FredericksonLynch, ARelayLetsTokensOfTheFirstPhaseRun) {
  Bench b(1, {});
  EXPECT_EQ(b.round({Token{NodeId{6}, true}}), "token(id=6 first=true)");
  EXPECT_EQ(b.node.state(), State::relay);
  EXPECT_EQ(b.round({Token{NodeId{7}, true}}), "");
  EXPECT_EQ(b.round({Token{NodeId{3}, false}}), "") << "second phase: it waits here";
  EXPECT_EQ(b.round({Token{NodeId{2}, true}}), "token(id=2 first=true)") << "and is overtaken";
  EXPECT_TRUE(b.node.halted());
  EXPECT_EQ(b.round({Token{NodeId{1}, false}}), "") << "1 never began: this is not its token";
  EXPECT_FALSE(b.node.leader());
}

TEST(FredericksonLynch, ItsOwnTokenMakesTheLeader) {
  Bench b(3, {});
  b.round();
  EXPECT_EQ(b.round({Token{NodeId{3}, false}}), "leader(id=3)");
  EXPECT_EQ(b.node.leader(), NodeId{3});
  const FredericksonLynch before = b.node;
  EXPECT_EQ(b.round({Leader{NodeId{3}}}), "") << "back home";
  EXPECT_EQ(b.round({Token{NodeId{3}, false}}), "");
  EXPECT_EQ(b.node, before);

  Bench alone(3, quiet);
  alone.round();
  EXPECT_EQ(alone.round({Token{NodeId{3}, false}}), "") << "nobody else is told";
  EXPECT_EQ(alone.node.leader(), NodeId{3});
}

TEST(FredericksonLynch, TheNewsGoesOnceThroughEveryNode) {
  Bench b(8, {});
  b.round();
  b.round({Token{NodeId{4}, true}});
  EXPECT_EQ(b.round({Leader{NodeId{2}}}), "leader(id=2)");
  EXPECT_EQ(b.node.leader(), NodeId{2});
  EXPECT_TRUE(b.node.halted()) << "nothing waits any more";
  EXPECT_EQ(b.round({Leader{NodeId{9}}}), "");
  EXPECT_EQ(b.node.leader(), NodeId{2});
}

TEST(FredericksonLynch, SpeedsOfTheFastestAndTheSlowestIds) {
  Bench b(9, {});
  b.round();
  EXPECT_EQ(b.round({Token{NodeId{0}, true}}), "token(id=0 first=false)") << "a step every round";
  for (const std::uint64_t id : {std::uint64_t{63}, std::uint64_t{64}, ~std::uint64_t{0} - 1}) {
    Bench slow(~std::uint64_t{0}, {});
    slow.round();
    EXPECT_EQ(slow.round({Token{NodeId{id}, true}}), "");
    for (int i = 0; i < 100; ++i) EXPECT_EQ(slow.round(), "");
    EXPECT_EQ(slow.round({Token{NodeId{id - 1}, true}}), "") << "ids are still compared";
    EXPECT_FALSE(slow.node.halted());
  }
}

TEST(FredericksonLynch, ARingOfOneLeadsAtOnce) {
  HandRounds<FredericksonLynch> rounds(ids_of({50}), {}, {});
  EXPECT_FALSE(rounds.round());
  EXPECT_EQ(rounds.node(0).leader(), NodeId{50});
  EXPECT_EQ(rounds.sent(), 0u);
}

/// Messages of a run in which all begin at once; it ends when it has to.
std::size_t cost(const std::vector<std::uint64_t>& numbers, Options options) {
  const std::uint64_t n = numbers.size();
  const std::uint64_t least = *std::min_element(numbers.begin(), numbers.end());
  HandRounds<FredericksonLynch> rounds(ids_of(numbers), ring_arcs(static_cast<std::uint32_t>(n)),
                                       options);
  const std::uint64_t step = std::uint64_t{1} << least;
  const std::uint64_t decides = options.first_phase ? (n - 1) * step + 1 : n * step;
  while (rounds.rounds() < decides) {
    rounds.round();
    EXPECT_EQ(rounds.leaders_named(NodeId{least}), 0u);
  }
  const bool more = rounds.round();
  EXPECT_EQ(rounds.leaders_named(NodeId{least}), 1u);
  if (more) rounds.run();
  EXPECT_EQ(rounds.leaders_named(NodeId{least}), options.announce ? n : 1);
  EXPECT_EQ(rounds.rounds(), decides + 1 + (options.announce ? n : 0));
  return rounds.sent();
}

TEST(FredericksonLynch, AllOrdersOfSmallRings) {
  for (std::uint64_t n = 2; n <= 7; ++n) {
    std::vector<std::uint64_t> numbers(n);
    std::iota(numbers.begin(), numbers.end(), std::uint64_t{1});
    std::size_t most = 0, least = 4 * n, most_of_book = 0, least_of_book = 4 * n;
    do {
      const std::size_t messages = cost(numbers, quiet);
      EXPECT_EQ(cost(numbers, {}), messages + n);
      most = std::max(most, messages);
      least = std::min(least, messages);
      const std::size_t of_book = cost(numbers, book);
      most_of_book = std::max(most_of_book, of_book);
      least_of_book = std::min(least_of_book, of_book);
    } while (std::next_permutation(numbers.begin(), numbers.end()));
    EXPECT_LE(most, 3 * n - 2 - static_cast<std::size_t>(std::popcount(n - 1)));
    EXPECT_LE(most, 3 * n - 3);
    EXPECT_EQ(least, 2 * n - 1) << "each token one hop, and the winner's n - 1 more";
    EXPECT_LE(most_of_book, 2 * n - static_cast<std::size_t>(std::popcount(n)));
    EXPECT_LT(most_of_book, 2 * n);
    EXPECT_EQ(least_of_book, n) << "all but the winner's overtaken before their first hop";
    if (n == 7) {
      EXPECT_EQ(most, 16u);
      EXPECT_EQ(most_of_book, 11u);
    }
  }
}

TEST(FredericksonLynch, GapsBetweenIds) {
  core::Prng prng(7);
  for (int run = 0; run < 200; ++run) {
    const std::uint64_t n = 2 + prng.below(8);
    std::set<std::uint64_t> some;
    while (some.size() < n) some.insert(prng.below(12) + prng.below(2) * 100);
    if (*some.begin() > 9) continue;
    std::vector<std::uint64_t> numbers(some.begin(), some.end());
    core::shuffle(numbers, prng);
    EXPECT_LE(cost(numbers, quiet), 3 * n - 3);
    EXPECT_LT(cost(numbers, book), 2 * n);
  }
}

TEST(FredericksonLynch, TheRunInTheDocumentation) {
  EXPECT_EQ(cost({3, 1, 4, 2}, quiet), 8u);
  EXPECT_EQ(cost({3, 1, 4, 2}, {}), 12u);
  EXPECT_EQ(cost({3, 1, 4, 2}, book), 5u);
}

/// A ring whose nodes wake up at different times, by themselves or by what reaches them: rounds as
/// the paper has them, and the drivers do not.
class WakingRing : public HandRounds<FredericksonLynch> {
 public:
  /// `wakes`: when each would begin by itself.
  WakingRing(const std::vector<NodeId>& ids, std::vector<std::uint64_t> wakes, Options options)
      : HandRounds(ids, ring_arcs(static_cast<std::uint32_t>(ids.size())), options),
        wakes_(std::move(wakes)) {}

 private:
  bool sleeps(NodeIndex i) const override {
    return node(i).state() == State::asleep && wakes_[i] > rounds();
  }
  std::vector<std::uint64_t> wakes_;
};

TEST(FredericksonLynch, NodesThatWakeAtAnyTime) {
  core::Prng prng(11);
  std::size_t most = 0, relays = 0;
  for (int run = 0; run < 3000; ++run) {
    const std::uint64_t n = 2 + prng.below(9);
    std::vector<std::uint64_t> wakes;
    const std::uint64_t window = 1 + prng.below(3 * n);
    for (std::uint64_t i = 0; i < n; ++i) wakes.push_back(prng.below(window));
    const auto ids = shuffled_ids(static_cast<NodeIndex>(n), prng);
    WakingRing ring(ids, wakes, quiet);
    ring.run(100'000);
    std::optional<NodeId> best;
    for (NodeIndex i = 0; i < n; ++i) {
      relays += ring.node(i).state() == State::relay ? 1 : 0;
      if (ring.node(i).state() == State::active && (!best || ids[i] < *best)) best = ids[i];
    }
    ASSERT_TRUE(best);
    for (NodeIndex i = 0; i < n; ++i)
      EXPECT_EQ(ring.node(i).leader(), ids[i] == *best ? best : std::nullopt);
    EXPECT_LE(ring.sent(), 4 * n);
    most = std::max(most, 100 * ring.sent() / (4 * n));

    WakingRing told(ids, wakes, {});
    told.run(100'000);
    EXPECT_EQ(told.leaders_named(*best), n);
    EXPECT_EQ(told.sent(), ring.sent() + n);
    EXPECT_LE(told.sent(), FredericksonLynch::message_bound(n, {}));
  }
  EXPECT_GT(relays, 1000u);
  EXPECT_GT(most, 50u) << "some runs come near";
}

TEST(FredericksonLynch, OneWhoBeginsAloneCostsOneRound) {
  for (std::uint64_t n = 2; n <= 9; ++n) {
    std::vector<std::uint64_t> wakes(n, 1000);
    wakes[0] = 0;
    std::vector<NodeId> ids;
    for (std::uint64_t i = 0; i < n; ++i) ids.push_back(NodeId{90 - i});  // the largest of all
    WakingRing ring(ids, wakes, {});
    ring.run();
    EXPECT_EQ(ring.sent(), 2 * n);
    EXPECT_LE(ring.rounds(), 2 * n + 1) << "no 2^90 here: relays let it run";
    EXPECT_EQ(ring.leaders_named(NodeId{90}), n);
  }
}

TEST(FredericksonLynch, MessagesRoundTrip) {
  for (const FredericksonLynch::Message& message :
       {FredericksonLynch::Message(Token{NodeId{77}, true}),
        FredericksonLynch::Message(Token{NodeId{78}, false}),
        FredericksonLynch::Message(Leader{NodeId{79}})})
    EXPECT_EQ(core::decode<FredericksonLynch::Message>(core::encode(message)), message);
}

}  // namespace
}  // namespace bellwether::algorithms
