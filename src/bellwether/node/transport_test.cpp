// SPDX-License-Identifier: MIT
#include "bellwether/node/transport.hpp"
#include "bellwether/core/problem.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <thread>

#include "bellwether/node/frame.hpp"

namespace bellwether::node {
namespace {

using namespace std::chrono_literals;

/// On one processor the kernel's loopback keeps the order: what was said before a frame of our own
/// came back has arrived, however busy the machine is.
class OneProcessor {
 public:
  OneProcessor() {
    sched_getaffinity(0, sizeof before_, &before_);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(sched_getcpu()), &one);
    sched_setaffinity(0, sizeof one, &one);
  }
  OneProcessor(const OneProcessor&) = delete;
  OneProcessor& operator=(const OneProcessor&) = delete;
  ~OneProcessor() { sched_setaffinity(0, sizeof before_, &before_); }

  void let_arrive() const {
    const int own = socket(AF_INET, SOCK_DGRAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    auto* const name = reinterpret_cast<sockaddr*>(&address);
    ASSERT_EQ(bind(own, name, length), 0);
    ASSERT_EQ(getsockname(own, name, &length), 0);
    char byte = 0;
    ASSERT_EQ(sendto(own, &byte, 1, 0, name, length), 1);
    ASSERT_EQ(recv(own, &byte, 1, 0), 1);
    close(own);
  }

 private:
  cpu_set_t before_{};
};

/// A node on loopback hears what it says itself.
class TransportTest : public ::testing::Test {
 protected:
  TransportTest() {
    config_.interfaces = {"lo"};
    config_.cast = Cast::ipv4;
    // Other programs may use ports: a free one. The kernel assigns none of these by itself.
    for (config_.port = 17000; !transport_ && config_.port < 20000;) {
      try {
        transport_ = open();
      } catch (const core::Problem&) {
        ++config_.port;
      }
    }
    if (!transport_) transport_ = open();  // it says what is wrong
  }
  std::unique_ptr<Transport> open() {
    return std::make_unique<Transport>(io_, config_,
                                       [this](auto frame, Duration age, const FrameSource& source) {
                                         heard_.emplace_back(frame.begin(), frame.end());
                                         ages_.push_back(age);
                                         source_ = source;
                                       });
  }
  void say(std::uint8_t first) { transport_->send(std::array<std::uint8_t, 2>{first, 7}); }
  /// Long enough to hear what is heard at once, for whatever must not be.
  void sleep() {
    io_.restart();
    io_.run_for(50ms);
  }
  /// Until `count` frames have been heard, of which news wakes the node.
  void until_heard(std::size_t count) {
    const auto end = std::chrono::steady_clock::now() + 120s;
    while (heard_.size() < count && std::chrono::steady_clock::now() < end) {
      io_.restart();
      io_.run_one_for(1s);
    }
    ASSERT_EQ(heard_.size(), count);
  }
  void drain_until_heard(std::size_t count) {
    const auto end = std::chrono::steady_clock::now() + 120s;
    while (heard_.size() < count && std::chrono::steady_clock::now() < end) transport_->drain();
    ASSERT_EQ(heard_.size(), count);
  }

  boost::asio::io_context io_;
  Config config_;
  std::vector<core::Bytes> heard_;
  std::vector<Duration> ages_;
  FrameSource source_;  // of the last frame
  std::unique_ptr<Transport> transport_;
};

constexpr std::uint8_t news = 0xB1, old = 0xB1 | patient_bit;

TEST_F(TransportTest, NewsWakesTheNode) {
  say(news);
  until_heard(1);
  EXPECT_EQ(heard_[0], (core::Bytes{news, 7}));
  EXPECT_TRUE(source_.text().ends_with(" on lo")) << source_.text();
  EXPECT_EQ(source_.port, config_.port);
}

TEST_F(TransportTest, WhatCanWaitIsReadWhenTheNodeWakes) {
  const OneProcessor pinned;
  say(old);
  pinned.let_arrive();
  sleep();
  EXPECT_TRUE(heard_.empty());
  drain_until_heard(1);
  EXPECT_GE(ages_[0], 40ms) << "it came before the node slept";
  EXPECT_LT(ages_[0], 1h);
}

TEST_F(TransportTest, WhatWasSaidBeforeNewsIsReadBeforeThem) {
  say(old);
  say(news);
  until_heard(2);
  EXPECT_EQ(heard_[0][0], old);
  EXPECT_EQ(heard_[1][0], news);
}

TEST_F(TransportTest, TooMuchThatCanWaitDoesNotWait) {
  for (int i = 0; i < 600; ++i) say(old);
  std::this_thread::sleep_for(100ms);  // a busy kernel hands them over behind our back
  transport_->drain();
  const std::size_t before = heard_.size();
  EXPECT_GT(before, 512u);
  say(old);
  until_heard(before + 1);  // in a flood it wakes the node, or its buffer overflows
  transport_->drain();
  say(old);
  sleep();
  EXPECT_EQ(heard_.size(), before + 1) << "and when the flood is over it waits again";
}

TEST_F(TransportTest, APortIsNotSharedWithOtherNodes) {
  EXPECT_THROW(open(), core::Problem);
  transport_.reset();
  sleep();
  EXPECT_NO_THROW(open());
}

}  // namespace
}  // namespace bellwether::node
