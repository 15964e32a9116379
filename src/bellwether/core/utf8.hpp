// SPDX-License-Identifier: MIT
// UTF-8, distinguished from other bytes in one place: names, messages, states may hold any bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bellwether::core {

/// The bytes of the first character, if it is well-formed UTF-8 by the Unicode standard's table
/// 3-7: nothing overlong, no surrogates, nothing above U+10FFFF. 0 if not, and of an empty text.
std::size_t utf8_length(std::string_view text);

/// Whether a byte stands inside a character, not at its beginning.
constexpr bool continues_utf8(char c) {
  return (static_cast<unsigned char>(c) & 0xC0u) == 0x80u;
}

bool is_utf8(std::string_view text);

/// The same text with U+FFFD in place of what is not UTF-8: JSON and XML must be UTF-8.
std::string valid_utf8(std::string_view text);

}  // namespace bellwether::core
