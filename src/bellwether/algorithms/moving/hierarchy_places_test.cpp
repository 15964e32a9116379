// SPDX-License-Identifier: MIT
#include "bellwether/algorithms/moving/hierarchy_places.hpp"

#include <gtest/gtest.h>

namespace bellwether::algorithms {
namespace {

using core::NodeId;
using Numbers = std::vector<std::uint32_t>;

constexpr NodeId root{1}, leader{7}, self{9};

HierarchyPlaces with(std::uint32_t remoteness) {
  return HierarchyPlaces(Remoteness(static_cast<std::uint16_t>(remoteness)));
}

/// A parent whose leader of level 1 is so many steps away, and the root so many.
LeadersAbove above(std::uint32_t steps, std::uint32_t depth) {
  return LeadersAbove({{leader, steps, depth}, {root, 0, 1}});
}

/// A node of level 0 that hears of this reach: whether it begins to lead at level 1.
bool starts(std::uint32_t remoteness, std::uint32_t reach, const LeadersAbove& up) {
  HierarchyPlaces places = with(remoteness);
  places.settle(false, {reach}, up);
  return places.rank() > 0;
}

/// The same of a leader of level 1: whether it goes on.
bool stays(std::uint32_t remoteness, std::uint32_t reach, const LeadersAbove& up) {
  HierarchyPlaces places = with(remoteness);
  places.settle(false, {remoteness}, above(9, 9));
  EXPECT_EQ(places.rank(), 1u);
  places.settle(false, {reach}, up);
  return places.rank() > 0;
}

TEST(HierarchyPlaces, ANodeLeadsWhereThoseAboveWouldBeTooFar) {
  for (const std::uint32_t r : {1u, 2u, 3u, 6u, 7u}) {
    EXPECT_TRUE(starts(r, r, {})) << r;
    EXPECT_TRUE(starts(r, r, above(0, 0))) << r;
    EXPECT_TRUE(starts(r, r + 5, {})) << r << ": what is said to be farther counts as far";
    if (r > 1) {
      EXPECT_FALSE(starts(r, r - 1, {})) << r;
    }
  }
}

// With R = 6: half of it is 3.
TEST(HierarchyPlaces, HalfOfRBelowIsEnoughWhereSomebodyIsTooFarAway) {
  EXPECT_TRUE(starts(6, 3, above(3, 9))) << "3 below, and 4 up to the leader";
  EXPECT_TRUE(starts(6, 3, above(5, 9)));
  EXPECT_FALSE(starts(6, 3, above(2, 9))) << "all are within 6";
  EXPECT_FALSE(starts(6, 3, above(6, 9))) << "the node above is too far away itself, and will lead";
  EXPECT_FALSE(starts(6, 3, {})) << "nobody knows";
  EXPECT_FALSE(starts(6, 4, above(3, 9))) << "one below it has 3, and will lead";
  EXPECT_TRUE(starts(6, 4, above(5, 9))) << "none below it is near enough to decide";
  EXPECT_FALSE(starts(6, 2, above(5, 9)));
}

TEST(HierarchyPlaces, ALeaderStaysWhileHalfOfRNeedsIt) {
  for (const std::uint32_t r : {2u, 3u, 6u, 7u}) {
    const std::uint32_t least = HierarchyPlaces::least(r);
    EXPECT_EQ(least, r / 2);
    for (std::uint32_t reach = least; reach <= r; ++reach)
      EXPECT_TRUE(stays(r, reach, above(9, 9)));
    EXPECT_FALSE(stays(r, least - 1, above(9, 9))) << r;
    EXPECT_TRUE(stays(r, least - 1, {})) << r << ": those below may be missing for a moment";
  }
  EXPECT_FALSE(stays(1, 0, {})) << "R = 1 leaves no choice";
}

TEST(HierarchyPlaces, NobodyLeadsWhomTheRootReaches) {
  EXPECT_TRUE(stays(6, 4, above(2, 2))) << "3 to the root, and 4 below";
  EXPECT_FALSE(stays(6, 3, above(2, 2)));
  EXPECT_FALSE(starts(6, 3, above(3, 2)));
}

TEST(HierarchyPlaces, TheRootLeadsAtEveryLevel) {
  HierarchyPlaces places = with(3);
  places.crown(true);
  EXPECT_EQ(places.rank(), 1u);
  EXPECT_EQ(places.settle(true, {1, 0, 2}, {}), Numbers{});
  EXPECT_EQ(places.rank(), 3u);
  const LeadersAbove told(places.tell(self, true, {}));
  ASSERT_EQ(told->size(), 3u);
  for (const LeaderAbove& each : *told) EXPECT_EQ(each, (LeaderAbove{self, 0, 0}));
}

// It would have led for 1, half of R, if it had not been the root.
TEST(HierarchyPlaces, WhoWasTheRootKeepsThePlaceThatItHadAnyhow) {
  HierarchyPlaces places = with(3);
  places.crown(true);
  places.settle(true, {1}, {});
  places.crown(false);
  EXPECT_EQ(places.rank(), 1u);
  places.settle(true, {0}, {});
  places.crown(false);
  EXPECT_EQ(places.rank(), 0u);
}

// What goes up: nothing is lacking where it leads itself; one step more at the next level; what
// those below say of the levels above.
TEST(HierarchyPlaces, TellsTheParentHowFarThoseWithoutALeaderAre) {
  HierarchyPlaces places = with(3);
  EXPECT_EQ(places.settle(false, {}, {}), (Numbers{1}));
  EXPECT_EQ(places.settle(false, {1}, {}), (Numbers{2}));
  EXPECT_EQ(places.settle(false, {3, 0, 2}, {}), (Numbers{0, 1, 2}));
  EXPECT_EQ(places.settle(false, {3, 2, 2}, {}), (Numbers{0, 3, 2}));
  EXPECT_EQ(places.settle(false, {3, 3, 2}, {}), (Numbers{0, 0, 3}));
  EXPECT_EQ(places.rank(), 2u);
}

// What comes down: itself where it leads, one step more at the next level, and the rest as it is.
TEST(HierarchyPlaces, TellsTheChildrenWhoIsAbove) {
  HierarchyPlaces places = with(3);
  const LeadersAbove up({{leader, 2, 3}, {root, 1, 1}, {root, 0, 0}});
  EXPECT_TRUE(places.tell(self, false, {}).empty()) << "not known yet";
  EXPECT_EQ(places.tell(self, false, up),
            (std::vector<LeaderAbove>{{leader, 3, 4}, {root, 1, 1}, {root, 0, 0}}));
  places.settle(false, {3}, {});
  EXPECT_EQ(places.tell(self, false, up),
            (std::vector<LeaderAbove>{{self, 0, 4}, {root, 2, 2}, {root, 0, 0}}));
}

TEST(HierarchyPlaces, AChildHearsTheNumbersOfItsOwnLevelsOnly) {
  const LeadersAbove told({{leader, 3, 4}, {root, 1, 1}, {root, 0, 2}});
  const Reaches one({1}), many({0, 0, 1});
  EXPECT_EQ(*HierarchyPlaces::for_child(told, one),
            (std::vector<LeaderAbove>{{leader, 3, 4}, {root, 0, 0}, {root, 0, 0}}));
  EXPECT_TRUE(HierarchyPlaces::for_child(told, many).same(told));
  auto moved = *told;
  moved[1].steps = 2;
  EXPECT_TRUE(HierarchyPlaces::same_for_child(*told, moved, one));
  EXPECT_FALSE(HierarchyPlaces::same_for_child(*told, moved, many));
  moved[2].id = leader;
  EXPECT_FALSE(HierarchyPlaces::same_for_child(*told, moved, one)) << "the ids it needs all";
}

}  // namespace
}  // namespace bellwether::algorithms
