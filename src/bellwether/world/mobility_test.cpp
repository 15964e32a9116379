// SPDX-License-Identifier: MIT
#include "bellwether/world/mobility.hpp"
#include "bellwether/core/problem.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "bellwether/graph/components.hpp"
#include "bellwether/world/topology.hpp"

namespace bellwether::world {
namespace {

using namespace std::chrono_literals;
using enum MobilityModel;

MobilitySpec spec_of(MobilityModel model) {
  MobilitySpec spec;
  spec.model = model;
  spec.width = 900;
  spec.height = 600;
  return spec;
}

Network plain(NodeIndex nodes) {
  Network network;
  network.nodes = nodes;
  return network;
}

std::vector<Leg> legs_of(Motion& motion, NodeIndex u, Time horizon) {
  std::vector<Leg> out;
  do out.push_back(motion.next(u));
  while (out.back().end <= horizon);
  return out;
}

double speed(const Leg& leg) {
  return std::hypot(leg.vx, leg.vy);
}

double distance(Point a, Point b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

const std::vector<MobilityModel> walks{random_waypoint, random_walk, levy_walk, point_of_interest,
                                       gauss_markov,    group,       highway};

TEST(Motion, LegsFollowEachOtherWithinTheBounds) {
  for (const MobilityModel model : walks) {
    const auto motion = make_motion(spec_of(model), plain(30), 1);
    const auto [low, high] = motion->bounds();
    for (NodeIndex u = 0; u < 30; ++u) {
      Leg last{Time{}, Time{}, {}, 0, 0};
      for (const Leg& leg : legs_of(*motion, u, 3000s)) {
        ASSERT_EQ(leg.begin, last.end) << static_cast<int>(model);
        ASSERT_GT(leg.end, leg.begin);
        if (leg.begin > Time{}) {
          ASSERT_LT(distance(leg.from, last.at(last.end)), 1e-9);
        }
        ASSERT_TRUE(leg.from.x >= low.x && leg.from.x <= high.x);
        ASSERT_TRUE(leg.from.y >= low.y && leg.from.y <= high.y);
        last = leg;
      }
    }
  }
}

TEST(Motion, ANodeDependsNeitherOnTheOthersNorOnTheOrder) {
  for (const MobilityModel model : walks) {
    const auto by_node = make_motion(spec_of(model), plain(10), 9);
    std::vector<std::vector<Leg>> wanted(10);
    for (NodeIndex u = 0; u < 10; ++u)
      for (int i = 0; i < 20; ++i) wanted[u].push_back(by_node->next(u));
    const auto in_turn = make_motion(spec_of(model), plain(10), 9);
    for (std::size_t i = 0; i < 20; ++i)
      for (NodeIndex u = 10; u-- > 0;) ASSERT_EQ(in_turn->next(u), wanted[u][i]);
    const auto other = make_motion(spec_of(model), plain(10), 10);
    other->next(1);  // the first leg round a point of interest is the same for all seeds
    EXPECT_NE(other->next(1), wanted[1][1]) << static_cast<int>(model);
  }
}

TEST(Motion, RandomWaypointGoesAndRests) {
  const auto motion = make_motion(spec_of(random_waypoint), plain(40), 1);
  double sum = 0;
  int count = 0;
  for (NodeIndex u = 0; u < 40; ++u) {
    const auto legs = legs_of(*motion, u, 20'000s);
    for (std::size_t i = 0; i < legs.size(); ++i) {
      if (i % 2 == 1) {
        ASSERT_EQ(legs[i].end - legs[i].begin, 10s);
        ASSERT_EQ(speed(legs[i]), 0);
        continue;
      }
      ASSERT_GE(speed(legs[i]), 5 - 1e-6);
      ASSERT_LE(speed(legs[i]), 15 + 1e-6);
      sum += speed(legs[i]);
      ++count;
    }
  }
  EXPECT_NEAR(sum / count, 10, 0.15);
}

TEST(Motion, RandomWalkKeepsItsSpeedAndLengthWhenReflected) {
  for (const WalkLeg kind : {WalkLeg::time, WalkLeg::distance}) {
    MobilitySpec spec = spec_of(random_walk);
    spec.width = spec.height = 100;
    spec.leg = kind;
    spec.leg_distance = 250;
    const auto motion = make_motion(spec, plain(5), 1);
    for (NodeIndex u = 0; u < 5; ++u) {
      double way = 0;
      Duration takes{};
      double pace = 0;
      int reflections = 0;
      for (const Leg& leg : legs_of(*motion, u, 5000s)) {
        if (speed(leg) > 0) {
          if (takes > 0s) {
            ++reflections;
            EXPECT_NEAR(speed(leg), pace, 1e-3);  // times are whole nanoseconds
            EXPECT_TRUE(leg.from.x == 0 || leg.from.x == 100 || leg.from.y == 0 ||
                        leg.from.y == 100);
          }
          pace = speed(leg);
          way += pace * core::seconds(leg.end - leg.begin);
          takes += leg.end - leg.begin;
          continue;
        }
        EXPECT_EQ(leg.end - leg.begin, 10s);
        if (kind == WalkLeg::time) {
          EXPECT_EQ(takes, 60s);
        } else {
          EXPECT_NEAR(way, 250, 1e-5);
        }
        way = 0;
        takes = {};
      }
      EXPECT_GT(reflections, 10);
    }
  }
}

TEST(Motion, LevyFlightsAreManyShortAndFewLong) {
  MobilitySpec spec = spec_of(levy_walk);
  spec.width = spec.height = 1e6;  // no reflections
  const auto motion = make_motion(spec, plain(200), 1);
  std::vector<double> flights;
  std::vector<double> pauses;
  for (NodeIndex u = 0; u < 200; ++u) {
    for (int i = 0; i < 100; ++i) {
      const Leg leg = motion->next(u);
      const double s = core::seconds(leg.end - leg.begin);
      speed(leg) > 0 ? flights.push_back(s * speed(leg)) : pauses.push_back(s);
      if (speed(leg) > 0) {
        ASSERT_NEAR(speed(leg), 1, 1e-6);  // k = 1 and rho = 0
      }
    }
  }
  const auto share = [](const std::vector<double>& all, double above) {
    return static_cast<double>(std::ranges::count_if(all, [=](double x) { return x > above; })) /
           static_cast<double>(all.size());
  };
  EXPECT_GE(*std::ranges::min_element(flights), 5);
  EXPECT_LE(*std::ranges::max_element(flights), 1000 + 1e-6);
  EXPECT_GE(*std::ranges::min_element(pauses), 10);
  EXPECT_LE(*std::ranges::max_element(pauses), 7200);
  // Cauchy with scale 10, between 5 and 1000; pauses with scale 1, between 10 and 7200.
  const auto tail = [](double scale, double x, double most) {
    return std::atan(most / scale) - std::atan(x / scale);
  };
  for (const double x : {10.0, 50.0, 200.0})
    EXPECT_NEAR(share(flights, x), tail(10, x, 1000) / tail(10, 5, 1000), 0.015);
  for (const double x : {20.0, 100.0, 1000.0})
    EXPECT_NEAR(share(pauses, x), tail(1, x, 7200) / tail(1, 10, 7200), 0.015);
}

TEST(Motion, LevyExponentsFromTheHardestToTheSoftestEnd) {
  for (const double exponent : {0.1, 0.5, 1.5, 2.0}) {
    MobilitySpec spec = spec_of(levy_walk);
    spec.flight_alpha = spec.pause_beta = exponent;
    spec.flight_k = 30.55;
    spec.flight_rho = 0.89;
    const auto motion = make_motion(spec, plain(3), 1);
    for (NodeIndex u = 0; u < 3; ++u)
      for (int i = 0; i < 50; ++i) ASSERT_LT(motion->next(u).end, core::end_of_time);
  }
}

/// Every place of a leg's beginning and every wait, by time.
TEST(Motion, PointOfInterestWaitsForAll) {
  constexpr NodeIndex nodes = 60;
  const auto motion = make_motion(spec_of(point_of_interest), plain(nodes), 1);
  std::vector<std::vector<Leg>> legs;
  for (NodeIndex u = 0; u < nodes; ++u) legs.push_back(legs_of(*motion, u, 4000s));
  Time all_back{};
  for (std::size_t cycle = 0; cycle < 5; ++cycle) {
    Time back{};
    for (NodeIndex u = 0; u < nodes; ++u) {
      const Leg& home = legs[u][4 * cycle];
      const Leg& there = legs[u][4 * cycle + 2];
      const Leg& home_again = legs[u][4 * cycle + 4];
      EXPECT_EQ(home.end, all_back + 10s);
      EXPECT_EQ(speed(home), 0);
      EXPECT_EQ(there.end - there.begin, 10s);
      EXPECT_EQ(speed(there), 0);
      EXPECT_EQ(home_again.from, home.from);
      for (const std::size_t way : {4 * cycle + 1, 4 * cycle + 3}) {
        EXPECT_GE(speed(legs[u][way]), 5 - 1e-6);
        EXPECT_LE(speed(legs[u][way]), 15 + 1e-6);
      }
      back = std::max(back, home_again.begin);
    }
    all_back = back;
  }
}

TEST(Motion, TheDiscIsConnectedFromTheRangeThatIsPromised) {
  for (const NodeIndex nodes : {2u, 7u, 8u, 20u, 60u, 61u, 500u}) {
    MobilitySpec spec = spec_of(point_of_interest);
    const auto motion = make_motion(spec, plain(nodes), 1);
    std::vector<Point> places;
    for (NodeIndex u = 0; u < nodes; ++u) places.push_back(motion->next(u).from);
    std::vector<graph::Edge> links;
    for (NodeIndex u = 0; u < nodes; ++u)
      for (NodeIndex v = u + 1; v < nodes; ++v) {
        ASSERT_GT(distance(places[u], places[v]), 0.9 * spec.spacing);
        if (distance(places[u], places[v]) <= 1.25 * spec.spacing) links.push_back({u, v});
      }
    EXPECT_EQ(graph::components(nodes, links).count, 1u) << nodes;
  }
}

TEST(Motion, GaussMarkovTurnsLittleByLittle) {
  MobilitySpec spec = spec_of(gauss_markov);
  spec.memory = 0.95;
  const auto motion = make_motion(spec, plain(20), 1);
  double turns = 0;
  int count = 0;
  double sum = 0;
  for (NodeIndex u = 0; u < 20; ++u) {
    const auto legs = legs_of(*motion, u, 1000s);
    for (std::size_t i = 1; i < legs.size(); ++i) {
      const Leg& a = legs[i - 1];
      const Leg& b = legs[i];
      turns += std::abs(std::atan2(a.vx * b.vy - a.vy * b.vx, a.vx * b.vx + a.vy * b.vy));
      sum += speed(b);
      ++count;
      ASSERT_GE(speed(b), 5 - 1e-3);
      ASSERT_LE(speed(b), 15 + 1e-3);
    }
  }
  EXPECT_LT(turns / count, 0.25);  // at random it would be half of pi
  EXPECT_NEAR(sum / count, 10, 0.3);
  spec.memory = 1;  // no change at all: straight lines, but for the border
  const auto straight = make_motion(spec, plain(1), 1);
  const Leg first = straight->next(0);
  EXPECT_NEAR(straight->next(0).vx, first.vx, 1e-6);
}

TEST(Motion, GroupsStayTogether) {
  MobilitySpec spec = spec_of(group);
  spec.group_size = 4;
  spec.group_radius = 20;
  const auto motion = make_motion(spec, plain(10), 1);
  std::vector<std::vector<Leg>> legs;
  for (NodeIndex u = 0; u < 10; ++u) legs.push_back(legs_of(*motion, u, 2000s));
  const auto place = [&](NodeIndex u, Time t) {
    for (const Leg& leg : legs[u])
      if (t < leg.end) return leg.at(t);
    return Point{};
  };
  double apart = 0;
  for (Time t{}; t < 2000s; t += 700ms) {
    for (const auto& [u, v] : {graph::Edge{0, 3}, {1, 2}, {4, 7}, {8, 9}})
      ASSERT_LE(distance(place(u, t), place(v, t)), 40 + 1e-6);
    apart = std::max(apart, distance(place(0, t), place(4, t)));
  }
  EXPECT_GT(apart, 200);
}

TEST(Motion, VehiclesTurnAtBothEnds) {
  MobilitySpec spec = spec_of(highway);
  spec.height = 0;
  const auto motion = make_motion(spec, plain(20), 1);
  std::set<double> lanes;
  for (NodeIndex u = 0; u < 20; ++u) {
    const auto legs = legs_of(*motion, u, 2000s);
    ASSERT_GE(legs.size(), 10u);
    for (std::size_t i = 0; i < legs.size(); ++i) {
      EXPECT_NEAR(speed(legs[i]), speed(legs[0]), 1e-6);
      EXPECT_EQ((i % 2 == 0 ? legs[i].vy : legs[i].vx), 0);
      if (i % 2 == 0 && i > 0) {
        EXPECT_EQ(legs[i].from.x, legs[i].vx > 0 ? 0 : 900);
      }
      lanes.insert(legs[i].from.y);
      // To the right below, to the left above.
      if (i % 2 == 0) {
        EXPECT_EQ(legs[i].from.y<8, legs[i].vx> 0);
      }
    }
  }
  EXPECT_EQ(lanes, (std::set<double>{2, 6, 10, 14}));
}

TEST(Motion, StillAtThePlacesOfTheTopology) {
  NetworkSpec net;
  net.topology = "geometric";
  net.nodes = 10;
  const Network network = build_network(net, 1);
  const auto motion = make_motion(spec_of(still), network, 1);
  for (NodeIndex u = 0; u < 10; ++u) {
    const Leg leg = motion->next(u);
    EXPECT_EQ(leg.from, (Point{network.places[u].x * 900, network.places[u].y * 600}));
    EXPECT_EQ(leg.end, core::end_of_time);
  }
}

TEST(Motion, TowersStandAlongTheRoadAndServersAreWired) {
  NetworkSpec net;
  net.topology = "highway";
  net.nodes = 12;
  net.towers = 3;
  net.servers = 2;
  const Network network = build_network(net, 1);
  const auto kinds = network.kinds;
  EXPECT_EQ(std::ranges::count(kinds, NodeKind::mobile), 7);
  EXPECT_EQ(kinds[7], NodeKind::fixed);
  EXPECT_EQ(kinds[10], NodeKind::wired);
  const std::vector<graph::Edge> wires{{7, 10}, {8, 10}, {9, 10}, {7, 11}, {8, 11}, {9, 11}};
  EXPECT_EQ(network.links, wires);
  const auto motion = make_motion(spec_of(highway), network, 1);
  for (const NodeIndex i : {0u, 1u, 2u}) {
    const Leg tower = motion->next(7 + i);
    EXPECT_EQ(tower.from, (Point{150.0 + 300 * i, 0}));
    EXPECT_EQ(tower.end, core::end_of_time);
  }
  EXPECT_GT(speed(motion->next(0)), 0);
}

void expect_bad(const MobilitySpec& spec, const std::string& key, const std::string& part) {
  try {
    make_motion(spec, plain(100), 1);
    ADD_FAILURE() << "accepted; expected: " << part;
  } catch (const core::Problem& bad) {
    EXPECT_EQ(bad.key(), key) << bad.what();
    EXPECT_NE(bad.sentence().find(part), std::string::npos) << bad.what();
  }
}

TEST(MobilityErrors, NameTheKeyAndTheCure) {
  const auto with = [](MobilityModel model, auto change) {
    MobilitySpec spec = spec_of(model);
    change(spec);
    return spec;
  };
  using S = MobilitySpec;
  expect_bad(with(none, [](S&) {}), "model", "model = \"random-waypoint\"");
  expect_bad(with(still, [](S& s) { s.width = 0; }), "width", "width = 900");
  expect_bad(with(group, [](S& s) { s.height = 0; }), "height", "height = 900");
  expect_bad(with(random_walk, [](S& s) { s.speed_min = 20; }), "speed_min", "lower speed_min");
  expect_bad(with(highway, [](S& s) { s.speed_min = s.speed_max = 0; }), "speed_max", "raise");
  expect_bad(with(random_walk, [](S& s) { s.leg_distance = 0; }), "leg_distance", "above 0");
  expect_bad(with(random_walk, [](S& s) { s.leg_time = 0s; }), "leg_time", "above 0");
  expect_bad(with(levy_walk, [](S& s) { s.flight_alpha = 0; }), "flight_alpha", "from 0.1 to 2");
  expect_bad(with(levy_walk, [](S& s) { s.pause_beta = 2.5; }), "pause_beta", "from 0.1 to 2");
  expect_bad(with(levy_walk, [](S& s) { s.flight_min = 2000; }), "flight_min", "lower");
  expect_bad(with(levy_walk, [](S& s) { s.pause_max = 1s; }), "pause_min", "lower pause_min");
  expect_bad(with(levy_walk, [](S& s) { s.flight_k = 0; }), "flight_k", "above 0");
  expect_bad(with(levy_walk, [](S& s) { s.flight_rho = 2; }), "flight_rho", "from 0 to 1");
  expect_bad(with(point_of_interest, [](S& s) { s.spacing = 80; }), "spacing", "lower spacing");
  expect_bad(with(gauss_markov, [](S& s) { s.memory = 2; }), "memory", "from 0");
  expect_bad(with(gauss_markov, [](S& s) { s.update = 0s; }), "update", "above 0");
  expect_bad(with(group, [](S& s) { s.group_size = 0; }), "group_size", "group_size = 5");
  expect_bad(with(group, [](S& s) { s.group_radius = 301; }), "group_radius", "does not fit");
  expect_bad(with(highway, [](S& s) { s.lanes = 0; }), "lanes", "from 1 to 1000");
  expect_bad(with(trace, [](S&) {}), "file", "file = \"my.movements\"");
  expect_bad(with(random_waypoint, [](S& s) { s.width = -1; }), "width", "from 0 to 1e9");
  expect_bad(with(random_waypoint, [](S& s) { s.speed_max = std::nan(""); }), "speed_max", "nan");
}

TEST(MobilityErrors, Highways) {
  NetworkSpec net;
  net.topology = "highway";
  net.nodes = 4;
  net.towers = 3;
  net.servers = 2;
  EXPECT_THROW(build_network(net, 1), core::Problem);
  net.towers = 0;
  EXPECT_THROW(build_network(net, 1), core::Problem);
  net.servers = 0;
  EXPECT_EQ(build_network(net, 1).nodes, 4u);
}

TEST(Motion, FactsNameTheModelsInTheirOrder) {
  ASSERT_EQ(mobility_models().size(), names_of(MobilityModel{}).size());
  for (std::size_t i = 0; i < mobility_models().size(); ++i)
    EXPECT_EQ(mobility_models()[i].name, names_of(MobilityModel{})[i]);
}

}  // namespace
}  // namespace bellwether::world
