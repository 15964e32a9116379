// SPDX-License-Identifier: MIT
#include "bellwether/world/positions.hpp"

#include <gtest/gtest.h>

namespace bellwether::world {
namespace {

using namespace std::chrono_literals;

constexpr NodeIndex nodes = 20;

Network radio_network() {
  Network out;
  out.nodes = nodes;
  return out;
}

MobilitySpec moving(MobilityModel model) {
  MobilitySpec out;
  out.model = model;
  out.width = out.height = 300;
  out.speed_min = 1;
  out.speed_max = 10;
  return out;
}

TEST(Positions, AreThoseOfProximityToTheLastBit) {
  for (const MobilityModel model :
       {MobilityModel::random_walk, MobilityModel::random_waypoint, MobilityModel::levy_walk}) {
    const auto spec = moving(model);
    Proximity proximity(make_motion(spec, radio_network(), 7), nodes, 60, {}, 0, 100s);
    Positions places(make_motion(spec, radio_network(), 7), nodes, nodes, {});
    std::size_t compared = 0;
    while (const auto change = proximity.next()) {
      for (const NodeIndex u : {change->ends.a, change->ends.b}) {
        const Point here = places.at(u, change->at), there = proximity.place(u, change->at);
        EXPECT_EQ(here.x, there.x);
        EXPECT_EQ(here.y, there.y);
        ++compared;
      }
    }
    EXPECT_GT(compared, 20u);
  }
}

TEST(Positions, WhoIsPutSomewhereStays) {
  Positions places(make_motion(moving(MobilityModel::random_walk), radio_network(), 7), nodes,
                   nodes + 1, {{20s, 3, {5, 6}}, {10s, 3, {1, 2}}, {10s, nodes, {7, 8}}});
  EXPECT_NE(places.at(3, 9s), (Point{1, 2}));
  EXPECT_EQ(places.at(3, 10s), (Point{1, 2}));
  EXPECT_EQ(places.at(3, 19s), (Point{1, 2}));
  EXPECT_EQ(places.at(3, 30s), (Point{5, 6}));
  EXPECT_EQ(places.at(nodes, 9s), Positions::nowhere) << "not there yet";
  EXPECT_EQ(places.at(nodes, 30s), (Point{7, 8}));
}

}  // namespace
}  // namespace bellwether::world
