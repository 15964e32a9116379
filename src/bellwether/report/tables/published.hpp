// SPDX-License-Identifier: MIT
// What was measured beside what a publication says.
#pragma once

#include <array>

#include "bellwether/experiment/results.hpp"
#include "bellwether/experiment/statistics.hpp"

namespace bellwether::report {

/// reproduced: within the tolerance, or the published value lies in the confidence interval.
/// same direction: for a ratio, on the same side of 1; for a value, within a factor of two.
enum class ReproductionVerdict : unsigned char {
  reproduced,
  same_direction,
  not_reproduced,
  no_data
};
constexpr auto names_of(ReproductionVerdict) {
  return std::array<std::string_view, 4>{"reproduced", "same direction", "not reproduced",
                                         "no data"};
}

struct Finding {
  std::string what;
  double published = 0;           // not a number where only a direction is given
  std::string said;               // the same as text: a number, "more" or "less"
  experiment::Estimate measured;  // scaled as the publication shows it
  ReproductionVerdict verdict = ReproductionVerdict::no_data;
  std::string note;
};

ReproductionVerdict judge(const experiment::Published& published,
                          const experiment::Estimate& measured);

/// One for each value that the experiment quotes, in its order, at those points alone. A ratio is
/// taken seed by seed; settings in `over` replace those of `where` on the same axis.
std::vector<Finding> findings(const experiment::Results& results,
                              const std::vector<experiment::Setting>& at = {});

/// What an engine makes of the values that the experiment quotes.
struct EngineFindings {
  std::string engine;
  std::vector<Finding> findings;
};
/// In the order of the engines; of results side by side there are several.
std::vector<EngineFindings> findings_by_engine(const experiment::Results& results);

}  // namespace bellwether::report
