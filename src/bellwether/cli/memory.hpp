// SPDX-License-Identifier: MIT
// How people write an amount of memory.
#pragma once

#include <cstdint>
#include <string>

namespace bellwether::cli {

/// "500M", "4G", "2 GB": powers of 1000. Throws Problem that names the flag.
std::uint64_t parse_memory(const std::string& text, const char* flag);

}  // namespace bellwether::cli
