// SPDX-License-Identifier: MIT
// Vasudevan, Kurose, Towsley (2004): the most valued node of every component, some time after the
// last change; no leader is named during an election. And where it fails: loss.
#include "bellwether/algorithms/moving/vasudevan.hpp"

#include "bellwether/graph/distances.hpp"
#include "claims/rivals.hpp"

namespace bellwether::claims {
namespace {

using algorithms::Vasudevan;
using world::ChangeKind;

RunReport run(const Scenario& s) {
  const RunReport r = simulate<Vasudevan>(s);
  EXPECT_EQ(r.violation, "");
  EXPECT_EQ(r.ended, observe::Ended::deadline);  // heartbeats never end
  return r;
}

std::uint64_t flood(std::uint64_t nodes, std::uint64_t links) {
  return 2 * links - nodes + 1;
}

/// The values that the option names.
std::vector<std::uint64_t> values(const std::string& option, const world::Network& network) {
  return option == "degree" ? degrees(network) : std::vector<std::uint64_t>(network.nodes);
}

TEST(VasudevanClaims, OneComputationCostsThreeFloodsAndThreeTimesTheDepth) {
  for (std::uint64_t seed = 0; seed < 110; ++seed) {
    Scenario s = static_network(seed);
    s.stop.time = seconds(19);  // before the first heartbeat
    const auto network = world::build_network(s.network, seed);
    if (!connected(network)) continue;
    const auto ids = world::assign_ids(s.network, network.nodes, seed);
    const std::string value = seed % 2 == 0 ? "id" : "degree";
    set_option(s, "value", value);
    s.start.nodes = {ids[seed % network.nodes]};
    const RunReport r = run(s);
    SCOPED_TRACE("seed " + std::to_string(seed));
    EXPECT_TRUE(r.agreed);
    EXPECT_EQ(named(r), best_of_each(network, ids, values(value, network)));
    EXPECT_EQ(r.messages, 3 * flood(network.nodes, network.links.size()));
    const auto depth =
        graph::eccentricity(graph::Graph(network.nodes, network.links, network.direction),
                            static_cast<NodeIndex>(seed % network.nodes));
    // Out; at the far end a question to each other neighbour and its answer; back; out again.
    EXPECT_LE(last_change(r), core::seconds((3 * depth + 2) * unit) + 1e-9);
  }
}

TEST(VasudevanClaims, ManyAtOnceCostAtMostAsManyTimesThat) {
  for (std::uint64_t seed = 0; seed < 220; ++seed) {
    Scenario s = static_network(seed);
    s.stop.time = seconds(19);
    s.start.initiators = 1 + seed % 16;
    if (seed % 3 == 0) s.start.window = milliseconds(30);
    random_delays(s);
    const auto network = world::build_network(s.network, seed);
    if (!connected(network)) continue;
    const auto ids = world::assign_ids(s.network, network.nodes, seed);
    const RunReport r = run(s);
    SCOPED_TRACE("seed " + std::to_string(seed));
    EXPECT_TRUE(r.agreed);
    EXPECT_EQ(named(r), (std::vector{NodeId{network.nodes}}));
    EXPECT_LE(r.messages, s.start.initiators * 3 * flood(network.nodes, network.links.size()));
    EXPECT_LE(last_change(r), 1.0);
  }
}

TEST(VasudevanClaims, OvertakenAndDoubledMessagesDoNoHarm) {
  for (std::uint64_t seed = 0; seed < 220; ++seed) {
    Scenario s = static_network(seed);
    s.stop.time = seconds(100);
    random_delays(s);
    s.channel.order = world::Order::unordered;
    s.channel.duplicate = 0.2;
    const auto network = world::build_network(s.network, seed);
    const auto ids = world::assign_ids(s.network, network.nodes, seed);
    const RunReport r = run(s);
    SCOPED_TRACE("seed " + std::to_string(seed));
    EXPECT_TRUE(r.agreed);
    EXPECT_EQ(named(r), best_of_each(network, ids, values("id", network)));
    EXPECT_LE(last_change(r), 1.0);
  }
}

TEST(VasudevanClaims, AHeartbeatIsOneFlood) {
  for (const char* topology : {"ring", "grid", "complete", "star"}) {
    Scenario s = on(topology, 16);
    const std::uint64_t m = world::build_network(s.network, 1).links.size();
    s.stop.time = seconds(30);
    const std::uint64_t before = run(s).messages;
    s.stop.time = seconds(130);
    EXPECT_EQ(run(s).messages - before, 5 * flood(16, m)) << topology;
  }
}

/// When some live node was without a leader; and that it was in an election, or asleep, then.
class Leaderless final : public core::Monitor<Vasudevan> {
 public:
  explicit Leaderless(std::vector<Time>& times) : times_(times) {}
  std::string_view name() const override { return "leaderless"; }
  std::string_view says() const override { return "no leader is named in elections only"; }
  void after(const core::Snapshot<Vasudevan>& seen, const core::Happening& event) override {
    const Vasudevan& node = seen.node(event.node);
    core::invariant(node.leader().has_value() != (node.electing() || node.asleep()), says());
    if (seen.alive(event.node) && !node.leader()) times_.push_back(seen.clock(event.node));
  }

 private:
  std::vector<Time>& times_;
};

TEST(VasudevanClaims, ADeadLeaderIsMissedAfterSixHeartbeatsAndThenReplacedAtOnce) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Scenario s = static_network(seed);
    const auto network = world::build_network(s.network, seed);
    const auto ids = world::assign_ids(s.network, network.nodes, seed);
    const NodeId top = best_of_each(network, ids, values("id", network)).front();
    const auto rest = without(network, place_of(ids, top));
    auto expected = best_of_each(rest, ids, values("id", rest));
    std::erase(expected, top);
    s.changes.script = {{seconds(50), ChangeKind::crash, top, {}, false}};
    s.stop.time = seconds(200);
    sim::SimulationOf<Vasudevan> simulation(core::hosted<Vasudevan>({}), sim::make_setup(s), s);
    core::Monitors<Vasudevan> monitors = Vasudevan::monitors();
    std::vector<Time> leaderless;
    monitors.push_back(std::make_unique<Leaderless>(leaderless));
    simulation.watch(std::move(monitors));
    const RunReport r = simulation.run();
    SCOPED_TRACE("seed " + std::to_string(seed));
    EXPECT_EQ(r.violation, "");
    EXPECT_TRUE(r.agreed);
    EXPECT_EQ(named(r), expected);
    // Its last heartbeat was at 40 s.
    for (const Time at : leaderless)
      EXPECT_TRUE(at < seconds(1) || (at >= seconds(160) && at < seconds(161))) << at.count();
    EXPECT_GE(last_change(r), 160);
    EXPECT_LE(last_change(r), 161);
  }
}

TEST(VasudevanClaims, PartsThatMeetCompareTheirLeadersWithoutAnElection) {
  Scenario s = on("grid", 16);
  s.network.rows = s.network.columns = 4;
  s.properties = {"all"};
  const auto id = [](std::uint64_t i) { return NodeId{i}; };
  s.changes.partitions = {{seconds(50),
                           false,
                           {{id(1), id(2), id(3), id(4), id(5), id(6), id(7), id(8)},
                            {id(9), id(10), id(11), id(12), id(13), id(14), id(15), id(16)}}}};
  s.stop.time = seconds(159);
  EXPECT_EQ(named(run(s)), (std::vector{NodeId{16}, NodeId{16}})) << "not missed yet";
  s.stop.time = seconds(200);
  RunReport r = run(s);
  EXPECT_EQ(named(r), (std::vector{NodeId{8}, NodeId{16}}));
  EXPECT_TRUE(r.agreed);
  const double changes = metric(r, "leader_changes");
  s.changes.partitions.push_back({seconds(200), true, {}});
  s.stop.time = seconds(600);
  r = run(s);
  EXPECT_EQ(named(r), (std::vector{NodeId{16}}));
  EXPECT_LE(last_change(r), core::seconds(seconds(200) + 8 * unit));
  EXPECT_EQ(metric(r, "leader_changes"), changes + 8) << "nobody was without one in between";
}

TEST(VasudevanClaims, AfterChurnAllNameTheHighestIdAgain) {
  for (std::uint64_t seed = 0; seed < 330; ++seed) {
    Scenario s = static_network(seed);
    random_delays(s);
    s.notify = {Duration{0}, milliseconds(20)};
    if (seed % 5 == 0) s.channel.order = world::Order::unordered;
    if (seed % 7 == 0) s.channel.duplicate = 0.1;
    s.changes.links = {20, milliseconds(100), Time{0}, seconds(2)};
    if (seed % 2 == 0)
      s.changes.crashes = {5, milliseconds(100), seed % 4 == 0, Time{0}, seconds(2)};
    set_option(s, "heartbeat", "200 ms");  // so that elections and changes interfere
    set_option(s, "missed", "2");
    s.stop.time = seconds(20);
    const auto network = world::build_network(s.network, seed);
    const auto ids = world::assign_ids(s.network, network.nodes, seed);
    const RunReport r = run(s);
    SCOPED_TRACE("seed " + std::to_string(seed));
    EXPECT_TRUE(r.agreed);
    EXPECT_EQ(named(r), best_of_each(network, ids, values("id", network)));
    EXPECT_LE(last_change(r), 5.0);
  }
}

// An expected failure. Nothing is repeated: with seed 1 a message of the first election is lost on
// a line of four, and a node waits for an ack, or for the result, as long as its link is up. In an
// election no timer runs, so two hours later it still names no leader.
TEST(VasudevanClaims, FailsWithLossAnElectionMayNeverEnd) {
  Scenario s = on("line", 4, 1);
  s.channel.loss = 0.1;
  s.stop.time = std::chrono::hours(2);
  sim::SimulationOf<Vasudevan> simulation(core::hosted<Vasudevan>({}), sim::make_setup(s), s);
  const RunReport r = simulation.run();
  bool electing = false;
  for (NodeIndex u = 0; u < 4; ++u) electing = electing || simulation.node(u).electing();
  EXPECT_TRUE(electing);
  EXPECT_FALSE(r.agreed);
  EXPECT_LE(last_change(r), 1.0);
}

}  // namespace
}  // namespace bellwether::claims
