// SPDX-License-Identifier: MIT
// Every algorithm that reacts to messages, from a cold start on every connected network of up to
// four nodes that its model allows: whatever the order of things, it elects.
#include <gtest/gtest.h>

#include "check/searches.hpp"

namespace bellwether::searches {
namespace {

struct Row {
  const char* algorithm;
  core::NodeIndex most;  // nodes
  std::vector<std::string> properties;
  check::ClockValues clocks = check::ClockValues::rank;
};

void PrintTo(const Row& row, std::ostream* out) {
  *out << row.algorithm;
}

const std::vector<Row> rows{
    {"bully", 4, {"agreement"}},
    {"cel", 3, {"agreement", "best-leader"}},
    {"cel-2", 3, {"agreement", "best-leader"}},
    {"chang-roberts", 4, {"agreement", "message-bound"}},
    {"flooding", 3, {"agreement"}},
    {"gomez-calzado", 1, {"agreement"}},
    {"height", 3, {"agreement"}, check::ClockValues::exact},
    {"lelann", 4, {"agreement", "message-bound"}},
    {"topology-aware", 3, {"agreement", "best-leader"}},
    {"topology-aware-2", 2, {"agreement", "best-leader"}},
    {"vasudevan", 3, {"agreement"}},
};

class EveryNetwork : public testing::TestWithParam<Row> {};

TEST_P(EveryNetwork, ElectsFromACold) {
  const Row& row = GetParam();
  std::uint64_t states = 0;
  for (core::NodeIndex n = 1; n <= row.most; ++n) {
    SCOPED_TRACE(n);
    Spec spec = on_all(row.algorithm, n, true);
    spec.from = From::cold;
    spec.properties = row.properties;
    spec.clocks = row.clocks;
    const Verdict verdict = search(spec);
    EXPECT_EQ(verdict.ended, Ended::complete) << verdict.sentence << verdict.note;
    EXPECT_TRUE(verdict.agreed);
    states += verdict.states;
  }
  std::printf("  %s: %llu states\n", row.algorithm, static_cast<unsigned long long>(states));
  EXPECT_GT(states, row.most);
}

INSTANTIATE_TEST_SUITE_P(All, EveryNetwork, testing::ValuesIn(rows), [](const auto& row) {
  std::string name = row.param.algorithm;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Catalogue, EveryAlgorithmWithoutRoundsIsSearched) {
  for (const auto& entry : catalogue::entries(catalogue::AllProtocols{})) {
    const bool listed = std::any_of(rows.begin(), rows.end(),
                                    [&](const Row& row) { return row.algorithm == entry.name; });
    EXPECT_EQ(listed, !entry.rounds) << entry.name;
  }
}

}  // namespace
}  // namespace bellwether::searches
