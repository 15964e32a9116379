// SPDX-License-Identifier: MIT
// What goes wrong in real networks, and that it heals.
#include <algorithm>
#include <map>

#include "node/bed_fixture.hpp"
#include "node/flock.hpp"

namespace bellwether::bed {
namespace {

class Faults : public BedTest {
 protected:
  /// Five on a LAN that have elected a leader.
  void begin(std::size_t hosts = 5, const FlockOptions& options = {}) {
    network.lan(hosts);
    flock = std::make_unique<Flock>(network, options);
    flock->start_all();
    ASSERT_TRUE(flock->settle()) << flock->logs();
    ASSERT_TRUE(flock->are_all_linked(flock->all())) << flock->logs();
    ASSERT_TRUE(flock->settle()) << flock->logs();
    leader = flock->leading_place();
    others = flock->all_but(leader);
  }
  std::uint64_t changes() const {
    std::uint64_t sum = 0;
    for (const std::size_t i : flock->all()) sum += flock->metric(i, "leader_changes_total");
    return sum;
  }
  Network network;
  std::unique_ptr<Flock> flock;
  std::size_t leader = 0;
  Places others;
};

TEST_F(Faults, TheLeaderIsKilled) {
  begin();
  const auto before = flock->client(0).leader().epoch;
  flock->kill(leader);
  ASSERT_TRUE(flock->settle({others})) << flock->logs();
  for (const std::size_t i : others) EXPECT_GT(flock->client(i).leader().epoch, before);
}

TEST_F(Faults, TheLeadersCableIsPulledInSilence) {
  begin();
  network.pull(network[leader]);
  ASSERT_TRUE(flock->settle({others, {leader}})) << flock->logs();
  // The isolated node leads itself, and claims no other member.
  EXPECT_EQ(flock->client(leader).members().members.size(), 1u);
  network.plug(network[leader]);
  ASSERT_TRUE(flock->settle()) << flock->logs();
}

TEST_F(Faults, TheLeaderLosesItsCarrierAndIsFoundAgain) {
  begin(3);
  network.unplug_with_carrier(network[leader]);
  ASSERT_TRUE(flock->settle({others, {leader}})) << flock->logs();
  network.plug(network[leader]);
  ASSERT_TRUE(flock->settle()) << flock->logs();
}

TEST_F(Faults, ARestartedNodeComesBackWithALaterEpoch) {
  begin(3);
  const auto before = flock->client(0).leader().epoch;
  flock->kill(leader);
  flock->start(leader);  // before any node has missed it
  ASSERT_TRUE(flock->settle()) << flock->logs();
  EXPECT_GE(flock->client(leader).leader().epoch, before);
  EXPECT_GE(flock->metric(others.front(), "reborn_total"), 1u);
}

TEST_F(Faults, TheEpochSurvivesARestartOfAll) {
  network.lan(1);
  Flock lone(network);
  const std::string state = lone.folder().path("epoch");
  lone.start(0, {"--state", state});
  ASSERT_TRUE(lone.settle());
  const auto before = lone.client(0).leader().epoch;
  EXPECT_GT(before, 0u);
  lone.kill(0);
  lone.start(0, {"--state", state});
  ASSERT_TRUE(lone.settle());
  EXPECT_GT(lone.client(0).leader().epoch, before);
}

TEST_F(Faults, PartsElectAndMerge) {
  begin(6);
  network.partition({{network[0], network[1], network[2]}, {network[3], network[4], network[5]}});
  ASSERT_TRUE(flock->settle({{0, 1, 2}, {3, 4, 5}})) << flock->logs();
  std::map<std::uint64_t, std::uint64_t> epochs;  // of the leaders of the parts
  for (std::size_t i = 0; i < 6; ++i) {
    const auto said = flock->client(i).leader();
    ASSERT_TRUE(said.leader);
    epochs[*said.leader] = std::max(epochs[*said.leader], said.epoch);
  }
  network.heal();
  ASSERT_TRUE(flock->settle()) << flock->logs();
  // The present leader holds a token above those of the replaced leaders. One that stays may keep
  // its own: it is the same leader.
  const auto fenced = [&](std::size_t i) {
    const auto now = flock->client(i).leader();
    return std::all_of(epochs.begin(), epochs.end(), [&](const auto& each) {
      return each.first == now.leader ? now.epoch >= each.second : now.epoch > each.second;
    });
  };
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_TRUE(eventually([&] { return fenced(i); })) << flock->logs();
}

/// In a map, each link is told by both of its ends.
TEST_F(Faults, ALinkThatWorksOneWayIsNoLinkInAMap) {
  begin(3, by_map());
  network.block(network[2], network[0]);  // 1 does not hear 3, which hears it
  EXPECT_TRUE(eventually([&] { return flock->hops(0, 2) == 2; })) << flock->logs();
  EXPECT_TRUE(eventually([&] { return flock->hops(2, 0) == 2; })) << flock->logs();
  EXPECT_TRUE(flock->settle_on(1)) << flock->logs();  // the only one with two neighbours
}

TEST_F(Faults, HearingIsNotTransitive) {
  begin(4);
  network.cut(network[0], network[3]);
  network.cut(network[0], network[2]);
  network.cut(network[1], network[3]);  // a line 1 - 2 - 3 - 4 on one LAN
  EXPECT_TRUE(eventually([&] { return flock->hops(0, 3) == 3; })) << flock->logs();
  ASSERT_TRUE(flock->settle()) << flock->logs();
}

TEST_F(Faults, AFifthOfAllFramesIsLost) {
  begin(4);
  network.lose(20);
  std::this_thread::sleep_for(2s);
  ASSERT_TRUE(eventually([&] { return flock->common_leader(flock->all()).has_value(); }));
  leader = flock->leading_place();
  flock->kill(leader);
  network.heal();
  ASSERT_TRUE(flock->settle({flock->all_but(leader)})) << flock->logs();
}

TEST_F(Faults, AFrozenLeaderIsReplacedAndClaimsNothingWhenItWakes) {
  begin(3, by_map({.timeout = 2s}));
  flock->daemon(2).stop();
  ASSERT_TRUE(flock->settle({{0, 1}})) << flock->logs();
  const std::string before = flock->log(2);
  flock->daemon(2).cont();
  ASSERT_TRUE(flock->settle_on(2)) << flock->logs();
  const std::string woken = flock->log(2).substr(before.size());
  // It follows another node, or none, until it has listened; then it leads all three.
  EXPECT_EQ(woken.find("leader=3 was=1 "), std::string::npos) << woken;
  EXPECT_EQ(woken.find("leader=3 was=2 "), std::string::npos) << woken;
  EXPECT_NE(woken.find("leader=3 was=none "), std::string::npos) << woken;
}

TEST_F(Faults, AFrozenLeaderIsReplacedAndAgreesWhenItWakes) {
  begin(3);
  flock->daemon(leader).stop();
  ASSERT_TRUE(flock->settle({others})) << flock->logs();
  flock->daemon(leader).cont();
  ASSERT_TRUE(flock->settle()) << flock->logs();
}

/// All timers of all nodes ring late, by more than a timeout: each blames itself, none another.
/// How they tolerate a busy machine is measured by `make bench-node`.
TEST_F(Faults, AMachineThatStandsStillIsNoReasonToElect) {
  begin(3, {.timeout = 2s});
  const auto before = changes();
  for (const std::size_t i : flock->all()) flock->daemon(i).stop();
  std::this_thread::sleep_for(3s);  // from five timeouts on it is another fault
  for (const std::size_t i : flock->all()) flock->daemon(i).cont();
  ASSERT_TRUE(flock->hear_each_other(flock->all())) << flock->logs();
  EXPECT_EQ(changes(), before) << flock->logs();
  for (const std::size_t i : flock->all())
    EXPECT_NE(flock->log(i).find("timers ring late"), std::string::npos) << flock->log(i);
}

TEST_F(Faults, WhoLeavesSaysSo) {
  begin(3, unhurried_by_map());  // without a goodbye no node would miss it
  const auto before = flock->client(0).leader().epoch;
  EXPECT_EQ(flock->stop(2), 0);
  EXPECT_FALSE(std::filesystem::exists(flock->socket(2)));
  ASSERT_TRUE(flock->settle({{0, 1}})) << flock->logs();
  EXPECT_GT(flock->client(0).leader().epoch, before);
  EXPECT_TRUE(eventually([&] { return flock->metric(0, "neighbours") == 1; }));
}

TEST_F(Faults, AFollowerThatLeavesIsNoMemberAnyMore) {
  begin(3, unhurried());  // without a goodbye no node would miss it
  EXPECT_EQ(flock->stop(others[0]), 0);
  ASSERT_TRUE(flock->settle({{leader, others[1]}})) << flock->logs();
  EXPECT_TRUE(eventually([&] { return flock->metric(leader, "neighbours") == 1; }));
}

TEST_F(Faults, ResignPauseResumeAndPriority) {
  begin(3, unhurried_by_map());
  flock->client(2).resign();
  ASSERT_TRUE(eventually([&] { return flock->common_leader(flock->all()) == 2u; }))
      << flock->logs();
  flock->client(1).pause();
  ASSERT_TRUE(eventually([&] { return flock->common_leader(flock->all()) == 1u; }));
  flock->client(0).pause();  // only the node that resigned is eligible
  ASSERT_TRUE(eventually([&] { return flock->common_leader(flock->all()) == 3u; }));
  flock->client(2).pause();
  ASSERT_TRUE(eventually(
      [&] { return !flock->client(0).leader().leader && !flock->client(2).leader().leader; }));
  EXPECT_EQ(flock->client(0).leader().role, "leaderless");
  for (std::size_t i = 0; i < 3; ++i) flock->client(i).resume();
  ASSERT_TRUE(eventually([&] { return flock->common_leader(flock->all()) == 3u; }));
  flock->client(0).set_priority(200);
  ASSERT_TRUE(eventually([&] { return flock->common_leader(flock->all()) == 1u; }));
}

TEST_F(Faults, ALoneSurvivorLeads) {
  begin(3);
  flock->kill(leader);
  flock->kill(others[0]);
  ASSERT_TRUE(flock->settle({{others[1]}})) << flock->logs();
}

TEST_F(Faults, TheMiddleOfALineDies) {
  Network chain;
  chain.line(5);
  Flock line(chain);
  line.start_all();
  ASSERT_TRUE(line.settle()) << line.logs();
  line.kill(2);
  ASSERT_TRUE(line.settle({{0, 1}, {3, 4}})) << line.logs();
  line.start(2);
  ASSERT_TRUE(line.settle()) << line.logs();
}

TEST_F(Faults, DelayJitterDuplicatesAndReordering) {
  Network slow;
  Cable& cable = slow.cabled_lan(4, 3);
  cable.set({.delay = 5ms, .jitter = 10ms, .loss = 0.05, .duplicate = 0.2, .reorder = 0.2});
  Flock flock_on_cable(slow);
  flock_on_cable.start_all();
  ASSERT_TRUE(flock_on_cable.settle()) << flock_on_cable.logs();
  cable.pull(3);
  ASSERT_TRUE(flock_on_cable.settle({{0, 1, 2}, {3}})) << flock_on_cable.logs();
  cable.plug(3);
  ASSERT_TRUE(flock_on_cable.settle()) << flock_on_cable.logs();
}

}  // namespace
}  // namespace bellwether::bed
