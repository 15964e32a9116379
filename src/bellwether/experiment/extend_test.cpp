// SPDX-License-Identifier: MIT
// Experiments that grow: what is there already is used again, and nothing else.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>

#include "bellwether/core/problem.hpp"
#include "bellwether/experiment/folder_test.hpp"
#include "bellwether/experiment/results.hpp"
#include "bellwether/experiment/sweep.hpp"

namespace bellwether::experiment {
namespace {

Experiment experiment(const std::string& matrix, const std::string& more = "",
                      const std::string& scenario = "") {
  return parse_experiment(
      "scenario = \"base.toml\"\n" + more + "[matrix]\n" + matrix + "\n", "e.toml",
      scenario::parse_scenario("algorithm = \"cel\"\n" + scenario, "base.toml"));
}

/// The same for any order of the axes.
std::string name_of(const Experiment& e, const GridPoint& point) {
  std::set<std::string> parts;
  for (std::size_t axis = 0; axis < point.size(); ++axis)
    parts.insert(e.axes[axis].name + '=' + label(e, point, axis));
  std::string out;
  for (const std::string& each : parts) out += each + ' ';
  return out;
}

/// A row says which point and seed it is of, so that one in the wrong place is seen.
Row made(const Experiment& e, const GridPoint& point, const Task& task) {
  Row row{task.point,
          task.seed,
          "deadline",
          name_of(e, point) + '#' + std::to_string(task.seed),
          std::vector<double>(columns().size(), std::numeric_limits<double>::quiet_NaN()),
          {}};
  for (std::size_t i = 0; i < e.series.size(); ++i) row.series = {{1.0, {0.5}}};
  return row;
}

/// How many runs are made so that the file has all of the experiment.
std::size_t completed(const std::string& path, const Experiment& e) {
  const std::vector<GridPoint> all = points(e);
  Store store(path, e, "1");
  Orders orders;
  orders.experiment = &e;
  orders.run = [&](const Task& task) { return std::optional(made(e, all[task.point], task)); };
  orders.found = store.found();
  orders.keep = [&](const Row& row) { store.append(row); };
  orders.on_progress = [](const SweepStatus&) { return true; };
  const SweepStatus status = sweep(orders);
  EXPECT_EQ(status.done, status.planned);
  return status.made;
}

std::vector<std::string> rows_in(const std::string& path) {
  std::vector<std::string> out;
  const Results results = read_results(path);
  for (const Row& row : results.rows) {
    const std::string name = name_of(results.experiment, results.points[row.point]);
    EXPECT_TRUE(row.fingerprint.starts_with(name + '#'))
        << row.fingerprint << " stands at " << name;
    out.push_back(std::to_string(row.point) + ": " + row.fingerprint + ", " +
                  std::to_string(row.series.size()));
  }
  return out;
}

/// First the one, then the other in the same file, is the other alone.
void grows(const Experiment& first, const Experiment& then, std::size_t missing) {
  const Folder folder;
  completed(folder / "grown.sqlite", first);
  EXPECT_EQ(completed(folder / "grown.sqlite", then), missing);
  completed(folder / "fresh.sqlite", then);
  EXPECT_EQ(rows_in(folder / "grown.sqlite"), rows_in(folder / "fresh.sqlite"));
  EXPECT_EQ(completed(folder / "grown.sqlite", then), 0u);
}

std::string refusal(const Experiment& first, const Experiment& then) {
  const Folder folder;
  completed(folder / "r.sqlite", first);
  const auto before = rows_in(folder / "r.sqlite");
  try {
    Store store(folder / "r.sqlite", then, "1");
  } catch (const core::Problem& problem) {
    EXPECT_EQ(rows_in(folder / "r.sqlite"), before) << "what is refused stays as it was";
    EXPECT_NE(problem.sentence().find("; name another file with --out"), std::string::npos);
    return problem.sentence();
  }
  return "";
}

TEST(Extended, ByValues) {
  const Experiment small = experiment("radio.range = [60, 90]\nnetwork.nodes = [4, 8]");
  grows(small, experiment("radio.range = [60, 75, 90]\nnetwork.nodes = [4, 8]"), 10);
  grows(small, experiment("radio.range = [60, 90, 100]\nnetwork.nodes = [4, 8]"), 10);
  grows(small, experiment("radio.range = [60, 90]\nnetwork.nodes = [2, 4, 8]"), 10);
  grows(small, experiment("radio.range = [90, 60]\nnetwork.nodes = [8, 2, 4]"), 10);
  grows(small, experiment("network.nodes = [4, 8]\nradio.range = [90, 60]"), 0);
}

TEST(Extended, ByVariantsRunsAndWhatIsDrawn) {
  const auto with = [](const std::string& more) {
    return experiment("network.nodes = [4, 8]\n" + more);
  };
  const std::string one = "[[variant]]\nlabel = \"a\"\nset = { algorithm = \"cel\" }\n";
  const std::string two = "[[variant]]\nlabel = \"b\"\nset = { algorithm = \"flooding\" }\n";
  grows(with(one), with(two + one), 10);
  grows(with(one), with(one + "[repeat]\nruns = 7\n"), 4);
  grows(with(one),
        with(one + "[[figure]]\nx = \"network.nodes\"\ny = \"messages\"\n[repeat]\nruns = 6\n"), 2);
  grows(with(one), with(one + "[[skip]]\nwhere = { network.nodes = 8 }\n"), 0);
  grows(with(one + "[[skip]]\nwhere = { network.nodes = 4 }\n"), with(one), 5);
}

TEST(Extended, KeepsTheSeries) {
  const std::string both = "series = [\"instability\"]\n";
  grows(experiment("network.nodes = [4, 8]", both), experiment("network.nodes = [2, 4, 8]", both),
        5);
  EXPECT_NE(refusal(experiment("network.nodes = [4]"), experiment("network.nodes = [4]", both))
                .find("did not keep instability over time"),
            std::string::npos);
}

TEST(Extended, WhatIsRemovedIsSetAsideAndComesBack) {
  const Folder folder;
  const std::string path = folder / "r.sqlite";
  const Experiment all = experiment("network.nodes = [2, 4, 8]");
  completed(path, all);
  const auto rows = rows_in(path);
  EXPECT_EQ(completed(path, experiment("network.nodes = [8]")), 0u);
  EXPECT_EQ(rows_in(path).size(), 5u);
  EXPECT_EQ(completed(path, experiment("network.nodes = [3, 8]")), 5u);
  EXPECT_EQ(completed(path, all), 0u);
  EXPECT_EQ(rows_in(path), rows);
}

/// A label that means something else when it comes back gets runs of its own.
TEST(Extended, WhatWasSetAsideComesBackOnlyIfItMeansTheSame) {
  const auto with = [](const std::string& nodes) {
    return experiment(
        "channel.mean = [\"1 ms\"]\n[[variant]]\nlabel = \"a\"\n[[variant]]\nlabel = "
        "\"b\"\nset = { network.nodes = " +
        nodes + " }");
  };
  const Folder folder;
  const std::string path = folder / "r.sqlite";
  completed(path, with("3"));
  completed(path, experiment("channel.mean = [\"1 ms\"]\n[[variant]]\nlabel = \"a\""));
  EXPECT_EQ(completed(path, with("4")), 5u);
  EXPECT_EQ(rows_in(path).size(), 10u);
  EXPECT_NE(refusal(with("3"), with("4")).find("network.nodes was 3 and is 4 now"),
            std::string::npos);
}

TEST(Extended, WhatWouldChangeRowsIsRefusedWithTheDifference) {
  const std::string matrix = "network.nodes = [4, 8]";
  const Experiment e = experiment(matrix);
  const auto says = [&](const Experiment& other, const std::string& sentence) {
    const std::string said = refusal(e, other);
    EXPECT_NE(said.find(sentence), std::string::npos) << said;
  };
  says(experiment(matrix, "", "[channel]\nmean = \"2 ms\"\n"), "channel.mean was ");
  says(experiment(matrix, "set = { channel.loss = 0.5 }\n"), "channel.loss was 0 and is 0.5 now");
  Experiment overridden = e;
  overridden.overrides = {{"channel.loss", "0.25"}};
  says(overridden, "channel.loss was 0 and is 0.25 now");
  says(experiment(matrix, "set = { options.rho = 0.5 }\n"), "options.rho was not given and is 0.5");
  says(experiment(matrix + "\nchannel.loss = [0, 0.5]"),
       "they have no value on the axis channel.loss, which is new");
  says(experiment("channel.loss = [0, 0.5]"), "no value on the axis channel.loss");
  says(experiment("network.nodes = [5, 6]"), "no run in it is of a point of this one");
}

/// The scenario of a point without rows may change, and so may all of an experiment without any.
TEST(Extended, OnlyRowsCount) {
  const Folder folder;
  const std::string path = folder / "r.sqlite";
  { Store store(path, experiment("network.nodes = [4, 8]"), "1"); }
  const Experiment other = experiment("channel.loss = [0, 0.5]", "series = [\"instability\"]\n");
  EXPECT_EQ(completed(path, other), 10u);
  EXPECT_EQ(rows_in(path).size(), 10u);
  {
    const Experiment failed = experiment(
        "[[variant]]\nlabel = \"a\"\n[[variant]]\nlabel = \"b\"\nset = { "
        "network.nodes = 0 }");
    Store store(folder / "f.sqlite", failed, "1");
    store.append(made(failed, points(failed)[0], {0, 1}));
  }
  const Experiment corrected = experiment(
      "[[variant]]\nlabel = \"a\"\n[[variant]]\nlabel = \"b\"\nset = { network.nodes = 5 }");
  EXPECT_EQ(completed(folder / "f.sqlite", corrected), 9u);
}

TEST(Store, LeavesNothingBehindWhereItCannotBegin) {
  const Folder folder;
  std::filesystem::create_directory(folder / "r.csv");
  EXPECT_THROW(Store(folder / "r.sqlite", experiment("network.nodes = [4]"), "1"), core::Problem);
  EXPECT_FALSE(std::filesystem::exists(folder / "r.sqlite"));
  EXPECT_FALSE(std::filesystem::exists(folder / "r.csv.part"));
  for (const char* path : {"/dev/full", "/dev/null", "/tmp"}) {
    EXPECT_THROW(Store(path, experiment("network.nodes = [4]"), "1"), core::Problem) << path;
    EXPECT_THROW(read_results(path), core::Problem) << path;
  }
}

/// As a killed sweep leaves it: the journal of another connection lies beside the file.
TEST(Store, AKilledSweepsJournalIsTakenInByWhoReads) {
  const Folder folder;
  const Experiment e = experiment("network.nodes = [4]");
  const auto copy = [&](const char* more) {
    std::filesystem::copy_file(folder / ("r.sqlite" + std::string(more)).c_str(),
                               folder / ("killed.sqlite" + std::string(more)).c_str());
  };
  {
    Store store(folder / "r.sqlite", e, "1");
    store.append(made(e, points(e)[0], {0, 1}));
    copy("");
    copy("-wal");
    // While another process writes, reading leaves the journal where it is.
    EXPECT_EQ(read_results(folder / "r.sqlite").rows.size(), 1u);
    store.append(made(e, points(e)[0], {0, 2}));
    EXPECT_EQ(read_results(folder / "r.sqlite").rows.size(), 2u);
  }
  EXPECT_EQ(read_results(folder / "killed.sqlite").rows.size(), 1u);
  EXPECT_FALSE(std::filesystem::exists(folder / "killed.sqlite-wal"));
  EXPECT_FALSE(std::filesystem::exists(folder / "killed.sqlite-shm"));
}

}  // namespace
}  // namespace bellwether::experiment
