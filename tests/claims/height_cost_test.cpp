// SPDX-License-Identifier: MIT
// The sources publish no bounds for messages. What can be said: a leader that takes over costs one
// wave, exactly two messages a link but for the greetings; the rest is measured, and printed.
#include <iostream>

#include "claims/height_story.hpp"

namespace bellwether::claims {
namespace {

/// Messages sent after each flip of a story.
class Bill final : public observe::Observer {
 public:
  explicit Bill(std::size_t flips) : sums_(flips + 1) {}
  void step(const observe::StepRecord& r) override {
    const bool flip = r.cause == core::Cause::link_up || r.cause == core::Cause::link_down;
    if (flip && ++told_ % 2 == 1) ++chapter_;
    sums_.at(chapter_) += r.sends.size();
  }
  std::size_t operator[](std::size_t chapter) const { return sums_.at(chapter); }

 private:
  std::vector<std::size_t> sums_;
  std::size_t told_ = 0;
  std::size_t chapter_ = 0;
};

/// A connected network with a leaf, the last node, whose only link is the last.
Play with_leaf(const std::string& topology, NodeIndex n, std::uint64_t seed) {
  Scenario s = on(topology, n, seed);
  s.network.degree = 6;
  random_delays(s);
  s.notify = {Duration{0}, milliseconds(20)};
  Play play = play_of(s);
  play.network.links.push_back({0, play.network.nodes++});
  return play;
}

std::size_t isolated(const world::Network& network) {
  return graph::components(network.nodes, network.links).count - 1;
}

constexpr const char* topologies[] = {"line",      "ring",     "tree",
                                      "grid",      "complete", "barabasi-albert",
                                      "geometric", "star",     "hypercube"};

TEST(HeightCost, TakingOverIsOneWave) {
  for (const char* topology : topologies)
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const Play play = with_leaf(topology, 32, seed);
      if (isolated(play.network) != 0) continue;
      const graph::Edge leaf = play.network.links.back();
      const std::vector<Flip> flips{{false, leaf}, {true, leaf}};
      Bill bill(flips.size());
      const Told told = tell(play, {}, flips, Watched::nothing, &bill);
      for (const HeightTuple& h : told.end) EXPECT_EQ(h.lp.lid, NodeId{33});
      const std::size_t links = play.network.links.size();
      EXPECT_EQ(bill[1], 0u);  // the loss of a leaf costs no message
      EXPECT_GE(bill[2], 2 * links + 1) << topology << ", seed " << seed;
      EXPECT_LE(bill[2], 2 * links + 2) << topology << ", seed " << seed;
    }
}

// In the order of the table: how a network without a leader, then one that loses it, finds another.
TEST(HeightCost, MeasuredPerLink) {
  for (const char* topology : topologies) {
    double links = 0, first = 0, lost = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      Play play = with_leaf(topology, 64, seed);
      if (isolated(play.network) != 0) continue;
      // The leaf has the smallest id and leads: its loss makes all others search in vain.
      play.ids = counting_ids(play.network.nodes);
      core::Prng prng(seed);
      core::shuffle(play.ids, prng);
      std::iter_swap(play.ids.end() - 1, std::find(play.ids.begin(), play.ids.end(), NodeId{1}));
      const std::vector<Flip> flips{{false, play.network.links.back()}};
      Bill bill(flips.size());
      const Told told = tell(play, {}, flips, Watched::nothing, &bill);
      EXPECT_EQ(told.chapters[1].before[0].lp.lid, NodeId{1});
      EXPECT_NE(told.end[0].lp.lid, NodeId{1});
      // Every node joins the search or reflects it, and adopts the new leader; most do all three.
      // Each time it notifies all its neighbours.
      const std::size_t left = play.network.links.size() - 1;
      EXPECT_GE(bill[1], 4 * left) << topology << ", seed " << seed;
      EXPECT_LE(bill[1], 6 * left) << topology << ", seed " << seed;
      EXPECT_GE(bill[0], 2 * (left + 1));  // every node is greeted
      links += static_cast<double>(play.network.links.size());
      first += static_cast<double>(bill[0]);
      lost += static_cast<double>(bill[1]);
    }
    std::cout << "height, " << topology << ": messages a link, first election "
              << rounded(first / links, 1) << ", loss of the leader " << rounded(lost / links, 1)
              << "\n";
  }
}

}  // namespace
}  // namespace bellwether::claims
