// SPDX-License-Identifier: MIT
// Words that people are not to read: dialect, and second names for what the field has a term for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tokens.hpp"

namespace bellwether::tidy {

/// Text that people read, and the line of its file where it begins.
struct Prose {
  std::string text;
  int line;
};

/// The string literals of a C++ source; those that follow each other are one.
std::vector<Prose> prose_of(const Tokens& tokens);

/// Of a Markdown page: all but what stands between fences, and in backquotes.
std::vector<Prose> prose_of_markdown(std::string_view text);

/// Of a TypeScript source: its strings, templates included.
std::vector<Prose> prose_of_script(std::string_view text);

/// A phrase that was found where it must not stand, and what to write instead.
struct Slip {
  std::string phrase;
  std::string instead;
  int line;
};

std::vector<Slip> slips_in(const Prose& prose);

}  // namespace bellwether::tidy
