// SPDX-License-Identifier: MIT
// Clients that stay: listeners of events, and requests that wait for their inbox.
#include "bellwether/node/http_client_test.hpp"

namespace bellwether::node {
namespace {

using namespace std::chrono_literals;

/// A listener that has read its snapshot: whatever is published from now on reaches it.
TestClient listener(LiveServer& live, bool tcp = false) {
  TestClient client = live.prompt(TestClient::get_request("/v1/events"), tcp);
  const Answered head = client.read_answer();
  EXPECT_EQ(head.status, 200u);
  EXPECT_TRUE(head.has("Content-Type: text/event-stream")) << head.head;
  EXPECT_TRUE(head.has("Connection: close")) << head.head;
  EXPECT_EQ(head.head.find("Content-Length"), std::string::npos);
  EXPECT_EQ(client.read_until("\n\n"),
            "event: leader\ndata: " + to_json(FakeControl().now) + "\n\n");
  return client;
}

TEST(HttpEvents, SnapshotThenChanges) {
  LiveServer live;
  std::vector<TestClient> listeners;
  for (int i = 0; i < 10; ++i) listeners.push_back(listener(live, i % 2 == 0));
  live.publish({1, "leader", R"({"leader":9})"});
  live.publish({2, "message", "line\nline"});
  for (TestClient& client : listeners) {
    EXPECT_EQ(client.read_until("\n\n"), "id: 1\nevent: leader\ndata: {\"leader\":9}\n\n");
    EXPECT_EQ(client.read_until("\n\n"), "id: 2\nevent: message\ndata: line\ndata: line\n\n");
  }
}

TEST(HttpEvents, NothingIsLostBehindTheSnapshot) {
  LiveServer live;
  // A snapshot that takes its time.
  live.run([&] { live.control.now.chain.assign(200000, NodeId{7}); });
  TestClient client = live.local();
  client.hear_little();
  client.send("GET /v1/events HTTP/1.1\r\n\r\n");
  EXPECT_EQ(client.read_until("\r\n\r\n").substr(0, 15), "HTTP/1.1 200 OK");
  live.publish({1, "leader", "first"});
  live.publish({2, "leader", "second"});
  EXPECT_TRUE(client.read_until("\n\n").starts_with("event: leader\ndata: {\"id\":3"));
  EXPECT_EQ(client.read_until("\n\n"), "id: 1\nevent: leader\ndata: first\n\n");
  EXPECT_EQ(client.read_until("\n\n"), "id: 2\nevent: leader\ndata: second\n\n");
}

TEST(HttpEvents, SignsOfLife) {
  HttpOptions options = unhurried();
  options.heartbeat = 20ms;
  LiveServer live(options);
  TestClient client = listener(live);
  EXPECT_EQ(client.read_until("\n\n"), ": alive\n\n");
  EXPECT_EQ(client.read_until("\n\n"), ": alive\n\n");
}

TEST(HttpEvents, PatienceIsNotForListeners) {
  HttpOptions options;
  options.patience = 50ms;
  LiveServer live(options);
  TestClient client = listener(live);
  std::this_thread::sleep_for(150ms);
  live.publish({1, "leader", "x"});
  EXPECT_EQ(client.read_until("\n\n"), "id: 1\nevent: leader\ndata: x\n\n");
}

TEST(HttpEvents, WhoLagsIsCutOff) {
  HttpOptions options = unhurried();
  options.most_backlog = 4096;
  LiveServer live(options);
  TestClient lags = listener(live);
  lags.hear_little();
  TestClient reads = listener(live, true);
  const std::string large(1000, 'x');
  std::uint64_t number = 0;
  while (live.clients() == 2 && number < 5000) {
    live.publish({++number, "message", large});
    EXPECT_EQ(reads.read_until("\n\n"),
              "id: " + std::to_string(number) + "\nevent: message\ndata: " + large + "\n\n");
  }
  EXPECT_GT(number, 4u);
  EXPECT_LT(number, 5000u);
  ASSERT_EQ(live.clients(), 1u);
  live.publish({++number, "leader", "on"});
  EXPECT_EQ(reads.read_until("\n\n"),
            "id: " + std::to_string(number) + "\nevent: leader\ndata: on\n\n");
  lags.read_rest();  // what had left before, then the end
}

TEST(HttpEvents, StuckListenerIsCutOff) {
  HttpOptions options;
  options.most_backlog = 100U << 20U;
  options.patience = 100ms;
  LiveServer live(options);
  TestClient stuck = listener(live);
  live.publish({1, "message", std::string(8U << 20U, 'x')});
  EXPECT_TRUE(live.settles_at(0));
}

TEST(HttpEvents, LeavingIsNoticedAtOnce) {
  LiveServer live;  // no sign of life within an hour
  for (int i = 0; i < 200; ++i) listener(live, i % 2 == 0);
  EXPECT_TRUE(live.settles_at(0));
}

TEST(HttpEvents, WhatAListenerSaysIsIgnored) {
  LiveServer live;
  TestClient client = listener(live);
  client.send("GET /v1/leader HTTP/1.1\r\n\r\n" + std::string(100000, 'x'));
  live.publish({1, "leader", "x"});
  EXPECT_EQ(client.read_until("\n\n"), "id: 1\nevent: leader\ndata: x\n\n");
}

/// A request that waits: the server has looked into the inbox, and found nothing.
void begin_to_wait(LiveServer& live, TestClient& client, const std::string& target) {
  const auto asked = [&] { return live.see([&] { return live.control.asked; }); };
  const int before = asked();
  client.send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
  for (int i = 0; i < 24000 && asked() == before; ++i) std::this_thread::sleep_for(5ms);
}

std::string inbox_of(LiveServer& live, std::uint64_t after) {
  return live.see([&] { return inbox_json(live.control.inbox(after), after); });
}

TEST(HttpInbox, WokenByWhatArrives) {
  LiveServer live;
  TestClient local = live.local();
  TestClient tcp = live.tcp();
  begin_to_wait(live, local, "/v1/inbox?wait_ms=60000");
  begin_to_wait(live, tcp, "/v1/inbox?after=1&wait_ms=60000");
  live.run([&] {
    live.control.deliver("first");
    live.server().publish({1, "message", "{}"});
  });
  const Answered first = local.read_answer();
  EXPECT_EQ(first.status, 200u);
  EXPECT_EQ(first.body, inbox_of(live, 0));
  live.publish({2, "leader", "{}"});  // nothing for who waits
  live.run([&] {
    live.control.deliver("second");
    live.server().publish({3, "message", "{}"});
  });
  EXPECT_EQ(tcp.read_answer().body, inbox_of(live, 1));
  EXPECT_EQ(local.get("/v1/leader").status, 200u) << "the connection goes on";
  EXPECT_EQ(tcp.get("/v1/leader").status, 200u);
}

TEST(HttpInbox, TimeIsOver) {
  HttpOptions options;
  options.patience = 30ms;  // not for this
  LiveServer live(options);
  const auto begin = std::chrono::steady_clock::now();
  TestClient client = live.prompt(TestClient::get_request("/v1/inbox?wait_ms=100"));
  EXPECT_EQ(client.read_answer().body, R"({"messages":[],"next":0})");
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 100ms);
}

TEST(HttpInbox, LeavingIsNoticed) {
  LiveServer live;
  for (int i = 0; i < 100; ++i) {
    TestClient client = live.client(i % 2 == 0);
    client.send("GET /v1/inbox?wait_ms=60000 HTTP/1.1\r\nHost: localhost\r\n\r\n");
  }
  EXPECT_TRUE(live.settles_at(0));
}

TEST(HttpInbox, TheNextRequestHasTime) {
  LiveServer live;
  TestClient client = live.local();
  begin_to_wait(live, client, "/v1/inbox?wait_ms=60000");
  client.send("GET /metrics HTTP/1.1\r\n\r\n");
  std::this_thread::sleep_for(20ms);
  live.run([&] {
    live.control.deliver("first");
    live.server().publish({1, "message", "{}"});
  });
  EXPECT_EQ(client.read_answer().body, inbox_of(live, 0));
  EXPECT_EQ(client.read_answer().body, FakeControl().figures);
}

}  // namespace
}  // namespace bellwether::node
