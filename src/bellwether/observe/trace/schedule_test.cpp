// SPDX-License-Identifier: MIT
// A schedule as part of a trace: written, read back, and refused where it cannot be followed.
#include "bellwether/observe/trace/schedule.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <sstream>

#include "bellwether/core/arbitrary.hpp"
#include "bellwether/core/codec.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/observe/trace/compare.hpp"
#include "bellwether/observe/trace/trace.hpp"

namespace bellwether::observe {
namespace {

using std::chrono::milliseconds;

constexpr NodeId one{1}, two{2}, nine{9};

/// Every part is there, and every kind of change.
Schedule full() {
  Schedule s;
  s.options = {{"rho", "0.7"}, {"edges", "mu\"tual"}};
  s.ids = {one, nine, two};
  s.links = {{one, two}, {nine, one}};
  s.up = {true, false};
  s.starts = {{two, Time{0}}, {one, milliseconds(2)}};
  s.changes = {{milliseconds(1), Upheaval::link_up, one, nine, false},
               {milliseconds(1), Upheaval::link_down, one, two, false},
               {milliseconds(3), Upheaval::crash, two, NodeId{}, false},
               {milliseconds(4), Upheaval::restart, two, NodeId{}, true}};
  s.flights = {{two, one, {{milliseconds(5)}, {}, {milliseconds(6), milliseconds(7)}, {{}}}}};
  s.notices = {{one, two, {milliseconds(2), {}}}, {two, one, {}}};
  s.alarms = {{nine, {{}, milliseconds(9)}}};
  s.choices = {{one, {0, 18446744073709551615u}}};
  return s;
}

std::string written(const Schedule& schedule) {
  std::ostringstream out;
  TraceWriter writer(out);
  writer.begin({"cel", "by hand", 3, schedule.ids, schedule});
  writer.end();
  return out.str();
}

Trace read(const std::string& text) {
  std::istringstream in(text);
  return read_trace(in, "t.jsonl");
}

std::string complaint(const std::string& text) {
  try {
    read(text);
  } catch (const core::Problem& bad) {
    return bad.what();
  }
  return "none";
}

/// What is said when `part` of the full schedule is written as `instead`.
std::string complaint(const std::string& part, const std::string& instead) {
  std::string text = written(full());
  const std::size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  EXPECT_EQ(text.find(part, at + 1), std::string::npos) << part << " is there twice";
  return complaint(text.replace(at, part.size(), instead));
}

TEST(Schedule, IsWrittenIntoTheHeader) {
  const std::string text = written(full());
  EXPECT_EQ(text.substr(0, text.find('\n')),
            R"j({"format":"bellwether-trace","version":1,"algorithm":"cel","scenario":"by hand",)j"
            R"j("seed":3,"nodes":[1,9,2],"schedule":{)j"
            R"j("options":[["rho","0.7"],["edges","mu\"tual"]],"ids":[1,9,2],"one_way":false,)j"
            R"j("links":[[1,2],[9,1]],"up":[true,false],)j"
            R"j("starts":[{"node":2,"at_ns":0},{"node":1,"at_ns":2000000}],)j"
            R"j("changes":[{"at_ns":1000000,"kind":"link-up","a":1,"b":9,"memory":false},)j"
            R"j({"at_ns":1000000,"kind":"link-down","a":1,"b":2,"memory":false},)j"
            R"j({"at_ns":3000000,"kind":"crash","a":2,"b":0,"memory":false},)j"
            R"j({"at_ns":4000000,"kind":"restart","a":2,"b":0,"memory":true}],)j"
            R"j("flights":[{"from":2,"to":1,)j"
            R"j("arrivals_ns":[[5000000],[],[6000000,7000000],[null]]}],)j"
            R"j("notices":[{"node":1,"peer":2,"times_ns":[2000000,null]},)j"
            R"j({"node":2,"peer":1,"times_ns":[]}],)j"
            R"j("alarms":[{"node":9,"times_ns":[null,9000000]}],)j"
            R"j("choices":[{"node":1,"values":[0,18446744073709551615]}]}})j");
}

TEST(Schedule, IsReadBack) {
  EXPECT_EQ(read(written(full())).header.schedule, full());
  Schedule least;
  least.ids = {one};
  EXPECT_EQ(read(written(least)).header.schedule, least);
  EXPECT_FALSE(read(R"j({"format":"bellwether-trace","version":1,"algorithm":"a",)j"
                    R"j("scenario":"s","seed":1,"nodes":[1]})j"
                    "\n")
                   .header.schedule);
}

/// A schedule without faults, of everything that can be in one.
Schedule drawn(core::Prng& prng) {
  Schedule s;
  s.one_way = prng.below(2) == 1;
  for (std::uint64_t id = 0, n = 2 + prng.below(4); id < n; ++id)
    s.ids.push_back(NodeId{id * 1'000'000'007 + prng.below(1000)});
  const auto moment = [&] { return Time{static_cast<std::int64_t>(prng.below(1u << 30))}; };
  const auto moments = [&] {
    Schedule::Moments out(prng.below(4));
    for (auto& each : out)
      if (prng.below(3) > 0) each = moment();
    return out;
  };
  for (const NodeId a : s.ids) {
    for (const NodeId b : s.ids) {
      if (a == b || (!s.one_way && a > b) || prng.below(2) == 0) continue;
      s.links.push_back({a, b});
      s.up.push_back(prng.below(2) == 1);
      s.flights.push_back({a, b, {moments(), moments()}});
      s.notices.push_back({a, b, moments()});
      if (!s.one_way) s.notices.push_back({b, a, moments()});
    }
    if (prng.below(2) == 1) s.starts.push_back({a, moment()});
    s.alarms.push_back({a, moments()});
    s.choices.push_back({a, core::arbitrary<std::vector<std::uint64_t>>(prng)});
  }
  for (Time at{}; prng.below(5) > 0; at += moment()) {
    Schedule::ScheduledChange change{at, core::arbitrary<Upheaval>(prng), s.ids[0], s.ids[1],
                                     prng.below(2) == 1};
    const bool link = change.kind == Upheaval::link_up || change.kind == Upheaval::link_down;
    if (link && s.links.empty()) continue;
    if (link) std::tie(change.a, change.b) = s.links[prng.below(s.links.size())];
    s.changes.push_back(change);
  }
  s.options = {{core::arbitrary<bool>(prng) ? "x" : "y", std::to_string(prng.below(10))}};
  return s;
}

TEST(Schedule, AnyIsReadBack) {
  core::Prng prng(11);
  for (int i = 0; i < 500; ++i) {
    const Schedule schedule = drawn(prng);
    ASSERT_EQ(fault_of(schedule), "") << core::json_of(schedule);
    const std::string text = written(schedule);
    ASSERT_EQ(read(text).header.schedule, schedule) << text;
  }
}

TEST(Schedule, WithAMissingKeyIsRefused) {
  for (const char* key : {"options", "ids", "one_way", "links", "up", "starts", "changes",
                          "flights", "notices", "alarms", "choices"}) {
    const std::string name = '"' + std::string(key) + "\":";
    EXPECT_EQ(complaint(name, "\"other\":"),
              "t.jsonl:1: \"schedule." + std::string(key) + "\" is missing");
  }
  EXPECT_EQ(complaint(R"j("kind":"crash",)j", ""),
            "t.jsonl:1: \"schedule.changes[2].kind\" is missing");
  EXPECT_EQ(complaint(R"j("from":2,)j", ""), "t.jsonl:1: \"schedule.flights[0].from\" is missing");
}

TEST(Schedule, OfWrongKindsIsRefused) {
  const auto says = [](const char* part, const char* instead, const std::string& sentence) {
    EXPECT_EQ(complaint(part, instead), "t.jsonl:1: " + sentence) << instead;
  };
  says(R"j("one_way":false)j", R"j("one_way":0)j", R"("schedule.one_way" must be true or false)");
  says(R"j(["rho","0.7"])j", R"j(["rho",0.7])j", R"("schedule.options[0][1]" must be a text)");
  says(R"j(["rho","0.7"])j", R"j(["rho"])j", R"("schedule.options[0]" must be an array of two)");
  says(R"j("ids":[1,9,2])j", R"j("ids":7)j", R"("schedule.ids" must be an array)");
  says(R"j("ids":[1,9,2])j", R"j("ids":[1,-9,2])j",
       R"("schedule.ids[1]" must be a whole number from 0)");
  says(R"j([[1,2],[9,1]])j", R"j([[1,2],[9,1,1]])j",
       R"("schedule.links[1]" must be an array of two)");
  says(R"j([true,false])j", R"j([true,null])j", R"("schedule.up[1]" must be true or false)");
  says(R"j({"node":2,"at_ns":0})j", "3", R"("schedule.starts[0]" must be an object)");
  says(R"j({"node":2,"at_ns":0})j", R"j({"node":2,"at_ns":4000000000000000001})j",
       "\"schedule.starts[0].at_ns\" must be a whole number of nanoseconds, at most 4e18");
  says(R"j("kind":"crash")j", R"j("kind":"fire")j",
       R"("schedule.changes[2].kind" knows no "fire")");
  says(R"j("kind":"crash")j", R"j("kind":1)j", R"("schedule.changes[2].kind" must be a text)");
  says(R"j("b":9,"memory":false)j", R"j("b":9,"memory":"no")j",
       R"("schedule.changes[0].memory" must be true or false)");
  says("[6000000,7000000]", "[6000000,7e6]",
       "\"schedule.flights[0].arrivals_ns[2][1]\" must be a whole number of nanoseconds, at most "
       "4e18");
  says("[6000000,7000000]", "null", R"("schedule.flights[0].arrivals_ns[2]" must be an array)");
  says("[2000000,null]", "[2000000,true]",
       "\"schedule.notices[0].times_ns[1]\" must be a whole number of nanoseconds, at most 4e18");
  says("[null,9000000]", "{}", R"("schedule.alarms[0].times_ns" must be an array)");
  says("18446744073709551615", "18446744073709551616",
       R"("schedule.choices[0].values[1]" must be a whole number from 0)");
  says("18446744073709551615", "null",
       R"("schedule.choices[0].values[1]" must be a whole number from 0)");
  EXPECT_EQ(
      complaint(R"j({"format":"bellwether-trace","version":1,"algorithm":"a","scenario":"s",)j"
                R"j("seed":1,"nodes":[1],"schedule":null})j"),
      "t.jsonl:1: \"schedule\" must be an object");
}

TEST(Schedule, ThatNamesWhatIsNotThereIsRefused) {
  const auto says = [](const std::function<void(Schedule&)>& change, const std::string& sentence) {
    Schedule schedule = full();
    change(schedule);
    EXPECT_EQ(fault_of(schedule), sentence);
    EXPECT_EQ(complaint(written(schedule)), "t.jsonl:1: schedule." + sentence);
  };
  constexpr NodeId eight{8};
  says([](auto& s) { s = {}; }, "ids: there must be at least one node");
  says([](auto& s) { s.ids.push_back(one); }, "ids: node 1 is there twice");
  says([](auto& s) { s.links[0].second = eight; }, "links: there is no node 8 in this schedule");
  says([](auto& s) { s.links[0].second = one; }, "links: node 1 cannot be linked to itself");
  says([](auto& s) { s.links[1] = {two, one}; }, "links: the link from 2 to 1 is there twice");
  says([](auto& s) { s.up.pop_back(); }, "up: must say true or false for each of the 2 links");
  says([](auto& s) { s.starts[0].node = eight; }, "starts: there is no node 8 in this schedule");
  says([](auto& s) { s.starts[0].node = one; }, "starts: node 1 is there twice");
  says([](auto& s) { s.changes[1].at = Time{}; }, "changes: they must stand in the order of time");
  says([](auto& s) { s.changes[1].b = eight; }, "changes: there is no node 8 in this schedule");
  says([](auto& s) { s.changes[0].a = two; }, "changes: there is no link from 2 to 9");
  says([](auto& s) { s.changes[2].a = eight; }, "changes: there is no node 8 in this schedule");
  says([](auto& s) { s.flights[0].to = nine; }, "flights: there is no link from 2 to 9");
  says([](auto& s) { s.flights.push_back(s.flights[0]); },
       "flights: the link from 2 to 1 is there twice");
  says([](auto& s) { s.notices[0].peer = eight; }, "notices: there is no node 8 in this schedule");
  says([](auto& s) { s.notices[0] = s.notices[1]; },
       "notices: the link from 2 to 1 is there twice");
  says(
      [](auto& s) {
        s.alarms.push_back({eight, {}});
      },
      "alarms: there is no node 8 in this schedule");
  says([](auto& s) { s.alarms.push_back(s.alarms[0]); }, "alarms: node 9 is there twice");
  says([](auto& s) { s.choices.push_back({one, {}}); }, "choices: node 1 is there twice");
  // One-way links: only their first end sends and is notified.
  says([](auto& s) { s.one_way = true; }, "changes: there is no link from 1 to 9");
  EXPECT_EQ(complaint(R"j("nodes":[1,9,2])j", R"j("nodes":[1,2,9])j"),
            "t.jsonl:1: schedule.ids: must be the \"nodes\" of the trace");
}

TEST(Schedule, HasTimesThatATraceCanHold) {
  for (const Time time : {Time{-1}, latest_time + Time{1}}) {
    const auto says = [](const std::function<void(Schedule&)>& change, const std::string& key) {
      Schedule schedule = full();
      change(schedule);
      EXPECT_EQ(fault_of(schedule), key + ": a time must lie between 0 and 4e18 nanoseconds");
    };
    says([&](auto& s) { s.starts[0].at = time; }, "starts");
    says([&](auto& s) { s.changes[0].at = time; }, "changes");
    says([&](auto& s) { s.flights[0].arrivals[2][1] = time; }, "flights");
    says([&](auto& s) { s.notices[0].times[0] = time; }, "notices");
    says([&](auto& s) { s.alarms[0].times[1] = time; }, "alarms");
  }
}

TEST(Schedule, CutOrMangledIsReadOrRefused) {
  core::Prng prng(6);
  const std::string all = written(full());
  for (std::size_t size = 0; size < all.find('\n'); ++size)
    EXPECT_THROW(read(all.substr(0, size)), core::Problem) << size;
  int readable = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string damaged = all;
    for (std::uint64_t n = 1 + prng.below(3); n > 0; --n)
      damaged[prng.below(damaged.size())] =
          prng.below(2) == 0 ? all[prng.below(all.size())] : static_cast<char>(prng.below(256));
    try {
      const Trace trace = read(damaged);
      if (trace.header.schedule) {
        EXPECT_EQ(fault_of(*trace.header.schedule), "") << damaged;
        ++readable;
      }
    } catch (const core::Problem&) {
    }
  }
  EXPECT_GT(readable, 0);
}

/// What is said of a run that takes these steps.
ReplayComparison compared(const Trace& recorded, std::vector<TraceStep> steps) {
  StepComparer comparer(recorded);
  for (const TraceStep& step : steps) {
    std::vector<SendRecord> sends;
    for (const TraceSend& send : step.sends)
      sends.push_back({send.to, View::of(send.message), send.fate, send.arrives});
    StepRecord record;
    record.number = step.number;
    record.at = step.at;
    record.node = step.node;
    record.cause = step.cause;
    record.peer = step.peer;
    if (!step.message.empty()) record.message = View::of(step.message);
    if (!step.timer.empty()) record.timer = View::of(step.timer);
    record.sends = sends;
    record.leader_before = step.leader_before;
    record.leader_after = step.leader_after;
    record.state = View::of(step.state);
    comparer.step(record);
  }
  return comparer.verdict();
}

Trace three_steps() {
  Trace trace;
  trace.complete = true;
  for (std::uint64_t i = 1; i <= 3; ++i)
    trace.steps.push_back({i,
                           milliseconds(i),
                           one,
                           Cause::receive,
                           two,
                           "token",
                           "",
                           {{two, "token", Fate::sent, milliseconds(8)}},
                           std::nullopt,
                           std::nullopt,
                           "idle"});
  return trace;
}

TEST(StepComparer, FindsAllStepsAsRecorded) {
  const Trace trace = three_steps();
  EXPECT_TRUE(compared(trace, trace.steps).as_recorded());
  auto steps = trace.steps;  // what does not count
  steps[1].number = 7;
  steps[1].at = milliseconds(9);
  steps[1].sends[0].fate = Fate::lost;
  steps[1].sends.push_back({one, "token", Fate::no_link, Time{}});
  steps[1].leader_before = two;
  const ReplayComparison same{.steps = 3, .same = 3};
  EXPECT_EQ(compared(trace, steps), same);
}

TEST(StepComparer, TellsTheFirstStepThatDiffers) {
  const Trace trace = three_steps();
  const std::string recorded = "#2 2 ms node 1, from 2: token; sends token -> 2; state idle";
  const auto says = [&](const std::function<void(TraceStep&)>& change, const std::string& taken) {
    auto steps = trace.steps;
    change(steps[1]);
    change(steps[2]);
    const ReplayComparison verdict{.steps = 3, .same = 1, .recorded = recorded, .taken = taken};
    EXPECT_EQ(compared(trace, steps), verdict) << compared(trace, steps).taken;
    EXPECT_FALSE(compared(trace, steps).as_recorded());
  };
  says([](auto& s) { s.node = two; },
       "#2 2 ms node 2, from 2: token; sends token -> 2; state idle");
  says([](auto& s) { s.cause = Cause::start; },
       "#2 2 ms node 1, start; sends token -> 2; state idle");
  says([](auto& s) { s.peer = nine; },
       "#2 2 ms node 1, from 9: token; sends token -> 2; state idle");
  says([](auto& s) { s.message = "crown"; },
       "#2 2 ms node 1, from 2: crown; sends token -> 2; state idle");
  says([](auto& s) { s.sends[0].to = nine; },
       "#2 2 ms node 1, from 2: token; sends token -> 9; state idle");
  says([](auto& s) { s.sends[0].message = "crown"; },
       "#2 2 ms node 1, from 2: token; sends crown -> 2; state idle");
  says([](auto& s) { s.sends.clear(); }, "#2 2 ms node 1, from 2: token; state idle");
  says([](auto& s) { s.leader_after = two; },
       "#2 2 ms node 1, from 2: token; sends token -> 2; leader none -> 2; state idle");
  says([](auto& s) { s.leader_before = s.leader_after = two; },
       "#2 2 ms node 1, from 2: token; sends token -> 2; leader 2; state idle");
  says([](auto& s) { s.state = "busy"; },
       "#2 2 ms node 1, from 2: token; sends token -> 2; state busy");
  auto ringing = three_steps();
  for (TraceStep& step : ringing.steps) step.timer = "bell";
  EXPECT_EQ(compared(trace, ringing.steps).same, 0u);
}

TEST(StepComparer, TellsWhichOfTheTwoEndsFirst) {
  Trace trace = three_steps();
  auto steps = trace.steps;
  steps.pop_back();
  const ReplayComparison shorter = compared(trace, steps);
  EXPECT_EQ(shorter.same, 2u);
  EXPECT_EQ(shorter.taken, "");
  EXPECT_TRUE(shorter.recorded.starts_with("#3 "));
  steps = trace.steps;
  steps.push_back(steps.back());
  const ReplayComparison longer = compared(trace, steps);
  EXPECT_EQ(longer.same, 3u);
  EXPECT_EQ(longer.recorded, "");
  EXPECT_FALSE(longer.as_recorded());
  trace.complete = false;  // the recording says nothing about what follows
  EXPECT_TRUE(compared(trace, steps).as_recorded());
}

}  // namespace
}  // namespace bellwether::observe
