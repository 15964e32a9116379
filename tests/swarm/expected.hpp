// SPDX-License-Identifier: MIT
// Seeds that fail for a reason that is the algorithm's own: they must go on failing, no others may.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace bellwether::swarm {

/// The reason of each seed of a family that is expected to fail, from expected_failures.txt. Throws
/// runtime_error where a line does not say family, seed and reason.
std::map<std::uint64_t, std::string> expected_failures(std::string_view family);

/// Seeds with which a published property of height is known to fail.
bool known_failures();

}  // namespace bellwether::swarm
