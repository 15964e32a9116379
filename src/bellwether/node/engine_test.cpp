// SPDX-License-Identifier: MIT
// Engines of the daemon, most of them with a map.
#include "bellwether/node/engine.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "bellwether/algorithms/moving/cel_2.hpp"
#include "bellwether/algorithms/moving/knowledge_updates.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/node/air_test.hpp"

namespace bellwether::node {
namespace {

using namespace std::chrono_literals;
using layers::Probed;

TEST(Engine, ALineElectsItsMiddleAndKnowsItsWays) {
  Air air("cel-2", 5);
  make_line(air, 5);
  air.pass(2s);
  EXPECT_TRUE(air.agree(3));
  EXPECT_EQ(air.node(0).routes().all().size(), 5u);
  EXPECT_EQ(air.node(0).routes().find(NodeId{5})->hops, 4u);
  EXPECT_EQ(air.node(4).routes().next_hop(NodeId{1}), NodeId{4});
  EXPECT_FALSE(air.node(0).routes().next_hop(NodeId{9}));
}

TEST(Engine, AtRestOnlyProbesAreSent) {
  Air air("cel-2", 4);
  make_line(air, 4);
  air.pass(5s);
  air.sent = 0;
  air.pass(10s);
  EXPECT_NEAR(static_cast<double>(air.sent), 400, 12);
}

TEST(Engine, SilenceEndsANeighbourAndItsMembers) {
  Air air("cel-2", 3);
  make_line(air, 3);
  air.pass(2s);
  air.link(1, 2, false);
  air.pass(305ms);
  EXPECT_EQ(air.node(2).leader(), NodeId{3});
  EXPECT_EQ(air.node(2).routes().all().size(), 1u);
  EXPECT_EQ(air.node(0).routes().all().size(), 2u);
}

TEST(Engine, WhoIsLateGivesTheOthersMoreTime) {
  Air air("cel-2", 2);
  make_line(air, 2);
  air.pass(2s);
  air.node(0).set_slack(air.now, 1s);
  air.node(1).set_slack(air.now, NodeId{1}, 2s);
  air.link(0, 1, false);
  air.pass(1s);
  EXPECT_TRUE(air.agree(2)) << "1.3 s of silence are borne by the one, 2.3 s by the other";
  air.pass(400ms);
  EXPECT_EQ(air.node(0).leader(), NodeId{1});
  EXPECT_EQ(air.node(1).neighbours().size(), 1u);
  air.pass(1s);
  EXPECT_EQ(air.node(1).neighbours().size(), 0u);
}

TEST(Engine, WhoSaysGoodbyeIsLostAtOnce) {
  Air air("cel-2", 3);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < i; ++j) air.link(i, j);
  air.pass(2s);
  ASSERT_TRUE(air.agree(3));
  air.tell_node(2, {air.now, CallKind::farewell, {}, 0, {}});
  for (std::size_t i = 0; i < 2; ++i) air.link(i, 2, true);
  while (!air.flying.empty()) {
    const auto [from, body] = air.flying.front();
    air.flying.pop_front();
    for (std::size_t to = 0; to < 2; ++to)
      if (to != from) air.tell_node(to, {air.now, CallKind::hear, NodeId{from + 1}, 0, body});
  }
  EXPECT_EQ(air.node(0).leader(), NodeId{2});
  EXPECT_EQ(air.node(1).leader(), NodeId{2});
}

TEST(Engine, PrioritiesGoBeforeCentrality) {
  Air air("cel-2", 3);
  make_line(air, 3);
  air.pass(2s);
  ASSERT_TRUE(air.agree(2));
  air.tell_node(0, {air.now, CallKind::priority, {}, 150, {}});
  air.pass(1s);
  EXPECT_TRUE(air.agree(1));
  EXPECT_EQ(air.node(2).routes().find(NodeId{1})->priority, 150u);
  Air heights("height", 2);
  EXPECT_FALSE(heights.node(0).set_priority(heights.now, 5));
  EXPECT_FALSE(heights.node(0).has_priorities());
}

TEST(Engine, HeightsRunBesideAMapOverOrderedLinks) {
  for (const char* algorithm : {"height", "hierarchy"}) {
    Air air(algorithm, 5);
    make_line(air, 5);
    air.pass(5s);
    const auto leader = air.node(0).leader();
    ASSERT_TRUE(leader);
    EXPECT_TRUE(air.agree(raw(*leader))) << algorithm;
    EXPECT_EQ(air.node(0).routes().all().size(), 5u);
    EXPECT_EQ(air.node(0).chain().empty(), std::string(algorithm) == "height");
  }
}

TEST(Engine, ARecordingReplaysToTheByte) {
  for (const char* algorithm : {"cel-2", "hierarchy"}) {
    Air air(algorithm, 4);
    make_line(air, 4);
    air.pass(2s);
    air.link(1, 2, false);
    air.pass(1s);
    air.link(1, 2);
    air.pass(2s);
    for (const std::string& tape : air.tapes) {
      std::istringstream in(tape);
      const EngineReplay run = replay(in, "tape", catalogue::all());
      EXPECT_EQ(run.difference, "");
      EXPECT_GT(run.calls, 100u);
    }
    std::string bent = air.tapes[0];
    const auto at = bent.rfind("\"frames\":1");
    bent[at + 9] = '2';
    std::istringstream in(bent);
    EXPECT_NE(replay(in, "tape", catalogue::all()).difference, "");
  }
}

TEST(Engine, BrokenRecordingsAreRefusedWithTheirLine) {
  const auto complaint = [](const std::string& text) -> std::string {
    std::istringstream in(text);
    try {
      replay(in, "tape", catalogue::all());
      return "";
    } catch (const core::Problem& error) {
      return error.what();
    }
  };
  Air air("cel-2", 1);
  const std::string& good = air.tapes[0];
  EXPECT_EQ(complaint(good), "");
  EXPECT_EQ(complaint(good + "{\"at\":12"), "") << "a node that was killed in the middle of a line";
  EXPECT_NE(complaint(good + "{\"at\":12\n{}\n").find("tape:3: "), std::string::npos);
  EXPECT_NE(complaint(good + "{\"at\":1,\"do\":\"dance\"}\n{}\n").find("dance"), std::string::npos);
  EXPECT_NE(complaint("").find("empty"), std::string::npos);
  EXPECT_NE(complaint("[]\n").find("tape:1: "), std::string::npos);
  std::string other = good;
  other.replace(other.find("cel-2"), 5, "cel-9");
  EXPECT_NE(complaint(other).find("cel-9"), std::string::npos);
  const auto with = [&](std::string text, const std::string& key, const std::string& number) {
    const auto from = text.find("\"" + key + "\":") + key.size() + 3;
    return text.replace(from, text.find_first_of(",}", from) - from, number);
  };
  for (const char* key : {"period_ns", "timeout_ns"})
    for (const char* number : {"0", "-5", "9223372036854775807", "18446744073709551615"})
      EXPECT_NE(complaint(with(good, key, number)).find(key), std::string::npos) << number;
  EXPECT_NE(complaint(with(good, "jitter_ns", "60000000")).find("jitter_ns"), std::string::npos);
  const auto told = [&](const std::string& call) { return complaint(good + call + "\n{}\n"); };
  EXPECT_NE(told(R"({"at":-1,"do":"alarm"})").find("\"at\""), std::string::npos);
  EXPECT_NE(told(R"({"at":9223372036854775807,"do":"alarm"})").find("\"at\""), std::string::npos);
  EXPECT_NE(told(R"({"at":1,"do":"slack","number":18446744073709551615})").find("slack"),
            std::string::npos);
}

TEST(Engine, GarbageForgeriesAndCrowdsAreRefused) {
  Air air("cel-2", 1);
  Engine& node = air.node(0);
  EXPECT_EQ(node.on_frame(air.now, NodeId{2}, {}), FrameResult::garbage);
  core::Prng prng(1);
  for (int i = 0; i < 20000; ++i) {
    core::Bytes body(prng.below(60));
    for (auto& byte : body) byte = static_cast<std::uint8_t>(prng.next() >> (prng.below(2) * 4));
    node.on_frame(air.now, NodeId{2}, body);
  }
  const auto probe = core::encode(Probed::Message(Probed::Probe{NodeId{3}}));
  EXPECT_EQ(node.on_frame(air.now, NodeId{2}, probe), FrameResult::garbage)
      << "nobody speaks for another";
  for (std::uint64_t i = 2; i < 1000; ++i)
    node.on_frame(air.now, NodeId{i}, core::encode(Probed::Message(Probed::Probe{NodeId{i}})));
  EXPECT_EQ(node.neighbours().size(), 256u);
  std::vector<algorithms::MemberView> crowd;
  for (std::uint64_t i = 2; i < 2000; ++i)
    crowd.push_back({NodeId{i}, 1, core::Shared<algorithms::Ids>({NodeId{i}})});
  const algorithms::Cel2::Message knowledge = algorithms::Knowledge{algorithms::Known(crowd), {}};
  const auto map =
      core::encode(Probed::Message(Probed::Data{NodeId{2}, {}, core::AnyMessage::of(knowledge)}));
  EXPECT_EQ(node.on_frame(air.now, NodeId{2}, map), FrameResult::too_many);
  const auto parts =
      core::encode(Probed::Message(Probed::Part{NodeId{2}, {}, 1, 0, 4000, {1, 2, 3, 4}}));
  EXPECT_EQ(node.on_frame(air.now, NodeId{2}, parts), FrameResult::taken)
      << "4000 parts of four bytes are few";
  const auto many =
      core::encode(Probed::Message(Probed::Part{NodeId{2}, {}, 1, 0, 4000, core::Bytes(1000)}));
  EXPECT_EQ(node.on_frame(air.now, NodeId{2}, many), FrameResult::too_many);
}

TEST(Engine, CrowdsThatComeInPartsAreRefusedToo) {
  Air air("cel-2", 1);
  Engine& node = air.node(0);
  std::vector<algorithms::MemberView> crowd;
  algorithms::Ids all{NodeId{1}, NodeId{2}};  // a star around 2
  crowd.push_back({NodeId{2}, 1, {}});
  for (std::uint64_t i = 3; i < 1500; ++i) {
    crowd.push_back({NodeId{i}, 1, core::Shared<algorithms::Ids>({NodeId{2}, NodeId{i}})});
    all.push_back(NodeId{i});
  }
  const auto hear = [&](const algorithms::Cel2::Message& body) {
    return node.on_frame(
        air.now, NodeId{2},
        core::encode(Probed::Message(Probed::Part{NodeId{2}, {}, 1, 0, 1, core::encode(body)})));
  };
  all.resize(900);
  crowd.front().neighbours = core::Shared<algorithms::Ids>(all);
  EXPECT_EQ(hear(algorithms::Knowledge{algorithms::Known(crowd), {}}), FrameResult::too_many);
  EXPECT_EQ(node.routes().all().size(), 1u);
  crowd.resize(899);
  EXPECT_EQ(hear(algorithms::Knowledge{algorithms::Known(crowd), {}}), FrameResult::taken);
  EXPECT_EQ(node.routes().all().size(), 900u);
}

TEST(Engine, CrowdsInListsOfChangesAreSeen) {
  const algorithms::Known known = algorithms::initial_knowledge(NodeId{1});
  algorithms::UpdatesMessage message;
  for (std::uint64_t i = 1; i <= 10; ++i)
    message.updates.push_back({NodeId{i}, {NodeId{1}, NodeId{i}}, {}, 0, 1});
  message.updates.push_back(message.updates.back());
  using Message = std::variant<algorithms::Knowledge, algorithms::UpdatesMessage>;
  const auto names_more_than = [&](std::size_t most) {
    core::NewMembers found(known);
    found.look(Message(message));
    return found.exceed(most);
  };
  EXPECT_TRUE(names_more_than(9));
  EXPECT_FALSE(names_more_than(10)) << "whom it names twice counts once";
  message.updates.front().add.resize(11);
  EXPECT_TRUE(names_more_than(10)) << "eleven neighbours";
}

TEST(Engine, NoOptionMakesTimeRunOver) {
  Air air("cel-2", 1, {{"digest", "24 h"}});  // the longest one
  Engine& node = air.node(0);
  const Time now = std::chrono::hours(24 * 365 * 60);
  node.alarm(now);
  node.on_probe(now, NodeId{2});  // it has not confirmed what we know: a digest is due, some time
  ASSERT_TRUE(node.next_alarm());
  EXPECT_GT(*node.next_alarm(), now);
}

TEST(Engine, OptionsAreReadAndRefused) {
  const auto complaint = [](const std::string& name, const std::string& text) -> std::string {
    try {
      Air air("cel-2", 1, {{name, text}});
      return "";
    } catch (const core::Problem& error) {
      return error.what();
    }
  };
  EXPECT_EQ(complaint("rho", "0.5"), "");
  EXPECT_NE(complaint("digest", "2500000 h").find("must be a duration from 1 ms to 24 h"),
            std::string::npos);
  EXPECT_NE(complaint("rhoo", "0.5").find("did you mean \"rho\""), std::string::npos);
  EXPECT_NE(complaint("rho", "much").find("must be a number from 0 to 1, not \"much\""),
            std::string::npos);
}

}  // namespace
}  // namespace bellwether::node
