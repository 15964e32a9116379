// SPDX-License-Identifier: MIT
#include "bellwether/cli/load.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "bellwether/cli/commands.hpp"
#include "bellwether/core/nearest.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/embedded/scenarios.hpp"
#include "bellwether/scenario/effect.hpp"

namespace bellwether::cli {

void add_scenario_options(terminal::Command& sub, ScenarioOptions& options, bool required) {
  sub.add_option("scenario", options.file,
                 "Read this scenario: a TOML file, or a name from bellwether list scenarios")
      ->required(required);
  sub.add_option("-s,--set", options.set, "Set a key of the scenario: key=value; may be repeated")
      ->take_all()
      ->allow_extra_args(false);
  sub.add_option("--seed", options.seed,
                 "Use this seed, from 0 to 2^63-1; default: the scenario's");
}

namespace {

/// Where there is no such file, the scenario of that name which is a part of the program:
/// scenarios/first-election.toml, or just first-election.
scenario::Scenario file_or_shipped(const std::string& file) {
  const std::filesystem::path path(file);
  const std::string folder = path.parent_path().string();
  if (std::filesystem::exists(path) || !(folder.empty() || folder == "scenarios"))
    return scenario::read_scenario(file);
  std::vector<std::string> known;
  for (const auto& [name, text] : embedded::scenarios()) {
    if (path.filename() == name || path.filename() == name + ".toml")
      return scenario::parse_scenario(text, file);
    known.push_back(name);
  }
  if (folder.empty() && !path.has_extension())
    throw core::Problem(core::unknown_name("scenario", file, known));
  return scenario::read_scenario(file);
}

scenario::Scenario scenario_in(const std::string& file) {
  try {
    return file_or_shipped(file);
  } catch (const core::Problem& error) {
    refuse_other_kind(file, error, {"scenario", "matrix"},
                      "an experiment, not a scenario; run it with: bellwether sweep");
    throw;
  }
}

}  // namespace

scenario::Scenario load(const ScenarioOptions& options) {
  return changed(scenario_in(options.file), options);
}

void refuse_other_kind(const std::string& file, const core::Problem& problem,
                       std::initializer_list<const char*> keys, const std::string& kind) {
  // A line of this file is to blame, not one that it names, nor what it sets.
  if (problem.where().line == 0 || problem.where().name != file) return;
  for (const char* key : keys)
    if (problem.key() == key) throw core::Problem(file, {}, "is " + kind + ' ' + file);
}

scenario::Scenario load_named(const ScenarioOptions& options) {
  scenario::Scenario scenario = load(options);
  if (scenario.name.empty()) scenario.name = std::filesystem::path(options.file).stem().string();
  return scenario;
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
    } catch (const core::Problem&) {
      throw core::Problem("--seed", {},
                          "must be a whole number from 0 to 2^63-1, not \"" + options.seed + "\"");
    }
    scenario.where["seed"] = "--seed";
  }
  scenario::validate(scenario);
  scenario::require_effect(scenario);
  return scenario;
}

const core::Algorithm& find_algorithm(const CommandContext& context,
                                      const scenario::Scenario& scenario) {
  try {
    return find_algorithm(context, scenario.algorithm);
  } catch (const core::Problem& problem) {
    throw scenario::problem_at(scenario, "algorithm", problem.sentence());
  }
}

void require_series(const scenario::Scenario& scenario, const core::Algorithm& entry) {
  if (entry.rounds)
    throw core::Problem(
        "--series", {},
        std::string(entry.name) +
            " runs in synchronous rounds, which are not measured over time; remove it");
  if (!scenario::measures(scenario))
    throw core::Problem("--series", {},
                        "this run measures nothing over time; write [metrics] on = \"on\", or add "
                        "--set metrics.on=on");
}

namespace {

// Where the names of files under construction stand, for a signal handler to read.
std::array<std::atomic<const char*>, 8> unfinished{};

void replace_unfinished(const char* from, const char* to) {
  for (auto& slot : unfinished)
    if (const char* seen = from; slot.compare_exchange_strong(seen, to)) return;
}

std::string reason_text(int reason) {
  return std::string("cannot be written: ") + std::strerror(reason) +
         (reason == ENOENT ? "; is the folder there?" : "");
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)), part_(path_ + ".part") {
  std::error_code error;
  const auto status = std::filesystem::status(path_, error);
  if (std::filesystem::is_directory(status))
    throw core::Problem(path_, {}, "is a folder; name a file in it");
  // A device or a pipe is written to, never replaced by a file; /dev/stdout may be a link to one.
  const bool special = path_.starts_with("/dev/") || path_.starts_with("/proc/");
  if (special || (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)))
    part_.clear();
  // Scenarios, experiments and configurations are written by people, and by nothing here.
  if (path_.ends_with(".toml") && std::filesystem::exists(path_, error))
    throw core::Problem(path_, {}, "exists and would be overwritten; name another file");
  errno = 0;
  stream_.open(part_.empty() ? path_ : part_, std::ios::binary);
  if (!stream_) throw core::Problem(path_, {}, reason_text(errno));
  if (!part_.empty()) replace_unfinished(nullptr, part_.c_str());
}

OutputFile::~OutputFile() {
  if (!part_.empty()) replace_unfinished(part_.c_str(), nullptr);
  if (!kept_ && !part_.empty()) std::remove(part_.c_str());
}

void OutputFile::remove_unfinished() noexcept {
  for (auto& slot : unfinished)
    if (const char* part = slot.load()) unlink(part);
}

void OutputFile::keep() {
  stream_.close();
  if (!stream_) throw core::Problem(path_, {}, "cannot be written; is there room on the device?");
  std::error_code error;
  if (!part_.empty()) std::filesystem::rename(part_, path_, error);
  if (error) throw core::Problem(path_, {}, "cannot be written: " + error.message());
  kept_ = true;
}

void write_file(const std::string& path, const std::string& content) {
  OutputFile file(path);
  file.stream() << content;
  file.keep();
}

}  // namespace bellwether::cli
