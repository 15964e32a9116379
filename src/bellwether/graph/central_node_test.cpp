// SPDX-License-Identifier: MIT
#include "bellwether/graph/central_node.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "bellwether/core/invariant.hpp"
#include "bellwether/core/prng.hpp"

namespace bellwether::graph {
namespace {

using Links = std::vector<Edge>;

/// With rows of bits, and with lists alone as in large networks.
constexpr NodeIndex rows = ChangingGraph::most_rows;
constexpr NodeIndex lists = 0;

/// A network and who is said to be its most central node, by the definition and by ours.
class Play {
 public:
  Play(NodeIndex n, const Links& links, NodeIndex rows_up_to = rows)
      : n_(n), central_(n, links, rows_up_to) {
    for (const auto& [a, b] : links)
      if (a != b) present_.insert(ordered(a, b));
    compare();
  }

  void link(NodeIndex a, NodeIndex b, bool look = true) {
    central_.link(a, b);
    if (a != b) present_.insert(ordered(a, b));
    if (look) compare();
  }
  void unlink(NodeIndex a, NodeIndex b, bool look = true) {
    central_.unlink(a, b);
    present_.erase(ordered(a, b));
    if (look) compare();
  }
  void toggle(NodeIndex a, NodeIndex b, bool look = true) {
    has(a, b) ? unlink(a, b, look) : link(a, b, look);
  }
  bool has(NodeIndex a, NodeIndex b) const { return present_.contains(ordered(a, b)); }
  const std::set<Edge>& present() const { return present_; }
  const CentralNode::Work& work() const { return central_.work(); }
  Central best() { return central_.best(); }
  void compare() {
    const Central expected = most_central(Graph(n_, Links(present_.begin(), present_.end())));
    const Central found = central_.best();
    ASSERT_EQ(found.node, expected.node) << "of " << n_ << " nodes";
    ASSERT_EQ(found.reached, expected.reached);
    ASSERT_EQ(found.sum, expected.sum);
  }

 private:
  static Edge ordered(NodeIndex a, NodeIndex b) { return {std::min(a, b), std::max(a, b)}; }

  NodeIndex n_;
  CentralNode central_;
  std::set<Edge> present_;
};

NodeIndex draw(core::Prng& prng, std::uint64_t n) {
  return static_cast<NodeIndex>(prng.below(n));
}

/// Takes a link away and puts one in, again and again; each may happen to be none.
void swap_at_random(Play& play, NodeIndex n, int times, core::Prng& prng) {
  for (int i = 0; i < times && !testing::Test::HasFatalFailure(); ++i) {
    if (!play.present().empty()) {
      const auto which = static_cast<std::ptrdiff_t>(prng.below(play.present().size()));
      const Edge link = *std::next(play.present().begin(), which);
      play.unlink(link.b, link.a);
    }
    play.link(draw(prng, n), draw(prng, n));
  }
}

Links tree(NodeIndex n, core::Prng& prng) {
  Links links;
  for (NodeIndex u = 1; u < n; ++u) links.push_back({draw(prng, u), u});
  return links;
}

Links ring(NodeIndex n) {
  Links links;
  for (NodeIndex u = 0; u < n; ++u) links.push_back({u, (u + 1) % n});
  return links;
}

Links grid(NodeIndex height, NodeIndex width) {
  Links links;
  for (NodeIndex u = 0; u < height * width; ++u) {
    if ((u + 1) % width != 0) links.push_back({u, u + 1});
    if (u + width < height * width) links.push_back({u, u + width});
  }
  return links;
}

/// Points in the unit square that drift; who is near each other is linked.
class Disks {
 public:
  Disks(NodeIndex n, double degree, core::Prng& prng)
      : at_(n), range_(std::sqrt(degree / (3.14159 * n))), prng_(prng) {
    for (auto& [x, y] : at_) x = prng.unit(), y = prng.unit();
  }
  Links links() const {
    Links links;
    for (NodeIndex a = 0; a < at_.size(); ++a)
      for (NodeIndex b = a + 1; b < at_.size(); ++b)
        if (near(a, b)) links.push_back({a, b});
    return links;
  }
  /// One node moves by up to half the range.
  void move(Play& play, bool look = true) {
    const NodeIndex a = draw(prng_, at_.size());
    for (double* c : {&at_[a].first, &at_[a].second})
      *c = std::clamp(*c + (prng_.unit() - 0.5) * range_, 0.0, 1.0);
    for (NodeIndex b = 0; b < at_.size(); ++b)
      if (a != b && near(a, b) != play.has(a, b)) play.toggle(a, b, look);
  }

 private:
  bool near(NodeIndex a, NodeIndex b) const {
    return std::hypot(at_[a].first - at_[b].first, at_[a].second - at_[b].second) <= range_;
  }
  std::vector<std::pair<double, double>> at_;
  double range_;
  core::Prng& prng_;
};

TEST(CentralNode, SmallNetworksByHand) {
  for (const NodeIndex kind : {rows, lists}) {
    CentralNode central(5, Links{{0, 1}, {1, 2}, {2, 3}, {3, 4}}, kind);
    EXPECT_EQ(central.best(), (Central{2, 5, 6}));
    central.unlink(3, 4);
    EXPECT_EQ(central.best(), (Central{2, 4, 4})) << "a tie of 1 and 2";
    central.link(4, 0);
    EXPECT_EQ(central.best(), (Central{1, 5, 6}));
    central.link(3, 4);
    EXPECT_EQ(central.best(), (Central{4, 5, 6})) << "a ring: all are equal";
    central.link(0, 2);
    EXPECT_EQ(central.best(), (Central{2, 5, 5})) << "a tie of 0 and 2";
    central.unlink(3, 2);
    central.unlink(2, 1);
    EXPECT_EQ(central.best(), (Central{0, 5, 5}));
    EXPECT_EQ(CentralNode(1, Links{}, kind).best(), (Central{0, 1, 0}));
    EXPECT_EQ(CentralNode(2, Links{}, kind).best(), (Central{1, 1, 0}));
    EXPECT_THROW(CentralNode(0, Links{}, kind).best(), core::Violation);
    EXPECT_THROW(central.link(0, 5), core::Violation);
    EXPECT_THROW(central.unlink(5, 0), core::Violation);
  }
}

TEST(CentralNode, WhatChangesNothingIsNoWork) {
  CentralNode central(6, ring(6), rows);
  const Central before = central.best();
  const auto searches = central.work().searches;
  central.link(2, 2);
  central.link(3, 2);
  central.unlink(0, 3);
  EXPECT_EQ(central.best(), before);
  EXPECT_EQ(central.work().searches, searches);
  EXPECT_EQ(central.work().came + central.work().gone, 0u);
}

/// All graphs of a few nodes are met, connected or not.
TEST(CentralNode, RandomLinksOfFewNodes) {
  core::Prng prng(1);
  for (NodeIndex n = 1; n <= 12; ++n)
    for (int round = 0; round < 40 && !HasFatalFailure(); ++round) {
      Play play(n, Links{}, round % 2 == 0 ? rows : lists);
      for (int i = 0; i < 60 && !HasFatalFailure(); ++i) play.toggle(draw(prng, n), draw(prng, n));
    }
}

TEST(CentralNode, SwapsInRandomNetworks) {
  core::Prng prng(2);
  for (const NodeIndex n : {13u, 20u, 31u, 47u, 64u, 65u, 90u, 129u, 200u, 300u})
    for (const std::uint64_t degree : {2u, 3u, 5u, 8u}) {
      Links links;
      for (std::uint64_t i = 0; i < n * degree / 2; ++i)
        links.push_back({draw(prng, n), draw(prng, n)});
      Play play(n, links, degree % 2 == 0 ? rows : lists);
      swap_at_random(play, n, n > 100 ? 40 : 150, prng);
    }
}

TEST(CentralNode, Trees) {
  core::Prng prng(3);
  for (const NodeIndex n : {5u, 16u, 40u, 101u}) {
    // A subtree hangs on elsewhere: the network falls into two and grows together again.
    Links links = tree(n, prng);
    Play play(n, links, n % 2 == 0 ? rows : lists);
    for (int i = 0; i < 200 && !HasFatalFailure(); ++i) {
      Edge& link = links[draw(prng, links.size())];
      play.unlink(link.a, link.b);
      link.a = draw(prng, link.b);
      play.link(link.a, link.b);
    }
  }
}

TEST(CentralNode, RingsAndGridsWithManyTies) {
  core::Prng prng(4);
  for (const NodeIndex n : {4u, 5u, 24u, 81u, 150u}) {
    Play play(n, ring(n));
    for (int i = 0; i < 60 && !HasFatalFailure(); ++i) {
      // A chord, a gap, and back.
      const NodeIndex u = draw(prng, n);
      const Edge chord{draw(prng, n), draw(prng, n)};
      const bool there = play.has(chord.a, chord.b);
      play.link(chord.a, chord.b);
      play.unlink(u, (u + 1) % n);
      if (!there) play.unlink(chord.a, chord.b);
      play.link(u, (u + 1) % n);
    }
    if (n == 150) {
      EXPECT_GT(play.work().computed_anew, 1u) << "all may lead";
    }
  }
  for (const NodeIndex side : {3u, 6u, 9u, 12u}) {
    Play play(side * side, grid(side, side), side % 2 == 0 ? rows : lists);
    swap_at_random(play, side * side, 100, prng);
  }
}

TEST(CentralNode, DenseNetworks) {
  core::Prng prng(5);
  for (const NodeIndex n : {8u, 30u, 70u, 110u}) {
    Links links;
    for (NodeIndex a = 0; a < n; ++a)
      for (NodeIndex b = a + 1; b < n; ++b)
        if (prng.chance(0.6)) links.push_back({a, b});
    Play play(n, links);
    swap_at_random(play, n, 100, prng);
  }
}

TEST(CentralNode, NodesThatMove) {
  core::Prng prng(6);
  for (const NodeIndex n : {10u, 30u, 60u, 100u, 180u, 250u})
    for (const double degree : {4.0, 8.0}) {
      Disks disks(n, degree, prng);
      Play play(n, disks.links(), degree == 8 ? rows : lists);
      for (int i = 0; i < (n > 100 ? 40 : 100) && !HasFatalFailure(); ++i) disks.move(play);
    }
}

TEST(CentralNode, ManyChangesBetweenTwoQuestions) {
  core::Prng prng(7);
  for (const NodeIndex n : {20u, 60u, 130u}) {
    Disks disks(n, 7, prng);
    Play play(n, disks.links());
    for (int i = 0; i < 300 && !HasFatalFailure(); ++i) {
      for (std::uint64_t quiet = prng.below(6); quiet > 0; --quiet) disks.move(play, false);
      disks.move(play);
    }
  }
}

/// Pieces of all sizes leave and come back, larger than half of the network, too.
TEST(CentralNode, FallsApartAndGrowsTogether) {
  core::Prng prng(8);
  for (const NodeIndex n : {7u, 20u, 45u, 90u}) {
    Links links = tree(n, prng);
    for (NodeIndex i = 0; i < n; ++i) links.push_back({draw(prng, n), draw(prng, n)});
    Play play(n, links, n % 2 == 0 ? rows : lists);
    for (int round = 0; round < 25 && !HasFatalFailure(); ++round) {
      // All that leads across a border is cut, one after the other, and put back.
      const NodeIndex border = 1 + draw(prng, n - 1);
      Links cut;
      for (const Edge& link : play.present())
        if (link.a < border && link.b >= border) cut.push_back(link);
      core::shuffle(cut, prng);
      for (const auto& [a, b] : cut) play.unlink(a, b);
      core::shuffle(cut, prng);
      for (const auto& [a, b] : cut) play.link(b, a);
    }
  }
}

TEST(CentralNode, BurstsAreLookedAtTogether) {
  // Where a leader loses its links, its sum grows, and many others may lead.
  core::Prng prng(9);
  const NodeIndex n = 160;
  Play play(n, grid(8, 20), lists);
  for (int round = 0; round < 20 && !HasFatalFailure(); ++round) {
    const NodeIndex leader = play.best().node;
    Links around;
    for (const Edge& link : play.present())
      if (link.a == leader || link.b == leader) around.push_back(link);
    for (const auto& [a, b] : around) play.unlink(a, b);
    for (const auto& [a, b] : around) play.link(a, b);
    play.toggle(draw(prng, n), draw(prng, n));
  }
  EXPECT_GT(play.work().looked_at_many, 0u);
  EXPECT_GT(play.work().looked_at, play.work().looked_at_many);
}

TEST(CentralNode, AThousandNodesThatMove) {
  core::Prng prng(10);
  Disks disks(1000, 8, prng);
  Play play(1000, disks.links());
  for (int i = 0; i < 1500 && !HasFatalFailure(); ++i) {
    disks.move(play, false);
    i % 30 == 29 ? play.compare() : void(play.best());
  }
  const CentralNode::Work& work = play.work();
  EXPECT_GT(work.gone, 2000u);
  EXPECT_GT(work.gone_at_once * 10, work.gone * 6) << "most links go without a search";
  EXPECT_LT(work.computed_anew, 5u) << "small pieces come and go without starting anew";
}

TEST(CentralNode, WithoutAMajorityItIsComputedAnewWhenAsked) {
  Links halves;
  for (const auto& [a, b] : ring(30)) {
    halves.push_back({a, b});
    halves.push_back({a + 30, b + 30});
  }
  Play play(60, halves);
  EXPECT_EQ(play.best(), (Central{59, 30, 225}));
  play.toggle(0, 15);
  play.toggle(5, 17, false);
  play.toggle(5, 18, false);
  play.toggle(5, 19);
  EXPECT_EQ(play.work().computed_anew, 3u);
  EXPECT_EQ(play.work().came, 0u);
  play.link(0, 30);  // now there is one
  EXPECT_EQ(play.work().computed_anew, 4u);
  play.link(7, 33);
  EXPECT_EQ(play.work().came, 1u);
}

}  // namespace
}  // namespace bellwether::graph
