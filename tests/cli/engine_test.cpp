// SPDX-License-Identifier: MIT
// --engine ns3: another program takes over, with the same scenarios and the same answers.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <sstream>

#include "bellwether/json/json.hpp"
#include "cli/program.hpp"

namespace bellwether::cli_test {
namespace {

namespace fs = std::filesystem;

const std::string walk = project("scenarios/thesis-random-walk.toml");

bool has_ns3() {
  return fs::exists(fs::path(BELLWETHER_PROGRAM).parent_path() / "bellwether-ns3");
}

/// Rows come in the order in which runs are done.
std::multiset<std::string> sorted_lines(const std::string& text) {
  std::istringstream in(text);
  std::multiset<std::string> out;
  for (std::string line; std::getline(in, line);) out.insert(line);
  return out;
}

TEST(Engine, WithoutNs3TheSentenceNamesThePackage) {
  const Folder folder;
  const std::string alone = (folder.path() / "bellwether").string();
  fs::copy_file(BELLWETHER_PROGRAM, alone);
  setenv("PATH", "/nonexistent", 1);
  Program program(folder, {"run", walk, "--engine", "ns3"}, "/dev/null", alone);
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("libns3-dev"), std::string::npos) << outcome.err;
}

TEST(Engine, TwentySecondsOnNs3AreTheSameTwice) {
  if (!has_ns3()) GTEST_SKIP() << "ns-3 is not here";
  const Arguments words{"run", walk, "--set", "stop.time=20 s", "--engine", "ns3", "--json"};
  const Outcome first = run({}, words), again = run({}, words);
  EXPECT_EQ(first.status, 0) << first.err;
  EXPECT_EQ(first.out, again.out);
  const auto ns3 = json::Json::parse(first.out);
  const Outcome fast = run({}, {"run", walk, "--set", "stop.time=20 s", "--json"});
  const auto ours = json::Json::parse(fast.out);
  for (const auto& [key, value] : ours.members())
    EXPECT_TRUE(ns3.contains(key)) << key << " is missing on ns-3";
  EXPECT_EQ(ns3.at("engine"), "ns3") << "who reads the file later must be able to tell";
  EXPECT_FALSE(ours.contains("engine"));
  EXPECT_NE(ns3.at("fingerprint"), ours.at("fingerprint"));
  EXPECT_EQ(ns3.at("links"), ours.at("links")) << "the paths are the same";
}

TEST(Engine, ASweepOnNs3HasTheSameRowsHoweverManyAtOnce) {
  if (!has_ns3()) GTEST_SKIP() << "ns-3 is not here";
  const Folder folder;
  folder.write("small.toml", "name = \"small\"\nscenario = \"" + walk +
                                 "\"\n[matrix]\nradio.range = [40, 60]\n[set]\n"
                                 "network.nodes = 15\nstop.time = \"3 s\"\n[repeat]\nruns = 2\n");
  const auto sweep = [&](const std::string& jobs, const std::string& out) {
    return run(folder, {"sweep", "small.toml", "--engine", "ns3", "-j", jobs, "-o", out});
  };
  EXPECT_EQ(sweep("1", "one.sqlite").status, 0);
  EXPECT_EQ(sweep("4", "four.sqlite").status, 0);
  EXPECT_NE(folder.read("one.csv"), "");
  EXPECT_TRUE(sorted_lines(folder.read("one.csv")) == sorted_lines(folder.read("four.csv")));
  EXPECT_EQ(run(folder, {"sweep", "small.toml", "--engine", "ns3"}).status, 0);
  EXPECT_TRUE(folder.files().contains("small-ns3.sqlite"));
}

TEST(Engine, APublishedFigureOnBothStandsSideBySide) {
  if (!has_ns3()) GTEST_SKIP() << "ns-3 is not here";
  const Folder folder;
  fs::create_directory(folder.path() / "all");
  folder.write("all/figure-1.toml", "scenario = \"" + walk + R"("
[set]
network.nodes = 12
stop.time = "4 s"
[[variant]]
label = "CEL"
set = { algorithm = "cel" }
[[variant]]
label = "TA"
set = { algorithm = "topology-aware" }
[matrix]
radio.range = [60, 120, 180]
[repeat]
runs = 9
[short]
runs = 2
keep = { radio.range = [60, 180] }
[[figure]]
x = "radio.range"
y = "instability"
by = "variant"
[[published]]
what = "power"
metric = "power_mean_w"
value = 0.5
)");
  const Arguments words{"reproduce", "--experiments", "all", "--engine", "both", "--short", "-q"};
  const Outcome both = run(folder, words);
  EXPECT_EQ(both.status, 0) << both.err;
  EXPECT_NE(both.out.find("what   published"), std::string::npos) << both.out;
  EXPECT_NE(both.out.find("16 runs, reproduction/figure-1-both.html"), std::string::npos)
      << both.out;
  EXPECT_NE(both.out.find("fast: 1 reproduced"), std::string::npos) << both.out;
  EXPECT_NE(both.out.find("ns3: 1 reproduced"), std::string::npos) << both.out;
  const std::string page = folder.read("reproduction/figure-1-both.html");
  EXPECT_NE(page.find("TA, ns3"), std::string::npos);
  EXPECT_NE(folder.read("reproduction/reproduction-both.md")
                .find("| what | published | fast | verdict | ns3 | verdict | why |"),
            std::string::npos);
  // What each of them measured is there already.
  EXPECT_EQ(run(folder, words).out, both.out);
  const Outcome alone = run(
      folder, {"reproduce", "--experiments", "all", "--engine", "ns3", "--short", "-q", "-r", "3"});
  EXPECT_NE(alone.out.find("12 runs, reproduction/figure-1-ns3.html"), std::string::npos)
      << alone.out;
}

TEST(Engine, WhatNs3CannotCarryIsRefusedWithItsPlace) {
  if (!has_ns3()) GTEST_SKIP() << "ns-3 is not here";
  const auto complaint = [](Arguments more) {
    more.insert(more.begin(), "run");
    more.insert(more.end(), {"--engine", "ns3"});
    const Outcome outcome = run({}, more);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  };
  EXPECT_NE(complaint({project("scenarios/first-election.toml")}).find("model = \"csma\""),
            std::string::npos);
  EXPECT_NE(complaint({walk, "--set", "radio.rate=3e6"}).find("radio.rate: 802.11n has no such"),
            std::string::npos);
  EXPECT_NE(complaint({walk, "--set", "radio.mtu=4000"}).find("radio.mtu: 802.11 carries"),
            std::string::npos);
}

/// A point that ns-3 cannot carry is refused before the first run, and by a dry run.
TEST(Engine, APointThatNs3CannotCarryIsRefusedBeforeTheFirstRun) {
  if (!has_ns3()) GTEST_SKIP() << "ns-3 is not here";
  const Folder folder;
  folder.write("e.toml", "scenario = \"" + walk + "\"\n[matrix]\nradio.mtu = [1000, 4000]\n");
  for (const Arguments& words : {Arguments{"sweep", "e.toml", "--engine", "ns3"},
                                 Arguments{"sweep", "e.toml", "--engine", "ns3", "--dry-run"}}) {
    const Outcome outcome = run(folder, words);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.err.find("the point radio.mtu = 4000: radio.mtu: 802.11"), std::string::npos)
        << outcome.err;
    EXPECT_EQ(folder.files(), std::set<std::string>{"e.toml"});
  }
}

}  // namespace
}  // namespace bellwether::cli_test
