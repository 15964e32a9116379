// SPDX-License-Identifier: MIT
#include "bellwether/layers/probed.hpp"

#include <gtest/gtest.h>

#include "bellwether/core/hand_host_test.hpp"
#include "bellwether/layers/toy_test.hpp"

namespace bellwether::layers {
namespace {

using namespace std::chrono_literals;

/// One node and the effects of its last step.
class Hands : private core::HandHost {
 public:
  explicit Hands(std::uint64_t id, Toy::Options toy = {}, ProbeOptions probes = {})
      : HandHost(core::nodes_of<Probed>({probes, toys(toy), {}})) {
    add(NodeId{id});
    open(0, {.far = 0, .up = true});  // the air
  }

  void start() { last = step(0, core::Call::start()); }
  void hear(const Probed::Message& message) {
    last = step(0, core::Call::receive(Port{0}, &message));
  }
  void expire(const Probed::Timer& timer) {
    const core::TimerName name = core::TimerName::of(timer);
    last = step(0, core::Call::timeout(name));
  }
  /// What it sent, but for probes.
  std::vector<Probed::Message> sent() const {
    std::vector<Probed::Message> out;
    for (const auto& send : last.sends) out.push_back(send.message.as<Probed::Message>());
    return out;
  }
  std::vector<core::TimerName> armed() const {
    std::vector<core::TimerName> out;
    for (const auto& alarm : last.alarms)
      if (alarm.armed) out.push_back(alarm.timer);
    return out;
  }

  const Probed& node() const { return as<Probed>(0); }
  const Toy& toy() const { return toy_in(node().inside()); }

  core::Outcome last;
};

std::vector<core::TimerName> silence_of(std::uint64_t id) {
  return {core::TimerName::of(Probed::Timer(Probed::Silence{NodeId{id}}))};
}

Probed::Data data(std::uint64_t from, std::optional<std::uint64_t> to, std::uint64_t number) {
  return {NodeId{from}, to ? std::optional(NodeId{*to}) : std::nullopt, word(number)};
}

TEST(Probed, ProbesAtItsPeriodAndSpreadsTheFirst) {
  Hands hands(1, {}, {.period = 100ms, .timeout = 300ms, .jitter = 5ms, .mtu = 1500});
  hands.start();
  ASSERT_EQ(hands.last.alarms.size(), 2u);  // the probe, and the alarm of the toy
  EXPECT_EQ(hands.last.alarms[0].min, 0ms);
  EXPECT_EQ(hands.last.alarms[0].max, 100ms);
  EXPECT_EQ(hands.last.alarms[1].max, 5s);
  hands.expire(Probed::ProbeTime{});
  EXPECT_EQ(hands.sent(), std::vector<Probed::Message>{Probed::Probe{NodeId{1}}});
  ASSERT_EQ(hands.last.alarms.size(), 1u);
  EXPECT_EQ(hands.last.alarms[0].min, 95ms);
  EXPECT_EQ(hands.last.alarms[0].max, 105ms);
}

TEST(Probed, WhoIsHeardIsANeighbourUntilSilence) {
  Hands hands(1, {.numbers = 1});
  hands.hear(Probed::Probe{NodeId{7}});
  ASSERT_EQ(hands.toy().lives.size(), 1u);
  EXPECT_EQ(hands.toy().lives[0].peer, NodeId{7});
  EXPECT_EQ(hands.armed(), silence_of(7));
  EXPECT_EQ(hands.sent(), std::vector<Probed::Message>{data(1, 7, 1)});

  hands.hear(Probed::Probe{NodeId{7}});  // again: only the silence is put off
  EXPECT_EQ(hands.toy().lives.size(), 1u);
  EXPECT_EQ(hands.armed(), silence_of(7));

  hands.expire(Probed::Silence{NodeId{7}});
  EXPECT_TRUE(hands.toy().lives[0].over);
  EXPECT_EQ(hands.node().neighbours().size(), 0u);

  hands.hear(Probed::Probe{NodeId{7}});  // back, as a new link
  ASSERT_EQ(hands.toy().lives.size(), 2u);
  EXPECT_NE(hands.toy().lives[1].port, hands.toy().lives[0].port);
}

TEST(Probed, AnyFrameIsASignOfLife) {
  Hands hands(1, {.numbers = 0});
  hands.hear(data(7, std::nullopt, 42));
  ASSERT_EQ(hands.toy().lives.size(), 1u);
  EXPECT_EQ(hands.toy().lives[0].heard, std::vector<std::uint64_t>{42});
}

TEST(Probed, WhatIsMeantForAnotherIsNotHandedIn) {
  Hands hands(1, {.numbers = 0});
  hands.hear(data(7, 2, 42));
  EXPECT_TRUE(hands.toy().lives.at(0).heard.empty());
  hands.hear(data(7, 1, 43));
  EXPECT_EQ(hands.toy().lives[0].heard, std::vector<std::uint64_t>{43});
}

TEST(Probed, HearsNotItself) {
  Hands hands(1);
  hands.hear(Probed::Probe{NodeId{1}});
  hands.hear(data(1, std::nullopt, 5));
  EXPECT_TRUE(hands.toy().lives.empty());
}

TEST(Probed, ABroadcastLeavesOnceForAll) {
  Hands hands(1, {.numbers = 2, .ballast = 0, .to_all = true});
  hands.hear(Probed::Probe{NodeId{7}});
  EXPECT_EQ(hands.sent(), (std::vector<Probed::Message>{data(1, {}, 1), data(1, {}, 2)}));
}

TEST(Probed, InnerTimersPassThrough) {
  Hands hands(1);
  hands.start();
  const auto alarm = core::TimerName::of(Toy::Timer::alarm);
  hands.expire(InnerTimer{core::AnyTimer(hands.node().inside().nodes(), alarm)});
  EXPECT_EQ(hands.toy().alarms, 1u);
}

TEST(Probed, WhatDoesNotFitAFrameIsSplitAndPutTogether) {
  const ProbeOptions small{.period = 100ms, .timeout = 300ms, .jitter = {}, .mtu = 200};
  Hands sender(1, {.numbers = 2, .ballast = 1000}, small);
  Hands receiver(7, {.numbers = 0}, small);
  sender.hear(Probed::Probe{NodeId{7}});
  const auto frames = sender.sent();
  ASSERT_GT(frames.size(), 10u);
  for (const auto& frame : frames) EXPECT_LE(core::encoded_size(frame), 200u);
  for (const auto& frame : frames) receiver.hear(frame);
  EXPECT_EQ(receiver.toy().lives.at(0).heard, (std::vector<std::uint64_t>{1, 2}));
}

TEST(Probed, PartsMayComeInAnyOrderAndTwice) {
  const ProbeOptions small{.period = 100ms, .timeout = 300ms, .jitter = {}, .mtu = 200};
  Hands sender(1, {.numbers = 1, .ballast = 1000}, small);
  Hands receiver(7, {.numbers = 0}, small);
  sender.hear(Probed::Probe{NodeId{7}});
  auto frames = sender.sent();
  std::reverse(frames.begin(), frames.end());
  for (const auto& frame : frames)
    for (int twice = 0; twice < 2; ++twice) receiver.hear(frame);
  EXPECT_EQ(receiver.toy().lives.at(0).heard, std::vector<std::uint64_t>{1});
}

TEST(Probed, AMessageWithoutAPartIsLostAndTheNextIsNot) {
  const ProbeOptions small{.period = 100ms, .timeout = 300ms, .jitter = {}, .mtu = 200};
  Hands sender(1, {.numbers = 2, .ballast = 1000}, small);
  Hands receiver(7, {.numbers = 0}, small);
  sender.hear(Probed::Probe{NodeId{7}});
  auto frames = sender.sent();
  frames.erase(frames.begin());
  for (const auto& frame : frames) receiver.hear(frame);
  EXPECT_EQ(receiver.toy().lives.at(0).heard, std::vector<std::uint64_t>{2});
}

TEST(Probed, WhoSaysGoodbyeIsLostAtOnceAndComesBackAsNew) {
  Hands hands(1, {.numbers = 0});
  hands.hear(Probed::Probe{NodeId{7}});
  hands.hear(Probed::Bye{NodeId{7}});
  ASSERT_EQ(hands.toy().lives.size(), 1u);
  EXPECT_TRUE(hands.toy().lives[0].over);
  hands.hear(Probed::Bye{NodeId{7}});  // once more, and of an unknown node: nothing to lose
  hands.hear(Probed::Bye{NodeId{8}});
  hands.hear(Probed::Probe{NodeId{7}});
  ASSERT_EQ(hands.toy().lives.size(), 2u);
  EXPECT_FALSE(hands.toy().lives[1].over);
}

TEST(Probed, ForgedPartsTakeNoMemoryAndDoNoHarm) {
  Hands hands(1, {.numbers = 0});
  using Part = Probed::Part;
  hands.hear(Part{NodeId{7}, {}, 1, 0, 0xFFFF'FFFF, {1}});
  hands.hear(Part{NodeId{7}, {}, 1, 5, 2, {1}});
  hands.hear(Part{NodeId{7}, {}, 1, 0, 0, {}});
  hands.hear(Part{NodeId{7}, {}, 2, 0, 1, {0xFF, 0xFF}});  // complete, and garbage
  EXPECT_TRUE(hands.toy().lives.at(0).heard.empty());
}

TEST(Probed, FramesOfTheElectionServeAsProbes) {
  Hands hands(1, {.numbers = 1}, {.period = 100ms, .timeout = 900ms, .jitter = {}, .spare = 2});
  const std::vector<Probed::Message> probe{Probed::Probe{NodeId{1}}};
  const auto next_period = [&] {
    hands.expire(Probed::ProbeTime{});
    EXPECT_EQ(hands.armed().size(), 1u);
    return hands.sent();
  };
  hands.start();
  hands.hear(Probed::Probe{NodeId{7}});  // a new link: the election sends a word
  EXPECT_EQ(hands.sent().size(), 1u);
  EXPECT_TRUE(next_period().empty());
  EXPECT_TRUE(next_period().empty());
  EXPECT_EQ(next_period(), probe) << "two periods without a frame";
  EXPECT_TRUE(next_period().empty());
  EXPECT_EQ(next_period(), probe);
}

TEST(Probed, OnlyTimersOfTheElectionThatWaitForASilenceDo) {
  const auto inner = std::make_shared<core::Typed<Branch>>(Branch::Options{});
  const core::Typed<Probed> nodes({{}, inner, {}});
  EXPECT_TRUE(nodes.can().silence_timers);
  EXPECT_TRUE(nodes.can().tree);
  const auto name = [&](Branch::Timer timer) {
    return core::TimerName::of(
        Probed::Timer(InnerTimer{core::AnyTimer(*inner, core::TimerName::of(timer))}));
  };
  EXPECT_TRUE(nodes.is_silence(name(Branch::Timer::silence)));
  EXPECT_FALSE(nodes.is_silence(name(Branch::Timer::beat)));
  EXPECT_FALSE(nodes.is_silence(silence_of(7).front()));
  EXPECT_FALSE(core::Typed<Probed>({{}, toys({}), {}}).can().silence_timers);
}

TEST(Probed, AFarewellIsToldFromASilence) {
  const auto branches = std::make_shared<core::Typed<Branch>>(Branch::Options{});
  core::Typed<Probed> nodes({{}, branches, {}});
  nodes.add(NodeId{1});
  core::Effects out;
  const auto hear = [&](const Probed::Message& message) {
    nodes.call(0, core::Call::receive(Port{0}, &message), {}, out);
  };
  const auto of_node = [&]() -> const Branch& {
    return branches->node(nodes.node(0).inside().index());
  };
  hear(Probed::Probe{NodeId{7}});
  hear(Probed::Bye{NodeId{7}});
  EXPECT_EQ(of_node().farewells, 1u);
  hear(Probed::Probe{NodeId{7}});
  nodes.call(0, core::Call::timeout(silence_of(7).front()), {}, out);
  EXPECT_EQ(of_node().farewells, 1u);
  EXPECT_EQ(of_node().losses, 1u);
}

}  // namespace
}  // namespace bellwether::layers
