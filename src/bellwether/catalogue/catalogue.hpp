// SPDX-License-Identifier: MIT
// A catalogue is a list of algorithms without their types. That of all algorithms is made from what
// stands in src/bellwether/algorithms (cmake/algorithms.cmake): no list is written by hand.
#pragma once

#include <string_view>
#include <vector>

#include "bellwether/core/algorithm.hpp"

namespace bellwether::catalogue {

using Algorithms = std::vector<core::Algorithm>;

/// Every algorithm that Bellwether brings, by name.
const Algorithms& all();

/// Null where there is none of this name.
const core::Algorithm* find(const Algorithms& algorithms, std::string_view name);

/// One of all(), which must be there.
const core::Algorithm& algorithm(std::string_view name);

/// One's own elections, and all of these beside them to compare with.
Algorithms with_all(Algorithms own);

}  // namespace bellwether::catalogue
