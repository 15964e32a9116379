// SPDX-License-Identifier: MIT
// Algorithms with a fault put in on purpose (mutants.cmake), by the name of the fault.
#pragma once

#include <map>
#include <string>

#include "bellwether/core/algorithm.hpp"

namespace bellwether::searches {

const std::map<std::string, core::Algorithm>& mutants();

}  // namespace bellwether::searches
