// SPDX-License-Identifier: MIT
#include "bellwether/observe/trace/trace.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "bellwether/core/arbitrary.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/observe/trace/text.hpp"

namespace bellwether::observe {
namespace {

using std::chrono::milliseconds;

struct Token {
  static constexpr std::uint8_t tag = 1;
  static constexpr std::string_view name = "token";
  std::uint64_t id = 0;
  static constexpr auto fields = std::tuple{core::field("id", &Token::id)};
  friend bool operator==(const Token&, const Token&) = default;
};

/// Three steps and a drop, as a simulation would hand them over.
void tell(Observer& observer) {
  observer.begin({"chang-roberts", "ring \"of\" three", 7, {NodeId{1}, NodeId{2}, NodeId{3}}});
  const Token token{3};
  const std::string state = "passive";
  const std::string timer = "retry";
  const SendRecord sends[] = {{NodeId{1}, View::of(token), Fate::sent, milliseconds(3)},
                              {NodeId{2}, View::of(token), Fate::lost, Time::max()},
                              {NodeId{2}, View::of(token), Fate::duplicated, milliseconds(4)}};
  StepRecord start{1,
                   milliseconds(1),
                   NodeId{3},
                   Cause::start,
                   {},
                   {},
                   {},
                   sends,
                   {},
                   NodeId{3},
                   View::of(state),
                   0,
                   {}};
  observer.step(start);
  observer.drop({milliseconds(2), NodeId{3}, NodeId{2}, View::of(token), "the link is down"});
  observer.step({2,
                 milliseconds(3),
                 NodeId{1},
                 Cause::receive,
                 NodeId{3},
                 View::of(token),
                 {},
                 {},
                 NodeId{1},
                 NodeId{3},
                 View::of(state),
                 0,
                 {}});
  observer.step({3,
                 milliseconds(4),
                 NodeId{2},
                 Cause::timeout,
                 {},
                 {},
                 View::of(timer),
                 {},
                 NodeId{2},
                 NodeId{2},
                 View::of(state),
                 0,
                 {}});
  observer.end();
}

std::string told() {
  std::ostringstream out;
  TraceWriter writer(out);
  tell(writer);
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

const std::string header = R"j({"format":"bellwether-trace","version":1,"algorithm":"a",)j"
                           R"j("scenario":"s","seed":1,"nodes":[1]})j"
                           "\n";

TEST(TraceWriter, WritesKeysInAFixedOrder) {
  EXPECT_EQ(told(),
            R"j({"format":"bellwether-trace","version":1,"algorithm":"chang-roberts",)j"
            R"j("scenario":"ring \"of\" three","seed":7,"nodes":[1,2,3]})j"
            "\n"
            R"j({"step":1,"at_ns":1000000,"node":3,"cause":"start","sends":[)j"
            R"j({"to":1,"message":"token(id=3)","fate":"sent","arrives_ns":3000000},)j"
            R"j({"to":2,"message":"token(id=3)","fate":"lost"},)j"
            R"j({"to":2,"message":"token(id=3)","fate":"doubled","arrives_ns":4000000}],)j"
            R"j("leader":3,"leader_before":null,"state":"passive"})j"
            "\n"
            R"j({"drop":true,"at_ns":2000000,"from":3,"to":2,"message":"token(id=3)",)j"
            R"j("why":"the link is down"})j"
            "\n"
            R"j({"step":2,"at_ns":3000000,"node":1,"cause":"receive","peer":3,)j"
            R"j("message":"token(id=3)","sends":[],"leader":3,"leader_before":1,)j"
            R"j("state":"passive"})j"
            "\n"
            R"j({"step":3,"at_ns":4000000,"node":2,"cause":"timeout","timer":"retry","sends":[],)j"
            R"j("leader":2,"state":"passive"})j"
            "\n"
            R"j({"end":true,"steps":3})j"
            "\n");
}

/// The run goes on, and its report is not lost with the trace.
TEST(TraceWriter, LeavesAFullStreamToItsOwner) {
  std::ostringstream out;
  TraceWriter writer(out);
  out.setstate(std::ios::badbit);
  EXPECT_NO_THROW(tell(writer));
  EXPECT_FALSE(out);
}

TEST(TraceReader, ReadsBackWhatWasWritten) {
  const Trace trace = read(told());
  EXPECT_TRUE(trace.complete);
  EXPECT_EQ(trace.header.algorithm, "chang-roberts");
  EXPECT_EQ(trace.header.scenario, "ring \"of\" three");
  EXPECT_EQ(trace.header.seed, 7u);
  EXPECT_EQ(trace.header.nodes, (std::vector<NodeId>{NodeId{1}, NodeId{2}, NodeId{3}}));
  ASSERT_EQ(trace.steps.size(), 3u);
  const TraceStep first{1,
                        milliseconds(1),
                        NodeId{3},
                        Cause::start,
                        {},
                        "",
                        "",
                        {{NodeId{1}, "token(id=3)", Fate::sent, milliseconds(3)},
                         {NodeId{2}, "token(id=3)", Fate::lost, Time{}},
                         {NodeId{2}, "token(id=3)", Fate::duplicated, milliseconds(4)}},
                        {},
                        NodeId{3},
                        "passive"};
  EXPECT_EQ(trace.steps[0], first);
  EXPECT_EQ(trace.steps[1].leader_before, NodeId{1});
  EXPECT_EQ(trace.steps[2].leader_before, NodeId{2});
  const TraceDrop drop{milliseconds(2), NodeId{3}, NodeId{2}, "token(id=3)", "the link is down", 1};
  EXPECT_EQ(trace.drops, std::vector<TraceDrop>{drop});
}

TEST(TraceReader, ReadsAFileThatEndsAnywhereAfterItsHeader) {
  const std::string all = told();
  const std::size_t first = all.find('\n') + 1;
  for (std::size_t size = first; size + 1 < all.size(); ++size) {
    const Trace trace = read(all.substr(0, size));
    EXPECT_EQ(trace.complete, false) << size;
  }
  EXPECT_TRUE(read(all.substr(0, all.size() - 1)).complete);
}

TEST(TraceReader, KeepsIdsOf64Bits) {
  const Trace trace = read(
      header + R"j({"step":1,"at_ns":0,"node":18446744073709551615,"cause":"start","sends":[],)j"
               R"j("leader":18446744073709551614,"state":""})j"
               "\n");
  EXPECT_EQ(trace.steps[0].node, NodeId{18446744073709551615u});
  EXPECT_EQ(trace.steps[0].leader_after, NodeId{18446744073709551614u});
}

TEST(TraceReader, NamesThePlaceOfWhatIsWrong) {
  EXPECT_EQ(complaint(""), "t.jsonl:1: the file is empty; a trace begins with a header");
  EXPECT_EQ(complaint("hello\n"),
            "t.jsonl:1: this line is not JSON; a trace is written by bellwether run --trace");
  EXPECT_EQ(complaint("hello"),
            "t.jsonl:1: this line is not JSON; a trace is written by bellwether run --trace");
  EXPECT_EQ(complaint("[1]\n"), "t.jsonl:1: this line must be a JSON object");
  EXPECT_EQ(complaint("{}\n"),
            "t.jsonl:1: this is not a trace: its first line lacks \"format\":\"bellwether-trace\"");
  EXPECT_EQ(complaint(R"j({"format":"bellwether-trace","version":2})j"
                      "\n"),
            "t.jsonl:1: the trace has version 2; this program reads version 1");
  EXPECT_EQ(complaint(R"j({"format":"bellwether-trace","version":1})j"
                      "\n"),
            "t.jsonl:1: \"algorithm\" is missing");
  EXPECT_EQ(complaint(header + "\n"),
            "t.jsonl:2: this line is not JSON; a trace is written by bellwether run --trace");
  EXPECT_EQ(complaint(header + "{\"ste\nx\n"),
            "t.jsonl:2: this line is not JSON; a trace is written by bellwether run --trace");
  EXPECT_EQ(complaint(header + "{}\n"),
            "t.jsonl:2: a line must be a \"step\", a \"drop\" or the \"end\"");
  EXPECT_EQ(complaint(header + R"j({"step":"x"})j"),
            "t.jsonl:2: \"step\" must be a whole number from 0");
  EXPECT_EQ(complaint(header + R"j({"step":1,"at_ns":-1})j"),
            "t.jsonl:2: \"at_ns\" must be a whole number of nanoseconds, at most 4e18");
  EXPECT_EQ(complaint(header + R"j({"step":1,"at_ns":1e300})j"),
            "t.jsonl:2: \"at_ns\" must be a whole number of nanoseconds, at most 4e18");
  EXPECT_EQ(complaint(header + R"j({"step":1,"at_ns":1,"node":1,"cause":"boredom"})j"),
            "t.jsonl:2: \"cause\" knows no \"boredom\"");
  EXPECT_EQ(complaint(header + R"j({"step":1,"at_ns":1,"node":1,"cause":"start","sends":[3]})j"),
            "t.jsonl:2: \"sends\" must hold objects");
  EXPECT_EQ(complaint(header + R"j({"step":1,"at_ns":1,"node":1,"cause":"start","sends":[],)j"
                               R"j("leader":"me"})j"),
            "t.jsonl:2: \"leader\" must be a node or null");
  EXPECT_EQ(complaint(header + R"j({"drop":true,"at_ns":1})j"), "t.jsonl:2: \"from\" is missing");
  EXPECT_EQ(complaint(header + R"j({"end":true,"steps":4})j"),
            "t.jsonl:2: the end line counts 4 steps, but 0 stand before it");
  EXPECT_EQ(complaint(header + R"j({"end":true,"steps":0})j"
                               "\n"
                               R"j({"end":true,"steps":0})j"),
            "t.jsonl:3: this stands after the end of the trace");
}

TEST(TraceReader, NeverDoesAnythingButReadOrComplain) {
  core::Prng prng(5);
  const std::string all = told();
  for (int i = 0; i < 3000; ++i) {
    std::string damaged = all;
    for (std::uint64_t n = 1 + prng.below(3); n > 0; --n)
      damaged[prng.below(damaged.size())] = static_cast<char>(prng.below(256));
    std::istringstream in(damaged);
    try {
      read_trace(in, "t.jsonl");
    } catch (const core::Problem&) {
    }
  }
}

TEST(TraceWriter, MakesJsonOfAnyBytes) {
  std::ostringstream out;
  TraceWriter writer(out);
  writer.begin({"a", "\xFF", 1, {}});
  const std::string state = "tab\t bell\a \xC3\xA4 \xC3 \xED\xA0\x80";
  writer.step({1, Time{}, NodeId{1}, Cause::start, {}, {}, {}, {}, {}, {}, View::of(state), 0, {}});
  const Trace trace = read(out.str());
  EXPECT_EQ(trace.header.scenario, "\uFFFD");
  EXPECT_EQ(trace.steps[0].state, "tab\t bell\a \u00E4 \uFFFD \uFFFD\uFFFD\uFFFD");
}

TEST(StepLine, TellsOneStepInOneLine) {
  const Trace trace = read(told());
  EXPECT_EQ(step_line(trace.steps[0]),
            "#1 1 ms node 3, start; sends token(id=3) -> 1, 2 (lost), 2 (twice); "
            "leader none -> 3");
  EXPECT_EQ(step_line(trace.steps[1]), "#2 3 ms node 1, from 3: token(id=3); leader 1 -> 3");
  EXPECT_EQ(step_line(trace.steps[2]), "#3 4 ms node 2, timeout retry");
  TraceStep odd{4, Time{}, NodeId{1}, Cause::link_down, NodeId{2}, "", "", {}, {}, {}, "a\nb\x1B"};
  EXPECT_EQ(step_line(odd), "#4 0 s node 1, link down: 2");
}

TEST(TailObserver, KeepsTheLastStepsOldestFirst) {
  TailObserver two(2), none(0), all;
  tell(two);
  tell(none);
  tell(all);
  EXPECT_EQ(two.lines(),
            (std::vector<std::string>{"#2 3 ms node 1, from 3: token(id=3); leader 1 -> 3",
                                      "#3 4 ms node 2, timeout retry"}));
  EXPECT_TRUE(none.lines().empty());
  EXPECT_EQ(all.lines().size(), 3u);
}

TEST(Text, IsCutBetweenCharacters) {
  EXPECT_EQ(columns("\u00E4\u00F6"), 2u);
  EXPECT_EQ(shortened("abc", 3), "abc");
  EXPECT_EQ(shortened("abcdef", 5), "ab...");
  EXPECT_EQ(shortened("\u00E4\u00F6\u00FCxyz", 5), "\u00E4\u00F6...");
  EXPECT_EQ(shortened("abcdef", 2), "..");
}

TEST(Text, HasNoControlCharacters) {
  EXPECT_EQ(one_line("a\x7F\r\n"), "a???");
}

}  // namespace
}  // namespace bellwether::observe
