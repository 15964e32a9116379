// SPDX-License-Identifier: MIT
#include "bellwether/layers/listed.hpp"

#include <gtest/gtest.h>

#include "bellwether/core/hand_host_test.hpp"
#include "bellwether/core/members.hpp"
#include "bellwether/core/prng.hpp"
#include "bellwether/layers/toy_test.hpp"

namespace bellwether::layers {
namespace {

using namespace std::chrono_literals;
using core::NodeIndex;
using Record = Listed::MemberRecord;

/// Nodes 1, 2, 3, ... with the clock of all; what is sent arrives at once, unless a test loses it.
class Village : public core::HandHost {
 public:
  explicit Village(NodeIndex nodes, std::size_t most_members = 1000)
      : HandHost(core::nodes_of<Listed>(
            {std::make_shared<core::Typed<Branch>>(Branch::Options{}), most_members})) {
    for (NodeIndex u = 0; u < nodes; ++u) enter(u);
  }
  void enter(NodeIndex u) {
    add(NodeId{u + 1});
    set_clock(u, now_);
    step(u, core::Call::start());
  }
  void line() {
    for (NodeIndex u = 1; u < size(); ++u) connect(u - 1, u);
  }
  void connect(NodeIndex u, NodeIndex v) {
    const Port there = open(u, {.far = v}), back = open(v, {.far = u});
    tell_up(u, there);
    tell_up(v, back);
    deliver();
  }
  void cut(NodeIndex u, NodeIndex v) {
    tell_down(u, *port_to(u, v));
    tell_down(v, *port_to(v, u));
    deliver();
  }
  /// It leaves with a word, or crashes.
  void leave(NodeIndex u, bool farewell) {
    for (NodeIndex v = 0; v < size(); ++v) {
      const auto port = alive(v) ? port_to(v, u) : std::nullopt;
      if (!port || v == u) continue;
      end(v, *port).up = false;
      step(v, farewell ? core::Call::farewell(*port) : core::Call::link_down(*port));
    }
    stop(u);
    deliver();
  }
  void set_parent(NodeIndex u, std::uint32_t id) { step(u, core::Call::set_priority(id)); }
  void pass(Duration time) {
    const core::Time until = now_ + time;
    for (;;) {
      const Armed* first = nullptr;
      NodeIndex whose = 0;
      for (NodeIndex u = 0; u < size(); ++u)
        for (const Armed& each : armed(u))
          if (each.due <= until && (first == nullptr || each.due < first->due))
            first = &each, whose = u;
      if (first == nullptr) break;
      set_now(std::max(now_, first->due));
      fire(whose, core::TimerName(first->timer));
      deliver();
    }
    set_now(until);
  }
  void hear(NodeIndex u, NodeIndex from, std::vector<Record> records) {
    const Listed::Message message = Listed::MemberNames{std::move(records)};
    step(u, core::Call::receive(*port_to(u, from), &message));
    deliver();
  }
  const core::MemberList& list(NodeIndex u) const { return as<Listed>(u).member_list(); }
  std::vector<std::uint64_t> ids(NodeIndex u) const {
    std::vector<std::uint64_t> out;
    for (const core::ListedMember& each : list(u).all) out.push_back(raw(each.id));
    return out;
  }
  bool all_list(const std::vector<std::uint64_t>& wanted) const {
    for (NodeIndex u = 0; u < size(); ++u)
      if (alive(u) && ids(u) != wanted) return false;
    return true;
  }
  const core::ListedMember& member(NodeIndex u, std::uint64_t id) const {
    for (const core::ListedMember& each : list(u).all)
      if (each.id == NodeId{id}) return each;
    throw core::Violation("no such member");
  }

  std::uint64_t messages = 0;  // of each node together
  std::size_t longest = 0;
  int lose_each = 0;  // the copies whose number is a multiple of it are lost

 private:
  void set_now(core::Time now) {
    now_ = now;
    for (NodeIndex u = 0; u < size(); ++u) set_clock(u, now);
  }
  void deliver() {
    while (!busy().empty()) {
      const Way way = busy().front();
      const core::AnyMessage message = take(way);
      if (lose_each > 0 && ++copies_ % lose_each == 0) continue;
      const auto port = port_to(way.second, way.first);
      if (alive(way.second) && port) step(way.second, core::Call::receive(*port, message.value()));
    }
  }
  core::Outcome play(NodeIndex u, const core::Call& call,
                     const core::Surroundings& around) override {
    core::Outcome out = HandHost::play(u, call, around);
    messages += out.sends.size();
    for (const auto& send : out.sends) longest = std::max(longest, send.message.encoded_size());
    return out;
  }
  Duration delay(Duration min, Duration max) override { return draws_.between(min, max); }

  core::Time now_ = 1000s;
  core::Prng draws_{7};
  int copies_ = 0;
};

std::vector<std::uint64_t> up_to(std::uint64_t last) {
  std::vector<std::uint64_t> out;
  for (std::uint64_t id = 1; id <= last; ++id) out.push_back(id);
  return out;
}

TEST(Listed, EveryNodeListsAllWithTheirWays) {
  Village village(6);
  village.line();
  village.pass(3s);
  ASSERT_TRUE(village.all_list(up_to(6)));
  for (std::uint64_t id = 1; id <= 6; ++id) {
    const auto& member = village.member(2, id);
    EXPECT_EQ(member.hops, id > 3 ? id - 3 : 3 - id);
    EXPECT_EQ(member.via, id == 3  ? std::nullopt
                          : id > 3 ? std::optional(NodeId{4})
                                   : std::optional(NodeId{2}));
    EXPECT_EQ(member.priority, core::usual_priority);
  }
}

TEST(Listed, AParentAndAPriorityAreNews) {
  Village village(5);
  village.line();
  village.pass(3s);
  const std::uint64_t before = village.list(4).version;
  village.set_parent(0, 2);
  village.pass(500ms);
  EXPECT_EQ(village.member(4, 1).parent, NodeId{2});
  EXPECT_EQ(village.member(4, 1).priority, 2u);
  EXPECT_GT(village.list(4).version, before);
  village.set_parent(0, 0);  // in no tree: it had this parent, and has no other
  village.pass(500ms);
  EXPECT_EQ(village.member(4, 1).parent, NodeId{2});
  EXPECT_EQ(village.member(4, 1).priority, 0u);
}

TEST(Listed, ThereIsOneMessageASecondWhileNothingChanges) {
  Village village(30);
  village.line();
  village.pass(30s);
  ASSERT_TRUE(village.all_list(up_to(30)));
  const std::uint64_t before = village.messages, version = village.list(7).version;
  village.pass(100s);
  EXPECT_NEAR(static_cast<double>(village.messages - before), 30 * 100, 30 * 6);
  EXPECT_EQ(village.list(7).version, version);
}

TEST(Listed, NewsAreBoundedInRateAndSize) {
  Village village(100);
  village.line();
  const std::uint64_t before = village.messages;
  village.pass(10s);
  EXPECT_LE(village.messages - before, 100u * (10 + 10 + 100));
  village.pass(60s);
  EXPECT_TRUE(village.all_list(up_to(100)));
  EXPECT_LT(village.longest, 400u);
}

TEST(Listed, AFarewellIsKnownAtOnce) {
  Village village(6);
  village.line();
  village.connect(3, 5);
  village.pass(3s);
  village.leave(4, true);
  village.pass(600ms);
  EXPECT_TRUE(village.all_list({1, 2, 3, 4, 6}));
}

TEST(Listed, WhoFallsSilentIsDroppedAndStaysDropped) {
  Village village(6);
  village.line();
  village.connect(3, 5);
  village.pass(3s);
  village.leave(4, false);
  EXPECT_FALSE(village.member(3, 5).via) << "the way by it is lost at once";
  village.pass(5s);  // a round is one second: R + 3 s, and the news
  EXPECT_TRUE(village.all_list({1, 2, 3, 4, 6}));
  for (int i = 0; i < 60; ++i) {
    village.pass(1s);
    ASSERT_TRUE(village.all_list({1, 2, 3, 4, 6})) << i;
  }
}

TEST(Listed, AMemberIsNotDroppedForALinkThatItLost) {
  Village village(4);
  village.line();
  village.connect(3, 0);
  village.pass(3s);
  village.cut(3, 0);
  for (int i = 0; i < 30; ++i) {
    village.pass(200ms);
    ASSERT_TRUE(village.all_list(up_to(4))) << i;
  }
  EXPECT_EQ(village.member(0, 4).hops, 3u);
  EXPECT_EQ(village.member(0, 4).via, NodeId{2});
}

TEST(Listed, TwoHalvesForgetEachOtherAndMeetAgain) {
  Village village(8);
  village.line();
  village.pass(5s);
  village.cut(3, 4);
  village.pass(15s);
  for (NodeIndex u = 0; u < 8; ++u)
    EXPECT_EQ(village.ids(u), u < 4 ? up_to(4) : (std::vector<std::uint64_t>{5, 6, 7, 8}));
  village.connect(3, 4);
  village.pass(3s);
  EXPECT_TRUE(village.all_list(up_to(8)));
}

TEST(Listed, OneOfFiveCopiesMayBeLost) {
  Village village(20);
  village.line();
  village.lose_each = 5;
  village.pass(60s);
  EXPECT_TRUE(village.all_list(up_to(20)));
  village.leave(19, false);
  village.pass(60s);
  EXPECT_TRUE(village.all_list(up_to(19)));
}

TEST(Listed, WhoIsTakenForGoneAnswers) {
  Village village(3);
  village.line();
  village.pass(3s);
  village.hear(0, 1, {{NodeId{3}, 2'100'001, 1, {}, 0}});  // a stamp above its own: it is gone
  EXPECT_EQ(village.ids(0), (std::vector<std::uint64_t>{1, 2}));
  village.pass(1s);
  EXPECT_TRUE(village.all_list(up_to(3)));
}

TEST(Listed, ANodeWithAnEarlierClockIsHeardAgain) {
  Village village(3);
  village.line();
  village.pass(3s);
  village.hear(1, 0, {{NodeId{3}, 9'000'000, 1, {}, 100}});  // of an earlier life
  village.hear(1, 2, {{NodeId{3}, 2'000'100, 0, {}, 100}});
  village.pass(2s);
  village.set_parent(2, 2);
  village.pass(1s);
  EXPECT_EQ(village.member(0, 3).parent, NodeId{2}) << "what it says since is newer";
}

TEST(Listed, TheLimitHoldsAndWhoIsGoneMakesRoom) {
  Village village(2, 3);
  village.line();
  village.pass(2s);
  village.hear(0, 1, {{NodeId{8}, 10, 1, {}, 100}, {NodeId{9}, 10, 1, {}, 100}});
  EXPECT_EQ(village.ids(0), (std::vector<std::uint64_t>{1, 2, 8}));
  EXPECT_EQ(village.list(0).refused, 1u);
  village.hear(0, 1, {{NodeId{8}, 11, 1, {}, 100}, {NodeId{9}, 10, 1, {}, 100}});
  EXPECT_EQ(village.ids(0), (std::vector<std::uint64_t>{1, 2, 9}));
  EXPECT_EQ(village.list(0).refused, 1u);
}

TEST(Listed, NonsenseIsNotTaken) {
  Village village(2);
  village.line();
  village.pass(2s);
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  village.hear(0, 1, {{NodeId{8}, most, 1, {}, 0}, {NodeId{1}, most, 1, {}, 0}});
  village.hear(0, 1, {{NodeId{9}, 10, 0xFFFF'FFFF, {}, 0}});
  village.hear(0, 1, std::vector<Record>(9, {NodeId{7}, 10, 1, {}, 0}));
  EXPECT_EQ(village.ids(0), up_to(2));
}

TEST(Listed, TheElectionInsideIsLeftAlone) {
  Village village(2);
  village.line();
  const Listed::Message message = Listed::OfElection{word(1)};
  village.step(0, core::Call::receive(*village.port_to(0, 1), &message));
  const core::AnyNode& inside = village.as<Listed>(0).inside();
  EXPECT_EQ(static_cast<const core::Typed<Branch>&>(inside.nodes()).node(inside.index()).words, 1u);
  EXPECT_TRUE(village.nodes().can().list);
  EXPECT_TRUE(village.nodes().can().tree);
  EXPECT_TRUE(village.nodes().can().priorities);
  EXPECT_FALSE(village.nodes().can().map);
}

}  // namespace
}  // namespace bellwether::layers
