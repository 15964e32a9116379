// SPDX-License-Identifier: MIT
#include "bellwether/node/transport.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>

#include "bellwether/node/frame.hpp"

namespace bellwether::node {
namespace {

using namespace std::chrono_literals;

/// A node on loopback hears what it says itself.
class TransportTest : public ::testing::Test {
 protected:
  TransportTest() {
    config_.interfaces = {"lo"};
    config_.cast = Cast::ipv4;
    config_.port = static_cast<std::uint16_t>(30000 + getpid() % 20000);
    transport_ = open();
  }
  std::unique_ptr<Transport> open() {
    return std::make_unique<Transport>(io_, config_, [this](auto frame, Duration age) {
      heard_.emplace_back(frame.begin(), frame.end());
      ages_.push_back(age);
    });
  }
  void say(std::uint8_t first) { transport_->send(std::array<std::uint8_t, 2>{first, 7}); }
  void sleep() {
    io_.restart();
    io_.run_for(50ms);
  }

  boost::asio::io_context io_;
  Config config_;
  std::vector<core::Bytes> heard_;
  std::vector<Duration> ages_;
  std::unique_ptr<Transport> transport_;
};

constexpr std::uint8_t news = 0xB1, old = 0xB1 | patient_bit;

TEST_F(TransportTest, NewsWakesTheNode) {
  say(news);
  sleep();
  ASSERT_EQ(heard_.size(), 1u);
  EXPECT_EQ(heard_[0], (core::Bytes{news, 7}));
}

TEST_F(TransportTest, WhatCanWaitIsReadWhenTheNodeWakes) {
  say(old);
  sleep();
  EXPECT_TRUE(heard_.empty());
  transport_->drain();
  ASSERT_EQ(heard_.size(), 1u);
  EXPECT_GE(ages_[0], 40ms) << "it came before the node slept";
  EXPECT_LT(ages_[0], 60s);
}

TEST_F(TransportTest, WhatWasSaidBeforeNewsIsReadBeforeThem) {
  say(old);
  say(news);
  sleep();
  ASSERT_EQ(heard_.size(), 2u);
  EXPECT_EQ(heard_[0][0], old);
  EXPECT_EQ(heard_[1][0], news);
}

TEST_F(TransportTest, TooMuchThatCanWaitDoesNotWait) {
  for (int i = 0; i < 600; ++i) say(old);
  transport_->drain();
  const std::size_t before = heard_.size();
  EXPECT_GT(before, 512u);
  say(old);
  sleep();
  EXPECT_EQ(heard_.size(), before + 1) << "in a flood it wakes the node, or its room runs over";
  transport_->drain();
  say(old);
  sleep();
  EXPECT_EQ(heard_.size(), before + 1) << "and when the flood is over it waits again";
}

TEST_F(TransportTest, APortIsNotSharedWithOtherNodes) {
  EXPECT_THROW(open(), BadNetwork);
  transport_.reset();
  sleep();
  EXPECT_NO_THROW(open());
}

}  // namespace
}  // namespace bellwether::node
