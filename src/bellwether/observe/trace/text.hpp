// SPDX-License-Identifier: MIT
// Text from messages and states made fit to be shown: it may hold any bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bellwether::observe {

/// Valid UTF-8 with '?' in place of control characters: it cannot break a line or steer a terminal.
std::string one_line(std::string_view text);

/// How many columns valid UTF-8 takes, one per character.
std::size_t columns(std::string_view text);

/// At most `most` columns of valid UTF-8; what was cut ends in "...".
std::string shortened(std::string_view text, std::size_t most);

}  // namespace bellwether::observe
