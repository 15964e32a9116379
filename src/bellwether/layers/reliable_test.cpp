// SPDX-License-Identifier: MIT
#include "bellwether/layers/reliable.hpp"

#include <gtest/gtest.h>

#include "bellwether/core/prng.hpp"
#include "bellwether/layers/toy_test.hpp"

namespace bellwether::layers {
namespace {

using Node = Reliable;

/// Two nodes and the link between them, which does to packets whatever the test wants, and whose
/// ends learn of its changes each on its own.
class Pair {
 public:
  explicit Pair(std::uint64_t seed, std::uint64_t numbers)
      : prng_(seed), inside_(toys({.numbers = numbers})) {
    for (int i = 0; i < 2; ++i) {
      ends_[i].node = Node(NodeId(1 + i), {{}, inside_});
      ends_[i].step = Node::Step({this, &peer, &draw});
    }
  }

  void up(int i) {
    ends_[i].ports = {Port{ends_[i].next++}};
    run(i, [&](End& end) { end.node.link_up(end.step, end.ports[0]); });
  }
  void down(int i) {
    const Port port = ends_[i].ports[0];
    ends_[i].ports.clear();
    about_ = port;
    run(i, [&](End& end) { end.node.link_down(end.step, port); });
  }
  bool is_up(int i) const { return !ends_[i].ports.empty(); }
  /// The end forgets everything, as a reborn node does.
  void reborn(int i) {
    ends_[i].node = Node(NodeId(1 + static_cast<unsigned>(i)), {{}, inside_});
    ends_[i].ports.clear();
    ends_[i].retry = false;
  }

  std::size_t waiting() const { return air_.size(); }
  /// A packet on its way, any of them: it arrives, and stays in the air if it will come again.
  void deliver(bool again) {
    const std::size_t which = prng_.below(air_.size());
    const auto [to, message] = air_[which];
    if (!again) air_.erase(air_.begin() + static_cast<std::ptrdiff_t>(which));
    if (!is_up(to)) return;
    run(to, [&](End& end) { end.node.receive(end.step, end.ports[0], message); });
  }
  void lose() { air_.erase(air_.begin() + static_cast<std::ptrdiff_t>(prng_.below(air_.size()))); }
  bool retries(int i) const { return ends_[i].retry; }
  void retry(int i) {
    ends_[i].retry = false;
    if (!is_up(i)) return;
    run(i, [&](End& end) { end.node.timeout(end.step, Node::Retry{end.ports[0]}); });
  }
  /// From now on everything gets through.
  void settle() {
    for (int round = 0; round < 1000; ++round) {
      while (waiting() > 0) deliver(false);
      if (!retries(0) && !retries(1)) return;
      for (int i = 0; i < 2; ++i)
        if (retries(i)) retry(i);
    }
    FAIL() << "they never settle";
  }
  const std::vector<Toy::Life>& lives(int i) const { return toy_in(ends_[i].node.inside()).lives; }
  std::uint64_t below(std::uint64_t n) { return prng_.below(n); }

 private:
  struct End {
    Node node;
    Node::Step step;
    std::vector<Port> ports;
    std::uint32_t next = 0;
    bool retry = false;
  };

  template <class Call>
  void run(int i, Call&& call) {
    current_ = i;
    End& end = ends_[i];
    end.step.begin(end.ports, {});
    call(end);
    for (const auto& send : end.step.sends())
      if (is_up(i)) air_.push_back({1 - i, send.message});
    for (const auto& alarm : end.step.alarms())
      if (std::holds_alternative<Node::Retry>(alarm.timer)) end.retry = alarm.armed;
  }
  static NodeId peer(void* self, Port) {
    return NodeId(2 - static_cast<unsigned>(static_cast<Pair*>(self)->current_));
  }
  static std::uint64_t draw(void* self, std::uint64_t n) {
    return static_cast<Pair*>(self)->prng_.below(n);
  }

  struct Flight {
    int to;
    Node::Message message;
  };
  core::Prng prng_;
  std::shared_ptr<core::Nodes> inside_;  // outlives the ends
  End ends_[2];
  std::vector<Flight> air_;
  int current_ = 0;
  Port about_{};
};

std::vector<std::uint64_t> up_to(std::uint64_t n) {
  std::vector<std::uint64_t> out;
  for (std::uint64_t i = 1; i <= n; ++i) out.push_back(i);
  return out;
}

/// On no life more than the other end sent, and in order.
void expect_prefixes(const Pair& pair, std::uint64_t numbers) {
  for (int i = 0; i < 2; ++i)
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
        for (int e = 0; e < 2; ++e)
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

/// One end saw the link go and come, the other did not: it is told so.
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
      const int e = static_cast<int>(pair.below(2));
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
    for (int e = 0; e < 2; ++e)
      if (!pair.is_up(e)) pair.up(e);
    pair.settle();
    for (int e = 0; e < 2; ++e) {
      ASSERT_FALSE(pair.lives(e).back().over);
      ASSERT_EQ(pair.lives(e).back().heard, up_to(4)) << "seed " << seed;
    }
  }
}

TEST(Reliable, ForgedPacketsDoNoHarm) {
  Pair pair(1, 3);
  const auto inside = toys({});
  Node node(NodeId{1}, {{}, inside});
  Node::Step step({nullptr, [](void*, Port) { return NodeId{2}; },
                   [](void*, std::uint64_t) -> std::uint64_t { return 7; }});
  const std::array<Port, 1> ports{Port{0}};
  step.begin(ports, {});
  node.link_up(step, ports[0]);
  for (const Node::Message& forged :
       {Node::Message(Node::Ack{{0, 0, 0}}), Node::Message(Node::Ack{{9, 8, 0xFFFF'FFFF}}),
        Node::Message(Node::Packet{{9, 0, 5}, 0xFFFF'FFFF, word(0)}),
        Node::Message(Node::Packet{{3, 0, 0}, 300, word(0)})}) {
    step.begin(ports, {});
    node.receive(step, ports[0], forged);
  }
  ASSERT_EQ(toy_in(node.inside()).lives.size(), 1u);
  EXPECT_TRUE(toy_in(node.inside()).lives[0].heard.empty());
}

}  // namespace
}  // namespace bellwether::layers
