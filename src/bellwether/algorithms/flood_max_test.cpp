// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/flood_max.hpp"

#include <gtest/gtest.h>

#include <map>

#include "bellwether/core/codec.hpp"
#include "bellwether/core/print.hpp"
#include "bellwether/core/prng.hpp"

namespace bellwether::algorithms {
namespace {

using core::NodeId;
using core::Port;
using Inbox = std::vector<core::Received<FloodMax::Message>>;
using Arcs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // from, to

struct Outcome {
  std::size_t messages = 0;
  std::uint32_t rounds = 0;  // in which anything was sent
  std::vector<FloodMax> nodes;
};

/// Rounds by hand: what is sent in one round is read in the next. Ids are a permutation of 1..n.
Outcome flood(std::uint32_t n, const Arcs& arcs, std::uint32_t diameter, std::uint64_t seed = 0) {
  Outcome out;
  std::vector<std::uint64_t> ids(n);
  for (std::uint32_t i = 0; i < n; ++i) ids[i] = i + 1;
  core::Prng prng(seed);
  core::shuffle(ids, prng);
  for (const std::uint64_t id : ids)
    out.nodes.emplace_back(NodeId{id}, FloodMax::Options{diameter});
  std::vector<Inbox> inboxes(n);
  for (std::uint32_t r = 0; r <= diameter; ++r) {
    std::vector<Inbox> next(n);
    const std::size_t before = out.messages;
    for (std::uint32_t i = 0; i < n; ++i) {
      EXPECT_FALSE(out.nodes[i].halted());
      EXPECT_EQ(out.nodes[i].leader(), std::nullopt);
      FloodMax::Step step;
      step.begin({}, {});
      out.nodes[i].round(step, inboxes[i]);
      for (const auto& send : step.sends()) {
        EXPECT_EQ(send.port, core::every_port);
        for (const auto& [from, to] : arcs) {
          if (from != i) continue;
          next[to].push_back({Port{from}, send.message});
          ++out.messages;
        }
      }
    }
    if (out.messages > before) ++out.rounds;
    inboxes = std::move(next);
  }
  return out;
}

Arcs both_ways(Arcs arcs) {
  const std::size_t n = arcs.size();
  for (std::size_t i = 0; i < n; ++i) arcs.emplace_back(arcs[i].second, arcs[i].first);
  return arcs;
}

void expect_elected(std::uint32_t n, const Arcs& arcs, std::uint32_t diameter) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Outcome out = flood(n, arcs, diameter, seed);
    EXPECT_EQ(out.messages, diameter * arcs.size());
    EXPECT_EQ(out.rounds, diameter);
    std::size_t leaders = 0;
    for (const FloodMax& node : out.nodes) {
      EXPECT_TRUE(node.halted());
      EXPECT_EQ(node.leader(), NodeId{n});
      leaders += node.status() == FloodMax::Status::leader ? 1 : 0;
    }
    EXPECT_EQ(leaders, 1u);
  }
}

TEST(FloodMax, StepByStep) {
  FloodMax node(NodeId{5}, {2});
  FloodMax::Step step;
  step.begin({}, {});
  node.round(step, {});
  ASSERT_EQ(step.sends().size(), 1u);
  EXPECT_EQ(step.sends()[0].port, core::every_port);
  EXPECT_EQ(core::text_of(step.sends()[0].message), "max(id=5)");

  step.begin({}, {});
  const Inbox first{{Port{0}, FloodMax::Max{NodeId{7}}}, {Port{1}, FloodMax::Max{NodeId{2}}}};
  node.round(step, first);
  EXPECT_EQ(core::text_of(step.sends().at(0).message), "max(id=7)");
  EXPECT_EQ(core::text_of(node), "flood-max(u=5 max-uid=7 status=unknown rounds=2)");

  step.begin({}, {});
  const Inbox second{{Port{0}, FloodMax::Max{NodeId{9}}}};
  node.round(step, second);
  EXPECT_TRUE(step.sends().empty());
  EXPECT_EQ(node.leader(), NodeId{9});
  EXPECT_EQ(node.status(), FloodMax::Status::non_leader);

  const FloodMax before = node;
  step.begin({}, {});
  node.round(step, Inbox{{Port{0}, FloodMax::Max{NodeId{11}}}});  // what is over is over
  EXPECT_TRUE(step.sends().empty());
  EXPECT_EQ(node, before);
}

TEST(FloodMax, OneNodeLeadsInItsFirstRound) {
  expect_elected(1, {}, 0);
}

TEST(FloodMax, Line) {
  for (std::uint32_t n = 2; n <= 12; ++n) {
    Arcs arcs;
    for (std::uint32_t i = 0; i + 1 < n; ++i) arcs.emplace_back(i, i + 1);
    expect_elected(n, both_ways(arcs), n - 1);
  }
}

TEST(FloodMax, RingBothWaysAndOneWay) {
  for (std::uint32_t n = 3; n <= 12; ++n) {
    Arcs arcs;
    for (std::uint32_t i = 0; i < n; ++i) arcs.emplace_back(i, (i + 1) % n);
    expect_elected(n, arcs, n - 1);
    expect_elected(n, both_ways(arcs), n / 2);
  }
}

TEST(FloodMax, StarAndAnUpperBound) {
  for (std::uint32_t n = 3; n <= 12; ++n) {
    Arcs arcs;
    for (std::uint32_t i = 1; i < n; ++i) arcs.emplace_back(0, i);
    expect_elected(n, both_ways(arcs), 2);
    expect_elected(n, both_ways(arcs), 5);
  }
}

TEST(FloodMax, TooSmallADiameterSplitsTheVote) {
  Arcs arcs;
  for (std::uint32_t i = 0; i < 7; ++i) arcs.emplace_back(i, i + 1);
  const Outcome out = flood(8, both_ways(arcs), 1);
  std::size_t leaders = 0;
  for (const FloodMax& node : out.nodes) leaders += node.status() == FloodMax::Status::leader;
  EXPECT_GT(leaders, 1u);
}

TEST(FloodMax, MessagesRoundTrip) {
  const FloodMax::Message message = FloodMax::Max{NodeId{77}};
  EXPECT_EQ(core::decode<FloodMax::Message>(core::encode(message)), message);
}

}  // namespace
}  // namespace bellwether::algorithms
