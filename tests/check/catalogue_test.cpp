// SPDX-License-Identifier: MIT
// Every algorithm, on every connected network of up to four nodes that its model allows (five for
// those in rounds): whatever the order of things, it elects. From a cold start as far as spaces are
// small enough, and through a change of one link for those that tolerate it.
#include <gtest/gtest.h>

#include "check/searches.hpp"

namespace bellwether::searches {
namespace {

struct Row {
  const char* algorithm;
  core::NodeIndex cold;     // nodes, from a cold start
  core::NodeIndex changed;  // nodes, settled, when one link changes; 0: links may not change
  std::vector<std::string> properties;
  check::ClockValues clocks = check::ClockValues::rank;
  void (*adjust)(Spec&) = nullptr;
};

// Beats never stop: where both ends are notified at once and channels are FIFO, four nodes are few
// enough.
void fifo_instant(Spec& spec) {
  spec.order = ChannelOrder::fifo;
  spec.notify = Notify::instant;
}
void remoteness_one(Spec& spec) {
  spec.options = {{"remoteness", "1"}};
}
void whole_periods(Spec& spec) {
  spec.options = whole_periods_of_gomez_calzado;
  spec.delay = std::chrono::milliseconds(50);
  fifo_instant(spec);
}

void slow_beats(Spec& spec) {
  spec.options = whole_periods_of_drumbeat;
}

void PrintTo(const Row& row, std::ostream* out) {
  *out << row.algorithm;
}

void in_order(Spec& spec) {
  spec.order = ChannelOrder::fifo;
}
// Lots may be drawn again and again: to the greatest depth feasible.
void two_lots(Spec& spec) {
  spec.one_way = spec.nodes > 2;
  spec.options = {{"choices", "2"}};
  spec.max_depth = 40;
  spec.cycles = false;
  in_order(spec);
}

const std::vector<Row> rows{
    {"afek-gafni", 5, 0, {"agreement", "message-bound"}},
    {"afek-gafni-sync", 5, 0, {"agreement"}},
    {"alternate", 5, 0, {"agreement", "message-bound"}},
    {"bfs-tree", 5, 0, {"agreement"}},
    {"bfs-tree-async", 4, 0, {"agreement"}},
    {"bully", 4, 0, {"agreement"}},
    {"cel", 3, 4, {"agreement", "best-leader"}},
    {"cel-2", 3, 4, {"agreement", "best-leader"}},
    {"central-hierarchy",
     3,
     3,
     {"agreement", "best-leader"},
     check::ClockValues::rank,
     remoteness_one},
    {"chang-roberts", 4, 0, {"agreement", "message-bound"}},
    {"clockwise", 4, 0, {"agreement", "message-bound"}},
    {"clockwise-sync", 5, 0, {"agreement"}},
    {"dolev-klawe-rodeh", 5, 0, {"agreement", "message-bound"}},
    {"drumbeat", 2, 2, {"agreement"}, check::ClockValues::rank, slow_beats},
    {"echo-extinction", 3, 0, {"agreement", "message-bound"}},
    {"flood-max", 5, 0, {"agreement"}},
    {"flooding", 3, 4, {"agreement"}, check::ClockValues::rank, fifo_instant},
    {"franklin", 4, 0, {"agreement", "message-bound"}},
    {"frederickson-lynch", 5, 0, {"agreement"}},
    {"ghs", 4, 0, {"agreement", "message-bound"}},
    {"gomez-calzado", 2, 3, {"agreement"}, check::ClockValues::rank, whole_periods},
    {"height", 3, 4, {"agreement"}, check::ClockValues::exact},
    {"hierarchy", 3, 3, {"agreement"}, check::ClockValues::exact, remoteness_one},
    {"higham-przytycka", 5, 0, {"agreement", "message-bound"}},
    {"hirschberg-sinclair",
     4,
     0,
     {"agreement", "message-bound"},
     check::ClockValues::rank,
     in_order},
    {"humblet", 5, 0, {"agreement", "message-bound"}},
    {"itai-rodeh", 3, 0, {"agreement"}, check::ClockValues::rank, two_lots},
    {"korach-moran-zaks", 5, 0, {"agreement", "message-bound"}},
    {"lelann", 4, 0, {"agreement", "message-bound"}},
    {"opt-flood-max", 5, 0, {"agreement"}},
    {"peleg", 5, 0, {"agreement"}},
    {"peterson", 5, 0, {"agreement", "message-bound"}},
    {"time-slice", 5, 0, {"agreement"}},
    {"topology-aware", 3, 4, {"agreement", "best-leader"}},
    {"topology-aware-2", 2, 4, {"agreement", "best-leader"}},
    {"vasudevan", 3, 4, {"agreement"}},
    {"vector-hierarchy", 3, 3, {"agreement"}, check::ClockValues::exact, remoteness_one},
};

/// Where runs may have no end, the search ends at its depth limit.
SearchEnd end_of(const Spec& spec) {
  return spec.max_depth > 0 && spec.nodes > 1 ? SearchEnd::depth : SearchEnd::complete;
}

/// Two nodes and one link are a ring where messages go one way only.
bool needs_three(const std::string& algorithm) {
  const core::Model& model = model_of(algorithm);
  return model.shape == core::Shape::ring && !model.tolerates_one_way;
}

class EveryNetwork : public testing::TestWithParam<Row> {
 protected:
  /// Every connected network of up to `most` nodes.
  template <class Adjust>
  static void holds(core::NodeIndex most, Adjust&& adjust) {
    const Row& row = GetParam();
    std::uint64_t states = 0;
    for (core::NodeIndex n = 1; n <= most; ++n) {
      SCOPED_TRACE(n);
      if (n == 2 && needs_three(row.algorithm)) continue;
      Spec spec = on_all(row.algorithm, n, true);
      spec.properties = row.properties;
      spec.clocks = row.clocks;
      if (row.adjust) row.adjust(spec);
      adjust(spec);
      const Verdict verdict = search(spec);
      EXPECT_EQ(verdict.ended, end_of(spec)) << verdict.sentence << verdict.note;
      EXPECT_TRUE(verdict.agreed);
      states += verdict.states;
    }
    std::printf("  %s: %llu states\n", row.algorithm, static_cast<unsigned long long>(states));
    EXPECT_GT(states, most);
  }
};

TEST_P(EveryNetwork, ElectsFromACold) {
  holds(GetParam().cold, [](Spec& spec) { spec.from = From::cold; });
}

class EveryChangingNetwork : public EveryNetwork {};

TEST_P(EveryChangingNetwork, ElectsAnewWhenALinkChanges) {
  holds(GetParam().changed, [](Spec& spec) { spec.changes = 1; });
}

std::string test_name(const testing::TestParamInfo<Row>& row) {
  std::string name = row.param.algorithm;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
std::vector<Row> changing() {
  std::vector<Row> out = rows;
  std::erase_if(out, [](const Row& row) { return row.changed == 0; });
  return out;
}
INSTANTIATE_TEST_SUITE_P(All, EveryNetwork, testing::ValuesIn(rows), test_name);
INSTANTIATE_TEST_SUITE_P(All, EveryChangingNetwork, testing::ValuesIn(changing()), test_name);

// A property that remembers and does not say so would mix up the runs of a search.
TEST_P(EveryNetwork, HasTheAlgorithmsOwnProperties) {
  Spec spec = on_all(GetParam().algorithm, 3, true);
  if (GetParam().adjust) GetParam().adjust(spec);
  spec.properties = {"all"};
  if (GetParam().changed > 0) spec.changes = 1;
  // Beat numbers grow without bound, and properties see the real numbers.
  if (std::set<std::string>{"drumbeat", "flooding", "gomez-calzado", "vasudevan"}.contains(
          spec.algorithm))
    spec.walks = 200;
  const Verdict verdict = search(spec);
  EXPECT_EQ(verdict.ended, end_of(spec)) << verdict.property << ": " << verdict.sentence;
}

TEST(Catalogue, DrumbeatLosesNothingByForgetting) {
  Spec spec = on("drumbeat", "line:2");
  slow_beats(spec);
  spec.changes = 1;
  const Verdict forgetful = search(spec);
  spec.forget = false;
  const Verdict all = search(spec);
  EXPECT_EQ(forgetful.ended, SearchEnd::complete) << forgetful.sentence;
  EXPECT_EQ(all.ended, SearchEnd::complete) << all.sentence;
  EXPECT_LT(forgetful.states, all.states);
}

TEST(Catalogue, BullyBearsACrash) {
  Spec spec = on("bully", "complete:4");
  spec.crashes = spec.restarts = 1;
  fifo_instant(spec);
  const Verdict verdict = search(spec);
  EXPECT_EQ(verdict.ended, SearchEnd::complete) << verdict.sentence;
  EXPECT_GT(verdict.states, 100u);
}

TEST(Catalogue, GomezCalzadoStaysWithItsLeader) {  // four nodes, settled, endless beats
  Spec spec = on_all("gomez-calzado", 4, true);
  whole_periods(spec);
  const Verdict verdict = search(spec);
  EXPECT_EQ(verdict.ended, SearchEnd::complete) << verdict.sentence;
  EXPECT_GT(verdict.states, 1000u);
}

/// In complete:n the ports of a node lead round the circle, which hides much: other orders.
TEST(Catalogue, CompleteNetworksWithPortsInAnyOrder) {
  for (const char* algorithm : {"afek-gafni", "humblet", "korach-moran-zaks"})
    for (const char* graph : {"12,13,32", "12,23,13", "21,32,13", "42,34,13,12,23,41",
                              "13,12,23,24,14,34", "24,12,23,14,34,13"}) {
      Spec spec = on(algorithm, graph);
      spec.properties = {"all", "message-bound"};
      const Verdict verdict = search(spec);
      EXPECT_EQ(verdict.ended, SearchEnd::complete) << algorithm << graph << verdict.sentence;
    }
}

TEST(Catalogue, EveryAlgorithmIsSearched) {
  for (const auto& entry : catalogue::all()) {
    const bool listed = std::any_of(rows.begin(), rows.end(),
                                    [&](const Row& row) { return row.algorithm == entry.name; });
    EXPECT_TRUE(listed) << entry.name;
  }
}

}  // namespace
}  // namespace bellwether::searches
