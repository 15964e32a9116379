// SPDX-License-Identifier: MIT
// Rounds, with a probe that does what a test tells it.
#include "bellwether/sim/simulation_of.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

namespace bellwether::sim {
namespace {

using namespace std::chrono_literals;
using observe::Ended;

struct Ping {
  static constexpr std::uint8_t tag = 1;
  static constexpr std::string_view name = "ping";
  std::uint64_t number = 0;
  static constexpr auto fields = std::tuple{core::field("number", &Ping::number)};
  friend bool operator==(const Ping&, const Ping&) = default;
};

using Inbox = std::vector<std::pair<Port, std::uint64_t>>;
using Numbers = std::vector<std::uint64_t>;

/// One round of one node, as it saw it.
struct Entry {
  std::uint64_t node;
  std::uint64_t round;  // of this node, from 0
  Time at;
  Inbox inbox;
};

class Probe {
 public:
  using Message = Ping;
  using Timer = core::NoTimer;
  using Step = core::Step<Message, Timer>;
  /// What a test has to say, and what it wants to know.
  struct Play {
    std::function<void(Probe&, Step&, const Entry&)> act;
    std::vector<Entry> diary;
  };
  static constexpr std::string_view name = "round-probe";
  struct Options {
    Play* play = nullptr;
    static constexpr std::tuple<> fields{};
  };

  Probe() = default;
  Probe(NodeId own, Options options) : id(own), play_(options.play) {}
  void round(Step& step, core::Inbox<Ping> inbox) {
    Entry entry{core::raw(id), rounds_++, step.now(), {}};
    for (const auto& in : inbox) entry.inbox.push_back({in.port, in.message.number});
    play_->diary.push_back(entry);
    if (play_->act) play_->act(*this, step, entry);
  }
  bool halted() const { return done; }
  std::optional<NodeId> leader() const { return chosen; }
  friend bool operator==(const Probe&, const Probe&) = default;

  NodeId id{};
  bool done = true;
  std::optional<NodeId> chosen;

 private:
  Play* play_ = nullptr;
  std::uint64_t rounds_ = 0;
};
using Step = Probe::Step;

class RoundSimulationTest : public testing::Test {
 protected:
  RoundSimulationTest() { network("line", 4); }
  void network(std::string topology, NodeIndex nodes) {
    scenario.network.topology = std::move(topology);
    scenario.network.nodes = nodes;
  }
  observe::RunReport run(observe::Observer* observer = nullptr) {
    play.diary.clear();
    simulation = std::make_unique<RoundSimulationOf<Probe>>(make_setup(scenario), scenario,
                                                            Probe::Options{&play});
    if (observer) simulation->observe(*observer);
    (*simulation)->on_progress(on_progress);
    return simulation->run();
  }
  const Entry& entry(std::uint64_t node, std::uint64_t round) const {
    for (const Entry& e : play.diary)
      if (e.node == node && e.round == round) return e;
    throw std::runtime_error("no such round");
  }
  /// For `rounds` rounds every node broadcasts a number of its own.
  void babble(std::uint64_t rounds) {
    play.act = [rounds](Probe& me, Step& step, const Entry& e) {
      if (e.round < rounds) step.broadcast(Ping{100 * e.round + core::raw(me.id)});
      me.chosen = NodeId{1 + step.choose(1000)};
    };
  }

  scenario::Scenario scenario;
  Probe::Play play;
  OnProgress on_progress;
  std::unique_ptr<RoundSimulationOf<Probe>> simulation;
};

TEST_F(RoundSimulationTest, WhatIsSentInARoundIsReadInTheNext) {
  babble(2);
  scenario.rounds.duration = 5ms;
  run();
  for (std::uint64_t node = 1; node <= 4; ++node) {
    EXPECT_TRUE(entry(node, 0).inbox.empty());
    for (std::uint64_t round = 0; round < 3; ++round)
      EXPECT_EQ(entry(node, round).at, static_cast<int>(round) * 5ms);
  }
  EXPECT_EQ(entry(2, 1).inbox, (Inbox{{Port{0}, 3}, {Port{1}, 1}}));
  EXPECT_EQ(entry(2, 2).inbox, (Inbox{{Port{0}, 103}, {Port{1}, 101}}));
  EXPECT_EQ(entry(1, 2).inbox, (Inbox{{Port{0}, 102}}));
  EXPECT_EQ(play.diary.size(), 3u * 4) << "one round more to read, and then silence";
}

TEST_F(RoundSimulationTest, AnInboxIsInTheOrderOfPorts) {
  network("star", 6);  // node 1 in the middle
  play.act = [](Probe& me, Step& step, const Entry& e) {
    if (e.round > 0 || me.id == NodeId{1}) return;
    if (core::raw(me.id) % 2 == 0)
      step.broadcast(Ping{core::raw(me.id)});
    else
      step.send(Port{0}, Ping{core::raw(me.id)});
  };
  run();
  EXPECT_EQ(entry(1, 1).inbox,
            (Inbox{{Port{0}, 2}, {Port{1}, 3}, {Port{2}, 4}, {Port{3}, 5}, {Port{4}, 6}}));
}

TEST_F(RoundSimulationTest, APortLeadsToItsPeer) {
  network("grid", 9);
  std::size_t read = 0;
  play.act = [&](Probe& me, Step& step, const Entry& e) {
    if (e.round == 0)
      for (const Port port : step.ports())
        step.send(port, Ping{100 * core::raw(me.id) + core::raw(step.peer(port))});
    for (const auto& [port, number] : e.inbox) {
      EXPECT_EQ(number / 100, core::raw(step.peer(port)));
      EXPECT_EQ(number % 100, core::raw(me.id));
      ++read;
    }
  };
  const auto report = run();
  EXPECT_EQ(read, 24u);
  EXPECT_EQ(report.messages, 24u);
}

TEST_F(RoundSimulationTest, CountsMessagesAndBytes) {
  play.act = [](Probe& me, Step& step, const Entry& e) {
    if (e.round > 0) return;
    if (me.id == NodeId{2}) step.broadcast(Ping{1});          // two neighbours
    if (me.id == NodeId{3}) step.send(Port{1}, Ping{1'000});  // one
    if (me.id == NodeId{3}) step.send(Port{7}, Ping{10});     // none
  };
  const auto report = run();
  EXPECT_EQ(report.messages, 3u);
  EXPECT_EQ(report.bytes, 2 * core::encoded_size(Ping{1}) + core::encoded_size(Ping{1'000}));
  EXPECT_EQ(entry(1, 1).inbox, (Inbox{{Port{0}, 1}}));
  EXPECT_EQ(entry(2, 1).inbox, (Inbox{{Port{0}, 1'000}}));
  EXPECT_EQ(entry(3, 1).inbox, (Inbox{{Port{1}, 1}}));
}

TEST_F(RoundSimulationTest, TwoBroadcastsInOneRoundBothArrive) {
  network("complete", 4);
  play.act = [](Probe& me, Step& step, const Entry& e) {
    me.done = e.round >= 3;
    if (e.round > 1 || me.id != NodeId{1}) return;
    step.broadcast(Ping{10 + e.round});
    step.broadcast(Ping{20 + e.round});
  };
  const auto report = run();
  EXPECT_EQ(report.messages, 12u);
  for (std::uint64_t node = 2; node <= 4; ++node) {
    for (std::uint64_t round = 1; round <= 2; ++round) {
      const Inbox& inbox = entry(node, round).inbox;
      ASSERT_EQ(inbox.size(), 2u);
      EXPECT_EQ(inbox[0].first, inbox[1].first);
      EXPECT_EQ(inbox[0].second, 9 + round);
      EXPECT_EQ(inbox[1].second, 19 + round);
    }
    EXPECT_TRUE(entry(node, 3).inbox.empty()) << "a broadcast is read once";
  }
}

TEST_F(RoundSimulationTest, GoesOnUntilAllHaveHaltedAndNobodySpeaks) {
  play.act = [](Probe& me, Step& step, const Entry& e) {  // a token down the line
    if ((e.round == 0 && me.id == NodeId{1}) || (!e.inbox.empty() && me.id != NodeId{4}))
      step.send(Port{0}, Ping{1});
  };
  auto report = run();
  EXPECT_EQ(report.ended, Ended::quiescent);
  EXPECT_EQ(report.messages, 3u);
  EXPECT_EQ(simulation->rounds(), 3u) << "until node 4 has it";
  EXPECT_EQ(report.time, 3ms);
  EXPECT_EQ(report.events, 4u * 4);
  play.act = [](Probe& me, Step&, const Entry& e) {  // silent, but not quiescent
    me.done = me.id != NodeId{3} || e.round >= 10;
  };
  report = run();
  EXPECT_EQ(report.ended, Ended::quiescent);
  EXPECT_EQ(report.messages, 0u);
  EXPECT_EQ(simulation->rounds(), 10u);
  EXPECT_EQ(report.metrics.at(2).name, "rounds");
  EXPECT_EQ(report.metrics.at(2).value, 10);
  play.act = nullptr;
  run();
  EXPECT_EQ(simulation->rounds(), 0u);
  EXPECT_EQ(play.diary.size(), 4u) << "one round at least";
}

TEST_F(RoundSimulationTest, EndsAtTheDeadlineOrAtTheLimit) {
  play.act = [](Probe& me, Step&, const Entry&) { me.done = false; };
  scenario.stop.time = 10ms;
  auto report = run();
  EXPECT_EQ(report.ended, Ended::deadline);
  EXPECT_EQ(play.diary.back().at, 10ms) << "what falls on the deadline counts";
  EXPECT_EQ(report.events, 11u * 4);
  scenario.stop.events = 20;
  report = run();
  EXPECT_EQ(report.ended, Ended::event_limit);
  EXPECT_EQ(report.events, 20u);
}

TEST_F(RoundSimulationTest, DoesNotLastLongerThanItsDeadline) {
  play.act = [](Probe& me, Step&, const Entry&) { me.done = false; };
  scenario.stop.time = 10ms;
  EXPECT_EQ(run().time, 10ms) << "as an asynchronous run";
}

TEST_F(RoundSimulationTest, CanBeInterrupted) {
  play.act = [](Probe& me, Step&, const Entry&) { me.done = false; };
  std::vector<Time> looks;
  on_progress = [&](const Progress& progress) {
    looks.push_back(progress.at);
    return looks.size() < 5;
  };
  const auto report = run();
  EXPECT_EQ(report.ended, Ended::interrupted);
  EXPECT_EQ(report.events, 20u);
  EXPECT_TRUE(std::is_sorted(looks.begin(), looks.end()));
}

TEST_F(RoundSimulationTest, ABrokenInvariantEndsTheRun) {
  play.act = [](Probe& me, Step&, const Entry& e) {
    me.done = false;
    core::invariant(e.round < 3 || me.id != NodeId{2}, "node 2 has had enough");
  };
  const auto report = run();
  EXPECT_EQ(report.ended, Ended::violation);
  EXPECT_EQ(report.violation, "node 2 has had enough");
  EXPECT_EQ(report.events, 13u) << "three rounds and node 1";
}

TEST_F(RoundSimulationTest, NobodyHasANameInAnAnonymousNetwork) {
  scenario.network.anonymous = true;
  play.act = [](Probe&, Step& step, const Entry&) { step.peer(step.ports()[0]); };
  EXPECT_EQ(run().violation, "nodes of an anonymous network have no ids");
}

TEST_F(RoundSimulationTest, ChoicesAreInRangeAndEachNodeHasItsOwn) {
  const auto draws = [&](std::uint64_t extra) {
    std::map<std::uint64_t, Numbers> out;
    play.act = [&out, extra](Probe& me, Step& step, const Entry& e) {
      for (std::uint64_t i = 0; me.id == NodeId{1} && i < extra; ++i) step.choose(1000);
      Numbers& own = out[core::raw(me.id)];
      for (std::uint64_t n = 1; n < 100; ++n) {
        own.push_back(step.choose(n));
        EXPECT_LT(own.back(), n);
      }
      me.done = e.round >= 2;
    };
    run();
    out.erase(1);
    return out;
  };
  const auto quiet = draws(0);
  EXPECT_EQ(quiet, draws(50)) << "more draws at one node do not change another's";
  EXPECT_EQ(quiet.at(2).size(), 3u * 99);
  EXPECT_NE(quiet.at(2), quiet.at(3));
  scenario.seed = 2;
  EXPECT_NE(quiet, draws(0));
}

TEST_F(RoundSimulationTest, AOneWayRingCarriesMessagesClockwise) {
  network("ring", 5);
  scenario.network.one_way = true;
  play.act = [](Probe& me, Step& step, const Entry& e) {
    EXPECT_EQ(step.ports().size(), 1u);
    if (e.round == 0) step.broadcast(Ping{core::raw(me.id)});
    if (e.round == 1) step.send(e.inbox.at(0).first, Ping{99});  // no way back
  };
  const auto report = run();
  EXPECT_EQ(report.messages, 5u);
  for (std::uint64_t node = 1; node <= 5; ++node)
    EXPECT_EQ(entry(node, 1).inbox, (Inbox{{Port{1}, node == 1 ? 5 : node - 1}}));
}

TEST_F(RoundSimulationTest, PeerIsBehindTheWayInOfAOneWayRingToo) {
  network("ring", 5);
  scenario.network.one_way = true;
  play.act = [](Probe& me, Step& step, const Entry& e) {
    if (e.round == 0) step.broadcast(Ping{core::raw(me.id)});
    for (const auto& [port, number] : e.inbox) EXPECT_EQ(core::raw(step.peer(port)), number);
  };
  EXPECT_EQ(run().violation, "");
}

/// Counts what it is handed.
class Counter final : public observe::Observer {
 public:
  void begin(const observe::RunHeader& header) override { algorithm = header.algorithm; }
  void step(const observe::StepRecord& r) override {
    receipts += r.cause == core::Cause::receive ? 1 : 0;
    sends += r.sends.size();
    leaders += r.leader_before != r.leader_after ? 1 : 0;
    steps.insert(r.number);
  }
  void end() override { ended = true; }
  std::string algorithm;
  std::uint64_t receipts = 0, sends = 0, leaders = 0;
  std::set<std::uint64_t> steps;
  bool ended = false;
};

TEST_F(RoundSimulationTest, WhoLooksOnSeesEverythingAndChangesNothing) {
  network("torus", 16);
  babble(6);
  const auto plain = run();
  EXPECT_EQ(run().fingerprint, plain.fingerprint);
  Counter counter;
  const auto observed = run(&counter);
  EXPECT_EQ(observed.fingerprint, plain.fingerprint);
  EXPECT_EQ(plain.messages, 6u * 64);
  EXPECT_EQ(counter.sends, plain.messages);
  EXPECT_EQ(counter.receipts, plain.messages);
  // One record for each message, one for each round that begins without any: numbered 1, 2, 3, ...
  EXPECT_EQ(counter.steps.size(), plain.messages + 16);
  EXPECT_EQ(*counter.steps.rbegin(), counter.steps.size());
  EXPECT_EQ(static_cast<double>(counter.leaders), plain.metrics.at(3).value);
  EXPECT_EQ(plain.metrics.at(3).name, "leader_changes");
  EXPECT_EQ(counter.algorithm, "round-probe");
  EXPECT_TRUE(counter.ended);
  scenario.seed = 2;
  EXPECT_NE(run().fingerprint, plain.fingerprint);
}

}  // namespace
}  // namespace bellwether::sim
