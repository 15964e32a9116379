// SPDX-License-Identifier: MIT
// How much memory a piece of work takes: all of `new` is counted in this program.
#pragma once

#include <cstddef>

namespace bench {

/// Bytes that are allocated now.
std::size_t live_bytes();
/// The most that has been allocated at any moment since the last reset.
std::size_t peak_bytes();
void reset_peak();

}  // namespace bench
