// SPDX-License-Identifier: MIT
// Options of which each is right, but not with the others: whoever makes nodes of them refuses
// them, and blames one that was given.
#include <gtest/gtest.h>

#include "cli/refused.hpp"

namespace bellwether::cli_test {
namespace {

const std::string scenario = project("scenarios/partition-heals.toml");
const std::string slack =
    "the slack, 16 ms, is shorter than the jitter, 20 ms; set a longer slack or a shorter jitter";

void refused_run(const std::string& setting, const Parts& parts) {
  refused({}, {"run", scenario, "--set", "algorithm=drumbeat", "--set", setting}, parts);
}

TEST(OptionConflicts, OnTheCommandLine) {
  refused_run("options.jitter=20 ms", {"--set: options.jitter: " + slack});
  refused_run("options.period=2 ms",
              {"--set: options.period: the period, 2 ms, is shorter than the jitter, 3 ms",
               "; set a longer period"});
  refused_run("options.taps=50",
              {"--set: options.taps: 50 taps in a period of 50 ms are 980.392 us",
               "the jitter, 3 ms; set fewer taps"});
}

TEST(OptionConflicts, InAScenarioThatIsRunOrTuned) {
  const Folder folder;
  folder.write("bad.toml",
               "algorithm = \"drumbeat\"\n\n[network]\ntopology = \"ring\"\nnodes = 3\n\n"
               "[options]\njitter = \"20 ms\"\n");
  refused(folder, {"run", "bad.toml"}, {"bad.toml:8: options.jitter: " + slack});
  refused(folder, {"tune", "bad.toml"}, {"bad.toml:8: options.jitter: " + slack});
}

TEST(OptionConflicts, InASearchAndInAnExperiment) {
  const Folder folder;
  refused(folder, {"check", "drumbeat", "--graph", "12", "--set", "jitter=20ms"},
          {"--set jitter: " + slack});
  folder.write("e.toml", "scenario = \"" + scenario +
                             "\"\n[set]\nalgorithm = \"drumbeat\"\n[matrix]\n"
                             "options.jitter = [\"2 ms\", \"20 ms\"]\n");
  refused(folder, {"sweep", "e.toml"}, {"options.jitter = 20 ms", slack});
}

/// A daemon derives what it is not given from what it is, so that only that can contradict itself.
TEST(OptionConflicts, InTheConfigurationOfADaemon) {
  const Folder folder;
  const auto configure = [&](const std::string& options) {
    folder.write("node.toml", "id = 1\nplain = true\nperiod = \"50 ms\"\n[options]\n" + options);
    return Arguments{"node", "--config", "node.toml", "--check-config"};
  };
  refused(folder, configure("jitter = \"60 ms\"\n"),
          {"node.toml: options.jitter: the period, 50 ms, is shorter than the jitter, 60 ms"});
  EXPECT_EQ(run(folder, configure("jitter = \"30 ms\"\n")).status, 0);
  EXPECT_EQ(run(folder, configure("slack = \"1 ms\"\n")).status, 0);
}

}  // namespace
}  // namespace bellwether::cli_test
