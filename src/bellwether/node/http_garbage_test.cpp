// SPDX-License-Identifier: MIT
// Random bytes, and valid requests with random changes.
#include "bellwether/core/prng.hpp"
#include "bellwether/node/http_client_test.hpp"

namespace bellwether::node {
namespace {

const std::vector<std::string> right{
    "GET /v1/leader HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "GET /v1/status HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
    "HEAD /v1/members HTTP/1.1\r\nHost: 127.0.0.1:7746\r\nAccept: */*\r\n\r\n",
    "GET /v1/events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n",
    "GET /v1/inbox?after=17&wait_ms=20 HTTP/1.1\r\nHost: [::1]\r\n\r\n",
    "POST /v1/priority HTTP/1.1\r\nHost: localhost\r\nContent-Length: 15\r\n\r\n{\"priority\": 5}",
    "POST /v1/to-leader HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    "5;x=y\r\nhello\r\n0\r\nX: y\r\n\r\n",
    "POST /v1/to-members HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
    "Content-Length: 3\r\n\r\nabc",
    "POST /v1/resign HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n",
};

std::string random_bytes(core::Prng& prng, std::uint64_t most) {
  std::string bytes(prng.below(most), '\0');
  for (char& c : bytes) c = static_cast<char>(prng.below(256));
  return bytes;
}

/// One or several requests, with a few changes: bytes, pieces that are missing, doubled or moved.
std::string changed(core::Prng& prng) {
  std::string bytes;
  do bytes += right[prng.below(right.size())];
  while (prng.chance(0.3));
  for (std::uint64_t changes = prng.below(6); changes > 0 && !bytes.empty(); --changes) {
    const std::size_t at = prng.below(bytes.size());
    const std::size_t length = prng.below(std::min<std::size_t>(bytes.size() - at, 40) + 1);
    switch (prng.below(6)) {
      case 0:
        bytes[at] = static_cast<char>(prng.below(256));
        break;
      case 1:
        bytes.erase(at, length);
        break;
      case 2:
        bytes.insert(prng.below(bytes.size()), bytes.substr(at, length));
        break;
      case 3:
        bytes.insert(at, random_bytes(prng, 20));
        break;
      case 4:
        bytes.insert(at, std::string(prng.below(prng.chance(0.1) ? 20000 : 20), '9'));
        break;
      default:
        bytes.insert(at, "\r\n");
    }
  }
  return bytes;
}

std::string some_bytes(core::Prng& prng) {
  return prng.chance(0.2) ? random_bytes(prng, prng.chance(0.1) ? 20000 : 200) : changed(prng);
}

TEST(HttpGarbage, WithoutSockets) {
  core::Prng prng(9);
  FakeControl control;
  std::map<std::string, int> seen;
  for (int i = 0; i < 20000; ++i) {
    const std::string bytes = some_bytes(prng);
    const std::string reply = answer_bytes(control, bytes, {}, prng.chance(0.5));
    ASSERT_TRUE(reply.empty() || reply.starts_with("HTTP/1.")) << reply;
    ++seen[reply.substr(0, 12)];
    control.sent.clear();
    control.calls.clear();
  }
  for (const std::string status :
       {"", "HTTP/1.1 200", "HTTP/1.1 202", "HTTP/1.1 400", "HTTP/1.1 403", "HTTP/1.1 404",
        "HTTP/1.1 413", "HTTP/1.1 431"}) {
    EXPECT_GT(seen[status], 0) << status << ": the garbage is too poor to reach this";
  }
}

TEST(HttpGarbage, LiveServer) {
  core::Prng prng(10);
  LiveServer live;
  for (int i = 0; i < 3000; ++i) {
    TestClient client = live.client(prng.chance(0.5));
    const std::string bytes = some_bytes(prng);
    const std::size_t cut = prng.chance(0.3) ? prng.below(bytes.size() + 1) : bytes.size();
    client.send(std::string_view(bytes).substr(0, cut));
    client.send(std::string_view(bytes).substr(cut));
    if (prng.chance(0.7)) {
      client.stop_sending();
      client.read_rest();
    }
    if (i % 100 == 0) live.publish({static_cast<std::uint64_t>(i), "leader", "{}"});
    if (i % 500 == 0) {
      ASSERT_EQ(live.local().get("/metrics").status, 200u) << i;
    }
  }
  EXPECT_TRUE(live.settles_at(0)) << "nobody is forgotten";
  EXPECT_EQ(live.local().get("/v1/leader").status, 200u);
}

}  // namespace
}  // namespace bellwether::node
