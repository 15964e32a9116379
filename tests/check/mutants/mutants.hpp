// SPDX-License-Identifier: MIT
// Algorithms with a fault put in on purpose (mutants.cmake), by the name of the fault.
#pragma once

#include <map>
#include <string>

#include "bellwether/core/algorithm.hpp"

namespace bellwether::searches {

const std::map<std::string, core::Algorithm>& mutants();
/// The one of them that has no fault.
inline constexpr const char* unchanged_copy = "changes_nothing";

/// Convicted not by a search but by a script for one node (by_hand_test.cpp).
bool is_moved_by_hand(const std::string& mutant);

}  // namespace bellwether::searches
