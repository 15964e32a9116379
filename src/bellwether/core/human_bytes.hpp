// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace bellwether::core {

/// "999 B", "1.00 kB", "24.6 GB": three digits, powers of 1000.
std::string human_bytes(std::uint64_t bytes);

}  // namespace bellwether::core
