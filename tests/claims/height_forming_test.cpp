// SPDX-License-Identifier: MIT
// Properties F, G and H speak of searches that begin after the last change. Their proofs take every
// link for known at both ends by then, but the first update of a new link may still be on its way.
// If it arrives late, property G is false as printed: a node has reflected a search as a dead end,
// and then gets a neighbour that takes no part in it. Theorem 1 is none the worse for it.
#include "claims/height_story.hpp"

namespace bellwether::claims {
namespace {

/// Notices a node that holds a reflected search beside a neighbour that leads it and, being the
/// leader, never takes part in any search.
class DeadEndBesideTheLeader final : public core::Monitor<Height> {
 public:
  explicit DeadEndBesideTheLeader(bool& seen) : seen_(seen) {}
  std::string_view name() const override { return "dead-end"; }
  std::string_view says() const override { return "looks for a dead end that is none"; }
  void after(const core::Snapshot<Height>& all, const core::Happening& event) override {
    const Height& node = all.node(event.node);
    for (const auto& channel : all.channels(event.node))
      if (const HeightTuple* view = node.view(channel.port))
        seen_ = seen_ || (node.height().rl.r == 1 && view->lp == node.height().lp &&
                          view->lp.lid == view->id);
  }

 private:
  bool& seen_;
};

struct Outcome {
  int false_dead_ends = 0;
  int elections = 0;  // runs in which the leader changed
};

/// Leader 1 - 2 - 3. A link 1 - 3 comes up, and `pause` later the link 1 - 2 fails.
Outcome join_then_cut(Duration pause) {
  Outcome outcome;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Play play;
    play.scenario.seed = seed;
    random_delays(play.scenario);
    play.network = {3, {{0, 1}, {1, 2}}, graph::Direction::both_ways, {}, {}};
    play.join(seconds(100), 0, 2);
    play.cut(seconds(100) + pause, 0, 1);
    bool seen = false;
    const auto simulation = staged<Height>(play, {.clock = Height::ClockKind::perfect});
    simulation->watch(watched(false));
    simulation->watch(std::make_unique<DeadEndBesideTheLeader>(seen));
    const RunReport report = simulation->run();
    expect_theorem1(*simulation, report);
    outcome.false_dead_ends += seen ? 1 : 0;
    outcome.elections += report.leaders.at(0).leader != NodeId{1} ? 1 : 0;
  }
  return outcome;
}

TEST(HeightForming, ASearchMayBeReflectedBesideALinkThatIsStillForming) {
  const Outcome forming = join_then_cut(std::chrono::microseconds(500));
  EXPECT_GT(forming.false_dead_ends, 0);
  EXPECT_GE(forming.elections, forming.false_dead_ends);  // for nothing: 2 - 3 - 1 was there
  EXPECT_LT(forming.elections, 100);                      // most updates come in time
}

TEST(HeightForming, FormedLinksAreFoundByTheSearch) {
  const Outcome formed = join_then_cut(seconds(1));
  EXPECT_EQ(formed.false_dead_ends, 0);
  EXPECT_EQ(formed.elections, 0);
}

}  // namespace
}  // namespace bellwether::claims
