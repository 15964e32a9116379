// SPDX-License-Identifier: MIT
#include "bellwether/node/suspicions.hpp"

#include <gtest/gtest.h>

namespace bellwether::node {
namespace {

using namespace std::chrono_literals;
using Kind = Suspicions::Kind;
using core::NodeId;

TEST(Suspicions, AreToldOnceAMinuteForAsLongAsTheyGoOn) {
  Suspicions all;
  EXPECT_TRUE(all.take_untold(1s).empty());
  all.see(1s, Kind::other_key);
  EXPECT_EQ(all.take_untold(2s).size(), 1u);
  for (int i = 3; i < 60; ++i) {
    all.see(std::chrono::seconds(i), Kind::other_key);
    EXPECT_TRUE(all.take_untold(std::chrono::seconds(i)).empty()) << i;
  }
  EXPECT_EQ(all.take_untold(62s).size(), 1u) << "it goes on";
  EXPECT_TRUE(all.take_untold(200s).empty()) << "it is over";
}

TEST(Suspicions, AreForgottenAfterAMinute) {
  Suspicions all;
  all.see(1s, Kind::same_id, NodeId{7});
  all.see(2s, Kind::same_id, NodeId{9});
  ASSERT_EQ(all.sentences(3s).size(), 2u);
  EXPECT_EQ(all.sentences(3s)[0], "two nodes use the id 7; give each its own");
  EXPECT_EQ(all.sentences(61s + 500ms).size(), 1u);
  EXPECT_TRUE(all.sentences(100s).empty());
}

TEST(Suspicions, ManyIdsTakeNoRoomForEver) {
  Suspicions all;
  for (std::uint64_t i = 1; i < 10'000; ++i) all.see(1s, Kind::same_id, NodeId{i});
  EXPECT_LE(all.sentences(1s).size(), 64u);
  all.see(100s, Kind::other_key);
  EXPECT_EQ(all.sentences(100s).size(), 1u) << "old ones make room";
}

}  // namespace
}  // namespace bellwether::node
