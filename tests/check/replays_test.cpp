// SPDX-License-Identifier: MIT
// Whatever random walks find to go wrong, with faults of every kind, goes wrong in the simulator in
// the same steps.
#include <map>

#include "bellwether/core/prng.hpp"
#include "check/replayed.hpp"

namespace bellwether::searches {
namespace {

TEST(Replays, OfWhatWalksFindTakeTheSameSteps) {
  unsigned violations = 0;
  std::map<check::ActionKind, unsigned> kinds;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    core::Prng prng = core::stream(seed, "replays", 0);
    const bool cel = prng.below(2) == 0;
    const std::array graphs{"12,23", "12,13,23", "line:4", "ring:4", "empty:3"};
    Spec spec = on(cel ? "cel" : "topology-aware", graphs[prng.below(graphs.size())]);
    spec.notify = static_cast<Notify>(prng.below(3));
    spec.order = static_cast<ChannelOrder>(prng.below(2));
    spec.from = static_cast<From>(prng.below(2));
    spec.changes = static_cast<unsigned>(prng.below(4));
    spec.crashes = static_cast<unsigned>(prng.below(3));
    spec.restarts = static_cast<unsigned>(prng.below(3));
    spec.memory = prng.below(2) == 0;
    spec.losses = static_cast<unsigned>(prng.below(3));
    spec.duplicates = static_cast<unsigned>(prng.below(3));
    spec.beyond_model = true;
    spec.walks = 20;
    spec.walk_steps = 300;
    spec.seed = seed;
    const Verdict verdict = search(spec);
    if (verdict.ended != SearchEnd::violation) continue;
    ++violations;
    std::string story =
        "seed " + std::to_string(seed) + ": " + spec.algorithm + ", " +
        (spec.from == From::cold ? "cold, " : "settled, ") + (spec.memory ? "memory, " : "") +
        std::string(check::names_of(spec.notify)[static_cast<std::size_t>(spec.notify)]);
    for (const auto& told : verdict.narration) story += "\n  " + told.what;
    SCOPED_TRACE(story + "\n  " + verdict.sentence);
    for (const auto& told : verdict.narration) {
      if (told.what.find("crashes") != told.what.npos) ++kinds[check::ActionKind::crash];
      if (told.what.find("restarts") != told.what.npos) ++kinds[check::ActionKind::restart];
      if (told.what.ends_with(" is lost")) ++kinds[check::ActionKind::lose];
      if (told.what.find("a duplicate") != told.what.npos) ++kinds[check::ActionKind::duplicate];
      if (told.what.find("goes down") != told.what.npos) ++kinds[check::ActionKind::flip];
    }
    const observe::RunReport report = replayed(spec, verdict, true);
    EXPECT_EQ(report.ended, observe::Ended::violation);
    EXPECT_TRUE(report.violation.starts_with("agreement")) << report.violation;
  }
  EXPECT_GT(violations, 50u);
  std::printf("  %u violations\n", violations);
  for (const auto kind : {check::ActionKind::crash, check::ActionKind::restart,
                          check::ActionKind::lose, check::ActionKind::flip})
    EXPECT_GT(kinds[kind], 5u) << static_cast<int>(kind);
}

TEST(Replays, OfARunWithoutEndGoOnceRound) {
  Spec spec = on("vasudevan", "line:2");
  spec.crashes = spec.restarts = 1;
  spec.losses = 2;
  spec.beyond_model = true;
  const Verdict verdict = search(spec);
  ASSERT_EQ(verdict.ended, SearchEnd::violation);
  ASSERT_TRUE(verdict.lasso.has_value());
  EXPECT_LT(*verdict.lasso, verdict.trace.steps.size());
  const observe::RunReport report = replayed(spec, verdict);
  // It never becomes quiescent, so that the simulator reports no violation.
  EXPECT_NE(report.ended, observe::Ended::violation);
}

}  // namespace
}  // namespace bellwether::searches
