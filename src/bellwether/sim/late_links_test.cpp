// SPDX-License-Identifier: MIT
// Networks that begin without links: what comes later is kept in order all the same.
#include <gtest/gtest.h>

#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/sim/simulate.hpp"

namespace bellwether::sim {
namespace {

using namespace std::chrono_literals;
using world::ChangeKind;

scenario::Scenario alone(NodeIndex nodes) {
  scenario::Scenario s;
  s.network.topology = "single";
  s.network.nodes = nodes;
  s.channel.delay = world::Delay::uniform;
  s.properties = {"B", "theorem-1"};
  return s;
}

TEST(LateLinks, KeepTheOrderOfMessages) {
  auto s = alone(3);
  s.changes.script = {{1s, ChangeKind::link_up, NodeId{3}, NodeId{2}},
                      {1002ms, ChangeKind::link_up, NodeId{1}, NodeId{2}}};
  for (s.seed = 1; s.seed <= 100; ++s.seed) {
    const auto report = simulate(catalogue::algorithm("height"), s, {});
    ASSERT_EQ(report.violation, "") << "seed " << s.seed;
    ASSERT_TRUE(report.agreed) << "seed " << s.seed;
  }
}

TEST(LateLinks, KeepTheOrderOfNotices) {
  auto s = alone(2);
  s.notify.max = 20ms;
  s.changes.script = {{1s, ChangeKind::link_up, NodeId{1}, NodeId{2}},
                      {1005ms, ChangeKind::link_down, NodeId{1}, NodeId{2}}};
  for (s.seed = 1; s.seed <= 100; ++s.seed) {
    const auto report = simulate(catalogue::algorithm("height"), s, {});
    ASSERT_TRUE(report.agreed) << "seed " << s.seed;
    ASSERT_EQ(report.leaders.size(), 2u) << "seed " << s.seed;
  }
}

}  // namespace
}  // namespace bellwether::sim
