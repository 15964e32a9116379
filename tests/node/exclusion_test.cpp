// SPDX-License-Identifier: MIT
// Within one component no two commands of `bellwether lock` run at once, whatever is frozen, killed
// or slow: each command leaves a mark every few milliseconds, with the clock that all hosts share.
#include <csignal>
#include <fstream>
#include <map>

#include "node/bed_fixture.hpp"
#include "node/flock.hpp"

namespace bellwether::bed {
namespace {

/// One run of a command on one host, by its marks.
struct CommandRun {
  std::size_t host = 0;
  double first = 0, last = 0;
};

class Exclusion : public BedTest {
 protected:
  /// With an election by a map node 2 leads whenever it can.
  void begin(const SpawnOptions& spawn = {}) {
    network.lan(2);
    flock = std::make_unique<Flock>(network, by_map());
    flock->start(0);
    flock->start(1, {}, spawn);
    ASSERT_TRUE(flock->settle_on(1)) << flock->logs();
    for (std::size_t i = 0; i < 2; ++i) locks.push_back(lock(i));
    ASSERT_TRUE(runs_on(1)) << logs();
  }
  Process lock(std::size_t i) {
    return network[i].spawn({node_program(), "lock", "--socket", flock->socket(i), "--lease",
                             "1500ms", "--", "/bin/sh", "-c",
                             "while :; do echo $$ $(cut -d' ' -f1 /proc/uptime) >> " + marks(i) +
                                 "; sleep 0.02; done"});
  }
  std::string marks(std::size_t i) const {
    return flock->folder().path("marks" + std::to_string(i));
  }
  std::string logs() const { return flock->logs() + locks[0].log() + locks[1].log(); }

  std::vector<CommandRun> runs() const {
    std::vector<CommandRun> out;
    for (std::size_t i = 0; i < 2; ++i) {
      std::ifstream in(marks(i));
      std::map<long, CommandRun> by_process;
      long process = 0;
      double at = 0;
      while (in >> process >> at) {
        CommandRun& run = by_process.try_emplace(process, CommandRun{i, at, at}).first->second;
        run.last = std::max(run.last, at);
      }
      for (const auto& [number, run] : by_process) out.push_back(run);
    }
    std::sort(out.begin(), out.end(), [](auto& a, auto& b) { return a.first < b.first; });
    return out;
  }
  /// A new command has begun on this host since this was asked last.
  bool runs_on(std::size_t i) {
    return eventually([&] {
      const auto all = runs();
      if (all.size() <= known || all.back().host != i) return false;
      known = all.size();
      return true;
    });
  }
  /// In ticks of a hundredth of a second, which is what the clock shows.
  void expect_one_at_a_time() const {
    const auto all = runs();
    for (std::size_t k = 1; k < all.size(); ++k)
      EXPECT_GE(all[k].first, all[k - 1].last)
          << "host " << all[k].host + 1 << " began before host " << all[k - 1].host + 1
          << " had ended\n"
          << logs();
  }

  Network network;
  std::unique_ptr<Flock> flock;
  std::vector<Process> locks;
  std::size_t known = 0;
};

TEST_F(Exclusion, TheLeadersDaemonIsFrozenAndThaws) {
  begin();
  flock->daemon(1).stop();
  ASSERT_TRUE(runs_on(0)) << logs();
  flock->daemon(1).cont();
  ASSERT_TRUE(runs_on(1)) << logs();
  expect_one_at_a_time();
}

TEST_F(Exclusion, TheLeadersDaemonIsKilled) {
  begin();
  flock->kill(1);
  ASSERT_TRUE(runs_on(0)) << logs();
  flock->start(1);
  ASSERT_TRUE(runs_on(1)) << logs();
  expect_one_at_a_time();
}

/// The kernel ends it, and the command; then another node is to lead.
TEST_F(Exclusion, TheLockOfTheLeaderIsFrozen) {
  begin();
  locks[1].kill(SIGSTOP);
  flock->client(1).resign();
  ASSERT_TRUE(runs_on(0)) << logs();
  EXPECT_EQ(locks[1].wait(patience), 137);
  expect_one_at_a_time();
}

TEST_F(Exclusion, TheLockOfTheLeaderIsKilled) {
  begin();
  locks[1].kill(SIGKILL);
  flock->client(1).resign();
  ASSERT_TRUE(runs_on(0)) << logs();
  expect_one_at_a_time();
}

/// Daemon and lock together, as when a machine stands still, but not the command.
TEST_F(Exclusion, DaemonAndLockOfTheLeaderAreFrozen) {
  begin();
  locks[1].kill(SIGSTOP);
  flock->daemon(1).stop();
  ASSERT_TRUE(runs_on(0)) << logs();
  flock->daemon(1).cont();
  locks[1] = lock(1);
  ASSERT_TRUE(runs_on(1)) << logs();
  expect_one_at_a_time();
}

/// Its command still runs; the other lock must wait until the kernel has killed both.
TEST_F(Exclusion, ASecondLockOfTheNodeWaitsForTheFrozenFirst) {
  begin();
  locks[1].kill(SIGSTOP);
  Process second = lock(1);
  ASSERT_TRUE(runs_on(1)) << logs() << second.log();
  EXPECT_EQ(locks[1].wait(patience), 137);
  expect_one_at_a_time();
}

TEST_F(Exclusion, ASecondLockOfTheNodeWaitsForTheEndOfTheFirst) {
  begin();
  Process second = lock(1);
  ASSERT_TRUE(eventually([&] {
    return second.log().find("waiting: another lock named \"default\"") != std::string::npos;
  })) << second.log();
  locks[1].kill(SIGTERM);
  EXPECT_EQ(locks[1].wait(patience), 143);
  ASSERT_TRUE(runs_on(1)) << logs() << second.log();
  expect_one_at_a_time();
}

TEST_F(Exclusion, TheMachineIsBusy) {
  begin();
  const auto loops = busy_loops(4);
  flock->daemon(1).stop();
  ASSERT_TRUE(runs_on(0)) << logs();
  flock->daemon(1).cont();
  ASSERT_TRUE(runs_on(1)) << logs();
  locks[1].kill(SIGSTOP);
  flock->client(1).resign();
  ASSERT_TRUE(runs_on(0)) << logs();
  expect_one_at_a_time();
}

/// The default election, in which a node that comes back need not lead again.
TEST_F(Exclusion, WhoeverLeadsByDefaultRunsAlone) {
  network.lan(2);
  flock = std::make_unique<Flock>(network);
  flock->start_all();
  ASSERT_TRUE(flock->settle()) << flock->logs();
  for (std::size_t i = 0; i < 2; ++i) locks.push_back(lock(i));
  std::size_t leader = flock->leading_place();
  ASSERT_TRUE(runs_on(leader)) << logs();
  for (int round = 0; round < 2; ++round) {
    flock->daemon(leader).stop();
    ASSERT_TRUE(runs_on(1 - leader)) << logs();
    flock->daemon(leader).cont();
    ASSERT_TRUE(flock->settle()) << logs();
    ASSERT_TRUE(flock->leading_place() != leader || runs_on(leader)) << logs();
    leader = flock->leading_place();
  }
  expect_one_at_a_time();
}

/// Setting the wall clock of the leader is no event; and the lease does not follow it.
TEST_F(Exclusion, TheClockOfTheLeaderJumps) {
#ifdef BELLWETHER_CLOCK_JUMP
  if (is_other_build()) GTEST_SKIP() << "a sanitizer wants to be loaded before the other clock";
  const TestFolder folder;
  const std::string clock = folder.write("clock", "0\n");
  begin({.environment = {{"LD_PRELOAD", BELLWETHER_CLOCK_JUMP}, {"CLOCK_JUMP_FILE", clock}}});
  for (const long seconds : {3600L, -7200L}) {
    folder.write("clock", std::to_string(seconds) + "\n");
    ASSERT_TRUE(flock->hear_each_other(flock->all())) << flock->logs();
    flock->daemon(1).stop();
    ASSERT_TRUE(runs_on(0)) << logs();
    flock->daemon(1).cont();
    ASSERT_TRUE(runs_on(1)) << logs();
  }
  expect_one_at_a_time();
#else
  GTEST_SKIP() << "a sanitizer must be loaded first, and so the clock cannot be";
#endif
}

/// Two components, two commands: that cannot be excluded. Once they are one, one of them stops.
TEST_F(Exclusion, AfterACableWasOutOneCommandIsLeft) {
  begin();
  network.pull(network[1]);
  ASSERT_TRUE(runs_on(0)) << logs();
  network.plug(network[1]);
  ASSERT_TRUE(flock->settle_on(1)) << flock->logs();
  const auto last_mark = [&](std::size_t host) {
    double out = 0;
    for (const CommandRun& run : runs())
      if (run.host == host) out = std::max(out, run.last);
    return out;
  };
  EXPECT_TRUE(eventually([&] { return last_mark(1) > last_mark(0) + 1; })) << logs();
}

}  // namespace
}  // namespace bellwether::bed
