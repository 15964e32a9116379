// SPDX-License-Identifier: MIT
// What `bellwether tune` prints: the best proposals, lines to paste, and what one step aside costs.
#pragma once

#include <string>

#include "bellwether/cli/recorded_network.hpp"
#include "bellwether/experiment/tune.hpp"

namespace bellwether::cli {

struct TuneResult {
  std::string network;                         // the name of the scenario
  std::optional<core::Duration> probe_period;  // of a network that detects neighbours by probes
  std::optional<RecordedNetwork> recorded;
  bool moves_when_calm = false;
  experiment::TuneRequest request;
  experiment::TuneRanking ranking;  // never empty

  const experiment::Expectation& best() const { return ranking.front(); }
  bool fits() const { return experiment::meets(request, best()); }
};

std::string tune_text(const TuneResult& result);
std::string tune_json(const TuneResult& result);

}  // namespace bellwether::cli
