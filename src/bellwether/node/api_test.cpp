// SPDX-License-Identifier: MIT
#include "bellwether/node/api.hpp"
#include "bellwether/json/json.hpp"

#include <gtest/gtest.h>

#include "bellwether/node/fake_control_test.hpp"

namespace bellwether::node {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;

const std::string leader_json =
    R"({"id":3,"leader":7,"is_leader":false,"role":"following","epoch":12,"since_ms":5321,)"
    R"("age_ms":42})";

Response get(Control& control, const std::string& target) {
  return answer(control, {"GET", target, ""});
}

Response post(Control& control, const std::string& target, const std::string& body = "") {
  return answer(control, {"POST", target, body});
}

/// Every refusal is {"error": "sentence"}.
std::string sentence(const Response& response) {
  EXPECT_EQ(response.type, "application/json");
  const auto json = json::Json::parse(response.body);
  EXPECT_EQ(json.size(), 1u);
  return json.at("error").get<std::string>();
}

TEST(Api, Leader) {
  FakeControl control;
  const Response response = get(control, "/v1/leader");
  EXPECT_EQ(response.status, 200u);
  EXPECT_EQ(response.type, "application/json");
  EXPECT_EQ(response.body, leader_json);

  control.now = {NodeId{3}, std::nullopt, 12, Role::leaderless, 1999us, 0ms, {}};
  EXPECT_EQ(get(control, "/v1/leader").body,
            R"({"id":3,"leader":null,"is_leader":false,"role":"leaderless","epoch":12,)"
            R"("since_ms":1,"age_ms":0})");

  control.now = {NodeId{3}, NodeId{3}, 13, Role::leading, 0ms, 0ms, {NodeId{5}, NodeId{3}}};
  EXPECT_EQ(get(control, "/v1/leader").body,
            R"({"id":3,"leader":3,"is_leader":true,"role":"leading","epoch":13,"since_ms":0,)"
            R"("age_ms":0,"chain":[5,3]})");

  control.now.chain.clear();
  control.now.hops = 0;
  control.now.members = 4;
  EXPECT_TRUE(get(control, "/v1/leader").body.ends_with(R"("age_ms":0,"hops":0,"members":4})"));
}

TEST(Api, NodeStatus) {
  FakeControl control;
  control.state.candidacy = Candidacy::resigned;
  const std::string start = leader_json.substr(0, leader_json.size() - 1);
  EXPECT_EQ(get(control, "/v1/status").body,
            start + R"(,"version":"1.2.3","algorithm":"cel-2","group":"boats","uptime_ms":61000,)"
                    R"("standing":"resigned","priority":50,"encrypted":true,"members":2,)"
                    R"("neighbours":[{"id":7,"age_ms":42}],"interfaces":["eth0"],"keys":["a1b2"],)"
                    R"("slack_ms":5,"warnings":[]})");
  control.state.neighbours.clear();
  control.state.group = "boats\xff";
  const auto json = json::Json::parse(get(control, "/v1/status").body);
  EXPECT_EQ(json.at("neighbours"), json::Json::array());
  EXPECT_EQ(json.at("group"), "boats\xEF\xBF\xBD") << "what is no UTF-8 is replaced";
}

TEST(Api, Members) {
  FakeControl control;
  EXPECT_EQ(get(control, "/v1/members").body,
            R"({"leader":7,"epoch":12,"members":[)"
            R"({"id":3,"hops":0,"via":null,"age_ms":0,"priority":50,"is_leader":false},)"
            R"({"id":7,"hops":1,"via":7,"age_ms":42,"priority":100,"is_leader":true}]})");
  control.component.clear();
  control.now.leader.reset();
  EXPECT_EQ(get(control, "/v1/members").body, R"({"leader":null,"epoch":12,"members":[]})");
}

TEST(Api, Map) {
  FakeControl control;
  EXPECT_EQ(get(control, "/v1/map").body,
            R"({"id":3,"leader":7,"epoch":12,"members":[3,7],"links":[[3,7]]})");
}

TEST(Api, EventsBeginWithTheLeader) {
  FakeControl control;
  const Response response = get(control, "/v1/events");
  EXPECT_TRUE(response.events);
  EXPECT_EQ(response.type, "text/event-stream");
  EXPECT_EQ(response.body, "event: leader\ndata: " + leader_json + "\n\n");
}

TEST(Api, EventText) {
  EXPECT_EQ(event_text({5, "members", "[1]"}), "id: 5\nevent: members\ndata: [1]\n\n");
  EXPECT_EQ(event_text({0, "x", ""}), "event: x\ndata: \n\n");
  EXPECT_EQ(event_text({1, "a\nid: 9", "b\n\nevent: c\r"}),
            "id: 1\nevent: aid: 9\ndata: b\ndata: \ndata: event: c\ndata: \n\n")
      << "nobody can smuggle in an event";
}

TEST(Api, Metrics) {
  FakeControl control;
  const Response response = get(control, "/metrics");
  EXPECT_EQ(response.type, "text/plain; version=0.0.4");
  EXPECT_EQ(response.body, "bellwether_epoch 12\n");
}

TEST(Api, Orders) {
  for (const std::string name : {"resign", "pause", "resume"}) {
    FakeControl control;
    const Response done = post(control, "/v1/" + name);
    EXPECT_EQ(done.status, 200u);
    EXPECT_EQ(done.body, leader_json);
    EXPECT_EQ(control.calls, std::vector<std::string>{name});
    control.refusal = Rejection{"it is \"paused\" already"};
    const Response refused = post(control, "/v1/" + name);
    EXPECT_EQ(refused.status, 409u);
    EXPECT_EQ(refused.body, R"({"error":"it is \"paused\" already"})");
  }
}

TEST(Api, Priority) {
  FakeControl control;
  for (const auto& [body, number] :
       std::vector<std::pair<std::string, std::string>>{{"50", "50"},
                                                        {" 51\r\n", "51"},
                                                        {R"({"priority": 52})", "52"},
                                                        {"0", "0"},
                                                        {"4294967295", "4294967295"}}) {
    control.calls.clear();
    EXPECT_EQ(post(control, "/v1/priority", body).status, 200u) << body;
    EXPECT_EQ(control.calls, std::vector<std::string>{"priority " + number}) << body;
  }
  control.calls.clear();
  for (const std::string body :
       {"", "x", "-1", "1.5", "4294967296", "99999999999999999999999", "[50]", "{}", "\"50\"",
        R"({"priority":"50"})", R"({"priority":-1})", R"({"priority":50,"other":1})", "50 50",
        "{\"priority\":50", "\xff", "true", "null", "[[[[[[[[[[[[[["}) {
    const Response response = post(control, "/v1/priority", body);
    EXPECT_EQ(response.status, 400u) << body;
    EXPECT_EQ(sentence(response),
              "a priority is a whole number from 0 to 4294967295: send {\"priority\": 50}");
  }
  EXPECT_TRUE(control.calls.empty());
  control.refusal = Rejection{"no"};
  EXPECT_EQ(post(control, "/v1/priority", "1").status, 409u);
}

TEST(Api, Submit) {
  FakeControl control;
  const std::string bytes = "\0\xff any\r\n"s;
  const Response first = post(control, "/v1/to-leader", bytes);
  EXPECT_EQ(first.status, 202u);
  EXPECT_EQ(first.body, R"({"id":"3-1"})");
  EXPECT_EQ(post(control, "/v1/to-members", "hello").body, R"({"id":"3-2"})");
  ASSERT_EQ(control.sent.size(), 2u);
  EXPECT_EQ(control.sent[0], std::pair(To::leader, bytes));
  EXPECT_EQ(control.sent[1], std::pair(To::members, "hello"s));
  control.refusal = Rejection{"nobody leads"};
  const Response refused = post(control, "/v1/to-leader", "x");
  EXPECT_EQ(refused.status, 409u);
  EXPECT_EQ(sentence(refused), "nobody leads");
}

TEST(Api, Inbox) {
  FakeControl control;
  EXPECT_EQ(get(control, "/v1/inbox").body, R"({"messages":[],"next":0})");
  EXPECT_FALSE(get(control, "/v1/inbox").wait);
  control.deliver("hello");
  control.deliver("\xff\x00\x01"s);
  EXPECT_EQ(get(control, "/v1/inbox?after=0").body,
            R"({"messages":[)"
            R"({"sequence":1,"id":"7-1","from":7,"to":"members","age_ms":9,"text":"hello"},)"
            R"({"sequence":2,"id":"7-2","from":7,"to":"members","age_ms":9,"base64":"/wAB"}],)"
            R"("next":2})");
  EXPECT_EQ(get(control, "/v1/inbox?after=2").body, R"({"messages":[],"next":2})");
  const auto rest = json::Json::parse(get(control, "/v1/inbox?after=1&wait_ms=60000").body);
  EXPECT_EQ(rest.at("messages").size(), 1u);
  EXPECT_EQ(rest.at("next"), 2);
}

TEST(Api, InboxWaits) {
  FakeControl control;
  EXPECT_EQ(get(control, "/v1/inbox?wait_ms=1500").wait, Duration(1500ms));
  EXPECT_FALSE(get(control, "/v1/inbox?wait_ms=0").wait);
  EXPECT_FALSE(answer(control, {"HEAD", "/v1/inbox?wait_ms=1500", ""}).wait);
  control.deliver("x");
  EXPECT_FALSE(get(control, "/v1/inbox?wait_ms=1500").wait) << "something is there already";
  const Response behind = get(control, "/v1/inbox?wait_ms=1500&after=1");
  EXPECT_EQ(behind.wait, Duration(1500ms));
  EXPECT_EQ(behind.body, R"({"messages":[],"next":1})");
}

TEST(Api, InboxRefusesBadNumbers) {
  FakeControl control;
  for (const std::string query :
       {"after=", "after", "after=x", "after=-1", "after=1x", "after=99999999999999999999",
        "wait_ms=60001", "wait_ms=-1", "wait_ms=1.5", "later=1", "after=1&&x=2", "=", "after=1?"}) {
    const Response response = get(control, "/v1/inbox?" + query);
    EXPECT_EQ(response.status, 400u) << query;
    EXPECT_FALSE(sentence(response).empty());
  }
  EXPECT_EQ(sentence(get(control, "/v1/inbox?wait_ms=60001")),
            "wait_ms=N takes milliseconds from 0 to 60000, not 'wait_ms=60001'");
  EXPECT_EQ(get(control, "/v1/inbox?").status, 200u);
  EXPECT_EQ(get(control, "/v1/inbox?&after=1&").status, 200u);
}

TEST(Api, InboxAnswersInPieces) {
  FakeControl control;
  const std::string large(20000, 'a');
  for (int i = 0; i < 10; ++i) control.deliver(large);
  std::uint64_t next = 0;
  std::uint64_t seen = 0;
  while (next < 10) {
    const std::string body = get(control, "/v1/inbox?after=" + std::to_string(next)).body;
    EXPECT_LT(body.size(), most_inbox_bytes + 100);
    const auto json = json::Json::parse(body);
    ASSERT_FALSE(json.at("messages").empty());
    for (const auto& message : json.at("messages")) EXPECT_EQ(message.at("sequence"), ++seen);
    next = json.at("next").get<std::uint64_t>();
  }
  EXPECT_EQ(seen, 10u);
  control.deliver(std::string(2 * most_inbox_bytes, 'b'));
  const auto json = json::Json::parse(get(control, "/v1/inbox?after=10").body);
  EXPECT_EQ(json.at("next"), 11) << "one message at least, however long";
}

TEST(Api, InboxKnowsNumbersFromBeforeARestart) {
  FakeControl control;
  const std::string target = "/v1/inbox?after=57&wait_ms=100";
  EXPECT_TRUE(get(control, target).wait);
  control.deliver("first after the restart");
  const auto json = json::Json::parse(get(control, target).body);
  EXPECT_EQ(json.at("messages").size(), 1u);
  EXPECT_EQ(json.at("next"), 1);
}

TEST(Api, TextIsUtf8) {
  const auto is_text = [](const std::string& payload) {
    Delivered message;
    message.payload = payload;
    const auto json = json::Json::parse(to_json(message));
    EXPECT_EQ(json.value("text", payload), payload);
    EXPECT_NE(json.contains("text"), json.contains("base64"));
    return json.contains("text");
  };
  for (const std::string& good :
       {""s, "a\0b"s, "\n\x7f"s, "\xC2\x80"s, "\xDF\xBF"s, "\xE0\xA0\x80"s, "\xED\x9F\xBF"s,
        "\xEE\x80\x80"s, "\xF0\x90\x80\x80"s, "\xF4\x8F\xBF\xBF"s, "gr\xC3\xBC\xC3\x9F"s}) {
    EXPECT_TRUE(is_text(good)) << good;
  }
  for (const std::string& bad :
       {"\x80"s, "\xC0\x80"s, "\xC1\xBF"s, "\xC2"s, "\xC2\x41"s, "\xE0\x9F\xBF"s, "\xED\xA0\x80"s,
        "\xE2\x82"s, "\xF0\x8F\xBF\xBF"s, "\xF4\x90\x80\x80"s, "\xF0\x90\x80"s, "\xF5\x80\x80\x80"s,
        "\xFF"s, "ok\xE2\x82 x"s}) {
    EXPECT_FALSE(is_text(bad)) << bad;
  }
}

TEST(Api, HeadIsLikeGet) {
  FakeControl control;
  const Response head = answer(control, {"HEAD", "/v1/leader", ""});
  EXPECT_EQ(head.status, 200u);
  EXPECT_EQ(head.body, leader_json);
  EXPECT_FALSE(answer(control, {"HEAD", "/v1/events", ""}).events);
}

TEST(Api, UnknownPaths) {
  FakeControl control;
  EXPECT_EQ(sentence(get(control, "/v2/leader?x=1")),
            "there is no '/v2/leader' here; there are /, /v1/leader, /v1/status, /v1/members, "
            "/v1/map, /v1/events, /v1/inbox, /v1/resign, /v1/pause, /v1/resume, /v1/priority, "
            "/v1/lock, /v1/to-leader, /v1/to-members, /metrics");
  for (const std::string target : {"", "?", "*", "//", "/v1", "/v1/leader/", "/v1/leader%00",
                                   "http://x/v1/leader", "\xff", "/../v1/leader"}) {
    EXPECT_EQ(get(control, target).status, 404u) << target;
    EXPECT_FALSE(sentence(get(control, target)).empty());
  }
  EXPECT_LT(get(control, "/" + std::string(5000, 'x')).body.size(), 500u);
}

TEST(Api, WrongMethods) {
  FakeControl control;
  Response response = post(control, "/v1/leader");
  EXPECT_EQ(response.status, 405u);
  EXPECT_EQ(response.allow, "GET, HEAD");
  EXPECT_EQ(sentence(response), "/v1/leader takes GET, HEAD, not 'POST'");
  response = get(control, "/v1/resign");
  EXPECT_EQ(response.status, 405u);
  EXPECT_EQ(response.allow, "POST");
  EXPECT_TRUE(control.calls.empty());
  EXPECT_EQ(answer(control, {"HEAD", "/v1/resign", ""}).status, 405u);
  EXPECT_EQ(answer(control, {"get", "/v1/leader", ""}).status, 405u);
  EXPECT_EQ(answer(control, {"", "/v1/leader", ""}).status, 405u);
}

TEST(Api, ALockIsGrantedToOneHolderAtATime) {
  FakeControl control;
  const auto lock = [&](const std::string& name, const std::string& holder, int lease_ms) {
    const Response response = post(control, "/v1/lock",
                                   R"({"name":")" + name + R"(","holder":")" + holder +
                                       R"(","lease_ms":)" + std::to_string(lease_ms) + "}");
    EXPECT_EQ(response.status, 200u) << response.body;
    EXPECT_TRUE(response.body.starts_with(leader_json.substr(0, leader_json.size() - 1)));
    return response.body.ends_with(R"(,"granted":true})");
  };
  EXPECT_TRUE(lock("jobs", "a", 3000));
  EXPECT_FALSE(lock("jobs", "b", 3000));
  EXPECT_TRUE(lock("jobs", "a", 3000)) << "renewed";
  EXPECT_TRUE(lock("other", "b", 3000));
  EXPECT_FALSE(lock("jobs", "b", 0)) << "it has nothing to release";
  EXPECT_FALSE(lock("jobs", "b", 3000));
  EXPECT_FALSE(lock("jobs", "a", 0));
  EXPECT_TRUE(lock("jobs", "b", 3000)) << "released";
  for (const char* wrong :
       {"", "[]", "{}", R"({"name":"","holder":"a","lease_ms":1})",
        R"({"name":"a","holder":"a","lease_ms":-1})", R"({"name":"a","holder":5,"lease_ms":1})",
        R"({"name":"a","holder":"a","lease_ms":86400001})"})
    EXPECT_EQ(post(control, "/v1/lock", wrong).status, 400u) << wrong;
}

TEST(Api, LeasesEndByThemselvesAndAreBounded) {
  LockLeases leases;
  EXPECT_TRUE(leases.grant(10s, {"jobs", "a", 3s}));
  EXPECT_FALSE(leases.grant(12s, {"jobs", "b", 3s}));
  EXPECT_TRUE(leases.grant(13s, {"jobs", "b", 3s}));
  EXPECT_FALSE(leases.grant(13s, {"jobs", "a", 3s})) << "it came too late";
  for (int i = 0; i < 1000; ++i) leases.grant(14s, {std::to_string(i), "c", 3s});
  EXPECT_FALSE(leases.grant(14s, {"one more", "c", 3s}));
  EXPECT_TRUE(leases.grant(17s, {"one more", "c", 3s}));
}

TEST(Api, ListOfPaths) {
  FakeControl control;
  const Response response = get(control, "/");
  EXPECT_EQ(response.type, "text/plain; charset=utf-8");
  EXPECT_NE(response.body.find("GET  /v1/leader       the leader, and for how long it has led\n"),
            std::string::npos)
      << response.body;
  EXPECT_NE(response.body.find("POST /v1/to-members   the body goes to all members\n"),
            std::string::npos)
      << response.body;
}

}  // namespace
}  // namespace bellwether::node
