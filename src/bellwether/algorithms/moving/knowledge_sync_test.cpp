// SPDX-License-Identifier: MIT
// What the repaired elections share, rule by rule, in both of them.
#include "bellwether/algorithms/moving/knowledge_sync.hpp"

#include <gtest/gtest.h>

#include "bellwether/algorithms/hand_driver_test.hpp"
#include "bellwether/algorithms/moving/cel_2.hpp"
#include "bellwether/algorithms/moving/topology_aware_2.hpp"
#include "bellwether/core/print.hpp"

namespace bellwether::algorithms {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;

MemberView view(std::uint64_t id, std::uint64_t clock,
                const std::vector<std::uint64_t>& neighbours) {
  return {NodeId{id}, clock, core::Shared<Ids>(ids_of(neighbours))};
}

/// Node 5 between 3 and 7, on ports 0 and 1.
template <class P>
struct Synced : testing::Test {
  ByHand<P> hand{ids_of({3, 7})};
  P node{NodeId{5}, {}};

  std::string known() const { return to_text(node.known()); }
  /// Awake and alone, at version 1.
  void wake() {
    hand.ports = {};
    node.start(hand.next());
    hand.ports = {Port{0}, Port{1}};
  }
  void receive(Port port, std::vector<MemberView> views,
               const std::vector<std::uint64_t>& greets = {}) {
    node.receive(hand.next(), port, Knowledge{Known(std::move(views)), ids_of(greets)});
  }
  void receive(Port port, Digest digest) { node.receive(hand.next(), port, digest); }
  /// Held by both neighbours as well.
  void let_both_confirm() {
    receive(Port{0}, Digest{core::digest(node.known()), false});
    receive(Port{1}, Digest{core::digest(node.known()), false});
  }

  /// "all 5:1{5} greets 3" or "port 0 digest asks", what the last step sent; digests are right.
  std::string sent() const {
    std::string out;
    for (const auto& send : hand.step.sends()) {
      out += out.empty() ? "" : "; ";
      out += send.port == core::every_port ? "all" : "port " + core::text_of(send.port);
      if (const auto* map = std::get_if<Knowledge>(&send.message)) {
        EXPECT_EQ(map->known, node.known());
        out += " " + to_text(map->known);
        for (std::size_t i = 0; i < map->greets.size(); ++i)
          out += (i == 0 ? " greets " : ",") + core::text_of(map->greets[i]);
      } else if (const auto* digest = std::get_if<Digest>(&send.message)) {
        EXPECT_EQ(digest->digest, core::digest(node.known()));
        out += digest->asks ? " digest asks" : " digest";
      }
    }
    return out;
  }
  /// "armed 1 s", "disarmed" or "": what became of the digest's timer.
  std::string alarm() const {
    std::string out;
    for (const auto& each : hand.step.alarms()) {
      if (each.timer != P::Timer::digest) continue;
      EXPECT_EQ(each.min, each.max);
      out += each.armed ? "armed " + core::text_of(each.min) : "disarmed";
    }
    return out;
  }
};
using Both = testing::Types<Cel2, TopologyAware2>;
TYPED_TEST_SUITE(Synced, Both);

TYPED_TEST(Synced, AVersionBeginsAtTheClock) {
  this->hand.now = microseconds(1500) + Duration(999);
  this->node.start(this->hand.next());
  EXPECT_EQ(this->known(), "5:1501{3,5,7}");
  EXPECT_EQ(this->sent(), "all 5:1501{3,5,7} greets 3,7");
  this->node.start(this->hand.next());
  EXPECT_EQ(this->sent(), "");
  // After a restart the node begins above all its earlier versions.
  this->hand.now = microseconds(2500);
  TypeParam later{NodeId{5}, {}};
  later.receive(this->hand.next(), Port{0}, Knowledge{});
  EXPECT_EQ(to_text(later.known()), "5:2501{3,5,7}");
  this->hand.now = Time(-7);
  TypeParam before_the_epoch{NodeId{5}, {}};
  before_the_epoch.start(this->hand.next());
  EXPECT_EQ(to_text(before_the_epoch.known()), "5:1{3,5,7}");
}

TYPED_TEST(Synced, AVersionRisesWithEachChangeAndANewLinkIsGreeted) {
  this->wake();
  EXPECT_EQ(this->known(), "5:1{5}");
  EXPECT_EQ(this->sent() + this->alarm(), "");
  this->hand.ports = {Port{1}};
  this->node.link_up(this->hand.next(), Port{1});
  EXPECT_EQ(this->sent(), "all 5:2{5,7} greets 7");
  this->hand.ports = {Port{0}, Port{1}};
  this->node.link_up(this->hand.next(), Port{0});
  EXPECT_EQ(this->sent(), "all 5:3{3,5,7} greets 3");
  this->hand.ports = {Port{0}};
  this->node.link_down(this->hand.next(), Port{1});
  EXPECT_EQ(this->known(), "5:4{3,5}");
}

TYPED_TEST(Synced, WhoWasNotStartedWakesByWhatReachesIt) {
  this->node.link_up(this->hand.next(), Port{1});
  EXPECT_EQ(this->sent(), "all 5:1{3,5,7} greets 3,7");
  TypeParam lost{NodeId{5}, {}};
  this->hand.ports = {Port{1}};
  lost.link_down(this->hand.next(), Port{0});
  EXPECT_EQ(to_text(lost.known()), "5:1{5,7}");
  TypeParam told{NodeId{5}, {}};
  told.receive(this->hand.next(), core::stranger, Knowledge{Known({view(9, 1, {9})}), {}});
  EXPECT_EQ(to_text(told.known()), "5:1{5,7} 9:1{9}");
}

TYPED_TEST(Synced, ASecondLinkToTheSameNodeIsNoOtherNeighbour) {
  this->hand.peers = ids_of({7, 7});
  this->node.start(this->hand.next());
  EXPECT_EQ(this->sent(), "all 5:1{5,7} greets 7");
  this->hand.ports = {Port{0}};
  this->node.link_down(this->hand.next(), Port{1});
  EXPECT_EQ(this->known(), "5:1{5,7}") << "the other link is still there";
  EXPECT_EQ(this->sent(), "");
  this->hand.ports = {Port{0}, Port{1}};
  this->node.link_up(this->hand.next(), Port{1});
  EXPECT_EQ(this->sent(), "all 5:1{5,7} greets 7") << "but whoever is there may be newborn";
}

TYPED_TEST(Synced, OnlyLaterEntriesAreAdopted) {
  this->wake();
  this->receive(Port{0}, {view(9, 4, {9, 10})});
  EXPECT_EQ(this->known(), "5:1{5} 9:4{9,10}");
  this->receive(Port{0}, {view(9, 4, {9, 11})});
  this->receive(Port{0}, {view(9, 3, {9, 12})});
  EXPECT_EQ(this->known(), "5:1{5} 9:4{9,10}") << "nothing is united";
  this->receive(Port{0}, {view(9, 5, {9})});
  EXPECT_EQ(this->known(), "5:1{5} 9:5{9}");
}

TYPED_TEST(Synced, ANodeDoesNotBelieveWhatIsSaidOfItAndJumpsAboveIt) {
  this->node.start(this->hand.next());
  this->receive(Port{0}, {view(5, 1, {3, 5, 7})});
  EXPECT_EQ(this->sent(), "") << "that is true";
  this->receive(Port{0}, {view(5, 9, {5})});
  EXPECT_EQ(this->sent(), "all 5:10{3,5,7}");
  this->receive(Port{0}, {view(5, 9, {5})});
  EXPECT_EQ(this->sent(), "") << "that is old";
  this->receive(Port{0}, {view(5, 10, {5})});
  EXPECT_EQ(this->sent(), "all 5:11{3,5,7}") << "the same version with other neighbours";
  this->receive(Port{0}, {view(5, 12, {3, 5, 7})});
  EXPECT_EQ(this->sent(), "all 5:13{3,5,7}") << "or nobody would believe its next change";
}

TYPED_TEST(Synced, ThatIsToldToAllEvenByWhoIsSpared) {
  this->node.start(this->hand.next());
  this->receive(Port{0}, {view(3, 2, {3, 5, 7})});
  this->receive(Port{0}, {view(5, 9, {5})});
  EXPECT_EQ(this->sent(), "all 3:2{3,5,7} 5:10{3,5,7}");
}

TYPED_TEST(Synced, WhoIsGreetedAnswersIfTheSenderLacksAnything) {
  this->node.start(this->hand.next());
  this->receive(Port{1}, {view(3, 2, {3, 5}), view(9, 4, {9})});
  this->receive(Port{0}, {view(3, 2, {3, 5})}, {5});
  EXPECT_EQ(this->sent(), "port 0 3:2{3,5} 5:1{3,5,7} 9:4{9}");
  this->receive(Port{0}, {view(3, 2, {3, 5}), view(5, 1, {3, 5, 7}), view(9, 3, {9})}, {5});
  EXPECT_EQ(this->sent(), "port 0 3:2{3,5} 5:1{3,5,7} 9:4{9}") << "what it has of 9 is old";
  this->receive(Port{0}, {view(3, 2, {3, 5})}, {4, 6});
  EXPECT_EQ(this->sent(), "") << "others are greeted";
  this->receive(Port{0}, {view(3, 2, {3, 5}), view(5, 1, {3, 5, 7}), view(9, 4, {9})}, {5});
  EXPECT_EQ(this->sent(), "") << "it lacks nothing";
  this->receive(core::stranger, {view(3, 2, {3, 5})}, {5});
  EXPECT_EQ(this->sent(), "") << "nothing can be sent there";
}

TYPED_TEST(Synced, ADigestGoesOutUntilAllHaveConfirmed) {
  this->node.start(this->hand.next());
  EXPECT_EQ(this->alarm(), "armed 1 s");
  this->node.timeout(this->hand.next(), TypeParam::Timer::digest);
  EXPECT_EQ(this->sent(), "all digest asks");
  EXPECT_EQ(this->alarm(), "armed 1 s");
  this->receive(Port{0}, Digest{core::digest(this->node.known()), false});
  EXPECT_EQ(this->sent() + this->alarm(), "");
  EXPECT_EQ(this->node.confirmed(), std::vector{Port{0}});
  this->node.timeout(this->hand.next(), TypeParam::Timer::digest);
  EXPECT_EQ(this->sent(), "all digest asks") << "one of them has not";
  this->receive(Port{1}, Digest{core::digest(this->node.known()), true});
  EXPECT_EQ(this->sent(), "port 1 digest");
  EXPECT_EQ(this->alarm(), "disarmed");
  EXPECT_EQ(this->node.confirmed(), (std::vector{Port{0}, Port{1}}));
  this->node.timeout(this->hand.next(), TypeParam::Timer::digest);
  EXPECT_EQ(this->sent() + this->alarm(), "") << "all are of one mind: silence";
}

TYPED_TEST(Synced, AnyChangeMustBeConfirmedAnew) {
  this->node.start(this->hand.next());
  this->let_both_confirm();
  this->receive(Port{0}, {view(9, 4, {9})});
  EXPECT_TRUE(this->node.confirmed().empty());
  EXPECT_EQ(this->alarm(), "armed 1 s");
  this->let_both_confirm();
  this->receive(Port{0}, {view(5, 4, {9})});
  EXPECT_TRUE(this->node.confirmed().empty());
  this->let_both_confirm();
  this->hand.ports = {Port{0}};
  this->node.link_down(this->hand.next(), Port{1});
  EXPECT_TRUE(this->node.confirmed().empty());
  this->hand.ports = {};
  this->node.link_down(this->hand.next(), Port{0});
  EXPECT_EQ(this->alarm(), "disarmed") << "nobody is there to be asked";
}

TYPED_TEST(Synced, APortThatGoesDownIsNoLongerConfirmed) {
  this->hand.peers = ids_of({7, 7});
  this->node.start(this->hand.next());
  this->let_both_confirm();
  this->hand.ports = {Port{0}};
  this->node.link_down(this->hand.next(), Port{1});
  EXPECT_EQ(this->node.confirmed(), std::vector{Port{0}});
}

TYPED_TEST(Synced, AnEqualMapConfirms) {
  this->node.start(this->hand.next());
  this->receive(Port{1}, {view(3, 2, {3, 5})});
  EXPECT_TRUE(this->node.confirmed().empty()) << "it lacks our entry";
  this->receive(Port{0}, {view(3, 2, {3, 5}), view(5, 1, {3, 5, 7}), view(9, 4, {9})});
  EXPECT_EQ(this->node.confirmed(), std::vector{Port{0}}) << "now we know the same";
  this->receive(Port{1}, {view(3, 2, {3, 5}), view(5, 1, {3, 5, 7}), view(9, 4, {9})});
  EXPECT_EQ(this->alarm(), "disarmed");
}

TYPED_TEST(Synced, WhoHoldsSomethingElseGetsTheMapAndAGreeting) {
  this->node.start(this->hand.next());
  for (const bool asks : {false, true}) {
    this->receive(Port{1}, Digest{1234, asks});
    EXPECT_EQ(this->sent(), "port 1 5:1{3,5,7} greets 7");
    EXPECT_TRUE(this->node.confirmed().empty());
  }
}

TYPED_TEST(Synced, StrangersAreBelievedButNotAnswered) {
  this->wake();
  this->hand.ports = {};
  this->receive(core::stranger, Digest{1234, true});
  this->receive(core::stranger, Digest{core::digest(this->node.known()), true});
  EXPECT_EQ(this->sent() + this->alarm(), "");
  this->receive(core::stranger, {view(3, 2, {3, 5})}, {5});
  EXPECT_EQ(this->known(), "3:2{3,5} 5:1{5}");
  EXPECT_TRUE(this->node.confirmed().empty());
}

TYPED_TEST(Synced, RefusesWhatNoNodeSends) {
  this->node.start(this->hand.next());
  const auto before = this->node;
  this->receive(Port{0}, {view(9, 1, {9}), view(8, 1, {8})});
  this->receive(Port{0}, {view(9, 1, {9, 8})});
  this->receive(Port{0}, {view(9, 0, {9})});
  this->receive(Port{0}, {view(9, end_of_versions, {9})});
  this->receive(Port{0}, {view(5, ~std::uint64_t{0}, {9})});
  this->receive(Port{0}, {view(9, 1, {9})}, {7, 5});
  EXPECT_EQ(this->node, before);
  this->receive(Port{0}, {view(9, end_of_versions - 1, {9})});
  EXPECT_NE(this->node, before);
}

TYPED_TEST(Synced, ThePeriodIsAnOption) {
  TypeParam slow{NodeId{5}, {.digest = seconds(3)}};
  slow.start(this->hand.next());
  EXPECT_EQ(this->alarm(), "armed 3 s");
  for (const Duration period : {Duration(0), Duration(-5)}) {
    TypeParam none{NodeId{5}, {.digest = period}};
    none.start(this->hand.next());
    EXPECT_EQ(this->alarm(), "armed 1 ms") << "time must go on";
  }
}

TYPED_TEST(Synced, WhatHasNoEffectNowMayHaveOneLaterIfItGreetsOrIsADigest) {
  this->node.start(this->hand.next());
  const Knowledge map{this->node.known(), {}};
  const Knowledge greeting{this->node.known(), ids_of({5})};
  const Digest digest{core::digest(this->node.known()), false};
  this->node.receive(this->hand.next(), Port{0}, greeting);
  for (const typename TypeParam::Message& message :
       {typename TypeParam::Message(map), typename TypeParam::Message(greeting),
        typename TypeParam::Message(digest)}) {
    const auto before = this->node;
    this->node.receive(this->hand.next(), Port{0}, message);
    EXPECT_EQ(this->node, before);
    EXPECT_EQ(this->sent() + this->alarm(), "");
    auto later = this->node;
    later.receive(this->hand.next(), Port{1}, Knowledge{Known({view(9, 4, {9})}), {}});
    const auto then = later;
    later.receive(this->hand.next(), Port{0}, message);
    EXPECT_EQ(later == then && this->hand.step.sends().empty(),
              TypeParam::no_op_lasts(message, {}, true));
  }
}

// After any restart.

template <class P>
struct Life : testing::Test {};
TYPED_TEST_SUITE(Life, Both);

TYPED_TEST(Life, ClocksRiseAndOwnEntriesAreTrue) {
  typename TypeParam::Options options;
  if constexpr (requires { options.period; }) options.period = Duration{15};
  live_through_changes<TypeParam>(options);
}

/// The leader of each node among those that are alive: all distances by Floyd and Warshall.
template <class P>
std::vector<NodeId> truth(const HandDriver<P>& driver) {
  const NodeIndex n = driver.size();
  constexpr std::uint64_t far = 1'000'000;
  std::vector<std::vector<std::uint64_t>> way(n, std::vector<std::uint64_t>(n, far));
  for (NodeIndex u = 0; u < n; ++u) {
    way[u][u] = 0;
    if (!driver.alive(u)) continue;
    for (const auto& channel : driver.channels(u)) way[u][channel.to] = 1;
  }
  for (NodeIndex k = 0; k < n; ++k)
    for (NodeIndex u = 0; u < n; ++u)
      for (NodeIndex v = 0; v < n; ++v) way[u][v] = std::min(way[u][v], way[u][k] + way[k][v]);
  std::vector<NodeId> leaders;
  for (NodeIndex u = 0; u < n; ++u) {
    std::pair<std::int64_t, NodeId> best{-static_cast<std::int64_t>(far * n), driver.id(u)};
    for (NodeIndex v = 0; v < n; ++v) {
      std::int64_t sum = 0;
      for (const std::uint64_t d : way[v]) sum += d < far ? static_cast<std::int64_t>(d) : 0;
      if (way[u][v] < far) best = std::max(best, {-sum, driver.id(v)});
    }
    leaders.push_back(best.second);
  }
  return leaders;
}

/// Losses never end, nor do duplicates; links come and go, nodes crash and are born again. In the
/// end all name the most central node and stop sending.
TYPED_TEST(Life, WhateverHappensTheMostCentralNodeIsElectedInTheEnd) {
  std::size_t components = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    core::Prng prng(seed);
    HandDriver<TypeParam> driver(shuffled_ids(7, prng), {.digest = std::chrono::milliseconds(1)},
                                 {.min = microseconds(1),
                                  .max = microseconds(200),
                                  .fifo = seed % 2 == 0,
                                  .duplicates = 0.1,
                                  .news = microseconds(seed % 3 * 100),
                                  .loss = seed % 4 == 0 ? 0 : 0.2},
                                 seed);
    for (NodeIndex i = 1; i < 7; ++i) driver.link(i, static_cast<NodeIndex>(prng.below(i)));
    driver.start_all();
    for (int i = 1; i < 40; ++i) {
      driver.run(microseconds(i * 100));
      const auto a = static_cast<NodeIndex>(prng.below(7));
      const auto b = static_cast<NodeIndex>(prng.below(7));
      if (prng.below(8) == 0)
        driver.alive(a) ? driver.crash(a) : driver.restart(a);
      else if (a != b && driver.alive(a) && driver.alive(b))
        prng.below(3) != 0 ? driver.part(a, b) : driver.join(a, b);
    }
    driver.run();  // ends only if all stop sending
    const std::vector<NodeId> leaders = truth(driver);
    for (NodeIndex i = 0; i < 7; ++i) {
      if (!driver.alive(i)) continue;
      EXPECT_EQ(driver.node(i).leader(), leaders[i]) << "seed " << seed << " node " << i;
      components += leaders[i] == driver.id(i) ? 1 : 0;
      for (const auto& channel : driver.channels(i))
        EXPECT_EQ(driver.node(i).known(), driver.node(channel.to).known()) << "seed " << seed;
    }
  }
  EXPECT_GT(components, 200u) << "not all ends are alike";
}

}  // namespace
}  // namespace bellwether::algorithms
