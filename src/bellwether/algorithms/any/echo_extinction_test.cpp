// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/any/echo_extinction.hpp"

#include <gtest/gtest.h>

#include "bellwether/algorithms/any/any_network_test.hpp"
#include "bellwether/core/arbitrary.hpp"
#include "bellwether/core/codec.hpp"
#include "bellwether/core/digest.hpp"
#include "bellwether/core/print.hpp"

namespace bellwether::algorithms {
namespace {

using Message = EchoExtinction::Message;
using Token = EchoExtinction::Token;
using Leader = EchoExtinction::Leader;
using Driver = HandDriver<EchoExtinction>;

/// What has been sent in the last step: "0:token(wave=5) 1:token(wave=5)".
std::string sent(const EchoExtinction::Step& step) {
  std::string out;
  for (const auto& each : step.sends()) {
    out += out.empty() ? "" : " ";
    out += each.port == core::every_port ? "all" : std::to_string(raw(each.port));
    out += ":" + core::text_of(each.message);
  }
  return out;
}

std::vector<NodeId> counting(NodeIndex n) {
  std::vector<std::uint64_t> numbers(n);
  std::iota(numbers.begin(), numbers.end(), std::uint64_t{1});
  return ids_of(numbers);
}

/// Messages of a run in which all start at once and every message takes one unit of time.
std::size_t cost(const std::vector<NodeId>& ids, const LinkList& links, Extremum extremum = {}) {
  Driver driver(ids, {extremum});
  make_network(driver, links);
  driver.start_all();
  driver.run();
  return driver.sent();
}

TEST(EchoExtinction, AnInitiatorLeadsWhenAllEchoesAreHome) {
  ByHand<EchoExtinction> hand(ids_of({1, 2, 3}));
  EchoExtinction node(NodeId{5}, {});
  node.start(hand.next());
  EXPECT_EQ(sent(hand.step), "0:token(wave=5) 1:token(wave=5) 2:token(wave=5)");
  EXPECT_EQ(core::text_of(node),
            "echo-extinction(id=5 initiator=true wave=5 father=none waiting=[0,1,2] leader=none)");
  node.receive(hand.next(), Port{1}, Token{NodeId{5}});
  node.receive(hand.next(), Port{1}, Token{NodeId{5}});  // a duplicate counts once
  node.receive(hand.next(), Port{0}, Token{NodeId{5}});
  node.receive(hand.next(), Port{2}, Token{NodeId{4}});  // a worse wave is dropped
  EXPECT_EQ(sent(hand.step), "");
  EXPECT_FALSE(node.leader().has_value());
  node.receive(hand.next(), Port{2}, Token{NodeId{5}});
  EXPECT_EQ(sent(hand.step), "all:leader(id=5)");
  EXPECT_EQ(node.leader(), NodeId{5});
  const EchoExtinction before = node;
  node.receive(hand.next(), Port{2}, Token{NodeId{5}});
  node.receive(hand.next(), Port{0}, Leader{NodeId{5}});
  EXPECT_EQ(sent(hand.step), "");
  EXPECT_EQ(node, before);
  EXPECT_EQ(core::digest(node), core::digest(before));
}

TEST(EchoExtinction, OthersEchoToTheirFatherOnce) {
  ByHand<EchoExtinction> hand(ids_of({1, 2, 3}));
  EchoExtinction node(NodeId{5}, {});
  node.receive(hand.next(), Port{1}, Token{NodeId{4}});
  EXPECT_EQ(sent(hand.step), "0:token(wave=4) 2:token(wave=4)");
  EXPECT_EQ(node.father(), Port{1});
  node.start(hand.next());  // though 4 is worse: 4 may already lead
  EXPECT_EQ(sent(hand.step), "");
  EXPECT_FALSE(node.initiator());
  node.receive(hand.next(), Port{1}, Token{NodeId{4}});  // the father's again
  node.receive(hand.next(), Port{0}, Token{NodeId{4}});
  EXPECT_EQ(sent(hand.step), "");
  node.receive(hand.next(), Port{2}, Token{NodeId{4}});
  EXPECT_EQ(sent(hand.step), "1:token(wave=4)");
  node.receive(hand.next(), Port{2}, Token{NodeId{4}});
  EXPECT_EQ(sent(hand.step), "");
  node.receive(hand.next(), Port{0}, Leader{NodeId{4}});
  EXPECT_EQ(sent(hand.step), "all:leader(id=4)");
  EXPECT_EQ(node.leader(), NodeId{4});
}

TEST(EchoExtinction, ABetterWaveBeginsAnew) {
  ByHand<EchoExtinction> hand(ids_of({1, 2}));
  EchoExtinction node(NodeId{5}, {});
  node.start(hand.next());
  node.receive(hand.next(), Port{0}, Token{NodeId{5}});
  node.receive(hand.next(), Port{0}, Token{NodeId{7}});
  EXPECT_EQ(sent(hand.step), "1:token(wave=7)");
  EXPECT_EQ(node.wave(), NodeId{7});
  EXPECT_TRUE(node.initiator());
  node.receive(hand.next(), Port{1}, Token{NodeId{5}});  // returned too late
  EXPECT_EQ(sent(hand.step), "");
  node.receive(hand.next(), Port{1}, Token{NodeId{8}});
  EXPECT_EQ(sent(hand.step), "0:token(wave=8)");
  node.receive(hand.next(), Port{0}, Token{NodeId{8}});
  EXPECT_EQ(sent(hand.step), "1:token(wave=8)");
}

TEST(EchoExtinction, TheSmallestWinsWhenAskedTo) {
  ByHand<EchoExtinction> hand(ids_of({8}));
  EchoExtinction node(NodeId{5}, {Extremum::min});
  node.start(hand.next());
  node.receive(hand.next(), Port{0}, Token{NodeId{6}});
  EXPECT_EQ(sent(hand.step), "");
  node.receive(hand.next(), Port{0}, Token{NodeId{4}});
  EXPECT_EQ(sent(hand.step), "0:token(wave=4)");  // a leaf echoes at once
}

TEST(EchoExtinction, ANodeAloneLeadsAtOnce) {
  Driver driver(ids_of({5}), {});
  driver.start(0);
  driver.run();
  EXPECT_EQ(driver.node(0).leader(), NodeId{5});
  EXPECT_EQ(driver.sent(), 0u);
}

TEST(EchoExtinction, OneInitiatorCostsTwoWaves) {
  core::Prng prng(1);
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const auto n = static_cast<NodeIndex>(2 + prng.below(12));
    const LinkList links = random_network(n, prng.unit(), prng);
    Driver driver(shuffled_ids(n, prng), {}, {.max = Duration{40}, .fifo = seed % 2 == 0}, seed);
    make_network(driver, links);
    const auto first = static_cast<NodeIndex>(prng.below(n));
    driver.start(first);  // whatever its id
    driver.run();
    EXPECT_EQ(driver.sent(), 4 * links.size());
    EXPECT_EQ(driver.leaders_named(driver.id(first)), n);
    NodeIndex fathers = 0;  // the wave leaves a tree behind, rooted at the leader
    for (NodeIndex i = 0; i < n; ++i) fathers += driver.node(i).father() ? 1 : 0;
    EXPECT_EQ(fathers, n - 1);
    EXPECT_FALSE(driver.node(first).father().has_value());
  }
}

TEST(EchoExtinction, EveryNetworkAndEveryOrderOfIdsUpToFour) {
  std::size_t runs = 0;
  for (NodeIndex n = 1; n <= 4; ++n) {
    std::vector<std::uint64_t> numbers(n);
    std::iota(numbers.begin(), numbers.end(), std::uint64_t{1});
    do {
      for (const LinkList& links : every_network(n)) {
        for (std::uint32_t starters = 1; starters < 1u << n; ++starters) {
          Driver driver(ids_of(numbers), {}, {.max = Duration{20}, .fifo = false}, ++runs);
          make_network(driver, links);
          for (NodeIndex i = 0; i < n; ++i)
            if ((starters >> i & 1u) != 0) driver.start(i);
          driver.run();  // watched by the properties
          const auto best = best_initiator<EchoExtinction>(driver);
          ASSERT_TRUE(best.has_value());
          ASSERT_EQ(driver.leaders_named(*best), n);
          ASSERT_LE(driver.sent(), EchoExtinction::message_bound(n, links.size(), {}));
        }
      }
    } while (std::next_permutation(numbers.begin(), numbers.end()));
  }
  EXPECT_EQ(runs, 1u + 2 * 1 * 3 + 6 * 4 * 7 + 24 * 38 * 15);
}

TEST(EchoExtinction, AnyInitiatorsAnyOrderDuplicatesToo) {
  core::Prng prng(3);
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    const auto n = static_cast<NodeIndex>(2 + prng.below(10));
    const LinkList links = random_network(n, prng.unit(), prng);
    const Extremum extremum = seed % 2 == 0 ? Extremum::max : Extremum::min;
    const double duplicates = prng.chance(0.5) ? 0.2 : 0;
    const Travel travel{.max = Duration{50}, .fifo = prng.chance(0.5), .duplicates = duplicates};
    Driver driver(shuffled_ids(n, prng), {extremum}, travel, seed);
    make_network(driver, links);
    std::size_t k = 0;
    for (NodeIndex i = 0; i < n; ++i)
      if (i == 0 || prng.chance(0.4)) driver.start(i, Time{static_cast<int>(prng.below(60))});
    driver.run();
    for (NodeIndex i = 0; i < n; ++i) k += driver.node(i).initiator() ? 1 : 0;
    const auto best = best_initiator<EchoExtinction>(driver);
    ASSERT_TRUE(best.has_value());
    EXPECT_EQ(driver.leaders_named(*best), n);
    EXPECT_LE(driver.sent(), (2 * k + 2) * links.size());
    EXPECT_GE(driver.sent(), 4 * links.size());
  }
}

TEST(EchoExtinction, CostsOnKnownNetworks) {
  EXPECT_EQ(cost(ids_of({2, 1}), {{0, 1}}), 5u);
  for (NodeIndex n = 3; n <= 30; ++n) {
    // The best in the middle of a star: its wave, n - 1 hopeless tokens, and the announcement.
    std::vector<NodeId> ids = counting(n);
    EXPECT_EQ(cost(ids, star_links(n), Extremum::min), 5 * (n - 1));
    // Ids that rise along a line: the i-th wave is dropped one step up and goes i - 1 steps down,
    // from where an echo comes back one step before the next wave stops it.
    const std::size_t hopeless = (n - 1) * (n - 2) / 2 + (n - 1) + (n - 2);
    EXPECT_EQ(cost(ids, line_links(n)), hopeless + 2 * (n - 1) + 2 * (n - 1));
  }
}

TEST(EchoExtinction, TheRunInTheDocumentation) {
  EXPECT_EQ(cost(ids_of({3, 1, 4, 2}), {{0, 1}, {1, 2}, {2, 3}, {0, 2}}), 22u);
}

TEST(EchoExtinction, TimeIsThreeDiametersAndTheNodes) {
  core::Prng prng(9);
  constexpr std::int64_t unit = 1000;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const auto n = static_cast<NodeIndex>(2 + prng.below(14));
    const LinkList links = random_network(n, seed % 3 == 0 ? 0 : 0.3 * prng.unit(), prng);
    const std::int64_t d = diameter_of(n, links);
    const bool equal = seed % 2 == 0;
    Driver driver(shuffled_ids(n, prng), {},
                  {.min = Duration{equal ? unit : 1}, .max = Duration{unit}}, seed);
    make_network(driver, links);
    driver.start(0);
    for (NodeIndex i = 1; i < n; ++i)
      if (prng.chance(0.5))
        driver.start(
            i, Time{static_cast<std::int64_t>(prng.below(static_cast<std::uint64_t>(d * unit)))});
    driver.run();
    // One unit for what is still on its way to nodes that know already.
    EXPECT_LE(driver.now(), Time{(1 + (equal ? 4 * d + 1 : 3 * d + n)) * unit}) << seed;
  }
}

TEST(EchoExtinction, GarbageDoesNotStopIt) {
  core::Prng prng(4);
  for (int life = 0; life < 2000; ++life) {
    ByHand<EchoExtinction> hand(ids_of({1, 2, 3}));
    hand.ports.resize(prng.below(4));
    EchoExtinction node(NodeId{1 + prng.below(4)}, {});
    for (int i = 0; i < 30; ++i) {
      if (i == 10) node.start(hand.next());
      const auto port = Port{static_cast<std::uint32_t>(prng.below(3))};
      node.receive(hand.next(), port, core::arbitrary<Message>(prng));
      EXPECT_LE(hand.step.sends().size(), 4u);  // to all, and an echo
      for (const auto& each : hand.step.sends())
        EXPECT_TRUE(each.port == core::every_port || is_up(hand.step, each.port));
    }
  }
}

TEST(EchoExtinction, MessagesSurviveTheWire) {
  core::Prng prng(5);
  for (int i = 0; i < 1000; ++i) {
    const auto message = core::arbitrary<Message>(prng);
    EXPECT_EQ(core::decode<Message>(core::encode(message)), message);
  }
}

}  // namespace
}  // namespace bellwether::algorithms
