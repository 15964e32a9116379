// SPDX-License-Identifier: MIT
// What `bellwether run --replay` needs beside what every run does.
#pragma once

#include "bellwether/cli/load.hpp"
#include "bellwether/observe/trace/trace.hpp"

namespace bellwether::cli {

/// A trace that carries its schedule, and the scenario that goes with it.
struct Recording {
  observe::Trace trace;
  scenario::Scenario scenario;
};

/// Only `--set properties=...` has a meaning for a replay. Throws Problem.
Recording load_recording(const std::string& path, const ScenarioOptions& options);

}  // namespace bellwether::cli
