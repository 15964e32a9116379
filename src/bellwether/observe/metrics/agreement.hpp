// SPDX-License-Identifier: MIT
// The property of every election: when quiescent, the nodes of each component agree on one of them.
#pragma once

#include "bellwether/core/configuration.hpp"
#include "bellwether/observe/metrics/run_report.hpp"

namespace bellwether::observe {

inline constexpr std::string_view agreement_says =
    "when quiescent, all nodes of a connected component name the same member of it as leader";

/// Who leads in each component of a configuration; a link counts when both ends are up.
std::vector<ComponentLeader> leaders_in(const core::Configuration& all);

class Agreement final : public core::PropertyMonitor {
 public:
  std::string_view name() const override { return "agreement"; }
  std::string_view says() const override { return agreement_says; }
  void at_rest(const core::Configuration& all) override;
};

/// The algorithm's own properties, then agreement.
core::PropertyMonitors monitors_of(core::Nodes& nodes);

}  // namespace bellwether::observe
