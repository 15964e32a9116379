// SPDX-License-Identifier: MIT
// What a search has found, replayed in the simulator.
#pragma once

#include <gtest/gtest.h>

#include "bellwether/observe/trace/compare.hpp"
#include "bellwether/sim/replay.hpp"
#include "bellwether/sim/simulate.hpp"
#include "check/searches.hpp"

namespace bellwether::searches {

/// The simulator takes the same steps and, where the run ends quiescent, finds the same fault.
/// Returns the simulator's report. `may_end_sooner`: a message that the search loses late is lost
/// at once there, so that the same fault may be seen before the run is over.
inline observe::RunReport replayed(const Spec& spec, const Verdict& verdict,
                                   bool may_end_sooner = false) {
  EXPECT_EQ(verdict.note.find("defect"), std::string::npos) << verdict.note;
  const observe::RunHeader& header = verdict.trace.header;
  EXPECT_EQ(observe::fault_of(*header.schedule), "");
  scenario::Scenario scenario = sim::replay_scenario(header, "here");
  observe::StepComparer comparer(verdict.trace);
  const observe::RunReport report = sim::simulate(catalogue::algorithm(spec.algorithm), scenario,
                                                  {{&comparer}, {}, &*header.schedule});
  const auto same = comparer.verdict();
  const bool sooner =
      may_end_sooner && same.taken.empty() && report.ended == observe::Ended::violation;
  EXPECT_TRUE(same.as_recorded() || sooner)
      << "recorded: " << same.recorded << "\ntaken: " << same.taken;
  return report;
}

}  // namespace bellwether::searches
