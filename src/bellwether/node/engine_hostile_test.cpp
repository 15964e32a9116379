// SPDX-License-Identifier: MIT
// What a member that is broken or malicious may say to an election by beats: it holds the key, so
// its frames are read. No node grows beyond its limits, and the others agree again.
#include "bellwether/algorithms/moving/drumbeat.hpp"
#include "bellwether/layers/listed.hpp"
#include "bellwether/node/air_test.hpp"

namespace bellwether::node {
namespace {

using algorithms::BeatClaim;
using algorithms::Drumbeat;

/// Of a beat: no clock reads so many milliseconds.
constexpr std::uint64_t future = std::uint64_t{1} << 62U;
constexpr std::uint32_t heaviest = 0x7fff'ffff;
constexpr NodeId liar{9};

core::Bytes said_by(NodeId from, const Drumbeat::Message& message) {
  const layers::Listed::Message inside = layers::Listed::OfElection{core::AnyMessage::of(message)};
  return core::encode(
      layers::Probed::Message(layers::Probed::Data{from, {}, core::AnyMessage::of(inside)}));
}
core::Bytes beat(NodeId from, std::uint64_t leader, std::uint64_t number, std::uint32_t weight) {
  return said_by(from, Drumbeat::Beat{BeatClaim::of(NodeId{leader}, number, weight, 100)});
}

/// Three nodes in reach of each other and of a liar, which is none of them.
class EngineHostile : public testing::Test {
 protected:
  EngineHostile() {
    for (std::size_t i = 0; i < nodes; ++i)
      for (std::size_t j = 0; j < i; ++j) air.link(i, j);
    air.pass(5s);
    const auto named = air.node(0).leader();
    EXPECT_TRUE(named && air.agree(raw(*named)));
    leader = named.value_or(NodeId{});
  }
  void hear(NodeId from, const core::Bytes& body) {
    for (std::size_t i = 0; i < nodes; ++i)
      air.tell_node(i, {air.now, CallKind::hear, from, 0, body});
  }
  /// All name the same node, and it is one of them.
  testing::AssertionResult agreed() {
    const auto named = air.node(0).leader();
    if (named && raw(*named) <= nodes && air.agree(raw(*named))) return testing::AssertionSuccess();
    return testing::AssertionFailure() << air.node(0).state_text() << '\n'
                                       << air.node(1).state_text() << '\n'
                                       << air.node(2).state_text();
  }
  void expect_small() {
    for (std::size_t i = 0; i < nodes; ++i) {
      EXPECT_LE(air.node(i).neighbours().size(), layers::deployed_limits.neighbours);
      EXPECT_LE(air.node(i).routes().all().size(), layers::deployed_limits.members + 1);
    }
  }

  static constexpr std::size_t nodes = 3;
  Air air{"drumbeat", nodes};
  NodeId leader;
};

TEST_F(EngineHostile, ABeatFromTheFutureIsOutlived) {
  hear(liar, beat(liar, raw(leader), future, 3));
  air.pass(10s);
  EXPECT_TRUE(agreed());
  hear(liar, beat(liar, 77, future, heaviest));  // of a leader that is not there
  air.pass(10s);
  EXPECT_TRUE(agreed());
  for (std::uint64_t each = 1; each <= nodes; ++each) {
    hear(liar, beat(liar, each, future, heaviest));
    air.pass(1s);
  }
  air.pass(20s);
  EXPECT_TRUE(agreed());
}

TEST_F(EngineHostile, NoBeatIsTheLast) {
  for (const std::uint64_t number : {~std::uint64_t{0}, (std::uint64_t{1} << 63U) - 1}) {
    for (std::uint64_t each = 1; each <= nodes; ++each) {
      hear(liar, beat(liar, each, number, heaviest));
      air.pass(1s);
    }
    air.pass(20s);
    EXPECT_TRUE(agreed()) << number;
  }
}

TEST_F(EngineHostile, LeadersByTheThousandAreForgotten) {
  for (std::uint64_t each = 1; each <= 5000; ++each) {
    hear(liar, beat(liar, 1000 + each, each, 10 + static_cast<std::uint32_t>(each)));
    if (each % 100 == 0) air.pass(10ms);
  }
  expect_small();
  std::size_t during = 0;
  for (std::size_t i = 0; i < nodes; ++i) during += air.node(i).state_text().size();
  EXPECT_LT(during, 20'000u) << air.node(0).state_text();
  air.pass(10s);
  EXPECT_TRUE(agreed());
}

/// Each in the name of a neighbour of its own, and with a place in the tree below the leader.
TEST_F(EngineHostile, NeighboursByTheThousandAreRefusedBeyondTheLimit) {
  std::uint64_t refused = 0;
  for (std::uint64_t each = 1; each <= 2000; ++each) {
    const NodeId from{1000 + each};
    const core::Bytes body =
        said_by(from, Drumbeat::WaveBeat{BeatClaim::of(leader, 1, 3, 100),
                                         {},
                                         {.parent = leader, .hops = 1, .below = 5000}});
    for (std::size_t i = 0; i < nodes; ++i)
      refused += air.node(i).on_frame(air.now, from, body) == FrameResult::too_many ? 1 : 0;
  }
  EXPECT_GE(refused, nodes * (2000 - layers::deployed_limits.neighbours));
  expect_small();
  air.pass(20s);
  EXPECT_TRUE(agreed());
  for (std::size_t i = 0; i < nodes; ++i) EXPECT_EQ(air.node(i).neighbours().size(), nodes - 1);
}

/// Mutes and echoes that no child has sent move nobody while the leader is heard.
TEST_F(EngineHostile, WitnessesOfNothingMoveNoLeader) {
  for (int each = 0; each < 500; ++each) {
    hear(liar, said_by(liar, Drumbeat::Mute{leader}));
    const algorithms::SubtreeReport report{
        .height = heaviest, .count = heaviest, .far = heaviest, .top = 100, .candidate = liar};
    hear(liar, said_by(liar, Drumbeat::Echo{static_cast<std::uint8_t>(each % 4), leader, report}));
    air.pass(10ms);
    EXPECT_TRUE(air.agree(raw(leader))) << each;
  }
}

TEST_F(EngineHostile, BeatsOfThePastMoveNoLeader) {
  std::vector<std::pair<NodeId, core::Bytes>> past;
  for (const Time end = air.now + 2s; air.now < end;) {
    air.now += 1ms;
    for (std::size_t i = 0; i < nodes; ++i)
      if (const auto at = air.node(i).next_alarm(); at && *at <= air.now)
        air.tell_node(i, {air.now, CallKind::alarm, {}, 0, {}});
    for (const auto& [from, body] : air.flying) past.emplace_back(NodeId{from + 1}, body);
    air.pass(0ms);
  }
  ASSERT_GT(past.size(), 50u);
  for (int round = 0; round < 3; ++round)
    for (const auto& [from, body] : past) {
      hear(from, body);
      air.pass(1ms);
      ASSERT_TRUE(air.agree(raw(leader)));
    }
  air.pass(5s);
  EXPECT_TRUE(air.agree(raw(leader)));
}

}  // namespace
}  // namespace bellwether::node
