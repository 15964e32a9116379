// SPDX-License-Identifier: MIT
// How much memory is available, so that what cannot fit is refused before anything is allocated.
#pragma once

#include <cstdint>
#include <string>

namespace bellwether::world {

/// Bytes that this process can still allocate: those of the machine, of its control group, or of
/// its own limit (ulimit -v), whichever are fewer.
std::uint64_t available_memory();

/// Throws Problem for `key` where `what` ("5 nodes and 4 links") needs more than is available.
void require_memory(double bytes, const std::string& key, const std::string& what);

}  // namespace bellwether::world
