// SPDX-License-Identifier: MIT
#include "bellwether/observe/metrics/run_report.hpp"

#include <gtest/gtest.h>

namespace bellwether::observe {
namespace {

std::vector<NodeId> ids(std::initializer_list<std::uint64_t> numbers) {
  std::vector<NodeId> out;
  for (const std::uint64_t n : numbers) out.push_back(NodeId{n});
  return out;
}

NodeResult says(std::uint64_t leader) {
  return {true, NodeId{leader}};
}
constexpr NodeResult says_nothing{true, std::nullopt};
constexpr NodeResult dead{false, std::nullopt};

TEST(ComponentLeaders, AllAgree) {
  const auto rows =
      component_leaders(ids({10, 20, 30}), {says(30), says(30), says(30)}, {{0, 1}, {1, 2}});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].component, 0u);
  EXPECT_EQ(rows[0].size, 3u);
  EXPECT_EQ(rows[0].leader, NodeId{30});
  EXPECT_TRUE(rows[0].agreed);
}

TEST(ComponentLeaders, MostVotesCountButAreNoAgreement) {
  const auto rows =
      component_leaders(ids({1, 2, 3}), {says(3), says(1), says(3)}, {{0, 1}, {1, 2}});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].leader, NodeId{3});
  EXPECT_FALSE(rows[0].agreed);
}

TEST(ComponentLeaders, ATieGoesToTheSmallestId) {
  const auto rows = component_leaders(ids({1, 2}), {says(2), says(1)}, {{0, 1}});
  EXPECT_EQ(rows.at(0).leader, NodeId{1});
  EXPECT_FALSE(rows.at(0).agreed);
}

TEST(ComponentLeaders, SilenceIsNoAgreement) {
  const auto rows =
      component_leaders(ids({1, 2, 3}), {says(1), says_nothing, says_nothing}, {{0, 1}, {1, 2}});
  EXPECT_EQ(rows.at(0).leader, NodeId{1});
  EXPECT_FALSE(rows.at(0).agreed);
  const auto silent = component_leaders(ids({1}), {says_nothing}, {});
  EXPECT_EQ(silent.at(0).leader, std::nullopt);
  EXPECT_FALSE(silent.at(0).agreed);
}

TEST(ComponentLeaders, ALeaderMustBeInside) {
  // 3 leads itself elsewhere; the other two name it, though they cannot reach it.
  const auto rows = component_leaders(ids({1, 2, 3}), {says(3), says(3), says(3)}, {{0, 1}});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].leader, NodeId{3});
  EXPECT_FALSE(rows[0].agreed);
  EXPECT_EQ(rows[1].component, 1u);
  EXPECT_TRUE(rows[1].agreed);
}

TEST(ComponentLeaders, DeadNodesHaveNoVoteAndCarryNoLinks) {
  // 1 - 2 - 3 with 2 dead falls in two; 1 still follows the dead.
  const auto rows =
      component_leaders(ids({1, 2, 3}), {says(2), {false, NodeId{2}}, says(3)}, {{0, 1}, {1, 2}});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].size, 1u);
  EXPECT_EQ(rows[0].leader, NodeId{2});
  EXPECT_FALSE(rows[0].agreed);
  EXPECT_EQ(rows[1].component, 1u);
  EXPECT_EQ(rows[1].leader, NodeId{3});
  EXPECT_TRUE(rows[1].agreed);
  EXPECT_TRUE(component_leaders(ids({1, 2}), {dead, dead}, {{0, 1}}).empty());
}

TEST(ComponentLeaders, AnIsolatedNodeLeadsItself) {
  const auto rows = component_leaders(ids({5, 6}), {says(5), says(6)}, {});
  ASSERT_EQ(rows.size(), 2u);
  for (const ComponentLeader& row : rows) EXPECT_TRUE(row.agreed);
  EXPECT_TRUE(component_leaders({}, {}, {}).empty());
}

}  // namespace
}  // namespace bellwether::observe
