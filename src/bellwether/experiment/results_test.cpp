// SPDX-License-Identifier: MIT
#include "bellwether/experiment/results.hpp"
#include "bellwether/core/problem.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>

#include "bellwether/experiment/folder_test.hpp"
#include "bellwether/experiment/statistics.hpp"

namespace bellwether::experiment {
namespace {

namespace fs = std::filesystem;
constexpr double none = std::numeric_limits<double>::quiet_NaN();

Experiment experiment(const std::string& more = "") {
  return parse_experiment(
      "scenario = \"base.toml\"\nseries = [\"instability\"]\n" + more +
          "[matrix]\nalgorithm = [\"cel\", \"flooding\"]\n",
      "e.toml",
      scenario::parse_scenario("algorithm = \"cel\"\n[network]\nnodes = 8\n", "base.toml"));
}

Row row(std::uint32_t point, std::uint64_t seed, double instability) {
  Row out{point, seed, "deadline", "0123456789abcdef", std::vector<double>(columns().size(), none),
          {}};
  out.values[column("instability")] = instability;
  out.series = {{1.0, {0.5}}, {2.0, {none}}};
  return out;
}

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void expect_equal(const Row& a, const Row& b) {
  EXPECT_EQ(pack(a), pack(b)) << "byte by byte, so that what is no number is compared, too";
}

TEST(Rows, ArePackedAndUnpacked) {
  const Row one = row(1, 7, 0.1);
  expect_equal(unpack(pack(one)), one);
  const std::string bytes = pack(one);
  for (std::size_t cut = 0; cut < bytes.size(); cut += 5)
    EXPECT_THROW(unpack(bytes.substr(0, cut)), std::invalid_argument) << cut;
  EXPECT_THROW(unpack(bytes + 'x'), std::invalid_argument);
}

TEST(Rows, AreMadeOfAReport) {
  observe::RunReport report;
  report.seed = 5;
  report.nodes = 3;
  report.agreed = true;
  report.metrics = {{"instability", 0.25}, {"an unknown name", 1}};
  report.series = observe::Series{std::chrono::seconds(1), {"time_s", "instability"}, {{1, 0.5}}};
  const std::vector<std::string> kept{"instability", "live_nodes"};
  const Row made = make_row(2, report, kept);
  EXPECT_EQ(made.values[column("nodes")], 3);
  EXPECT_EQ(made.values[column("agreed")], 1);
  EXPECT_EQ(made.values[column("instability")], 0.25);
  EXPECT_TRUE(std::isnan(made.values[column("energy_mean_j")]));
  ASSERT_EQ(made.series.size(), 1u);
  EXPECT_EQ(made.series[0].values[0], 0.5);
  EXPECT_TRUE(std::isnan(made.series[0].values[1]));
  EXPECT_TRUE(make_row(2, report, {}).series.empty());
  EXPECT_THROW(column("nonsense"), std::out_of_range);
}

TEST(Store, KeepsRowsAndGoesOn) {
  const Folder folder;
  const std::string path = folder / "r.sqlite";
  {
    Store store(path, experiment(), "1");
    EXPECT_TRUE(store.found().empty());
    store.append(row(1, 2, 0.3));
    store.append(row(0, 1, none));
  }
  const std::string csv = text_of(folder / "r.csv");
  EXPECT_TRUE(csv.starts_with("algorithm,seed,ended,fingerprint,nodes,links,"));
  EXPECT_NE(csv.find("\nflooding,2,deadline,0123456789abcdef,"), csv.npos);
  {
    // Half a line, as a killed program may leave it, and other wishes for drawing and repeating.
    std::ofstream(folder / "r.csv", std::ios::app) << "cel,3,dead";
    Store store(path, experiment("about = \"new\"\n"), "1");
    ASSERT_EQ(store.found().size(), 2u);
    EXPECT_EQ(text_of(folder / "r.csv"), csv);
    store.append(row(0, 3, 0.5));
  }
  const Results all = read_results(path);
  EXPECT_EQ(all.experiment.about, "new");
  EXPECT_EQ(all.version, "1");
  ASSERT_EQ(all.rows.size(), 3u);
  expect_equal(all.rows[0], row(0, 1, none));
  expect_equal(all.rows[1], row(0, 3, 0.5));
  expect_equal(all.rows[2], row(1, 2, 0.3));
  EXPECT_FALSE(fs::exists(path + "-wal"));
}

TEST(Store, KeepsTheSettingsOfTheCommandLine) {
  const Folder folder;
  Experiment changed = experiment();
  changed.overrides = {{"channel.mean", "2 ms"}, {"network.nodes", "9"}};
  { Store store(folder / "r.sqlite", changed, "1"); }
  const Results all = read_results(folder / "r.sqlite");
  EXPECT_EQ(all.experiment.overrides, changed.overrides);
  EXPECT_EQ(fingerprint(all.experiment), fingerprint(changed));
}

TEST(Store, RefusesWhatIsNotItsOwn) {
  const Folder folder;
  const auto complaint = [&](const char* name, const Experiment& e, const char* version) {
    try {
      Store store(folder / name, e, version);
    } catch (const core::Problem& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  { Store store(folder / "r.sqlite", experiment(), "1"); }
  EXPECT_NE(complaint("r.sqlite", experiment(), "2").find("version 1"), std::string::npos);
  std::ofstream(folder / "text.sqlite") << "this is no database, however long it may be\n";
  EXPECT_NE(complaint("text.sqlite", experiment(), "1").find("not a results file"),
            std::string::npos);
  EXPECT_EQ(text_of(folder / "text.sqlite"), "this is no database, however long it may be\n");
  EXPECT_NE(complaint("no/such/folder.sqlite", experiment(), "1").find("cannot be opened"),
            std::string::npos);
  EXPECT_THROW(read_results(folder / "missing.sqlite"), core::Problem);
  EXPECT_THROW(read_results(folder / "text.sqlite"), core::Problem);
  EXPECT_FALSE(fs::exists(folder / "missing.sqlite")) << "reading makes no file";
}

TEST(Store, KeepsTheEngineAndTheSize) {
  const Folder folder;
  const std::string path = folder / "r.sqlite";
  Experiment whole = experiment("[short]\nruns = 3\n");
  const Experiment brief = version_of(whole, Size::brief);
  { Store store(path, brief, "1", "ns3"); }
  const Results all = read_results(path);
  EXPECT_EQ(all.engine, "ns3");
  EXPECT_EQ(all.experiment.size, Size::brief);
  EXPECT_EQ(all.experiment.repeat.runs, 3u);
  try {
    Store store(path, brief, "1");
    FAIL() << "rows of two engines in one file";
  } catch (const core::Problem& error) {
    EXPECT_NE(std::string(error.what()).find("used --engine ns3, and this is --engine fast; name"),
              std::string::npos)
        << error.what();
  }
  { Store store(path, whole, "1", "ns3"); }
  EXPECT_EQ(read_results(path).experiment.size, Size::full) << "the same points";
}

TEST(SideBySide, EnginesAreAnAxis) {
  Results fast;
  fast.experiment = experiment();
  fast.points = points(fast.experiment);
  fast.rows = {row(0, 1, 0.1), row(0, 2, 0.2), row(1, 1, 0.3)};
  Results other = fast;
  other.engine = "ns3";
  other.rows = {row(0, 1, 0.4), row(1, 1, 0.5)};
  const Results both = side_by_side({fast, other});
  EXPECT_EQ(engines_of(both), (std::vector<std::string>{"fast", "ns3"}));
  EXPECT_EQ(engines_of(fast), std::vector<std::string>{"fast"});
  ASSERT_EQ(both.points.size(), 4u);
  ASSERT_EQ(both.rows.size(), 5u);
  const std::vector<std::pair<std::uint32_t, double>> expected{
      {0, 0.1}, {0, 0.2}, {1, 0.4}, {2, 0.3}, {3, 0.5}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(both.rows[i].point, expected[i].first);
    EXPECT_EQ(both.rows[i].values[column("instability")], expected[i].second);
  }
  EXPECT_EQ(label(both.experiment, both.points[3], 1), "ns3");
  EXPECT_EQ(label(both.experiment, both.points[3], 0), "flooding");
}

/// A limit on the size of files stands in for a disk that is full.
TEST(Store, LosesNothingOnAFullDisk) {
  const Folder folder;
  const std::string path = folder / "r.sqlite";
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  std::size_t kept = 0;
  {
    Store store(path, experiment(), "1");
    rlimit small = before;
    small.rlim_cur = 400'000;
    setrlimit(RLIMIT_FSIZE, &small);
    bool refused = false;
    for (std::uint64_t seed = 1; seed < 5000 && !refused; ++seed) {
      try {
        store.append(row(0, seed, 0.5));
        ++kept;
      } catch (const core::Problem& error) {
        refused = true;
        EXPECT_NE(std::string(error.what()).find("disk"), std::string::npos) << error.what();
      }
    }
    EXPECT_TRUE(refused);
  }
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_GT(kept, 10u);
  const Results all = read_results(path);
  EXPECT_GE(all.rows.size(), kept);
  Store again(path, experiment(), "1");
  again.append(row(1, 1, 0.5));
  EXPECT_EQ(again.found().size(), all.rows.size());
}

TEST(Estimates, OfStudent) {
  const std::vector<double> values{1, 2, 3, none, 4, 5};
  const Estimate e = estimate(values, Interval::student, 0.95);
  EXPECT_EQ(e.runs, 5u);
  EXPECT_DOUBLE_EQ(e.mean, 3);
  EXPECT_NEAR(e.deviation, 1.58113883, 1e-8);
  // t(0.975, 4) = 2.776445
  EXPECT_NEAR(e.half_width(), 2.776445 * 1.58113883 / std::sqrt(5.0), 1e-5);
  const Estimate one = estimate(std::vector<double>{7}, Interval::student, 0.95);
  EXPECT_EQ(one.low, 7);
  EXPECT_EQ(one.high, 7);
  EXPECT_TRUE(std::isnan(estimate({}, Interval::student, 0.95).mean));
}

TEST(Estimates, OfTheBootstrap) {
  std::vector<double> values;
  for (int i = 0; i < 40; ++i) values.push_back(i % 4);
  const Estimate boot = estimate(values, Interval::bootstrap, 0.95);
  const Estimate student = estimate(values, Interval::student, 0.95);
  EXPECT_DOUBLE_EQ(boot.mean, 1.5);
  EXPECT_NEAR(boot.low, student.low, 0.05);
  EXPECT_NEAR(boot.high, student.high, 0.05);
  EXPECT_EQ(boot.low, estimate(values, Interval::bootstrap, 0.95).low) << "always the same";
}

TEST(Estimates, OfPairs) {
  const std::vector<double> a{2, 4, 6, 1};
  const std::vector<double> b{1, 2, 3, 0};
  const Estimate e = ratio(a, b, Interval::student, 0.95);
  EXPECT_EQ(e.runs, 3u);
  EXPECT_DOUBLE_EQ(e.mean, 2);
  EXPECT_DOUBLE_EQ(e.half_width(), 0) << "what the pairs have in common cancels";
}

}  // namespace
}  // namespace bellwether::experiment
