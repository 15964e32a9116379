// SPDX-License-Identifier: MIT
#include "bellwether/node/suspicions.hpp"

#include <gtest/gtest.h>

namespace bellwether::node {
namespace {

using namespace std::chrono_literals;
using Reason = Suspicions::Reason;
using core::NodeId;

const FrameSource near{{0xFE, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, 7745, true, "wlan0"};
const FrameSource peer{{192, 0, 2, 1}, 7745, false, ""};

TEST(Suspicions, AreLoggedOnceAMinuteForAsLongAsTheyGoOn) {
  Suspicions all;
  EXPECT_TRUE(all.take_unlogged(1s).empty());
  all.add(1s, Reason::other_key, near);
  EXPECT_EQ(all.take_unlogged(2s).size(), 1u);
  for (int i = 3; i < 60; ++i) {
    all.add(std::chrono::seconds(i), Reason::other_key, near);
    EXPECT_TRUE(all.take_unlogged(std::chrono::seconds(i)).empty()) << i;
  }
  EXPECT_EQ(all.take_unlogged(62s).size(), 1u) << "it goes on";
  EXPECT_TRUE(all.take_unlogged(200s).empty()) << "it is over";
}

TEST(Suspicions, AreForgottenAfterAMinute) {
  Suspicions all;
  all.add(1s, Reason::same_id, near, NodeId{7});
  all.add(1s, Reason::same_id, peer, NodeId{7});
  all.add(2s, Reason::own_id, near, NodeId{9});
  ASSERT_EQ(all.sentences(3s).size(), 2u);
  EXPECT_EQ(
      all.sentences(3s)[0],
      "two nodes use the id 7: fe80::1 on wlan0 and 192.0.2.1:7745; give each node its own id");
  EXPECT_EQ(all.sentences(3s)[1],
            "two nodes use the id 9: this node and fe80::1 on wlan0; give each node its own id");
  EXPECT_EQ(all.sentences(61s + 500ms).size(), 1u);
  EXPECT_TRUE(all.sentences(100s).empty());
}

TEST(Suspicions, ManyIdsTakeBoundedRoom) {
  Suspicions all;
  for (std::uint64_t i = 1; i < 10'000; ++i) all.add(1s, Reason::same_id, near, NodeId{i});
  EXPECT_LE(all.sentences(1s).size(), 64u);
  all.add(100s, Reason::other_key, near);
  EXPECT_EQ(all.sentences(100s).size(), 1u) << "old ones make room";
}

TEST(Suspicions, NameTheFirstSenders) {
  Suspicions all;
  for (std::uint8_t i = 1; i <= 9; ++i) {
    all.add(1s, Reason::not_sealed, FrameSource{{192, 0, 2, i}, 7745, false, ""});
    all.add(1s, Reason::not_sealed, peer);
  }
  EXPECT_EQ(all.sentences(1s),
            std::vector<std::string>{
                "encryption differs between this node and 192.0.2.1:7745, 192.0.2.2:7745, "
                "192.0.2.3:7745 and others; give all nodes of the group the same key file, or run "
                "all with --plain"});
}

}  // namespace
}  // namespace bellwether::node
