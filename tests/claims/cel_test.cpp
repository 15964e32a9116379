// SPDX-License-Identifier: MIT
// Favier (2022), chapter 5: once changes cease, all nodes of a component name its most central one;
// gossip with probability 0.7 sends a third less. So it is where nothing goes wrong; where it does
// not hold is in algorithms/cel_test.
#include "bellwether/algorithms/moving/cel.hpp"

#include "claims/central.hpp"

namespace bellwether::claims {
namespace {

using algorithms::Cel;

TEST(CelClaims, ANetworkThatIsThereElectsItsMostCentralNode) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Play play = in_the_plane(10 + static_cast<NodeIndex>(seed), seed);
    EXPECT_EQ(mistaken<Cel>(play, play.network.links, {}), 0u) << seed;
  }
}

TEST(CelClaims, SoDoesOneWhoseLinksComeUpOneByOne) {
  for (const Duration gap : {milliseconds(20), milliseconds(1000)})
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      const Play play = in_the_plane(30, seed);
      EXPECT_EQ(mistaken<Cel>(raised(play, gap), play.network.links, {}), 0u) << seed;
    }
}

TEST(CelClaims, EachPartOfAPartitionHasItsOwn) {
  expect_a_leader_in_each_part<Cel>(seconds(1));
}

TEST(CelClaims, GossipSendsLess) {
  std::uint64_t all = 0;
  std::uint64_t some = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Play play = in_the_plane(40, seed);
    for (const Play& each : {play, raised(play, seconds(1))}) {
      RunReport certain;
      RunReport gossip;
      mistaken<Cel>(each, play.network.links, {}, &certain);
      mistaken<Cel>(each, play.network.links, {.rho = 0.7}, &gossip);
      EXPECT_LT(gossip.messages, certain.messages) << seed;
      all += certain.messages;
      some += gossip.messages;
    }
  }
  std::printf("CEL-0.7 sends %.0f %% fewer messages than CEL-1 (thesis: 36 %%)\n",
              100 - 100.0 * static_cast<double>(some) / static_cast<double>(all));
  EXPECT_LT(some, all);
}

}  // namespace
}  // namespace bellwether::claims
