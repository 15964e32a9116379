// SPDX-License-Identifier: MIT
// A whole node in the event loop of a test. Groups of them are in tests/node.
#include "bellwether/node/daemon.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "bellwether/node/replay.hpp"

namespace bellwether::node {
namespace {

using namespace std::chrono_literals;

class DaemonTest : public ::testing::Test {
 protected:
  DaemonTest() {
    config_.id = 3;
    config_.plain = true;
    config_.bind = "127.0.0.1";
    config_.peers = {"127.0.0.1:9"};  // no node listens there
    config_.socket = "none";
    config_.log_file = "/dev/null";
    config_.nice = 0;
    config_.record = "/tmp/bellwether-daemon-" + std::to_string(getpid());
    std::filesystem::remove(config_.record);
  }
  ~DaemonTest() override { std::filesystem::remove(config_.record); }
  /// On a port that is free. The kernel gives none of these away by itself.
  std::unique_ptr<Daemon> open() {
    std::string why;
    for (config_.port = 20000; config_.port < 23000; ++config_.port) {
      try {
        return std::make_unique<Daemon>(io_, config_, catalogue::all());
      } catch (const std::exception& error) {
        why = error.what();
      }
    }
    throw std::runtime_error(why);
  }

  boost::asio::io_context io_{1};
  Config config_;
};

TEST_F(DaemonTest, AWatcherMayStopTheNode) {
  config_.record.clear();
  const auto daemon = open();
  std::vector<std::optional<NodeId>> leaders;
  daemon->watch([&](const LeaderState&, const LeaderState& now) {
    leaders.push_back(now.leader);
    static_cast<void>(daemon->submit(To::leader, "to itself"));
    daemon->stop();
  });
  daemon->start();
  io_.run();
  EXPECT_EQ(leaders, (std::vector<std::optional<NodeId>>{NodeId{3}, std::nullopt}));
  EXPECT_EQ(daemon->leadership().leader, std::nullopt);
}

TEST_F(DaemonTest, ALeaderDeliversToItselfAndAListenerMayStopTheNode) {
  config_.record.clear();
  const auto daemon = open();
  daemon->watch([&](const LeaderState&, const LeaderState& now) {
    if (now.leader) static_cast<void>(daemon->submit(To::leader, "to itself"));
  });
  std::string heard;
  daemon->listen([&](const Delivered& message) {
    heard += message.payload;
    daemon->stop();
  });
  daemon->start();
  io_.run();
  EXPECT_EQ(heard, "to itself");
  EXPECT_EQ(daemon->inbox(0).size(), 1u);
}

TEST_F(DaemonTest, WhatItRecordsReplays) {
  auto daemon = open();
  EXPECT_EQ(daemon->self(), NodeId{3});
  daemon->watch([&](const LeaderState&, const LeaderState& now) {
    if (!now.leader) return;
    EXPECT_FALSE(daemon->set_priority(7));
    daemon->stop();
  });
  daemon->start();
  io_.run();
  daemon.reset();  // the file is whole now
  std::ifstream in(config_.record);
  const EngineReplay replayed = replay(in, config_.record, catalogue::all());
  EXPECT_EQ(replayed.difference, "");
  EXPECT_EQ(replayed.spec.self, NodeId{3});
  EXPECT_GE(replayed.calls, 4u) << "start, priority and two farewells at least";
  ASSERT_FALSE(replayed.changes.empty());
  // It has led, and has retired with its farewell.
  EXPECT_EQ(replayed.changes.back().leader, std::nullopt);
  ASSERT_GE(replayed.changes.size(), 2U);
  EXPECT_EQ(std::prev(replayed.changes.end(), 2)->leader, NodeId{3});
}

}  // namespace
}  // namespace bellwether::node
