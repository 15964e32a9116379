// SPDX-License-Identifier: MIT
// The C calls hand on what the C++ ones do. That client.h is C99 is seen by examples/client-c.
#include <gtest/gtest.h>

#include "bellwether/client/client.h"
#include "bellwether/client/fake_server_test.hpp"

namespace {

using bellwether::client_test::FakeServer;
using bellwether::client_test::Peer;
using bellwether::client_test::SocketFolder;

/// A node that answers everything, in the way that the path asks for.
void node(Peer& peer) {
  const std::string leadership =
      R"({"id":3,"leader":3,"is_leader":true,"role":"leading","epoch":13,"since_ms":11,)"
      R"("age_ms":1,"chain":[9,3])";
  const std::string request = peer.request();
  const auto asked = [&](const char* what) { return request.starts_with(what); };
  if (asked("GET /v1/leader") || asked("POST /v1/resume") || asked("POST /v1/priority"))
    peer.answer(leadership + "}");
  if (asked("POST /v1/resign") || asked("POST /v1/pause"))
    peer.answer(R"({"error":"not now"})", "409 Conflict");
  if (asked("GET /v1/status"))
    peer.answer(
        leadership + R"(,"version":"0.1.0","algorithm":"cel-2","group":")" + std::string(100, 'g') +
        R"(","uptime_ms":5,"standing":"standing","priority":9,"encrypted":true,"members":2,)"
        R"("neighbours":[{"id":4,"age_ms":6}],"interfaces":["a","b"],"keys":["k"],"slack_ms":0})");
  if (asked("GET /v1/members"))
    peer.answer(R"({"leader":3,"epoch":13,"members":[{"id":3,"hops":0,"via":null,"age_ms":0,)"
                R"("priority":9,"is_leader":true},)"
                R"({"id":4,"hops":1,"via":4,"age_ms":6,"priority":0,"is_leader":false}]})");
  if (asked("POST /v1/to-")) peer.answer("{\"id\":\"3-1f-1\"}", "202 Accepted");
  if (asked("GET /v1/inbox?after=0&"))
    peer.answer(
        R"({"messages":[{"sequence":1,"id":"a","from":4,"to":"leader","age_ms":3,"text":"one"},)"
        R"({"sequence":2,"id":"b","from":4,"to":"members","age_ms":3,"text":"two"}],"next":2})");
  if (asked("GET /v1/events"))
    peer.say("HTTP/1.1 200 OK\r\n\r\nevent: leader\ndata: " + leadership +
             "}\n\nid: 1\nevent: members\ndata: {}\n\n");
}

class ClientC : public testing::Test {
 protected:
  ClientC() { client_ = bellwether_client_open(folder_.socket().c_str()); }
  ~ClientC() override { bellwether_client_close(client_); }

  SocketFolder folder_;
  FakeServer server_{folder_.socket(), node};
  bellwether_client* client_ = nullptr;
};

TEST_F(ClientC, Leader) {
  bellwether_leadership now;
  ASSERT_EQ(bellwether_client_leader(client_, &now), BELLWETHER_OK);
  EXPECT_STREQ(bellwether_client_error(client_), "");
  EXPECT_EQ(now.id, 3u);
  EXPECT_EQ(now.has_leader, 1);
  EXPECT_EQ(now.leader, 3u);
  EXPECT_EQ(now.is_leader, 1);
  EXPECT_STREQ(now.role, "leading");
  EXPECT_EQ(now.epoch, 13u);
  EXPECT_EQ(now.since_ms, 11);
  ASSERT_EQ(now.chain_length, 2u);
  EXPECT_EQ(now.chain[0], 9u);
}

TEST_F(ClientC, StatusAndMembers) {
  bellwether_status status;
  ASSERT_EQ(bellwether_client_status(client_, &status), BELLWETHER_OK);
  EXPECT_STREQ(status.algorithm, "cel-2");
  EXPECT_EQ(std::string(status.group), std::string(63, 'g'));  // cut to fit
  EXPECT_STREQ(status.interfaces, "a,b");
  EXPECT_EQ(status.neighbour_count, 1u);
  EXPECT_EQ(status.neighbours[0].id, 4u);
  bellwether_member rows[1];
  std::size_t count = 0;
  ASSERT_EQ(bellwether_client_members(client_, rows, 1, &count), BELLWETHER_OK);
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(rows[0].id, 3u);
  EXPECT_EQ(rows[0].has_via, 0);
  EXPECT_EQ(rows[0].is_leader, 1);
}

TEST_F(ClientC, Orders) {
  bellwether_leadership now;
  EXPECT_EQ(bellwether_client_resume(client_, &now), BELLWETHER_OK);
  EXPECT_EQ(now.epoch, 13u);
  EXPECT_EQ(bellwether_client_set_priority(client_, 7, nullptr), BELLWETHER_OK);
  EXPECT_EQ(bellwether_client_pause(client_, nullptr), BELLWETHER_REFUSED);
  EXPECT_EQ(bellwether_client_resign(client_, nullptr), BELLWETHER_REFUSED);
  EXPECT_EQ(std::string(bellwether_client_error(client_)), folder_.socket() + ": not now");
}

TEST_F(ClientC, MessagesOneAtATime) {
  char id[64] = "";
  EXPECT_EQ(bellwether_client_to_leader(client_, "x", 1, id), BELLWETHER_OK);
  EXPECT_STREQ(id, "3-1f-1");
  EXPECT_EQ(bellwether_client_to_members(client_, nullptr, 0, nullptr), BELLWETHER_OK);
  const std::string large(1025, 'x');
  EXPECT_EQ(bellwether_client_to_members(client_, large.data(), large.size(), nullptr),
            BELLWETHER_BAD_INPUT);
  bellwether_message messages[2];
  std::size_t count = 0;
  std::uint64_t next = 0;
  ASSERT_EQ(bellwether_client_inbox(client_, 0, 0, messages, 1, &count, &next), BELLWETHER_OK);
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(next, 1u);  // there is more behind it
  EXPECT_EQ(messages[0].payload_length, 3u);
  EXPECT_EQ(std::memcmp(messages[0].payload, "one", 3), 0);
  ASSERT_EQ(bellwether_client_inbox(client_, 0, 0, messages, 2, &count, &next), BELLWETHER_OK);
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(next, 2u);
}

TEST_F(ClientC, Watch) {
  struct Seen {
    std::string names;
    std::uint64_t epoch = 0;
  } seen;
  bellwether_watch_end end = BELLWETHER_WATCH_STOPPED;
  const auto watcher = [](const bellwether_event* event, void* user) {
    auto* to = static_cast<Seen*>(user);
    to->names += event->name + std::string(" ");
    if (event->leadership != nullptr) to->epoch = event->leadership->epoch;
    return 1;
  };
  EXPECT_EQ(bellwether_client_watch(client_, watcher, &seen, 0, &end), BELLWETHER_OK);
  EXPECT_EQ(end, BELLWETHER_WATCH_CLOSED);
  EXPECT_EQ(seen.names, "leader members ");
  EXPECT_EQ(seen.epoch, 13u);
}

TEST_F(ClientC, RawAnswersAreCutToFit) {
  char text[8];
  std::size_t length = 0;
  ASSERT_EQ(bellwether_client_get(client_, "/v1/leader", text, sizeof text, &length),
            BELLWETHER_OK);
  EXPECT_STREQ(text, "{\"id\":3");
  EXPECT_GT(length, sizeof text);
}

TEST(ClientCTrouble, ASilentNodeIsWaitedForUpToTheLimit) {
  SocketFolder folder;
  FakeServer server(folder.socket(), [](Peer& peer) { peer.linger(); });
  bellwether_client* client = bellwether_client_open(folder.socket().c_str());
  bellwether_client_set_limit(client, 50);
  bellwether_leadership now;
  EXPECT_EQ(bellwether_client_leader(client, &now), BELLWETHER_SILENT);
  EXPECT_NE(std::string(bellwether_client_error(client)).find("50 ms"), std::string::npos);
  bellwether_client_close(client);
  bellwether_client_set_limit(nullptr, 50);
}

TEST(ClientCTrouble, IsANumberAndASentence) {
  bellwether_leadership now;
  bellwether_client* client = bellwether_client_open("/nowhere/node.sock");
  EXPECT_EQ(bellwether_client_leader(client, &now), BELLWETHER_UNREACHABLE);
  EXPECT_NE(std::string(bellwether_client_error(client)).find("is the daemon running?"),
            std::string::npos);
  EXPECT_EQ(bellwether_client_leader(client, nullptr), BELLWETHER_BAD_INPUT);
  EXPECT_EQ(bellwether_client_leader(nullptr, &now), BELLWETHER_BAD_INPUT);
  bellwether_client_close(client);
  client = bellwether_client_open("no.address:x");
  EXPECT_EQ(bellwether_client_leader(client, &now), BELLWETHER_BAD_INPUT);
  bellwether_client_close(client);
  bellwether_client_close(nullptr);
}

}  // namespace
