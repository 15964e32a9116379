// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bellwether::scenario {

/// A position in TOML where tables are nested beyond the limit.
struct TooDeep {
  std::size_t line = 0;  // from 1; 0: nowhere
  std::string sentence;
};

/// Looks for keys of many parts and for nested brackets before the text is parsed: a parser
/// calls itself once for each level, until its stack is used up. The text need not be valid TOML.
TooDeep find_too_deep(std::string_view toml);

}  // namespace bellwether::scenario
