// SPDX-License-Identifier: MIT
#include "bellwether/view/session.hpp"
#include "bellwether/json/json.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "bellwether/view/tab_test.hpp"

namespace bellwether::view {
namespace {

using json::Json;

constexpr std::int64_t ms = 1'000'000, s = 1000 * ms;

Json doing(const char* what) {
  Json out;
  out["do"] = what;
  return out;
}
Json opening(const std::string& toml) {
  Json out = doing("open");
  out["toml"] = toml;
  return out;
}
Json acting(Json actions) {
  Json out = doing("act");
  out["actions"] = std::move(actions);
  return out;
}
Json crash(int node) {
  return {{"kind", "crash"}, {"node", node}};
}
Json seeking(std::int64_t to) {
  Json out = doing("seek");
  out["to"] = to;
  return out;
}

const std::string ring = R"(
algorithm = "height"
[network]
topology = "ring"
nodes = 12
[channel]
delay = "uniform"
min = "1 ms"
max = "9 ms"
)";

const std::string swarm = R"(
algorithm = "cel-2"
[network]
topology = "radio"
nodes = 20
[mobility]
model = "random-waypoint"
width = 300
height = 300
pause = "1 s"
[radio]
range = 90
model = "lossy"
[neighbours]
detect = "probes"
period = "100 ms"
timeout = "350 ms"
[stop]
time = "60 s"
)";

/// Whatever was done, the scenario that is written from it does the same without a watcher.
void expect_same_without_watcher(Tab& tab, std::int64_t end) {
  const Seen last = tab.to(end);
  Json ask = doing("export");
  ask["what"] = "toml";
  const auto text = tab.ask(ask).at("text").get<std::string>();
  scenario::Scenario plain = scenario::parse_scenario(text, "exported");
  plain.stop.time = core::Time{end};
  const observe::RunReport report = tab.plainly(plain);
  EXPECT_EQ(static_cast<double>(report.messages), last.messages) << text;
  EXPECT_EQ(static_cast<double>(report.events), last.events);
  EXPECT_EQ(report.leaders.size(), last.components);
}

TEST(Session, OpensAndPlays) {
  Tab tab;
  const Json opened = tab.ask(opening(ring));
  ASSERT_EQ(opened.at("is"), "opened") << opened;
  EXPECT_EQ(opened.at("n"), 12);
  EXPECT_EQ(opened.at("re"), 1);
  EXPECT_EQ(opened.at("heights"), true);
  EXPECT_EQ(tab.seen().n, 12u);
  EXPECT_EQ(tab.seen().links, 12u);
  const Seen end = tab.to(s);
  EXPECT_EQ(end.components, 1u);
  EXPECT_EQ(end.instability, 0);
  EXPECT_EQ(end.leaders, 1);
}

TEST(Session, ShowsWhatARunWithoutWatcherDoes) {
  for (const std::string& toml : {ring, swarm}) {
    Tab tab;
    tab.ask(opening(toml));
    expect_same_without_watcher(tab, 8 * s);
  }
}

/// What the metrics measure in the last millisecond before `end`.
double measured_instability(Tab& tab, std::int64_t end) {
  Json ask = doing("export");
  ask["what"] = "toml";
  const auto text = tab.ask(ask).at("text").get<std::string>();
  scenario::Scenario plain = scenario::parse_scenario(text, "exported");
  plain.stop.time = core::Time{end};
  plain.metrics.on = scenario::MetricsMode::on;
  plain.metrics.warm_up = core::Time{end - ms};
  for (const observe::Metric& metric : tab.plainly(plain).metrics)
    if (metric.name == "instability") return metric.value;
  ADD_FAILURE() << "nothing was measured";
  return -1;
}

TEST(Session, InstabilityIsThatOfTheMetrics) {
  const std::string line = "[network]\ntopology = \"line\"\nnodes = 9\n";
  for (const std::string algorithm : {"cel-2", "vasudevan"}) {
    Tab tab;
    ASSERT_EQ(tab.ask(opening("algorithm = \"" + algorithm + "\"\n" + line)).at("is"), "opened");
    tab.to(2 * s);
    // Both sides name a node that is not, or no longer, the one they ought to elect.
    tab.ask(acting({{{"kind", "cut"}, {"a", 6}, {"b", 7}}}));
    for (const std::int64_t later : {2 * s + 2 * ms, 2 * s + 50 * ms, 4 * s}) {
      const double seen = tab.to(later).instability;
      EXPECT_NEAR(seen, measured_instability(tab, later), 1e-6) << algorithm << " at " << later;
    }
  }
}

TEST(Session, AMajorityThatNamesANodeThatIsNotTheCentreIsWrong) {
  Tab tab;
  tab.ask(opening("algorithm = \"cel-2\"\n[network]\ntopology = \"line\"\nnodes = 9\n"));
  EXPECT_EQ(tab.to(2 * s).instability, 0);
  tab.ask(acting({{{"kind", "cut"}, {"a", 6}, {"b", 7}}}));
  EXPECT_EQ(tab.seen().instability, 1) << "the centre of seven is another than that of nine";
}

TEST(Session, AnAddedNodeJoinsAndDoesNotRestart) {
  Tab tab;
  tab.ask(opening(ring));
  tab.to(100 * ms);
  const Json acted = tab.ask(acting({{{"kind", "add"}, {"links", {1, 2}}}}));
  std::string kinds;
  for (const Json& event : acted.at("events")) kinds += event.at("kind").get<std::string>() + " ";
  EXPECT_NE(kinds.find("join"), std::string::npos) << kinds;
  EXPECT_EQ(kinds.find("restart"), std::string::npos) << kinds;
}

TEST(Session, OneWayLinksHaveADirection) {
  Tab tab;
  tab.ask(opening("algorithm = \"chang-roberts\"\n[network]\none_way = true\nnodes = 6\n"));
  EXPECT_TRUE(tab.seen().flags & 8u);
}

TEST(Session, PausesAndStepsChangeNothing) {
  Tab one, other;
  one.ask(opening(ring));
  other.ask(opening(ring));
  for (int i = 0; i < 50; ++i) other.ask(doing("step"));
  for (std::int64_t t = 7 * ms; t < s; t += 13 * ms) other.to(t);
  const Seen a = one.to(s), b = other.to(s);
  EXPECT_EQ(a.events, b.events);
  EXPECT_EQ(a.leader, b.leader);
}

TEST(Session, OneStepIsOneEvent) {
  Tab tab;
  tab.ask(opening(ring));
  for (int i = 1; i <= 20; ++i) {
    tab.ask(doing("step"));
    EXPECT_EQ(tab.seen().events, i);
  }
}

TEST(Session, WhatIsDoneByHandBecomesAScriptThatReplays) {
  Tab tab;
  tab.ask(opening(ring));
  tab.to(200 * ms);
  ASSERT_EQ(tab.ask(acting({crash(3)})).at("is"), "acted");
  tab.to(300 * ms);
  tab.ask(acting({{{"kind", "cut"}, {"a", 7}, {"b", 8}}}));
  EXPECT_EQ(tab.to(500 * ms).components, 2u);
  tab.ask(acting({{{"kind", "restart"}, {"node", 3}, {"memory", false}},
                  {{"kind", "join"}, {"a", 0}, {"b", 6}}}));
  tab.ask(acting({{{"kind", "partition"}, {"groups", {{0, 1, 2}, {3, 4, 5}}}}}));
  tab.to(700 * ms);
  const Json acted = tab.ask(acting({{{"kind", "heal"}}, {{"kind", "add"}, {"links", {1, 2}}}}));
  EXPECT_EQ(acted.at("n"), 13);
  const Seen end = tab.to(2 * s);
  EXPECT_EQ(end.n, 13u);
  EXPECT_EQ(end.components, 1u);
  EXPECT_EQ(end.instability, 0);
  expect_same_without_watcher(tab, 3 * s);
}

TEST(Session, MovesByHandBecomeAScriptThatReplays) {
  Tab tab;
  ASSERT_EQ(tab.ask(opening(swarm)).at("is"), "opened");
  tab.to(2 * s);
  tab.ask(acting({{{"kind", "move"}, {"node", 4}, {"x", 2000.0}, {"y", 2000.0}}}));
  const Seen away = tab.seen();
  EXPECT_EQ(away.places[8], 2000.f);
  EXPECT_EQ(away.component[4], 4u);
  const Seen later = tab.to(4 * s);
  EXPECT_EQ(later.places[8], 2000.f) << "who was put somewhere stays";
  tab.ask(acting({{{"kind", "add"}, {"x", 2010.0}, {"y", 2000.0}}}));
  const Seen joined = tab.to(6 * s);
  EXPECT_EQ(joined.n, 21u);
  EXPECT_EQ(joined.component[20], 4u);
  EXPECT_EQ(joined.leader[20], joined.leader[4]) << "they have found each other";
  tab.ask(acting({{{"kind", "move"}, {"node", 4}, {"x", 150.0}, {"y", 150.0}}, crash(0)}));
  expect_same_without_watcher(tab, 9 * s);
}

TEST(Session, TimeGoesBack) {
  Tab tab;
  tab.ask(opening(swarm));
  std::vector<Seen> first;
  for (int i = 1; i <= 8; ++i) {
    if (i == 4) tab.ask(acting({crash(1)}));
    first.push_back(tab.to(i * s));
  }
  for (const int i : {5, 2, 7, 1, 8}) {
    ASSERT_EQ(tab.ask(seeking(i * s)).at("is"), "frame");
    const Seen again = tab.seen();
    const Seen& then = first[static_cast<std::size_t>(i) - 1];
    EXPECT_EQ(again.t, then.t);
    EXPECT_EQ(again.events, then.events) << i;
    EXPECT_EQ(again.leader, then.leader);
    EXPECT_EQ(again.places, then.places);
    EXPECT_EQ(again.state, then.state);
  }
}

TEST(Session, UndoIsTheRunWithoutIt) {
  Tab tab, untouched;
  tab.ask(opening(ring));
  untouched.ask(opening(ring));
  tab.to(100 * ms);
  tab.ask(acting({crash(2)}));
  tab.ask(acting({crash(5), crash(6)}));
  const Seen broken = tab.to(800 * ms);
  const Json undone = tab.ask(doing("undo"));
  EXPECT_EQ(undone.at("done").size(), 2u);
  EXPECT_EQ(undone.at("actions").size(), 1u);
  tab.ask(doing("undo"));
  EXPECT_EQ(tab.seen().events, untouched.to(800 * ms).events);
  EXPECT_EQ(tab.seen().t, 800.0 * ms);
  EXPECT_EQ(tab.ask(doing("undo")).at("is"), "refused");
  tab.ask(doing("redo"));
  tab.ask(doing("redo"));
  EXPECT_EQ(tab.seen().events, broken.events);
  EXPECT_EQ(tab.seen().state, broken.state);
  EXPECT_EQ(tab.ask(doing("redo")).at("is"), "refused");
}

TEST(Session, AnotherValueIsTheSameMomentOfAnotherRun) {
  Tab tab, other;
  tab.ask(opening(ring));
  tab.to(100 * ms);
  tab.ask(acting({crash(2)}));
  tab.to(600 * ms);
  Json set = doing("set");
  set["set"] = {"channel.max=30 ms"};
  const Json opened = tab.ask(set);
  ASSERT_EQ(opened.at("is"), "opened") << opened;
  EXPECT_EQ(opened.at("t"), 600 * ms);
  EXPECT_EQ(opened.at("actions").size(), 1u);
  EXPECT_FALSE(tab.seen().state[2] & 1);
}

TEST(Session, MoreNodesThanThereIsRoomFor) {
  Tab tab;
  tab.ask(opening(ring));
  tab.to(50 * ms);
  for (int i = 0; i < 20; ++i) tab.ask(acting({{{"kind", "add"}, {"links", {i}}}}));
  const Seen end = tab.to(2 * s);
  EXPECT_EQ(end.n, 32u);
  EXPECT_EQ(end.components, 1u);
  EXPECT_EQ(end.instability, 0);
  expect_same_without_watcher(tab, 3 * s);
}

TEST(Session, ABadScenarioIsRefusedWithItsPlaceAndTheRunStays) {
  Tab tab;
  tab.ask(opening(ring));
  tab.to(100 * ms);
  Json refused = tab.ask(opening("algorithm = \"height\"\n[network]\nnodes = \"many\"\n"));
  EXPECT_EQ(refused.at("is"), "refused");
  EXPECT_EQ(refused.at("line"), 3);
  EXPECT_EQ(refused.at("key"), "network.nodes");
  refused = tab.ask(opening("algorithm = \"hieght\"\n"));
  EXPECT_NE(refused.at("why").get<std::string>().find("height"), std::string::npos) << refused;
  refused = tab.ask(opening("algorithm = \"height\"\n[network]\nnodes = 0\n"));
  EXPECT_EQ(refused.at("is"), "refused");
  EXPECT_EQ(refused.at("line"), 3) << "the world's own complaints have their place, too";
  EXPECT_EQ(refused.at("key"), "network.nodes");
  refused = tab.ask(opening("[network\n"));
  EXPECT_EQ(refused.at("is"), "refused");
  EXPECT_EQ(refused.at("line"), 1) << "an editor can show where the syntax is wrong";
  EXPECT_EQ(tab.to(200 * ms).t, 200.0 * ms);
}

TEST(Session, WhatCannotBeDoneIsRefused) {
  Tab tab;
  EXPECT_EQ(tab.ask(doing("advance")).at("is"), "refused") << "nothing is open";
  tab.ask(opening(ring));
  EXPECT_EQ(tab.ask(acting(Json::array())).at("is"), "refused");
  EXPECT_EQ(tab.ask(acting({crash(99)})).at("is"), "refused");
  EXPECT_EQ(tab.ask(acting({{{"kind", "move"}, {"node", 1}, {"x", 1}, {"y", 1}}})).at("is"),
            "refused");
  EXPECT_EQ(tab.ask(doing("dance")).at("is"), "refused");
  EXPECT_EQ(tab.ask(doing("advance")).at("is"), "refused") << "without a time";
  tab.ask(opening(swarm));
  EXPECT_EQ(tab.ask(acting({{{"kind", "cut"}, {"a", 1}, {"b", 2}}})).at("is"), "refused");
  EXPECT_EQ(tab.ask(acting({{{"kind", "add"}}})).at("is"), "refused");
}

/// vasudevan notices after seconds that its leader cannot be reached; the viewer shows it at
/// once.
TEST(Session, ALeaderOutOfReachIsWrong) {
  Tab tab;
  tab.ask(opening("algorithm = \"vasudevan\"\n[network]\nnodes = 6\n"));
  EXPECT_EQ(tab.to(s).instability, 0);
  const Json cut1{{"kind", "cut"}, {"a", 0}, {"b", 1}};
  const Json cut2{{"kind", "cut"}, {"a", 3}, {"b", 4}};
  const Json done = tab.ask(acting(Json::array({cut1, cut2})));
  EXPECT_NE(done.at("is"), "refused") << done;
  EXPECT_EQ(tab.to(1100 * ms).instability, 0.5) << "2, 3 and 4 name 6, and cannot reach it";
}

TEST(Session, RoundsAreShownAndTakeNoChanges) {
  Tab tab;
  const Json opened = tab.ask(opening("algorithm = \"flood-max\"\n[network]\nnodes = 9\n"));
  ASSERT_EQ(opened.at("is"), "opened") << opened;
  EXPECT_EQ(tab.ask(acting({crash(1)})).at("is"), "refused");
  const Seen end = tab.to(s);
  EXPECT_EQ(end.leaders, 1);
  tab.ask(seeking(2 * ms));
  EXPECT_EQ(tab.seen().t, 2.0 * ms);
  EXPECT_GT(tab.seen().instability, 0);
}

TEST(Session, ANodeTellsAllAboutItself) {
  Tab tab;
  tab.ask(opening(swarm));
  tab.to(3 * s);
  Json ask = doing("node");
  ask["node"] = 5;
  const Json node = tab.ask(ask);
  EXPECT_EQ(node.at("is"), "node");
  EXPECT_TRUE(node.at("state").is_object()) << node;
  EXPECT_FALSE(node.at("timers").empty());
  EXPECT_FALSE(node.at("last").empty());
  EXPECT_EQ(node.at("alive"), true);
}

/// What a run leaves in a file is shown as it was; it is read-only.
TEST(Session, ATraceIsShown) {
  Tab tab;
  scenario::Scenario scenario = scenario::parse_scenario(ring, "ring");
  scenario.stop.time = core::Time{s};
  std::ostringstream file;
  observe::TraceWriter writer(file);
  sim::Attachments attachments;
  attachments.observers = {&writer};
  const observe::RunReport report =
      sim::simulate(catalogue::algorithm("height"), scenario, attachments);
  Json open = doing("open");
  open["trace"] = file.str();
  const Json opened = tab.ask(open);
  ASSERT_EQ(opened.at("is"), "opened") << opened;
  const Seen end = tab.to(2 * s);
  EXPECT_EQ(end.events, static_cast<double>(report.events));
  EXPECT_EQ(end.messages, static_cast<double>(report.messages));
  EXPECT_EQ(end.leaders, 1);
  EXPECT_EQ(end.components, 1u);
  tab.ask(seeking(3 * ms));
  EXPECT_EQ(tab.seen().t, 3.0 * ms);
  EXPECT_EQ(tab.ask(acting({crash(1)})).at("is"), "refused");
  open["trace"] = "nonsense";
  EXPECT_EQ(tab.ask(open).at("is"), "refused");
}

}  // namespace
}  // namespace bellwether::view
