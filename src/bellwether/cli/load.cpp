// SPDX-License-Identifier: MIT
#include "bellwether/cli/load.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "bellwether/cli/commands.hpp"
#include "bellwether/scenario/blame.hpp"

namespace bellwether::cli {

void add_scenario_options(CLI::App& sub, ScenarioOptions& options, bool required) {
  sub.add_option("scenario", options.file, "The scenario, a TOML file")->required(required);
  sub.add_option("-s,--set", options.set, "Change a key of the scenario: key=value")
      ->take_all()
      ->allow_extra_args(false);
  sub.add_option("--seed", options.seed, "Draw everything from this seed instead");
}

scenario::Scenario load(const ScenarioOptions& options) {
  return changed(scenario::read_scenario(options.file), options);
}

scenario::Scenario changed(scenario::Scenario scenario, const ScenarioOptions& options) {
  for (const std::string& assignment : options.set) scenario::set_key(scenario, assignment);
  if (!options.algorithm.empty()) {
    scenario.algorithm = options.algorithm;
    scenario.where["algorithm"] = "--algorithm";
  }
  if (!options.seed.empty()) {
    try {
      scenario::set_key(scenario, "seed=" + options.seed);
    } catch (const scenario::BadScenario&) {
      throw BadInput("--seed: must be a whole number from 0 to 2^63-1, not \"" + options.seed +
                     "\"");
    }
    scenario.where["seed"] = "--seed";
  }
  scenario::validate(scenario);
  return scenario;
}

void refuse(const scenario::Scenario& scenario, const world::BadSpec& error) {
  throw BadInput(scenario::blamed_on(scenario, error));
}

void refuse(const scenario::Scenario& scenario, const world::BadFile& error) {
  // Where no line of the file is at fault, that of the scenario which names it may be.
  const bool trace = error.path == scenario::effective_mobility(scenario).file;
  throw BadInput((error.line == 0 && trace ? scenario::place_of(scenario, "mobility.file") : "") +
                 error.what());
}

OutputFile::OutputFile(std::string path) : path_(std::move(path)), part_(path_ + ".part") {
  stream_.open(part_, std::ios::binary);
  if (!stream_) throw BadInput(path_ + ": cannot be written; is the folder there?");
}

OutputFile::~OutputFile() {
  if (!kept_) std::remove(part_.c_str());
}

void OutputFile::keep() {
  stream_.close();
  std::error_code error;
  if (stream_) std::filesystem::rename(part_, path_, error);
  if (!stream_ || error) throw BadInput(path_ + ": cannot be written; is there room?");
  kept_ = true;
}

}  // namespace bellwether::cli
