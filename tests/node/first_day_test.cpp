// SPDX-License-Identifier: MIT
// The first day of a new user with a group of three, step by step as docs/node.md has it: what the
// commands print, what hooks run, what warnings say, and what a mistake leaves behind.
#include <csignal>

#include "node/bed_fixture.hpp"
#include "node/flock.hpp"

namespace bellwether::bed {
namespace {

class FirstDay : public BedTest {
 protected:
  void begin(const FlockOptions& options, const std::vector<std::string>& more = {}) {
    network.lan(3);
    flock = std::make_unique<Flock>(network, options);
    for (const std::size_t i : flock->all()) {
      std::vector<std::string> words = more;
      for (const char* event : {"elected", "deposed"})
        if (!more.empty())
          words.insert(words.end(), {"--on-" + std::string(event),
                                     "echo " + std::string(event) + " >> " + hooks_file(i)});
      flock->start(i, words);
    }
    ASSERT_TRUE(flock->settle_on(2)) << flock->logs();
    ASSERT_TRUE(flock->are_all_linked(flock->all())) << flock->logs();
  }
  std::string hooks_file(std::size_t i) const {
    return flock->folder().path("hooks" + std::to_string(i + 1));
  }
  bool hooks_have_run(std::size_t i, const std::string& events) const {
    return eventually([&] { return text_of(hooks_file(i)) == events; });
  }
  Network network;
  std::unique_ptr<Flock> flock;
};

/// Changes of leader in between last for milliseconds, and these hooks wait for seconds.
const FlockOptions with_hooks = by_map({.timeout = 2s});
const std::vector<std::string> hook_words{"--hook-settle", "3s"};

TEST_F(FirstDay, TheLeadersCableIsOutAndInAgainAndNoHookFlaps) {
  begin(with_hooks, hook_words);
  ASSERT_TRUE(hooks_have_run(2, "elected\n")) << flock->logs();
  network.pull(network[2]);
  ASSERT_TRUE(flock->settle_on(1, {0, 1})) << flock->logs();
  ASSERT_TRUE(hooks_have_run(1, "elected\n")) << flock->logs();
  network.plug(network[2]);
  ASSERT_TRUE(flock->settle_on(2)) << flock->logs();
  ASSERT_TRUE(hooks_have_run(1, "elected\ndeposed\n")) << flock->logs();
  EXPECT_EQ(text_of(hooks_file(0)), "") << "node 1 never led for long";
  EXPECT_EQ(text_of(hooks_file(2)), "elected\n") << "node 3 led its component all the while";
}

TEST_F(FirstDay, TheLeaderIsFrozenAndWakesAndNoHookFlaps) {
  begin(with_hooks, hook_words);
  ASSERT_TRUE(hooks_have_run(2, "elected\n")) << flock->logs();
  flock->daemon(2).stop();
  ASSERT_TRUE(flock->settle_on(1, {0, 1})) << flock->logs();
  ASSERT_TRUE(hooks_have_run(1, "elected\n")) << flock->logs();
  flock->daemon(2).cont();
  ASSERT_TRUE(flock->settle_on(2)) << flock->logs();
  ASSERT_TRUE(hooks_have_run(1, "elected\ndeposed\n")) << flock->logs();
  EXPECT_EQ(text_of(hooks_file(0)), "");
  EXPECT_EQ(text_of(hooks_file(2)).find("elected\nelected"), std::string::npos);
}

TEST_F(FirstDay, AllArePausedAndThereIsNoLeader) {
  begin(unhurried_by_map());
  for (const std::size_t i : flock->all()) {
    const Outcome paused = flock->ask(i, {"pause"});
    EXPECT_EQ(paused.status, 0) << paused.err;
    EXPECT_TRUE(paused.out.starts_with("paused; ")) << paused.out;
  }
  ASSERT_TRUE(eventually([&] { return flock->ask(0, {"leader"}).status == 1; })) << flock->logs();
  const std::string line = flock->ask(0, {"leader"}).out;
  EXPECT_TRUE(line.starts_with("no leader: this node (1) is leaderless (epoch ")) << line;
  EXPECT_NE(flock->ask(0, {"status"}).out.find("candidacy  paused: not eligible"),
            std::string::npos);
  EXPECT_EQ(flock->ask(0, {"resume"}).status, 0);
  EXPECT_TRUE(eventually([&] { return flock->common_leader(flock->all()) == 1u; }));
}

TEST_F(FirstDay, APriorityIsANumberFromZero) {
  begin(unhurried_by_map());
  const Outcome negative = flock->ask(0, {"priority", "-5"});
  EXPECT_EQ(negative.status, 2);
  EXPECT_TRUE(negative.err.starts_with("bellwether: N: must be 0 or greater, not -5"))
      << negative.err;
  const Outcome large = flock->ask(0, {"priority", "99999999999"});
  EXPECT_EQ(large.status, 2);
  EXPECT_TRUE(large.err.starts_with("bellwether: N: 99999999999 is too large")) << large.err;
  EXPECT_EQ(flock->ask(0, {"priority", "200"}).status, 0);
  EXPECT_TRUE(eventually([&] { return flock->common_leader(flock->all()) == 1u; }));
}

TEST_F(FirstDay, TwoNodesWithOneIdAreNamedByTheirAddresses) {
  network.lan(3);
  flock = std::make_unique<Flock>(network, unhurried());
  flock->start(0);
  flock->start(1);
  ASSERT_TRUE(flock->settle({{0, 1}})) << flock->logs();
  flock->start(2, {"--id", "2"});
  ASSERT_TRUE(eventually([&] {
    return flock->leadership(0) && flock->client(0).status().warnings.size() == 1;
  })) << flock->logs();
  const std::string warning = flock->client(0).status().warnings[0];
  EXPECT_TRUE(warning.starts_with("two nodes use the id 2: ")) << warning;
  for (const std::size_t i : {1u, 2u})
    EXPECT_NE(warning.find(network[i].link_local() + " on "), std::string::npos) << warning;
  EXPECT_TRUE(eventually([&] { return flock->log(0).find("id 2: fe80") != std::string::npos; }))
      << flock->log(0);
}

TEST_F(FirstDay, AKeyThatDoesNotFitTheDiskLeavesNothingBehind) {
  network.lan(1);
  const TestFolder folder;
  const std::string key = folder.path("k.key");
  const auto keygen = [&](const std::string& before) {
    return network[0].run(
        {"/bin/sh", "-c", before + "; exec " + node_program() + " keygen " + key});
  };
  const Outcome limited = keygen("ulimit -f 0");  // which holds for what it says, too
  EXPECT_EQ(limited.status, 2) << limited.err;
  EXPECT_FALSE(std::filesystem::exists(key));
  const Outcome good = keygen("true");
  EXPECT_EQ(good.status, 0) << good.err;
  const Outcome again = keygen("true");
  EXPECT_EQ(again.status, 2);
  EXPECT_NE(again.err.find("keygen overwrites no file"), std::string::npos) << again.err;
  EXPECT_EQ(text_of(key).size(), 65u);
}

/// Where a file system can be mounted that is really full.
TEST_F(FirstDay, AKeyOnAFullDiskLeavesNothingBehind) {
  network.lan(1);
  const TestFolder folder;
  const std::string disk = folder.path("disk");
  std::filesystem::create_directory(disk);
  const Outcome outcome =
      network[0].run({"unshare", "-m", "/bin/sh", "-c",
                      "mount -t tmpfs -o size=4k none " + disk + " || exit 77; cat /dev/zero > " +
                          disk + "/all 2> /dev/null; " + node_program() + " keygen " + disk +
                          "/k.key; echo status $?; ls " + disk});
  if (outcome.status == 77) GTEST_SKIP() << "nothing can be mounted here";
  EXPECT_EQ(outcome.out, "status 2\nall\n") << outcome.err;
  EXPECT_NE(outcome.err.find("No space left on device"), std::string::npos) << outcome.err;
}

/// A node that cannot start leaves no state, recording, log or socket behind.
TEST_F(FirstDay, AStartThatFailsLeavesNothingBehind) {
  network.lan(1);
  flock = std::make_unique<Flock>(network);
  const TestFolder folder;
  std::string deep = "a";
  for (int i = 0; i < 20000; ++i) deep += ".a";
  const std::string iface = network[0].interfaces()[0];
  const TestFolder elsewhere;
  const std::string deep_file = elsewhere.write("deep.toml", deep + " = 1\n");
  const std::string rho =
      elsewhere.write("rho.toml", "algorithm = \"cel-2\"\n[options]\nrho = 7\n");
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{"--interface", "nowhere0"}, "nowhere0"},
      {{"--interface", iface, "--http", "127.0.0.1:99999"}, "not an address"},
      {{"--interface", iface, "--record", "/dev/full"}, "record: \"/dev/full\" is a device"},
      {{"--interface", iface, "--record", "/tmp"}, "record: \"/tmp\" is a folder"},
      {{"--interface", iface, "--state", "/dev/zero"}, "state: \"/dev/zero\" is a device"},
      {{"--interface", iface, "--state", "/tmp"}, "state: \"/tmp\" is a folder"},
      {{"--interface", iface, "--log-file", "/tmp"}, "log_file: \"/tmp\" is a folder"},
      {{"--interface", iface, "--key", "/dev/zero"}, "/dev/zero: is not a regular file"},
      {{"--interface", iface, "--key", "/tmp"}, "/tmp: is a folder"},
      {{"--interface", iface, "--socket", "/tmp"}, "/tmp is there and is no socket"},
      {{"--config", "/dev/zero"}, "/dev/zero: is a device"},
      {{"--config", "/tmp"}, "/tmp: is a folder"},
      {{"--config", deep_file}, "deep.toml:1: "},
      {{"--config", rho}, "rho.toml: options.rho: must be"},
      {{"--interface", iface, "--period", "292y"}, "period"},
      {{"--interface", iface, "--timeout", "1e30s"}, "timeout"},
      {{"--interface", iface, "--hook-limit", "100000h"}, "hook_limit: must be from 1 ms"},
      {{"--interface", iface, "--listen-first", "-3s"}, "listen_first"},
      {{"--interface", iface, "--port", "70000"}, "port"},
      {{"--interface", iface, "--id", "18446744073709551615"}, "id: must be from 1"},
      {{"--interface", iface, "--most-members", "4294967295"}, "most_members: must be from 2"},
      {{"--interface", iface, "--record-megabytes", "0"}, "record_megabytes: must be from 1"},
  };
  for (const auto& [more, expect] : cases) {
    std::vector<std::string> words{node_program(), "node",
                                   "--id",         "1",
                                   "--key",        flock->key_file(),
                                   "--socket",     folder.path("node.sock"),
                                   "--state",      folder.path("state"),
                                   "--record",     folder.path("record"),
                                   "--log-file",   folder.path("log")};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = network[0].run(words);
    EXPECT_EQ(outcome.status, 2) << expect << "\n" << outcome.err;
    EXPECT_NE(outcome.err.find(expect), std::string::npos) << expect << "\n" << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_TRUE(std::filesystem::is_empty(folder.path(""))) << expect;
  }
  for (const char* path : {"/dev/zero", "/tmp", "/nowhere"}) {
    const Outcome replay = network[0].run({node_program(), "replay", path});
    EXPECT_EQ(replay.status, 2) << path;
    EXPECT_TRUE(replay.err.starts_with(std::string("bellwether: ") + path + ": ")) << replay.err;
  }
}

}  // namespace
}  // namespace bellwether::bed
