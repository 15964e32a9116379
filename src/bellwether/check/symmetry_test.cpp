// SPDX-License-Identifier: MIT
// States that differ in names only; 64 bits of a state; random walks.
#include <gtest/gtest.h>

#include "bellwether/check/explore_test.hpp"
#include "bellwether/check/toys_test.hpp"

namespace bellwether::check {
namespace {

TEST(Compaction, StatesWhatItMayHaveMissed) {
  Spec spec = toy_spec<Follower>("complete:3");
  spec.from = From::cold;
  const Explored whole = explore<Follower>(spec, {});
  spec.compact = true;
  const Explored compact = explore<Follower>(spec, {});
  EXPECT_EQ(compact.found.ended, SearchEnd::complete);
  EXPECT_EQ(compact.found.states, whole.found.states);
  EXPECT_EQ(compact.outcomes, whole.outcomes);
  EXPECT_EQ(whole.found.omission, 0);
  EXPECT_GT(compact.found.omission, 0);
  EXPECT_LT(compact.found.omission, 1e-6);
  EXPECT_FALSE(compact.found.cycles_searched);
}

TEST(Walks, WithOneSeedAreTheSame) {
  Spec spec = toy_spec<Follower>("complete:4");
  spec.from = From::cold;
  spec.walks = 50;
  std::set<std::string> notes;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    spec.seed = seed;
    const Verdict one = check<Follower>(spec, {});
    const Verdict two = check<Follower>(spec, {});
    ASSERT_EQ(one.ended, SearchEnd::violation);
    EXPECT_EQ(one.sentence, two.sentence);
    EXPECT_EQ(one.states, two.states);
    EXPECT_EQ(one.trace.steps, two.trace.steps);
    notes.insert(one.note + one.sentence);
    // The walk's own note is there; that real nodes went another way is not.
    EXPECT_EQ(one.note.find("defect"), std::string::npos) << one.note;
  }
  EXPECT_GT(notes.size(), 1u);
}

// Symmetry.

/// A text with nodes renamed as digits, lines in the order of their ids.
std::string renamed(const std::string& text, const std::vector<NodeIndex>& to) {
  std::vector<std::string> lines(to.size());
  std::size_t node = 0;
  std::string line;
  for (const char c : text) {
    if (c >= '1' && c < static_cast<char>('1' + to.size()))
      line += static_cast<char>('1' + to[static_cast<std::size_t>(c - '1')]);
    else
      line += c;
    if (c == '\n') lines[to[node++]] = std::exchange(line, {});
  }
  std::string out;
  for (const std::string& each : lines) out += each;
  // A set of names is in order.
  for (std::size_t open = 0; (open = out.find('{', open)) != out.npos; ++open) {
    std::string names;
    const std::size_t close = out.find('}', open);
    for (std::size_t i = open; i < close; ++i)
      if (out[i] >= '1' && out[i] <= '9') names += out[i];
    std::sort(names.begin(), names.end());
    for (std::size_t i = open, next = 0; i < close; ++i)
      if (out[i] >= '1' && out[i] <= '9') out[i] = names[next++];
  }
  return out;
}

TEST(Symmetry, LosesNothingButNames) {
  for (const char* graph : {"complete:2", "complete:3", "line:3", "line:4"})
    for (const auto order : {ChannelOrder::fifo, ChannelOrder::unordered})
      for (const unsigned changes : {0u, 1u}) {
        SCOPED_TRACE(std::string(graph) + " " + std::to_string(changes));
        Spec spec = toy_spec<Follower>(graph);
        if (spec.nodes > 2 && changes > 0) continue;
        if (spec.nodes == 4 && order == ChannelOrder::unordered) continue;
        spec.from = From::cold;
        spec.order = order;
        spec.changes = changes;
        const Plan plan(spec, false);
        const auto group = symmetries_of(plan);
        EXPECT_GT(group.size(), 1u);
        const Explored full = explore<Follower>(spec, {});
        const auto expected = Oracle<Follower>(spec, {}).run();
        EXPECT_EQ(full.found.states, expected.states);
        const auto classes = [&](const std::set<std::string>& all) {
          std::set<std::string> out;
          for (const std::string& each : all) {
            std::string least = each;
            for (const auto& to : group) least = std::min(least, renamed(each, to));
            out.insert(least);
          }
          return out;
        };
        Spec twins = spec;
        twins.symmetry = true;
        for (const bool reduce : {false, true})
          for (const unsigned threads : {1u, 2u}) {
            twins.reduce = reduce;
            twins.threads = threads;
            const Explored less = explore<Follower>(twins, {});
            EXPECT_EQ(less.found.ended, SearchEnd::complete);
            if (!reduce) {
              EXPECT_LT(less.found.states, full.found.states);
              EXPECT_GE(less.found.states * group.size(), full.found.states);
            }
            EXPECT_EQ(classes(less.outcomes), classes(full.outcomes));
          }
        // The verdict, and how far away the nearest violation is.
        const Verdict plain = check<Follower>(spec, {});
        twins.reduce = false;
        twins.threads = 1;
        const Verdict twin = check<Follower>(twins, {});
        EXPECT_EQ(plain.ended, twin.ended);
        EXPECT_EQ(plain.ended == SearchEnd::violation, expected.violation.has_value());
        EXPECT_EQ(plain.actions, twin.actions);
        EXPECT_EQ(twin.symmetries, group.size());
        EXPECT_EQ(twin.note, "");
        if (expected.violation) {
          EXPECT_EQ(plain.actions, *expected.violation);
        }
      }
}

}  // namespace
}  // namespace bellwether::check
