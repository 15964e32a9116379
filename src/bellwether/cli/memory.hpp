// SPDX-License-Identifier: MIT
// How much memory there is, and how people write it.
#pragma once

#include <cstdint>
#include <string>

namespace bellwether::cli {

/// What may be taken now without others having to give: of the machine, or of the group of
/// processes that this one is limited with.
std::uint64_t available_memory();

/// "500M", "4G", "2 GB": powers of 1000. Throws Problem that names the flag.
std::uint64_t parse_memory(const std::string& text, const char* flag);

}  // namespace bellwether::cli
