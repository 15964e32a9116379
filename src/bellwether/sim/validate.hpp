// SPDX-License-Identifier: MIT
// What simulate() refuses, without a run: a run begins with these checks, so that both always say
// the same.
#pragma once

#include <optional>

#include "bellwether/sim/simulate.hpp"

namespace bellwether::sim {

/// What needs no network. Throws Problem.
void validate_request(const core::Algorithm& algorithm, const scenario::Scenario& scenario,
                      const observe::Schedule* schedule = nullptr);
/// What depends on the network; returns the algorithm's options for it. Throws Problem.
core::OptionTexts validate_setup(const core::Algorithm& algorithm,
                                 const scenario::Scenario& scenario, const RunSetup& setup);

/// The parts of a scenario that its network, its ids and its changes depend on: scenarios with
/// equal ones have the same network.
scenario::Scenario network_part(const scenario::Scenario& scenario);

/// Checks one scenario after the other. The network is built anew only where it differs from that
/// of the scenario before, as networks can be large.
class Validator {
 public:
  /// Throws Problem exactly where simulate() would refuse the scenario before the first event.
  void check(const core::Algorithm& algorithm, const scenario::Scenario& scenario);
  /// The network of the scenario that was checked last.
  const RunSetup& setup() const { return *setup_; }

 private:
  std::optional<scenario::Scenario> built_for_;
  std::optional<RunSetup> setup_;
};

}  // namespace bellwether::sim
