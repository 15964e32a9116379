// SPDX-License-Identifier: MIT
#include "bellwether/world/mobility_trace.hpp"
#include "bellwether/core/problem.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <fstream>

#include "bellwether/world/topology.hpp"

namespace bellwether::world {
namespace {

using namespace std::chrono_literals;

using Path = std::vector<Waypoint>;

TEST(BonnMotion, OneLineForEachNode) {
  const MobilityTrace trace = parse_trace("0.0 1 2 10 5.5 2 12 5.5 2\n3 7 8\n", "x.movements");
  ASSERT_EQ(trace.size(), 2u);
  EXPECT_EQ(trace[0], (Path{{0s, {1, 2}}, {10s, {5.5, 2}}, {12s, {5.5, 2}}}));
  EXPECT_EQ(trace[1], (Path{{0s, {7, 8}}, {3s, {7, 8}}}));  // there from the beginning
}

TEST(BonnMotion, TheLastPlaceIsForEver) {
  const auto motion = follow(parse_trace("0 0 0 10 20 0\n", "x"));
  EXPECT_EQ(motion->next(0), (Leg{0s, 10s, {0, 0}, 2, 0}));
  EXPECT_EQ(motion->next(0), (Leg{10s, core::end_of_time, {20, 0}, 0, 0}));
}

const std::string placed = "$node_(0) set X_ 0\n$node_(0) set Y_ 0\n$node_(0) set Z_ 0\n";

Path ns2(const std::string& commands) {
  return parse_trace(placed + commands, "x.ns_movements").at(0);
}

TEST(Ns2, GoesAndStands) {
  EXPECT_EQ(ns2(""), (Path{{0s, {0, 0}}}));
  EXPECT_EQ(ns2("$ns_ at 2.0 \"$node_(0) setdest 30 40 5\"\n"),
            (Path{{0s, {0, 0}}, {2s, {0, 0}}, {12s, {30, 40}}}));
  EXPECT_EQ(ns2("$ns_ at 0 \"$node_(0) setdest 10 0 5 \"\n$ns_ at 4 \"$node_(0) setdest 0 0 5\""),
            (Path{{0s, {0, 0}}, {2s, {10, 0}}, {4s, {10, 0}}, {6s, {0, 0}}}));
}

TEST(Ns2, ANewDestinationReplacesTheOld) {
  EXPECT_EQ(ns2("$ns_ at 0 \"$node_(0) setdest 100 0 10\"\n"
                "$ns_ at 5 \"$node_(0) setdest 50 20 10\"\n"),
            (Path{{0s, {0, 0}}, {5s, {50, 0}}, {7s, {50, 20}}}));
  // At the same time: the last one counts.
  EXPECT_EQ(ns2("$ns_ at 1 \"$node_(0) setdest 100 0 10\"\n"
                "$ns_ at 1 \"$node_(0) setdest 0 10 10\"\n"),
            (Path{{0s, {0, 0}}, {1s, {0, 0}}, {2s, {0, 10}}}));
}

TEST(Ns2, SpeedZeroHalts) {
  EXPECT_EQ(ns2("$ns_ at 0 \"$node_(0) setdest 100 0 10\"\n"
                "$ns_ at 5 \"$node_(0) setdest 50 20 0\"\n"
                "$ns_ at 6 \"$node_(0) setdest 50 10 10\"\n"),
            (Path{{0s, {0, 0}}, {5s, {50, 0}}, {6s, {50, 0}}, {7s, {50, 10}}}));
}

TEST(Ns2, PassesOverWhatIsNotAboutPlaces) {
  EXPECT_EQ(ns2("# $node_(9) set X_ 1\n\nset val(x) 500\n$god_ set-dist 0 1 2\n"
                "$ns_ at 3.2 \"$god_ set-dist 0 1 16777215\"\n$ns_ initial_node_pos 3\n"),
            (Path{{0s, {0, 0}}}));
}

TEST(Ns2, IsKnownByItsContents) {
  EXPECT_EQ(parse_trace(placed, "whatever").size(), 1u);
  EXPECT_EQ(parse_trace("0 1 2\n", "whatever").size(), 1u);
}

void expect_bad(const std::string& text, const std::string& path, std::size_t line,
                const std::string& part, const TraceLimits& limits = {}) {
  try {
    parse_trace(text, path, limits);
    ADD_FAILURE() << "accepted; expected: " << part;
  } catch (const core::Problem& bad) {
    EXPECT_EQ(bad.where().line, line) << bad.what();
    EXPECT_NE(std::string(bad.what()).find(part), std::string::npos) << bad.what();
  }
}

TEST(TraceErrors, BonnMotion) {
  const auto bad = [](const std::string& text, std::size_t line, const std::string& part,
                      const TraceLimits& limits = {}) {
    expect_bad(text, "x.movements", line, part, limits);
  };
  bad("", 0, "the file is empty");
  bad(" \n\n", 0, "the file is empty");
  bad("# only this\n", 0, "there is no node in the file");
  bad("0 1 2\n0 1 2 3\n", 2, "4 values, not three for each waypoint");
  bad("0 1\n", 1, "may have been cut off");
  bad("0 1 x\n", 1, "\"x\" is not a number");
  bad("0 1 nan\n", 1, "\"nan\" is not a number");
  bad("0 1 2-\n", 1, "is not a number");
  bad("-1 1 2\n", 1, "time -1 is negative; begin at 0");
  bad("1e12 1 2\n", 1, "too late");
  bad("0 1 2 5 1 2 4 1 2\n", 1, "time 4 comes after a later one; put the waypoints in order");
  bad("0 1 2 5 1 2 5 1 3\n", 1, "two places at time 5");
  bad("0 1 2\n\n0 1 601\n", 3, "601 lies outside the area, from 0 to 600 m; raise height",
      {0, 900, 600});
  bad("0 -1 2\n", 1, "-1 lies outside the area, from 0 to 900 m; raise width", {0, 900, 600});
  bad("0 1e300 2\n", 1, "too far away");
  bad("0 1 2\n0 1 2\n", 0, "the file has 2 nodes, and 3 nodes of the network move", {3, 0, 0});
  bad(placed, 1, "4 values");  // the ending says what it is
}

TEST(TraceErrors, Ns2) {
  const auto bad = [](const std::string& text, std::size_t line, const std::string& part,
                      const TraceLimits& limits = {}) {
    expect_bad(text, "x.ns_movements", line, part, limits);
  };
  const auto go = [](const std::string& words) { return placed + "$ns_ at " + words + "\"\n"; };
  bad("", 0, "the file is empty");
  bad("# only this\n", 0, "there is no node in the file");
  bad("$node_(0) set X_ 5\n", 0, "node 0 has no place; add \"$node_(0) set Y_ 10\"");
  bad(placed + "$node_(2) set X_ 1\n$node_(2) set Y_ 1\n", 0, "node 1 has no place");
  bad(placed + "$node_(7000) set X_ 1\n", 4, "too few lines");
  bad(placed + "$node_(1) set X_ 1\n", 4, "there is no node 1", {1, 0, 0});
  bad(placed, 0, "the file has 1 nodes, and 2 nodes of the network move", {2, 0, 0});
  bad("$node_(x) set X_ 5\n", 1, "names no node");
  bad("hello world\n", 1, "names no node");
  bad("$node_(0) put X_ 5\n", 1, "is placed by");
  bad("$node_(0) set Q_ 5\n", 1, "write X_ or Y_");
  bad(go("1 \"$node_(0) setdest 1 2"), 4, "the command is not understood");
  bad(go("1 \"$node_(0) jump 1 2 3"), 4, "the command is not understood");
  bad(placed + "$ns_ at 1 \"$node_(0) setdest 1 2 3\n", 4, "between two quotes");
  bad(go("-1 \"$node_(0) setdest 1 2 3"), 4, "time -1 is negative");
  bad(go("1 \"$node_(0) setdest 1 2 -3"), 4, "speed -3 is negative; write 0 to halt");
  bad(go("1 \"$node_(0) setdest 901 2 3"), 4, "901 lies outside the area", {0, 900, 900});
  bad(go("1 \"$node_(0) set X_ 2"), 4, "cannot jump");
  bad(go("1 \"$node_(1) setdest 1 2 3"), 4, "has no place yet");
  bad(go("3 \"$node_(0) setdest 1 2 3") + "$ns_ at 2 \"$node_(0) setdest 1 2 3\"\n", 5,
      "time 2 comes after a later one");
  bad(go("3 \"$node_(0) setdest 1 2 0") + "$ns_ at 2 \"$node_(0) setdest 1 2 3\"\n", 5,
      "time 2 comes after a later one");
  bad(go("1 \"$node_(0) setdest 1 2 3") + "$node_(0) set X_ 5\n", 5, "moves already");
}

TEST(TraceErrors, Files) {
  const auto says = [](const std::string& path) -> std::string {
    try {
      read_trace_file(path);
    } catch (const core::Problem& bad) {
      return bad.what();
    }
    return "no complaint";
  };
  EXPECT_EQ(says("/nowhere/x.movements"), "/nowhere/x.movements: there is no such file");
  EXPECT_EQ(says("/tmp"), "/tmp: is a folder; name a file in it");
  const std::string packed =
      testing::TempDir() + "bellwether-" + std::to_string(getpid()) + ".movements.gz";
  std::ofstream(packed) << "\x1F\x8B...";
  EXPECT_EQ(says(packed), packed + ": the file is compressed; unpack it with gunzip first");
  std::remove(packed.c_str());
}

// There and back.

/// Legs until the horizon, without pauses that follow each other.
std::vector<Leg> legs_until(Motion& motion, NodeIndex u, Time horizon) {
  std::vector<Leg> out;
  while (true) {
    Leg leg = motion.next(u);
    if (leg.begin >= horizon) return out;
    const bool last = leg.end >= horizon;
    leg.end = std::min(leg.end, horizon);
    const bool stands = leg.vx == 0 && leg.vy == 0;
    const bool stood = !out.empty() && out.back().vx == 0 && out.back().vy == 0;
    stands&& stood ? void(out.back().end = leg.end) : out.push_back(leg);
    if (last) return out;
  }
}

MobilitySpec some_spec(MobilityModel model) {
  MobilitySpec spec;
  spec.model = model;
  spec.width = spec.height = 500;
  spec.group_radius = 40;
  return spec;
}

Network plain(NodeIndex nodes) {
  Network network;
  network.nodes = nodes;
  return network;
}

TEST(MobilityTrace, WhatIsWrittenReadsBackAsTheSameLegs) {
  constexpr NodeIndex nodes = 6;
  EXPECT_TRUE(rc::check([] {
    const auto model = static_cast<MobilityModel>(*rc::gen::inRange(1, 9));
    const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
    const Time horizon = std::chrono::milliseconds(*rc::gen::inRange(1, 900'000));
    const MobilitySpec spec = some_spec(model);
    for (const bool bonnmotion : {true, false}) {
      const auto written = make_motion(spec, plain(nodes), seed);
      const std::string text = bonnmotion ? bonnmotion_text(*written, nodes, horizon)
                                          : ns2_text(*written, nodes, horizon);
      const auto read = follow(parse_trace(text, bonnmotion ? "a.movements" : "a.ns_movements"));
      const auto again = make_motion(spec, plain(nodes), seed);
      for (NodeIndex u = 0; u < nodes; ++u) {
        const auto wanted = legs_until(*again, u, horizon);
        const auto got = legs_until(*read, u, horizon);
        RC_ASSERT(got.size() == wanted.size());
        for (std::size_t i = 0; i < got.size(); ++i) {
          RC_ASSERT(got[i].begin == wanted[i].begin);
          RC_ASSERT(got[i].from == wanted[i].from);
          if (i + 1 < got.size()) RC_ASSERT(got[i] == wanted[i]);
          // The last leg was cut at the horizon.
          RC_ASSERT(std::abs((got[i].end - wanted[i].end).count()) <= 1);
          RC_ASSERT(std::abs(got[i].vx - wanted[i].vx) < 1e-3);
        }
      }
    }
  }));
}

TEST(MobilityTrace, MutatedOnesNeverCrash) {
  const auto motion = make_motion(some_spec(MobilityModel::random_waypoint), plain(3), 1);
  const std::string bonnmotion = bonnmotion_text(*motion, 3, 60s);
  const auto once_more = make_motion(some_spec(MobilityModel::random_waypoint), plain(3), 1);
  const std::string ns = ns2_text(*once_more, 3, 60s);
  const std::string alphabet = "0123456789.-e+ \n\"$()#_xX\tnaif";
  int refused = 0;
  EXPECT_TRUE(rc::check([&] {
    std::string text = *rc::gen::arbitrary<bool>() ? bonnmotion : ns;
    const int mutations = *rc::gen::inRange(1, 8);
    for (int i = 0; i < mutations && !text.empty(); ++i) {
      const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
      const char c = alphabet[*rc::gen::inRange<std::size_t>(0, alphabet.size())];
      switch (*rc::gen::inRange(0, 4)) {
        case 0:
          text[at] = c;
          break;
        case 1:
          text.insert(at, 1, c);
          break;
        case 2:
          text.erase(at, 1);
          break;
        default:
          text.resize(at);
          break;
      }
    }
    try {
      MobilityTrace trace = parse_trace(text, "x");
      const auto nodes = static_cast<NodeIndex>(trace.size());
      const auto followed = follow(std::move(trace));
      for (NodeIndex u = 0; u < nodes; ++u) {
        Time last{};
        for (Leg leg = followed->next(u);; leg = followed->next(u)) {
          RC_ASSERT(leg.begin == last);
          RC_ASSERT(leg.end > leg.begin);
          RC_ASSERT(std::isfinite(leg.vx) && std::isfinite(leg.vy));
          if (leg.end == core::end_of_time) break;
          last = leg.end;
        }
      }
    } catch (const core::Problem&) {
      ++refused;
    }
  }));
  EXPECT_GT(refused, 10);
}

}  // namespace
}  // namespace bellwether::world
