// SPDX-License-Identifier: MIT
// bellwether lock against a node that leads, stops leading, freezes, dies and comes back.
#include "bellwether/operate/fake_daemon_test.hpp"

namespace bellwether::operate_test {
namespace {

/// The leader has led for longer than the leases of these tests.
std::string lead_of(std::uint64_t leader, std::uint64_t epoch, int since_ms = 5 * 3'600'000) {
  return leadership(leader, epoch, since_ms);
}

class LockTest : public testing::Test {
 protected:
  /// `lock OPTIONS -- sh -c SCRIPT`; the script finds its folder in $0.
  std::vector<std::string> lock(std::vector<std::string> options, const std::string& script) {
    std::vector<std::string> words{"lock", "--socket", folder_.socket()};
    words.insert(words.end(), options.begin(), options.end());
    // However busy the machine is, who listens has the time to say that it stops, and the node that
    // to answer.
    if (std::find(options.begin(), options.end(), "--lease") == options.end())
      words.insert(words.end(), {"--lease", "3h"});
    for (const std::string& word :
         {std::string("--"), std::string("sh"), std::string("-c"), script, folder_.file("")})
      words.push_back(word);
    return words;
  }
  std::string file(const std::string& name) const { return content_of(folder_.file(name)); }
  bool appears(const std::string& name, const std::string& text) const {
    return eventually([&] { return file(name).find(text) != std::string::npos; });
  }
  /// The process whose number is in a file has ended.
  bool gone(const std::string& name) const {
    return eventually([&] { return ::kill(std::atoi(file(name).c_str()), 0) != 0; });
  }
  /// A signal ends the lock, sooner or later; command and child end with it.
  void expect_nothing_left_after(int number, const std::vector<std::string>& options = {}) {
    Talker talker(lock(options,
                       "(trap '' TERM; echo $$ > $0/ready; sleep 1000) & echo $! > $0/child;"
                       "echo $$ > $0/pid; while :; do sleep 0.01; done"));
    FakeDaemon node(folder_.socket(), lead_of(3, 5));
    talker.go();
    ASSERT_TRUE(appears("ready", "\n"));
    ASSERT_TRUE(appears("pid", "\n"));
    talker.signal(number);
    EXPECT_EQ(talker.wait(), 137);
    EXPECT_TRUE(gone("pid"));
    EXPECT_TRUE(gone("child"));
  }

  SocketFolder folder_;
};

/// Records when it starts, with which epoch and ids, and when it is asked to stop.
const std::string diary =
    "trap 'echo stopped >> $0/log; exit 0' TERM; echo $$ > $0/pid;"
    "echo started $BELLWETHER_EPOCH $BELLWETHER_ID $BELLWETHER_LEADER >> $0/log;"
    "while :; do sleep 0.01; done";

TEST_F(LockTest, EndsWithTheStatusOfTheCommand) {
  for (const auto& [script, status] : std::vector<std::pair<std::string, int>>{
           {"exit 0", 0}, {"exit 7", 7}, {"kill -9 $$", 137}}) {
    Talker talker(lock({}, script));
    FakeDaemon node(folder_.socket(), lead_of(3, 5));
    EXPECT_EQ(talker.go().wait(), status) << script << talker.err();
  }
}

TEST_F(LockTest, HandsTheCommandItsWordsAndTheEpoch) {
  Talker talker({"lock", "--quiet", "--socket", folder_.socket(), "--", "sh", "-c",
                 "printf '<%s>' \"$@\" $BELLWETHER_EPOCH $BELLWETHER_ID $BELLWETHER_LEADER", "-",
                 "[x,y]", "", "--json", "-h", "--", "--socket=5", "a b", "{}"});
  FakeDaemon node(folder_.socket(), lead_of(3, 5));
  EXPECT_EQ(talker.go().wait(), 0);
  EXPECT_EQ(talker.out(), "<[x,y]><><--json><-h><--><--socket=5><a b><{}><5><3><3>");
  EXPECT_EQ(talker.err(), "");
}

TEST_F(LockTest, RunsOnlyWhileThisNodeLeads) {
  Talker talker(lock({}, diary));
  FakeDaemon node(folder_.socket(), lead_of(7, 4));
  talker.go();
  ASSERT_TRUE(eventually([&] { return node.requests("GET /v1/events") == 1; }));
  node.set(lead_of(9, 5));
  EXPECT_EQ(file("log"), "");
  node.set(lead_of(3, 6));
  ASSERT_TRUE(appears("log", "started 6 3 3\n"));
  node.set(lead_of(7, 7));
  ASSERT_TRUE(appears("log", "stopped\n"));
  EXPECT_TRUE(gone("pid"));
  EXPECT_TRUE(talker.says("stopping sh: 7 leads (epoch 7, for 5 h 0 min)"));
  node.set(lead_of(3, 8));
  ASSERT_TRUE(appears("log", "started 8 3 3\n"));
  node.set(lead_of(0, 9));
  ASSERT_TRUE(appears("log", "started 6 3 3\nstopped\nstarted 8 3 3\nstopped\n"));
  EXPECT_FALSE(talker.over());
}

/// A lead of a moment, as there is when groups meet, starts nothing.
TEST_F(LockTest, WaitsUntilTheLeadHasSettled) {
  const auto young = [](std::uint64_t leader, std::uint64_t epoch) {
    return lead_of(leader, epoch, 1);
  };
  Talker talker(lock({"--lease", "600ms"}, diary));
  FakeDaemon node(folder_.socket(), young(7, 4));
  talker.go();
  ASSERT_TRUE(eventually([&] { return node.requests("GET /v1/events") == 1; }));
  node.set_all({young(3, 5), young(7, 6), young(3, 7)});
  ASSERT_TRUE(eventually([&] { return node.requests("POST /v1/lock") > 0; }));
  EXPECT_EQ(file("log"), "") << "it was asked, and said that it is young";
  node.set(lead_of(3, 7));
  ASSERT_TRUE(appears("log", "started"));
  EXPECT_TRUE(file("log").starts_with("started 7 3 3\n")) << file("log");
  Talker bad({"lock", "--settle", "soon", "--", "true"});
  EXPECT_EQ(bad.go().wait(), 2);
  EXPECT_NE(bad.err().find("--settle: \"soon\" is not a time"), std::string::npos) << bad.err();
}

TEST_F(LockTest, OnceEndsWhenTheLeadIsLost) {
  Talker talker(lock({"--once"}, diary));
  FakeDaemon node(folder_.socket(), lead_of(3, 5));
  talker.go();
  ASSERT_TRUE(appears("log", "started 5"));
  node.set(lead_of(7, 6));
  EXPECT_EQ(talker.wait(), 3);
  EXPECT_TRUE(appears("log", "stopped\n"));
}

TEST_F(LockTest, WhoDoesNotListenIsKilledWithAllItsChildren) {
  Talker talker(lock({"--grace", "50ms", "--once"},
                     "trap '' TERM; (trap '' TERM; echo $$ > $0/ready; sleep 1000) & "
                     "echo $! > $0/child; echo $$ > $0/pid; while :; do sleep 0.01; done"));
  FakeDaemon node(folder_.socket(), lead_of(3, 5));
  talker.go();
  ASSERT_TRUE(appears("ready", "\n"));
  ASSERT_TRUE(appears("pid", "\n"));
  node.set(lead_of(7, 6));
  EXPECT_EQ(talker.wait(), 3);
  EXPECT_TRUE(gone("pid"));
  EXPECT_TRUE(gone("child"));
}

TEST_F(LockTest, WhatTheCommandLeavesBehindIsStopped) {
  Talker talker(lock({"--grace", "50ms"}, "sleep 1000 & echo $! > $0/child; exit 7"));
  FakeDaemon node(folder_.socket(), lead_of(3, 5));
  EXPECT_EQ(talker.go().wait(), 7);
  EXPECT_TRUE(gone("child"));
}

TEST_F(LockTest, AStoppedCommandIsStopped) {
  Talker talker(lock({"--once"},
                     "trap 'echo stopped > $0/log; exit 0' TERM; echo $$ > $0/pid;"
                     "while :; do sleep 0.01; done"));
  FakeDaemon node(folder_.socket(), lead_of(3, 5));
  talker.go();
  ASSERT_TRUE(appears("pid", "\n"));
  ::kill(std::atoi(file("pid").c_str()), SIGSTOP);
  node.set(lead_of(7, 6));
  EXPECT_EQ(talker.wait(), 3);
  EXPECT_EQ(file("log"), "stopped\n");
}

TEST_F(LockTest, WaitsForANodeThatIsNotThere) {
  Talker talker(lock({}, diary));
  talker.go();
  ASSERT_TRUE(
      talker.says("waiting for the node: " + folder_.socket() + ": there is no such socket"));
  FakeDaemon node(folder_.socket(), lead_of(3, 5));
  EXPECT_TRUE(appears("log", "started 5"));
}

TEST_F(LockTest, ANodeThatDiesStopsTheCommandAndOneThatComesBackStartsIt) {
  Talker talker(lock({}, diary));
  {
    FakeDaemon node(folder_.socket(), lead_of(3, 5));
    talker.go();
    ASSERT_TRUE(appears("log", "started 5"));
  }
  ASSERT_TRUE(appears("log", "stopped\n"));
  EXPECT_TRUE(talker.says("is the daemon running?"));
  FakeDaemon node(folder_.socket(), lead_of(3, 6));
  EXPECT_TRUE(appears("log", "started 6"));
}

TEST_F(LockTest, AFrozenNodeStopsTheCommand) {
  Talker talker(lock({"--once", "--lease", "3s"}, diary));
  FakeDaemon node(folder_.socket(), lead_of(3, 5));
  talker.go();
  ASSERT_TRUE(appears("log", "started 5"));
  node.freeze();
  EXPECT_EQ(talker.wait(), 3);
  EXPECT_TRUE(appears("log", "stopped\n"));
  // The question, not the silence of the stream: that would be noticed after 40 s.
  EXPECT_TRUE(talker.says("no complete reply within 1.5 s"));
}

TEST_F(LockTest, WhatOnlyTheQuestionShowsCounts) {
  Talker talker(lock({"--once"}, diary));
  FakeDaemon node(folder_.socket(), lead_of(3, 5));
  talker.go();
  ASSERT_TRUE(appears("log", "started 5"));
  node.set_quietly(lead_of(7, 6));
  EXPECT_EQ(talker.wait(), 3);
}

TEST_F(LockTest, AStreamThatIsCutStopsNothingWhileTheNodeLeads) {
  Talker talker(lock({"--once"}, diary));
  FakeDaemon node(folder_.socket(), lead_of(3, 5));
  talker.go();
  ASSERT_TRUE(appears("log", "started 5"));
  for (std::size_t i = 1; i <= 3; ++i) {
    ASSERT_TRUE(eventually([&] { return node.requests("GET /v1/events") == i; }));
    node.cut_streams();
  }
  ASSERT_TRUE(eventually([&] { return node.requests("GET /v1/events") == 4; }));
  EXPECT_EQ(file("log"), "started 5 3 3\n");
  node.set(lead_of(7, 6));
  EXPECT_EQ(talker.wait(), 3);
}

TEST_F(LockTest, AnEpochThatGrewWhileNobodyListenedStopsTheCommand) {
  Talker talker(lock({"--once"}, diary));
  FakeDaemon node(folder_.socket(), lead_of(3, 5));
  talker.go();
  ASSERT_TRUE(appears("log", "started 5"));
  node.set_quietly(lead_of(3, 7));  // another node may have led with 6
  node.cut_streams();
  EXPECT_EQ(talker.wait(), 3);
  EXPECT_TRUE(talker.says("the epoch is 7, no longer 5"));
}

TEST_F(LockTest, ALeaderThatIsLiftedGoesOn) {
  Talker talker(lock({"--once"}, diary));
  FakeDaemon node(folder_.socket(), lead_of(3, 5));
  talker.go();
  ASSERT_TRUE(appears("log", "started 5"));
  node.set(lead_of(3, 8));
  const std::size_t before = node.requests("POST /v1/lock");
  ASSERT_TRUE(eventually([&] { return node.requests("POST /v1/lock") >= before + 2; }));
  EXPECT_EQ(file("log"), "started 5 3 3\n");
  EXPECT_FALSE(talker.over());
}

/// The node is asked, is lifted and says so on the stream; only then comes the answer, with the old
/// epoch. It is older news, and no sign of a lead that was lost.
TEST_F(LockTest, AnAnswerOlderThanTheStreamStopsNothing) {
  Talker talker(lock({"--once"}, diary));
  FakeDaemon node(folder_.socket(), lead_of(3, 5));
  talker.go();
  ASSERT_TRUE(appears("log", "started 5"));
  const std::size_t before = node.requests("POST /v1/lock");
  node.answer_late();
  ASSERT_TRUE(eventually([&] { return node.requests("POST /v1/lock") > before; }));
  node.set(lead_of(3, 8));
  const std::size_t asked = node.requests("POST /v1/lock");
  ASSERT_TRUE(
      eventually([&] { return talker.over() || node.requests("POST /v1/lock") >= asked + 2; }));
  EXPECT_EQ(file("log"), "started 5 3 3\n");
  EXPECT_FALSE(talker.over()) << talker.err();
}

TEST_F(LockTest, RenewStartsTheCommandAgainWithTheNewEpoch) {
  Talker talker(lock({"--renew"}, diary));
  FakeDaemon node(folder_.socket(), lead_of(3, 5));
  talker.go();
  ASSERT_TRUE(appears("log", "started 5"));
  node.set(lead_of(3, 8));
  EXPECT_TRUE(appears("log", "started 5 3 3\nstopped\nstarted 8 3 3\n"));
}

TEST_F(LockTest, InterruptedItStopsTheCommandFirst) {
  for (const int number : {SIGTERM, SIGINT}) {
    ::unlink(folder_.file("log").c_str());
    Talker talker(lock({}, diary));
    FakeDaemon node(folder_.socket(), lead_of(3, 5));
    talker.go();
    ASSERT_TRUE(appears("log", "started 5"));
    talker.signal(number);
    EXPECT_EQ(talker.wait(), 128 + number);
    EXPECT_EQ(file("log"), "started 5 3 3\nstopped\n");
  }
}

TEST_F(LockTest, InterruptedWhileItWaitsItEnds) {
  Talker talker(lock({}, diary));
  FakeDaemon node(folder_.socket(), lead_of(7, 5));
  talker.go();
  ASSERT_TRUE(eventually([&] { return node.requests("GET /v1/events") == 1; }));
  talker.signal(SIGTERM);
  EXPECT_EQ(talker.wait(), 143);
  EXPECT_EQ(file("log"), "");
}

TEST_F(LockTest, ASecondSignalDoesNotWaitForTheGrace) {
  Talker talker(
      lock({"--grace", "1h"}, "trap '' TERM; echo $$ > $0/pid; while :; do sleep 0.01; done"));
  FakeDaemon node(folder_.socket(), lead_of(3, 5));
  talker.go();
  ASSERT_TRUE(appears("pid", "\n"));
  talker.signal(SIGINT);
  ASSERT_TRUE(talker.says("stopping sh: interrupted"));
  talker.signal(SIGINT);
  EXPECT_EQ(talker.wait(), 130);
  EXPECT_TRUE(gone("pid"));
}

TEST_F(LockTest, NothingOfTheCommandOutlivesALockThatIsKilled) {
  expect_nothing_left_after(SIGKILL);
}

/// Only the kernel is left to stop the command in time.
TEST_F(LockTest, ALockThatIsFrozenIsKilledWithItsCommand) {
  expect_nothing_left_after(SIGSTOP, {"--lease", "3s"});
}

/// The stream says that this node leads, and so does an answer; but it is too young a leader.
TEST_F(LockTest, StartsNothingBeforeALeaseIsOver) {
  Talker talker(lock({}, diary));
  FakeDaemon node(folder_.socket(), lead_of(3, 5, 3 * 3'600'000));  // a lease, but not settled
  talker.go();
  ASSERT_TRUE(eventually([&] { return node.requests("POST /v1/lock") > 1; }));
  EXPECT_EQ(file("log"), "");
  node.set(lead_of(3, 6));
  EXPECT_TRUE(appears("log", "started 6 3 3\n"));
}

/// The node leads, and another lock of it has the lease: also if that one is frozen.
TEST_F(LockTest, ASecondLockOfTheNodeWaitsForTheFirst) {
  Talker first(lock({}, "echo first > $0/first; while [ ! -e $0/end ]; do sleep 0.01; done"));
  Talker second(lock({}, "echo second > $0/second"));
  FakeDaemon node(folder_.socket(), lead_of(3, 5));
  first.go();
  ASSERT_TRUE(appears("first", "first"));
  second.go();
  ASSERT_TRUE(second.says("waiting: another lock named \"default\" on this node has the lease"));
  EXPECT_EQ(file("second"), "");
  std::ofstream(folder_.file("end")) << "now\n";
  EXPECT_EQ(first.wait(), 0);
  EXPECT_EQ(second.wait(), 0);
  EXPECT_EQ(file("second"), "second\n");
}

TEST_F(LockTest, BadInput) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{"lock"}, "required"},
      {{"lock", "--"}, "required"},
      {{"lock", "sleep", "5"}, "write -- before the command: bellwether lock -- sleep 5"},
      {{"lock", "--onec", "--", "true"}, "unknown option \"--onec\""},
      {{"lock", "--", "no-such-program-here"}, "no program \"no-such-program-here\""},
      {{"lock", "--", "/etc/passwd"}, "no program \"/etc/passwd\""},
      {{"lock", "--", ""}, "no program \"\""},
      {{"lock", "--grace", "5", "--", "true"}, "--grace: \"5\" is not a time"},
      {{"lock", "--grace", "-5s", "--", "true"}, "--grace: \"-5s\" is not a time"},
      {{"lock", "--lease", "10ms", "--", "true"},
       "--lease: \"10ms\" is not a time from 300 ms to 24 h"},
      {{"lock", "--grace", "5s", "--", "true"},
       "--grace: must be at most a third of --lease = 3 s; write --lease 15 s on all nodes"},
      {{"lock", "--name", "a b", "--", "true"}, "--name: \"a b\" is not a name"},
      {{"lock", "--socket", "localhost:0", "--", "true"}, "\"localhost:0\" has no port"}};
  for (const auto& [words, sentence] : cases) {
    Talker talker(words);
    EXPECT_EQ(talker.go().wait(), 2) << sentence;
    EXPECT_NE(talker.err().find(sentence), std::string::npos) << talker.err();
    const std::string said = talker.err();
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  }
}

}  // namespace
}  // namespace bellwether::operate_test
