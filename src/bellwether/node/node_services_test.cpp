// SPDX-License-Identifier: MIT
// The services of nodes that are none: where they are, and what they hear, a test makes up.
#include "bellwether/node/node_services.hpp"

#include <fstream>
#include <sstream>

#include "bellwether/node/http_client_test.hpp"

namespace bellwether::node {
namespace {

using namespace std::chrono_literals;

constexpr NodeId one{1}, two{2};

LeaderState led_by(std::optional<NodeId> leader) {
  LeaderState out;
  out.self = one;
  out.leader = leader;
  return out;
}

class NodeServicesTest : public ::testing::Test {
 protected:
  Config config() {
    Config out;
    out.group = "boats";
    out.socket = "none";
    out.log_file = folder.path + "/log";
    return out;
  }
  std::unique_ptr<NodeServices> services(NodeId self, const Config& config) {
    if (!log) log = std::make_unique<Log>(config);
    return std::make_unique<NodeServices>(io, control, config, self, 5, *log);
  }
  std::unique_ptr<NodeServices> services(NodeId self) { return services(self, config()); }
  /// 1 and 2 hear each other, and 2 leads.
  Relay::NodeContext at(NodeId self) {
    static const std::vector<NodeId> only_one{one}, only_two{two};
    return {now, two, self == one ? only_two : only_one, [](NodeId id) { return id; }};
  }
  /// What 1 and 2 want sent arrives, until nothing is sent any more.
  void carry(NodeServices& a, NodeServices& b) {
    for (bool more = true; more;) {
      more = false;
      for (const Relay::Transmission& send : a.take_sends())
        b.receive(at(two), one, send.message), more = true;
      for (const Relay::Transmission& send : b.take_sends())
        a.receive(at(one), two, send.message), more = true;
      a.deliver(now);
      b.deliver(now);
    }
  }
  std::string log_text() {
    std::ostringstream out;
    out << std::ifstream(folder.path + "/log").rdbuf();
    return out.str();
  }

  TemporaryFolder folder;
  boost::asio::io_context io{1};
  FakeControl control;
  std::unique_ptr<Log> log;
  Time now = 100s;
};

TEST_F(NodeServicesTest, AMessageReachesTheLeaderItsListenersAndItsInbox) {
  auto a = services(one), b = services(two);
  std::vector<std::string> heard;
  b->listen([&](const Delivered& message) { heard.push_back(message.payload); });
  const auto id = a->submit(at(one), To::leader, "hello");
  ASSERT_TRUE(std::holds_alternative<std::string>(id));
  EXPECT_EQ(a->counters().submitted, 1u);
  carry(*a, *b);
  EXPECT_EQ(heard, std::vector<std::string>{"hello"});
  now += 3s;
  const auto inbox = b->inbox(now, 0);
  ASSERT_EQ(inbox.size(), 1u);
  EXPECT_EQ(inbox[0].sequence, 1u);
  EXPECT_EQ(inbox[0].id, std::get<std::string>(id));
  EXPECT_EQ(inbox[0].from, one);
  EXPECT_EQ(inbox[0].age, 3s);
  EXPECT_TRUE(b->inbox(now, 1).empty());
  EXPECT_TRUE(a->inbox(now, 0).empty());
  EXPECT_EQ(b->counters().delivered, 1u);
  EXPECT_EQ(a->counters().confirmed, 1u);
}

TEST_F(NodeServicesTest, FromAStrangerNothingIsTaken) {
  auto a = services(one), b = services(two);
  a->submit(at(one), To::leader, "hello");
  const auto sends = a->take_sends();
  ASSERT_EQ(sends.size(), 1u);
  EXPECT_TRUE(a->take_sends().empty()) << "taken once";
  b->receive(at(two), NodeId{9}, sends[0].message);
  b->deliver(now);
  EXPECT_TRUE(b->inbox(now, 0).empty());
}

TEST_F(NodeServicesTest, DeliveringLeavesWhatIsToBeSent) {
  auto a = services(one);
  a->submit(at(one), To::leader, "hello");
  a->deliver(now);
  EXPECT_EQ(a->take_sends().size(), 1u);
}

TEST_F(NodeServicesTest, AListenerMaySubmit) {
  auto a = services(one), b = services(two);
  b->listen([&](const Delivered& message) {
    if (message.payload != "ping") return;
    b->submit(at(two), To::members, "pong");
    b->deliver(now);  // as a daemon does after each thing that happened
  });
  a->submit(at(one), To::leader, "ping");
  carry(*a, *b);
  ASSERT_EQ(a->inbox(now, 0).size(), 1u);
  EXPECT_EQ(a->inbox(now, 0)[0].payload, "pong");
  EXPECT_GE(b->counters().delivered, 1u);
}

TEST_F(NodeServicesTest, AnInboxThatNobodyReadsHoldsTheLast) {
  auto b = services(two);
  for (int i = 0; i < 1100; ++i) {
    b->submit(at(two), To::leader, "own");  // 2 leads: it is there at once
    b->deliver(now);
  }
  const auto inbox = b->inbox(now, 0);
  ASSERT_EQ(inbox.size(), 1024u);
  EXPECT_EQ(inbox.front().sequence, 77u);
  EXPECT_EQ(inbox.back().sequence, 1100u);
}

TEST_F(NodeServicesTest, AMessageThatGrowsTooOldIsGivenUpAndLogged) {
  auto a = services(one);
  a->submit(at(one), To::leader, "hello");
  EXPECT_FALSE(a->relay_due(now));
  const auto next = a->next_alarm(0);
  ASSERT_TRUE(next);
  EXPECT_TRUE(a->relay_due(*next));
  now += 31s;
  a->wake_relay(at(one));
  a->deliver(now);
  EXPECT_EQ(a->counters().given_up, 1u);
  log.reset();
  EXPECT_NE(log_text().find("a message was given up"), std::string::npos) << log_text();
}

TEST_F(NodeServicesTest, TheRelayIsWokenWhenRoutesOrLeaderHaveChanged) {
  auto a = services(one);
  EXPECT_TRUE(a->relay_outdated(1, two));
  a->update_relay(at(one), 1);
  EXPECT_FALSE(a->relay_outdated(1, two));
  EXPECT_TRUE(a->relay_outdated(2, two));
  EXPECT_TRUE(a->relay_outdated(1, one));
  EXPECT_TRUE(a->relay_outdated(1, std::nullopt));
}

TEST_F(NodeServicesTest, MembersArePublishedTenTimesASecondAtMost) {
  auto a = services(one);
  EXPECT_FALSE(a->members_due(now, 0));
  EXPECT_EQ(a->next_alarm(0), std::nullopt);
  EXPECT_TRUE(a->members_due(now, 1));
  a->publish_members(now, 1, [] {
    ADD_FAILURE() << "nobody listens: the text of the members is not made";
    return "{}";
  });
  EXPECT_FALSE(a->members_due(now + 1s, 1)) << "nothing new";
  EXPECT_FALSE(a->members_due(now + 99ms, 2));
  EXPECT_EQ(a->next_alarm(2), now + 100ms);
  EXPECT_TRUE(a->members_due(now + 100ms, 2));
}

TEST_F(NodeServicesTest, EventsAreNumberedAndReachListenersOverHttp) {
  Config config = this->config();
  config.socket = folder.path + "/socket";
  auto a = services(one, config);
  auto work = boost::asio::make_work_guard(io);
  std::thread loop([&] { io.run(); });
  const auto run = [&](const std::function<void()>& what) {
    std::promise<void> done;
    boost::asio::post(io, [&] { what(), done.set_value(); });
    done.get_future().wait();
  };
  TestClient client(config.socket);
  client.send(TestClient::get_request("/v1/events"));
  EXPECT_EQ(client.read_answer().status, 200u);
  EXPECT_TRUE(client.read_until("\n\n").starts_with("event: leader\n")) << "how things stand";
  run([&] {
    a->publish("leader", "{}");
    a->publish_members(now, 1, [] { return "[]"; });
  });
  EXPECT_EQ(client.read_until("\n\n"), "id: 1\nevent: leader\ndata: {}\n\n");
  EXPECT_EQ(client.read_until("\n\n"), "id: 2\nevent: members\ndata: []\n\n");
  run([&] {
    a->close();
    a->publish("leader", "nobody listens any more");
  });
  EXPECT_TRUE(client.ends());
  work.reset();
  loop.join();
  EXPECT_FALSE(std::filesystem::exists(config.socket));
}

TEST_F(NodeServicesTest, AnotherLeaderIsToldToWatchersAndRunsHooks) {
  Config config = this->config();
  config.on_change = "echo $BELLWETHER_GROUP $BELLWETHER_LEADER > " + folder.path + "/out";
  auto a = services(one, config);
  std::vector<std::optional<NodeId>> seen;
  a->watch([&](const LeaderState& before, const LeaderState& after) {
    seen = {before.leader, after.leader};
  });
  a->change_leader(led_by(std::nullopt), led_by(two));
  EXPECT_EQ(seen, (std::vector<std::optional<NodeId>>{std::nullopt, two}));
  a->close();
  io.run();  // until the hook has ended
  EXPECT_EQ(a->hooks().runs(), 1u);
  std::string line;
  std::ifstream in(folder.path + "/out");
  std::getline(in, line);
  EXPECT_EQ(line, "boats 2");
  config.on_change = "";
  a->configure_hooks(config);
  a->change_leader(led_by(two), led_by(std::nullopt));
  a->close();
  EXPECT_TRUE(a->hooks().idle()) << "there is none any more";
  a.reset();
  log.reset();
  EXPECT_NE(log_text().find("hook ended hook=on_change status=0"), std::string::npos) << log_text();
}

}  // namespace
}  // namespace bellwether::node
