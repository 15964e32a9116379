// SPDX-License-Identifier: MIT
// The election of a node without clock, socket and event loop.
#include "bellwether/node/node_election.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace bellwether::node {
namespace {

using namespace std::chrono_literals;

EngineSpec spec_of(std::uint64_t id, const std::string& algorithm = "cel-2") {
  EngineSpec spec;
  spec.algorithm = algorithm;
  spec.self = NodeId{id};
  spec.seed = id;
  spec.probes = {100ms, 300ms, 5ms, 300};
  return spec;
}

/// Writes down which calls pass, and passes them on.
class Tap final : public EngineInputs {
 public:
  Tap(Engine& engine, std::vector<std::string>& calls) : engine_(engine), calls_(calls) {}

  void start(Time now) override { said("start"), engine_.start(now); }
  FrameResult on_frame(Time now, NodeId from, std::span<const std::uint8_t> body) override {
    return said("hear"), engine_.on_frame(now, from, body);
  }
  void on_probe(Time now, NodeId from) override { said("see"), engine_.on_probe(now, from); }
  void alarm(Time now) override { said("alarm"), engine_.alarm(now); }
  void on_neighbour_lost(Time now, NodeId neighbour) override {
    said("lose"), engine_.on_neighbour_lost(now, neighbour);
  }
  void farewell(Time now) override { said("farewell"), engine_.farewell(now); }
  bool set_priority(Time now, std::uint32_t priority) override {
    return said("priority " + std::to_string(priority)), engine_.set_priority(now, priority);
  }
  void set_slack(Time now, Duration own) override {
    said("slack " + core::to_text(own)), engine_.set_slack(now, own);
  }
  void set_slack(Time now, NodeId neighbour, Duration its) override {
    said("slack of " + std::to_string(raw(neighbour)) + " " + core::to_text(its));
    engine_.set_slack(now, neighbour, its);
  }

 private:
  void said(std::string call) { calls_.push_back(std::move(call)); }
  Engine& engine_;
  std::vector<std::string>& calls_;
};

struct Node {
  explicit Node(const EngineSpec& spec, Duration listen_first = 0ms, const std::string& file = "")
      : election(catalogue::algorithm(spec.algorithm), spec, listen_first, EpochFile(file)) {}
  void tap() { election.decorate(std::make_unique<Tap>(election.engine(), calls)); }

  std::vector<std::string> take_calls() { return std::exchange(calls, {}); }
  /// Turns every 100 ms, as a node does that is not stopped; the last change of its leader.
  std::optional<LeaderChange> turn(Time from, Time to) {
    std::optional<LeaderChange> out;
    for (Time now = from; now <= to; now += 100ms) {
      election.ring(now);
      if (const auto change = election.update(now)) out = change;
      election.take_outgoing(now);
    }
    return out;
  }

  std::vector<std::string> calls;
  NodeElection election;
};

/// Two nodes that hear each other at once.
class Pair {
 public:
  Pair() {
    for (Node* node : {&a, &b}) node->election.start(now);
  }
  void pass(Duration time) {
    for (const Time end = now + time; now < end; now += 5ms) {
      for (Node* node : {&a, &b})
        if (const auto at = node->election.next_alarm(); at && *at <= now) node->election.ring(now);
      carry();
      for (Node* node : {&a, &b}) node->election.update(now);
    }
  }
  void carry() {
    for (const auto& [from, to] : {std::pair{&a, &b}, std::pair{&b, &a}})
      for (const core::Bytes& body : from->election.take_outgoing(now))
        if (linked)
          to->election.on_frame(now, from->election.present(now).self, from->election.said(), body);
  }

  Time now = 100s;
  Node a{spec_of(1)}, b{spec_of(2)};
  bool linked = true;
};

TEST(NodeElection, ListensBeforeItLeadsAlone) {
  Node node(spec_of(3), 700ms);
  Time now = 100s;
  node.election.start(now);
  EXPECT_FALSE(node.election.update(now)) << "nothing has changed: it listens";
  EXPECT_EQ(node.election.role(), Role::listening);
  while (node.election.next_alarm() < 100s + 700ms) {
    now = *node.election.next_alarm();
    node.election.ring(now);
    EXPECT_FALSE(node.election.update(now));
    node.election.take_outgoing(now);
  }
  ASSERT_EQ(node.election.next_alarm(), 100s + 700ms);
  now = 100s + 700ms;
  node.election.ring(now);
  const auto change = node.election.update(now);
  ASSERT_TRUE(change);
  EXPECT_TRUE(change->other_leader);
  EXPECT_TRUE(change->epoch_kept);
  EXPECT_EQ(change->before.leader, std::nullopt);
  EXPECT_EQ(change->before.role, Role::listening);
  EXPECT_EQ(change->now.leader, NodeId{3});
  EXPECT_EQ(change->now.role, Role::leading);
  EXPECT_EQ(change->now.epoch, 1u);
  EXPECT_EQ(node.election.leader_changes(), 1u);
  EXPECT_FALSE(node.election.update(now)) << "said once";
}

TEST(NodeElection, EveryCallPassesTheDecoratorAndNoneWithoutIt) {
  Node node(spec_of(3));
  node.tap();
  NodeElection& election = node.election;
  election.start(100s);
  EXPECT_EQ(node.take_calls(), std::vector<std::string>{"start"});
  EXPECT_EQ(election.on_frame(100s, NodeId{7}, {}, node.election.engine().probe()),
            FrameResult::garbage)
      << "7 speaks for 3";
  EXPECT_EQ(election.on_frame(100s, NodeId{7}, {}, {}), FrameResult::taken);
  EXPECT_EQ(node.take_calls(), (std::vector<std::string>{"hear", "see"}));
  election.on_frame(100s, NodeId{7}, {{}, 0, 250}, {});
  election.on_frame(100s, NodeId{7}, {{}, 0, 5000}, {});
  EXPECT_EQ(node.take_calls(),
            (std::vector<std::string>{"slack of 7 250 ms", "see", "slack of 7 600 ms", "see"}))
      << "others can do without it, however late it says that it is";
  election.on_neighbour_lost(100s, NodeId{7});
  election.forget_strangers(100s);
  EXPECT_EQ(node.take_calls(), (std::vector<std::string>{"lose", "slack of 7 0 s"}));
  election.set_priority(100s, 50);
  election.stand(100s, Candidacy::resigned);
  EXPECT_EQ(node.take_calls(), (std::vector<std::string>{"priority 50", "priority 1"}));
  election.rang(101s, 100s);
  election.ring(101s);
  EXPECT_EQ(node.take_calls(), (std::vector<std::string>{"slack 2 s", "alarm"}));
  election.farewell(101s);
  EXPECT_EQ(node.take_calls(), (std::vector<std::string>{"farewell", "farewell"}));
  election.decorate(nullptr);
  election.farewell(101s);
  EXPECT_TRUE(node.calls.empty());
  EXPECT_GE(election.take_outgoing(101s).size(), 4u) << "the engine is called all the same";
}

TEST(NodeElection, TwoAgreeAndKnowEachOther) {
  Pair pair;
  pair.pass(2s);
  EXPECT_EQ(pair.a.election.leader(), NodeId{2});
  EXPECT_EQ(pair.b.election.leader(), NodeId{2});
  EXPECT_EQ(pair.a.election.role(), Role::following);
  EXPECT_EQ(pair.a.election.epoch(), pair.b.election.epoch());
  EXPECT_EQ(pair.a.election.said(), pair.b.election.said());
  const auto neighbours = pair.a.election.neighbours(pair.now);
  ASSERT_EQ(neighbours.size(), 1u);
  EXPECT_EQ(neighbours[0].id, NodeId{2});
  EXPECT_LE(neighbours[0].age, 110ms);
  EXPECT_EQ(pair.a.election.members(pair.now).size(), 2u);
  EXPECT_EQ(pair.a.election.uptime(pair.now), 2s);
  const std::uint64_t epoch = pair.a.election.epoch();
  pair.linked = false;
  pair.pass(1s);
  EXPECT_EQ(pair.a.election.leader(), NodeId{1});
  EXPECT_GT(pair.a.election.epoch(), epoch);
}

TEST(NodeElection, WhoHasLeftIsForgotten) {
  Pair pair;
  pair.pass(2s);
  const std::uint64_t epoch = pair.a.election.epoch();
  pair.linked = false;
  pair.pass(1s);
  pair.a.tap();
  pair.a.election.forget_strangers(pair.now);
  EXPECT_EQ(pair.a.take_calls(), std::vector<std::string>{"slack of 2 0 s"});
  pair.a.election.forget_strangers(pair.now);
  EXPECT_TRUE(pair.a.calls.empty()) << "once";
  EXPECT_GT(pair.a.election.epoch(), epoch);
}

TEST(NodeElection, WhoIsLateSaysSoOnceAndGivesMoreTime) {
  Node node(spec_of(3));
  node.election.start(100s);
  node.election.rang(100s + 10ms, 100s);
  EXPECT_EQ(node.election.ring(100s + 10ms), std::nullopt) << "as late as any timer";
  node.election.rang(100s + 50ms, 100s);
  EXPECT_EQ(node.election.ring(100s + 50ms), Duration(100ms));
  EXPECT_EQ(node.election.said().slack_ms, 100u);
  node.election.rang(100s + 200ms, 100s + 100ms);
  EXPECT_EQ(node.election.ring(100s + 200ms), std::nullopt) << "later still, but not newly";
  EXPECT_EQ(node.election.slack(), 200ms);
  EXPECT_EQ(node.election.ring(130s), std::nullopt);
  EXPECT_EQ(node.election.slack(), 0ms);
}

TEST(NodeElection, AProcessThatWasStoppedClaimsNothing) {
  Node node(spec_of(3));
  node.election.start(100s);
  node.turn(100s, 101s);
  EXPECT_EQ(node.election.leadership(101s + 300ms).leader, NodeId{3});
  const LeaderState later = node.election.leadership(102s);
  EXPECT_EQ(later.leader, std::nullopt);
  EXPECT_EQ(later.role, Role::listening);
  EXPECT_EQ(later.age, 1s);
  EXPECT_EQ(node.election.present(102s).leader, NodeId{3}) << "what it published stays";
  const auto woken = node.turn(102s, 102s);
  ASSERT_TRUE(woken);
  EXPECT_FALSE(woken->other_leader) << "all may have slept with it";
  EXPECT_EQ(woken->now.leader, std::nullopt) << "but it claims nothing";
  EXPECT_EQ(node.election.leadership(102s).leader, std::nullopt) << "or somebody else leads";
  EXPECT_FALSE(node.turn(102s + 100ms, 102s + 200ms));
  EXPECT_EQ(node.election.leadership(102s + 299ms).leader, std::nullopt);
  EXPECT_EQ(node.election.leadership(102s + 299ms).role, Role::listening);
  EXPECT_EQ(node.election.leadership(102s + 300ms).leader, NodeId{3}) << "it has looked";
  EXPECT_EQ(node.election.leadership(102s + 300ms).since, 300ms) << "it leads anew";
  const auto listened = node.turn(102s + 300ms, 102s + 300ms);
  ASSERT_TRUE(listened);
  EXPECT_FALSE(listened->other_leader);
  EXPECT_EQ(listened->now.leader, NodeId{3});
  EXPECT_EQ(node.election.leader_changes(), 1u);
}

/// It followed another one, slept, and finds itself alone: that is no claim before it has listened.
TEST(NodeElection, AFollowerThatWakesClaimsNothing) {
  Pair pair;
  pair.pass(2s);
  ASSERT_EQ(pair.a.election.leader(), NodeId{2});
  const Time woken = pair.now + 5s;
  pair.a.turn(woken, woken);
  EXPECT_EQ(pair.a.election.engine().leader(), NodeId{1}) << "nobody else is there any more";
  EXPECT_EQ(pair.a.election.leader(), std::nullopt);
  EXPECT_EQ(pair.a.election.role(), Role::listening);
  pair.a.turn(woken + 100ms, woken + 200ms);
  EXPECT_EQ(pair.a.election.leader(), std::nullopt);
  pair.a.turn(woken + 300ms, woken + 300ms);
  EXPECT_EQ(pair.a.election.leader(), NodeId{1});
}

/// However late it is, as long as others wait for it, it leads on.
/// A leaf of a tree has nothing to send from one wave to the next; that is no sleep.
TEST(NodeElection, ALeafThatIsSilentIsNotAsleep) {
  EngineSpec spec = spec_of(3, "drumbeat");
  spec.probes = layers::deployed_probes(catalogue::algorithm("drumbeat"), {}, 100ms, 300ms, 300);
  Node node(spec);
  NodeElection& election = node.election;
  election.start(100s);
  node.turn(100s, 102s);
  ASSERT_EQ(election.role(), Role::leading);
  for (Time now = 102s; now <= 103s; now += 100ms) {
    election.update(now);  // it runs, and says nothing
    EXPECT_EQ(election.leadership(now).leader, NodeId{3});
  }
  EXPECT_FALSE(election.leadership(103s + 400ms).leader) << "it was stopped";
  election.update(103s + 400ms);
  EXPECT_EQ(election.role(), Role::listening);
}

TEST(NodeElection, AProcessThatIsLateLeadsOn) {
  Node node(spec_of(3));
  node.election.start(100s);
  node.turn(100s, 101s);
  ASSERT_EQ(node.election.leader(), NodeId{3});
  node.election.rang(101s + 290ms, 101s + 100ms);
  EXPECT_FALSE(node.turn(101s + 290ms, 101s + 290ms));
  EXPECT_GT(node.election.slack(), 300ms) << "and it has asked for more time";
  EXPECT_FALSE(node.turn(101s + 800ms, 101s + 800ms));
  EXPECT_EQ(node.election.leader(), NodeId{3});
}

TEST(NodeElection, AFrameIsNotHeardBeforeWhatTheEngineWasToldLast) {
  Node node(spec_of(3));
  node.election.start(100s);
  EXPECT_EQ(node.election.moment(101s, 20ms), 101s - 20ms);
  EXPECT_EQ(node.election.moment(101s, -5s), 101s) << "a clock on the wall that was set";
  EXPECT_EQ(node.election.moment(101s, 5s), 101s - 300ms) << "no longer than a timeout";
  EXPECT_EQ(node.election.moment(100s + 10ms, 20ms), 100s);
}

TEST(NodeElection, StandsAsItIsAsked) {
  Node node(spec_of(3));
  NodeElection& election = node.election;
  election.start(100s);
  EXPECT_EQ(election.effective_priority(), 100u);
  EXPECT_FALSE(election.set_priority(100s, 40));
  EXPECT_FALSE(election.stand(100s, Candidacy::resigned));
  EXPECT_EQ(election.effective_priority(), 1u);
  EXPECT_FALSE(election.stand(100s, Candidacy::paused));
  EXPECT_EQ(election.effective_priority(), 0u);
  EXPECT_EQ(election.priority(), 40u);
  EXPECT_FALSE(election.stand(100s, Candidacy::eligible));
  EXPECT_EQ(election.effective_priority(), 40u);

  Node height(spec_of(3, "height"));
  height.election.start(100s);
  EXPECT_TRUE(height.election.set_priority(100s, 40));
  const auto refused = height.election.stand(100s, Candidacy::paused);
  ASSERT_TRUE(refused);
  EXPECT_TRUE(refused->why.starts_with("height cannot resign")) << refused->why;
  for (const char* can : {"\"cel-2\"", "\"drumbeat\""})
    EXPECT_NE(refused->why.find(can), std::string::npos) << refused->why;
  EXPECT_EQ(refused->why.find("\"flooding\""), std::string::npos) << refused->why;
  EXPECT_EQ(height.election.candidacy(), Candidacy::eligible);
  EXPECT_EQ(height.election.priority(), 100u);
}

TEST(NodeElection, TheEpochIsKeptThroughItsEnd) {
  const std::string file = "/tmp/bellwether-epoch-" + std::to_string(getpid());
  std::filesystem::remove(file);
  {
    Node node(spec_of(3), 0ms, file);
    node.election.start(100s);
    EXPECT_FALSE(node.election.end(100s).other_leader) << "nobody led";
    const auto change = node.turn(100s, 101s);
    ASSERT_TRUE(change);
    EXPECT_TRUE(change->epoch_kept);
    const LeaderChange end = node.election.end(102s);
    EXPECT_TRUE(end.other_leader);
    EXPECT_EQ(end.before.leader, NodeId{3});
    EXPECT_EQ(end.now.leader, std::nullopt);
    EXPECT_EQ(end.now.role, Role::leaderless);
    EXPECT_EQ(end.now.epoch, 1u);
  }
  std::ifstream in(file);
  std::string text;
  std::getline(in, text);
  EXPECT_EQ(text, "1");
  Node next(spec_of(3), 0ms, file);
  EXPECT_EQ(next.election.epoch(), 1u);
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace bellwether::node
