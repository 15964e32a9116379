// SPDX-License-Identifier: MIT
// Daemons in networks of several hops, beside what the simulator predicts for the same scenario:
// the same metrics, from the same code, of what real processes did.
#pragma once

#include "bounds.hpp"

namespace bench {

/// Thirty daemons in a line.
void measure_line(Bounds& bounds);
/// A grid of 6 x 6.
void measure_grid(Bounds& bounds);
/// Sixteen that walk about, and whose links are switched as they come into range and leave it.
void measure_walk(Bounds& bounds);

}  // namespace bench
