// SPDX-License-Identifier: MIT
// Why a seed fails: the same trial once more for each of its faults, without that fault.
#pragma once

#include <string>

#include "families.hpp"

namespace bellwether::swarm {

/// "without loss: fine; without crashes: fails": one part for each fault that the trial has.
std::string without_each_fault(const Trial& trial);

}  // namespace bellwether::swarm
