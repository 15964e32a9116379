// SPDX-License-Identifier: MIT
// A table of fingerprints: every scenario, a few seeds and variations. A changed fingerprint means
// that a run does something else than before; if that is intended, `make fingerprints` writes the
// table anew. Every row is run twice, so that a run that is not deterministic is noticed, too.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/sim/simulate.hpp"

namespace {

using namespace bellwether;
const std::filesystem::path root = BELLWETHER_SOURCE_DIR;
const std::filesystem::path table = root / "tests" / "fingerprints" / "table.csv";

struct Row {
  std::string scenario, settings, fingerprint, events, messages;
};

std::vector<Row> read_table() {
  std::vector<Row> rows;
  std::ifstream in(table);
  std::string line;
  std::getline(in, line);  // the heading
  while (std::getline(in, line)) {
    if (line.empty()) continue;
    std::istringstream cells(line);
    Row row;
    std::getline(cells, row.scenario, ',');
    std::getline(cells, row.settings, ',');
    std::getline(cells, row.fingerprint, ',');
    std::getline(cells, row.events, ',');
    std::getline(cells, row.messages, ',');
    rows.push_back(row);
  }
  return rows;
}

Row measured(const Row& row) {
  auto scenario = scenario::read_scenario(root / "scenarios" / (row.scenario + ".toml"));
  std::istringstream settings(row.settings);
  for (std::string each; settings >> each;) scenario::set_key(scenario, each);
  scenario::validate(scenario);
  const auto report = sim::simulate(catalogue::algorithm(scenario.algorithm), scenario, {});
  return {row.scenario, row.settings, report.fingerprint, std::to_string(report.events),
          std::to_string(report.messages)};
}

TEST(Fingerprints, AreThoseOfTheTable) {
  const auto rows = read_table();
  ASSERT_GE(rows.size(), 20u);
  for (const Row& row : rows) {
    const Row first = measured(row);
    const Row second = measured(row);
    const std::string what = row.scenario + " " + row.settings;
    EXPECT_EQ(first.fingerprint, second.fingerprint) << what << " is not deterministic";
    EXPECT_EQ(first.fingerprint, row.fingerprint) << what;
    EXPECT_EQ(first.events, row.events) << what;
    EXPECT_EQ(first.messages, row.messages) << what;
  }
}

TEST(Fingerprints, DifferentSeedsDiffer) {
  Row row{"dynamic-network", "seed=1", "", "", ""};
  const auto one = measured(row).fingerprint;
  row.settings = "seed=2";
  EXPECT_NE(measured(row).fingerprint, one);
}

TEST(Fingerprints, WatchingAndTracingChangeNothing) {
  struct Nothing final : observe::Observer {
    void step(const observe::StepRecord&) override {}
  } nothing;
  auto scenario = scenario::read_scenario(root / "scenarios" / "partition-heals.toml");
  const core::Algorithm& height = catalogue::algorithm("height");
  const auto watched = sim::simulate(height, scenario, {{&nothing}, {}});
  scenario.properties.clear();
  EXPECT_EQ(sim::simulate(height, scenario, {}).fingerprint, watched.fingerprint);
  // The plain path and the general one do the same.
  scenario = scenario::read_scenario(root / "scenarios" / "first-election.toml");
  scenario::set_key(scenario, "channel.delay=constant");
  const core::Algorithm& ring = catalogue::algorithm("chang-roberts");
  const auto plain = sim::simulate(ring, scenario, {});
  const auto general = sim::simulate(ring, scenario, {{&nothing}, {}});
  EXPECT_EQ(plain.fingerprint, general.fingerprint);
  EXPECT_EQ(plain.bytes, general.bytes);
}

void write_table() {
  std::vector<Row> rows;
  for (const Row& row : read_table()) rows.push_back(measured(row));
  std::ofstream out(table);
  out << "scenario,settings,fingerprint,events,messages\n";
  for (const Row& row : rows)
    out << row.scenario << ',' << row.settings << ',' << row.fingerprint << ',' << row.events << ','
        << row.messages << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "--write") {
    write_table();
    std::cout << "wrote " << table.filename() << '\n';
    return 0;
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
