// SPDX-License-Identifier: MIT
// The client against a server that answers well, badly, slowly, too much or not at all.
#include "bellwether/client/client.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "bellwether/client/fake_server_test.hpp"

namespace bellwether::client {
namespace {

using namespace std::chrono_literals;
using client_test::FakeServer;
using client_test::Peer;
using client_test::SocketFolder;

const std::string following =
    R"({"id":3,"leader":7,"is_leader":false,"role":"following","epoch":12,"since_ms":5321,)"
    R"("age_ms":42})";
const std::string leading =
    R"({"id":3,"leader":3,"is_leader":true,"role":"leading","epoch":13,"since_ms":1,)"
    R"("age_ms":0,"chain":[9,3]})";
const std::string leaderless =
    R"({"id":3,"leader":null,"is_leader":false,"role":"leaderless","epoch":12,"since_ms":1,)"
    R"("age_ms":0})";
const std::string stream_head =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n\r\n";

std::string event(const std::string& name, const std::string& data, int number = 0) {
  return (number > 0 ? "id: " + std::to_string(number) + "\n" : "") + "event: " + name +
         "\ndata: " + data + "\n\n";
}

/// What `call` complains about.
template <class Call>
ClientError trouble_of(Call&& call) {
  try {
    call();
  } catch (const ClientError& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was wrong";
  return {Trouble::bad_input, ""};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class ClientTest : public testing::Test {
 protected:
  /// A server that gives one answer to everything, and keeps the last request.
  void serve(const std::string& bytes) {
    script([bytes](Peer& peer, const std::string&) { peer.say(bytes); });
  }
  void serve_json(const std::string& body, const std::string& status = "200 OK") {
    script([=](Peer& peer, const std::string&) { peer.answer(body, status); });
  }
  void script(std::function<void(Peer&, const std::string&)> then) {
    server_.reset();
    server_ = std::make_unique<FakeServer>(folder_.socket(), [this, then](Peer& peer) {
      const std::string request = peer.request();
      {
        const std::lock_guard guard(mutex_);
        request_ = request;
      }
      then(peer, request);
    });
  }
  std::string request() {
    const std::lock_guard guard(mutex_);
    return request_;
  }
  Client client(Milliseconds limit = 120s) { return Client(folder_.socket(), limit); }
  ClientError trouble() {
    return trouble_of([&] { client().leader(); });
  }

  SocketFolder folder_;
  std::mutex mutex_;
  std::string request_;
  std::unique_ptr<FakeServer> server_;
};

TEST_F(ClientTest, WhoLeads) {
  serve_json(following);
  const Leadership one = client().leader();
  EXPECT_EQ(one.id, 3u);
  EXPECT_EQ(one.leader, 7u);
  EXPECT_FALSE(one.is_leader);
  EXPECT_EQ(one.role, "following");
  EXPECT_EQ(one.epoch, 12u);
  EXPECT_EQ(one.since, 5321ms);
  EXPECT_EQ(one.age, 42ms);
  EXPECT_TRUE(one.chain.empty());
  EXPECT_TRUE(request().starts_with("GET /v1/leader HTTP/1.1\r\n"));
  serve_json(leading);
  EXPECT_EQ(client().leader().chain, (std::vector<std::uint64_t>{9, 3}));
  serve_json(leaderless);
  EXPECT_EQ(client().leader().leader, std::nullopt);
  serve_json(R"({"id":18446744073709551615,"leader":null,"is_leader":false,"role":"listening",)"
             R"("epoch":0,"new":[]})");
  EXPECT_EQ(client().leader().id, 18446744073709551615u);
}

TEST_F(ClientTest, OverTcpAndInChunks) {
  FakeServer tcp("", [](Peer& peer) {
    peer.request();
    peer.say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (const char c : following) peer.say("1\r\n" + std::string(1, c) + "\r\n");
    peer.say("0\r\n\r\n");
    peer.linger();  // the client must know the end by itself
  });
  EXPECT_EQ(Client(tcp.address(), 120s).leader().leader, 7u);
}

TEST_F(ClientTest, StatusAndMembers) {
  serve_json(leading.substr(0, leading.size() - 1) +
             R"(,"version":"0.1.0","algorithm":"cel-2","group":"boats","uptime_ms":99,)"
             R"("standing":"paused",)"
             R"("priority":50,"encrypted":true,"members":4,"neighbours":[{"id":9,"age_ms":5}],)"
             R"("interfaces":["eth0","wlan0"],"keys":["k1"],"slack_ms":2})");
  const Status status = client().status();
  EXPECT_EQ(status.leadership.epoch, 13u);
  EXPECT_EQ(status.algorithm, "cel-2");
  EXPECT_EQ(status.group, "boats");
  EXPECT_EQ(status.standing, "paused");
  EXPECT_EQ(status.priority, 50u);
  EXPECT_TRUE(status.encrypted);
  EXPECT_EQ(status.members, 4u);
  ASSERT_EQ(status.neighbours.size(), 1u);
  EXPECT_EQ(status.neighbours[0].id, 9u);
  EXPECT_EQ(status.interfaces, (std::vector<std::string>{"eth0", "wlan0"}));
  EXPECT_EQ(status.slack, 2ms);
  serve_json(R"({"leader":9,"epoch":5,"members":[{"id":3,"hops":0,"via":null,"age_ms":0,)"
             R"("priority":1,"is_leader":false},)"
             R"({"id":9,"hops":2,"via":4,"age_ms":7,"priority":0,"is_leader":true}]})");
  const Members members = client().members();
  EXPECT_EQ(members.leader, 9u);
  EXPECT_EQ(members.epoch, 5u);
  ASSERT_EQ(members.members.size(), 2u);
  EXPECT_EQ(members.members[0].via, std::nullopt);
  EXPECT_EQ(members.members[1].via, 4u);
  EXPECT_EQ(members.members[1].hops, 2u);
  EXPECT_TRUE(members.members[1].is_leader);
}

TEST_F(ClientTest, OrdersAndWhatTheNodeSaysToThem) {
  serve_json(following);
  client().resign();
  EXPECT_TRUE(request().starts_with("POST /v1/resign HTTP/1.1\r\n"));
  client().pause();
  EXPECT_TRUE(request().starts_with("POST /v1/pause HTTP/1.1\r\n"));
  client().resume();
  EXPECT_TRUE(request().starts_with("POST /v1/resume HTTP/1.1\r\n"));
  EXPECT_EQ(client().set_priority(50).epoch, 12u);
  EXPECT_TRUE(request().starts_with("POST /v1/priority HTTP/1.1\r\n"));
  EXPECT_TRUE(request().ends_with("\r\n\r\n{\"priority\":50}"));
  serve_json(R"({"error":"nobody else\nstands"})", "409 Conflict");
  const ClientError refused = trouble_of([&] { client().resign(); });
  EXPECT_EQ(refused.trouble(), Trouble::refused);
  EXPECT_EQ(refused.what(), folder_.socket() + ": nobody else stands");
  serve_json("<html>", "500 Oops");
  EXPECT_TRUE(contains(trouble_of([&] { client().resign(); }).what(), "status 500"));
}

TEST_F(ClientTest, MessagesOutAndIn) {
  serve_json(R"({"id":"3-1f-1"})", "202 Accepted");
  const std::string bytes("\0\r\n\xFF payload", 12);
  EXPECT_EQ(client().to_leader(bytes), "3-1f-1");
  EXPECT_TRUE(request().starts_with("POST /v1/to-leader "));
  EXPECT_TRUE(request().ends_with("\r\n\r\n" + bytes));
  EXPECT_EQ(client().to_members(std::string(1024, 'x')), "3-1f-1");
  EXPECT_EQ(trouble_of([&] { client().to_members(std::string(1025, 'x')); }).trouble(),
            Trouble::bad_input);
  serve_json(
      R"({"messages":[{"sequence":5,"id":"a","from":7,"to":"leader","age_ms":3,"text":"hé\n"},)"
      R"({"sequence":6,"id":"b","from":8,"to":"members","age_ms":3,"base64":"AP8Q/g=="}],)"
      R"("next":6})");
  const InboxPage inbox = client().inbox(4, 250ms);
  EXPECT_TRUE(request().starts_with("GET /v1/inbox?after=4&wait_ms=250 "));
  EXPECT_EQ(inbox.next, 6u);
  ASSERT_EQ(inbox.messages.size(), 2u);
  EXPECT_EQ(inbox.messages[0].payload, "hé\n");
  EXPECT_EQ(inbox.messages[0].from, 7u);
  EXPECT_EQ(inbox.messages[1].payload, std::string("\0\xFF\x10\xFE", 4));
  EXPECT_EQ(inbox.messages[1].to, "members");
}

TEST_F(ClientTest, NobodyThere) {
  const ClientError missing = trouble();
  EXPECT_EQ(missing.trouble(), Trouble::unreachable);
  EXPECT_TRUE(contains(missing.what(), folder_.socket()));
  EXPECT_TRUE(contains(missing.what(), "is the daemon running? start it with: bellwether node"));
  {
    // A socket that was left behind by one that is dead.
    sockaddr_un place{};
    place.sun_family = AF_UNIX;
    std::strncpy(place.sun_path, folder_.socket().c_str(), sizeof place.sun_path - 1);
    const int stale = ::socket(AF_UNIX, SOCK_STREAM, 0);
    ASSERT_EQ(::bind(stale, reinterpret_cast<sockaddr*>(&place), sizeof place), 0);
    ::close(stale);
  }
  EXPECT_TRUE(contains(trouble().what(), "no daemon listens there"));
  EXPECT_THROW(Client(""), ClientError);
  EXPECT_TRUE(contains(trouble_of([] { Client("127.0.0.1:1").leader(); }).what(), "127.0.0.1:1"));
}

TEST_F(ClientTest, GarbageAndHalvesAndFloods) {
  serve("SSH-2.0-OpenSSH_9.2\r\n");
  EXPECT_EQ(trouble().trouble(), Trouble::bad_answer);
  serve("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n{\"id");
  EXPECT_EQ(trouble().trouble(), Trouble::bad_answer);
  for (const std::string body :
       {"", "[]", "null", "{}", "{\"id\":3}", "[[[[[[", "\xFF\xFE",
        R"({"id":-3,"leader":7,"is_leader":false,"role":"x","epoch":12})",
        R"({"id":3,"leader":"7","is_leader":false,"role":"x","epoch":12})",
        R"({"id":3,"leader":7,"is_leader":0,"role":"x","epoch":12})",
        R"({"id":3,"leader":7,"is_leader":true,"role":"x","epoch":12})",
        R"({"id":3,"leader":null,"is_leader":true,"role":"x","epoch":12})",
        R"({"id":3,"leader":7,"is_leader":false,"role":"x","epoch":1.5})",
        R"({"id":3,"leader":7,"is_leader":false,"role":"x","epoch":12,"chain":7})"}) {
    serve_json(body);
    EXPECT_EQ(trouble().trouble(), Trouble::bad_answer) << body;
  }
  serve("");
  EXPECT_EQ(trouble().trouble(), Trouble::unreachable);
  serve("HTTP/1.1 200 OK\r\nContent-Length: 400\r\n\r\n{\"id\"");
  EXPECT_EQ(trouble().trouble(), Trouble::unreachable);
  script([](Peer& peer, const std::string&) {
    const std::string flood(1 << 16, ' ');
    peer.say("HTTP/1.1 200 OK\r\n\r\n");
    while (peer.say(flood)) {
    }
  });
  EXPECT_EQ(trouble().trouble(), Trouble::bad_answer);
}

TEST_F(ClientTest, DeepJsonIsNoTrouble) {
  serve_json(std::string(1 << 20, '['));
  EXPECT_EQ(trouble().trouble(), Trouble::bad_answer);
  serve_json("{\"x\":" + std::string(1 << 20, '[') + std::string(1 << 20, ']') + "}");
  EXPECT_EQ(trouble().trouble(), Trouble::bad_answer);
}

TEST_F(ClientTest, WhoSaysNothingOrLittleAtATimeIsLate) {
  script([](Peer& peer, const std::string&) { peer.linger(); });
  const ClientError silent = trouble_of([&] { client(50ms).leader(); });
  EXPECT_EQ(silent.trouble(), Trouble::silent);
  EXPECT_TRUE(contains(silent.what(), "50 ms"));
  script([](Peer& peer, const std::string&) {
    while (peer.say("H")) std::this_thread::sleep_for(1ms);
  });
  EXPECT_NE(trouble_of([&] { client(50ms).leader(); }).trouble(), Trouble::refused);
  script([](Peer& peer, const std::string&) {
    peer.say("HTTP/1.1 200 OK\r\n\r\n");
    while (peer.say(" ")) std::this_thread::sleep_for(1ms);
  });
  EXPECT_EQ(trouble_of([&] { client(50ms).leader(); }).trouble(), Trouble::silent);
}

TEST_F(ClientTest, AFullQueueIsWaitedFor) {
  // A server that accepts no client: the queue of a Unix socket fills, and connect says EAGAIN.
  sockaddr_un place{};
  place.sun_family = AF_UNIX;
  std::strncpy(place.sun_path, folder_.socket().c_str(), sizeof place.sun_path - 1);
  const int listener = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&place), sizeof place), 0);
  ASSERT_EQ(::listen(listener, 0), 0);
  std::vector<int> others;
  for (int i = 0; i < 4; ++i) {
    others.push_back(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0));
    if (::connect(others.back(), reinterpret_cast<sockaddr*>(&place), sizeof place) != 0) break;
  }
  EXPECT_EQ(trouble_of([&] { client(50ms).leader(); }).trouble(), Trouble::silent);
  for (const int each : others) ::close(each);
  ::close(listener);
}

TEST_F(ClientTest, RawAnswersAndPathsThatAreNone) {
  serve_json("{\"any\": \"thing\"}");
  EXPECT_EQ(client().get("/v1/status"), "{\"any\": \"thing\"}");
  for (const std::string bad : {"", "v1/status", "/v1 status", "/\r\nHost: x", "/\xC3\xA9"})
    EXPECT_EQ(trouble_of([&] { client().get(bad); }).trouble(), Trouble::bad_input) << bad;
}

TEST_F(ClientTest, WatchTellsOfEveryEventUntilItsEnd) {
  script([](Peer& peer, const std::string&) {
    peer.say(stream_head + event("leader", following));
    peer.say(": alive\n\n" + event("members", "{}", 1) + event("leader", leading, 2));
  });
  std::vector<Event> events;
  const auto end = client().watch([&](const Event& each) {
    events.push_back(each);
    return true;
  });
  EXPECT_EQ(end, WatchEnd::closed);
  EXPECT_TRUE(request().starts_with("GET /v1/events "));
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].number, 0u);
  EXPECT_EQ(events[0].leadership->leader, 7u);
  EXPECT_EQ(events[1].name, "members");
  EXPECT_FALSE(events[1].leadership);
  EXPECT_EQ(events[2].number, 2u);
  EXPECT_TRUE(events[2].leadership->is_leader);
}

TEST_F(ClientTest, WatchEndsWhenAskedToAndInSilence) {
  script([](Peer& peer, const std::string&) {
    peer.say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    const std::string first = event("leader", following);
    char size[16];
    std::snprintf(size, sizeof size, "%zx\r\n", first.size());
    peer.say(size + first + "\r\n");
    peer.linger();
  });
  EXPECT_EQ(client().watch([](const Event&) { return false; }), WatchEnd::stopped);
  EXPECT_EQ(client().watch([](const Event&) { return true; }, 50ms), WatchEnd::silent);
}

TEST_F(ClientTest, CommentsAreSignsOfLife) {
  constexpr auto silence = 300ms;
  // On a busy machine the server itself may be silent for too long; then that may be said.
  Clock::duration longest{0};
  script([&](Peer& peer, const std::string&) {
    peer.say(stream_head);
    auto last = Clock::now();
    const auto say = [&](const std::string& text) {
      const auto before = std::exchange(last, Clock::now());
      const bool heard = peer.say(text);
      longest = std::max(longest, Clock::now() - before);
      return heard;
    };
    for (int i = 0; i < 20 && say(": alive\n\n"); ++i) std::this_thread::sleep_for(20ms);
    say(event("leader", leading));
    peer.linger();
  });
  int events = 0;
  const auto end = client().watch(
      [&](const Event&) {
        ++events;
        return false;
      },
      silence);
  server_.reset();
  if (longest < silence) {
    EXPECT_EQ(end, WatchEnd::stopped);
    EXPECT_EQ(events, 1);
  }
}

TEST_F(ClientTest, AStreamThatCannotBeginOrMakesNoSense) {
  const auto watch = [&] { client().watch([](const Event&) { return true; }); };
  const auto brief_watch = [&] { client(200ms).watch([](const Event&) { return true; }); };
  EXPECT_EQ(trouble_of(watch).trouble(), Trouble::unreachable);
  serve_json(R"({"error":"too many listen"})", "503 Busy");
  EXPECT_EQ(trouble_of(watch).trouble(), Trouble::refused);
  serve(stream_head + event("leader", "{}"));
  EXPECT_EQ(trouble_of(watch).trouble(), Trouble::bad_answer);
  script([](Peer& peer, const std::string&) { peer.linger(); });
  EXPECT_EQ(trouble_of(brief_watch).trouble(), Trouble::silent);
  script([](Peer& peer, const std::string&) {
    peer.say("HTTP/1.1 503 Busy\r\n\r\n");
    peer.linger();
  });
  EXPECT_EQ(trouble_of(brief_watch).trouble(), Trouble::silent);
  script([](Peer& peer, const std::string&) {
    peer.say(stream_head);
    while (peer.say("data: more and more and more\n")) {
    }
  });
  EXPECT_EQ(trouble_of(watch).trouble(), Trouble::bad_answer);
}

TEST_F(ClientTest, AConnectionThatBreaksEndsAStreamAndFailsACall) {
  FakeServer tcp("", [](Peer& peer) {
    const std::string request = peer.request();
    peer.reset();
    if (request.starts_with("GET /v1/events")) peer.say(stream_head + event("leader", following));
  });
  const Client client(tcp.address(), 120s);
  EXPECT_EQ(trouble_of([&] { client.leader(); }).trouble(), Trouble::unreachable);
  try {  // the event may be lost with the connection, or not even the stream begin
    EXPECT_EQ(client.watch([](const Event&) { return true; }), WatchEnd::closed);
  } catch (const ClientError& error) {
    EXPECT_EQ(error.trouble(), Trouble::unreachable);
  }
}

TEST_F(ClientTest, AStreamTakesWhatIsThereWithoutWaiting) {
  std::mutex gate;
  gate.lock();
  script([&](Peer& peer, const std::string&) {
    peer.say(stream_head + event("leader", following) + event("leader", leading, 1));
    const std::lock_guard wait(gate);
  });
  EventStream stream(folder_.socket(), 120s);
  const auto first = stream.next(120s);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->leadership->leader, 7u);
  ASSERT_TRUE(stream.next(120s));
  EXPECT_FALSE(stream.next(0ms));
  EXPECT_FALSE(stream.closed());
  EXPECT_GE(stream.waiting().descriptor, 0);
  gate.unlock();
  EXPECT_FALSE(stream.next(120s));
  EXPECT_TRUE(stream.closed());
}

TEST(DefaultAddress, FollowsTheEnvironment) {
  const auto keep = [](const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
  };
  const std::string socket = keep("BELLWETHER_SOCKET"), runtime = keep("XDG_RUNTIME_DIR");
  ::setenv("BELLWETHER_SOCKET", "127.0.0.1:7746", 1);
  EXPECT_EQ(default_address(), "127.0.0.1:7746");
  ::setenv("BELLWETHER_SOCKET", "", 1);
  ::setenv("XDG_RUNTIME_DIR", "/run/user/1000", 1);
  const bool system = std::filesystem::exists("/run/bellwether/node.sock");
  EXPECT_EQ(default_address(),
            system ? "/run/bellwether/node.sock" : "/run/user/1000/bellwether/node.sock");
  ::unsetenv("XDG_RUNTIME_DIR");
  EXPECT_EQ(default_address(), "/run/bellwether/node.sock");
  if (!runtime.empty()) ::setenv("XDG_RUNTIME_DIR", runtime.c_str(), 1);
  if (socket.empty())
    ::unsetenv("BELLWETHER_SOCKET");
  else
    ::setenv("BELLWETHER_SOCKET", socket.c_str(), 1);
}

}  // namespace
}  // namespace bellwether::client
