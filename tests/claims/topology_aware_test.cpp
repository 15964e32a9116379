// SPDX-License-Identifier: MIT
// Favier (2022), chapter 4: once changes cease, all nodes of a component name its most central one.
// So it is where nothing goes wrong; where it does not hold is in algorithms/topology_aware_test.
#include "bellwether/algorithms/moving/topology_aware.hpp"

#include "bellwether/graph/distances.hpp"
#include "claims/central.hpp"

namespace bellwether::claims {
namespace {

using algorithms::Measure;
using algorithms::TopologyAware;

TEST(TopologyAwareClaims, ANetworkThatIsThereElectsItsMostCentralNode) {
  for (std::uint64_t seed = 0; seed < 60; ++seed)
    for (const Measure criterion : {Measure::closeness, Measure::degree}) {
      const Play play = in_the_plane(10 + static_cast<NodeIndex>(seed), seed);
      EXPECT_EQ(mistaken<TopologyAware>(play, play.network.links, {.criterion = criterion}), 0u)
          << seed;
    }
}

TEST(TopologyAwareClaims, SoDoesOneWhoseLinksComeUpOneByOne) {
  for (const Duration gap : {milliseconds(20), milliseconds(3000)})
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      const Play play = in_the_plane(30, seed);
      const Measure criterion = seed % 4 < 2 ? Measure::closeness : Measure::degree;
      EXPECT_EQ(
          mistaken<TopologyAware>(raised(play, gap), play.network.links, {.criterion = criterion}),
          0u)
          << seed;
    }
}

TEST(TopologyAwareClaims, EachPartOfAPartitionHasItsOwn) {
  expect_a_leader_in_each_part<TopologyAware>(seconds(3));
}

TEST(TopologyAwareClaims, NewsTakesADelayAndDeltaForEachHopAndThenAllIsSilent) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Play play = in_the_plane(40, seed);
    RunReport r;
    mistaken<TopologyAware>(play, play.network.links, {}, &r);
    const auto hops = graph::diameter(graph::Graph(play.network.nodes, play.network.links));
    // The last hop's news is forwarded once more, from which no node learns anything.
    EXPECT_LE(r.time, (hops + 1) * (TopologyAware::period({}) + play.scenario.channel.max));
  }
}

}  // namespace
}  // namespace bellwether::claims
