// SPDX-License-Identifier: MIT
// A key that is given either changes the run or is refused: no scenario may hold a key that does
// nothing. Every key is tried in scenarios of every kind.
#include <gtest/gtest.h>

#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/scenario/effect.hpp"
#include "bellwether/scenario/scenario.hpp"
#include "bellwether/sim/simulate.hpp"

namespace bellwether::sim {
namespace {

using Names = std::vector<std::string>;

/// All that a run shows.
std::string outcome(const scenario::Scenario& s) {
  const core::Algorithm& algorithm = catalogue::algorithm(s.algorithm);
  scenario::validate(s);
  check_effects(algorithm, s);
  const observe::RunReport report = simulate(algorithm, s, {});
  std::string out = report.fingerprint;
  for (const auto& metric : report.metrics)
    out += ' ' + metric.name + '=' + std::to_string(metric.value);
  if (!report.series) return out;
  for (const auto& row : report.series->rows)
    for (const double value : row) out += ' ' + std::to_string(value);
  return out;
}

/// Values other than the default that the kind allows.
Names candidates(const scenario::KeyFact& key) {
  if (key.kind == "true or false") return {key.default_text == "true" ? "false" : "true"};
  if (key.kind.starts_with("a whole number")) return {"2", "3", "6", "64"};
  if (key.kind == "a number from 0 to 1") return {"0.3", "0.9"};
  if (key.kind == "0 or greater") return {"0.7", "3", "33", "250"};
  if (key.kind.starts_with("a duration")) return {"\"3 ms\"", "\"70 ms\"", "\"700 ms\"", "\"2 s\""};
  if (key.kind.starts_with("\"all\", or a whole")) return {"2"};
  Names out;
  const auto at = key.kind.find("one of ");
  if (at == std::string::npos) return out;
  std::string word;
  for (const char c : key.kind.substr(at + 7) + ",") {
    if (c == ',') {
      if ('"' + word + '"' != key.default_text) out.push_back('"' + word + '"');
      word.clear();
    } else if (c != ' ') {
      word += c;
    }
  }
  return out;
}

/// What no run can show: names, limits that are not met, and files that would have to be there.
bool cannot_be_tried(const std::string& key) {
  for (const char* each : {"name", "about", "algorithm", "properties", "beyond_model",
                           "network.topology", "network.file", "network.names", "mobility.model",
                           "mobility.file", "start.nodes", "stop.events", "radio.reach"})
    if (key == each) return true;
  return false;
}

/// Keys that had an effect if other things happened in this run: where no link changes there are no
/// notifications, where nothing is drawn the seed decides nothing.
bool depends_on_events(const std::string& key, const std::string& base) {
  const bool still = base == "still" || base == "one-way ring" || base == "alpha" ||
                     base == "gamma" || base == "rounds";
  if (key == "seed" || key == "channel.order" || key == "notify.max") return still;
  if (key == "radio.model") return true;          // a lossy radio may have a loss of 0
  if (key == "radio.mtu") return true;            // messages may all be short
  if (key == "radio.power_sleep") return true;    // radios sleep in nodes that have crashed
  if (key == "mobility.flight_max") return true;  // long flights are rare
  if (key == "metrics.until") return true;        // the run may take longer anyway
  if (key == "metrics.on") return still;          // "off" where nothing is measured
  if (key == "mobility.height") return base == "highway";  // the viewer draws the area
  return key == "markov.birth" && base == "complete";
}

struct Base {
  std::string name;
  std::string text;
};

std::vector<Base> bases() {
  const std::string wired = "algorithm = \"height\"\n[stop]\ntime = \"3 s\"\n[churn]\nrate = 3\n";
  const std::string moving =
      "[stop]\ntime = \"30 s\"\n[network]\ntopology = \"radio\"\nnodes = 9\n";
  std::vector<Base> out;
  for (const char* each :
       {"ring", "tree", "grid", "erdos-renyi", "barabasi-albert", "watts-strogatz", "complete"})
    out.push_back({each, wired + "[network]\nnodes = 12\ntopology = \"" + each + "\"\n"});
  for (const char* each : {"constant", "poisson", "adversarial"})
    out.push_back({std::string("delay ") + each,
                   wired + "[network]\nnodes = 9\n[channel]\ndelay = \"" + each + "\"\n"});
  out.push_back(
      {"one-way ring", "algorithm = \"chang-roberts\"\n[network]\nnodes = 8\none_way = true\n"});
  out.push_back({"rounds", "algorithm = \"flood-max\"\n[network]\nnodes = 8\n"});
  for (const char* each : {"alpha", "gamma"})
    out.push_back({each, std::string("algorithm = \"flood-max\"\n[network]\nnodes = 8\n[rounds]\n"
                                     "synchronizer = \"") +
                             each + "\"\n"});
  out.push_back({"crashes", wired + "[network]\nnodes = 9\n[crashes]\nrate = 2\n"});
  out.push_back({"clocks", wired + "[network]\nnodes = 9\n[crashes]\nrate = 2\n[clock]\nskew = \"1 "
                                   "s\"\n[options]\nclock = \"hybrid\"\n"});
  out.push_back({"markov",
                 "algorithm = \"height\"\n[stop]\ntime = \"3 s\"\n[network]\nnodes = 9\ntopology = "
                 "\"edge-markovian\"\n[markov]\nbirth = 0.2\ndeath = 0.2\n"});
  const std::string place = "width = 300\nheight = 300\n[radio]\nrange = 90\n";
  for (const char* each :
       {"still", "random-waypoint", "point-of-interest", "gauss-markov", "group"})
    out.push_back({each, "algorithm = \"height\"\n" + moving + "[mobility]\nmodel = \"" + each +
                             "\"\n" + place});
  out.push_back({"levy-walk", "algorithm = \"height\"\n" + moving +
                                  "[mobility]\nmodel = \"levy-walk\"\nflight_max = 60\n" + place});
  const std::string walk = "[mobility]\nmodel = \"random-walk\"\nleg_time = \"5 s\"\n" + place;
  const std::string probes = "[neighbours]\ndetect = \"probes\"\n";
  out.push_back({"random-walk", "algorithm = \"height\"\n" + moving + walk});
  out.push_back({"lossy", "algorithm = \"cel\"\n" + moving + walk +
                              "model = \"lossy\"\nloss = 0.1\nburst_bad = \"100 ms\"\n" + probes});
  out.push_back({"csma", "algorithm = \"cel\"\n" + moving + walk + "model = \"csma\"\n" + probes});
  out.push_back({"reliable", "algorithm = \"height\"\n" + moving + walk +
                                 "model = \"lossy\"\nloss = 0.1\n" + probes + "reliable = true\n"});
  out.push_back({"deployed", "algorithm = \"cel-2\"\n" + moving + walk +
                                 "[neighbours]\nstack = \"deployed\"\n"});
  out.push_back({"highway",
                 "algorithm = \"height\"\n[stop]\ntime = \"3 s\"\n[network]\ntopology = "
                 "\"highway\"\nnodes = 12\ntowers = 3\nservers = 1\n[mobility]\nmodel = "
                 "\"highway\"\nwidth = 900\nheight = 40\n[radio]\nrange = 150\n"});
  return out;
}

/// Nothing, or what is wrong: all values that were accepted give the same run.
bool without_any_effect(const Base& base, const std::string& before, const scenario::KeyFact& key) {
  bool accepted = false;
  for (const std::string& value : candidates(key)) {
    try {
      scenario::Scenario s = scenario::parse_scenario(base.text, base.name);
      const std::string printed = scenario::print_scenario(s);
      scenario::set_key(s, key.key + '=' + value);
      if (scenario::print_scenario(s) == printed) continue;  // the value that it had
      if (outcome(s) != before) return false;
      accepted = true;
    } catch (const core::Problem&) {
    }
  }
  return accepted;
}

TEST(KeyEffects, AKeyChangesTheRunOrIsRefused) {
  for (const Base& base : bases()) {
    std::string before;
    ASSERT_NO_THROW(before = outcome(scenario::parse_scenario(base.text, base.name))) << base.name;
    for (const scenario::KeyFact& key : scenario::keys()) {
      if (cannot_be_tried(key.key) || depends_on_events(key.key, base.name)) continue;
      EXPECT_FALSE(without_any_effect(base, before, key)) << key.key << " in " << base.name;
    }
  }
}

}  // namespace
}  // namespace bellwether::sim
