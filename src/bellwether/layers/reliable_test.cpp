// SPDX-License-Identifier: MIT
#include "bellwether/layers/reliable.hpp"

#include <gtest/gtest.h>

#include "bellwether/core/hand_host_test.hpp"
#include "bellwether/core/prng.hpp"
#include "bellwether/layers/toy_test.hpp"

namespace bellwether::layers {
namespace {

using core::NodeIndex;

/// Two nodes and the link between them, which does to packets whatever the test wants, and whose
/// ends learn of its changes each on its own.
class Pair : private core::HandHost {
 public:
  Pair(std::uint64_t seed, std::uint64_t numbers)
      : HandHost(core::nodes_of<Reliable>({{}, toys({.numbers = numbers})})), prng_(seed) {
    add(NodeId{1});
    add(NodeId{2});
  }

  void up(NodeIndex i) {
    ports_[i] = open(i, {.far = 1 - i});
    tell_up(i, *ports_[i]);
  }
  void down(NodeIndex i) { tell_down(i, *std::exchange(ports_[i], std::nullopt)); }
  bool is_up(NodeIndex i) const { return ports_[i].has_value(); }
  /// The end forgets everything, as a node restarted without memory does.
  void reborn(NodeIndex i) {
    stop(i);
    revive(i);
    ports_[i].reset();
  }

  std::size_t waiting() const { return air_.size(); }
  /// A packet on its way, any of them: it arrives, and stays in the air if it will come again.
  void deliver(bool again) {
    const std::size_t which = prng_.below(air_.size());
    const auto [to, message] = air_[which];
    if (!again) air_.erase(air_.begin() + static_cast<std::ptrdiff_t>(which));
    if (is_up(to)) step(to, core::Call::receive(*ports_[to], message.value()));
  }
  void lose() { air_.erase(air_.begin() + static_cast<std::ptrdiff_t>(prng_.below(air_.size()))); }
  bool retries(NodeIndex i) const { return is_up(i) && is_armed(i, retry_of(i)); }
  void retry(NodeIndex i) { fire(i, retry_of(i)); }
  /// A message that was never sent.
  void forge(NodeIndex to, const Reliable::Message& message) {
    step(to, core::Call::receive(*ports_[to], &message));
  }
  /// From now on everything gets through.
  void settle() {
    for (int round = 0; round < 1000; ++round) {
      while (waiting() > 0) deliver(false);
      if (!retries(0) && !retries(1)) return;
      for (NodeIndex i = 0; i < 2; ++i)
        if (retries(i)) retry(i);
    }
    FAIL() << "they never settle";
  }
  const std::vector<Toy::Life>& lives(NodeIndex i) const {
    return toy_in(as<Reliable>(i).inside()).lives;
  }
  std::uint64_t below(std::uint64_t n) { return prng_.below(n); }

 private:
  core::TimerName retry_of(NodeIndex i) const {
    return core::TimerName::of(Reliable::Timer(Reliable::Retry{*ports_[i]}));
  }
  void on_send(NodeIndex i, Port, const core::AnyMessage& message) override {
    air_.push_back({1 - i, message});
  }
  std::uint64_t choose(std::uint64_t n) override { return prng_.below(n); }

  struct Flight {
    NodeIndex to;
    core::AnyMessage message;
  };
  core::Prng prng_;
  std::optional<Port> ports_[2];
  std::vector<Flight> air_;
};

std::vector<std::uint64_t> up_to(std::uint64_t n) {
  std::vector<std::uint64_t> out;
  for (std::uint64_t i = 1; i <= n; ++i) out.push_back(i);
  return out;
}

/// On no life more than the other end sent, and in order.
void expect_prefixes(const Pair& pair, std::uint64_t numbers) {
  for (NodeIndex i = 0; i < 2; ++i)
    for (const auto& life : pair.lives(i)) {
      ASSERT_LE(life.heard.size(), numbers);
      ASSERT_EQ(life.heard, up_to(life.heard.size()));
    }
}

TEST(Reliable, AllArrivesInOrderThoughPacketsOvertakeAndComeTwice) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Pair pair(seed, 20);
    pair.up(0);
    pair.up(1);
    for (int i = 0; i < 300 && pair.waiting() > 0; ++i) pair.deliver(pair.below(4) == 0);
    pair.settle();
    ASSERT_EQ(pair.lives(0).size(), 1u);
    ASSERT_EQ(pair.lives(0)[0].heard, up_to(20)) << seed;
    ASSERT_EQ(pair.lives(1)[0].heard, up_to(20)) << seed;
  }
}

TEST(Reliable, WhatIsLostIsSentAgain) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Pair pair(seed, 10);
    pair.up(0);
    pair.up(1);
    for (int i = 0; i < 200; ++i) {
      if (pair.waiting() == 0)
        for (NodeIndex e = 0; e < 2; ++e)
          if (pair.retries(e)) pair.retry(e);
      if (pair.waiting() == 0) break;
      pair.below(2) == 0 ? pair.lose() : pair.deliver(false);
      expect_prefixes(pair, 10);
    }
    pair.settle();
    ASSERT_EQ(pair.lives(0)[0].heard, up_to(10)) << seed;
    ASSERT_EQ(pair.lives(1)[0].heard, up_to(10)) << seed;
  }
}

/// One end saw the link go and come, the other did not: the other is notified.
TEST(Reliable, ANewSessionOfOneEndIsANewLinkForTheOther) {
  Pair pair(1, 5);
  pair.up(0);
  pair.up(1);
  pair.settle();
  pair.down(0);
  pair.up(0);
  pair.settle();
  ASSERT_EQ(pair.lives(1).size(), 2u);
  EXPECT_TRUE(pair.lives(1)[0].over);
  EXPECT_EQ(pair.lives(0).back().heard, up_to(5));
  EXPECT_EQ(pair.lives(1).back().heard, up_to(5));
}

TEST(Reliable, AnythingMayHappenAndInTheEndBothHearAll) {
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    Pair pair(seed, 4);
    for (int i = 0; i < 80; ++i) {
      const auto e = static_cast<NodeIndex>(pair.below(2));
      switch (pair.below(8)) {
        case 0:
          if (pair.is_up(e)) pair.down(e);
          break;
        case 1:
          if (!pair.is_up(e)) pair.up(e);
          break;
        case 2:
          if (pair.retries(e)) pair.retry(e);
          break;
        case 3:
          if (pair.waiting() > 0) pair.lose();
          break;
        case 4:
          if (pair.below(8) == 0) pair.reborn(e);
          break;
        default:
          if (pair.waiting() > 0) pair.deliver(pair.below(4) == 0);
      }
      expect_prefixes(pair, 4);
    }
    for (NodeIndex e = 0; e < 2; ++e)
      if (!pair.is_up(e)) pair.up(e);
    pair.settle();
    for (NodeIndex e = 0; e < 2; ++e) {
      ASSERT_FALSE(pair.lives(e).back().over);
      ASSERT_EQ(pair.lives(e).back().heard, up_to(4)) << "seed " << seed;
    }
  }
}

TEST(Reliable, ForgedPacketsDoNoHarm) {
  Pair pair(1, 3);
  pair.up(0);
  for (const Reliable::Message& forged :
       {Reliable::Message(Reliable::Ack{{0, 0, 0}}),
        Reliable::Message(Reliable::Ack{{9, 8, 0xFFFF'FFFF}}),
        Reliable::Message(Reliable::Packet{{9, 0, 5}, 0xFFFF'FFFF, word(0)}),
        Reliable::Message(Reliable::Packet{{3, 0, 0}, 300, word(0)})})
    pair.forge(0, forged);
  ASSERT_EQ(pair.lives(0).size(), 1u);
  EXPECT_TRUE(pair.lives(0)[0].heard.empty());
}

}  // namespace
}  // namespace bellwether::layers
