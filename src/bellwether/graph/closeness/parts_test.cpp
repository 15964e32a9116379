// SPDX-License-Identifier: MIT
// What the methods for large graphs are made of: numbering, folding, searches, batches, bounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "bellwether/core/invariant.hpp"
#include "bellwether/graph/closeness/bounds.hpp"
#include "bellwether/graph/closeness/checks_test.hpp"
#include "bellwether/graph/distances.hpp"
#include "bellwether/graph/drawn_networks_test.hpp"

namespace bellwether::graph {
namespace {

using Numbers = std::vector<std::uint32_t>;
using Flags = std::vector<std::uint8_t>;

/// A drawn network that is connected, or else the component of its node 0; and all distances
/// in it, by number.
struct Piece {
  Graph graph;
  LocalGraph local;
  std::vector<Numbers> distances;
  std::vector<std::uint64_t> sums;

  explicit Piece(const drawn::Network& net) : graph(net.graph()), local(graph) {
    for (std::uint32_t u = 0; u < local.size(); ++u) {
      const Numbers by_name = graph::distances(graph, local.names[u]);
      Numbers& by_number = distances.emplace_back();
      for (const NodeIndex name : local.names) by_number.push_back(by_name[name]);
      sums.push_back(std::accumulate(by_number.begin(), by_number.end(), std::uint64_t{0}));
    }
  }
};

/// Connected two-way pieces of all families, of up to `most` nodes.
template <class Use>
void for_each_piece(const char* name, int rounds, NodeIndex most, Use&& use) {
  core::Prng prng = core::stream(1, name);
  for (int round = 0; round < rounds; ++round) {
    const drawn::Network net = drawn::network(1 + drawn::any(most, prng), prng);
    const Piece piece(net);
    use(piece, prng);
    if (testing::Test::HasFatalFailure()) FAIL() << "round " << round;
  }
}

Flags everybody(const Piece& piece) {
  return Flags(piece.local.size(), 1);
}

Numbers those(const Flags& allowed) {
  Numbers out;
  for (std::uint32_t u = 0; u < allowed.size(); ++u)
    if (allowed[u] != 0) out.push_back(u);
  return out;
}

TEST(LocalGraph, IsThePieceOfNode0) {
  for_each_piece("local", 400, 120, [](const Piece& piece, core::Prng&) {
    const LocalGraph& local = piece.local;
    const Numbers from_0 = distances(piece.graph, 0);
    ASSERT_EQ(local.names[0], 0u);
    ASSERT_EQ(local.size(),
              piece.graph.size() - std::count(from_0.begin(), from_0.end(), unreachable));
    ASSERT_EQ(std::set(local.names.begin(), local.names.end()).size(), local.size());
    ASSERT_TRUE(std::is_sorted(piece.distances[0].begin(), piece.distances[0].end()));
    EXPECT_EQ(local.first_sum, piece.sums[0]);
    EXPECT_EQ(local.first_eccentricity, piece.distances[0].back());
    ASSERT_EQ(local.offsets.size(), local.size() + 1u);
    ASSERT_EQ(local.offsets.back(), local.targets.size());
    for (std::uint32_t u = 0; u < local.size(); ++u) {
      std::set<NodeIndex> expected(piece.graph.neighbours(local.names[u]).begin(),
                                   piece.graph.neighbours(local.names[u]).end());
      expected.erase(local.names[u]);
      std::set<NodeIndex> found;
      for (const std::uint32_t v : local.neighbours(u)) found.insert(local.names[v]);
      ASSERT_EQ(found, expected);
      const auto ascending = local.neighbours(u);
      ASSERT_EQ(std::adjacent_find(ascending.begin(), ascending.end(), std::greater_equal<>()),
                ascending.end());
    }
  });
}

/// u folds into a neighbour that has all of its neighbours and more, or the same and a higher name.
TEST(Unfolded, IsTheDefinition) {
  int folded = 0;
  for_each_piece("unfolded", 400, 100, [&](const Piece& piece, core::Prng&) {
    const Flags kept = unfolded(piece.local);
    const auto closed = [&](std::uint32_t u) {
      std::set<std::uint32_t> out(piece.local.neighbours(u).begin(),
                                  piece.local.neighbours(u).end());
      out.insert(u);
      return out;
    };
    std::vector<std::set<std::uint32_t>> around;
    for (std::uint32_t u = 0; u < piece.local.size(); ++u) around.push_back(closed(u));
    for (std::uint32_t u = 0; u < piece.local.size(); ++u) {
      bool folds = false;
      for (const std::uint32_t w : piece.local.neighbours(u)) {
        const bool all =
            std::includes(around[w].begin(), around[w].end(), around[u].begin(), around[u].end());
        const bool more = around[w].size() > around[u].size();
        folds |= all && (more || piece.local.names[w] > piece.local.names[u]);
      }
      ASSERT_EQ(kept[u], folds ? 0 : 1) << "node " << piece.local.names[u];
      folded += folds;
    }
  });
  EXPECT_GT(folded, 1000);
}

TEST(Podium, KeepsTheBest) {
  core::Prng prng = core::stream(1, "podium");
  for (int round = 0; round < 500; ++round) {
    std::vector<Central> all;
    for (NodeIndex u = 0; u < 1 + round % 30u; ++u)
      all.push_back({u, 1 + drawn::any(2, prng), prng.below(10)});
    core::shuffle(all, prng);
    const std::size_t places = 1 + prng.below(10);
    Podium podium(places);
    ASSERT_EQ(podium.bar(), ~std::uint64_t{0}) << "everybody has a place";
    for (const Central& each : all) podium.offer(each);
    std::sort(all.begin(), all.end(), plain::beats);
    const bool full = all.size() >= places;
    all.resize(std::min(all.size(), places));
    ASSERT_EQ(podium.bar(), full ? all.back().sum : ~std::uint64_t{0});
    ASSERT_EQ(podium.places(), places);
    ASSERT_EQ(podium.take(), all);
  }
}

TEST(Around, TheNearestWhoAreAllowed) {
  for_each_piece("around", 300, 100, [](const Piece& piece, core::Prng& prng) {
    Flags allowed(piece.local.size());
    for (auto& each : allowed) each = prng.chance(0.4) ? 1 : 0;
    const std::uint32_t from = drawn::any(piece.local.size(), prng);
    const std::size_t enough = prng.below(40);
    const Numbers found = around(piece.local, from, allowed, enough);
    const Numbers all = those(allowed);
    ASSERT_EQ(found.size(), std::min(all.size(), enough));
    ASSERT_EQ(std::set(found.begin(), found.end()).size(), found.size());
    const Numbers& distance = piece.distances[from];
    std::uint32_t farthest = 0;
    for (const std::uint32_t u : found) {
      ASSERT_EQ(allowed[u], 1);
      ASSERT_GE(distance[u], farthest) << "nearest first";
      farthest = distance[u];
    }
    for (const std::uint32_t u : all)
      if (distance[u] < farthest) {
        ASSERT_NE(std::find(found.begin(), found.end(), u), found.end());
      }
  });
}

template <class Distance>
void expect_searches(const Piece& piece) {
  const Flags kept = unfolded(piece.local);
  const Pulls all_pulls(piece.local, everybody(piece));
  const Pulls pulls(piece.local, kept);
  Searcher<Distance> all(all_pulls);
  Searcher<Distance> searcher(pulls);
  std::vector<Distance> found;
  for (std::uint32_t u = 0; u < piece.local.size(); ++u) {
    const std::vector<Distance> expected(piece.distances[u].begin(), piece.distances[u].end());
    ASSERT_EQ(all.run(u, found), piece.sums[u]);
    ASSERT_EQ(found, expected);
    const std::uint64_t sum = searcher.run(u, found);
    if (kept[u] != 0) {
      ASSERT_EQ(sum, piece.sums[u]);
      ASSERT_EQ(found, expected);
      continue;
    }
    // All that bounds rely on.
    for (std::uint32_t v = 0; v < piece.local.size(); ++v)
      if (found[v] != expected[v]) {
        ASSERT_TRUE(kept[v] == 0 && expected[v] == 1 && found[v] == 2) << u << " to " << v;
      }
  }
}

TEST(Searcher, FindsAllDistances) {
  for_each_piece("searcher", 300, 150, [](const Piece& piece, core::Prng&) {
    expect_searches<std::uint16_t>(piece);
    expect_searches<std::uint32_t>(piece);
  });
}

/// Every number of sources around those where a register, or the last of two, is full.
TEST(SourceBatch, SumsOfAnyNumberOfSources) {
  core::Prng prng = core::stream(1, "batch");
  for (const auto draw : {drawn::unit_disk, drawn::preferential, drawn::tree, drawn::small_world,
                          drawn::cliques, drawn::bipartite, drawn::ladder}) {
    const Piece piece(drawn::dressed(draw(700, prng), prng));
    for (const bool folding : {false, true}) {
      const Flags kept = folding ? unfolded(piece.local) : everybody(piece);
      const Pulls pulls(piece.local, kept);
      Numbers order = those(kept);
      for (const Processor processor : checks::processors()) {
        SourceBatch batch(piece.local, pulls, processor);
        for (const std::size_t many : {1, 2, 8, 9, 63, 64, 65, 128, 255, 256, 257, 400, 511, 512}) {
          core::shuffle(order, prng);
          const Numbers sources(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(
                                                                   std::min(many, order.size())));
          std::vector<std::uint64_t> expected;
          for (const std::uint32_t u : sources) expected.push_back(piece.sums[u]);
          ASSERT_EQ(batch.sums(sources, ~std::uint64_t{0}), expected) << many;
        }
      }
    }
  }
}

/// All sums, or all beaten; and beaten only where no source gets to the bar.
TEST(SourceBatch, EndsWhereNobodyCanGetToTheBar) {
  int beaten = 0;
  int not_beaten = 0;
  for_each_piece("bars", 300, 200, [&](const Piece& piece, core::Prng& prng) {
    const Pulls pulls(piece.local, everybody(piece));
    Numbers sources(piece.local.size());
    std::iota(sources.begin(), sources.end(), 0u);
    core::shuffle(sources, prng);
    sources.resize(1 + prng.below(sources.size()));
    std::vector<std::uint64_t> expected;
    for (const std::uint32_t u : sources) expected.push_back(piece.sums[u]);
    const std::uint64_t best = *std::min_element(expected.begin(), expected.end());
    for (const Processor processor : checks::processors()) {
      SourceBatch batch(piece.local, pulls, processor);
      ASSERT_EQ(batch.sums(sources, best), expected);
      for (const std::uint64_t bar : {best / 2, best - std::min<std::uint64_t>(1, best)}) {
        const auto found = batch.sums(sources, bar);
        if (found == expected) {
          ++not_beaten;
          continue;
        }
        ASSERT_EQ(found, std::vector<std::uint64_t>(sources.size(), SourceBatch::beaten));
        ++beaten;
      }
    }
  });
  EXPECT_GT(beaten, 100);
  EXPECT_GT(not_beaten, 10) << "some end before it is seen that they are beaten";
}

TEST(SourceBatch, RefusesNobodyAndTooMany) {
  const Piece piece(drawn::Network{2, {{0, 1}}});
  const Pulls pulls(piece.local, everybody(piece));
  SourceBatch batch(piece.local, pulls, Processor::portable);
  EXPECT_THROW(batch.sums({}, 0), core::Violation);
  EXPECT_THROW(batch.sums(Numbers(513, 0), 0), core::Violation);
}

/// The bound as its header defines it, for places from `first` to before `last`.
template <class Distance>
std::uint64_t plain_bound(const LandmarkDistances<Distance>& landmarks, std::uint32_t cell,
                          std::uint32_t first, std::uint32_t last) {
  std::uint64_t out = 0;
  for (std::size_t begin = 0; begin + cell <= landmarks[0].size(); begin += cell) {
    std::int64_t most = 0;
    for (const auto& from : landmarks) {
      std::int64_t sum = 0;
      for (std::size_t v = begin; v < begin + cell; ++v) sum += from[v];
      const auto [low, high] = std::minmax_element(from.begin() + first, from.begin() + last);
      most = std::max({most, std::int64_t{*low} * cell - sum, sum - std::int64_t{*high} * cell});
    }
    out += static_cast<std::uint64_t>(most);
  }
  return out;
}

template <class Distance>
void expect_bounds(const Piece& piece, core::Prng& prng) {
  const std::uint32_t n = piece.local.size();
  const auto limit = static_cast<std::uint64_t>(std::numeric_limits<std::int16_t>::max());
  std::uint64_t cell = prng.chance(0.5) ? 8 : 1 + prng.below(32);
  if (sizeof(Distance) == 2) cell = std::min<std::uint64_t>(cell, limit / n);
  const Flags kept = prng.chance(0.5) ? unfolded(piece.local) : everybody(piece);
  const Pulls pulls(piece.local, kept);
  Searcher<Distance> searcher(pulls);
  Numbers order(n);  // by place
  std::iota(order.begin(), order.end(), 0u);
  if (prng.chance(0.5)) core::shuffle(order, prng);
  LandmarkDistances<Distance> landmarks;
  std::vector<Bounds<Distance>> bounds;
  for (const Processor processor : checks::processors())
    bounds.emplace_back(landmarks, static_cast<std::uint32_t>(cell), processor);
  for (int more = 0; more < 2; ++more) {
    for (std::uint64_t i = 1 + prng.below(7); i > 0; --i) {
      std::vector<Distance> by_number;
      searcher.run(drawn::any(n, prng), by_number);
      auto& by_place = landmarks.emplace_back();
      for (const std::uint32_t u : order) by_place.push_back(by_number[u]);
    }
    for (auto& each : bounds) each.pack();
    for (int i = 0; i < 20; ++i) {
      const std::uint32_t first = drawn::any(n, prng);
      const std::uint32_t last =
          prng.chance(0.5) ? first + 1 : first + 1 + drawn::any(n - first, prng);
      std::uint64_t least = ~std::uint64_t{0};  // of those that may win
      for (std::uint32_t place = first; place < last; ++place)
        if (kept[order[place]] != 0) least = std::min(least, piece.sums[order[place]]);
      const std::uint64_t expected =
          plain_bound(landmarks, static_cast<std::uint32_t>(cell), first, last);
      for (auto& each : bounds) ASSERT_EQ(each.of(first, last), expected) << "cells of " << cell;
      ASSERT_LE(expected, least) << "cells of " << cell;
    }
  }
}

TEST(Bounds, AreAsDefinedAndNeverAboveTheSum) {
  for_each_piece("bounds", 300, 400, [](const Piece& piece, core::Prng& prng) {
    expect_bounds<std::uint16_t>(piece, prng);
    expect_bounds<std::uint32_t>(piece, prng);
  });
}

}  // namespace
}  // namespace bellwether::graph
