// SPDX-License-Identifier: MIT
#include "bellwether/cli/replay.hpp"

#include "bellwether/cli/commands.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/sim/replay.hpp"

namespace bellwether::cli {

Recording load_recording(const std::string& path, const ScenarioOptions& options) {
  const std::string why = " has no place beside --replay: the trace says everything; leave it out";
  if (!options.algorithm.empty()) throw core::Problem("--algorithm" + why);
  if (!options.seed.empty()) throw core::Problem("--seed" + why);
  for (const std::string& assignment : options.set)
    if (!assignment.starts_with("properties="))
      throw core::Problem("--set " + assignment +
                          " has no place beside --replay; only properties can be set");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw core::Problem(path, {}, "there is no such file");
  Recording recording;
  recording.trace = observe::read_trace(in, path);
  if (!recording.trace.header.schedule)
    throw core::Problem(
        {path, 1}, {},
        "this trace has no schedule to follow; run its scenario again instead, with "
        "the same seed");
  recording.scenario = sim::replay_scenario(recording.trace.header, {path, 1});
  for (const std::string& assignment : options.set)
    scenario::set_key(recording.scenario, assignment);
  return recording;
}

}  // namespace bellwether::cli
