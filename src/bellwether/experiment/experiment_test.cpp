// SPDX-License-Identifier: MIT
#include "bellwether/experiment/experiment.hpp"
#include "bellwether/core/problem.hpp"

#include <gtest/gtest.h>

namespace bellwether::experiment {
namespace {

scenario::Scenario base() {
  return scenario::parse_scenario("algorithm = \"cel\"\n[network]\nnodes = 8\n", "base.toml");
}

Experiment parsed(const std::string& text) {
  return parse_experiment("scenario = \"base.toml\"\n" + text, "e.toml", base());
}

/// What is said of a bad experiment.
std::string complaint(const std::string& text) {
  try {
    parsed(text);
  } catch (const core::Problem& error) {
    return error.what();
  }
  return "";
}

TEST(Experiment, IsTheProductOfItsAxes) {
  const Experiment e = parsed(R"(
name = "two by three"
[set]
channel.mean = "2 ms"
[matrix]
algorithm = ["cel", "flooding"]
network.nodes = [5, 10, 20]
)");
  EXPECT_EQ(e.name, "two by three");
  ASSERT_EQ(e.axes.size(), 2u);
  EXPECT_EQ(e.axes[1].name, "network.nodes");
  const auto all = points(e);
  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(label(e, all[1], 0), "cel");
  EXPECT_EQ(label(e, all[1], 1), "10") << "the last axis runs fastest";
  const scenario::Scenario s = scenario_at(e, all[5], 42);
  EXPECT_EQ(s.algorithm, "flooding");
  EXPECT_EQ(s.network.nodes, 20u);
  EXPECT_EQ(s.seed, 42u);
  EXPECT_EQ(s.channel.mean, std::chrono::milliseconds(2));
}

TEST(Experiment, HasVariantsOfSeveralKeys) {
  const Experiment e = parsed(R"(
[[variant]]
label = "by degree"
set = { algorithm = "topology-aware", options.criterion = "degree" }
[[variant]]
label = "flooding"
set = { algorithm = "flooding" }
[matrix]
"network.nodes" = [5, 10]
[[skip]]
where = { variant = "flooding", "network.nodes" = 10 }
)");
  EXPECT_EQ(e.axes[0].name, "variant");
  const auto all = points(e);
  ASSERT_EQ(all.size(), 3u);
  const scenario::Scenario s = scenario_at(e, all[0], 1);
  EXPECT_EQ(s.algorithm, "topology-aware");
  EXPECT_EQ(s.options.at("criterion").text, "degree");
}

TEST(Experiment, AValueMayFollowAnAxis) {
  const Experiment e = parsed(R"(
[[variant]]
label = "aware"
set = { algorithm = "topology-aware", options.range = "${network.nodes}" }
[matrix]
network.nodes = [5, 10]
)");
  EXPECT_EQ(scenario_at(e, points(e)[1], 1).options.at("range").text, "10");
  EXPECT_NE(complaint("[set]\nnetwork.degree = \"${radio}\"\n[matrix]\nnetwork.nodes = [5]\n")
                .find("unknown axis"),
            std::string::npos);
}

TEST(Experiment, OptionsGoWithTheirAlgorithm) {
  const Experiment e = parse_experiment(
      "scenario = \"b.toml\"\n[matrix]\nalgorithm = [\"cel\", \"flooding\"]\n", "e.toml",
      scenario::parse_scenario("algorithm = \"cel\"\n[options]\nrho = 0.7\n", "b.toml"));
  EXPECT_EQ(scenario_at(e, {0}, 1).options.size(), 1u);
  EXPECT_TRUE(scenario_at(e, {1}, 1).options.empty());
}

TEST(Experiment, HasFiguresAndPublishedValues) {
  const Experiment e = parsed(R"(
series = ["instability", "components_mean"]
metrics = ["instability"]
[matrix]
algorithm = ["cel", "flooding"]
network.nodes = [5, 10]
[repeat]
runs = 7
seed = 100
interval = "bootstrap"
until = "instability"
within = 0.1
at_most = 20
[[figure]]
title = "wrong"
x = "network.nodes"
y = "instability"
by = "algorithm"
where = { algorithm = "cel" }
[[figure]]
kind = "series"
y = "instability"
y2 = "components_mean"
[[published]]
what = "more"
metric = "instability"
where = { algorithm = "flooding", network.nodes = 5 }
over = { algorithm = "cel", network.nodes = 5 }
value = 1.55
tolerance = 0.2
)");
  EXPECT_EQ(e.repeat.runs, 7u);
  EXPECT_EQ(e.repeat.seed, 100u);
  EXPECT_EQ(e.repeat.interval, Interval::bootstrap);
  EXPECT_EQ(e.repeat.at_most, 20u);
  ASSERT_EQ(e.figures.size(), 2u);
  EXPECT_EQ(e.figures[0].by, "algorithm");
  EXPECT_EQ(e.figures[1].kind, FigureKind::series);
  ASSERT_EQ(e.published.size(), 1u);
  EXPECT_EQ(e.published[0].value, 1.55);
  EXPECT_TRUE(matches(e, points(e)[2], e.published[0].where));
}

TEST(Experiment, HasAQuickVersion) {
  const Experiment e = parsed(R"(
[matrix]
network.nodes = [5, 10, 20]
[repeat]
runs = 9
[quick]
runs = 1
set = { channel.mean = "7 ms" }
keep = { network.nodes = [5, 20] }
)");
  const Experiment quick = version_of(e, Size::quick);
  EXPECT_EQ(quick.size, Size::quick);
  EXPECT_EQ(quick.repeat.runs, 1u);
  ASSERT_EQ(points(quick).size(), 2u);
  EXPECT_EQ(scenario_at(quick, points(quick)[1], 1).network.nodes, 20u);
  EXPECT_EQ(scenario_at(quick, points(quick)[1], 1).channel.mean, std::chrono::milliseconds(7));
  EXPECT_NE(fingerprint(quick), fingerprint(e));
  EXPECT_NE(complaint("[matrix]\nnetwork.nodes = [5]\n[quick]\nkeep = { network.nodes = [6] }\n")
                .find("unknown network.nodes \"6\""),
            std::string::npos);
}

TEST(Experiment, MayHaveAShortVersion) {
  const Experiment e = parsed(R"(
[matrix]
network.nodes = [5, 10, 20]
[repeat]
runs = 9
[short]
runs = 3
keep = { network.nodes = [10, 20] }
)");
  const Experiment brief = version_of(e, Size::brief);
  EXPECT_EQ(brief.size, Size::brief);
  EXPECT_EQ(brief.repeat.runs, 3u);
  EXPECT_EQ(points(brief).size(), 2u);
  EXPECT_EQ(version_of(e, Size::full).repeat.runs, 9u);
  EXPECT_NE(complaint("[matrix]\nnetwork.nodes = [5]\n[short]\nrun = 6\n").find("short.run"),
            std::string::npos);
  try {
    version_of(parsed("[matrix]\nnetwork.nodes = [5]\n"), Size::brief);
    FAIL() << "there is none";
  } catch (const core::Problem& error) {
    EXPECT_NE(std::string(error.what()).find("has no short version; write [short]"),
              std::string::npos);
  }
}

TEST(Experiment, FingerprintIsOfWhatTheRowsDependOn) {
  const std::string text = "[matrix]\nnetwork.nodes = [5, 10]\n";
  const std::string one = fingerprint(parsed(text));
  EXPECT_EQ(one.size(), 16u);
  EXPECT_EQ(one, fingerprint(parsed("about = \"other words\"\n" + text + "[repeat]\nruns = 50\n")));
  EXPECT_NE(one, fingerprint(parsed("[matrix]\nnetwork.nodes = [5, 11]\n")));
  EXPECT_NE(one, fingerprint(parsed("[set]\nnetwork.degree = 5\n" + text)));
  Experiment overridden = parsed(text);
  overridden.overrides.push_back({"channel.mean", "3 ms"});
  EXPECT_NE(one, fingerprint(overridden));
  EXPECT_EQ(scenario_at(overridden, {0}, 1).channel.mean, std::chrono::milliseconds(3));
}

TEST(Experiment, WhatIsWrongIsSaidWithItsPlace) {
  const auto says = [](const std::string& text, const std::string& part) {
    const std::string said = complaint(text);
    EXPECT_NE(said.find(part), said.npos) << "for\n" << text << "\nsaid: " << said;
    EXPECT_TRUE(said.starts_with("e.toml")) << said;
  };
  says("", "the matrix is empty");
  says("[matrix]\n", "the matrix is empty");
  says("[matrix]\nnetwork.nodes = []\n", "matrix.network.nodes: must be a list of values");
  says("[matrix]\nnetwork.nodes = 5\n", "must be a list of values");
  says("[matrix]\nnetwork.nodse = [5]\n", "did you mean");
  says("[matrix]\nnetwork.nodes = [5, \"many\"]\n", "network.nodes");
  says("[matrix]\nnetwork.nodes = [5, 5]\n", "twice");
  says("[matrix]\nnetwork.nodes = [5]\n[set]\nradio.rnage = 5\n", "set: radio.rnage");
  says("matrx = 5\n[matrix]\nnetwork.nodes = [5]\n", "unknown key \"matrx\"");
  says("[matrix]\nnetwork.nodes = [5]\n[repeat]\nruns = 0\n", "must be 1 or greater");
  says("[matrix]\nnetwork.nodes = [5]\n[repeat]\nuntil = \"instability\"\n", "at_most");
  says("[matrix]\nnetwork.nodes = [5]\n[repeat]\nconfidence = 1.0\n", "between 0 and 1");
  says("[matrix]\nnetwork.nodes = [5]\n[[figure]]\ny = \"bytes\"\nx = \"network.node\"\n",
       "unknown axis");
  says("[matrix]\nnetwork.nodes = [5]\n[[figure]]\ny = \"bytes\"\n", "name an axis");
  says("[matrix]\nnetwork.nodes = [5]\n[[figure]]\nkind = \"pie\"\n", "pie");
  says("[matrix]\nnetwork.nodes = [5]\n[[figure]]\nkind = \"series\"\ny = \"bytes_per_s\"\n",
       "not kept over time");
  says("[matrix]\nnetwork.nodes = [5]\n[[skip]]\nwhere = { network.nodes = 6 }\n",
       "unknown network.nodes \"6\"");
  says("[matrix]\nnetwork.nodes = [5]\n[[skip]]\nwhere = { network.nodes = 5 }\n", "is skipped");
  says("[[variant]]\nset = { algorithm = \"cel\" }\n", "needs a label");
  says("[matrix]\nnetwork.nodes = [5]\nfoo = { bar = [1] }\n", "foo.bar");
  EXPECT_NE(complaint("[matrix\n").find("e.toml"), std::string::npos);
  EXPECT_THROW(parse_experiment("[matrix]\nseed = [1]\n", "e.toml", base()), core::Problem);
  EXPECT_THROW(read_experiment("no-such-file.toml"), core::Problem);
}

}  // namespace
}  // namespace bellwether::experiment
