// SPDX-License-Identifier: MIT
#include "bellwether/cli/replay.hpp"

#include "bellwether/cli/commands.hpp"
#include "bellwether/core/input_file.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/sim/replay.hpp"

namespace bellwether::cli {

Recording load_recording(const std::string& path, const ScenarioOptions& options) {
  const std::string why = " does not apply to --replay: the trace fixes the whole run; remove it";
  if (!options.algorithm.empty()) throw core::Problem("--algorithm" + why);
  if (!options.seed.empty()) throw core::Problem("--seed" + why);
  for (const std::string& assignment : options.set)
    if (!assignment.starts_with("properties="))
      throw core::Problem(
          "--set " + assignment +
          " does not apply to --replay, where only properties can be set; remove it");
  std::ifstream in = core::open_file(path);
  Recording recording;
  recording.trace = observe::read_trace(in, path);
  if (!recording.trace.header.schedule)
    throw core::Problem({path, 1}, {},
                        "this trace has no schedule; run its scenario with the same seed instead");
  recording.scenario = sim::replay_scenario(recording.trace.header, {path, 1});
  for (const std::string& assignment : options.set)
    scenario::set_key(recording.scenario, assignment);
  return recording;
}

}  // namespace bellwether::cli
