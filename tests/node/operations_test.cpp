// SPDX-License-Identifier: MIT
// The daemon as those see it who run it and those who use it: commands, hooks, locks, messages,
// recordings, and everything that can be typed wrong.
#include <sys/stat.h>

#include <csignal>

#include "node/bed_fixture.hpp"
#include "node/flock.hpp"

namespace bellwether::bed {
namespace {

class Operations : public BedTest {
 protected:
  void begin(std::size_t hosts) {
    network.lan(hosts);
    flock = std::make_unique<Flock>(network, unhurried_by_map());
    flock->start_all();
    ASSERT_TRUE(flock->settle_on(hosts - 1)) << flock->logs();
    ASSERT_TRUE(flock->are_all_linked(flock->all())) << flock->logs();
  }
  Network network;
  std::unique_ptr<Flock> flock;
};

TEST_F(Operations, TheCommandsSpeakToTheNode) {
  begin(3);
  const Outcome leader = flock->ask(0, {"leader"});
  EXPECT_EQ(leader.status, 0) << leader.err;
  EXPECT_NE(leader.out.find("3"), std::string::npos);
  EXPECT_NE(flock->ask(0, {"leader", "--json"}).out.find("\"leader\":3"), std::string::npos);
  EXPECT_EQ(flock->ask(2, {"leader", "--is-me"}).status, 0);
  EXPECT_EQ(flock->ask(0, {"leader", "--is-me"}).status, 1);
  EXPECT_NE(flock->ask(0, {"status"}).out.find("cel-2"), std::string::npos);
  EXPECT_NE(flock->ask(0, {"members"}).out.find("3"), std::string::npos);
  EXPECT_EQ(flock->ask(2, {"resign"}).status, 0);
  EXPECT_TRUE(eventually([&] { return flock->common_leader({0, 1, 2}) == 2u; }));
  EXPECT_EQ(flock->ask(2, {"resume"}).status, 0);
  EXPECT_TRUE(eventually([&] { return flock->common_leader({0, 1, 2}) == 3u; }));
}

TEST_F(Operations, MessagesReachTheLeaderAndAllMembers) {
  Network chain;
  chain.line(4);
  Flock line(chain, unhurried());
  line.start_all();
  ASSERT_TRUE(line.settle()) << line.logs();
  const std::size_t leader = line.leading_place();
  const std::size_t far = leader <= 1 ? 3 : 0;
  const std::string id = line.client(far).to_leader("where am I to go?");
  const auto inbox = line.client(leader).inbox(0, 1min);
  ASSERT_EQ(inbox.messages.size(), 1u) << line.logs();
  EXPECT_EQ(inbox.messages[0].payload, "where am I to go?");
  EXPECT_EQ(inbox.messages[0].from, far + 1);
  EXPECT_EQ(inbox.messages[0].id, id);
  EXPECT_TRUE(eventually([&] { return line.metric(far, "messages_confirmed_total") == 1; }));
  const std::string bytes("\x00\xff to all", 9);
  line.client(leader).to_members(bytes);
  for (const std::size_t i : line.all_but(leader)) {
    const auto got = line.client(i).inbox(0, 1min);
    ASSERT_EQ(got.messages.size(), 1u) << i;
    EXPECT_EQ(got.messages[0].payload, bytes);
  }
  EXPECT_EQ(line.client(leader).inbox(inbox.next, 0s).messages.size(), 0u);
}

TEST_F(Operations, HooksRunInOrderWithTheirEnvironment) {
  network.lan(2);
  flock = std::make_unique<Flock>(network, unhurried_by_map());
  const std::string seen = flock->folder().path("seen");
  const std::string command =
      "echo $BELLWETHER_EVENT $BELLWETHER_IS_LEADER $BELLWETHER_LEADER >> " + seen;
  flock->start(0, {"--on-elected", command, "--on-deposed", command});
  ASSERT_TRUE(flock->settle({{0}})) << flock->logs();
  ASSERT_TRUE(eventually([&] { return text_of(seen) == "elected 1 1\n"; })) << text_of(seen);
  flock->start(1);
  ASSERT_TRUE(flock->settle()) << flock->logs();
  EXPECT_TRUE(eventually([&] { return text_of(seen) == "elected 1 1\ndeposed 0 2\n"; }))
      << text_of(seen);
}

TEST_F(Operations, ALockRunsItsCommandOnTheLeaderOnly) {
  begin(2);
  const std::string ran = flock->folder().path("ran");
  const auto lock = [&](std::size_t i) {
    return network[i].spawn({node_program(), "lock", "--socket", flock->socket(i), "--lease", "6s",
                             "--", "/bin/sh", "-c",
                             "trap 'echo end " + std::to_string(i + 1) + " >> " + ran +
                                 "; exit 0' TERM; echo begin " + std::to_string(i + 1) + " >> " +
                                 ran + "; while :; do sleep 0.05; done"});
  };
  Process first = lock(0), second = lock(1);
  ASSERT_TRUE(eventually([&] { return text_of(ran).find("begin 2") != std::string::npos; }));
  EXPECT_EQ(text_of(ran).find("begin 1"), std::string::npos) << text_of(ran);
  flock->client(1).resign();
  ASSERT_TRUE(eventually([&] {
    const std::string text = text_of(ran);
    return text.find("end 2") != std::string::npos && text.find("begin 1") != std::string::npos;
  })) << text_of(ran);
  flock->kill(0);  // the daemon is gone: whether this node leads is unknown
  EXPECT_TRUE(eventually([&] { return text_of(ran).find("end 1") != std::string::npos; }));
}

TEST_F(Operations, ARecordingIsReplayed) {
  network.lan(3);
  flock = std::make_unique<Flock>(network);
  const std::string file = flock->folder().path("node.rec");
  flock->start(0, {"--record", file});
  flock->start(1);
  flock->start(2);
  ASSERT_TRUE(flock->settle()) << flock->logs();
  flock->kill(2);
  ASSERT_TRUE(flock->settle({{0, 1}})) << flock->logs();
  const std::string named =
      "\"leader\":" + std::to_string(flock->client(0).leader().leader.value_or(0));
  EXPECT_EQ(flock->stop(0), 0);
  const Outcome replay = network[0].run({node_program(), "replay", file});
  EXPECT_EQ(replay.status, 0) << replay.err << replay.out;
  EXPECT_NE(replay.out.find("as recorded"), std::string::npos) << replay.out;
  // A recording that says otherwise is found out.
  std::string text = text_of(file);
  const auto at = text.rfind(named);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, named.size(), "\"leader\":9");
  flock->folder().write("wrong.rec", text);
  const Outcome wrong =
      network[0].run({node_program(), "replay", flock->folder().path("wrong.rec")});
  EXPECT_EQ(wrong.status, 1) << wrong.out;
}

/// docs/howto/upgrade-a-group.md: nodes with different elections refuse each other in words, and
/// agree once they have the same.
TEST_F(Operations, AGroupIsMovedToAnotherElection) {
  network.lan(2);
  flock = std::make_unique<Flock>(network);
  flock->start(0, {"--algorithm", "cel-2"});
  flock->start(1);
  ASSERT_TRUE(flock->settle({{0}, {1}})) << flock->logs();
  const auto warned = [&](std::size_t here, const std::string& words) {
    return eventually([&] {
      const auto warnings = flock->client(here).status().warnings;
      return warnings.size() == 1 && warnings[0].find(words) != std::string::npos &&
             flock->log(here).find(words) != std::string::npos;
    });
  };
  EXPECT_TRUE(warned(0, " runs drumbeat, this node runs cel-2: their frames are refused"))
      << flock->logs();
  EXPECT_TRUE(warned(1, " runs cel-2, this node runs drumbeat: their frames are refused"))
      << flock->logs();
  EXPECT_EQ(flock->metric(0, "neighbours"), 0u);
  EXPECT_GT(flock->metric(1, "frames_refused_total{reason=\"other-algorithm\"}"), 0u);
  EXPECT_EQ(flock->stop(0), 0);
  flock->start(0);
  ASSERT_TRUE(flock->settle()) << flock->logs();
}

/// `bellwether node` is the small program where that stands beside it.
TEST_F(Operations, TheLargeProgramRunsASmallNode) {
  const auto large = std::filesystem::path(node_program()).parent_path() / "bellwether";
  if (!std::filesystem::exists(large)) GTEST_SKIP() << large << " has not been built";
  network.lan(1);
  flock = std::make_unique<Flock>(network);
  Process node = network[0].spawn({large.string(), "node", "--id", "1", "--key", flock->key_file(),
                                   "--socket", flock->socket(0)});
  ASSERT_TRUE(flock->settle({{0}})) << node.log();
  const auto runs = std::filesystem::read_symlink("/proc/" + std::to_string(node.pid()) + "/exe");
  EXPECT_EQ(runs.filename(), "bellwether-node");
}

TEST_F(Operations, RootIsDropped) {
  if (geteuid() != 0 || in_own_namespaces()) GTEST_SKIP() << "only root can become another user";
  network.lan(2);
  flock = std::make_unique<Flock>(network);
  chmod(flock->folder().path("").c_str(), 0777);
  flock->start(0, {"--user", "nobody"});
  flock->start(1);
  ASSERT_TRUE(flock->settle()) << flock->logs();
  struct stat info {};
  ASSERT_EQ(stat(("/proc/" + std::to_string(flock->daemon(0).pid())).c_str(), &info), 0);
  EXPECT_NE(info.st_uid, 0u);
}

TEST_F(Operations, WhatIsTypedWrongIsOneSentenceAndStatusTwo) {
  network.lan(1);
  flock = std::make_unique<Flock>(network);
  const std::string key = flock->key_file();
  const std::string iface = network[0].interfaces()[0];
  const TestFolder& folder = flock->folder();
  const std::string bad_key = folder.write("bad.key", "not a key\n");
  const std::string empty_key = folder.write("empty.key", "# nothing\n");
  const std::string open_key = folder.write("open.key", std::string(64, 'a') + "\n");
  chmod(open_key.c_str(), 0644);
  const std::string unknown = folder.write("unknown.toml", "id = 1\nperiodd = \"1s\"\n");
  const std::string broken = folder.write("broken.toml", "id = \n");
  struct Case {
    std::vector<std::string> words;
    std::string expect;
  };
  const std::string socket = folder.path("bad.sock");
  const std::vector<Case> cases{
      {{"--interface", iface}, "keygen"},
      {{"--interface", iface, "--key", folder.path("none.key")}, "no such key file"},
      {{"--interface", iface, "--key", bad_key}, "64 hexadecimal digits"},
      {{"--interface", iface, "--key", empty_key}, "no key"},
      {{"--interface", iface, "--key", open_key}, "chmod 600"},
      {{"--interface", "nowhere0", "--key", key}, "there is none of this name"},
      {{"--interface", iface, "--key", key, "--algorithm", "hieght"}, "did you mean \"height\""},
      {{"--interface", iface, "--key", key, "--algorithm", "flood-max"}, "rounds"},
      {{"--interface", iface, "--key", key, "--algorithm", "bully"}, "complete"},
      {{"--interface", iface, "--key", key, "--period", "soon"}, "duration"},
      {{"--interface", iface, "--key", key, "--period", "100ms", "--timeout", "100ms"}, "twice"},
      {{"--interface", iface, "--key", key, "--algorithm", "cel-2", "--set", "rhoo=1"},
       "did you mean \"rho\""},
      {{"--interface", iface, "--key", key, "--priority", "5", "--algorithm", "height"},
       "has no priorities"},
      {{"--interface", iface, "--key", key, "--plain"}, "exclude each other"},
      {{"--interface", iface, "--key", key, "--user", "nobody-of-this-name"}, "no such user"},
      {{"--interface", iface, "--key", key, "--http", "0.0.0.0:80"}, "loopback"},
      {{"--interface", iface, "--key", key, "--log-file", "/nowhere/log"}, "folder"},
      {{"--interface", iface, "--key", key, "--state", "/nowhere/epoch"}, "folder"},
      {{"--interface", iface, "--key", key, "--record", "/nowhere/rec"}, "folder"},
      {{"--peer", "127.0.0.1:7745", "--interface", iface, "--key", key}, "exclude each other"},
      {{"--peer", "no such host:x", "--key", key}, "HOST:PORT"},
      {{"--config", unknown, "--key", key}, ":2: unknown key \"periodd\"; did you mean"},
      {{"--config", broken, "--key", key}, "broken.toml:1"},
      {{"--config", folder.path("none.toml")}, "none.toml"},
  };
  for (const Case& each : cases) {
    std::vector<std::string> words{node_program(), "node", "--socket", socket};
    words.insert(words.end(), each.words.begin(), each.words.end());
    const Outcome outcome = network[0].run(words);
    EXPECT_EQ(outcome.status, 2) << each.expect << "\n" << outcome.err;
    EXPECT_NE(outcome.err.find(each.expect), std::string::npos) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(socket)) << each.expect;
  }
}

TEST_F(Operations, APortOrASocketInUseIsRefused) {
  begin(1);
  const std::string iface = network[0].interfaces()[0];
  const auto second = [&](const std::string& socket, const std::string& port) {
    return network[0].run({node_program(), "node", "--id", "9", "--key", flock->key_file(),
                           "--interface", iface, "--socket", socket, "--port", port});
  };
  const Outcome port = second(flock->folder().path("other.sock"), "7745");
  EXPECT_EQ(port.status, 2);
  EXPECT_NE(port.err.find("port 7745 is in use"), std::string::npos) << port.err;
  EXPECT_FALSE(std::filesystem::exists(flock->folder().path("other.sock")));
  const Outcome socket = second(flock->socket(0), "7750");
  EXPECT_EQ(socket.status, 2);
  EXPECT_NE(socket.err.find("another daemon"), std::string::npos) << socket.err;
  EXPECT_TRUE(flock->settle()) << "the first one was disturbed";
}

TEST_F(Operations, AConfigurationIsChecked) {
  network.lan(1);
  flock = std::make_unique<Flock>(network);
  const std::string good =
      flock->folder().write("node.toml", "id = 3\nkey = \"" + flock->key_file() +
                                             "\"\ninterface = [\"lan0\"]\nperiod = \"50 "
                                             "ms\"\nalgorithm = \"cel-2\"\n[options]\nrho = 0.5\n");
  const Outcome checked =
      network[0].run({node_program(), "node", "--config", good, "--check-config"});
  EXPECT_EQ(checked.status, 0) << checked.err;
  EXPECT_NE(checked.out.find("good"), std::string::npos);
}

TEST_F(Operations, AReloadThatIsWrongChangesNothing) {
  network.lan(1);
  flock = std::make_unique<Flock>(network);
  const std::string file = flock->folder().write("node.toml", "priority = 100\n");
  flock->start(0, {"--config", file});
  ASSERT_TRUE(flock->settle()) << flock->logs();
  flock->folder().write("node.toml", "priority = 50\n");
  flock->daemon(0).kill(SIGHUP);
  EXPECT_TRUE(eventually([&] { return flock->client(0).status().priority == 50; }));
  flock->folder().write("node.toml", "priority = many\n");
  flock->daemon(0).kill(SIGHUP);
  EXPECT_TRUE(eventually([&] { return flock->log(0).find("reload refused") != std::string::npos; }))
      << flock->log(0);
  EXPECT_EQ(flock->client(0).status().priority, 50u);
}

}  // namespace
}  // namespace bellwether::bed
