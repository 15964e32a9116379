// SPDX-License-Identifier: GPL-2.0-only
#include "air.hpp"

#include <gtest/gtest.h>

#include "bare.hpp"
#include "bellwether/core/problem.hpp"

namespace bellwether::ns3side {
namespace {

using namespace std::chrono_literals;
using world::Medium;
using world::MediumEffects;
using world::Reach;

/// A medium among nodes that stand, and a clock for it.
class Hand {
 public:
  Hand(const world::RadioSpec& radio, const std::vector<world::Point>& places,
       std::uint64_t seed = 1)
      : medium_(make_air(
            {radio, static_cast<NodeIndex>(places.size()), 0, {}, seed, standing(places)})) {}

  Medium& medium() { return *medium_; }
  void send(NodeIndex u, std::uint32_t frame, std::size_t bytes, Time at) {
    run(at);
    medium_->send(u, frame, bytes, at, effects_);
    note(at);
  }
  void power(NodeIndex u, bool on, Time at) {
    run(at);
    medium_->power(u, on, at, effects_);
    note(at);
  }
  void run(Time until) {
    while (wake_ && wake_->at <= until) {
      const auto wake = *wake_;
      wake_.reset();
      medium_->wake(wake.node, wake.serial, wake.at, effects_);
      note(wake.at);
    }
  }
  struct Arrival {
    std::uint32_t frame;
    NodeIndex by;
    Time at;
    friend bool operator==(const Arrival&, const Arrival&) = default;
  };
  std::vector<Arrival> heard;
  std::vector<std::uint32_t> done;

 private:
  void note(Time at) {
    if (!effects_.wakes.empty()) wake_ = effects_.wakes.back();
    for (const auto& each : effects_.heard) heard.push_back({each.frame, each.by, at});
    done.insert(done.end(), effects_.done.begin(), effects_.done.end());
    effects_.clear();
  }

  std::unique_ptr<Medium> medium_;
  MediumEffects effects_;
  std::optional<MediumEffects::WakeUp> wake_;
};

world::RadioSpec radio(double rate = 1e6, double range = 60) {
  return fitted(rate, range);
}

TEST(Air, AFrameArrivesAfterItsTimeOnTheAir) {
  Hand hand(radio(), {{0, 0}, {30, 0}});
  hand.send(0, 7, 60, 100ms);
  hand.run(1s);
  ASSERT_EQ(hand.heard.size(), 1u);
  EXPECT_EQ(hand.heard[0].frame, 7u);
  EXPECT_EQ(hand.heard[0].by, 1u);
  const Duration took = hand.heard[0].at - 100ms;
  EXPECT_GE(took, radio().csma.airtime(60));
  EXPECT_LE(took, radio().csma.airtime(60) + 21us) << "a slot, and the way";
  EXPECT_EQ(hand.done, std::vector<std::uint32_t>{7});
}

TEST(Air, TheRangeIsSharpWithEveryRecipeAndRate) {
  for (const Reach reach : {Reach::range, Reach::logrange, Reach::rssi})
    for (const double rate : {1e6, 6e6, 52e6})
      for (const double range : {20.0, 60.0}) {
        auto spec = radio(rate, range);
        spec.reach = reach;
        for (const double beyond : {-0.01, 0.01}) {
          Hand hand(spec, {{0, 0}, {range + beyond, 0}});
          for (std::uint32_t frame = 0; frame < 5; ++frame)
            hand.send(frame % 2, frame, 200, 10ms * (frame + 1));
          hand.run(1s);
          EXPECT_EQ(hand.heard.size(), beyond < 0 ? 5u : 0u)
              << core::name_of(reach) << ' ' << rate << ' ' << range + beyond;
          EXPECT_EQ(hand.medium().counts().possible, beyond < 0 ? 5u : 0u);
          EXPECT_EQ(hand.done.size(), 5u);
        }
      }
}

TEST(Air, WhoIsOffHearsNothingAndWhatItSentIsCutOff) {
  Hand hand(radio(), {{0, 0}, {30, 0}, {0, 30}});
  hand.send(0, 1, 600, 10ms);
  hand.power(0, false, 12ms);  // in the middle of it
  hand.send(0, 2, 60, 13ms);
  hand.send(1, 3, 60, 20ms);
  hand.run(50ms);
  EXPECT_EQ(hand.heard.size(), 1u);  // frame 3, by node 2
  EXPECT_EQ(hand.medium().counts().cut_off, 2u);
  hand.power(0, true, 60ms);
  hand.send(1, 4, 60, 70ms);
  hand.send(0, 5, 60, 80ms);
  hand.run(1s);
  ASSERT_EQ(hand.heard.size(), 5u);
  EXPECT_EQ(hand.medium().energy(0, 1s).sleep, 48ms);
  EXPECT_EQ(hand.medium().energy(1, 1s).sleep, 0ms);
  std::ranges::sort(hand.done);
  EXPECT_EQ(hand.done, (std::vector<std::uint32_t>{1, 2, 3, 4, 5}));
}

TEST(Air, WhatWaitsInLineIsDroppedByACrash) {
  Hand hand(radio(), {{0, 0}, {30, 0}});
  for (std::uint32_t frame = 0; frame < 10; ++frame) hand.send(0, frame, 600, 10ms);
  hand.power(0, false, 20ms);
  hand.power(0, true, 30ms);
  hand.send(0, 10, 60, 40ms);
  hand.run(1s);
  EXPECT_EQ(hand.done.size(), 11u);
  ASSERT_FALSE(hand.heard.empty());
  EXPECT_EQ(hand.heard.back().frame, 10u);
  EXPECT_LT(hand.heard.size(), 4u) << "one frame takes 5 ms";
}

TEST(Air, EnergyIsThatOfTheStates) {
  Hand hand(radio(), {{0, 0}, {30, 0}});
  hand.send(0, 1, 60, 10ms);
  hand.run(500ms);
  const auto sender = hand.medium().energy(0, 1s);
  EXPECT_EQ(sender.tx, 976us);
  EXPECT_EQ(sender.idle + sender.busy + sender.rx + sender.tx + sender.sleep, 1s);
  EXPECT_NEAR(sender.joules, 0.5 + 2.0 * 976e-6, 1e-9);
  const auto receiver = hand.medium().energy(1, 1s);
  EXPECT_EQ(receiver.rx, 784us) << "from the payload on";
  EXPECT_NEAR(core::seconds(receiver.busy), 188e-6, 5e-6) << "preamble and header";
}

TEST(Air, CountsAddUp) {
  TrafficSpec traffic;
  traffic.nodes = 25;
  traffic.side = 150;
  traffic.lasts = 3s;
  const Outcome out = by_ns3(traffic, radio());
  EXPECT_GT(out.counts.lost_overlap, 0u);
  EXPECT_GT(out.counts.lost_deaf, 0u);
  const auto& c = out.counts;
  const auto known = c.received + c.lost_overlap + c.lost_deaf + c.cut_off;
  EXPECT_LE(known, c.possible);
  EXPECT_LE(c.possible - known, 60u) << "at most what is on the air at the end";
}

TEST(Air, TheSameSeedGivesTheSameAgainInOneProcess) {
  TrafficSpec traffic;
  traffic.nodes = 20;
  traffic.side = 150;
  traffic.lasts = 2s;
  const Outcome first = by_ns3(traffic, radio());
  const Outcome again = by_ns3(traffic, radio());
  EXPECT_EQ(first.counts.received, again.counts.received);
  EXPECT_EQ(first.counts.lost_overlap, again.counts.lost_overlap);
  EXPECT_EQ(first.events, again.events);
  EXPECT_EQ(first.joules, again.joules);
  EXPECT_EQ(first.delay_us, again.delay_us);
  traffic.seed = 2;
  EXPECT_NE(first.delay_us, by_ns3(traffic, radio()).delay_us);
}

TEST(Air, WhatTheRadioCannotDoIsRefused) {
  const auto complaint = [](const world::RadioSpec& spec) -> std::string {
    try {
      Hand hand(spec, {{0, 0}, {30, 0}});
    } catch (const core::Problem& bad) {
      return bad.what();
    }
    return "none";
  };
  EXPECT_EQ(complaint(radio()), "none");
  auto fast = radio();
  fast.csma.rate = 3e6;
  EXPECT_NE(complaint(fast).find("rate: 802.11n has no such rate"), std::string::npos);
  auto large = radio();
  large.mtu = 4000;
  EXPECT_NE(complaint(large).find("mtu: 802.11 carries at most 2296"), std::string::npos);
}

TEST(Air, AFrameAboveTheMtuIsCountedNotLostInSilence) {
  auto spec = radio();
  spec.mtu = 1000;
  Hand hand(spec, {{0, 0}, {30, 0}});
  hand.send(0, 1, 1001, 10ms);
  hand.send(0, 2, 1000, 20ms);
  hand.run(1s);
  EXPECT_EQ(hand.medium().counts().too_large, 1u);
  EXPECT_EQ(hand.heard.size(), 1u);
  EXPECT_EQ(hand.done.size(), 2u);
}

/// docs/ns3.md has the whole table; these are some of its cells, shorter.
TEST(Air, CsmaIsWithinOnePointOfDeliveryAndOnePercentOfEnergy) {
  struct Cell {
    double rate, range;
    NodeIndex nodes;
  };
  for (const Cell cell : {Cell{1e6, 60, 60}, Cell{6e6, 120, 40}, Cell{52e6, 120, 40}}) {
    TrafficSpec traffic;
    traffic.nodes = cell.nodes;
    traffic.lasts = 8s;
    const auto spec = radio(cell.rate, cell.range);
    const Outcome real = by_ns3(traffic, spec);
    const Outcome fast = by_csma(traffic, spec);
    SCOPED_TRACE(cell.rate);
    EXPECT_EQ(real.counts.sent, fast.counts.sent);
    EXPECT_NEAR(100 * real.delivery(), 100 * fast.delivery(), 1);
    EXPECT_NEAR(fast.joules / real.joules, 1, 0.01);
    EXPECT_NEAR(fast.delay_us / real.delay_us, 1, 0.05);
  }
}

/// Our channel leaves out the events of those who hear nothing, and nothing else.
TEST(NearChannel, WhatIsHeardIsHeardOnNs3sOwnAtTheSameTime) {
  TrafficSpec spec;
  spec.nodes = 25;
  spec.side = 250;
  spec.lasts = 3s;
  for (const Reach reach : {Reach::range, Reach::logrange, Reach::rssi})
    for (const double rate : {1e6, 6e6, 52e6}) {
      world::RadioSpec radio = fitted(rate, 60);
      radio.reach = reach;
      const auto near = by_bare_ns3(spec, radio, Reaches::those_who_hear);
      EXPECT_GT(near.size(), 1000u) << rate;
      EXPECT_TRUE(near == by_bare_ns3(spec, radio, Reaches::everybody)) << rate;
    }
}

}  // namespace
}  // namespace bellwether::ns3side
