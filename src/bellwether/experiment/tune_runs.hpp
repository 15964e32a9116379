// SPDX-License-Identifier: MIT
// The runs that show what to expect of options of drumbeat in a scenario, and what they show.
#pragma once

#include "bellwether/experiment/row.hpp"
#include "bellwether/experiment/tune.hpp"
#include "bellwether/scenario/scenario.hpp"

namespace bellwether::experiment {

/// as_is: the scenario itself: traffic, wrong leaders. crashes: the leader crashes silently again
/// and again: failover. calm: no node moves or crashes, and no link changes: every election is a
/// false one.
enum class TuneRun : unsigned char { as_is, crashes, calm };
constexpr auto names_of(TuneRun) {
  return std::array<std::string_view, 3>{"as-is", "crashes", "calm"};
}

/// The scenarios of these runs, for a scenario of any algorithm; options of drumbeat are kept.
struct TuneScenarios {
  scenario::Scenario as_is, crashes, calm;
  bool always_calm = false;      // the scenario itself is: one run serves as both
  bool moves_when_calm = false;  // nodes follow a file, which cannot be held still

  const scenario::Scenario& of(TuneRun run) const;
  /// Which of them are to be made for each measurement.
  std::vector<TuneRun> runs() const;
};
/// Throws Problem where the scenario has no room for crashes, or is too large to be measured.
TuneScenarios tune_scenarios(const scenario::Scenario& scenario);

/// With these options and this seed.
scenario::Scenario with_beat(scenario::Scenario scenario, const BeatOptions& options,
                             std::uint64_t seed);

/// What the rows of these runs have to keep over time.
std::span<const std::string> failover_series();

/// The rows are those of `runs()`, in that order.
BeatSample beat_sample(const TuneScenarios& scenarios, std::span<const Row> rows);

/// The value below which this share of all lies, between two of them in proportion; not a number
/// without any.
double quantile(std::vector<double> values, double share);

}  // namespace bellwether::experiment
