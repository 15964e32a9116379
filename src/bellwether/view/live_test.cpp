// SPDX-License-Identifier: MIT
#include "bellwether/view/live.hpp"
#include "bellwether/json/json.hpp"

#include <gtest/gtest.h>

#include "bellwether/view/tab_test.hpp"

namespace bellwether::view {
namespace {

using json::Json;

constexpr NodeId one{11}, two{22}, three{33};
const std::string state = R"({"epoch":4})";

/// Two nodes; then a third comes and leads; then the second is gone.
Look growing_group() {
  return [looks = 0]() mutable {
    ++looks;
    Sighting out;
    const NodeId leader = looks < 3 ? one : three;
    const auto add = [&](NodeId id) { out.nodes.push_back({id, leader, state, "so it says"}); };
    add(one);
    if (looks < 5) add(two);
    if (looks >= 3) add(three);
    if (looks < 5) out.links.emplace_back(one, two);
    if (looks >= 3) out.links.emplace_back(one, three);
    return out;
  };
}

Json opening() {
  Json out;
  out["do"] = "open";
  return out;
}

/// Goes on until the picture is as wanted, for ten seconds at most.
template <class Wanted>
Seen until(Tab& tab, std::vector<Json>& answers, Wanted wanted) {
  for (int i = 0; i < 100; ++i) {
    answers.push_back(tab.ask({{"do", "advance"}, {"to", 1e13}, {"budget", 100}}));
    if (wanted(tab.seen())) return tab.seen();
  }
  ADD_FAILURE() << "it never came to that";
  return tab.seen();
}

TEST(Live, NodesComeAndGoAndTheLeaderChanges) {
  Tab tab(growing_group());
  const Json opened = tab.ask(opening());
  EXPECT_EQ(opened.at("of"), "live");
  EXPECT_EQ(opened.at("ids"), Json({11, 22}));
  std::vector<Json> answers;
  const Seen three_nodes = until(tab, answers, [](const Seen& seen) { return seen.n == 3; });
  EXPECT_EQ(answers.back().at("ids"), Json({11, 22, 33}));
  EXPECT_EQ(three_nodes.leader, (std::vector<std::uint32_t>{2, 2, 2}));
  EXPECT_EQ(three_nodes.leaders, 1);
  EXPECT_EQ(three_nodes.components, 1u);
  const Seen two_nodes = until(tab, answers, [](const Seen& seen) { return !(seen.state[1] & 1); });
  EXPECT_EQ(two_nodes.live_leaders(), (std::vector<std::uint32_t>{2, 2}));
  bool gone = false;
  for (const Json& answer : answers)
    for (const Json& event : answer.at("events"))
      gone |= event.at("kind") == "crash" && event.at("node") == 1;
  EXPECT_TRUE(gone);
  EXPECT_EQ(tab.ask({{"do", "node"}, {"node", 0}}).at("state"), Json::parse(state));
}

TEST(Live, NothingCanBeDoneToIt) {
  Tab tab(growing_group());
  tab.ask(opening());
  tab.ask({{"do", "advance"}, {"to", 1e13}, {"budget", 30}});
  const auto why = [&](Json request) {
    const Json answer = tab.ask(std::move(request));
    return answer.at("is") == "refused" ? answer.at("why").get<std::string>() : "";
  };
  Json crash;
  crash["do"] = "act";
  crash["actions"] = Json::array({{{"kind", "crash"}, {"node", 0}}});
  EXPECT_EQ(why(crash), "a live group is read-only: its nodes and links cannot be changed");
  Json set;
  set["do"] = "set";
  set["set"] = Json::array({"network.nodes=3"});
  EXPECT_EQ(why(set), "a live group is read-only: its values cannot be changed");
  EXPECT_NE(why({{"do", "seek"}, {"to", 0}}).find("cannot go back in time"), std::string::npos);
  EXPECT_EQ(why({{"do", "export"}, {"what", "toml"}}), "a live group has no scenario to export");
}

}  // namespace
}  // namespace bellwether::view
