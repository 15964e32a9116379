// SPDX-License-Identifier: MIT
// What people see of a trace: the listing and the space-time diagram.
#include <gtest/gtest.h>

#include <algorithm>
#include <pugixml.hpp>

#include "bellwether/core/problem.hpp"
#include "bellwether/report/diagrams/flights.hpp"
#include "bellwether/report/diagrams/space_time.hpp"
#include "bellwether/report/diagrams/time_scale.hpp"
#include "bellwether/report/diagrams/trace_listing.hpp"
#include "bellwether/report/labels.hpp"

namespace bellwether::report {
namespace {

using observe::Cause;
using observe::Fate;
using observe::TraceSend;
using observe::TraceStep;
using std::chrono::microseconds;
using std::chrono::milliseconds;

TraceStep step(std::uint64_t number, Time at, std::uint64_t node, Cause cause,
               std::vector<TraceSend> sends = {}) {
  TraceStep out;
  out.number = number;
  out.at = at;
  out.node = NodeId{node};
  out.cause = cause;
  out.sends = std::move(sends);
  out.state = "state(of=" + std::to_string(node) + ')';
  return out;
}

TraceStep receive(std::uint64_t number, Time at, std::uint64_t node, std::uint64_t from,
                  std::string message, std::vector<TraceSend> sends = {}) {
  TraceStep out = step(number, at, node, Cause::receive, std::move(sends));
  out.peer = NodeId{from};
  out.message = std::move(message);
  return out;
}

/// 3 wins over 2, loses a message to 1, sends one twice, and crashes; a last message finds it down.
Trace small_trace() {
  Trace trace;
  trace.header = {"bully & co", "three <nodes>", 7, {NodeId{1}, NodeId{2}, NodeId{3}}};
  trace.steps.push_back(step(1, Time{}, 3, Cause::start,
                             {{NodeId{1}, "elect(id=3)", Fate::lost, {}},
                              {NodeId{2}, "elect(id=3)", Fate::duplicated, milliseconds(2)}}));
  trace.steps.back().leader_after = NodeId{3};
  trace.steps.push_back(receive(2, milliseconds(2), 2, 3, "elect(id=3)",
                                {{NodeId{3}, "ok()", Fate::sent, microseconds(3500)},
                                 {NodeId{1}, "elect(id=3)", Fate::no_link, {}}}));
  trace.steps.back().leader_after = NodeId{3};
  trace.steps.push_back(receive(3, microseconds(2500), 2, 3, "elect(id=3)"));
  trace.steps.back().leader_before = trace.steps.back().leader_after = NodeId{3};
  trace.steps.push_back(step(4, milliseconds(3), 3, Cause::crash));
  trace.steps.back().leader_before = NodeId{3};
  trace.drops.push_back({microseconds(3500), NodeId{2}, NodeId{3}, "ok()", "the node is down", 4});
  trace.steps.push_back(step(5, milliseconds(4), 1, Cause::link_up));
  trace.steps.back().peer = NodeId{2};
  trace.complete = true;
  return trace;
}

TEST(TraceListing, ShowsOneRowPerStepAndDrop) {
  EXPECT_EQ(trace_listing(small_trace()),
            R"(bully & co on three <nodes>, seed 7: 3 nodes, 5 steps, 1 dropped message

time ms  node  happened                              sent                                  leader
-------  ----  ------------------------------------  ------------------------------------  ---------
    0.0     3  start                                 elect(id=3) -> 1 (lost), 2 (twice)    none -> 3
    2.0     2  from 3: elect(id=3)                   ok() -> 3; elect(id=3) -> 1           none -> 3
                                                     (no-link)
    2.5     2  from 3: elect(id=3)
    3.0     3  crash                                                                       3 -> none
    3.5     3  dropped from 2: ok() (the node is
               down)
    4.0     1  link up: 2
)");
}

TEST(TraceListing, ShowsAPartAndSaysWhatIsLeft) {
  ListingOptions options;
  options.window.nodes = {NodeId{2}};
  options.window.from = milliseconds(1);
  options.states = true;
  options.max_lines = 1;
  Trace trace = small_trace();
  trace.complete = false;
  EXPECT_EQ(trace_listing(trace, options),
            R"(bully & co on three <nodes>, seed 7: 3 nodes, 5 steps, 1 dropped message

time ms  node  happened             sent                                   leader
-------  ----  -------------------  -------------------------------------  ---------
      2     2  from 3: elect(id=3)  ok() -> 3; elect(id=3) -> 1 (no-link)  none -> 3
               = state(of=2)
... 1 more step; --all shows them
The trace ends early: the run was stopped, or the file was cut.
)");
  options.max_lines = 2;
  EXPECT_NE(trace_listing(trace, options).find("\n... 1 more dropped message; --all"),
            std::string::npos);
  options.window.to = microseconds(1500);
  EXPECT_NE(trace_listing(trace, options).find("\nNothing happened here.\n"), std::string::npos);
}

TEST(TraceListing, RefusesWindowsThatDoNotFit) {
  ListingOptions options;
  options.window.nodes = {NodeId{9}};
  EXPECT_THROW(trace_listing(small_trace(), options), core::Problem);
  options.window = {{}, milliseconds(2), milliseconds(1)};
  EXPECT_THROW(trace_listing(small_trace(), options), core::Problem);
}

TEST(TraceListing, WrapsLongTextWithinThePage) {
  Trace trace = small_trace();
  trace.steps[1].message = std::string(150, 'x') + " y";
  trace.steps[1].sends[0].message = std::string(90, 'z');
  const std::string text = trace_listing(trace);
  std::size_t xs = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    EXPECT_LE(end - begin, 100u);
    begin = end + 1;
  }
  for (const char c : text) xs += c == 'x' ? 1 : 0;
  EXPECT_EQ(xs, 150u);
}

TEST(Flights, AreMatchedFromSendToEnd) {
  const Trace trace = small_trace();
  const std::vector<Flight> flights = flights_of(trace);
  ASSERT_EQ(flights.size(), 5u);
  EXPECT_EQ(flights[0].journey, Journey::lost);
  EXPECT_EQ(flights[1].journey, Journey::delivered);
  EXPECT_EQ(flights[1].ended, milliseconds(2));
  EXPECT_EQ(flights[2].journey, Journey::dropped);
  EXPECT_EQ(flights[2].ended, microseconds(3500));
  EXPECT_EQ(flights[2].why, "the node is down");
  EXPECT_EQ(flights[3].journey, Journey::no_link);
  EXPECT_TRUE(flights[4].copy);
  EXPECT_EQ(flights[4].journey, Journey::delivered);
  EXPECT_EQ(flights[4].ended, microseconds(2500));
}

TEST(Flights, ThatDoNotEndAreUnderWay) {
  Trace trace = small_trace();
  trace.steps.resize(1);
  trace.drops.clear();
  const std::vector<Flight> flights = flights_of(trace);
  ASSERT_EQ(flights.size(), 2u);
  EXPECT_EQ(flights[1].journey, Journey::under_way);
  EXPECT_EQ(flights[1].ended, milliseconds(2));
}

TEST(TimeScale, IsLinearAndCutsSilences) {
  std::vector<Time> moments;
  for (int i = 0; i < 20; ++i) moments.push_back(milliseconds(i));
  moments.push_back(milliseconds(5000));
  const TimeScale scale(moments, Time{}, milliseconds(5001), 100, 1000, 2000);
  EXPECT_DOUBLE_EQ(scale.place(Time{}), 100);
  EXPECT_NEAR(scale.place(milliseconds(4)) - 100, 2 * (scale.place(milliseconds(2)) - 100), 1e-6);
  ASSERT_EQ(scale.cuts().size(), 1u);
  EXPECT_EQ(scale.cuts()[0].from, milliseconds(19));
  EXPECT_EQ(scale.cuts()[0].to, milliseconds(5000));
  EXPECT_LT(scale.end(), 2500);
  double last = 0;
  for (const TimeScale::TimeTick& tick : scale.ticks()) {
    EXPECT_GT(tick.place, last);
    last = tick.place;
  }
  EXPECT_LE(last, scale.end());
}

TEST(TimeScale, BearsASingleMoment) {
  const TimeScale scale({}, Time{5}, Time{5}, 10, 100, 200);
  EXPECT_DOUBLE_EQ(scale.place(Time{5}), 10);
  EXPECT_DOUBLE_EQ(scale.end(), 110);
  ASSERT_EQ(scale.ticks().size(), 1u);
  EXPECT_EQ(scale.ticks()[0].label, "5 ns");
}

TEST(Labels, GetShorter) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(shorter_and_shorter("token(id=5 hops=[1,2])"),
            (Words{"token(id=5 hops=[1,2])", "token 5 [1,2]", "token"}));
  EXPECT_EQ(shorter_and_shorter("ok()"), Words{"ok"});
  EXPECT_EQ(shorter_and_shorter("plain"), Words{"plain"});
}

std::vector<std::string> texts(const pugi::xml_document& svg) {
  std::vector<std::string> out;
  for (const auto& node : svg.select_nodes("//text")) out.push_back(node.node().text().as_string());
  return out;
}

bool holds(const std::vector<std::string>& texts, const std::string& text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

TEST(SpaceTime, IsWellFormedAndTellsTheStory) {
  pugi::xml_document svg;
  ASSERT_TRUE(svg.load_string(space_time_svg(small_trace()).c_str()));
  EXPECT_STREQ(svg.document_element().name(), "svg");
  EXPECT_TRUE(svg.select_nodes("//script").empty());
  EXPECT_TRUE(svg.select_nodes("//@href | //image").empty());
  const auto words = texts(svg);
  for (const char* expected :
       {"bully & co on three <nodes>, seed 7", "node 1", "node 3", "elect(id=3)", "ok", "leads",
        "follows 3", "crash", "link 2", "lost on the way", "dropped: link or node gone",
        "sent where no link was", "no leader", "down", "the node leads"})
    EXPECT_TRUE(holds(words, expected)) << expected;
  EXPECT_EQ(svg.select_nodes("//line[contains(@class, ' hk')]").size(), 2u + 2u + 1u)
      << "two deliveries; in the legend two kinds and one arrow that was received";
}

TEST(SpaceTime, EscapesAnyText) {
  Trace trace = small_trace();
  trace.steps[0].sends[1].message = "<script>&\"'\x01\xFF\xEF\xBF\xBF(a=]]>)";
  trace.header.scenario = "--><!-- \x1B";
  pugi::xml_document svg;
  EXPECT_TRUE(svg.load_string(space_time_svg(trace).c_str()));
  EXPECT_TRUE(svg.select_nodes("//script").empty());
}

TEST(SpaceTime, ShowsAWindow) {
  TraceWindow window;
  window.nodes = {NodeId{3}, NodeId{2}};
  window.from = milliseconds(1);
  window.to = microseconds(2200);
  const std::string picture = space_time_svg(small_trace(), window);
  pugi::xml_document svg;
  ASSERT_TRUE(svg.load_string(picture.c_str()));
  const auto words = texts(svg);
  EXPECT_FALSE(holds(words, "node 1"));
  EXPECT_FALSE(holds(words, "crash"));
  EXPECT_TRUE(holds(words, "leads")) << "3 leads since before the window";
  EXPECT_TRUE(holds(words, "received"));
  EXPECT_NE(picture.find("not shown: 2 messages with other nodes"), std::string::npos);
}

TEST(SpaceTime, BearsEmptyTraces) {
  pugi::xml_document svg;
  EXPECT_TRUE(svg.load_string(space_time_svg({}).c_str()));
  Trace trace = small_trace();
  trace.steps.clear();
  trace.drops.clear();
  EXPECT_TRUE(svg.load_string(space_time_svg(trace).c_str()));
}

Trace busy_trace(std::size_t messages) {
  Trace trace = small_trace();
  trace.steps.resize(1);
  trace.steps[0].sends.assign(messages, {NodeId{2}, "beat(n=1)", Fate::sent, milliseconds(1)});
  return trace;
}

TEST(SpaceTime, HidesLabelsWhereTheyAreTooManyAndSaysSo) {
  const std::string picture = space_time_svg(busy_trace(1'200));
  EXPECT_NE(picture.find("labels hidden: 1,200 messages"), std::string::npos);
}

std::string refusal(const Trace& trace) {
  try {
    space_time_svg(trace);
  } catch (const core::Problem& error) {
    return error.what();
  }
  return "none";
}

TEST(SpaceTime, RefusesWhatNobodyCouldReadAndNamesTheCure) {
  EXPECT_EQ(refusal(busy_trace(20'001)),
            "the diagram would show 20,001 messages, but it holds 20,000; choose some nodes with "
            "--nodes, or a part of the time with --from and --to");
  Trace wide = small_trace();
  for (std::uint64_t i = 4; i <= 201; ++i) wide.header.nodes.push_back(NodeId{i});
  EXPECT_EQ(refusal(wide),
            "the diagram would show 201 nodes, but it holds 200; choose some with --nodes");
}

}  // namespace
}  // namespace bellwether::report
