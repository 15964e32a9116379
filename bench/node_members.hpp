// SPDX-License-Identifier: MIT
// How large a group may be: hundreds of daemons on one machine.
#pragma once

#include <cstddef>

#include "bounds.hpp"

namespace bench {

/// Daemons on loopback, as a grid: each has its neighbours as peers. They must agree within 60 s of
/// their start, and then all must list all.
void measure_members(Bounds& bounds, std::size_t wide, std::size_t high);

}  // namespace bench
