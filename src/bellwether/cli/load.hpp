// SPDX-License-Identifier: MIT
// From what was typed to a scenario, for every command that takes one; and how files are written.
#pragma once

#include <fstream>
#include <initializer_list>
#include <string>
#include <vector>

#include "bellwether/cli/main.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/scenario/scenario.hpp"
#include "bellwether/sim/simulate.hpp"
#include "bellwether/terminal/command.hpp"

namespace bellwether::cli {

struct ScenarioOptions {
  std::string file;
  std::string algorithm;
  std::vector<std::string> set;
  std::string seed;
};

/// Throws Problem, with `kind` and the command for it, where the file was not understood because
/// of one of these keys, which files of another kind have.
void refuse_other_kind(const std::string& file, const core::Problem& problem,
                       std::initializer_list<const char*> keys, const std::string& kind);

/// The scenario itself, --set and --seed. Where it is not `required`, the command must see to it.
void add_scenario_options(terminal::Command& sub, ScenarioOptions& options, bool required = true);

/// Throws Problem.
scenario::Scenario load(const ScenarioOptions& options);
/// The same; where it has no name, that of its file.
scenario::Scenario load_named(const ScenarioOptions& options);
/// The same for a scenario that is there already: --set, --algorithm and --seed.
scenario::Scenario changed(scenario::Scenario scenario, const ScenarioOptions& options);

/// The entry of its algorithm. Throws Problem with the place in the scenario.
const core::Algorithm& find_algorithm(const CommandContext& context,
                                      const scenario::Scenario& scenario);

/// Says at once, and not after the run, that there will be no series. Throws Problem.
void require_series(const scenario::Scenario& scenario, const core::Algorithm& entry);

/// A file under construction: it gets its name only when it is complete. What is not a file, such
/// as /dev/stdout, is written to directly. Throws Problem.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  std::ofstream& stream() { return stream_; }
  void keep();
  /// For a signal handler: removes all that are under construction.
  static void remove_unfinished() noexcept;

 private:
  std::string path_;
  std::string part_;  // its name until it is complete; empty: it is written to directly
  std::ofstream stream_;
  bool kept_ = false;
};

}  // namespace bellwether::cli
