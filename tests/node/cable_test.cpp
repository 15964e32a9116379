// SPDX-License-Identifier: MIT
#include "node/cable.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "node/bed_fixture.hpp"

namespace bellwether::bed {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr int port = 4712;
constexpr const char* group6 = "ff02::be12";
constexpr const char* group4 = "239.190.17.2";

/// With both kinds of ends.
class CableTest : public BedTest, public testing::WithParamInterface<std::string> {
 protected:
  void SetUp() override {
    BedTest::SetUp();
    if (IsSkipped()) return;
    const bool tap = GetParam() == "tap";
    if (tap && !Cable::has_tap()) GTEST_SKIP() << "this user may not open /dev/net/tun";
    cable_ = &network_.emplace().cabled_lan(3, 42, tap ? Cable::Ends::tap : Cable::Ends::veth);
    listener_.emplace(network()[1].udp(Ip::v6, port));
    listener_->join(group6);
  }

  Network& network() { return *network_; }
  Cable& cable() { return *cable_; }
  UdpSocket& listener() { return *listener_; }

  /// The numbers that arrive of 0, 1, ..., sent at this pace. Behind them goes a word that is not
  /// lost: a receiver of it has received everything, and waits only where more must.
  std::vector<int> arrivals(std::size_t count, double per_second, std::size_t at_least = 0) {
    const auto counted = [&] { return cable().counts(); };
    const std::uint64_t before = counted().delivered + counted().lost;
    inject(network()[0].space(), "cable0", [](std::size_t i) { return std::to_string(i); }, group6,
           port, {.count = count, .per_second = per_second});
    // A copy for each of the two others; more, where the kernels say something of their own.
    EXPECT_TRUE(eventually([&] {
      const Cable::Counts now = counted();
      return now.on_the_way == 0 && now.delivered + now.lost >= before + 2 * count;
    }));
    cable().set({});
    network()[0].inject("end", group6, port);
    std::vector<int> numbers;
    for (bool over = false; !over || numbers.size() < at_least;) {
      const auto heard = listener().receive(patience);
      if (!heard) {
        ADD_FAILURE() << "nothing comes any more";
        break;
      }
      if (heard->payload == "end")
        over = true;
      else
        numbers.push_back(std::stoi(heard->payload));
    }
    return numbers;
  }
  bool all_arrive() {
    network()[0].inject("0", group6, port, {.count = 5});
    return listener().receive_all(10s, 5).size() == 5;
  }
  bool none_arrives() {
    network()[0].inject("0", group6, port, {.count = 5});
    return !listener().receive(100ms);
  }

 private:
  std::optional<Network> network_;
  Cable* cable_ = nullptr;
  std::optional<UdpSocket> listener_;
};

TEST_P(CableTest, CarriesMulticastBroadcastAndUnicast) {
  UdpSocket third = network()[2].udp(Ip::v4, port);
  third.join(group4);
  EXPECT_TRUE(all_arrive());
  UdpSocket mouth = network()[0].udp(Ip::v4);
  for (const std::string& to :
       {std::string(group4), std::string("255.255.255.255"), network()[2].address()}) {
    ASSERT_TRUE(mouth.send("hello", to, port));
    EXPECT_TRUE(third.receive(patience)) << to;
  }
}

TEST_P(CableTest, DelayAndJitterHoldFramesBackInOrder) {
  cable().set({.delay = 30ms, .jitter = 20ms});
  // Each says when it was sent; a late reader can only find it slower.
  const auto now = [](std::size_t) {
    return std::to_string(Clock::now().time_since_epoch().count());
  };
  inject(network()[0].space(), "cable0", now, group6, port, {.count = 20, .per_second = 500});
  Clock::time_point last{};
  for (int i = 0; i < 20; ++i) {
    const auto datagram = listener().receive(patience);
    ASSERT_TRUE(datagram);
    const Clock::time_point sent(Clock::duration(std::stoll(datagram->payload)));
    EXPECT_GE(sent, last) << "out of order";
    EXPECT_GE(Clock::now() - sent, 30ms);
    last = sent;
  }
  // It can be changed while it runs.
  cable().set({});
  EXPECT_TRUE(all_arrive());
}

TEST_P(CableTest, LosesItsShare) {
  cable().set({.loss = 30});
  const std::size_t heard = arrivals(1000, 10000).size();
  EXPECT_GT(heard, 610u);
  EXPECT_LT(heard, 790u);
}

TEST_P(CableTest, DuplicatesItsShare) {
  cable().set({.duplicate = 50});
  const std::size_t heard = arrivals(400, 10000).size();
  EXPECT_GT(heard, 540u);
  EXPECT_LT(heard, 660u);
  EXPECT_GT(cable().counts().duplicated, 0u);
}

TEST_P(CableTest, ReordersItsShare) {
  cable().set({.reorder = 20, .held = 5ms});
  std::vector<int> numbers = arrivals(200, 2000, 200);
  EXPECT_EQ(numbers.size(), 200u);
  EXPECT_FALSE(std::is_sorted(numbers.begin(), numbers.end()));
  std::sort(numbers.begin(), numbers.end());
  for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_EQ(numbers[i], static_cast<int>(i));
}

TEST_P(CableTest, CanBePulledUnpluggedAndBlocked) {
  Host &a = network()[0], &b = network()[1];
  network().pull(a);
  EXPECT_TRUE(none_arrives());
  EXPECT_TRUE(a.has_carrier());
  network().unplug_with_carrier(a);
  EXPECT_TRUE(eventually([&] { return !a.has_carrier(); }));
  network().plug(a);
  EXPECT_TRUE(eventually([&] { return a.has_carrier(); }));
  EXPECT_TRUE(eventually([&] { return all_arrive(); }));
  network().block(b, a);
  EXPECT_TRUE(all_arrive());
  network().block(a, b);
  EXPECT_TRUE(none_arrives());
  network().heal();
  EXPECT_TRUE(all_arrive());
}

TEST_P(CableTest, LargerFramesPassWithALargerMtu) {
  for (std::size_t i = 0; i < 2; ++i) network().set_mtu(network()[i], 4000);
  const Capture capture = network()[1].capture(port);
  network()[0].inject(Payload(3000, 'x'), group6, port);
  EXPECT_TRUE(listener().receive(patience));
  EXPECT_TRUE(eventually([&] { return capture.size() == 1; }));
}

INSTANTIATE_TEST_SUITE_P(Ends, CableTest, testing::Values("tap", "veth"),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace bellwether::bed
