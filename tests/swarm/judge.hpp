// SPDX-License-Identifier: MIT
// Runs a trial and says what is wrong with its end.
#pragma once

#include <string>

#include "bellwether/observe/metrics/run_report.hpp"
#include "bellwether/observe/trace/record.hpp"
#include "families.hpp"

namespace bellwether::swarm {

observe::RunReport run(const Scenario& scenario, observe::Observer* observer = nullptr);

/// Nothing when all went well.
std::string complaint(const Trial& trial, const observe::RunReport& report);

/// Both; what is thrown counts as a complaint.
std::string verdict(const Trial& trial, observe::Observer* observer = nullptr);

}  // namespace bellwether::swarm
