// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/complete/korach_moran_zaks.hpp"

#include "bellwether/algorithms/complete/complete_test.hpp"

namespace bellwether::algorithms {
namespace {

using Kmz = KorachMoranZaks;
using State = Kmz::State;
using Ask = Kmz::Ask;
using Accept = Kmz::Accept;
using Update = Kmz::Update;
using YourCitizen = Kmz::YourCitizen;
using Leader = Kmz::Leader;
using Message = Kmz::Message;

Kmz::KingStatus status(std::int32_t phase, std::uint64_t king) {
  return {phase, NodeId{king}};
}

/// One node, and what it sent last.
struct Bench {
  ByHand<Kmz> hand{ids_of({1, 2, 3, 4})};
  Kmz node{NodeId{5}, {}};

  std::vector<std::pair<Port, Message>> sent() {
    std::vector<std::pair<Port, Message>> out;
    for (const auto& send : hand.step.sends()) out.emplace_back(send.port, send.message);
    return out;
  }
  auto start() {
    node.start(hand.next());
    return sent();
  }
  auto gets(std::uint32_t port, const Message& message) {
    node.receive(hand.next(), Port{port}, message);
    return sent();
  }
};
using Sent = std::vector<std::pair<Port, Message>>;
const Sent nothing;

TEST(KorachMoranZaks, AKingAnnexesSleepersWithoutGrowing) {
  Bench b;
  EXPECT_EQ(b.start(), (Sent{{Port{0}, Ask{status(0, 5)}}}));
  EXPECT_EQ(b.gets(0, Accept{-1}),
            (Sent{{Port{0}, Update{status(0, 5)}}, {Port{1}, Ask{status(0, 5)}}}));
  EXPECT_EQ(b.gets(0, Accept{-1}), nothing);  // not the one that was asked
  EXPECT_EQ(b.gets(1, YourCitizen{}), (Sent{{Port{2}, Ask{status(0, 5)}}}));
}

TEST(KorachMoranZaks, AKingOfTheSamePhaseMakesItGrow) {
  Bench b;
  b.start();
  b.gets(0, Accept{-1});
  EXPECT_EQ(b.gets(1, Accept{0}), (Sent{{Port{0}, Update{status(1, 5)}},
                                        {Port{1}, Update{status(1, 5)}},
                                        {Port{2}, Ask{status(1, 5)}}}));
  EXPECT_EQ(b.gets(2, Accept{0}),  // a lower phase now
            (Sent{{Port{2}, Update{status(1, 5)}}, {Port{3}, Ask{status(1, 5)}}}));
  EXPECT_EQ(b.gets(3, YourCitizen{}), (Sent{{core::every_port, Leader{NodeId{5}}}}));
  EXPECT_EQ(b.node.state(), State::leader);
  EXPECT_EQ(b.node.leader(), NodeId{5});
  EXPECT_EQ(b.gets(1, Ask{status(9, 9)}), nothing);
  EXPECT_EQ(b.gets(1, Leader{NodeId{9}}), nothing);
  EXPECT_EQ(b.node.leader(), NodeId{5});
}

TEST(KorachMoranZaks, AKingGivesInToAStrongerOneOnly) {
  Bench b;
  b.start();
  EXPECT_EQ(b.gets(2, Ask{status(0, 3)}), nothing);
  EXPECT_EQ(b.gets(2, Ask{status(0, 5)}), nothing);  // its own question, which went astray
  EXPECT_EQ(b.node.state(), State::king);
  EXPECT_EQ(b.gets(3, Ask{status(0, 7)}), (Sent{{Port{3}, Accept{0}}}));
  EXPECT_EQ(b.node.state(), State::annexed);
  EXPECT_EQ(b.gets(0, Update{status(4, 4)}), nothing);  // not from its father
  EXPECT_EQ(b.gets(3, Update{status(1, 7)}), nothing);
  EXPECT_EQ(b.node.state(), State::citizen);
  EXPECT_EQ(core::text_of(b.node),
            "korach-moran-zaks(id=5 state=citizen initiator=true status=(phase=1 king=7) asked=1 "
            "father=3 sons=[] asker=none waiting=[] leader=none)");
}

TEST(KorachMoranZaks, ASleeperGivesInToAnybodyAndNeverBecomesAKing) {
  Bench b;
  EXPECT_EQ(b.gets(1, Ask{status(0, 2)}), (Sent{{Port{1}, Accept{-1}}}));
  EXPECT_EQ(b.start(), nothing);
  EXPECT_FALSE(b.node.initiator());
}

TEST(KorachMoranZaks, AnAnswerToAFormerKingBringsASon) {
  Bench b;
  b.start();
  b.gets(3, Ask{status(0, 7)});
  EXPECT_EQ(b.gets(0, Accept{-1}), nothing);  // kept until its own king is known
  EXPECT_EQ(b.gets(3, Update{status(1, 7)}), (Sent{{Port{0}, Update{status(1, 7)}}}));
  EXPECT_EQ(b.gets(3, Update{status(2, 7)}), (Sent{{Port{0}, Update{status(2, 7)}}}));
  EXPECT_EQ(b.gets(1, Accept{0}), nothing);  // no king asked there
}

/// A citizen of 2, reached over port 1, with a son at port 0: it was a king in phase 0.
struct Citizen : Bench {
  Citizen() {
    start();
    gets(0, Accept{-1});
    gets(1, Ask{status(1, 2)});
    EXPECT_EQ(gets(1, Update{status(1, 2)}), (Sent{{Port{0}, Update{status(1, 2)}}}));
  }
};

TEST(KorachMoranZaks, ACitizenKnowsItsKingAndIgnoresWeakerOnes) {
  Citizen b;
  EXPECT_EQ(b.gets(2, Ask{status(1, 2)}), (Sent{{Port{2}, YourCitizen{}}}));
  EXPECT_EQ(b.gets(0, Ask{status(1, 2)}), nothing);  // a son's: it will hear
  EXPECT_EQ(b.gets(2, Ask{status(1, 1)}), nothing);
  EXPECT_EQ(b.gets(2, Ask{status(0, 9)}), nothing);
}

TEST(KorachMoranZaks, ACitizenPassesQuestionsOnOneAtATime) {
  Citizen b;
  EXPECT_EQ(b.gets(2, Ask{status(1, 8)}), (Sent{{Port{1}, Ask{status(1, 8)}}}));
  EXPECT_EQ(b.node.state(), State::asking);
  EXPECT_EQ(b.gets(3, Ask{status(1, 9)}), nothing);  // waits
  // The old king gives in: the way to it is turned round.
  EXPECT_EQ(b.gets(1, Accept{1}), (Sent{{Port{2}, Accept{1}}}));
  EXPECT_EQ(b.node.father(), Port{2});
  EXPECT_EQ(b.gets(2, Update{status(2, 8)}),
            (Sent{{Port{0}, Update{status(2, 8)}}, {Port{1}, Update{status(2, 8)}}}));
  EXPECT_EQ(b.node.state(), State::citizen);  // the question that waited is too weak now
}

TEST(KorachMoranZaks, ASonThatAsksBecomesTheFather) {
  Citizen b;
  EXPECT_EQ(b.gets(0, Ask{status(2, 9)}), (Sent{{Port{1}, Ask{status(2, 9)}}}));
  EXPECT_EQ(b.gets(1, Accept{1}), (Sent{{Port{0}, Accept{1}}}));
  EXPECT_EQ(b.gets(0, Update{status(2, 9)}), (Sent{{Port{1}, Update{status(2, 9)}}}));
}

TEST(KorachMoranZaks, NewsMayAnswerAQuestion) {
  Citizen b;
  b.gets(2, Ask{status(2, 2)});  // its own king, in a phase of which it has not heard
  EXPECT_EQ(b.gets(1, Update{status(2, 2)}),
            (Sent{{Port{0}, Update{status(2, 2)}}, {Port{2}, YourCitizen{}}}));
  b.gets(2, Ask{status(4, 9)});
  EXPECT_EQ(b.gets(1, Update{status(3, 2)}), (Sent{{Port{0}, Update{status(3, 2)}}}));
  EXPECT_EQ(b.node.state(), State::asking);  // still weaker
  EXPECT_EQ(b.gets(1, Update{status(5, 2)}), (Sent{{Port{0}, Update{status(5, 2)}}}));
  EXPECT_EQ(b.node.state(), State::citizen);
}

TEST(KorachMoranZaks, AKingWithAKingdomGivesInToASonWhoAsks) {
  Bench b;
  b.start();
  b.gets(0, Accept{-1});
  b.gets(1, Accept{-1});
  EXPECT_EQ(b.gets(0, Ask{status(3, 1)}), (Sent{{Port{0}, Accept{0}}}));
  EXPECT_EQ(b.gets(0, Update{status(3, 1)}), (Sent{{Port{1}, Update{status(3, 1)}}}));
}

TEST(KorachMoranZaks, AloneItLeadsAtOnce) {
  expect_alone_it_leads_at_once<Kmz>();
}

TEST(KorachMoranZaks, OneLeaderInAllSmallNetworks) {
  expect_one_leader_in_all_small_networks<Kmz>();
}

TEST(KorachMoranZaks, OneLeaderInAnyRun) {
  expect_one_leader_in_any_run<Kmz>(3000);
}

TEST(KorachMoranZaks, OneInitiatorCostsFourMessagesANode) {
  for (NodeIndex n = 2; n < 30; ++n) {
    core::Prng prng(n);
    const Cost cost = elect<Kmz>(shuffled_ids(n, prng), {{0, Time{3}}}, {}, n);
    EXPECT_EQ(cost.messages, 4 * (n - 1));
    EXPECT_EQ(cost.time, Time{2 * (n - 1) + 1});
  }
}

TEST(KorachMoranZaks, FewInitiatorsCostLittle) {
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    core::Prng prng(seed);
    const auto n = static_cast<NodeIndex>(20 + prng.below(20));
    const auto k = static_cast<NodeIndex>(1 + seed % 8);
    std::vector<std::pair<NodeIndex, Time>> starts;
    for (NodeIndex i = 0; i < k; ++i) starts.emplace_back(i, Time{0});
    const Cost cost = elect<Kmz>(shuffled_ids(n, prng), starts, {.max = Duration{40}}, seed);
    EXPECT_LE(cost.messages, 5 * n * static_cast<unsigned>(std::bit_width(k)) + 4 * n);
  }
}

TEST(KorachMoranZaks, ATournamentOfEquals) {
  for (NodeIndex log = 1; log <= 8; ++log) {  // with the announcement
    const NodeIndex n = 1u << log;
    EXPECT_EQ(cost_of_a_tournament<Kmz>(n), 2 * n * log + 3 * n / 2 - 2);
  }
}

TEST(KorachMoranZaks, NeedsMessagesInOrder) {
  // 1 annexes 2 and is annexed by 3; the update about 3 reaches 2 before the update about 1.
  std::size_t broken = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    HandDriver<Kmz> driver(ids_of({1, 2, 3}), {}, {.max = Duration{40}, .fifo = false}, seed);
    driver.link(0, 1);
    driver.link(2, 0);
    driver.link(2, 1);
    driver.start(0);
    driver.start(2, Time{20});
    try {
      driver.run();
    } catch (const core::Violation&) {  // the network is quiescent, and no node leads
      EXPECT_EQ(driver.leaders_named(NodeId{3}), 0u);
      ++broken;
    }
  }
  EXPECT_GT(broken, 0u);
}

TEST(KorachMoranZaks, TheKingdomIsATree) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    core::Prng prng(seed);
    const auto n = static_cast<NodeIndex>(2 + prng.below(12));
    HandDriver<Kmz> driver(shuffled_ids(n, prng), {}, {.max = Duration{40}}, seed);
    link_all(driver, prng);
    driver.start_all();
    driver.run();
    for (NodeIndex i = 0; i < n; ++i) {
      NodeIndex at = i;
      for (NodeIndex steps = 0; driver.node(at).father(); ++steps) {
        ASSERT_LT(steps, n) << "fathers in a circle, seed " << seed;
        for (const auto& channel : driver.channels(at))
          if (channel.port == *driver.node(at).father()) {
            at = channel.to;
            break;
          }
      }
      EXPECT_EQ(driver.node(at).state(), State::leader) << "seed " << seed;
      EXPECT_EQ(driver.node(i).status(), driver.node(at).status()) << "seed " << seed;
    }
  }
}

TEST(KorachMoranZaks, TheBound) {
  EXPECT_EQ(Kmz::message_bound(1, {}), 0u);
  EXPECT_EQ(Kmz::message_bound(4, {}), 5u * 4 * 3 + 16);
}

TEST(KorachMoranZaks, TheRunInTheDocumentation) {
  HandDriver<Kmz> driver(ids_of({1, 2, 3}), {});
  driver.make_complete();
  driver.start_all();
  driver.run();
  EXPECT_EQ(driver.sent(), 10u);
  EXPECT_EQ(driver.now(), Time{5});
  EXPECT_EQ(named_by_all(driver), NodeId{2});
}

TEST(KorachMoranZaks, MessagesRoundTrip) {
  expect_round_trip<Message>({Ask{status(1, 2)}, Accept{-1}, Accept{3}, Update{status(4, 5)},
                              YourCitizen{}, Leader{NodeId{9}}});
}

TEST(KorachMoranZaks, PropertiesBite) {
  expect_properties_bite<Kmz>();
}

}  // namespace
}  // namespace bellwether::algorithms
