// SPDX-License-Identifier: MIT
// Comes before the kernels of graph/: clang++ does not know g++'s pragmas for AVX2, so only the
// portable ones are compiled.
#pragma once

#include "bellwether/graph/closeness/lanes.hpp"

#undef BELLWETHER_HAS_AVX2
