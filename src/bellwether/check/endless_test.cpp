// SPDX-License-Identifier: MIT
// Runs without end, broken invariants and limits, with protocols of a few lines.
#include <gtest/gtest.h>

#include "bellwether/check/explore_test.hpp"
#include "bellwether/check/toys_test.hpp"
#include "bellwether/core/problem.hpp"

namespace bellwether::check {
namespace {

// Runs without end.

TEST(Endless, RunInDisagreementIsALasso) {
  using P = Pendulum<false, false>;
  for (const bool reduce : {false, true}) {
    Spec spec = toy_spec<P>("12");
    spec.reduce = reduce;
    const Verdict verdict = check<P>(spec, {});
    ASSERT_EQ(verdict.ended, SearchEnd::violation);
    EXPECT_EQ(verdict.property, "agreement");
    EXPECT_NE(verdict.sentence.find("without end"), std::string::npos) << verdict.sentence;
    ASSERT_TRUE(verdict.lasso);
    EXPECT_FALSE(verdict.acyclic);
    EXPECT_TRUE(verdict.cycles_searched);
    EXPECT_EQ(verdict.note, "");
    ASSERT_LT(*verdict.lasso, verdict.trace.steps.size());
    // A cycle: both nodes are at the end as they were where the lasso begins, and both have
    // rung on the way, since no timer can be postponed permanently.
    std::map<NodeId, std::string> before, after;
    std::set<NodeId> rung;
    for (std::size_t i = 0; i < verdict.trace.steps.size(); ++i) {
      const auto& step = verdict.trace.steps[i];
      if (i < *verdict.lasso) before[step.node] = step.state;
      after[step.node] = step.state;
      if (i >= *verdict.lasso) rung.insert(step.node);
    }
    EXPECT_EQ(before, after);
    EXPECT_EQ(rung.size(), 2u);
    // A search that does not look for cycles does not find it.
    spec.cycles = false;
    const Verdict blind = check<P>(spec, {});
    EXPECT_EQ(blind.ended, SearchEnd::complete);
    EXPECT_FALSE(blind.cycles_searched);
  }
}

TEST(Endless, RunThatPutsOffAMessageForEverIsNone) {
  using P = Pendulum<true, true>;
  const Verdict verdict = check<P>(toy_spec<P>("12"), {});
  EXPECT_EQ(verdict.ended, SearchEnd::complete) << verdict.sentence;
  EXPECT_FALSE(verdict.acyclic);
  EXPECT_GT(verdict.cyclic_states, 0u);
  EXPECT_FALSE(verdict.lasso);
  EXPECT_GT(verdict.rests, 0u);
}

TEST(Endless, RunInAgreementIsNoViolation) {
  using P = Pendulum<false, true>;
  const Verdict verdict = check<P>(toy_spec<P>("12"), {});
  EXPECT_EQ(verdict.ended, SearchEnd::complete) << verdict.sentence;
  EXPECT_FALSE(verdict.acyclic);
  EXPECT_TRUE(verdict.cycles_searched);
  EXPECT_EQ(verdict.rests, 0u);
  EXPECT_TRUE(verdict.agreed);
  // Three of them, where the word of the greatest does not reach all nodes.
  const Verdict line = check<P>(toy_spec<P>("12,23"), {});
  EXPECT_EQ(line.ended, SearchEnd::violation);
  EXPECT_TRUE(line.lasso);
  EXPECT_EQ(line.note, "");
}

TEST(Endless, CountingIsSeenOnlyWhereReadingsAreRanks) {
  Spec spec = toy_spec<Counter>("12");
  const Verdict ranks = check<Counter>(spec, {});
  ASSERT_EQ(ranks.ended, SearchEnd::violation);
  EXPECT_TRUE(ranks.lasso);
  EXPECT_LT(ranks.states, 100u);
  EXPECT_EQ(ranks.note, "");
  spec.clocks = ClockValues::exact;
  spec.max_states = 10'000;
  const Verdict exact = check<Counter>(spec, {});
  EXPECT_EQ(exact.ended, SearchEnd::states);
  EXPECT_GE(exact.states, 10'000u);
  EXPECT_FALSE(exact.lasso);
}

// Invariants.

TEST(Invariants, BrokenInAHandlerAreViolations) {
  Spec spec = toy_spec<Touchy>("empty:2");
  set_script(spec, "12,12,12");
  const auto expected = Oracle<Touchy>(spec, {}).run();
  ASSERT_TRUE(expected.broken);
  for (const auto order : {SearchOrder::breadth, SearchOrder::depth}) {
    spec.search = order;
    const Explored got = explore<Touchy>(spec, {});
    EXPECT_EQ(got.found.ended, SearchEnd::violation);
    EXPECT_EQ(got.found.breach.property, "invariant");
    EXPECT_EQ(got.found.breach.sentence, "nobody greets twice");
    if (order == SearchOrder::breadth) {
      EXPECT_EQ(got.found.path.size(), *expected.broken);
    }
  }
}

// Indistinguishable nodes.

/// As people write it on their first day: no `fields`.
struct Undescribed : Toy<Undescribed, core::NoTimer> {
  using Toy::Toy;
  static constexpr std::string_view name = "undescribed";
  static constexpr core::Facts facts = changing_facts;
  void start(Step& step) { step.broadcast(Word{id_}); }
  void receive(Step&, core::Port, const Word&) {}
};

TEST(Undescribed, IsRefusedInASentence) {
  try {
    check<Undescribed>(toy_spec<Undescribed>("complete:2"), {});
    FAIL() << "two nodes of which nobody knows what they hold";
  } catch (const core::Problem& problem) {
    EXPECT_STREQ(problem.what(),
                 "undescribed cannot be searched: its class has no `fields`, which say what a node "
                 "holds");
  }
}

// Limits.

TEST(Limits, StopTheSearchWithItsFigures) {
  Spec spec = toy_spec<Counter>("complete:3");
  spec.clocks = ClockValues::exact;
  spec.memory_limit = 20 << 20;
  const Verdict memory = check<Counter>(spec, {});
  EXPECT_EQ(memory.ended, SearchEnd::memory);
  EXPECT_GT(memory.states, 1000u);
  EXPECT_GT(memory.transitions, memory.states / 2);
  EXPECT_LE(memory.stored, spec.memory_limit);
  spec.memory_limit = std::uint64_t{1} << 30;
  for (const auto order : {SearchOrder::breadth, SearchOrder::depth}) {
    spec.search = order;
    spec.max_depth = 12;
    spec.max_states = 0;
    const Verdict depth = check<Counter>(spec, {});
    EXPECT_EQ(depth.ended, SearchEnd::depth);
    EXPECT_GE(depth.depth, 12u);
    spec.max_depth = 0;
    spec.max_states = 5000;
    for (const unsigned threads : {1u, 2u}) {
      spec.threads = threads;
      const Verdict states = check<Counter>(spec, {});
      EXPECT_EQ(states.ended, SearchEnd::states);
      EXPECT_GE(states.states, 5000u);
      EXPECT_LT(states.states, 100'000u);
    }
    spec.threads = 1;
  }
}

TEST(Limits, OfChannelsAreToldAndWhatLiesWithinIsSearched) {
  Spec spec = toy_spec<Chatter>("12");
  spec.transit = 3;
  const Verdict verdict = check<Chatter>(spec, {});
  EXPECT_EQ(verdict.ended, SearchEnd::transit);
  EXPECT_NE(verdict.note.find("more than 3 messages"), std::string::npos) << verdict.note;
  // Two nodes that have started or not, two channels with none to three messages. Before a node
  // has started nothing comes from it.
  EXPECT_EQ(verdict.states, 1 + 2 * 4 + 16u);
}

TEST(Limits, WhoeverWatchesMayStop) {
  Spec spec = toy_spec<Counter>("complete:3");
  spec.clocks = ClockValues::exact;
  int looks = 0;
  const Verdict verdict = check<Counter>(spec, [&](const SearchProgress& p) {
    EXPECT_GT(p.states, 0u);
    return ++looks < 5;
  });
  EXPECT_EQ(verdict.ended, SearchEnd::stopped);
  EXPECT_EQ(looks, 5);
}

}  // namespace
}  // namespace bellwether::check
