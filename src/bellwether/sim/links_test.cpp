// SPDX-License-Identifier: MIT
#include "bellwether/sim/links.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "bellwether/core/invariant.hpp"
#include "bellwether/core/prng.hpp"
#include "bellwether/observe/trace/trace.hpp"
#include "bellwether/sim/simulation_of.hpp"
#include "bellwether/world/topology.hpp"

namespace bellwether::sim {
namespace {

using namespace std::chrono_literals;

world::Network network_of(std::string topology, NodeIndex nodes, bool one_way = false) {
  world::NetworkSpec spec;
  spec.topology = std::move(topology);
  spec.nodes = nodes;
  spec.one_way = one_way;
  return world::build_network(spec, 3);
}

std::vector<Port> ports_of(const Links& links, NodeIndex u) {
  return {links.ports(u).begin(), links.ports(u).end()};
}

NodeIndex behind(const Links& links, NodeIndex u, Port port) {
  const End e = links.end_of(u, port);
  EXPECT_NE(e, no_end);
  return links.owner(Links::sister(e));
}

TEST(Links, AreUpAtBothEndsInTheBeginning) {
  const world::Network grid = network_of("grid", 12);
  const Links links(grid);
  ASSERT_EQ(links.end_count(), 2 * grid.links.size());
  EXPECT_FALSE(links.one_way());
  for (End e = 0; e < links.end_count(); ++e) {
    const auto& [a, b] = grid.links[e / 2];
    EXPECT_EQ(links.owner(e), e % 2 == 0 ? a : b);
    EXPECT_TRUE(links.up(e));
    EXPECT_EQ(links.end_of(links.owner(e), links.port(e)), e);
  }
}

TEST(Links, PortsCountFromZero) {
  const Links links(network_of("barabasi-albert", 60));
  for (NodeIndex u = 0; u < 60; ++u) {
    const auto ports = links.ports(u);
    ASSERT_EQ(links.ends(u).size(), ports.size());
    for (std::size_t i = 0; i < ports.size(); ++i) EXPECT_EQ(core::raw(ports[i]), i);
    EXPECT_EQ(links.end_of(u, Port{static_cast<std::uint32_t>(ports.size())}), no_end);
    EXPECT_EQ(links.end_of(u, core::every_port), no_end);
  }
}

TEST(Links, TheFirstPortOfARingLeadsClockwise) {
  for (const NodeIndex n : {3u, 4u, 7u, 100u}) {
    const Links links(network_of("ring", n));
    for (NodeIndex u = 0; u < n; ++u) {
      EXPECT_EQ(ports_of(links, u), (std::vector<Port>{Port{0}, Port{1}}));
      EXPECT_EQ(behind(links, u, Port{0}), (u + 1) % n);
      EXPECT_EQ(behind(links, u, Port{1}), (u + n - 1) % n);
    }
  }
}

TEST(Links, AOneWayRingHasOneWayOutAndANameForTheWayIn) {
  for (const NodeIndex n : {3u, 5u, 64u}) {
    const Links links(network_of("ring", n, true));
    EXPECT_TRUE(links.one_way());
    for (NodeIndex u = 0; u < n; ++u) {
      EXPECT_EQ(ports_of(links, u), std::vector<Port>{Port{0}});
      EXPECT_EQ(behind(links, u, Port{0}), (u + 1) % n);
      const End in = Links::sister(links.ends((u + n - 1) % n)[0]);
      EXPECT_EQ(links.owner(in), u);
      EXPECT_TRUE(links.up(in));
      EXPECT_EQ(links.port(in), Port{1});
      EXPECT_EQ(links.end_of(u, Port{1}), no_end) << "it only listens";
    }
  }
}

TEST(Links, AnEndThatComesBackHasANewPort) {
  Links links(network_of("star", 4));  // node 0 in the middle
  const End middle = links.end_of(0, Port{1});
  EXPECT_EQ(links.lower(middle), Port{1});
  EXPECT_FALSE(links.up(middle));
  EXPECT_TRUE(links.up(Links::sister(middle))) << "the other end is told on its own";
  EXPECT_EQ(ports_of(links, 0), (std::vector<Port>{Port{0}, Port{2}}));
  EXPECT_EQ(links.end_of(0, Port{1}), no_end);
  EXPECT_EQ(behind(links, 0, Port{2}), 3u) << "the others keep their ports";
  EXPECT_EQ(links.raise(middle), Port{3});
  EXPECT_EQ(links.port(middle), Port{3});
  EXPECT_EQ(ports_of(links, 0), (std::vector<Port>{Port{0}, Port{2}, Port{3}}));
  EXPECT_EQ(links.end_of(0, Port{3}), middle);
  EXPECT_EQ(links.end_of(0, Port{1}), no_end) << "the old name is gone for good";
}

TEST(Links, CannotComeUpOrGoDownTwice) {
  Links links(network_of("line", 2));
  EXPECT_THROW(links.raise(0), core::Violation);
  links.lower(0);
  EXPECT_THROW(links.lower(0), core::Violation);
}

TEST(Links, NewLinksBeginDown) {
  Links links(network_of("line", 4));
  links.add(4, {3, 1});  // link 3 comes later
  EXPECT_EQ(links.end_count(), 10u);
  EXPECT_EQ(links.owner(8), 3u);
  EXPECT_EQ(links.owner(9), 1u);
  EXPECT_FALSE(links.up(8));
  EXPECT_FALSE(links.up(9));
  EXPECT_EQ(ports_of(links, 3), std::vector<Port>{Port{0}});
  EXPECT_EQ(links.raise(9), Port{2});
  EXPECT_EQ(behind(links, 1, Port{2}), 3u);
  links.add(3, {0, 2});
  EXPECT_EQ(links.end_count(), 10u);
  EXPECT_EQ(links.raise(6), Port{1});
  EXPECT_EQ(behind(links, 0, Port{1}), 2u);
  EXPECT_TRUE(links.up(9)) << "what was there stays";
}

TEST(Links, AllEndsOfANodeCanGoDownAndComeBack) {
  Links links(network_of("complete", 6));
  std::vector<End> ends(links.ends(2).begin(), links.ends(2).end());
  ASSERT_EQ(ends.size(), 5u);
  for (const End e : ends) links.lower(e);
  EXPECT_TRUE(links.ports(2).empty());
  for (NodeIndex u = 0; u < 6; ++u) {
    if (u != 2) {
      EXPECT_EQ(links.ports(u).size(), 5u) << "the neighbours have not been told";
    }
  }
  for (std::uint32_t i = 0; i < ends.size(); ++i) EXPECT_EQ(links.raise(ends[i]), Port{5 + i});
  for (std::uint32_t i = 0; i < ends.size(); ++i) EXPECT_EQ(links.end_of(2, Port{5 + i}), ends[i]);
}

/// The plain truth: for each node a map from its ports to the ends behind them.
class Model {
 public:
  Model(const Links& links, NodeIndex nodes) : rows_(nodes), next_(nodes) {
    for (NodeIndex u = 0; u < nodes; ++u)
      for (const End e : links.ends(u)) learn(u, links.port(e), e);
  }
  void learn(NodeIndex u, Port port, End e) {
    EXPECT_TRUE(rows_[u].emplace(port, e).second);
    EXPECT_GE(core::raw(port), next_[u]) << "ports are never used twice";
    next_[u] = core::raw(port) + 1;
  }
  void forget(NodeIndex u, Port port) { EXPECT_EQ(rows_[u].erase(port), 1u); }

  void expect_equal(const Links& links, NodeIndex u) const {
    std::vector<Port> ports;
    std::vector<End> ends;
    for (const auto& [port, end] : rows_[u]) {
      ports.push_back(port);
      ends.push_back(end);
    }
    ASSERT_EQ(ports_of(links, u), ports);
    ASSERT_EQ(std::vector<End>(links.ends(u).begin(), links.ends(u).end()), ends);
    for (std::uint32_t p = 0; p < next_[u] + 2; ++p) {
      const auto found = rows_[u].find(Port{p});
      ASSERT_EQ(links.end_of(u, Port{p}), found == rows_[u].end() ? no_end : found->second);
    }
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const End far = Links::sister(ends[i]);
      ASSERT_EQ(links.routes(u)[i].to, links.owner(far));
      if (links.up(far)) {
        ASSERT_EQ(links.routes(u)[i].port, links.port(far));
      }
    }
  }

 private:
  std::vector<std::map<Port, End>> rows_;
  std::vector<std::uint32_t> next_;
};

void random_operations(std::uint64_t seed, const std::string& topology) {
  const NodeIndex n = 12;
  core::Prng prng(seed);
  Links links(network_of(topology, n));
  Model model(links, n);
  for (int i = 0; i < 600; ++i) {
    if (prng.below(20) == 0) {
      const auto a = static_cast<NodeIndex>(prng.below(n));
      const auto b = static_cast<NodeIndex>((a + 1 + prng.below(n - 1)) % n);
      links.add(static_cast<std::uint32_t>(links.end_count() / 2), {a, b});
    }
    const auto e = static_cast<End>(prng.below(links.end_count()));
    const NodeIndex u = links.owner(e);
    if (links.up(e))
      model.forget(u, links.lower(e));
    else
      model.learn(u, links.raise(e), e);
    model.expect_equal(links, u);
    model.expect_equal(links, links.owner(Links::sister(e)));
    if (testing::Test::HasFatalFailure()) return;
  }
  for (NodeIndex u = 0; u < n; ++u) model.expect_equal(links, u);
}

TEST(Links, AgreeWithAMapUnderRandomOperations) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    random_operations(seed, seed % 3 == 0 ? "ring" : seed % 3 == 1 ? "star" : "complete");
    if (HasFailure()) return;
  }
}

TEST(Links, OneWayEndsComeAndGoToo) {
  Links links(network_of("ring", 3, true));
  EXPECT_EQ(links.lower(0), Port{0});
  EXPECT_TRUE(links.ports(0).empty());
  EXPECT_EQ(links.lower(1), Port{1}) << "the listening end";
  EXPECT_EQ(ports_of(links, 1), std::vector<Port>{Port{0}}) << "the way out is another";
  EXPECT_EQ(links.raise(1), Port{2});
  EXPECT_EQ(ports_of(links, 1), std::vector<Port>{Port{0}});
  EXPECT_EQ(links.raise(0), Port{2});
  EXPECT_EQ(behind(links, 0, Port{2}), 1u);
}

/// Says something to all every few milliseconds, for as long as it lives, up to a hundred times.
class Chatterbox {
 public:
  static constexpr std::string_view name = "chatterbox";
  struct Options {
    static constexpr std::tuple<> fields{};
  };
  struct Word {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "word";
    NodeId from{};
    Time said{};
    static constexpr auto fields =
        std::tuple{core::field("from", &Word::from), core::field("said", &Word::said)};
    friend bool operator==(const Word&, const Word&) = default;
  };
  struct Next {
    static constexpr std::tuple<> fields{};
    friend bool operator==(const Next&, const Next&) = default;
  };
  using Message = Word;
  using Timer = Next;
  using Step = core::Step<Message, Timer>;

  Chatterbox() = default;
  Chatterbox(NodeId id, Options) : id_(id) {}
  void start(Step& step) { step.arm(Next{}, 1ms, 3ms); }
  void link_up(Step&, Port) {}
  void link_down(Step&, Port) {}
  void receive(Step& step, Port port, const Word& word) {
    core::invariant(step.peer(port) == word.from, "a message came from the wrong side");
  }
  void timeout(Step& step, Next) {
    step.broadcast(Word{id_, step.now()});
    if (++said_ < 100) step.arm(Next{}, 1ms, 3ms);
  }
  std::optional<NodeId> leader() const { return std::nullopt; }
  friend bool operator==(const Chatterbox&, const Chatterbox&) = default;

 private:
  NodeId id_{};
  int said_ = 0;
};

/// Holds a run against the driver's duties: what may arrive, arrives; nothing else does.
class Referee final : public observe::Observer {
 public:
  explicit Referee(const world::Network& network, bool fifo = true)
      : one_way_(network.direction == graph::Direction::one_way), fifo_(fifo) {
    for (const auto& [a, b] : network.links) {
      up_[{NodeId{a + 1}, NodeId{b + 1}}] = 1;
      up_[{NodeId{b + 1}, NodeId{a + 1}}] = 1;
    }
  }
  void step(const observe::StepRecord& r) override {
    using core::Cause;
    const auto peer = r.peer.value_or(NodeId{});
    if (r.cause == Cause::restart)
      EXPECT_EQ(away_.erase(r.node), 1u);
    else
      EXPECT_FALSE(away_.contains(r.node)) << "a step of a node that is down";
    if (r.cause == Cause::crash) {
      away_.insert(r.node);
      std::erase_if(up_, [&](const auto& each) { return each.first.first == r.node; });
    } else if (r.cause == Cause::link_up) {
      EXPECT_TRUE(up_.emplace(std::pair(r.node, peer), ++incarnations_).second);
    } else if (r.cause == Cause::link_down) {
      up_.erase({r.node, peer});
    } else if (r.cause == Cause::receive) {
      EXPECT_TRUE(take(peer, r.node, r.message.text())) << "sent before its end went down";
      EXPECT_TRUE(listens(r.node, peer)) << "arrived where the end is down";
      const int sequence = flights_[{peer, r.node, r.message.text()}].sequence;
      EXPECT_LE(std::exchange(last_[{peer, r.node}], sequence), fifo_ ? sequence : sequence_);
    }
    for (const auto& send : r.sends) {
      EXPECT_NE(send.fate, observe::Fate::no_link);
      ++sends[{core::raw(r.node), core::raw(send.to)}];
      Flight& flight = flights_[{r.node, send.to, send.message.text()}];
      flight.copies += send.fate == observe::Fate::sent   ? 1
                       : send.fate == observe::Fate::lost ? 0
                                                          : 2;
      flight.incarnation = up_.at({r.node, send.to});
      flight.sequence = ++sequence_;
    }
  }
  void drop(const observe::DropRecord& r) override {
    const bool current = take(r.from, r.to, r.message.text());
    EXPECT_FALSE(current && listens(r.to, r.from)) << "dropped for no reason";
    EXPECT_EQ(r.why == "the link went down", !current) << r.why;
    ++drops[std::string(r.why)];
  }
  void end() override {
    for (const auto& [what, flight] : flights_) EXPECT_EQ(flight.copies, 0) << "never arrived";
  }

  std::map<std::string, int> drops;
  std::map<std::pair<std::uint64_t, std::uint64_t>, int> sends;

 private:
  struct Flight {
    int copies = 0;
    int incarnation = 0;  // of the sender's end
    int sequence = 0;
  };
  /// The far end of a one-way link is never notified: it listens while its node is there.
  bool listens(NodeId node, NodeId to) const {
    return one_way_ ? !away_.contains(node) : up_.contains({node, to});
  }
  /// One copy less; whether the sender's end is still the one that it left from.
  bool take(NodeId from, NodeId to, const std::string& message) {
    Flight& flight = flights_[{from, to, message}];
    EXPECT_GE(--flight.copies, 0) << "never sent: " << message;
    const auto found = up_.find({from, to});
    return found != up_.end() && found->second == flight.incarnation;
  }

  std::map<std::pair<NodeId, NodeId>, int> up_;  // the first was notified of it, which incarnation
  std::set<NodeId> away_;
  std::map<std::tuple<NodeId, NodeId, std::string>, Flight> flights_;
  std::map<std::pair<NodeId, NodeId>, int> last_;  // that has arrived
  int incarnations_ = 1;
  int sequence_ = 0;
  bool one_way_;
  bool fifo_;
};

observe::RunReport run(const scenario::Scenario& scenario, observe::Observer* observer) {
  SimulationOf<Chatterbox> simulation(make_setup(scenario), scenario, {});
  if (observer) simulation.observe(*observer);
  return simulation.run();
}

scenario::Scenario scenario_of(std::string topology, NodeIndex nodes, std::uint64_t seed = 1) {
  scenario::Scenario scenario;
  scenario.seed = seed;
  scenario.network.topology = std::move(topology);
  scenario.network.nodes = nodes;
  return scenario;
}

TEST(LinksInARun, EveryMessageFaresAsTheContractSays) {
  std::map<std::string, int> drops;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    scenario::Scenario scenario = scenario_of(seed % 2 ? "grid" : "ring", 9, seed);
    const bool fifo = seed % 3 != 0;
    scenario.channel = {.order = fifo ? world::Order::fifo : world::Order::unordered,
                        .loss = 0.1,
                        .duplicate = 0.1,
                        .delay = world::Delay::uniform,
                        .min = 100us,
                        .max = 20ms};
    scenario.notify.max = seed % 4 ? 10ms : 0ms;
    scenario.changes.links = {100, 15ms, 0s, 250ms};
    scenario.changes.crashes = {20, 15ms, seed % 2 == 0, 0s, 250ms};
    if (seed % 4 == 1) scenario.changes.markov = {0.02, 0.1, 10ms, 250ms};
    Referee referee(make_setup(scenario).network, fifo);
    const auto report = run(scenario, &referee);
    EXPECT_EQ(report.violation, "");
    EXPECT_EQ(report.ended, observe::Ended::quiescent);
    EXPECT_EQ(report.fingerprint, run(scenario, nullptr).fingerprint);
    for (const auto& [why, count] : referee.drops) drops[why] += count;
    if (HasFailure()) return;
  }
  EXPECT_GT(drops["the link went down"], 100);
  EXPECT_GT(drops["the receiver's end is down"], 100);
}

TEST(LinksInARun, AOneWayRingCarriesMessagesClockwise) {
  scenario::Scenario scenario = scenario_of("ring", 5);
  scenario.network.one_way = true;
  Referee referee(make_setup(scenario).network);
  const auto report = run(scenario, &referee);
  EXPECT_EQ(report.violation, "");
  EXPECT_EQ(report.messages, 500u);
  EXPECT_EQ(referee.sends,
            (std::map<std::pair<std::uint64_t, std::uint64_t>, int>{
                {{1, 2}, 100}, {{2, 3}, 100}, {{3, 4}, 100}, {{4, 5}, 100}, {{5, 1}, 100}}));
  const auto alone = run(scenario, nullptr);
  EXPECT_EQ(alone.violation, "");
  EXPECT_EQ(alone.fingerprint, report.fingerprint);
}

TEST(LinksInARun, ALinkInAOneWayRingComesBack) {
  scenario::Scenario scenario = scenario_of("ring", 3);
  scenario.network.one_way = true;
  scenario.changes.script = {{50ms, world::ChangeKind::link_down, NodeId{1}, NodeId{2}},
                             {100ms, world::ChangeKind::link_up, NodeId{1}, NodeId{2}},
                             {120ms, world::ChangeKind::crash, NodeId{3}},
                             {140ms, world::ChangeKind::restart, NodeId{3}}};
  Referee referee(make_setup(scenario).network);
  EXPECT_EQ(run(scenario, &referee).violation, "");
  EXPECT_LT((referee.sends[{1, 2}]), 85);
  EXPECT_GT((referee.sends[{1, 2}]), 60);
  EXPECT_GT((referee.sends[{2, 3}]), 80);
  EXPECT_GT((referee.sends[{3, 1}]), 100) << "born anew, it has more to say";
}

/// The lost ports that nodes are notified of.
class Losses final : public observe::Observer {
 public:
  void step(const observe::StepRecord& r) override {
    if (r.cause == core::Cause::link_down) lost.emplace_back(core::raw(r.node), core::raw(*r.peer));
  }
  std::vector<std::pair<std::uint64_t, std::uint64_t>> lost;
};

TEST(LinksInARun, WhoOnlyListensIsNotToldOfALoss) {
  scenario::Scenario scenario = scenario_of("ring", 3);
  scenario.network.one_way = true;
  scenario.changes.script = {{50ms, world::ChangeKind::crash, NodeId{2}},
                             {60ms, world::ChangeKind::restart, NodeId{2}, NodeId{}, true}};
  Losses losses;
  run(scenario, &losses);
  // Node 1 loses its way to 2; node 2, when it is back, its way to 3 but no port that it never had.
  EXPECT_EQ(losses.lost, (decltype(losses.lost){{1, 2}, {2, 3}}));
}

/// A link that is numbered before another but comes after it: its place is empty for a while.
TEST(LinksInARun, ACrashTakesDownTheLinksOfItsNodeOnly) {
  scenario::Scenario scenario = scenario_of("line", 5);
  scenario.changes.script = {{30ms, world::ChangeKind::link_up, NodeId{2}, NodeId{4}},
                             {10ms, world::ChangeKind::link_up, NodeId{3}, NodeId{5}},
                             {20ms, world::ChangeKind::crash, NodeId{5}},
                             {40ms, world::ChangeKind::crash, NodeId{1}}};
  Referee referee(make_setup(scenario).network);
  run(scenario, &referee);
  EXPECT_GT((referee.sends[{2, 4}]), 50) << "nobody told node 2 that its link is down";
  EXPECT_GT((referee.sends[{4, 2}]), 50);
}

}  // namespace
}  // namespace bellwether::sim
