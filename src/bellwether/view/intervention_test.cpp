// SPDX-License-Identifier: MIT
#include "bellwether/view/intervention.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/json/json.hpp"

#include <gtest/gtest.h>

namespace bellwether::view {
namespace {

using json::Json;
using namespace std::chrono_literals;

std::vector<Intervention> some_of_each() {
  return {{.kind = InterventionKind::crash, .at = 1s, .node = 2},
          {.kind = InterventionKind::restart, .at = 2s, .node = 2, .memory = true},
          {.kind = InterventionKind::cut, .at = 3s, .node = 0, .other = 1},
          {.kind = InterventionKind::join, .at = 4s, .node = 0, .other = 2},
          {.kind = InterventionKind::partition, .at = 5s, .groups = {{0, 1}, {2}}},
          {.kind = InterventionKind::heal, .at = 6s},
          {.kind = InterventionKind::add, .at = 7s, .node = 3, .links = {0, 1}}};
}

TEST(Intervention, ComesBackAsItWasWritten) {
  auto all = some_of_each();
  all.push_back({.kind = InterventionKind::move, .at = 8s, .node = 1, .to = world::Point{1.5, -2}});
  for (const Intervention& action : all) {
    EXPECT_EQ(read_action(to_json(action), 4), action) << to_json(action);
  }
}

TEST(Intervention, WhatIsDoneTogetherIsKnownAsThat) {
  std::vector<Intervention> all(3), more(2);
  Time now = date(all, 1s);
  EXPECT_EQ(all.front().at, Time(1s + 2ns));
  EXPECT_EQ(now, Time(1s + 4ns));
  now = date(more, now);
  all.insert(all.end(), more.begin(), more.end());
  EXPECT_EQ(last_together(all), more);
  all.resize(3);
  EXPECT_EQ(last_together(all).size(), 3u);
  EXPECT_TRUE(last_together({}).empty());
}

TEST(Intervention, WhatCannotBeDoneIsRefusedInASentence) {
  for (const char* text :
       {"[]", "{}", R"({"kind": "fly"})", R"({"kind": "crash"})", R"({"kind": "crash", "node": 9})",
        R"({"kind": "crash", "node": -1})", R"({"kind": "crash", "node": "x"})",
        R"({"kind": "cut", "a": 1, "b": 1})", R"({"kind": "move", "node": 1, "x": 1})",
        R"({"kind": "move", "node": 1, "x": "a", "y": 1})",
        R"({"kind": "move", "node": 1, "x": 1e300, "y": 1})",
        R"({"kind": "partition", "groups": [[9]]})", R"({"kind": "partition", "groups": 1})"})
    EXPECT_THROW(read_action(Json::parse(text), 4), core::Problem) << text;
}

TEST(Intervention, BecomesTheScriptOfAScenarioThatReadsBack) {
  scenario::Scenario scenario =
      scenario::parse_scenario("algorithm = \"height\"\n[network]\nnodes = 3\n", "x");
  const std::vector<NodeId> ids{NodeId{10}, NodeId{20}, NodeId{30}, NodeId{31}};
  const scenario::Scenario whole = with_actions(scenario, some_of_each(), ids);
  EXPECT_EQ(whole.network.spares, 1u);
  const std::string text = scenario::print_scenario(whole);
  const scenario::Scenario again = scenario::parse_scenario(text, "y");
  EXPECT_EQ(again.changes, whole.changes) << text;
  EXPECT_NE(text.find("crash = [30]"), std::string::npos) << text;
  EXPECT_NE(text.find("join = [[31, 10], [31, 20]]"), std::string::npos) << text;
}

}  // namespace
}  // namespace bellwether::view
