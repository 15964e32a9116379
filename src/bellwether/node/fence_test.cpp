// SPDX-License-Identifier: MIT
#include "bellwether/node/fence.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

#include "bellwether/core/prng.hpp"

namespace bellwether::node {
namespace {

using core::Prng;

constexpr NodeId a{1}, b{2}, c{3};

TEST(Fence, GrowsWithEachChangeOfLeader) {
  Fence fence;
  EXPECT_EQ(fence.epoch(), 0u);
  fence.lead(std::nullopt);  // as before
  EXPECT_EQ(fence.epoch(), 0u);
  fence.lead(a);
  EXPECT_EQ(fence.epoch(), 1u);
  fence.lead(a);
  EXPECT_EQ(fence.epoch(), 1u);
  fence.lead(b);
  fence.lead(std::nullopt);
  fence.lead(b);
  EXPECT_EQ(fence.epoch(), 4u);
  EXPECT_EQ(fence.leader(), b);
}

TEST(Fence, BeginsWhereItWas) {
  Fence fence(41);
  EXPECT_EQ(fence.epoch(), 41u);
  fence.lead(a);
  EXPECT_EQ(fence.epoch(), 42u);
}

TEST(Fence, AgreesWithThoseWhoNameTheSameLeader) {
  Fence fence;
  fence.lead(a);
  fence.on_frame(b, a, 7);
  EXPECT_EQ(fence.epoch(), 7u);
  fence.on_frame(c, a, 5);  // never down
  EXPECT_EQ(fence.epoch(), 7u);
  fence.on_frame(b, c, 100);  // another leader: nothing to agree on
  EXPECT_EQ(fence.epoch(), 7u);
  fence.on_frame(b, std::nullopt, 100);
  EXPECT_EQ(fence.epoch(), 7u);
}

TEST(Fence, WhoJoinsTakesTheEpochOfTheLeader) {
  Fence fence;
  fence.on_frame(b, c, 100);
  fence.on_frame(NodeId{9}, c, 90);
  fence.on_frame(NodeId{8}, a, 500);
  EXPECT_EQ(fence.epoch(), 0u);
  fence.lead(c);
  EXPECT_EQ(fence.epoch(), 100u);
  fence.on_frame(b, c, 101);
  EXPECT_EQ(fence.epoch(), 101u);
}

TEST(Fence, WhoLeavesAHigherLeaderLiftsTheOther) {
  Fence fence(100);
  fence.lead(a);
  fence.on_frame(b, c, 5);
  fence.lead(c);
  EXPECT_EQ(fence.epoch(), 102u);
}

TEST(Fence, OnlyTheLastWordOfThoseWhoAreThereCounts) {
  Fence fence;
  fence.on_frame(b, c, 100);
  fence.on_neighbour_lost(b);
  fence.on_neighbour_lost(b);
  fence.on_frame(a, c, 50);
  fence.on_frame(a, b, 51);  // it has thought better of it
  fence.lead(c);
  EXPECT_EQ(fence.epoch(), 1u);
}

TEST(Fence, AbsurdEpochsAreNotBelieved) {
  Fence fence;
  fence.lead(a);
  fence.on_frame(b, c, 10);
  fence.on_frame(b, a, Fence::most + 1);
  fence.on_frame(b, c, ~0ull);
  EXPECT_EQ(fence.epoch(), 1u);
  fence.lead(c);
  EXPECT_EQ(fence.epoch(), 10u);  // what it said before still stands
  fence.on_frame(b, c, Fence::most);
  EXPECT_EQ(fence.epoch(), Fence::most);
  EXPECT_EQ(Fence(~0ull).epoch(), Fence::most);
}

/// Fences in a network that splits and merges. An oracle names the leader of each component, but
/// nodes learn of it late, and each on its own; what neighbours say is lost now and then.
class Network {
 public:
  explicit Network(std::uint64_t seed) : prng_(seed), size_(2 + prng_.below(9)) {
    for (std::size_t i = 0; i < size_; ++i)
      nodes_.push_back({Fence(prng_.chance(0.3) ? prng_.below(50) : 0)});
  }

  /// Links and ranks change; then, in any order, nodes notice, speak, and get new leaders.
  void unrest() {
    const bool cut = prng_.chance(0.5);
    const double density = prng_.unit();
    std::set<std::pair<std::size_t, std::size_t>> links;
    for (std::size_t i = 0; i < size_; ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (prng_.chance(density) && !(cut && i % 2 != j % 2)) links.insert({j, i});
    links_ = std::move(links);
    rank_of_.assign(size_, 0);
    for (auto& rank : rank_of_) rank = prng_.next();
    for (std::uint64_t moves = prng_.below(60); moves > 0; --moves) {
      const std::size_t i = prng_.below(size_);
      if (prng_.chance(0.3)) {
        notice(i);
      } else if (prng_.chance(0.4)) {
        speak(i, 0.3);
      } else {  // what it takes for its leader while the election is under way
        lead(i, prng_.chance(0.2) ? std::nullopt : std::optional(id_of(prng_.below(size_))));
      }
    }
  }

  /// Every node knows the leader that the oracle names, and has said so until all have heard it.
  void settle() {
    for (std::size_t i = 0; i < size_; ++i) {
      notice(i);
      std::size_t leader = i;
      for (const std::size_t j : component(i))
        if (rank_of_[j] > rank_of_[leader]) leader = j;
      lead(i, id_of(leader));
    }
    for (std::size_t round = 0; round <= size_; ++round)
      for (std::size_t i = 0; i < size_; ++i) speak(i, 0);
  }

  void check() {
    const std::vector<std::uint64_t> before = epochs();
    for (std::size_t i = 0; i < size_; ++i) speak(i, 0);
    EXPECT_EQ(epochs(), before) << "it creeps at rest";

    std::vector<std::set<Reign>> known(size_);
    for (std::size_t i = 0; i < size_; ++i) {
      const Reign reign{*nodes_[i].fence.leader(), nodes_[i].fence.epoch()};
      for (const std::size_t j : component(i)) {
        EXPECT_EQ(nodes_[j].fence.epoch(), reign.second) << "no agreement";
        for (const auto& [leader, epoch] : nodes_[j].reigns) {
          if (leader == reign.first) continue;
          EXPECT_LT(epoch, reign.second) << "a leader of yesterday is not fenced off";
          ++fenced_;
        }
        known[i].insert(nodes_[j].reigns.begin(), nodes_[j].reigns.end());
      }
      known[i].insert(reign);
    }
    for (std::size_t i = 0; i < size_; ++i) nodes_[i].reigns = std::move(known[i]);
  }

  std::uint64_t fenced() const { return fenced_; }

 private:
  using Reign = std::pair<NodeId, std::uint64_t>;
  struct Node {
    Fence fence;
    std::set<std::size_t> neighbours{};
    std::set<Reign> reigns{};  // leaders and epochs of settled components that it heard of
  };

  static NodeId id_of(std::size_t i) { return NodeId{i + 1}; }
  bool linked(std::size_t i, std::size_t j) const {
    return links_.contains({std::min(i, j), std::max(i, j)});
  }
  std::vector<std::uint64_t> epochs() const {
    std::vector<std::uint64_t> all;
    for (const Node& node : nodes_) all.push_back(node.fence.epoch());
    return all;
  }
  std::vector<std::size_t> component(std::size_t i) const {
    std::vector<std::size_t> reached{i};
    for (std::size_t at = 0; at < reached.size(); ++at)
      for (std::size_t j = 0; j < size_; ++j)
        if (linked(reached[at], j) && std::ranges::count(reached, j) == 0) reached.push_back(j);
    return reached;
  }

  void lead(std::size_t i, std::optional<NodeId> leader) {
    Fence& fence = nodes_[i].fence;
    const std::uint64_t before = fence.epoch();
    const bool changes = fence.leader() != leader;
    fence.lead(leader);
    EXPECT_GE(fence.epoch(), before + changes);
  }
  void notice(std::size_t i) {
    std::erase_if(nodes_[i].neighbours, [&](std::size_t j) {
      if (linked(i, j)) return false;
      nodes_[i].fence.on_neighbour_lost(id_of(j));
      return true;
    });
  }
  void speak(std::size_t i, double loss) {
    for (std::size_t j = 0; j < size_; ++j) {
      if (!linked(i, j) || prng_.chance(loss)) continue;
      Fence& fence = nodes_[j].fence;
      const std::uint64_t before = fence.epoch();
      fence.on_frame(id_of(i), nodes_[i].fence.leader(), nodes_[i].fence.epoch());
      EXPECT_GE(fence.epoch(), before);
      nodes_[j].neighbours.insert(i);
    }
  }

  Prng prng_;
  std::size_t size_;
  std::vector<Node> nodes_;
  std::vector<std::uint64_t> rank_of_;
  std::set<std::pair<std::size_t, std::size_t>> links_;
  std::uint64_t fenced_ = 0;
};

TEST(Fence, HoldsThroughPartitionsAndMerges) {
  std::uint64_t fenced = 0;
  for (std::uint64_t seed = 1; seed <= 500 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Network network(seed);
    for (int round = 0; round < 12; ++round) {
      network.unrest();
      network.settle();
      network.check();
    }
    fenced += network.fenced();
  }
  EXPECT_GT(fenced, 10000u);
}

}  // namespace
}  // namespace bellwether::node
