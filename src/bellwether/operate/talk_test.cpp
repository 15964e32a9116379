// SPDX-License-Identifier: MIT
// The commands that talk to a node: what they print, what they ask, how they end.
#include "bellwether/operate/fake_daemon_test.hpp"
#include "bellwether/operate/talk_text.hpp"

namespace bellwether::operate_test {
namespace {

using operate::harmless;
using operate::rough_time;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(TalkText, TimesForPeople) {
  EXPECT_EQ(rough_time(42ms), "42 ms");
  EXPECT_EQ(rough_time(999ms), "999 ms");
  EXPECT_EQ(rough_time(5321ms), "5.3 s");
  EXPECT_EQ(rough_time(59'999ms), "59.9 s");
  EXPECT_EQ(rough_time(125s), "2 min 5 s");
  EXPECT_EQ(rough_time(3h + 12min + 40s), "3 h 12 min");
  EXPECT_EQ(rough_time(98h), "4 d 2 h");
}

TEST(TalkText, NothingReachesTheTerminalThatCommandsIt) {
  EXPECT_EQ(harmless("plain text, caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x90\x91"),
            "plain text, caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x90\x91");
  EXPECT_EQ(harmless("\x1b[2J\n\t\x7F"), "\\x1b[2J\\n\\x09\\x7f");
  EXPECT_EQ(harmless("\xC2\x9B"
                     "2J"),
            "\\xc2\\x9b2J");
  EXPECT_EQ(harmless("\xFF\xC3"), "\\xff\\xc3");
  EXPECT_EQ(harmless("\xE2\x82"), "\\xe2\\x82");
}

class TalkTest : public testing::Test {
 protected:
  struct Outcome {
    int status;
    std::string out, err;
  };
  /// With `--socket`, against a node with these answers.
  using Prepare = std::function<void(FakeDaemon&)>;
  Outcome talk(std::vector<std::string> words, const Prepare& prepare,
               const std::string& input = "", const std::string& leader = leadership(7, 12)) {
    words.insert(words.begin() + 1, {"--socket", folder_.socket()});
    Talker talker(words, input);
    FakeDaemon node(folder_.socket(), leader);
    prepare(node);
    const int status = talker.go().wait();
    request_ = node.last_request();
    return {status, talker.out(), talker.err()};
  }
  Outcome talk(const std::vector<std::string>& words, const std::string& leader) {
    return talk(
        words, [](FakeDaemon&) {}, "", leader);
  }

  SocketFolder folder_;
  std::string request_;
};

TEST_F(TalkTest, WhoLeads) {
  Outcome said = talk({"leader"}, leadership(7, 12));
  EXPECT_EQ(said.out, "7 leads (epoch 12, for 5.3 s)\n");
  EXPECT_EQ(said.status, 0);
  said = talk({"leader"}, leadership(3, 13));
  EXPECT_EQ(said.out, "this node (3) leads (epoch 13, for 5.3 s)\n");
  EXPECT_EQ(said.status, 0);
  said = talk({"leader"}, leadership(0, 14));
  EXPECT_EQ(said.out, "no leader: this node (3) is leaderless (epoch 14, for 5.3 s)\n");
  EXPECT_EQ(said.status, 1);
  std::string chain = leadership(7, 12);
  chain.insert(chain.size() - 1, ",\"chain\":[5,7]");
  EXPECT_EQ(talk({"leader"}, chain).out, "7 leads (epoch 12, for 5.3 s); chain 5 7\n");
  std::string near = leadership(7, 12), here = leadership(3, 12);
  near.insert(near.size() - 1, ",\"hops\":1,\"members\":40");
  here.insert(here.size() - 1, ",\"hops\":0,\"members\":1");
  EXPECT_EQ(talk({"leader"}, near).out, "7 leads (epoch 12, for 5.3 s); 1 hop away, 40 members\n");
  EXPECT_EQ(talk({"leader"}, here).out, "this node (3) leads (epoch 12, for 5.3 s); 1 member\n");
  said = talk({"leader", "--json"}, leadership(7, 12));
  EXPECT_EQ(said.out, leadership(7, 12) + "\n");
  EXPECT_EQ(said.status, 0);
}

TEST_F(TalkTest, IsItMe) {
  Outcome said = talk({"leader", "--is-me"}, leadership(3, 13));
  EXPECT_EQ(said.status, 0);
  EXPECT_EQ(said.out, "");
  EXPECT_EQ(talk({"leader", "--is-me"}, leadership(7, 13)).status, 1);
  EXPECT_EQ(talk({"leader", "--is-me"}, leadership(0, 13)).status, 1);
  EXPECT_EQ(talk({"leader", "--is-me", "--json"}, leadership(3, 13)).out, leadership(3, 13) + "\n");
}

TEST_F(TalkTest, NobodyToTalkTo) {
  for (const char* command : {"leader", "status", "members", "watch", "resign", "inbox"}) {
    Talker talker({command, "--socket", folder_.socket()});
    EXPECT_EQ(talker.go().wait(), 2) << command;
    EXPECT_EQ(talker.out(), "");
    const std::string said = talker.err();
    EXPECT_TRUE(contains(said, folder_.socket() +
                                   ": there is no such socket; is the daemon running? "
                                   "start it with: bellwether node"))
        << said;
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1);
  }
  Talker talker({"leader", "--socket", "127.0.0.1:x"});
  EXPECT_EQ(talker.go().wait(), 2);
  EXPECT_TRUE(contains(talker.err(), "\"127.0.0.1:x\" has no port"));
}

TEST_F(TalkTest, StatusForPeopleAndPrograms) {
  std::string json = leadership(7, 12);
  json.pop_back();
  json +=
      R"(,"version":"0.1.0","algorithm":"cel-2","group":"boats","uptime_ms":3600000,)"
      R"("standing":"standing","priority":50,"encrypted":true,"members":4,)"
      R"("neighbours":[{"id":9,"age_ms":5},{"id":4,"age_ms":12}],"interfaces":["eth0","wlan0"],)"
      R"("keys":["a1","b2"],"slack_ms":0})";
  const auto prepare = [&](FakeDaemon& node) { node.answer("GET /v1/status ", json); };
  const Outcome said = talk({"status"}, prepare);
  EXPECT_EQ(said.out, R"(node 3 of group "boats": following

  leader     7 leads (epoch 12, for 5.3 s)
  last heard from the leader's side 42 ms ago
  candidacy  eligible, priority 50
  members    4 nodes
  neighbours 9 (5 ms ago), 4 (12 ms ago)
  interfaces eth0, wlan0
  keys       a1, b2 (the first one encrypts)
  algorithm  cel-2
  uptime     1 h 0 min
  slack      none: timers ring on time
  version    0.1.0
)");
  EXPECT_EQ(said.status, 0);
  EXPECT_EQ(talk({"status", "--json"}, prepare).out, json + "\n");
}

TEST_F(TalkTest, Members) {
  const auto prepare = [](FakeDaemon& node) {
    node.answer("GET /v1/members ",
                R"({"leader":7,"epoch":12,"members":[)"
                R"({"id":3,"hops":0,"via":null,"age_ms":0,"priority":50,"is_leader":false},)"
                R"({"id":7,"hops":2,"via":10042,"age_ms":12,"priority":0,"is_leader":true}]})");
  };
  const Outcome said = talk({"members"}, prepare);
  EXPECT_EQ(said.out, R"(2 members, 7 leads (epoch 12)

   node  hops    via         heard    priority
      3     0      -             -          50  this node
      7     2  10042     12 ms ago           0  leads
)");
  EXPECT_EQ(said.status, 0);
}

TEST_F(TalkTest, Orders) {
  const auto prepare = [](FakeDaemon& node) { node.answer("POST /v1/", leadership(7, 13)); };
  EXPECT_EQ(talk({"resign"}, prepare).out, "resigned; 7 leads (epoch 13, for 5.3 s)\n");
  EXPECT_TRUE(request_.starts_with("POST /v1/resign "));
  EXPECT_EQ(talk({"pause"}, prepare).out, "paused; 7 leads (epoch 13, for 5.3 s)\n");
  EXPECT_TRUE(request_.starts_with("POST /v1/pause "));
  EXPECT_EQ(talk({"resume"}, prepare).out, "eligible again; 7 leads (epoch 13, for 5.3 s)\n");
  EXPECT_TRUE(request_.starts_with("POST /v1/resume "));
  EXPECT_EQ(talk({"priority", "50"}, prepare).out, "priority 50; 7 leads (epoch 13, for 5.3 s)\n");
  EXPECT_TRUE(request_.ends_with("{\"priority\":50}"));
  EXPECT_EQ(talk({"priority", "50", "--json"}, prepare).out, leadership(7, 13) + "\n");
  for (const char* bad : {"-1", "x", "4294967296", "1.5"}) {
    const Outcome said = talk({"priority", bad}, prepare);
    EXPECT_EQ(said.status, 2) << bad;
    EXPECT_NE(said.err, "");
  }
}

TEST_F(TalkTest, AnOrderThatIsRefused) {
  const Outcome said = talk({"resign"}, [](FakeDaemon& node) {
    node.answer("POST /v1/resign ", R"({"error":"nobody else stands"})", "409 Conflict");
  });
  EXPECT_EQ(said.status, 1);
  EXPECT_EQ(said.out, "");
  EXPECT_EQ(said.err, "bellwether: " + folder_.socket() + ": nobody else stands\n");
}

TEST_F(TalkTest, SendFromTheCommandLineAndFromInput) {
  const auto prepare = [](FakeDaemon& node) {
    node.answer("POST /v1/to-", R"({"id":"3-1f-1"})", "202 Accepted");
  };
  EXPECT_EQ(talk({"send", "--to", "leader", "hello you"}, prepare).out,
            "on its way to the leader: 3-1f-1\n");
  EXPECT_TRUE(request_.starts_with("POST /v1/to-leader "));
  EXPECT_TRUE(request_.ends_with("\r\n\r\nhello you"));
  const std::string bytes("\0bytes\n", 7);
  EXPECT_EQ(talk({"send", "--to", "members", "--json"}, prepare, bytes).out,
            "{\"id\":\"3-1f-1\"}\n");
  EXPECT_TRUE(request_.starts_with("POST /v1/to-members "));
  EXPECT_TRUE(request_.ends_with("\r\n\r\n" + bytes));
  EXPECT_EQ(talk({"send", "--to", "leader"}, prepare, std::string(1024, 'x')).status, 0);
  const Outcome long_one = talk({"send", "--to", "leader"}, prepare, std::string(1025, 'x'));
  EXPECT_EQ(long_one.status, 2);
  EXPECT_TRUE(contains(long_one.err, "1024 bytes"));
  EXPECT_EQ(talk({"send", "--to", "nobody", "x"}, prepare).status, 2);
  EXPECT_EQ(talk({"send", "x"}, prepare).status, 2);
}

const std::string two_messages =
    R"({"messages":[{"sequence":5,"id":"a","from":7,"to":"leader","age_ms":3,"text":"hi\u001b"},)"
    R"({"sequence":6,"id":"b","from":8,"to":"members","age_ms":3,"base64":"AP8="}],"next":6})";

TEST_F(TalkTest, Inbox) {
  const auto prepare = [](FakeDaemon& node) {
    node.answer("GET /v1/inbox?after=4 ", two_messages);
  };
  EXPECT_EQ(talk({"inbox", "--after", "4"}, prepare).out,
            "5  from 7 to leader, 3 ms ago: hi\\x1b\n6  from 8 to members, 3 ms ago: "
            "\\x00\\xff\n");
  EXPECT_EQ(talk({"inbox", "--after", "4", "--json"}, prepare).out, two_messages + "\n");
  EXPECT_EQ(
      talk({"inbox"},
           [](FakeDaemon& node) { node.answer("GET /v1/inbox", R"({"messages":[],"next":0})"); })
          .out,
      "no messages\n");
}

TEST_F(TalkTest, InboxFollowsAlsoANodeThatWasStartedAnew) {
  Talker talker({"inbox", "--follow", "--json", "--socket", folder_.socket()});
  std::string status = leadership(7, 12);
  status.pop_back();
  status += ",\"encrypted\":true,\"uptime_ms\":0}";
  const std::string one =
      R"({"sequence":1,"id":"c","from":9,"to":"leader","age_ms":0,"text":"after the restart"})";
  {
    FakeDaemon node(folder_.socket(), leadership(7, 12));
    node.answer("GET /v1/inbox?after=0&wait_ms=0 ", two_messages);
    node.hold("GET /v1/inbox?after=6&wait_ms=20000 ");
    talker.go();
    EXPECT_TRUE(talker.prints("\"sequence\":6")) << talker.out() << talker.err();
  }
  FakeDaemon node(folder_.socket(), leadership(7, 12));
  node.answer("GET /v1/status ", status);
  node.answer("GET /v1/inbox?after=0&", "{\"messages\":[" + one + "],\"next\":1}");
  node.answer("GET /v1/inbox?after=1&", R"({"error":"enough"})", "400 Bad Request");
  EXPECT_EQ(talker.wait(), 1);
  EXPECT_TRUE(contains(talker.out(), "\n" + one + "\n")) << talker.out();
}

TEST_F(TalkTest, WatchPrintsALinePerEventAndComesBack) {
  Talker talker({"watch", "--socket", folder_.socket()});
  {
    FakeDaemon node(folder_.socket(), leadership(7, 12));
    talker.go();
    EXPECT_TRUE(talker.prints("leader   7 leads (epoch 12, for 5.3 s)\n"));
    node.set(leadership(3, 13));
    EXPECT_TRUE(talker.prints("leader   this node (3) leads (epoch 13, for 5.3 s)\n"));
    node.publish("members", R"({"leader":3,"epoch":13,"members":[{"id":3},{"id":9}]})");
    EXPECT_TRUE(talker.prints("members  2 members: 3 9\n"));
    node.publish("message", R"({"sequence":5,"from":7,"to":"leader","text":"hello"})");
    EXPECT_TRUE(talker.prints("message  5 from 7 to leader: hello\n"));
    node.publish("weather", "{\"rain\":true}");
    EXPECT_TRUE(talker.prints("weather  {\"rain\":true}\n"));
  }
  EXPECT_TRUE(talker.says("trying again"));
  FakeDaemon node(folder_.socket(), leadership(9, 20));
  EXPECT_TRUE(talker.prints("leader   9 leads (epoch 20, for 5.3 s)\n"));
  EXPECT_FALSE(talker.over());
}

TEST_F(TalkTest, WatchOnceEndsWithTheStream) {
  Talker talker({"watch", "--once", "--json", "--socket", folder_.socket()});
  FakeDaemon node(folder_.socket(), leadership(7, 12));
  talker.go();
  EXPECT_TRUE(talker.prints(leadership(7, 12) + "\n"));
  node.set(leadership(3, 13));
  EXPECT_TRUE(talker.prints(leadership(3, 13) + "\n"));
  node.cut_streams();
  EXPECT_EQ(talker.wait(), 2);
  EXPECT_EQ(talker.out(), leadership(7, 12) + "\n" + leadership(3, 13) + "\n");
  EXPECT_TRUE(contains(talker.err(), "the node has ended the stream"));
}

}  // namespace
}  // namespace bellwether::operate_test
