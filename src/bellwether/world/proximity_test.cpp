// SPDX-License-Identifier: MIT
#include "bellwether/world/proximity.hpp"
#include "bellwether/core/problem.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "bellwether/world/mobility_trace.hpp"
#include "bellwether/world/topology.hpp"

namespace bellwether::world {
namespace {

using namespace std::chrono_literals;

MobilitySpec spec_of(MobilityModel model, double side = 300) {
  MobilitySpec spec;
  spec.model = model;
  spec.width = spec.height = side;
  spec.pause = 3s;
  spec.pause_min = 1s;
  spec.pause_max = 20s;
  spec.leg_time = 7s;
  spec.group_radius = 30;
  return spec;
}

Network plain(NodeIndex nodes) {
  Network network;
  network.nodes = nodes;
  return network;
}

const std::vector<MobilityModel> all_models{
    MobilityModel::still,     MobilityModel::random_waypoint,   MobilityModel::random_walk,
    MobilityModel::levy_walk, MobilityModel::point_of_interest, MobilityModel::gauss_markov,
    MobilityModel::group,     MobilityModel::highway,
};

/// The legs of one node until the horizon.
std::vector<Leg> legs_of(Motion& motion, NodeIndex u, Time horizon) {
  std::vector<Leg> out;
  do out.push_back(motion.next(u));
  while (out.back().end <= horizon);
  return out;
}

struct Crossing {
  Time at;
  graph::Edge ends;
  bool up;
  double depth;  // how far the pair gets beyond the range before it comes back, if it does
};

double gap(const Leg& a, const Leg& b, double t, double range) {
  const auto at = [&](const Leg& leg) {
    const double s = t - core::seconds(leg.begin);
    return Point{leg.from.x + leg.vx * s, leg.from.y + leg.vy * s};
  };
  return std::hypot(at(a).x - at(b).x, at(a).y - at(b).y) - range;
}

/// By search alone, without the formula: on two legs the distance is convex, so that thirds find
/// its least and halves the crossings on both sides.
void search(const std::vector<Leg>& a, const std::vector<Leg>& b, graph::Edge ends, double range,
            Time horizon, std::vector<Crossing>& out) {
  bool linked = gap(a[0], b[0], 0, range) <= 0;
  const auto halve = [&](const Leg& x, const Leg& y, double from, double to, bool up) {
    for (int i = 0; i < 80; ++i) {
      const double middle = (from + to) / 2;
      (gap(x, y, middle, range) > 0) == up ? from = middle : to = middle;
    }
    out.push_back({Time{std::llround(to * 1e9)}, ends, up, 0});
    linked = up;
  };
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const double from = core::seconds(std::max(a[i].begin, b[j].begin));
    const double to = core::seconds(std::min({a[i].end, b[j].end, horizon}));
    double low = from;
    double high = to;
    for (int k = 0; k < 120; ++k) {
      const double x = low + (high - low) / 3;
      const double y = high - (high - low) / 3;
      gap(a[i], b[j], x, range) < gap(a[i], b[j], y, range) ? high = y : low = x;
    }
    if (!linked && gap(a[i], b[j], low, range) < 0) {
      halve(a[i], b[j], from, low, true);
      out.back().depth = -gap(a[i], b[j], low, range);
    }
    if (linked && gap(a[i], b[j], to, range) > 0) {
      halve(a[i], b[j], std::max(low, from), to, false);
      out.back().depth = gap(a[i], b[j], to, range);
    }
    if (std::min(a[i].end, b[j].end) >= horizon) return;
    const bool first = a[i].end <= b[j].end;
    const bool second = b[j].end <= a[i].end;
    i += first ? 1 : 0;
    j += second ? 1 : 0;
  }
}

using History = std::map<graph::Edge, std::vector<Crossing>>;

/// Without those that hardly happen: rounding may see or miss them.
History without_touches(const std::vector<Crossing>& all) {
  History out;
  for (const Crossing& each : all) {
    auto& list = out[each.ends];
    const bool touch = !list.empty() && list.back().up != each.up &&
                       each.at - list.back().at < 10us && list.back().depth < 1e-6;
    touch ? list.pop_back() : list.push_back(each);
  }
  std::erase_if(out, [](const auto& each) { return each.second.empty(); });
  return out;
}

struct Found {
  std::vector<graph::Edge> first;
  std::vector<Change> changes;
};

Found changes_of(Proximity proximity) {
  Found out{proximity.links_at_start(), {}};
  while (const auto change = proximity.next()) out.changes.push_back(*change);
  return out;
}

/// Numbers of links are those that are free; up and down take turns; times ascend.
void expect_sound(const Found& run, LinkIndex first_link) {
  std::map<graph::Edge, LinkIndex> up;
  std::map<LinkIndex, graph::Edge> used;
  const auto add = [&](graph::Edge ends, LinkIndex link) {
    ASSERT_LT(ends.a, ends.b);
    ASSERT_TRUE(up.emplace(ends, link).second);
    ASSERT_TRUE(used.emplace(link, ends).second);
  };
  for (LinkIndex i = 0; i < run.first.size(); ++i) add(run.first[i], first_link + i);
  ASSERT_TRUE(std::ranges::is_sorted(run.first));
  std::size_t most = up.size();
  Time last{};
  for (const Change& c : run.changes) {
    ASSERT_GE(c.at, last);
    last = c.at;
    if (c.kind == ChangeKind::link_up) {
      add(c.ends, c.link);
      most = std::max(most, up.size());
      ASSERT_LT(c.link, first_link + most);  // never more numbers than links at once
    } else {
      ASSERT_EQ(c.kind, ChangeKind::link_down);
      ASSERT_EQ(up.at(c.ends), c.link);
      up.erase(c.ends);
      used.erase(c.link);
    }
  }
}

void expect_as_searched(const MobilitySpec& spec, const Network& network, double range,
                        std::uint64_t seed, Time horizon) {
  const Found got = changes_of(
      {make_motion(spec, network, seed), network.nodes, range, radios(network), 7, horizon});
  expect_sound(got, 7);
  const auto motion = make_motion(spec, network, seed);
  std::vector<std::vector<Leg>> legs;
  for (NodeIndex u = 0; u < network.nodes; ++u) legs.push_back(legs_of(*motion, u, horizon));
  std::vector<graph::Edge> first;
  std::vector<Crossing> wanted;
  for (NodeIndex u = 0; u < network.nodes; ++u) {
    for (NodeIndex v = u + 1; v < network.nodes; ++v) {
      if (kind_of(network, u) == NodeKind::wired || kind_of(network, v) == NodeKind::wired)
        continue;
      if (gap(legs[u][0], legs[v][0], 0, range) <= 0) first.push_back({u, v});
      search(legs[u], legs[v], {u, v}, range, horizon, wanted);
    }
  }
  EXPECT_EQ(got.first, first);
  std::vector<Crossing> found;
  for (const Change& c : got.changes)
    found.push_back({c.at, c.ends, c.kind == ChangeKind::link_up, 0});
  const History expected = without_touches(wanted);
  const History actual = without_touches(found);
  ASSERT_EQ(actual.size(), expected.size());
  for (const auto& [ends, list] : expected) {
    ASSERT_TRUE(actual.contains(ends));
    const auto& mine = actual.at(ends);
    ASSERT_EQ(mine.size(), list.size()) << ends.a << '-' << ends.b;
    for (std::size_t i = 0; i < list.size(); ++i) {
      EXPECT_EQ(mine[i].up, list[i].up);
      EXPECT_LE(std::abs((mine[i].at - list[i].at).count()), 1000) << ends.a << '-' << ends.b;
    }
  }
}

TEST(Proximity, FindsWhatASearchFindsForEveryModel) {
  for (const MobilityModel model : all_models)
    for (const double range : {25.0, 60.0, 140.0})
      for (const std::uint64_t seed : {1u, 2u}) {
        SCOPED_TRACE(testing::Message() << static_cast<int>(model) << ' ' << range << ' ' << seed);
        expect_as_searched(spec_of(model), plain(20), range, seed, 120s);
      }
}

TEST(Proximity, FindsWhatASearchFindsWhereSomeStandAndSomeHaveNoRadio) {
  NetworkSpec network;
  network.topology = "highway";
  network.nodes = 25;
  network.towers = 4;
  network.servers = 2;
  MobilitySpec spec = spec_of(MobilityModel::highway, 1000);
  expect_as_searched(spec, build_network(network, 1), 120, 3, 200s);
}

TEST(Proximity, EveryChangeIsAtTheRange) {
  for (const MobilityModel model : all_models) {
    constexpr NodeIndex nodes = 40;
    const MobilitySpec spec = spec_of(model);
    Proximity proximity(make_motion(spec, plain(nodes), 5), nodes, 50, {}, 0, 200s);
    std::size_t changes = 0;
    while (const auto change = proximity.next()) {
      ++changes;
      EXPECT_EQ(proximity.now(), change->at);
      const Point a = proximity.place(change->ends.a, change->at);
      const Point b = proximity.place(change->ends.b, change->at);
      ASSERT_NEAR(std::hypot(a.x - b.x, a.y - b.y), 50, 1e-6);
    }
    EXPECT_EQ(changes > 50, model != MobilityModel::still) << static_cast<int>(model);
  }
}

TEST(Proximity, TheSameSeedTheSameChanges) {
  const MobilitySpec spec = spec_of(MobilityModel::random_waypoint);
  const auto once = [&](std::uint64_t seed) {
    return changes_of({make_motion(spec, plain(30), seed), 30, 40, {}, 0, 300s}).changes;
  };
  EXPECT_EQ(once(1), once(1));
  EXPECT_NE(once(1), once(2));
}

/// The links follow from the nodes' positions, whatever was moved by hand: planned, or at once.
void expect_links_of_places(bool planned, MobilityModel model) {
  constexpr NodeIndex nodes = 40;
  constexpr double range = 60;
  core::Prng prng(7);
  const Network network = plain(nodes);
  std::vector<bool> radio(nodes, true);
  radio[3] = radio[4] = false;  // they take part when they are put somewhere
  Proximity proximity(make_motion(spec_of(model), network, 1), nodes, range, radio, 0, 200s);
  std::set<graph::Edge> linked(proximity.links_at_start().begin(),
                               proximity.links_at_start().end());
  const auto follow = [&](const Change& change) {
    const bool up = change.kind == ChangeKind::link_up;
    EXPECT_EQ(up ? linked.insert(change.ends).second : linked.erase(change.ends) == 1, true);
  };
  std::vector<bool> there = radio;
  std::vector<Proximity::Move> moves;
  for (int i = 1; i <= 150; ++i)
    moves.push_back({i * 1s + 1ns,
                     static_cast<NodeIndex>(prng.below(nodes)),
                     {500 * prng.unit() - 100, 500 * prng.unit() - 100}});
  if (planned) proximity.plan(moves);
  for (const auto& move : moves) {
    proximity.look_ahead(move.at);
    while (const auto change = proximity.next()) follow(*change);
    if (!planned)
      for (const Change& change : proximity.move(move.node, move.to, move.at)) follow(change);
    there[move.node] = true;
    EXPECT_EQ(proximity.place(move.node, move.at), move.to);
    for (NodeIndex u = 0; u < nodes; ++u)
      for (NodeIndex v = u + 1; v < nodes; ++v) {
        const Point a = proximity.place(u, move.at), b = proximity.place(v, move.at);
        const double beyond = std::hypot(a.x - b.x, a.y - b.y) - range;
        if (std::abs(beyond) < 1e-6) continue;
        ASSERT_EQ(linked.contains({u, v}), there[u] && there[v] && beyond < 0)
            << u << ' ' << v << ' ' << beyond;
      }
  }
}

TEST(Proximity, NodesArePutSomewhereByHand) {
  for (const MobilityModel model : all_models)
    for (const bool planned : {false, true}) expect_links_of_places(planned, model);
}

TEST(Proximity, WhatIsPlannedAndWhatIsDoneAtOnceAreTheSame) {
  const Network network = plain(30);
  const auto make = [&] {
    return Proximity(make_motion(spec_of(MobilityModel::random_walk), network, 5), 30, 70, {}, 0,
                     30s);
  };
  Proximity planned = make(), done = make();
  planned.plan({{5s, 2, {10, 10}}, {9s, 3, {200, 10}}, {9s, 2, {100, 100}}});
  std::vector<Change> expected, got;
  while (const auto change = planned.next()) expected.push_back(*change);
  const auto run_until = [&](Time until) {
    done.look_ahead(until);
    while (const auto change = done.next()) got.push_back(*change);
  };
  const auto move = [&](NodeIndex u, Point to, Time at) {
    run_until(at);
    for (const Change& change : done.move(u, to, at)) got.push_back(change);
  };
  move(2, {10, 10}, 5s);
  move(3, {200, 10}, 9s);
  move(2, {100, 100}, 9s);
  run_until(core::end_of_time);
  EXPECT_EQ(got, expected);
}

TEST(Proximity, ARangeBeyondTheAreaLinksAllForEver) {
  const MobilitySpec spec = spec_of(MobilityModel::random_waypoint);
  const Found all = changes_of({make_motion(spec, plain(12), 1), 12, 500, {}, 0, 600s});
  EXPECT_EQ(all.first.size(), 66u);
  EXPECT_TRUE(all.changes.empty());
}

TEST(Proximity, WhoStandsForEverCostsNothing) {
  const MobilitySpec spec = spec_of(MobilityModel::still);
  Proximity proximity(make_motion(spec, plain(100), 1), 100, 50);
  EXPECT_FALSE(proximity.links_at_start().empty());
  EXPECT_EQ(proximity.next(), std::nullopt);
  EXPECT_EQ(proximity.events(), 0u);
}

// Hand-made paths, in the format of BonnMotion.

Found on_paths(const std::string& paths, double range) {
  MobilityTrace trace = parse_trace(paths, "x.movements");
  const auto nodes = static_cast<NodeIndex>(trace.size());
  return changes_of({follow(std::move(trace)), nodes, range});
}

TEST(Proximity, AMeetingToTheNanosecond) {
  // Head on, 10 m/s each: 100 m apart at first, in range from 80 m to 80 m on the other side.
  const Found got = on_paths("0 0 0 10 100 0\n0 100 0 10 0 0\n", 80);
  using enum ChangeKind;
  const std::vector<Change> wanted{{1s, link_up, 0, {0, 1}, false},
                                   {9s + 1ns, link_down, 0, {0, 1}, false}};
  EXPECT_EQ(got.changes, wanted);
}

TEST(Proximity, TouchingChangesNothing) {
  // Past each other at exactly the range.
  EXPECT_TRUE(on_paths("0 0 0 10 100 0\n0 100 30 10 0 30\n", 30).changes.empty());
  // Up to the range and back, from outside and from inside.
  EXPECT_TRUE(on_paths("0 0 0\n0 100 0 7 30 0 9 80 0\n", 30).changes.empty());
  const Found inside = on_paths("0 0 0\n0 10 0 7 30 0 9 10 0\n", 30);
  EXPECT_EQ(inside.first.size(), 1u);
  EXPECT_TRUE(inside.changes.empty());
  // Side by side at the range, round a corner.
  const Found beside = on_paths("0 0 0 9 77 13 31 2 99\n0 30 0 9 107 13 31 32 99\n", 30);
  EXPECT_EQ(beside.first.size(), 1u);
  EXPECT_TRUE(beside.changes.empty());
}

/// The same at odd angles and places, where nothing is exact.
TEST(Proximity, TouchingChangesNothingWhereverAndHoweverItIs) {
  core::Prng prng(1);
  for (int i = 0; i < 500; ++i) {
    const double angle = 6.3 * prng.unit();
    const Point origin{1e4 * prng.unit(), 1e4 * prng.unit()};
    const double range = 10 + 90 * prng.unit();
    const auto at = [&](double along, double across) {
      return Point{origin.x + along * std::cos(angle) - across * std::sin(angle),
                   origin.y + along * std::sin(angle) + across * std::cos(angle)};
    };
    const Time turn{static_cast<std::int64_t>(1e9 + 9e9 * prng.unit())};
    const MobilityTrace passing{{{0s, at(0, 0)}, {turn, at(200, 0)}},
                                {{0s, at(200, range)}, {turn, at(0, range)}}};
    const MobilityTrace from_outside{
        {{0s, at(0, 0)}}, {{0s, at(200, 0)}, {turn, at(range, 0)}, {2 * turn, at(150, 50)}}};
    const MobilityTrace from_inside{{{0s, at(0, 0)}},
                                    {{0s, at(3, 0)}, {turn, at(range, 0)}, {2 * turn, at(0, 2)}}};
    for (const MobilityTrace& trace : {passing, from_outside, from_inside})
      ASSERT_TRUE(changes_of({follow(trace), 2, range}).changes.empty()) << i;
  }
}

TEST(Proximity, ALittleMoreThanTouchingCounts) {
  EXPECT_EQ(on_paths("0 0 0 10 100 0\n0 100 29.999 10 0 29.999\n", 30).changes.size(), 2u);
  EXPECT_EQ(on_paths("0 0 0\n0 100 0 7 29.999 0 9 80 0\n", 30).changes.size(), 2u);
  EXPECT_EQ(on_paths("0 0 0\n0 10 0 7 30.001 0 9 10 0\n", 30).changes.size(), 2u);
}

TEST(Proximity, WhoHaltsAtTheRangeIsLinkedOnce) {
  const Found got = on_paths("0 0 0\n0 100 0 7 29.99 0 9 29.99 0 20 29 0\n", 30);
  ASSERT_EQ(got.changes.size(), 1u);
  EXPECT_EQ(got.changes[0].kind, ChangeKind::link_up);
}

TEST(Proximity, AJumpWithinANanosecondIsSeen) {
  const std::string far = "0 0 0\n0 10 0 5 10 0 5.000000001 5000 0 6 5000 0 6.000000001 10 0\n";
  const Found got = on_paths(far + "0 2000 0\n0 3000 0\n", 30);
  ASSERT_EQ(got.changes.size(), 2u);
  EXPECT_EQ(got.changes[0].kind, ChangeKind::link_down);
  EXPECT_LE(std::abs((got.changes[0].at - 5s).count()), 2);
  EXPECT_LE(std::abs((got.changes[1].at - 6s).count()), 2);
}

TEST(Proximity, RefusesARangeThatIsNone) {
  const MobilitySpec spec = spec_of(MobilityModel::still);
  for (const double range : {0.0, -1.0, std::nan("")})
    EXPECT_THROW(Proximity(make_motion(spec, plain(3), 1), 3, range), core::Problem);
}

/// Work per change at a density of five neighbours.
double work_per_change(MobilityModel model, NodeIndex nodes) {
  const double side = 40 * std::sqrt(nodes * 3.14159 / 5);
  const MobilitySpec spec = spec_of(model, side);
  Proximity proximity(make_motion(spec, plain(nodes), 1), nodes, 40, {}, 0, 20s);
  const std::uint64_t pairs_before = proximity.pairs();
  double changes = 0;
  while (proximity.next()) ++changes;
  return static_cast<double>(proximity.events() + proximity.pairs() - pairs_before) / changes;
}

TEST(Proximity, TheCostOfAChangeDoesNotDependOnTheNumberOfNodes) {
  for (const MobilityModel model :
       {MobilityModel::random_waypoint, MobilityModel::random_walk, MobilityModel::gauss_markov}) {
    const double few = work_per_change(model, 1000);
    const double many = work_per_change(model, 4000);
    EXPECT_LT(many, 1.5 * few);
    EXPECT_GT(many, few / 1.5);
  }
}

}  // namespace
}  // namespace bellwether::world
