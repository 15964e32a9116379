// SPDX-License-Identifier: MIT
// Daemons on loopback: where no namespaces can be had, this still runs. Each has the others as
// peers.
#include <gtest/gtest.h>

#include <csignal>

#include "node/daemons_on_loopback.hpp"

namespace bellwether::bed {
namespace {

/// No node takes silence for a loss: nothing happens but what a test does.
const std::vector<std::string> unhurried_words{"--timeout", "10min",       "--listen-first",
                                               "300ms",     "--algorithm", "cel-2"};
/// With a map the highest id leads here.
const std::vector<std::string> map_words{"--algorithm", "cel-2"};

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != text.npos; at += part.size()) ++count;
  return count;
}

TEST(Loopback, ThreeElectAndElectAgain) {
  DaemonsOnLoopback nodes(3, map_words);
  ASSERT_TRUE(nodes.agree({0, 1, 2}, 3)) << nodes.logs();
  const auto before = nodes.client(0).leader().epoch;
  nodes.process(2).kill(SIGKILL);
  ASSERT_TRUE(nodes.agree({0, 1}, 2)) << nodes.logs();
  EXPECT_GT(nodes.client(0).leader().epoch, before);
  nodes.start(2);
  ASSERT_TRUE(nodes.agree({0, 1, 2}, 3)) << nodes.logs();
  nodes.process(2).kill(SIGTERM);
  EXPECT_EQ(nodes.process(2).wait(patience), 0);
  ASSERT_TRUE(nodes.agree({0, 1}, 2)) << nodes.logs();
}

/// Whoever it is.
TEST(Loopback, ThreeElectByDefaultAndElectAgain) {
  DaemonsOnLoopback nodes(3);
  ASSERT_TRUE(nodes.agree({0, 1, 2})) << nodes.logs();
  const auto first = nodes.client(0).leader();
  const std::size_t leader = *first.leader - 1;
  const Places others{(leader + 1) % 3, (leader + 2) % 3};
  nodes.process(leader).kill(SIGKILL);
  ASSERT_TRUE(eventually([&] {
    return nodes.agree(others) && nodes.client(others[0]).leader().leader != first.leader;
  })) << nodes.logs();
  EXPECT_GT(nodes.client(others[0]).leader().epoch, first.epoch);
  nodes.start(leader);
  ASSERT_TRUE(nodes.agree({0, 1, 2})) << nodes.logs();
}

TEST(Loopback, AMessageReachesTheLeader) {
  DaemonsOnLoopback nodes(2);
  ASSERT_TRUE(nodes.agree({0, 1})) << nodes.logs();
  const std::size_t leader = nodes.client(0).leader().is_leader ? 0 : 1;
  nodes.client(1 - leader).to_leader("hello");
  const auto inbox = nodes.client(leader).inbox(0, 1min);
  ASSERT_EQ(inbox.messages.size(), 1u);
  EXPECT_EQ(inbox.messages[0].payload, "hello");
}

/// They are both wrong, but the group goes on, and every node that hears both says so.
TEST(Loopback, TwoNodesWithOneIdDoNotUpsetAThird) {
  DaemonsOnLoopback nodes(3, unhurried_words);
  ASSERT_TRUE(nodes.agree({0, 1, 2}, 3)) << nodes.logs();
  nodes.process(1).kill(SIGTERM);
  EXPECT_EQ(nodes.process(1).wait(patience), 0);
  const auto before = nodes.metric(0, "leader_changes_total");
  nodes.start(1, 3);
  for (const std::size_t place : {0u, 1u, 2u})
    EXPECT_TRUE(eventually([&] {
      try {
        const auto warnings = nodes.client(place).status().warnings;
        // Each says where both are: at the third by two addresses, at the two by the other's.
        return warnings.size() == 1 && warnings[0].starts_with("two nodes use the id 3: ") &&
               count_of(warnings[0], place == 0 ? "127.0.0.1:" : "this node and 127.0.0.1:") ==
                   (place == 0 ? 2 : 1);
      } catch (const client::ClientError&) {
        return false;
      }
    })) << place
        << "\n"
        << nodes.logs();
  // Believed by turns, each of these frames would be a change.
  EXPECT_TRUE(eventually(
      [&] { return nodes.metric(0, "frames_refused_total{reason=\"duplicate-id\"}") > 40; }));
  EXPECT_LE(nodes.metric(0, "leader_changes_total"), before + 8) << nodes.logs();
}

/// The machine of the leader was suspended for longer than a timeout: others may lead by now. It
/// claims nothing before it has listened, though the clock of its timers did not run meanwhile.
TEST(Loopback, ALeaderWhoseMachineWasSuspendedListensFirst) {
#ifdef BELLWETHER_CLOCK_JUMP
  if (is_other_build()) GTEST_SKIP() << "a sanitizer wants to be loaded before the other clock";
  DaemonsOnLoopback nodes(2, unhurried_words);
  nodes.let_clock_jump(1, BELLWETHER_CLOCK_JUMP);
  ASSERT_TRUE(nodes.agree({0, 1}, 2)) << nodes.logs();
  client::EventStream stream(nodes.socket(1), patience);
  const auto next_role = [&](const std::string& wanted) {
    for (;;) {
      const auto event = stream.next(patience);
      if (!event) return false;
      if (event->leadership && event->leadership->role == wanted) return true;
    }
  };
  ASSERT_TRUE(next_role("leading")) << nodes.logs();
  nodes.set_clock(1, 0, 7200);
  ASSERT_TRUE(next_role("listening")) << nodes.logs();
  ASSERT_TRUE(next_role("leading")) << nodes.logs();
  EXPECT_LT(nodes.client(1).leader().since, 1h) << "it leads anew";
#else
  GTEST_SKIP() << "a sanitizer must be loaded first, and so the clock cannot be";
#endif
}

/// A clock that is set, forwards and back, while a node runs and before it starts again: no node
/// changes its leader, and a node from the past is believed.
TEST(Loopback, AClockThatJumpsIsNoEvent) {
#ifdef BELLWETHER_CLOCK_JUMP
  if (is_other_build()) GTEST_SKIP() << "a sanitizer wants to be loaded before the other clock";
  DaemonsOnLoopback nodes(3, unhurried_words);  // less than each jump
  const auto changes = [&] {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < 3; ++i) sum += nodes.metric(i, "leader_changes_total");
    return sum;
  };
  nodes.let_clock_jump(1, BELLWETHER_CLOCK_JUMP);
  ASSERT_TRUE(nodes.agree({0, 1, 2}, 3)) << nodes.logs();
  ASSERT_TRUE(are_all_linked(nodes.clients())) << nodes.logs();
  const auto before = changes();
  for (const long seconds : {3600L, -7200L, 86400L * 365}) {
    nodes.set_clock(1, seconds);
    for (int periods = 0; periods < 5; ++periods)
      ASSERT_TRUE(hear_each_other(nodes.clients())) << seconds << "\n" << nodes.logs();
    EXPECT_EQ(changes(), before) << seconds << "\n" << nodes.logs();
  }
  nodes.set_clock(1, -86400);  // it wakes up yesterday
  nodes.process(1).kill(SIGKILL);
  ASSERT_TRUE(nodes.agree({0, 2}, 3)) << nodes.logs();
  nodes.start(1);
  ASSERT_TRUE(nodes.agree({0, 1, 2}, 3)) << nodes.logs();
  EXPECT_TRUE(eventually([&] { return nodes.client(0).members().members.size() == 3; }));
#else
  GTEST_SKIP() << "a sanitizer must be loaded first, and so the clock cannot be";
#endif
}

}  // namespace
}  // namespace bellwether::bed
