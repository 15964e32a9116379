// SPDX-License-Identifier: MIT
// The repaired elections, topology-aware-2 and cel-2: the same leaders as the published ones where
// those are right, and the most central node where they are not.
#include "bellwether/algorithms/moving/cel.hpp"
#include "bellwether/algorithms/moving/cel_2.hpp"
#include "bellwether/algorithms/moving/topology_aware.hpp"
#include "bellwether/algorithms/moving/topology_aware_2.hpp"
#include "claims/central.hpp"

namespace bellwether::claims {
namespace {

using algorithms::Cel;
using algorithms::Cel2;
using algorithms::Measure;
using algorithms::TopologyAware;
using algorithms::TopologyAware2;

template <class P>
std::vector<std::optional<NodeId>> leaders(const Play& play, typename P::Options options) {
  const auto simulation = staged<P>(play, options);
  EXPECT_EQ(simulation->run().ended, observe::Ended::quiescent);
  std::vector<std::optional<NodeId>> out;
  for (NodeIndex u = 0; u < play.network.nodes; ++u) out.push_back(simulation->node(u).leader());
  return out;
}

TEST(RepairedClaims, TheSameLeadersAsThePublishedOnesInCalmNetworks) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Play play = in_the_plane(10 + static_cast<NodeIndex>(seed), seed);
    EXPECT_EQ(leaders<Cel2>(play, {}), leaders<Cel>(play, {})) << seed;
    for (const Measure criterion : {Measure::closeness, Measure::degree})
      EXPECT_EQ(leaders<TopologyAware2>(play, {.criterion = criterion}),
                leaders<TopologyAware>(play, {.criterion = criterion}))
          << seed;
  }
}

template <class P>
class Repaired : public testing::Test {};
using Both = testing::Types<Cel2, TopologyAware2>;
TYPED_TEST_SUITE(Repaired, Both);

TYPED_TEST(Repaired, ANetworkWhoseLinksComeUpOneByOneElectsItsMostCentralNode) {
  for (const Duration gap : {milliseconds(20), milliseconds(1000)})
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Play play = in_the_plane(30, seed);
      EXPECT_EQ(mistaken<TypeParam>(raised(play, gap), play.network.links, {}), 0u) << seed;
    }
}

TYPED_TEST(Repaired, EachPartOfAPartitionHasItsOwn) {
  expect_a_leader_in_each_part<TypeParam>(milliseconds(100));
}

/// Where the published ones fail: ends that are notified one after the other, and messages that
/// are lost without retransmission, one in five.
TYPED_TEST(Repaired, SoItIsWithLateNewsAndLosses) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Play play = in_the_plane(30, seed);
    play.scenario.notify.max = milliseconds(300);
    play.scenario.channel.loss = seed % 2 == 0 ? 0.2 : 0;
    play.scenario.channel.duplicate = 0.1;
    EXPECT_EQ(mistaken<TypeParam>(raised(play, milliseconds(20)), play.network.links, {}), 0u)
        << seed;
  }
}

template <class P>
std::size_t failures() {
  std::size_t wrong = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Play play = in_the_plane(30, seed);
    play.scenario.notify.max = milliseconds(300);
    wrong += mistaken<P>(raised(play, milliseconds(20)), play.network.links, {}) > 0 ? 1 : 0;
  }
  return wrong;
}

/// Or the tests above would show nothing: late news alone is enough.
TEST(RepairedClaims, ThePublishedOnesFailThere) {
  EXPECT_GT(failures<Cel>(), 0u);
  EXPECT_GT(failures<TopologyAware>(), 0u);
  EXPECT_EQ(failures<Cel2>(), 0u);
  EXPECT_EQ(failures<TopologyAware2>(), 0u);
}

/// What comes after the election ends by itself: a digest, its answer, and silence.
TYPED_TEST(Repaired, SilenceFollows) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Play play = in_the_plane(40, seed);
    RunReport r;
    mistaken<TypeParam>(play, play.network.links, {}, &r);
    EXPECT_LT(r.time, seconds(6)) << seed;
  }
}

}  // namespace
}  // namespace bellwether::claims
