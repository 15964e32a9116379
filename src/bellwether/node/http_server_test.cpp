// SPDX-License-Identifier: MIT
// The server with real sockets: its routes, its limits, and clients that do not behave.
#include "bellwether/node/http_server.hpp"
#include "bellwether/json/json.hpp"

#include "bellwether/node/http_client_test.hpp"

namespace bellwether::node {
namespace {

using namespace std::chrono_literals;

TEST(HttpServer, EachRoute) {
  LiveServer live;
  const std::string leader = to_json(FakeControl().now);
  live.run([&] { live.control.deliver("hello"); });
  for (const bool tcp : {false, true}) {  // all over one connection
    TestClient client = live.client(tcp);
    for (const std::string target :
         {"/", "/v1/leader", "/v1/status", "/v1/members", "/v1/inbox", "/metrics"}) {
      const Answered got = client.get(target);
      const Response expected = live.see([&] { return answer(live.control, {"GET", target, ""}); });
      EXPECT_EQ(got.status, 200u);
      EXPECT_TRUE(got.head.starts_with("HTTP/1.1 200 OK\r\n"));
      EXPECT_EQ(got.body, expected.body) << target;
      EXPECT_TRUE(got.has("Content-Type: " + expected.type)) << got.head;
      EXPECT_TRUE(got.has("Cache-Control: no-store"));
    }
    for (const std::string target : {"/v1/resign", "/v1/pause", "/v1/resume"}) {
      EXPECT_EQ(client.post(target).body, leader);
      EXPECT_EQ(client.ask("POST " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n").status, 200u)
          << "no body, no length";
    }
    EXPECT_EQ(client.post("/v1/priority", "50").status, 200u);
    EXPECT_EQ(client.post("/v1/priority", "x").status, 400u);
    EXPECT_EQ(client.post("/v1/to-leader", "hi").status, 202u);
    EXPECT_EQ(client.post("/v1/to-members", std::string(8192, '\0')).status, 202u);
    EXPECT_EQ(client.get("/nowhere").status, 404u);
    const Answered wrong = client.post("/v1/leader");
    EXPECT_EQ(wrong.status, 405u);
    EXPECT_TRUE(wrong.has("Allow: GET, HEAD"));
    EXPECT_EQ(client.get("/v1/leader").status, 200u) << "still there";
  }
  live.run([&] { live.control.refusal = Rejection{"no"}; });
  TestClient client = live.local();
  EXPECT_EQ(client.post("/v1/resign").status, 409u);
  EXPECT_EQ(client.post("/v1/to-leader", "x").body, R"({"error":"no"})");
}

TEST(HttpServer, HeadHasNoBody) {
  LiveServer live;
  TestClient client = live.local();
  const Answered head = client.ask("HEAD /metrics HTTP/1.1\r\n\r\n");
  EXPECT_EQ(head.status, 200u);
  EXPECT_TRUE(head.has("Content-Length: 20")) << head.head;
  EXPECT_EQ(client.ask("HEAD /v1/events HTTP/1.1\r\n\r\n").status, 200u);
  EXPECT_EQ(client.get("/metrics").body.size(), 20u) << "what follows is in step";
}

TEST(HttpServer, KeepsOrClosesTheConnection) {
  LiveServer live;
  TestClient old = live.local();
  EXPECT_TRUE(old.ask("GET /metrics HTTP/1.0\r\n\r\n").has("Connection: close"));
  EXPECT_TRUE(old.ends());
  TestClient kept = live.local();
  const std::string keep = "GET /metrics HTTP/1.0\r\nConnection: keep-alive\r\n\r\n";
  EXPECT_TRUE(kept.ask(keep).has("Connection: keep-alive"));
  EXPECT_EQ(kept.ask(keep).status, 200u);
  EXPECT_TRUE(kept.ask("GET / HTTP/1.1\r\nConnection: close\r\n\r\n").has("Connection: close"));
  EXPECT_TRUE(kept.ends());
  TestClient half = live.local();
  half.send("GET /metrics HTTP/1.1\r\n\r\n");
  half.stop_sending();
  EXPECT_EQ(half.read_answer().status, 200u) << "who has no more to say may still listen";
  EXPECT_TRUE(half.ends());
  EXPECT_TRUE(live.settles_at(0));
}

TEST(HttpServer, Pipelining) {
  LiveServer live;
  TestClient client = live.local();
  std::string all;
  for (int i = 0; i < 200; ++i) {
    all += i % 2 == 0 ? "GET /metrics HTTP/1.1\r\n\r\n"
                      : "POST /v1/to-leader HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc";
  }
  std::thread sender([&] { client.send(all); });
  for (int i = 0; i < 200; ++i) EXPECT_EQ(client.read_answer().status, i % 2 == 0 ? 200u : 202u);
  sender.join();
}

TEST(HttpServer, OneByteAtATime) {
  LiveServer live;
  TestClient client = live.tcp();
  for (const char c :
       std::string("POST /v1/priority HTTP/1.1\r\nHost: localhost\r\n"
                   "Transfer-Encoding: chunked\r\n\r\n1\r\n4\r\n1\r\n2\r\n0\r\n\r\n"))
    client.send({&c, 1});
  EXPECT_EQ(client.read_answer().status, 200u);
  live.run([&] { EXPECT_EQ(live.control.calls.back(), "priority 42"); });
}

TEST(HttpServer, ContinuesWhenAsked) {
  LiveServer live;
  TestClient client = live.local();
  client.send("POST /v1/priority HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_EQ(client.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("42");
  EXPECT_EQ(client.read_answer().status, 200u);
}

TEST(HttpServer, NotHttp) {
  LiveServer live;
  const std::vector<std::pair<std::string, unsigned>> cases{
      {"hello\r\n\r\n", 400},
      {"GET /v1/leader\r\n\r\n", 400},
      {"GET /v1/leader HTTP/1.1\r\nno colon\r\n\r\n", 400},
      {"GET /v1/leader HTTP/2.0\r\n\r\n", 400},
      {"POST /v1/priority HTTP/1.1\r\nContent-Length: x\r\n\r\n", 400},
      {"POST /v1/priority HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400},
      {"POST /v1/priority HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400},
      {std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11), 400},
      {std::string(64, '\0'), 400},
  };
  for (const auto& [request, status] : cases) {
    TestClient client = live.local();
    const Answered got = client.ask(request);
    EXPECT_EQ(got.status, status) << request;
    EXPECT_TRUE(got.has("Connection: close"));
    EXPECT_TRUE(json::Json::parse(got.body).contains("error"));
    EXPECT_TRUE(client.ends());
  }
  EXPECT_TRUE(live.settles_at(0));
}

TEST(HttpServer, TooMuch) {
  HttpOptions options = unhurried();
  options.most_body = 100;
  options.most_header = 1000;
  LiveServer live(options);
  EXPECT_EQ(live.local().post("/v1/to-leader", std::string(100, 'x')).status, 202u);
  EXPECT_EQ(live.local().post("/v1/to-leader", std::string(101, 'x')).status, 413u);
  EXPECT_EQ(live.tcp().post("/v1/to-leader", std::string(300000, 'x')).status, 413u)
      << "the answer arrives although the body is not read";
  const std::string post = "POST /v1/to-leader HTTP/1.1\r\n";
  EXPECT_EQ(live.local().ask(post + "Content-Length: 99999999999999\r\n\r\n").status, 413u);
  EXPECT_EQ(live.local().ask(post + "Content-Length: 99999999999999999999999\r\n\r\n").status,
            400u);
  const Answered far = live.local().ask("GET /" + std::string(5000, 'x') + " HTTP/1.1\r\n\r\n");
  EXPECT_EQ(far.status, 431u);
  EXPECT_EQ(far.body, R"({"error":"the header is longer than the 1000 bytes that are taken"})");
  EXPECT_EQ(live.local().ask("GET / HTTP/1.1\r\nX: " + std::string(5000, 'x') + "\r\n\r\n").status,
            431u);
  TestClient chunks = live.local();
  chunks.send(post + "Transfer-Encoding: chunked\r\n\r\n");
  chunks.send_without_end("10\r\n0123456789abcdef\r\n");
  EXPECT_EQ(chunks.read_answer().status, 413u);
  live.run([&] { EXPECT_EQ(live.control.sent.size(), 1u); });
}

/// Sends without end; the server must end it.
unsigned endless(TestClient client, const std::string& start, const std::string& again) {
  client.send(start);
  client.send_without_end(again);
  return client.read_answer().status;
}

TEST(HttpServer, WithoutEnd) {
  LiveServer live;
  EXPECT_EQ(endless(live.local(), "GET / HTTP/1.1\r\n", "X: y\r\n"), 431u);
  EXPECT_EQ(endless(live.local(), "GET /", "xxxxxxxx"), 431u);
  EXPECT_EQ(endless(live.local(), "", "xxxxxxxx"), 431u);
  const std::string chunked = "POST /v1/to-leader HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
  EXPECT_EQ(endless(live.local(), chunked + "1;", "a=b;a=b;"), 413u);
  EXPECT_EQ(endless(live.local(), chunked + "0\r\n", "X: y\r\n"), 413u);
  EXPECT_TRUE(live.settles_at(0));
}

TEST(HttpServer, SlowClientsAreCutOff) {
  HttpOptions options;
  options.patience = 100ms;
  LiveServer live(options);
  TestClient silent = live.local();
  EXPECT_TRUE(silent.ends()) << "nothing was asked, so nothing is answered";
  for (const std::string part : {"G", "GET / HTTP/1.1\r\nHost: loc",
                                 "POST /v1/to-leader HTTP/1.1\r\nContent-Length: 10\r\n\r\nabc"}) {
    TestClient slow = live.prompt(part);
    EXPECT_EQ(slow.read_answer().status, 408u) << part;
    EXPECT_TRUE(slow.ends());
  }
  TestClient idle = live.prompt(TestClient::get_request("/metrics"));
  EXPECT_EQ(idle.read_answer().status, 200u);
  EXPECT_TRUE(idle.ends());
  TestClient drip = live.local();  // always a bit more, never enough
  drip.send("GET / HTTP/1.1\r\n");
  while (drip.send("X: y\r\n")) std::this_thread::sleep_for(10ms);
  EXPECT_TRUE(live.settles_at(0));
}

TEST(HttpServer, WhoDoesNotReadItsAnswerIsCutOff) {
  HttpOptions options;
  options.patience = 100ms;
  LiveServer live(options);
  live.run([&] { live.control.figures.assign(4U << 20U, 'x'); });
  TestClient client = live.prompt("GET /metrics HTTP/1.1\r\n\r\n");
  EXPECT_TRUE(client.is_left());
  const std::string rest = client.read_rest();
  EXPECT_TRUE(rest.starts_with("HTTP/1.1 200 OK"));
  EXPECT_LT(rest.size(), 4U << 20U);
  EXPECT_TRUE(live.settles_at(0));
}

TEST(HttpServer, WhoLeavesInTheMiddleHarmsNothing) {
  LiveServer live;
  live.run([&] { live.control.figures.assign(4U << 20U, 'x'); });
  for (int i = 0; i < 20; ++i) {
    for (const bool tcp : {false, true}) {
      TestClient client = live.client(tcp);
      client.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\nGET /metrics HTTP/1.1\r\n");
      if (i % 2 == 0) client.read_until("\r\n\r\n");
    }
  }
  EXPECT_TRUE(live.settles_at(0));
  EXPECT_EQ(live.local().get("/metrics").body.size(), 4U << 20U);
}

TEST(HttpServer, OnlySoManyClients) {
  LiveServer live;
  std::vector<TestClient> clients;
  for (int i = 0; i < 64; ++i) {
    clients.push_back(live.local());
    EXPECT_EQ(clients.back().get("/v1/leader").status, 200u);
  }
  EXPECT_EQ(live.clients(), 64u);
  for (const bool tcp : {false, true}) {
    TestClient extra = live.client(tcp);
    const Answered got = extra.get("/v1/leader");
    EXPECT_EQ(got.status, 503u);
    EXPECT_EQ(got.body, R"({"error":"there are 64 clients already; try again later"})");
    EXPECT_TRUE(extra.ends());
  }
  EXPECT_EQ(live.clients(), 64u);
  for (TestClient& client : clients) EXPECT_EQ(client.get("/v1/leader").status, 200u);
  std::vector<TestClient> crowd;
  for (int i = 0; i < 100; ++i) crowd.push_back(live.local());  // 64 of them get a refusal
  crowd.clear();
  clients.pop_back();
  EXPECT_TRUE(live.settles_at(63));
  EXPECT_EQ(live.local().get("/v1/leader").status, 200u);
}

TEST(HttpServer, WebPagesAreRefused) {
  LiveServer live;
  const auto ask = [](TestClient client, const std::string& fields) {
    return client.ask("GET /v1/leader HTTP/1.1\r\n" + fields + "\r\n").status;
  };
  EXPECT_EQ(ask(live.tcp(), "Host: 127.0.0.1:7746\r\n"), 200u);
  EXPECT_EQ(ask(live.tcp(), "Host: [::1]:7746\r\n"), 200u);
  EXPECT_EQ(ask(live.tcp(), "Host: evil.example\r\n"), 403u);
  EXPECT_EQ(ask(live.tcp(), "Host: localhost\r\nHost: evil.example\r\n"), 403u);
  EXPECT_EQ(ask(live.tcp(), "Host: localhost\r\nOrigin: http://localhost\r\n"), 403u);
  EXPECT_EQ(ask(live.tcp(), "Host: localhost\r\norigin: null\r\n"), 403u);
  EXPECT_EQ(ask(live.tcp(), ""), 403u);
  EXPECT_EQ(live.tcp().ask("GET /v1/leader HTTP/1.0\r\n\r\n").status, 200u);
  EXPECT_EQ(ask(live.local(), "Host: boat\r\n"), 200u) << "a page cannot reach a file";
  EXPECT_EQ(live.tcp().ask("POST /v1/resign HTTP/1.1\r\nHost: x\r\n\r\n").status, 403u);
  live.run([&] { EXPECT_TRUE(live.control.calls.empty()); });
}

TEST(HttpServer, ClosesWhatIsOpen) {
  std::optional<LiveServer> live(std::in_place);
  TestClient idle = live->local();
  EXPECT_EQ(idle.get("/v1/leader").status, 200u);
  TestClient listener = live->local();
  EXPECT_EQ(listener.get("/v1/events").status, 200u);
  TestClient waiting = live->tcp();
  waiting.send("GET /v1/inbox?wait_ms=60000 HTTP/1.1\r\nHost: localhost\r\n\r\n");
  TestClient half = live->tcp();
  half.send("GET /v1/in");
  EXPECT_TRUE(live->settles_at(4));
  live.reset();
  for (TestClient* client : {&idle, &waiting, &half}) EXPECT_TRUE(client->ends());
  EXPECT_EQ(listener.read_until("\n\n").substr(0, 14), "event: leader\n");
  EXPECT_TRUE(listener.ends());
}

TEST(HttpServer, AnswersBytesWithoutSockets) {
  FakeControl control;
  const std::string good = answer_bytes(control, "GET /metrics HTTP/1.1\r\n\r\n");
  EXPECT_EQ(good,
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4\r\n"
            "Cache-Control: no-store\r\nContent-Length: 20\r\n\r\nbellwether_epoch 12\n");
  const auto begins = [&](const std::string& bytes, bool tcp = false) {
    return answer_bytes(control, bytes, {}, tcp).substr(0, 12);
  };
  EXPECT_EQ(begins(""), "");
  EXPECT_EQ(begins("GET / HT"), "");
  EXPECT_EQ(begins("POST /v1/priority HTTP/1.1\r\nContent-Length: 2\r\n\r\n4"), "");
  EXPECT_EQ(begins("POST /v1/priority HTTP/1.1\r\nContent-Length: 2\r\n\r\n42"), "HTTP/1.1 200");
  EXPECT_EQ(begins("POST /v1/priority HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
                   "1\r\n4\r\n1\r\n2\r\n0\r\n\r\n"),
            "HTTP/1.1 200");
  EXPECT_EQ(begins("POST /v1/priority HTTP/1.1\r\nContent-Length: 9999\r\n\r\n"), "HTTP/1.1 413");
  EXPECT_EQ(begins("GET /" + std::string(9000, 'x')), "HTTP/1.1 431");
  EXPECT_EQ(begins("\x01\x02\x03\x04\x05"), "HTTP/1.1 400");
  EXPECT_EQ(begins("GET / HTTP/1.1\r\nHost: x\r\n\r\n", true), "HTTP/1.1 403");
  const std::string head = answer_bytes(control, "HEAD / HTTP/1.1\r\nHost: x\r\n\r\n", {}, true);
  EXPECT_TRUE(head.starts_with("HTTP/1.1 403"));
  EXPECT_TRUE(head.ends_with("\r\n\r\n")) << "HEAD is answered without a body";
  EXPECT_EQ(begins("GET /v1/inbox?wait_ms=60000 HTTP/1.1\r\n\r\n"), "HTTP/1.1 200");
}

}  // namespace
}  // namespace bellwether::node
