// SPDX-License-Identifier: MIT
// The leader that an election by centrality must find, and the networks of its tests.
#pragma once

#include <limits>

#include "bellwether/core/facts.hpp"
#include "bellwether/graph/components.hpp"
#include "claims/claims.hpp"

namespace bellwether::claims {

using Links = std::vector<graph::Edge>;

/// All distances by Floyd and Warshall: not the search by which the nodes find their leader.
inline std::vector<NodeId> truth(const std::vector<NodeId>& ids, const Links& links,
                                 core::Criterion criterion) {
  const std::size_t n = ids.size();
  constexpr std::int64_t far = std::numeric_limits<std::int32_t>::max();
  std::vector<std::vector<std::int64_t>> way(n, std::vector<std::int64_t>(n, far));
  for (std::size_t u = 0; u < n; ++u) way[u][u] = 0;
  for (const auto& [a, b] : links) way[a][b] = way[b][a] = 1;
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t u = 0; u < n; ++u)
      for (std::size_t v = 0; v < n; ++v) way[u][v] = std::min(way[u][v], way[u][k] + way[k][v]);
  std::vector<std::pair<std::int64_t, NodeId>> rank;
  for (std::size_t u = 0; u < n; ++u) {
    std::int64_t value = 0;
    for (const std::int64_t d : way[u])
      if (criterion == core::Criterion::closeness)
        value -= d < far ? d : 0;
      else
        value += d == 1 ? 1 : 0;
    rank.emplace_back(value, ids[u]);
  }
  std::vector<NodeId> leaders;
  for (std::size_t u = 0; u < n; ++u) {
    auto best = rank[u];
    for (std::size_t v = 0; v < n; ++v)
      if (way[u][v] < far) best = std::max(best, rank[v]);
    leaders.push_back(best.second);
  }
  return leaders;
}

/// Nodes in the plane, mean degree 5, ids at random, delays of 1 to 10 ms, in order or not.
inline Play in_the_plane(NodeIndex n, std::uint64_t seed) {
  Scenario s = on("geometric", n, seed);
  s.network.degree = 5;
  s.network.ids = "random";
  random_delays(s);
  if (seed % 2 == 1) s.channel.order = world::Order::unordered;
  Play play = play_of(s);
  play.ids = world::assign_ids(s.network, n, seed);
  return play;
}

/// The same network, whose links come up one by one, in any order.
inline Play raised(Play play, Duration gap) {
  Links links = std::exchange(play.network.links, {});
  core::Prng prng = core::stream(play.scenario.seed, "raise");
  core::shuffle(links, prng);
  Time at = milliseconds(10);
  for (const auto& [a, b] : links) play.join(at += gap, a, b);
  return play;
}

/// How many nodes end with another leader than the truth of `links`. The run must become quiescent.
template <class P>
std::size_t mistaken(const Play& play, const Links& links, typename P::Options options,
                     RunReport* report = nullptr) {
  const auto simulation = staged<P>(play, options);
  const RunReport r = simulation->run();
  if (report) *report = r;
  EXPECT_EQ(r.ended, observe::Ended::quiescent);
  core::Criterion criterion = P::facts.criterion;
  if constexpr (requires { P::criterion(options); }) criterion = P::criterion(options);
  const std::vector<NodeId> leaders = truth(play.names(), links, criterion);
  std::size_t wrong = 0;
  for (NodeIndex u = 0; u < play.network.nodes; ++u)
    wrong += simulation->node(u).leader() == leaders[u] ? 0 : 1;
  return wrong;
}

/// Links between the left and the right half of the plane.
inline Links across(const world::Network& network) {
  Links out;
  double middle = 0;
  for (const auto& place : network.places) middle += place.x / network.nodes;
  for (const auto& link : network.links)
    if ((network.places[link.a].x < middle) != (network.places[link.b].x < middle))
      out.push_back(link);
  return out;
}

inline Links but(const Links& links, const Links& some) {
  Links out;
  for (const auto& link : links)
    if (std::find(some.begin(), some.end(), link) == some.end()) out.push_back(link);
  return out;
}

/// Each part of a partition has its own leader, and the whole one again, whose links are joined one
/// by one, `gap` apart.
template <class P>
void expect_a_leader_in_each_part(Duration gap) {
  int parted = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Play play = in_the_plane(40, seed);
    const Links cuts = across(play.network);
    for (const auto& [a, b] : cuts) play.cut(seconds(10), a, b);
    parted += cuts.empty() ? 0 : 1;
    EXPECT_EQ(mistaken<P>(play, but(play.network.links, cuts), {}), 0u) << seed;
    Time at = seconds(20);
    for (const auto& [a, b] : cuts) play.join(at += gap, a, b);
    EXPECT_EQ(mistaken<P>(play, play.network.links, {}), 0u) << seed;
  }
  EXPECT_GT(parted, 20);
}

}  // namespace bellwether::claims
