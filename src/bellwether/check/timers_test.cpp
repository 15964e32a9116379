// SPDX-License-Identifier: MIT
// Choices and timers, against the oracle and by hand.
#include <gtest/gtest.h>

#include "bellwether/check/explore_test.hpp"
#include "bellwether/check/toys_test.hpp"

namespace bellwether::check {
namespace {

/// The oracle's outcomes, which the search must have as well.
template <class P>
std::set<std::string> outcomes(const Spec& spec) {
  const auto expected = Oracle<P>(spec, {}).run();
  for (const bool reduce : {false, true})
    for (const auto order : {SearchOrder::breadth, SearchOrder::depth}) {
      Spec other = spec;
      other.reduce = reduce;
      other.search = order;
      const Explored got = explore<P>(other, {});
      EXPECT_EQ(got.found.ended, SearchEnd::complete);
      EXPECT_EQ(got.outcomes, expected.outcomes);
      if (!reduce) {
        EXPECT_EQ(got.found.states, expected.states);
      }
    }
  return expected.outcomes;
}

TEST(Choices, AreAllTried) {
  const auto seen = outcomes<Drawer>(toy_spec<Drawer>("empty:1"));
  EXPECT_EQ(seen.size(), 6u);
  for (const auto& [first, second] : {std::pair{0, 9}, {2, 9}, {1, 0}, {1, 1}, {1, 2}, {1, 3}}) {
    const std::string part = "first=" + std::to_string(first) + " second=" + std::to_string(second);
    EXPECT_EQ(std::count_if(seen.begin(), seen.end(),
                            [&](const std::string& s) { return s.find(part) != s.npos; }),
              1)
        << part;
  }
  EXPECT_EQ(outcomes<Drawer>(toy_spec<Drawer>("empty:2")).size(), 36u);
}

// Timers.

/// What the nodes heard, by node, of each outcome: "12m" and the like, with a blank between nodes.
template <class P>
std::set<std::string> heard(const Spec& spec) {
  std::set<std::string> out;
  for (const std::string& each : outcomes<P>(spec)) {
    std::string line;
    for (std::size_t at = 0; (at = each.find("heard=", at)) != each.npos; ++at)
      line += each.substr(at + 6, each.find(')', at) - at - 6) + ' ';
    out.insert(line.substr(0, line.size() - 1));
  }
  return out;
}

struct Bounds {
  template <class Step>
  static void start(Step& step, std::uint64_t) {
    step.arm(Bell{1}, 10ms, 20ms);
    step.arm(Bell{2}, 20ms, 30ms);  // after the first
    step.arm(Bell{3}, 5ms, 40ms);   // any time
  }
  template <class Step>
  static void ring(Step&, std::uint64_t) {}
};
struct Equal {
  template <class Step>
  static void start(Step& step, std::uint64_t) {
    for (const std::uint64_t n : {1, 2, 3, 1}) step.arm(Bell{n}, 10ms, 10ms);  // 1 is moved
  }
  template <class Step>
  static void ring(Step& step, std::uint64_t n) {
    if (n == 2) step.disarm(Bell{3});
  }
};
TEST(Timers, ThatWereSetEarlierWithNoLongerABoundFireFirst) {
  EXPECT_EQ(heard<Ringer<Bounds>>(toy_spec<Ringer<Bounds>>("empty:1")),
            (std::set<std::string>{"123", "132", "312"}));
  EXPECT_EQ(heard<Ringer<Equal>>(toy_spec<Ringer<Equal>>("empty:1")),
            (std::set<std::string>{"21"}));
}

struct Late {
  template <class Step>
  static void start(Step& step, std::uint64_t id) {
    step.broadcast(Word{});
    step.arm(Bell{id}, id == 1 ? 300ms : 200ms, id == 1 ? 300ms : 200ms);
  }
  /// 200: 2 rings and sets 4 for 350; 300: 1 rings and sets 3 for 340; so 3 comes before 4.
  template <class Step>
  static void ring(Step& step, std::uint64_t n) {
    if (n <= 2) step.broadcast(Word{});
    if (n == 2) step.arm(Bell{4}, 150ms, 150ms);
    if (n == 1) step.arm(Bell{3}, 100ms + 1ms, 100ms + 1ms);
    if (n == 4) step.broadcast(Word{});
  }
};
TEST(Timers, BeyondTheDelayFireWhenNothingIsUnderWayInTheOrderOfTime) {
  // Node 1 rings at 300 and 401, node 2 at 200 and 350. Words always come before the next bell.
  EXPECT_EQ(heard<Ringer<Late>>(toy_spec<Ringer<Late>>("12")),
            (std::set<std::string>{"mm1m3 m2m4"}));
  Spec longer = toy_spec<Ringer<Late>>("12");
  longer.delay = 1s;  // now all are soon enough to come in any order
  EXPECT_GT(heard<Ringer<Late>>(longer).size(), 10u);
}

struct Range {
  template <class Step>
  static void start(Step& step, std::uint64_t) {
    step.arm(Bell{1}, 200ms, 400ms);
    step.arm(Bell{2}, 300ms, 300ms);
  }
  template <class Step>
  static void ring(Step&, std::uint64_t) {}
};
TEST(Timers, BeyondTheDelayWithARangeAreTriedAtBothEnds) {
  EXPECT_EQ(heard<Ringer<Range>>(toy_spec<Ringer<Range>>("empty:1")),
            (std::set<std::string>{"12", "21"}));
}

}  // namespace
}  // namespace bellwether::check
