// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/any/ghs.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bellwether/algorithms/any/any_network_test.hpp"
#include "bellwether/core/arbitrary.hpp"
#include "bellwether/core/codec.hpp"
#include "bellwether/core/digest.hpp"
#include "bellwether/core/print.hpp"

namespace bellwether::algorithms {
namespace {

using Accept = Ghs::Accept;
using ChangeRoot = Ghs::ChangeRoot;
using Connect = Ghs::Connect;
using Initiate = Ghs::Initiate;
using Leader = Ghs::Leader;
using Message = Ghs::Message;
using Reject = Ghs::Reject;
using Report = Ghs::Report;
using State = Ghs::State;
using Driver = HandDriver<Ghs>;
constexpr Ghs::Options by_hash{Ghs::Weights::hashed};

Ghs::Weight weight(std::uint64_t a, std::uint64_t b) {
  return Ghs::weight_of(NodeId{a}, NodeId{b});
}

/// What has been sent in the last step: "0:connect(level=0) 2:accept()".
std::string sent(const Ghs::Step& step) {
  std::string out;
  for (const auto& each : step.sends())
    out += (out.empty() ? "" : " ") + std::to_string(raw(each.port)) + ":" +
           core::text_of(each.message);
  return out;
}

/// The links of the minimum spanning tree, by Kruskal, as pairs of ids.
std::set<Ghs::Weight> kruskal(const std::vector<NodeId>& ids, LinkList links,
                              Ghs::Weights weights) {
  const auto weight_at = [&](const Link& link) {
    return Ghs::weight_of(ids[link.first], ids[link.second]);
  };
  std::sort(links.begin(), links.end(), [&](const Link& a, const Link& b) {
    return Ghs::lighter(weights, weight_at(a), weight_at(b));
  });
  Joined nodes(static_cast<NodeIndex>(ids.size()));
  std::set<Ghs::Weight> tree;
  for (const Link& link : links)
    if (nodes.join(link.first, link.second)) tree.insert(weight_at(link));
  return tree;
}

/// The branches that both ends know of, as pairs of ids.
std::set<Ghs::Weight> branches(const Driver& driver) {
  std::map<Ghs::Weight, int> ends;
  for (NodeIndex i = 0; i < driver.size(); ++i)
    for (const auto& channel : driver.channels(i))
      for (const Port port : driver.node(i).branches())
        if (port == channel.port) ++ends[Ghs::weight_of(driver.id(i), driver.id(channel.to))];
  std::set<Ghs::Weight> out;
  for (const auto& [name, count] : ends) {
    EXPECT_EQ(count, 2) << core::text_of(name);
    out.insert(name);
  }
  return out;
}

/// After a run: the tree is Kruskal's, all name one leader, and it took no more than is claimed.
void expect_elected(const Driver& driver, const std::vector<NodeId>& ids, const LinkList& links,
                    const Ghs::Options& options) {
  ASSERT_EQ(branches(driver), kruskal(ids, links, options.weights));
  const auto leader = driver.node(0).leader();
  ASSERT_TRUE(leader.has_value());
  ASSERT_EQ(driver.leaders_named(*leader), driver.size());
  ASSERT_EQ(driver.node(0).fragment().high, *leader);
  ASSERT_LE(driver.sent(), Ghs::message_bound(driver.size(), links.size(), options));
}

/// Messages of a run in which all start at once and every message takes one unit of time.
std::size_t cost(const std::vector<NodeId>& ids, const LinkList& links, Ghs::Options options = {}) {
  Driver driver(ids, options);
  make_network(driver, links);
  driver.start_all();
  driver.run();
  expect_elected(driver, ids, links, options);
  return driver.sent();
}

std::vector<NodeId> counting(NodeIndex n) {
  std::vector<std::uint64_t> numbers(n);
  std::iota(numbers.begin(), numbers.end(), std::uint64_t{1});
  return ids_of(numbers);
}

TEST(Ghs, WeightsAreDistinctAndSymmetric) {
  EXPECT_EQ(weight(3, 8), weight(8, 3));
  EXPECT_TRUE(Ghs::lighter(Ghs::Weights::ids, weight(1, 9), weight(2, 3)));
  EXPECT_TRUE(Ghs::lighter(Ghs::Weights::ids, weight(2, 3), weight(2, 4)));
  std::size_t otherwise = 0;
  for (std::uint64_t i = 0; i < 100; ++i) {
    const Ghs::Weight a = weight(i, i + 3), b = weight(i + 1, i + 2);
    for (const auto order : {Ghs::Weights::ids, Ghs::Weights::hashed}) {
      EXPECT_FALSE(Ghs::lighter(order, a, a));
      EXPECT_NE(Ghs::lighter(order, a, b), Ghs::lighter(order, b, a));
    }
    otherwise += Ghs::lighter(Ghs::Weights::hashed, b, a) ? 1 : 0;
  }
  EXPECT_GT(otherwise, 30u);  // the hash is another order
  EXPECT_LT(otherwise, 70u);
}

TEST(Ghs, WakesUpOverItsLightestLink) {
  ByHand<Ghs> hand(ids_of({8, 3, 7}));
  Ghs node(NodeId{5}, {});
  node.receive(hand.next(), Port{0}, Accept{});  // does not wake any node
  EXPECT_EQ(node, Ghs(NodeId{5}, {}));
  node.start(hand.next());
  EXPECT_EQ(sent(hand.step), "1:connect(level=0)");
  EXPECT_EQ(node.state(), State::found);
  EXPECT_EQ(node.branches(), std::vector{Port{1}});
  node.start(hand.next());
  EXPECT_EQ(sent(hand.step), "");
}

TEST(Ghs, TwoThatConnectMergeOneLevelUp) {
  ByHand<Ghs> hand(ids_of({8, 3}));
  Ghs node(NodeId{5}, {});
  node.receive(hand.next(), Port{1}, Connect{0});  // wakes it, and over the same link
  EXPECT_EQ(sent(hand.step),
            "1:connect(level=0) 1:initiate(level=1 fragment=(low=3 high=5) find=true)");
  EXPECT_EQ(node.level(), 0u);  // until the other end says so, too
  node.receive(hand.next(), Port{1}, Initiate{1, weight(3, 5), true});
  EXPECT_EQ(sent(hand.step), "0:test(level=1 fragment=(low=3 high=5))");
  EXPECT_EQ(node.level(), 1u);
  EXPECT_EQ(node.state(), State::find);
  node.receive(hand.next(), Port{1}, Initiate{1, weight(3, 5), true});  // no higher: dropped
  EXPECT_EQ(sent(hand.step), "");
}

TEST(Ghs, WhatComesTooEarlyIsPutBackInOrder) {
  ByHand<Ghs> hand(ids_of({8, 3, 9}));
  Ghs node(NodeId{5}, {});
  node.start(hand.next());
  node.receive(hand.next(), Port{0}, Connect{0});                   // not our choice
  node.receive(hand.next(), Port{2}, Ghs::Test{2, weight(9, 10)});  // of a higher level
  EXPECT_EQ(sent(hand.step), "");
  EXPECT_NE(core::text_of(node).find("pending=[0:connect(level=0),2:test(level=2 "),
            std::string::npos)
      << core::text_of(node);
  // At level 2, the low one is absorbed and takes part in the search, the other is answered.
  node.receive(hand.next(), Port{1}, Initiate{2, weight(1, 3), true});
  EXPECT_EQ(sent(hand.step),
            "0:test(level=2 fragment=(low=1 high=3)) "
            "0:initiate(level=2 fragment=(low=1 high=3) find=true) 2:accept()");
  EXPECT_EQ(node.branches(), (std::vector{Port{0}, Port{1}}));
  EXPECT_NE(core::text_of(node).find("find-count=1 pending=[]"), std::string::npos);
}

TEST(Ghs, TestsLinksFromTheLightestUpAndReportsTheFirstAccepted) {
  ByHand<Ghs> hand(ids_of({8, 3, 7, 9}));
  Ghs node(NodeId{5}, {});
  node.start(hand.next());
  node.receive(hand.next(), Port{1}, Initiate{1, weight(3, 5), true});
  EXPECT_EQ(sent(hand.step), "2:test(level=1 fragment=(low=3 high=5))");
  node.receive(hand.next(), Port{0}, Reject{});  // no node has asked
  EXPECT_EQ(sent(hand.step), "");
  node.receive(hand.next(), Port{2}, Reject{});
  EXPECT_EQ(sent(hand.step), "0:test(level=1 fragment=(low=3 high=5))");
  node.receive(hand.next(), Port{0}, Ghs::Test{1, weight(3, 5)});  // both have asked
  EXPECT_EQ(sent(hand.step), "3:test(level=1 fragment=(low=3 high=5))");
  node.receive(hand.next(), Port{3}, Accept{});
  EXPECT_EQ(sent(hand.step), "1:report(best=(low=5 high=9))");
  EXPECT_EQ(node.state(), State::found);
  node.receive(hand.next(), Port{3}, Accept{});
  EXPECT_EQ(sent(hand.step), "");
  // A test from its own fragment is rejected, one from another accepted.
  node.receive(hand.next(), Port{2}, Ghs::Test{1, weight(3, 5)});
  EXPECT_EQ(sent(hand.step), "2:reject()");
  node.receive(hand.next(), Port{3}, Ghs::Test{1, weight(9, 10)});
  EXPECT_EQ(sent(hand.step), "3:accept()");
  node.receive(hand.next(), Port{1}, ChangeRoot{});
  EXPECT_EQ(sent(hand.step), "3:connect(level=1)");
  EXPECT_EQ(node.branches(), (std::vector{Port{1}, Port{3}}));
  node.receive(hand.next(), Port{1}, ChangeRoot{});  // once only
  EXPECT_EQ(sent(hand.step), "");
  // A node that is absorbed now is too late for this search.
  node.receive(hand.next(), Port{2}, Connect{0});
  EXPECT_EQ(sent(hand.step), "2:initiate(level=1 fragment=(low=3 high=5) find=false)");
}

TEST(Ghs, TheCoreComparesBothSides) {
  ByHand<Ghs> hand(ids_of({3, 7}));  // 3 at the other end of the core, 7 below
  Ghs node(NodeId{5}, {});
  node.start(hand.next());
  node.receive(hand.next(), Port{0}, Initiate{1, weight(3, 5), true});
  node.receive(hand.next(), Port{1}, Connect{0});  // absorbed in the midst of the search
  EXPECT_EQ(sent(hand.step), "1:initiate(level=1 fragment=(low=3 high=5) find=true)");
  node.receive(hand.next(), Port{0}, Report{weight(4, 6)});  // they are faster: put back
  EXPECT_EQ(sent(hand.step), "");
  node.receive(hand.next(), Port{1}, Ghs::Test{1, weight(3, 5)});  // the branch is tested, too
  EXPECT_EQ(sent(hand.step), "");
  node.receive(hand.next(), Port{1}, Report{weight(2, 7)});
  // Our way out is lighter than theirs: the root moves to where it is.
  EXPECT_EQ(sent(hand.step), "0:report(best=(low=2 high=7)) 1:change-root()");
}

TEST(Ghs, NoWayOutMakesALeader) {
  for (const std::uint64_t id : {2u, 5u}) {
    ByHand<Ghs> hand(ids_of({3, 7}));
    Ghs node(NodeId{id}, {});
    node.start(hand.next());
    node.receive(hand.next(), Port{1}, Connect{0});
    node.receive(hand.next(), Port{0}, Initiate{1, weight(3, id), true});
    node.receive(hand.next(), Port{1}, Reject{});
    node.receive(hand.next(), Port{1}, Report{});
    EXPECT_EQ(sent(hand.step), "0:report(best=none)");
    node.receive(hand.next(), Port{0}, Report{});
    // The larger end of the core notifies both sides, the smaller one waits for the announcement.
    EXPECT_EQ(sent(hand.step), id == 5 ? "0:leader(id=5) 1:leader(id=5)" : "");
    node.receive(hand.next(), Port{0}, Leader{NodeId{3}});
    EXPECT_EQ(sent(hand.step), id == 5 ? "" : "1:leader(id=3)");
    EXPECT_EQ(node.leader(), NodeId{id == 5 ? 5u : 3u});
  }
}

TEST(Ghs, ANodeAloneLeadsAtOnce) {
  Driver driver(ids_of({5}), {});
  driver.start(0);
  driver.run();
  EXPECT_EQ(driver.node(0).leader(), NodeId{5});
  EXPECT_EQ(driver.sent(), 0u);
  EXPECT_EQ(Ghs::message_bound(1, 0, {}), 0u);
}

TEST(Ghs, EveryNetworkOfUpToFiveInRandomInterleavings) {
  std::size_t runs = 0;
  for (NodeIndex n = 2; n <= 5; ++n) {
    for (const LinkList& links : every_network(n)) {
      for (int times = 0; times < (n < 5 ? 60 : 6); ++times) {
        core::Prng prng(++runs);
        const Ghs::Options options = times % 2 == 0 ? Ghs::Options{} : by_hash;
        const auto ids = shuffled_ids(n, prng);
        Driver driver(ids, options, {.max = Duration{30}}, runs);
        make_network(driver, links);
        const std::uint64_t starters = 1 + prng.below((1u << n) - 1);
        for (NodeIndex i = 0; i < n; ++i)
          if ((starters >> i & 1u) != 0)
            driver.start(i, Time{static_cast<std::int64_t>(prng.below(100))});
        driver.run();  // watched by the properties
        expect_elected(driver, ids, links, options);
        if (HasFailure()) FAIL() << "run " << runs;
      }
    }
  }
  EXPECT_EQ(runs, (1u + 4 + 38) * 60 + 728 * 6);
}

TEST(Ghs, HundredsOfRandomNetworks) {
  for (std::uint64_t seed = 0; seed < 900; ++seed) {
    core::Prng prng(seed);
    const auto n = static_cast<NodeIndex>(2 + prng.below(seed % 10 == 0 ? 90 : 24));
    const LinkList links =
        random_network(n, prng.chance(0.3) ? 0 : prng.unit() * prng.unit(), prng);
    const Ghs::Options options = seed % 2 == 0 ? Ghs::Options{} : by_hash;
    const auto ids = shuffled_ids(n, prng);
    Driver driver(ids, options, {.max = Duration{static_cast<int>(1 + prng.below(60))}}, seed);
    make_network(driver, links);
    const double awake = prng.chance(0.3) ? 1 : prng.unit();
    for (NodeIndex i = 0; i < n; ++i)
      if (i == 0 || prng.chance(awake))
        driver.start(i, Time{static_cast<std::int64_t>(prng.below(300))});
    driver.run();
    expect_elected(driver, ids, links, options);
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

TEST(Ghs, NeedsChannelsInOrder) {
  std::size_t failed = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Driver driver(ids_of({1, 2, 3}), {}, {.max = Duration{30}, .fifo = false}, seed);
    driver.make_complete();
    driver.start_all();
    try {
      driver.run();
    } catch (const core::Violation&) {
      ++failed;  // a reordered message had no effect at its receiver, and no node leads
    }
  }
  EXPECT_GT(failed, 0u);
}

TEST(Ghs, NeitherDelaysNorStartersDecideWhoLeads) {
  // What is absorbed late had no lighter way out than the one that was found without it: so each
  // core follows from the weights alone, and with it the leader.
  for (std::uint64_t network = 0; network < 120; ++network) {
    core::Prng prng(network);
    const auto n = static_cast<NodeIndex>(3 + prng.below(20));
    const LinkList links = random_network(n, prng.unit() * prng.unit(), prng);
    const Ghs::Options options = network % 2 == 0 ? Ghs::Options{} : by_hash;
    const auto ids = shuffled_ids(n, prng);
    std::set<std::pair<Ghs::Weight, std::uint32_t>> cores;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      Driver driver(ids, options, {.max = Duration{40}}, seed);
      make_network(driver, links);
      const auto first = static_cast<NodeIndex>(prng.below(n));
      for (NodeIndex i = 0; i < n; ++i)
        if (i == first || prng.chance(0.3))
          driver.start(i, Time{static_cast<std::int64_t>(prng.below(400))});
      driver.run();
      expect_elected(driver, ids, links, options);
      cores.emplace(driver.node(0).fragment(), driver.node(0).level());
    }
    EXPECT_EQ(cores.size(), 1u) << "network " << network;
  }
}

TEST(Ghs, CostsOnKnownNetworks) {
  // Two nodes: a Connect, an Initiate and a Report each way, and the news.
  EXPECT_EQ(cost(ids_of({1, 2}), {{0, 1}}), 7u);
  for (NodeIndex n = 3; n <= 40; ++n) {
    // A star whose middle is 1: a Connect, an Initiate and a Report for each leaf, one of each more
    // on the core link, the news; and 1 asks 3 whether it belongs to it a moment too early.
    EXPECT_EQ(cost(counting(n), star_links(n)), 3 * (n - 1) + 3 + (n - 1) + 2);
  }
}

TEST(Ghs, TheRunInTheDocumentation) {
  EXPECT_EQ(cost(ids_of({3, 1, 4, 2}), {{0, 1}, {1, 2}, {2, 3}, {0, 2}}), 21u);
}

TEST(Ghs, TimeIsWithinTheBoundWhenAllStart) {
  double most = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    core::Prng prng(seed);
    const auto n = static_cast<NodeIndex>(2 + prng.below(40));
    const LinkList links = seed % 4 == 0   ? line_links(n)
                           : seed % 4 == 1 ? complete_links(n)
                                           : random_network(n, 0.3 * prng.unit(), prng);
    Driver driver(shuffled_ids(n, prng), seed % 3 == 0 ? by_hash : Ghs::Options{},
                  {.max = Duration{seed % 2 == 0 ? 1 : 1000}, .fifo = true}, seed);
    make_network(driver, links);
    driver.start_all();
    driver.run();
    const double units = static_cast<double>(driver.now().count()) / (seed % 2 == 0 ? 1 : 1000);
    const double bound = 5.0 * n * std::log2(n) + n - 1;
    EXPECT_LE(units, bound) << seed;
    most = std::max(most, units / bound);
  }
  EXPECT_GT(most, 0.2);
}

TEST(Ghs, GarbageDoesNotStopIt) {
  core::Prng prng(4);
  for (int life = 0; life < 3000; ++life) {
    ByHand<Ghs> hand(ids_of({1, 2, 3}));
    hand.ports.resize(prng.below(4));
    Ghs node(NodeId{1 + prng.below(4)}, {});
    for (int i = 0; i < 40; ++i) {
      if (i == 10) node.start(hand.next());
      if (i == 30) hand.ports.resize(prng.below(4));  // links are lost, and it was not notified
      if (hand.ports.empty()) continue;
      const Port port = hand.ports[prng.below(hand.ports.size())];
      const Ghs before = node;
      node.receive(hand.next(), port, core::arbitrary<Message>(prng));
      for (const auto& each : hand.step.sends()) EXPECT_TRUE(is_up(hand.step, each.port));
      if (node == before)
        EXPECT_EQ(core::digest(node), core::digest(before));
      else
        EXPECT_NE(core::encode(node), core::encode(before));
    }
  }
}

TEST(Ghs, MessagesSurviveTheWire) {
  core::Prng prng(5);
  for (int i = 0; i < 2000; ++i) {
    const auto message = core::arbitrary<Message>(prng);
    EXPECT_EQ(core::decode<Message>(core::encode(message)), message);
  }
  EXPECT_LE(core::encoded_size(Message(Initiate{10, weight(1000, 2000), true})), 8u);
}

/// Nodes as a test puts them, to see that the properties bite.
class Linked final : public Picture<Ghs> {
 public:
  using Picture::Picture;
  std::vector<core::ChannelView<Message>> channels(NodeIndex i) const override {
    return {{1 - i, Port{0}, Port{0}, {}}};
  }
};

TEST(Ghs, PropertiesBite) {
  ByHand<Ghs> at_one(ids_of({2})), at_two(ids_of({1}));
  Ghs one(NodeId{1}, {}), two(NodeId{2}, {});
  const auto all = Ghs::monitors();
  ASSERT_EQ(all.size(), 3u);
  for (const auto& each : all) EXPECT_NO_THROW(each->at_rest(Linked({one, two})));  // asleep
  one.start(at_one.next());
  EXPECT_THROW(all[2]->at_rest(Linked({one, two})), core::Violation);  // 2 still is
  two.start(at_two.next());
  EXPECT_THROW(all[2]->at_rest(Linked({one, two})), core::Violation);  // no node knows the leader
  one.receive(at_one.next(), Port{0}, Initiate{1, weight(1, 2), true});
  two.receive(at_two.next(), Port{0}, Initiate{1, weight(1, 2), true});
  two.receive(at_two.next(), Port{0}, Report{});
  Ghs told = one, fooled = one, high = one;
  told.receive(at_one.next(), Port{0}, Leader{NodeId{2}});
  fooled.receive(at_one.next(), Port{0}, Leader{NodeId{1}});
  high.receive(at_one.next(), Port{0}, Initiate{2, weight(1, 2), true});
  const core::Happening step{core::Cause::receive, 0, {}};
  const Linked fine({told, two});
  for (const auto& each : all) EXPECT_NO_THROW((each->after(fine, step), each->at_rest(fine)));
  EXPECT_THROW(all[0]->after(Linked({fooled, two}), step), core::Violation);
  EXPECT_THROW(all[1]->after(Linked({high, two}), step), core::Violation);
}

}  // namespace
}  // namespace bellwether::algorithms
